-- Made by cpsconv. To run it: runghc FILE; or compile it: ghc FILE
{-# LANGUAGE BangPatterns #-}
{-# OPTIONS_GHC -Wno-overlapping-patterns #-}
module Main (main) where

import Control.Exception (ErrorCall (..), catch, evaluate, throwIO)
import Data.Bits (Bits, complement, unsafeShiftL, unsafeShiftR, xor, (.&.), (.|.))
import Data.Char (chr, isDigit, isHexDigit, isUpper, ord, toLower, toUpper)
import Data.Int (Int16, Int32, Int64, Int8)
import Data.List (dropWhileEnd)
import Data.Void (Void)
import Data.Word (Word16, Word32, Word64, Word8)
import Foreign (Ptr, WordPtr (..), callocBytes, free, peek, poke, pokeElemOff, ptrToWordPtr, wordPtrToPtr)
import GHC.Float (castDoubleToWord64, castWord64ToDouble, double2Float, float2Double)
import GHC.IO.Encoding (char8, setFileSystemEncoding)
import Numeric (showHex, showOct)
import System.Environment (getArgs)
import System.Exit (ExitCode (..), exitSuccess, exitWith)
import System.IO (hFlush, hGetBufSome, hPutBuf, hPutStr, hSetBinaryMode, stderr, stdin, stdout)
import System.IO.Unsafe (unsafePerformIO)

-- The operations of CPS programs in Haskell, section by section as in cpsconv/core/operations/semantics.py and engines/machine/.
-- An emitted file contains the pieces that it uses. A piece with `TYPE` is a template for each integer type.

-- Unbounded integers. A product has a million bits at most.

infixl 7 `timesInteger`
timesInteger :: Integer -> Integer -> Integer
timesInteger a b
  | abs n < maxInteger = n
  | otherwise = runtimeError "the product has more than 1000000 bits"
  where
    n = a * b

maxInteger :: Integer
maxInteger = 2 ^ (1000000 :: Int)

infixl 8 `shl`
shl :: (Bits a, Integral b) => a -> b -> a
shl a count = unsafeShiftL a (fromIntegral count)

infixl 8 `shr`
shr :: (Bits a, Integral b) => a -> b -> a
shr a count = unsafeShiftR a (fromIntegral count)

-- Booleans. Unlike && and ||, these evaluate both operands.

infixl 3 `both`
both :: Bool -> Bool -> Bool
both a b = b `seq` (a && b)

infixl 2 `oneOf`
oneOf :: Bool -> Bool -> Bool
oneOf a b = b `seq` (a || b)

-- Conversions.

toTYPE :: Integral a => a -> TYPE
toTYPE = fromIntegral

toFloat :: Integral a => a -> Float
toFloat = fromIntegral

toDouble :: Integral a => a -> Double
toDouble = fromIntegral

-- Rounds once, to nearest. fromIntegral may round twice, or not to nearest.
nearestFloat :: Integral a => a -> Float
nearestFloat = fromRational . toRational

nearestDouble :: Integral a => a -> Double
nearestDouble = fromRational . toRational

truncateToInt32 :: RealFloat a => a -> Int32
truncateToInt32 = fromInteger . truncated 32

truncateToInt64 :: RealFloat a => a -> Int64
truncateToInt64 = fromInteger . truncated 64

-- Truncation as on x86-64: the smallest integer if the result is out of range.
truncated :: RealFloat a => Int -> a -> Integer
truncated bits x
  | -1 - fromInteger limit < x && x < fromInteger limit = truncate x
  | otherwise = -limit
  where
    limit = 2 ^ (bits - 1)

infinity :: Double
infinity = 1 / 0

nan :: Double
nan = castWord64ToDouble 0x7ff8000000000000

-- The value of an uninitialised variable. It may be passed, but not used.
undef :: a
undef = runtimeError uninitialised

uninitialised :: String
uninitialised = "a variable is used uninitialised"

-- Output consists of bytes, one for each character.

printf :: [String] -> IO Int32
printf texts = do
  let
    text = concat texts
    !count = length text
  putStr text
  return (fromIntegral count)

puts :: String -> IO Int32
puts text = printf [cString text, "\n"]

putchar :: Int32 -> IO Int32
putchar code = do
  let byte = code .&. 255
  putStr [chr (fromIntegral byte)]
  return byte

eprint :: String -> IO ()
eprint text = do
  hFlush stdout
  hPutStr stderr (cString text)

-- A C string ends at its first zero byte.
cString :: String -> String
cString = takeWhile (/= '\0')

-- The texts that printf prints. A negative width pads on the right, a negative precision is a missing one.

character :: Word8 -> String
character code = [chr (fromIntegral code)]

shownCharacter :: String -> Int -> Word8 -> String
shownCharacter flags width code = padded flags width False "" (character code)

shownString :: String -> Int -> Int -> String -> String
shownString flags width precision = padded flags width False "" . (if precision < 0 then id else take precision) . cString

shownInteger :: Integral a => String -> String -> Int -> Int -> a -> String
shownInteger conversion flags width precision value = case conversion of
  "u" -> number "" (show n)
  "o" -> number "" (showOct n "")
  "x" -> number (mark "0x") (showHex n "")
  "X" -> number (mark "0X") (map toUpper (showHex n ""))
  _ -> number (signIn flags (n < 0)) (show (abs n))
  where
    n = toInteger value
    mark text = if '#' `elem` flags && n > 0 then text else ""
    number prefix = padded flags width (precision < 0) prefix . enough
    enough digits = ['0' | octal, take 1 long /= "0"] ++ long
      where
        long = if precision == 0 && n == 0 then "" else zerosBefore precision digits
    octal = '#' `elem` flags && conversion == "o"

shownPointer :: String -> String -> Int -> Int -> Word64 -> String
shownPointer _ flags width precision p
  | p == 0 = padded flags width False "" "(nil)"
  | otherwise = shownInteger "x" ('#' : flags) width precision p

shownFloat :: String -> String -> Int -> Int -> Double -> String
shownFloat conversion flags width precision x
  | isNaN x = number False "" "nan"
  | isInfinite x = number False "" "inf"
  | letter == 'a' = number True "0x" (hexadecimal q precision point)
  | otherwise = number True "" (decimal letter q (if precision < 0 then 6 else precision) point)
  where
    letter : _ = map toLower conversion
    point = '#' `elem` flags
    q = abs (toRational x)
    inCase = if any isUpper conversion then map toUpper else id
    number zeros prefix text = padded flags width zeros (signIn flags (signBit x) ++ inCase prefix) (inCase text)

size :: Int32 -> Int
size n
  | abs (toInteger n) > 1000000 = runtimeError "a width or precision of printf is too large"
  | otherwise = fromIntegral n

-- A format that is not constant selects the action.
selectFormat :: String -> [(String, IO Int32)] -> IO Int32
selectFormat format = maybe (misfit `seq` return 0) id . lookup format

misfit :: String
misfit = runtimeError "the format of printf does not fit its arguments"

unused :: a -> String
unused value = value `seq` ""

-- The prefix of a number: its sign or base.
signIn :: String -> Bool -> String
signIn flags negative
  | negative = "-"
  | '+' `elem` flags = "+"
  | ' ' `elem` flags = " "
  | otherwise = ""

-- Pads to the width, with zeros after the prefix if they are allowed and wanted.
padded :: String -> Int -> Bool -> String -> String -> String
padded flags width zeros prefix text
  | '-' `elem` flags || width < 0 = prefix ++ text ++ missing ' '
  | zeros && '0' `elem` flags = prefix ++ missing '0' ++ text
  | otherwise = missing ' ' ++ prefix ++ text
  where
    missing = replicate (abs width - length prefix - length text)

zerosBefore :: Int -> String -> String
zerosBefore count digits = replicate (count - length digits) '0' ++ digits

-- Whether the sign bit of a number is set, also that of -0.0 and of a NaN.
signBit :: Double -> Bool
signBit x = castDoubleToWord64 x >= 2 ^ 63

-- %f, %e and %g of q >= 0: rounded to nearest, ties to even, all digits exact.
decimal :: Char -> Rational -> Int -> Bool -> String
decimal 'f' q precision point = fixed q precision point
decimal 'e' q precision point = scientific q precision point id
decimal _ q precision point
  | e < -4 || e > others = scientific q others point short
  | otherwise = short (fixed q (others - e) point)
  where
    others = max 1 precision - 1
    (_, e) = significant q others
    short = if point then id else withoutZeros False

fixed :: Rational -> Int -> Bool -> String
fixed q precision = withPoint (show (round (q * 10 ^ precision))) precision

scientific :: Rational -> Int -> Bool -> (String -> String) -> String
scientific q precision point short = short digits ++ sign ++ zerosBefore 2 (show (abs e))
  where
    (n, e) = significant q precision
    digits = withPoint (show n) precision point
    sign = if e < 0 then "e-" else "e+"

-- The first `precision` + 1 digits as a number, and the exponent of the first digit.
significant :: Rational -> Int -> (Integer, Int)
significant q precision
  | n == 10 ^ (precision + 1) = (n `quot` 10, e + 1)
  | otherwise = (n, e)
  where
    e = if q == 0 then 0 else exponentOf 10 q
    n = round (q * 10 ^^ (precision - e))

-- The e with base^e <= q < base^(e+1), of q > 0.
exponentOf :: Integer -> Rational -> Int
exponentOf base q = until ((<= q) . power) (subtract 1) (until ((> q) . power . (+ 1)) (+ 1) estimate)
  where
    power e = fromInteger base ^^ e
    estimate = floor (logBase (fromInteger base) (fromRational q :: Double))

withPoint :: String -> Int -> Bool -> String
withPoint digits count point = whole ++ ['.' | point || count > 0] ++ fraction
  where
    enough = zerosBefore (count + 1) digits
    (whole, fraction) = splitAt (length enough - count) enough

-- 1.500 without trailing zeros, and without a trailing point unless it is wanted.
withoutZeros :: Bool -> String -> String
withoutZeros point text
  | '.' `notElem` text = text
  | otherwise = dropWhileEnd (\character -> character == '.' && not point) (dropWhileEnd (== '0') text)

-- %a: a hexadecimal fraction, exact or with `precision` digits, and an exponent of 2.
hexadecimal :: Rational -> Int -> Bool -> String
hexadecimal q precision point = digits ++ sign ++ show (abs e)
  where
    e = if q == 0 then 0 else max (-1022) (exponentOf 2 q)
    count = if precision < 0 then 13 else min 13 precision
    rounded = withPoint (showHex (round (q / 2 ^^ e * 16 ^ count) :: Integer) "") count point
    digits = if precision < 0 then withoutZeros point rounded else rounded ++ replicate (precision - 13) '0'
    sign = if e < 0 then "p-" else "p+"

-- The end of a program. The exit status of `abort` is that which a shell reports for SIGABRT.

halt :: Integral status => status -> IO Void
halt status = case fromIntegral status `mod` 256 of
  0 -> exitSuccess
  code -> exitWith (ExitFailure code)

abort :: IO Void
abort = exitWith (ExitFailure 134)

runtimeError :: String -> a
runtimeError = errorWithoutStackTrace

run :: IO Void -> IO Void
run program = do
  hSetBinaryMode stdout True
  hSetBinaryMode stderr True
  program `catch` \(ErrorCall message) -> complain ("runtime error: " ++ message) 3

complain :: String -> Int -> IO a
complain message status = do
  hFlush stdout
  hPutStr stderr (message ++ "\n")
  exitWith (ExitFailure status)

-- The start of a program without main: each argument of the command line is a parameter.

commandLine :: Int -> IO [String]
commandLine count = do
  setFileSystemEncoding char8
  given <- getArgs
  if length given == count then return given else complain "error: the number of arguments is wrong" 1

wrong :: String -> String -> IO a
wrong text what = complain ("error: `" ++ text ++ "` is not " ++ what) 1

-- A decimal or hexadecimal integer.
readInteger :: Integral a => String -> IO a
readInteger text = case withSign naturalIn text of
  Nothing -> wrong text "an integer"
  Just n
    | toInteger value == n -> return value
    | otherwise -> wrong text "in the range of its type"
    where
      value = fromInteger n

withSign :: Num a => (String -> Maybe a) -> String -> Maybe a
withSign magnitude ('-' : text) = negate <$> magnitude text
withSign magnitude ('+' : text) = magnitude text
withSign magnitude text = magnitude text

naturalIn :: String -> Maybe Integer
naturalIn ('0' : x : digits)
  | x `elem` "xX" && not (null digits) && all isHexDigit digits = Just (read ("0x" ++ digits))
naturalIn text = digitsIn text

digitsIn :: String -> Maybe Integer
digitsIn text
  | null text || not (all isDigit text) = Nothing
  | otherwise = Just (read text)

-- A character that is no digit denotes its code, as does any character in quotes.
readCharacter :: Integral a => String -> IO a
readCharacter text = case decoded text of
  [character] | not (isDigit character) -> return (code character)
  ['\'', character, '\''] -> return (code character)
  _ -> readInteger text
  where
    code = fromIntegral . ord
    decoded ('\xc2' : byte : rest) = byte : decoded rest -- in UTF-8, two bytes
    decoded ('\xc3' : byte : rest) = chr (ord byte + 64) : decoded rest
    decoded (character : rest) = character : decoded rest
    decoded [] = []

readBool :: String -> IO Bool
readBool text
  | text `elem` ["true", "1"] = return True
  | text `elem` ["false", "0"] = return False
  | otherwise = wrong text "a truth value"

readDouble :: String -> IO Double
readDouble text = maybe (wrong text "a number") return (withSign positiveIn text)

readFloat :: String -> IO Float
readFloat text = double2Float <$> readDouble text

readString :: String -> IO String
readString = return

positiveIn :: String -> Maybe Double
positiveIn text
  | map toLower text == "inf" = Just infinity
  | map toLower text == "nan" = Just nan
  | null digits = Nothing
  | otherwise = case map toLower rest of
    "" -> Just (scaled 0)
    'e' : e -> scaled <$> withSign digitsIn e
    _ -> Nothing
  where
    (whole, afterWhole) = span isDigit text
    (fraction, rest) = case afterWhole of
      '.' : afterPoint -> span isDigit afterPoint
      _ -> ("", afterWhole)
    digits = whole ++ fraction
    scaled e = fromRational (fromInteger (read digits) * 10 ^^ (inReach e - length fraction))
    inReach e = fromInteger (max (negate limit) (min limit e)) :: Int
    limit = 400 + toInteger (length digits)

-- The result of the program is printed.

report :: String -> IO Void
report text = do
  putStrLn text
  halt 0

reportNothing :: IO Void
reportNothing = halt 0

reportInteger :: Show a => a -> IO Void
reportInteger = report . show

reportUnbounded :: Integer -> IO Void
reportUnbounded = report . show

reportBool :: Bool -> IO Void
reportBool value = report (if value then "true" else "false")

reportString :: String -> IO Void
reportString = report

reportFloat :: RealFloat a => a -> IO Void
reportFloat = report . shortest

haltWithBool :: Bool -> IO Void
haltWithBool = halt . fromEnum

-- The fewest digits that identify the number as a Double; with an exponent if it is very large or very small.
shortest :: RealFloat a => a -> String
shortest x
  | isNaN x = "nan"
  | x < 0 || isNegativeZero x = '-' : shortest (negate x)
  | isInfinite x = "inf"
  | x == 0 = "0.0"
  | otherwise = found
  where
    found : _ = [shown precision q | precision <- [0 ..], q <- around precision, nearest q == nearest exact]
    exact = toRational x
    nearest q = fromRational q :: Double
    e = exponentOf 10 exact
    around precision = [unit * closest, unit * (closest + 1)]
      where
        unit = 10 ^^ (e - precision)
        closest = fromInteger (round (exact / unit))
    shown precision q
      | q < 1 / 10000 || q >= 10 ^ 16 = decimal 'e' q precision False
      | otherwise = fixed q (max 1 (precision - e)) False

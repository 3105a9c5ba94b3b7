-- Memory that is not checked: the program checks each access itself.

address :: Word64 -> Ptr a
address = wordPtrToPtr . fromIntegral

numberOf :: Ptr a -> Word64
numberOf p = let WordPtr n = ptrToWordPtr p in fromIntegral n

create :: Word64 -> Word64 -> IO Word64
create count size = numberOf <$> callocBytes (fromIntegral (count * size))

release :: Word64 -> IO ()
release = free . address

-- Data of that size, with content at the start, and pointers at some offsets.
dataOf :: Int -> String -> [(Word64, Word64)] -> Word64
dataOf size content pointers = unsafePerformIO $ do
  p <- callocBytes size
  mapM_ (\(index, byte) -> pokeElemOff p index (fromIntegral (ord byte) :: Word8)) (zip [0 ..] content)
  mapM_ (\(offset, target) -> storeWord64 target (numberOf p + offset)) pointers
  return (numberOf p)

loadTYPE :: Word64 -> IO TYPE
loadTYPE = peek . address

storeTYPE :: TYPE -> Word64 -> IO ()
storeTYPE value p = poke (address p) value

loadFloat :: Word64 -> IO Float
loadFloat = peek . address

storeFloat :: Float -> Word64 -> IO ()
storeFloat value p = poke (address p) value

loadDouble :: Word64 -> IO Double
loadDouble = peek . address

storeDouble :: Double -> Word64 -> IO ()
storeDouble value p = poke (address p) value

loadBool :: Word64 -> IO Bool
loadBool p = (/= 0) <$> loadInt8 p

storeBool :: Bool -> Word64 -> IO ()
storeBool value = storeInt8 (if value then 1 else 0)

storeIfDefined :: (a -> Word64 -> IO ()) -> a -> Word64 -> IO ()
storeIfDefined store value p = (evaluate value >>= \defined -> store defined p) `catch` \(ErrorCall message) ->
  if message == uninitialised then return () else throwIO (ErrorCall message)

-- The bytes up to the next zero, or the first `limit` ones unless it is negative.
stringAt :: Word64 -> Int -> IO String
stringAt p limit = go (0 :: Int)
  where
    go n
      | n == limit = return ""
      | otherwise = do
        byte <- loadWord8 (p + fromIntegral n)
        if byte == 0 then return "" else (chr (fromIntegral byte) :) <$> go (n + 1)

-- The words of the command line, for main: each is a pointer to its bytes, with a 0 at their end.
argumentBytes :: [Word64]
argumentBytes = unsafePerformIO $ do
  setFileSystemEncoding char8
  map (\word -> dataOf (length word + 1) word []) <$> getArgs
{-# NOINLINE argumentBytes #-}

-- A byte of a word; -1 if there is no such word.
__argument_byte :: Int32 -> Int32 -> (Int32 -> IO Void) -> IO Void
__argument_byte index at ret = case drop (fromIntegral index) argumentBytes of
  word : _ -> loadWord8 (word + fromIntegral at) >>= ret . fromIntegral
  [] -> ret (-1)

-- The continuations that setjmp saved.

kept :: IORef (Map.Map Int32 (Int32 -> IO Void))
kept = unsafePerformIO (newIORef Map.empty)
{-# NOINLINE kept #-}

__keep :: Int32 -> (Int32 -> IO Void) -> IO Void -> IO Void
__keep slot saved ret = modifyIORef kept (Map.insert slot saved) >> ret

__enter :: Int32 -> Int32 -> IO Void
__enter slot value = readIORef kept >>= \saved -> (saved Map.! slot) value

-- System calls. A negative result is an error number of Linux.

__read :: Int32 -> Word64 -> Word64 -> (Int64 -> IO Void) -> IO Void
__read descriptor p size ret
  | descriptor /= 0 = ret (-9)
  | otherwise = do
    hFlush stdout
    hSetBinaryMode stdin True
    count <- hGetBufSome stdin (address p) (fromIntegral size)
    ret (fromIntegral count)

__write :: Int32 -> Word64 -> Word64 -> (Int64 -> IO Void) -> IO Void
__write descriptor p size ret = case descriptor of
  1 -> do
    hPutBuf stdout (address p) (fromIntegral size)
    ret (fromIntegral size)
  2 -> do
    hFlush stdout
    hPutBuf stderr (address p) (fromIntegral size)
    ret (fromIntegral size)
  _ -> ret (-9)

; Memory: objects of bytes, and the operations on them, with every access checked, as in cpsconv/engines/machine/memory.py.
; A pointer is an integer of 64 bits: the number of an object, and in the lower half an offset, which has a sign.

; The type of objects in memory. The kind of a scalar is signed, unsigned, float or bool.
(define (type name size kind) (vector name size kind))
(define (type-name type) (vector-ref type 0))
(define (type-size type) (vector-ref type 1))
(define (type-kind type) (vector-ref type 2))
(define char-type (type "char" 1 'signed))

; An object. Beside its bytes, it has a mark for each byte that was written. After its lifetime, it has no bytes.
(define (new-object origin size name type count line)
  (vector origin size name type count line #f #f '() (make-bytevector size 0) (make-bytevector size 0) #f #f))

(define (object-origin object) (vector-ref object 0))
(define (object-size object) (vector-ref object 1))
(define (object-name object) (vector-ref object 2))
(define (object-type object) (vector-ref object 3))
(define (object-count object) (vector-ref object 4))
(define (object-start object) (vector-ref object 5))
(define (object-end object) (vector-ref object 6))
(define (object-ended? object) (vector-ref object 7))
(define (object-constant object) (vector-ref object 8)) ; alternately the starts and ends of constant bytes
(define (object-bytes object) (vector-ref object 9))
(define (object-marks object) (vector-ref object 10))
(define (object-procedure object) (vector-ref object 11))
(define (object-signature object) (vector-ref object 12))

; All objects by number; the first one is null.
(define objects (vector (new-object 'null 0 #f #f #f #f)))
(define used-objects 1)

(define (created object)
  (let ((number used-objects))
    (when (= number (vector-length objects))
      (set! objects (vector-append objects (make-vector number #f))))
    (vector-set! objects number object)
    (set! used-objects (+ number 1))
    (* number 4294967296)))

(define (object-of pointer)
  (let ((number (number-of pointer)))
    (and (< number used-objects) (vector-ref objects number))))

(define (number-of pointer) (modulo (floor-quotient (+ pointer 2147483648) 4294967296) 4294967296))
(define (offset-of pointer) (- (modulo (+ pointer 2147483648) 4294967296) 2147483648))

; The pointer to the same object at another offset; one that is too far away becomes the last or first one.
(define (moved pointer distance)
  (let* ((offset (offset-of pointer))
         (target (max -2147483648 (min 2147483647 (+ offset distance)))))
    (modulo (+ pointer (- target offset)) 18446744073709551616)))

(define (element type pointer index) (moved pointer (* index (type-size type))))
(define (field offset pointer) (moved pointer offset))

; Accesses.

; The object that has the bytes at the pointer. The type is that of the access, if it has one.
(define (object-at pointer size type)
  (let ((found (object-of pointer))
        (offset (offset-of pointer)))
    (if (and found
             (not (eq? (object-origin found) 'null))
             (not (object-ended? found))
             (<= 0 offset (- (object-size found) size)))
        found
        (wrong-access found offset size type))))

; The same, for a change.
(define (changed-at pointer size type)
  (let ((found (object-at pointer size type)))
    (require-changeable found (offset-of pointer) size type (object-constant found))
    found))

(define (require-changeable found offset size type constant)
  (unless (null? constant)
    (let ((start (car constant)) (end (cadr constant)))
      (when (and (< offset end) (< start (+ offset size)))
        (let* ((title (title-of found))
               (object (if (< (- end start) (object-size found)) (string-append «part | title») title)))
          (memory-error «constant | (place-text found offset size type) | object»)))
      (require-changeable found offset size type (cddr constant)))))

(define (load-value type pointer)
  (let* ((size (type-size type))
         (found (object-at pointer size type))
         (offset (offset-of pointer)))
    (unless (written? (object-marks found) offset (+ offset size))
      (memory-error «unwritten | (place-text found offset size type)»))
    (decoded type (integer-at (object-bytes found) offset size))))

(define (written? marks start end)
  (or (= start end)
      (and (= (bytevector-u8-ref marks start) 1) (written? marks (+ start 1) end))))

; A load in which bytes that were never written are those of the default.
(define (load-or type pointer default)
  (let* ((size (type-size type))
         (found (object-at pointer size type))
         (offset (offset-of pointer))
         (marks (object-marks found)))
    (cond ((written? marks offset (+ offset size)) (load-value type pointer))
          ((eq? default undefined) undefined)
          (else
           (let ((bytes (make-bytevector size 0)))
             (set-integer bytes 0 size (encoded type default))
             (fill-written bytes (object-bytes found) marks offset 0)
             (decoded type (integer-at bytes 0 size)))))))

(define (fill-written bytes data marks offset at)
  (when (< at (bytevector-length bytes))
    (when (= (bytevector-u8-ref marks (+ offset at)) 1)
      (bytevector-u8-set! bytes at (bytevector-u8-ref data (+ offset at))))
    (fill-written bytes data marks offset (+ at 1))))

; A store of an undefined value removes the marks.
(define (store type value pointer)
  (let* ((size (type-size type))
         (found (changed-at pointer size type))
         (offset (offset-of pointer))
         (defined? (not (eq? value undefined))))
    (when defined? (set-integer (object-bytes found) offset size (encoded type value)))
    (mark (object-marks found) offset (+ offset size) (if defined? 1 0))))

(define (mark marks start end value)
  (when (< start end)
    (bytevector-u8-set! marks start value)
    (mark marks (+ start 1) end value)))

(define (integer-at bytes offset size)
  (let next ((at (+ offset size -1)) (n 0))
    (if (< at offset)
        n
        (next (- at 1) (+ (* 256 n) (bytevector-u8-ref bytes at))))))

(define (set-integer bytes offset size n)
  (when (> size 0)
    (bytevector-u8-set! bytes offset (modulo n 256))
    (set-integer bytes (+ offset 1) (- size 1) (floor-quotient n 256))))

(define (decoded type n)
  (case (type-kind type)
    ((signed) (wrapped n (* 8 (type-size type)) #t))
    ((bool) (> n 0))
    ((float) (bits->number n (type-size type)))
    (else n)))

(define (encoded type value)
  (case (type-kind type)
    ((bool) (boolean->integer value))
    ((float) (number->bits value (type-size type)))
    (else value)))

; The bits of a floating number as an integer.
(define (number->bits x size)
  (define unit (expt 2 (fraction-bits size)))
  (define bias (exponent-bias size))
  (define magnitude
    (cond ((nan? x) (* unit (+ bias bias 3/2)))
          ((infinite? x) (* unit (+ bias bias 1)))
          ((= x 0) 0)
          (else
           (let* ((q (abs (exact x)))
                  (e (max (- 1 bias) (exponent q 2))))
             (+ (* unit (+ e bias -1)) (* unit (/ q (expt 2 e))))))))
  (if (sign-bit? x) (+ magnitude (expt 2 (- (* 8 size) 1))) magnitude))

(define (bits->number bits size)
  (define unit (expt 2 (fraction-bits size)))
  (define magnitude (modulo bits (expt 2 (- (* 8 size) 1))))
  (define biased (quotient magnitude unit))
  (define fraction (modulo magnitude unit))
  (define scale (expt 2 (- (max biased 1) (exponent-bias size) (fraction-bits size))))
  (define x
    (cond ((<= biased (* 2 (exponent-bias size))) (inexact (* scale (+ fraction (if (= biased 0) 0 unit)))))
          ((= fraction 0) +inf.0)
          (else +nan.0)))
  (cond ((= bits magnitude) x)
        ((= x 0) -0.0)
        (else (- x))))

(define (fraction-bits size) (if (= size 4) 23 52))
(define (exponent-bias size) (if (= size 4) 127 1023))

(define (copy type source target) (move-bytes source target (type-size type) type))

; Copy bytes, with their marks. The places may overlap.
(define (move-bytes source target size type)
  (let* ((read (object-at source size type))
         (changed (changed-at target size type))
         (start (offset-of source))
         (end (+ start size)))
    (bytevector-copy! (object-bytes changed) (offset-of target) (object-bytes read) start end)
    (bytevector-copy! (object-marks changed) (offset-of target) (object-marks read) start end)))

; Allocation and deallocation.

(define max-object 2147483647)

(define (allocate type count name line)
  (let ((size (* (or count 1) (type-size type))))
    (unless (<= 0 size max-object)
      (memory-error «size | (counted (or count 1) "element") | (type-name type)»))
    (created (new-object 'variable size name type count line))))

(define (deallocate pointer line) (end-of pointer 'variable line))

(define (make-constant pointer line)
  (let ((found (object-at pointer 0 #f)))
    (when (= (offset-of pointer) 0)
      (make-bytes-constant pointer (object-size found) line))))

(define (make-bytes-constant pointer size line)
  (let ((found (object-at pointer size #f))
        (start (offset-of pointer)))
    (when (eq? (object-origin found) 'variable)
      (vector-set! found 8 (append (object-constant found) (list start (+ start size)))))))

(define (malloc size line) (if (> size max-object) 0 (created (new-object 'heap size #f #f #f line))))

(define (calloc count size line)
  (let ((pointer (malloc (* count size) line)))
    (unless (= pointer 0)
      (mark (object-marks (object-of pointer)) 0 (* count size) 1))
    pointer))

; As with glibc, a size of 0 frees the memory.
(define (realloc pointer size line)
  (cond ((= pointer 0) (malloc size line))
        ((> size max-object) 0)
        (else
         (let ((old (end-of pointer 'heap line)))
           (if (= size 0) 0 (grown old (malloc size line) (min size (object-size old))))))))

(define (grown old pointer kept)
  (bytevector-copy! (object-bytes (object-of pointer)) 0 (object-bytes old) 0 kept)
  (bytevector-copy! (object-marks (object-of pointer)) 0 (object-marks old) 0 kept)
  pointer)

(define (free pointer line) (unless (= pointer 0) (end-of pointer 'heap line)))

; End the lifetime of the object at the pointer. It is returned as it was.
(define (end-of pointer origin line)
  (let ((found (object-of pointer)))
    (unless (and found
                 (not (object-ended? found))
                 (eq? (object-origin found) origin)
                 (= (offset-of pointer) 0))
      (wrong-end found (offset-of pointer) origin))
    (let ((ended (vector-copy found)))
      (vector-set! ended 6 line)
      (vector-set! ended 7 #t)
      (vector-set! ended 9 (bytevector))
      (vector-set! ended 10 (bytevector))
      (vector-set! objects (number-of pointer) ended))
    found))

; What exists from the start: data, whose content is a string of bytes or a list of numbers, and functions.

(define (data type count name line content constant)
  (let ((found (new-object 'data (* (or count 1) (type-size type)) name type count line)))
    (vector-set! found 8 constant)
    (mark (object-marks found) 0 (object-size found) 1)
    (if (string? content)
        (fill (object-bytes found) 0 1 (map char->integer (string->list content)))
        (fill (object-bytes found) 0 (type-size type) (map (lambda (value) (encoded type value)) content)))
    (created found)))

(define (fill bytes offset size integers)
  (when (pair? integers)
    (set-integer bytes offset size (car integers))
    (fill bytes (+ offset size) size (cdr integers))))

; Write a pointer into data, which may be constant.
(define (set-pointer pointer offset target) (set-integer (object-bytes (object-of pointer)) offset 8 target))

; The pointer to a function. The signature is its type.
(define (define-function procedure signature name line)
  (let ((found (new-object 'function 0 name #f #f line)))
    (vector-set! found 11 procedure)
    (vector-set! found 12 signature)
    (set! function-pointers (cons (cons procedure (created found)) function-pointers))))

(define function-pointers '())
(define (address-of procedure) (cdr (assq procedure function-pointers)))

; The function of the type at the pointer.
(define (function-at pointer signature)
  (let ((found (object-of pointer)))
    (if (and found
             (object-procedure found)
             (= (offset-of pointer) 0)
             (string=? (object-signature found) signature))
        (object-procedure found)
        (wrong-call found (offset-of pointer) signature))))

; Strings in memory, and the external functions.

; The bytes before the next zero, as characters, or the first `limit` ones unless it is negative.
(define (string-at pointer limit)
  (let next ((at 0) (characters '()))
    (let ((byte (if (= at limit) 0 (modulo (load-value char-type (moved pointer at)) 256))))
      (if (= byte 0)
          (list->string (reverse characters))
          (next (+ at 1) (cons (integer->char byte) characters))))))

(define (shown-pointer conversion flags width precision pointer)
  (if (= pointer 0)
      (padded flags width "" "(nil)" #f)
      (padded flags width
              (string-append (sign flags #f) "0x")
              (zeros-before (number->string pointer 16) precision)
              (< precision 0))))

(define (strlen string ret) (ret (string-length (string-at string -1))))

(define (strcmp one other ret)
  (let* ((left (string-at one -1))
         (right (string-at other -1)))
    (ret (cond ((string<? left right) -1) ((string=? left right) 0) (else 1)))))

(define (strcpy target source ret)
  (memcpy target source (+ (string-length (string-at source -1)) 1) ret))

(define (memcpy target source size ret)
  (when (< 0 (abs (- target source)) size)
    (let ((found (object-at source size #f)))
      (object-at target size #f)
      (memory-error «overlap | (place-text found (offset-of source) size #f)»)))
  (memmove target source size ret))

(define (memmove target source size ret)
  (unless (= size 0) (move-bytes source target size #f))
  (ret target))

(define (memset target value size ret)
  (unless (= size 0)
    (let ((found (object-at target size #f))
          (start (offset-of target)))
      (unless (null? (object-constant found))
        (let next ((at 0))
          (when (< at size)
            (changed-at (moved target at) 1 char-type)
            (next (+ at 1)))))
      (mark (object-bytes found) start (+ start size) (modulo value 256))
      (mark (object-marks found) start (+ start size) 1)))
  (ret target))

(define (memcmp one other size ret)
  (define (byte-of pointer at) (modulo (load-value char-type (moved pointer at)) 256))
  (let next ((at 0))
    (if (= at size)
        (ret 0)
        (let* ((left (byte-of one at))
               (right (byte-of other at)))
          (cond ((< left right) (ret -1)) ((> left right) (ret 1)) (else (next (+ at 1))))))))

; System calls. A negative result is an error number of Linux: there are no files, and no clock.

; Reads to the end of a line, so that a user can answer.
(define (__read descriptor target size ret)
  (object-at target size #f)
  (if (= descriptor 0)
      (let ((input (of-bytes (current-input-port))))
        (flush-output-port output)
        (let next ((at 0))
          (let ((character (if (= at size) (eof-object) (read-char input))))
            (cond ((eof-object? character) (ret at))
                  (else (store char-type (signed-byte (char->integer character)) (moved target at))
                        (if (char=? character #\newline) (ret (+ at 1)) (next (+ at 1))))))))
      (ret -9)))

(define (signed-byte byte) (if (< byte 128) byte (- byte 256)))

(define (__write descriptor source size ret)
  (let ((found (object-at source size #f))
        (start (offset-of source)))
    (let next ((at (+ start size)) (characters '()))
      (if (> at start)
          (let ((byte (bytevector-u8-ref (object-bytes found) (- at 1))))
            (next (- at 1) (cons (integer->char byte) characters)))
          (let ((text (list->string characters)))
            (cond ((= descriptor 1) (write-string text output) (ret size))
                  ((= descriptor 2)
                   (flush-output-port output)
                   (write-string text (of-bytes (current-error-port)))
                   (ret size))
                  (else (ret -9))))))))

(define (__open path flags ret) (ret -13))

(define (__close descriptor ret) (ret (if (<= 0 descriptor 2) 0 -9)))

(define (__redirect descriptor ret) (ret -9))

(define (__seek descriptor offset whence ret) (ret (if (<= 0 descriptor 2) -29 -9)))

(define (__environment name target size ret) (ret -2))

(define (__unlink path ret) (ret -13))

(define (__rename old path ret) (ret -13))

(define (__make_directory path mode ret) (ret -13))

(define (__remove_directory path ret) (ret -13))

(define (__current_directory target size ret) (ret -13))

(define (__entry path index target ret) (ret -13))

(define (__status path descriptor target ret) (ret -13))

(define (__change_mode path descriptor mode ret) (ret -13))

(define (__change_times path descriptor times ret) (ret -13))

(define (__time ret) (ret -1))

(define (__clock ret) (ret -1))

; The continuations that `setjmp` saved: for each activation an association list by buffer, each with the number in the
; buffer and the number of objects, as in cpsconv/engines/machine/jumps.py.

(define long-type (type "long" 8 'signed))

(define activations '())
(define saved-jumps 0)

(define (__begin_activation ret)
  (set! activations (cons '() activations))
  (ret (length activations)))

(define (__end_activation ret)
  (set! activations (cdr activations))
  (ret (length activations)))

(define (setjmp buffer ret)
  (set! saved-jumps (+ saved-jumps 1))
  (store long-type saved-jumps buffer)
  (save-jump buffer (vector ret saved-jumps used-objects))
  (ret 0))

(define (save-jump buffer saved)
  (let ((known (assv buffer (car activations))))
    (if known
        (set-cdr! known saved)
        (set! activations (cons (cons (cons buffer saved) (car activations)) (cdr activations))))))

(define (longjmp buffer value)
  (let ((place (defined buffer)) (result (if (= (defined value) 0) 1 value)))
    (enter-jump (load-value long-type place) result activations)))

(define (enter-jump number value around)
  (if (null? around)
      (memory-error (if (<= 1 number saved-jumps) «jump_returned» «jump_unset»))
      (let ((saved (saved-as number (car around))))
        (if saved
            (let ((first (vector-ref saved 2)))
              (set! activations around)
              (vector-set! saved 2 used-objects)
              (end-variables first used-objects)
              ((vector-ref saved 0) value))
            (enter-jump number value (cdr around))))))

(define (saved-as number jumps)
  (cond ((null? jumps) #f)
        ((= number (vector-ref (cdar jumps) 1)) (cdar jumps))
        (else (saved-as number (cdr jumps)))))

(define (end-variables number end)
  (when (< number end)
    (let ((object (vector-ref objects number)))
      (when (and (eq? (object-origin object) 'variable) (not (object-ended? object)))
        (end-of (* number 4294967296) 'variable #f)))
    (end-variables (+ number 1) end)))

; The texts of runtime errors.

(define (memory-error . texts)
  (of-bytes (current-error-port))
  (runtime-error (utf-8 (apply string-append texts))))

; The text with a character for each byte.
(define (utf-8 text)
  (let ((bytes (string->utf8 text)))
    (let next ((at (bytevector-length bytes)) (characters '()))
      (if (= at 0)
          (list->string characters)
          (next (- at 1) (cons (integer->char (bytevector-u8-ref bytes (- at 1))) characters))))))

(define (wrong-access found offset size type)
  (cond ((not found) (memory-error «wild»))
        ((eq? (object-origin found) 'null)
         (if (= offset 0)
             (memory-error «null»)
             (memory-error «null_offset | (counted offset "byte")»)))
        ((eq? (object-origin found) 'function)
         (memory-error «no_data | (title-of found)»))
        ((object-ended? found) (memory-error «ended | (end-text found)»))
        (else (memory-error «bounds | (place-text found offset size type)»))))

(define (wrong-end found offset origin)
  (define heap? (eq? origin 'heap))
  (define verb (if heap? "freed" "deallocated"))
  (cond ((not found) (memory-error «end_wild | verb»))
        ((eq? (object-origin found) 'null) (memory-error «end_null | verb»))
        ((not (eq? (object-origin found) origin))
         (if heap?
             (memory-error «end_not_heap | (title-of found) | verb»)
             (memory-error «end_not_variable | (title-of found) | verb»)))
        ((object-ended? found) (memory-error «end_again | (end-text found) | verb»))
        (else (memory-error «end_inside | (number->string offset) | (title-of found) | verb»))))

(define (wrong-call found offset signature)
  (cond ((not found) (memory-error «call_wild»))
        ((eq? (object-origin found) 'null)
         (if (= offset 0)
             (memory-error «call_null»)
             (memory-error «call_null_offset | (counted offset "byte")»)))
        ((not (object-procedure found)) (memory-error «call_data | (title-of found)»))
        ((not (= offset 0)) (memory-error «call_inside | (number->string offset) | (title-of found)»))
        (else
         (memory-error «call_type | (title-of found) | (in-symbols (object-signature found)) | (in-symbols signature)»))))

; A type with arrows instead of `->`, and the symbol instead of `_|_`.
(define (in-symbols signature)
  (cond ((string=? signature "") "")
        ((prefixed? signature '("->")) (string-append "\x2192;" (in-symbols (string-copy signature 2))))
        ((prefixed? signature '("_|_")) (string-append "\x22a5;" (in-symbols (string-copy signature 3))))
        (else (string-append (string-copy signature 0 1) (in-symbols (string-copy signature 1))))))

; "index 10 of `buffer` (10 elements of char, declared on line 4) is": in units of the object, or of the access.
(define (place-text found offset size type)
  (let* ((unit (unit-of found type))
         (unit-size (if unit (type-size unit) 0))
         (described (string-append (title-of found) " (" (contents-text found unit) ")")))
    (if (= unit-size 0)
        (bytes-text offset size described)
        (let ((index (floor-quotient offset unit-size)))
          (if (and (not (= (* index unit-size) offset (+ offset (- size unit-size))))
                   (< -1 index (quotient (object-size found) unit-size)))
              (bytes-text offset size described)
              (string-append «index | (number->string index) | described»))))))

(define (unit-of found type)
  (or (object-type found)
      (and type (> (type-size type) 0) (= 0 (modulo (object-size found) (type-size type))) type)))

(define (bytes-text offset size described)
  (if (<= size 1)
      (string-append «byte | (number->string offset) | described»)
      (string-append «bytes | (number->string offset) | (number->string (+ offset size -1)) | described»)))

(define (title-of found)
  (cond ((eq? (object-origin found) 'heap) (string-append «heap | (line-text (object-start found))»))
        ((object-name found) (string-append "`" (object-name found) "`"))
        (else «variable»)))

(define (contents-text found unit)
  (define heap? (eq? (object-origin found) 'heap))
  (define contents
    (cond ((or (not unit) (= (type-size unit) 0)) (counted (object-size found) "byte"))
          ((or heap? (object-count found))
           (string-append «elements | (counted (quotient (object-size found) (type-size unit)) "element") | (type-name unit)»))
          (else (type-name unit))))
  (if (or heap? (not (object-start found)))
      contents
      (string-append «declared | contents | (line-text (object-start found))»)))

(define (end-text found)
  (if (eq? (object-origin found) 'heap)
      (string-append «freed | (title-of found) | (line-text (object-end found))»)
      (string-append «lifetime | (title-of found) | (line-text (object-end found))»)))

(define (line-text line) (if line (string-append «line | (number->string line)») ""))

(define (counted count thing)
  (string-append (number->string count) " " thing (if (= count 1) "" "s")))

; Memory: the records of objects and their bytes, on which the definition of checked memory works (its procedures have the
; names memory_..., and those of C), and fast paths for what succeeds: where they cannot decide, the definition does.
; A pointer is an integer of 64 bits: the number of an object, and in the lower half an offset, which has a sign. Behind
; the bytes of an object are their marks: 1 for each byte that was never written, 0 for each other one.

; The type of objects in memory. The kind of a scalar is signed, unsigned, float or bool.
(define (type name size kind) (vector name size kind))
(define (type-name type) (vector-ref type 0))
(define (type-size type) (vector-ref type 1))
(define (type-kind type) (vector-ref type 2))
(define char-type (type "char" 1 'signed))

; The record of an object. The unit, title, start and end are texts, or #f: a text is a type, a name, the type of a function
; as a string, or a pair of a string and a line, or #f.
(define (new-object mark size unit title start origin single? resource?)
  (let ((bytes (make-bytevector (* 2 size) mark)))
    (unless (= mark 0) (bytevector-copy! bytes 0 (if (<= size 64) zeros (make-bytevector size 0)) 0 size))
    (vector size unit title start origin single? resource? #f 0 bytes #f)))

(define zeros (make-bytevector 64 0))

(define (object-size object) (vector-ref object 0))
(define (object-unit object) (vector-ref object 1))
(define (object-title object) (vector-ref object 2))
(define (object-start object) (vector-ref object 3))
(define (object-origin object) (vector-ref object 4))
(define (object-is-single object) (vector-ref object 5))
(define (object-is-resource object) (vector-ref object 6))
(define (object-end object) (vector-ref object 7))
(define (object-constant object) (vector-ref object 8))
(define (object-bytes object) (vector-ref object 9))
(define (object-procedure object) (vector-ref object 10))
(define (set-object-end! object text) (vector-set! object 7 text))
(define (set-object-constant! object part) (vector-set! object 8 part))

; A constant part of an object: the next part, or 0; its first byte, and the one after it.
(define (new-part) (vector 0 0 0))
(define (part-next part) (vector-ref part 0))
(define (part-start part) (vector-ref part 1))
(define (part-end part) (vector-ref part 2))
(define (set-part-next! part next) (vector-set! part 0 next))
(define (set-part-start! part start) (vector-set! part 1 start))
(define (set-part-end! part end) (vector-set! part 2 end))

(define variable 1)
(define heap 2)

; The record of null, which permits no access.
(define null-object
  (let ((found (new-object 0 0 #f "" #f 0 #f #f)))
    (set-object-end! found "")
    found))

; All objects by number.
(define objects (vector null-object))
(define used-objects 1)

(define (created object)
  (let ((number used-objects))
    (when (= number (vector-length objects))
      (set! objects (vector-append objects (make-vector number #f))))
    (vector-set! objects number object)
    (set! used-objects (+ number 1))
    (* number 4294967296)))

(define (object-of pointer) (record-at (number-of pointer)))
(define (number-of pointer) (modulo (floor-quotient (+ pointer 2147483648) 4294967296) 4294967296))
(define (offset-of pointer) (- (modulo (+ pointer 2147483648) 4294967296) 2147483648))

; The pointer to the same object at another offset; one that is too far away becomes the last or first one.
(define (moved pointer distance)
  (let* ((offset (offset-of pointer))
         (target (max -2147483648 (min 2147483647 (+ offset distance)))))
    (modulo (+ pointer (- target offset)) 18446744073709551616)))

(define (element type pointer index) (moved pointer (* index (type-size type))))
(define (field offset pointer) (moved pointer offset))

; What the definition uses. A place is a record, and the index of a byte or mark. Texts get numbers where they are compared.

(define texts (list char-type))
(define (text-number text) (if text (number-in text texts 1) 0))

(define (number-in text known number)
  (cond ((null? known)
         (set! texts (append texts (list text)))
         number)
        ((equal? text (car known)) number)
        (else (number-in text (cdr known) (+ number 1)))))

(define (text-of text) (if (number? text) (list-ref texts (- text 1)) text))

(define (first . results) (car results))

(define (object-count) used-objects)
(define (record-at number) (and (< number used-objects) (vector-ref objects number)))
(define (place-of record) (cons record 0))
(define (place-at place distance) (cons (car place) (+ (cdr place) distance)))
(define (release-bytes place) (vector-set! (car place) 9 (bytevector)))

(define told "")
(define (tell text) (set! told (string-append told text)))

(define (memory_stop text) (memory-error (substring told 15 (string-length told)) text)) ; without "runtime error: "

(define (memory_write_text text ret)
  (let ((known (text-of text)))
    (tell (cond ((vector? known) (type-name known))
                ((pair? known) (string-append (car known) (if (cdr known) (line-text (cdr known)) "")))
                ((type-of-function? known) (in-symbols known))
                (else (string-append "`" known "`")))))
  (ret))

(define (type-of-function? text)
  (let ((size (string-length text)))
    (and (>= size 3) (string=? (substring text (- size 3) size) "_|_"))))

(define (memory_write_natural number ret)
  (tell (number->string number))
  (ret))

(define memory_write_integer memory_write_natural)

(define (memory_size_of_unit unit ret)
  (let ((known (if (eqv? unit 0) #f (text-of unit))))
    (ret (if (vector? known) (type-size known) 0))))

(define (memory_create size unit title start origin single? resource? byte ret)
  (define (text-or-false text) (and (not (eqv? text 0)) text))
  (ret (created (new-object byte size (text-or-false unit) title (text-or-false start) origin single? resource?))))

(define (memory_fill place size byte ret)
  (fill-bytes (object-bytes (car place)) (cdr place) (+ (cdr place) size) byte)
  (ret))

(define (memory_copy_bytes from to size ret)
  (bytevector-copy! (object-bytes (car to)) (cdr to) (object-bytes (car from)) (cdr from) (+ (cdr from) size))
  (ret))

(define (memory_move source target size unit ret)
  (move-bytes source target size unit)
  (ret))

(define (memory_load_char pointer ret) (ret (load-value char-type pointer)))

(define (memory_known_length pointer limit ret)
  (bytes-from pointer
    (lambda (bytes start marks size)
      (let next ((at 0))
        (cond ((= at limit) (ret at))
              ((or (>= at size) (= (bytevector-u8-ref bytes (+ marks at)) 1)) (ret 18446744073709551615))
              ((= (bytevector-u8-ref bytes (+ start at)) 0) (ret at))
              (else (next (+ at 1))))))))

(define (memory_known_order one other size ret)
  (bytes-from one
    (lambda (left start marks size-left)
      (bytes-from other
        (lambda (right from other-marks size-right)
          (let next ((at 0))
            (if (= at size)
                (ret 0)
                (if (or (>= at size-left)
                        (>= at size-right)
                        (= (bytevector-u8-ref left (+ marks at)) 1)
                        (= (bytevector-u8-ref right (+ other-marks at)) 1))
                    (ret 2)
                    (let ((a (bytevector-u8-ref left (+ start at)))
                          (b (bytevector-u8-ref right (+ from at))))
                      (cond ((= a b) (next (+ at 1))) ((< a b) (ret -1)) (else (ret 1))))))))))))

; Passes the bytes of the object, the indices of the byte at the pointer and of its mark, and the number of bytes from there.
(define (bytes-from pointer pass)
  (let ((found (object-of pointer)) (start (offset-of pointer)))
    (if (and found (not (object-end found)) (<= 0 start))
        (pass (object-bytes found) start (+ (object-size found) start) (- (object-size found) start))
        (pass zeros 0 0 0))))

; Accesses.

; The record of the object that has the bytes at the pointer. The unit is the type of the access, or 0.
(define (object-at pointer size unit)
  (let ((found (object-of pointer)))
    (if (and found (not (object-end found)) (<= 0 (offset-of pointer) (- (object-size found) size)))
        found
        (memory_place pointer size unit first))))

; The same, for a change.
(define (changed-at pointer size unit)
  (let ((found (object-at pointer size unit)))
    (if (changeable? (object-constant found) pointer size)
        found
        (memory_changed_place pointer size unit first))))

; Whether the bytes are in no constant part, from this one on.
(define (changeable? part pointer size)
  (or (eqv? part 0)
      (let ((offset (offset-of pointer)))
        (and (or (>= offset (part-end part)) (>= (part-start part) (+ offset size)))
             (changeable? (part-next part) pointer size)))))

(define (load-value type pointer)
  (let* ((size (type-size type))
         (found (object-at pointer size type))
         (offset (offset-of pointer))
         (marks (+ (object-size found) offset)))
    (unless (written? (object-bytes found) marks (+ marks size))
      (memory_unwritten pointer size type))
    (decoded type (integer-at (object-bytes found) offset size))))

(define (written? bytes start end)
  (or (= start end)
      (and (= (bytevector-u8-ref bytes start) 0) (written? bytes (+ start 1) end))))

; A load in which bytes that were never written are those of the default.
(define (load-or type pointer default)
  (let* ((size (type-size type))
         (found (object-at pointer size type))
         (offset (offset-of pointer))
         (marks (+ (object-size found) offset)))
    (cond ((written? (object-bytes found) marks (+ marks size)) (load-value type pointer))
          ((eq? default undefined) undefined)
          (else
           (let ((bytes (make-bytevector size 0)))
             (set-integer bytes 0 size (encoded type default))
             (fill-written bytes (object-bytes found) marks offset 0)
             (decoded type (integer-at bytes 0 size)))))))

(define (fill-written bytes data marks offset at)
  (when (< at (bytevector-length bytes))
    (when (= (bytevector-u8-ref data (+ marks at)) 0)
      (bytevector-u8-set! bytes at (bytevector-u8-ref data (+ offset at))))
    (fill-written bytes data marks offset (+ at 1))))

; A store of an undefined value sets the marks.
(define (store type value pointer)
  (let* ((size (type-size type))
         (found (changed-at pointer size type))
         (offset (offset-of pointer))
         (marks (+ (object-size found) offset))
         (defined? (not (eq? value undefined))))
    (when defined? (set-integer (object-bytes found) offset size (encoded type value)))
    (fill-bytes (object-bytes found) marks (+ marks size) (if defined? 0 1))))

(define (fill-bytes bytes start end value)
  (when (< start end)
    (bytevector-u8-set! bytes start value)
    (fill-bytes bytes (+ start 1) end value)))

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
(define (move-bytes source target size unit)
  (let* ((read (object-at source size unit))
         (changed (changed-at target size unit))
         (start (offset-of source))
         (at (offset-of target))
         (marks (+ (object-size read) start)))
    (bytevector-copy! (object-bytes changed) at (object-bytes read) start (+ start size))
    (bytevector-copy! (object-bytes changed) (+ (object-size changed) at) (object-bytes read) marks (+ marks size))))

; Objects.

(define (allocate type count name line)
  (let ((number (or count 1)) (title (or name '(«variable» . #f))) (start (and line (cons "" line))))
    (if (<= 0 (* number (type-size type)) max-object)
        (created (new-object 1 (* number (type-size type)) type title start variable (not count) #f))
        (memory_variable
          (modulo number 18446744073709551616) (< number 0) (not count) (type-size type) type title start
          first))))

(define max-object 2147483647)

(define (deallocate pointer line) (end-of pointer variable line))

; End the lifetime of the object that begins at the pointer.
(define (end-of pointer origin line)
  (let ((found (object-of pointer)))
    (cond ((and found (not (object-end found)) (= (object-origin found) origin) (= (offset-of pointer) 0))
           (set-object-end! found (cons "" line))
           (release-bytes (place-of found)))
          (else (memory_end pointer origin (cons "" line) values)))))

(define (make-constant pointer line) (memory_make_constant_object pointer values))

(define (make-bytes-constant pointer size line) (memory_make_part_constant pointer size values))

(define (malloc size line)
  (if (<= size max-object)
      (created (new-object 1 size #f (heap-text line) #f heap #f #f))
      (memory_on_heap 1 size 1 (heap-text line) #f first)))

(define (calloc count size line) (memory_on_heap count size 0 (heap-text line) #f first))

(define (realloc pointer size line)
  (memory_resized pointer size (heap-text line) #f (cons "" line) first))

(define (free pointer line) (unless (= pointer 0) (end-of pointer heap line)))

(define (line-text line) (string-append «line | (number->string line)»))

(define heap-start (string-append «heap | ""»))
(define (heap-text line) (cons heap-start line))

; What exists from the start: data, whose content is a string of bytes or a list of numbers, and functions.

(define (data type count name line content constant)
  (let ((found (new-object 0 (* (or count 1) (type-size type)) type name (and line (cons "" line)) 3 (not count) #f)))
    (add-constant found constant)
    (if (string? content)
        (fill (object-bytes found) 0 1 (map char->integer (string->list content)))
        (fill (object-bytes found) 0 (type-size type) (map (lambda (value) (encoded type value)) content)))
    (created found)))

(define (add-constant object constant)
  (when (pair? constant)
    (set-object-constant! object (vector (object-constant object) (car constant) (cadr constant)))
    (add-constant object (cddr constant))))

(define (fill bytes offset size integers)
  (when (pair? integers)
    (set-integer bytes offset size (car integers))
    (fill bytes (+ offset size) size (cdr integers))))

; Write a pointer into data, which may be constant.
(define (set-pointer pointer offset target) (set-integer (object-bytes (object-of pointer)) offset 8 target))

; The pointer to a function. The signature is its type.
(define (define-function procedure signature name line)
  (let ((found (new-object 0 0 signature name #f 4 #f #f)))
    (vector-set! found 10 procedure)
    (set! function-pointers (cons (cons procedure (created found)) function-pointers))))

(define function-pointers '())
(define (address-of procedure) (cdr (assq procedure function-pointers)))

; The function of the type at the pointer.
(define (function-at pointer signature)
  (let ((found (object-of pointer)))
    (if (and found (object-procedure found) (= (offset-of pointer) 0) (string=? (object-unit found) signature))
        (object-procedure found)
        (memory_function_at pointer (text-number signature) first))))

; Strings in memory, and the external functions.

; The bytes before the next zero, as characters, or the first `limit` ones unless it is negative.
(define (string-at pointer limit)
  (let next ((at (- (memory_length_of pointer limit first) 1)) (characters '()))
    (if (< at 0)
        (list->string characters)
        (let ((byte (bytevector-u8-ref (object-bytes (object-of pointer)) (+ (offset-of pointer) at))))
          (next (- at 1) (cons (integer->char byte) characters))))))

(define (shown-pointer conversion flags width precision pointer)
  (if (= pointer 0)
      (padded flags width "" "(nil)" #f)
      (padded flags width
              (string-append (sign flags #f) "0x")
              (zeros-before (number->string pointer 16) precision)
              (< precision 0))))

; Reads to the end of a line, so that a user can answer.
(define (memory_read descriptor place size ret)
  (if (= descriptor 0)
      (let ((input (of-bytes (current-input-port))))
        (flush-output-port output)
        (let next ((at 0))
          (let ((character (if (= at size) (eof-object) (read-char input))))
            (cond ((eof-object? character) (ret at))
                  (else (bytevector-u8-set! (object-bytes (car place)) (+ (cdr place) at) (char->integer character))
                        (if (char=? character #\newline) (ret (+ at 1)) (next (+ at 1))))))))
      (ret -9)))

(define (memory_write descriptor place size ret)
  (let next ((at size) (characters '()))
    (if (> at 0)
        (let ((byte (bytevector-u8-ref (object-bytes (car place)) (+ (cdr place) at -1))))
          (next (- at 1) (cons (integer->char byte) characters)))
        (let ((text (list->string characters)))
          (cond ((= descriptor 1) (write-string text output) (ret size))
                ((= descriptor 2)
                 (flush-output-port output)
                 (write-string text (of-bytes (current-error-port)))
                 (ret size))
                (else (ret -9)))))))

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
      (when (and (= (object-origin object) variable) (not (object-end object)))
        (deallocate (* number 4294967296) #f)))
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

(define (in-symbols signature)
  (cond ((string=? signature "") "")
        ((prefixed? signature '("->")) (string-append "\x2192;" (in-symbols (string-copy signature 2))))
        ((prefixed? signature '("_|_")) (string-append "\x22a5;" (in-symbols (string-copy signature 3))))
        (else (string-append (string-copy signature 0 1) (in-symbols (string-copy signature 1))))))

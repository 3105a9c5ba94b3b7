; The operations of CPS programs in R7RS, section by section as in cpsconv/core/operations/semantics.py and engines/machine/.
; An emitted file contains the pieces that it uses. A piece with `TYPE` is a template for each integer type.

; Unbounded integers. A product has a million bits at most.

(define (integer* a b)
  (let ((n (* a b)))
    (if (< min-integer n max-integer) n (runtime-error "the product has more than 1000000 bits"))))

(define max-integer (expt 2 1000000))
(define min-integer (- max-integer))

; Integers of a type wrap around.

(define (->TYPE n) (if (<= LOWEST n HIGHEST) n (wrapped n BITS (< LOWEST 0))))

(define (wrapped n bits signed?)
  (let ((rest (modulo n (expt 2 bits))))
    (if (and signed? (>= rest (expt 2 (- bits 1)))) (- rest (expt 2 bits)) rest)))

; Bitwise operations, in two's complement.

(define (shift-left a count) (* a (expt 2 count)))
(define (shift-right a count) (floor-quotient a (expt 2 count)))

(define bitwise-and
  (cond-expand
    (guile logand)
    (else (lambda (a b)
            (cond ((or (= a 0) (= b 0)) 0)
                  ((= a -1) b)
                  ((= b -1) a)
                  (else (+ (* 2 (bitwise-and (floor-quotient a 2) (floor-quotient b 2)))
                           (* (modulo a 2) (modulo b 2)))))))))

(define (bitwise-or a b) (- (+ a b) (bitwise-and a b)))
(define (bitwise-xor a b) (- (+ a b) (* 2 (bitwise-and a b))))

; Booleans. These are procedures: both operands are evaluated and must be defined.

(define (boolean-and a b) (and a b))
(define (boolean-or a b) (or a b))
(define (boolean->integer a) (if a 1 0))

; A `float` is a double rounded to 24 bits: the nearest number, ties to even; infinite beyond the range.
(define (->float x)
  (if (or (zero? x) (not (finite? x)))
      (inexact x)
      (let* ((q (exact x))
             (unit (expt 2 (max -149 (- (exponent (abs q) 2) 23))))
             (nearest (* unit (round (/ q unit)))))
        (cond ((= nearest 0) (if (< q 0) -0.0 0.0))
              ((< (abs nearest) (expt 2 128)) (inexact nearest))
              (else (if (< q 0) -inf.0 +inf.0))))))

; The e with base^e <= q < base^(e+1), of an exact q > 0.
(define (exponent q base)
  (let find ((e (exact (floor (/ (log (inexact q)) (log base))))))
    (cond ((< q (expt base e)) (find (- e 1)))
          ((>= q (expt base (+ e 1))) (find (+ e 1)))
          (else e))))

; Truncation as on x86-64: the smallest integer if the result is out of range.
(define (truncate->TYPE x)
  (let ((whole (truncate x)))
    (if (<= LOWEST whole HIGHEST) (exact whole) LOWEST)))

; A function of <math.h>, from the C library: those of R7RS may have complex results.
(define (c-function name count bits)
  (cond-expand
    (guile
     (let ((type (if (= bits 32) (@ (system foreign) float) (@ (system foreign) double))))
       ((@ (system foreign) pointer->procedure) type (dynamic-func name (dynamic-link)) (make-list count type))))
    (else
     (lambda operands (runtime-error (string-append "this implementation of Scheme cannot call " name " of C"))))))

; The value of an uninitialised variable. It may be passed, but not used.
(define undefined (list 'undefined))

(define (defined value)
  (when (eq? value undefined) (runtime-error "a variable is used uninitialised"))
  value)

; Output consists of bytes, one for each character.
(define (of-bytes port)
  (cond-expand
    (guile (set-port-encoding! port "ISO-8859-1"))
    (else #t))
  port)

(define output (of-bytes (current-output-port)))

(define (printf . texts)
  (let ((text (apply string-append texts)))
    (write-string text output)
    (string-length text)))

(define (puts text) (printf (c-string text) "\n"))

(define (putchar code)
  (let ((byte (modulo code 256)))
    (write-char (integer->char byte) output)
    byte))

(define (eprint text)
  (flush-output-port output)
  (write-string (c-string text) (of-bytes (current-error-port))))

; A C string ends at its first zero byte.
(define (c-string text)
  (let find ((end 0))
    (cond ((= end (string-length text)) text)
          ((char=? (string-ref text end) #\null) (substring text 0 end))
          (else (find (+ end 1))))))

; The texts that printf prints. A negative width pads on the right, a negative precision is a missing one.

(define (character code) (string (integer->char code)))
(define (shown-character flags width code) (padded flags width "" (character code) #f))

(define (shown-string flags width precision text)
  (let* ((text (c-string text))
         (length (string-length text)))
    (padded flags width "" (substring text 0 (if (< precision 0) length (min length precision))) #f)))

(define (shown-integer conversion flags width precision n)
  (define base (cond ((string=? conversion "o") 8) ((string-ci=? conversion "x") 16) (else 10)))
  (define marked? (flag? flags #\#))
  (define prefix
    (cond ((member conversion '("d" "i")) (sign flags (< n 0)))
          ((and marked? (= base 16) (> n 0)) "0x")
          (else "")))
  (define digits
    (if (and (= precision 0) (= n 0)) "" (zeros-before (number->string (abs n) base) precision)))
  (define octal? (and marked? (= base 8) (not (prefixed? digits '("0")))))
  (define text (padded flags width prefix (if octal? (string-append "0" digits) digits) (< precision 0)))
  (if (string=? conversion "X") (string-upcase text) text))

(define (shown-float conversion flags width precision x)
  (define kind (char-downcase (string-ref conversion 0)))
  (define prefix (sign flags (sign-bit? x)))
  (define q (and (finite? x) (abs (exact x))))
  (define text
    (cond ((not q) (padded flags width prefix (if (nan? x) "nan" "inf") #f))
          ((char=? kind #\a)
           (padded flags width (string-append prefix "0x") (hexadecimal q precision (flag? flags #\#)) #t))
          (else (padded flags width prefix (decimal q kind (if (< precision 0) 6 precision) (flag? flags #\#)) #t))))
  (if (char-upper-case? (string-ref conversion 0)) (string-upcase text) text))

(define (padded flags width prefix text zeros?)
  (let ((missing (max 0 (- (abs width) (string-length prefix) (string-length text)))))
    (cond ((or (< width 0) (flag? flags #\-)) (string-append prefix text (make-string missing #\space)))
          ((and zeros? (flag? flags #\0)) (string-append prefix (make-string missing #\0) text))
          (else (string-append (make-string missing #\space) prefix text)))))

(define (sign flags negative?)
  (cond (negative? "-") ((flag? flags #\+) "+") ((flag? flags #\space) " ") (else "")))

(define (flag? flags flag) (memv flag (string->list flags)))

(define (size n)
  (when (> (abs n) 1000000) (runtime-error "a width or precision of printf is too large"))
  n)

; A format that is not constant is one of those that precede the thunks.
(define (select-format format . formats)
  (cond ((null? formats) (misfit))
        ((string=? format (car formats)) ((cadr formats)))
        (else (apply select-format format (cddr formats)))))

(define (misfit) (runtime-error "the format of printf does not fit its arguments"))
(define (unused value) "")

(define (zeros-before digits count)
  (string-append (make-string (max 0 (- count (string-length digits))) #\0) digits))

; Whether the sign bit of a number is set, also that of -0.0 and of a NaN. As compiled by Guile 3.0.8, eqv? does not
; distinguish the zeros.
(define (sign-bit? x)
  (cond ((= x 0) (< (/ 1.0 x) 0))
        ((not (nan? x)) (< x 0))
        (else
         (cond-expand
           (guile (let ((bytes (make-bytevector 8)))
                    ((@ (rnrs bytevectors) bytevector-ieee-double-native-set!) bytes 0 x)
                    (> (bytevector-u8-ref bytes 7) 127)))
           (else #t))))) ; as computed by x86-64

; %f, %e and %g of an exact q >= 0: rounded to nearest, ties to even, all digits exact.
(define (decimal q conversion precision point?)
  (define (scientific precision show)
    (let-values (((n e) (significant q precision)))
      (string-append (show (with-point (number->string n) precision point?))
                     (if (< e 0) "e-" "e+")
                     (zeros-before (number->string (abs e)) 2))))
  (define (short text) (if point? text (without-zeros text #f)))
  (case conversion
    ((#\f) (fixed q precision point?))
    ((#\e) (scientific precision values))
    (else
     (let ((last (- (max precision 1) 1)))
       (let-values (((n e) (significant q last)))
         (if (<= -4 e last)
             (short (fixed q (- last e) point?))
             (scientific last short)))))))

(define (fixed q precision point?)
  (with-point (number->string (round (* q (expt 10 precision)))) precision point?))

; The first `precision` + 1 digits as a number, and the exponent of the first digit.
(define (significant q precision)
  (let* ((e (if (= q 0) 0 (exponent q 10)))
         (n (round (* q (expt 10 (- precision e))))))
    (if (= n (expt 10 (+ precision 1)))
        (values (quotient n 10) (+ e 1))
        (values n e))))

(define (with-point digits count point?)
  (let* ((digits (zeros-before digits (+ count 1)))
         (split (- (string-length digits) count)))
    (string-append (substring digits 0 split)
                   (if (or point? (> count 0)) "." "")
                   (substring digits split (string-length digits)))))

; 1.500 without trailing zeros, and without a trailing point unless it is wanted.
(define (without-zeros text point?)
  (define (pointless end) (if point? end (- end 1)))
  (if (memv #\. (string->list text))
      (let find ((end (string-length text)))
        (case (string-ref text (- end 1))
          ((#\0) (find (- end 1)))
          ((#\.) (substring text 0 (pointless end)))
          (else (substring text 0 end))))
      text))

; %a: a hexadecimal fraction, exact or with `precision` digits, and an exponent of 2.
(define (hexadecimal q precision point?)
  (let* ((e (if (= q 0) 0 (max -1022 (exponent q 2))))
         (count (if (< precision 0) 13 (min 13 precision)))
         (n (round (* (/ q (expt 2 e)) (expt 16 count))))
         (digits (with-point (number->string n 16) count point?)))
    (string-append (if (< precision 0) (without-zeros digits point?) digits)
                   (make-string (max 0 (- precision 13)) #\0)
                   (if (< e 0) "p-" "p+")
                   (number->string (abs e)))))

; The end of a program. The exit status of `abort` is that which a shell reports for SIGABRT.
(define (exit-with status)
  (flush-output-port (current-output-port))
  (flush-output-port (current-error-port))
  (emergency-exit status))

(define (halt status) (exit-with (modulo (defined status) 256)))
(define (abort) (exit-with 134))
(define (runtime-error message) (complain "runtime error: " message 3))

(define (complain kind message status)
  (flush-output-port (current-output-port))
  (write-string (string-append kind message "\n") (current-error-port))
  (exit-with status))

; The start of a program without main: each argument of the command line is a parameter.
(define (start function parameters ret)
  (let ((words (cdr (command-line))))
    (unless (= (length words) (length parameters))
      (complain "error: " "the number of arguments is wrong" 1))
    (apply function (append (map (lambda (read word) (read word)) parameters words) ret))))

; The words of the command line of a program with main.
(define argument-bytes (map string->utf8 (cdr (command-line))))

; A byte of a word: 0 at its end; -1 if there is no such word.
(define (__argument_byte index at ret)
  (if (< index (length argument-bytes))
      (let ((word (list-ref argument-bytes index)))
        (ret (if (< at (bytevector-length word)) (bytevector-u8-ref word at) 0)))
      (ret -1)))

(define (wrong-argument text what)
  (complain "error: " (string-append "`" text "` is not " what) 1))

(define (argument->TYPE text) (argument->integer text LOWEST HIGHEST))

; A decimal or hexadecimal integer.
(define (argument->integer text lowest highest)
  (define n (argument->unbounded text))
  (if (<= lowest n highest) n (wrong-argument text "in the range of its type")))

(define (argument->unbounded text)
  (define negative? (prefixed? text '("-")))
  (define unsigned (if (prefixed? text '("-" "+")) (substring text 1 (string-length text)) text))
  (define magnitude
    (if (prefixed? unsigned '("0x" "0X"))
        (whole-number (substring unsigned 2 (string-length unsigned)) 16)
        (whole-number unsigned 10)))
  (cond ((not magnitude) (wrong-argument text "an integer"))
        (negative? (- magnitude))
        (else magnitude)))

; A character that is no digit denotes its code, as does any character in quotes.
(define (character->TYPE text)
  (let ((code (character-code text)))
    (if code (->TYPE code) (argument->TYPE text))))

(define (prefixed? text prefixes)
  (and (pair? prefixes)
       (or (and (>= (string-length text) (string-length (car prefixes)))
                (string=? (substring text 0 (string-length (car prefixes))) (car prefixes)))
           (prefixed? text (cdr prefixes)))))

(define (whole-number text base)
  (and (> (string-length text) 0)
       (consists-of? text (if (= base 10) "0123456789" "0123456789abcdefABCDEF"))
       (string->number text base)))

(define (consists-of? text characters)
  (let check ((rest (string->list text)))
    (or (null? rest)
        (and (memv (car rest) (string->list characters)) (check (cdr rest))))))

(define (character-code text)
  (define (code i) (let ((n (char->integer (string-ref text i)))) (and (< n 256) n)))
  (case (string-length text)
    ((1) (and (not (consists-of? text "0123456789")) (code 0)))
    ((3) (and (char=? #\' (string-ref text 0) (string-ref text 2)) (code 1)))
    (else #f)))

(define (argument->bool text)
  (cond ((member text '("true" "1")) #t)
        ((member text '("false" "0")) #f)
        (else (wrong-argument text "a truth value"))))

(define (argument->double text)
  (let ((word (assoc (string-downcase text)
                     '(("inf" . +inf.0) ("+inf" . +inf.0) ("-inf" . -inf.0) ("nan" . +nan.0))))
        (number (and (consists-of? text "0123456789.eE+-") (string->number text))))
    (cond (word (cdr word))
          (number (if (and (= number 0) (prefixed? text '("-"))) -0.0 (inexact number)))
          (else (wrong-argument text "a number")))))

(define (argument->float text) (->float (argument->double text)))
(define (argument->string text) text)

; The result of the program is printed.
(define (report text)
  (write-string text output)
  (newline output)
  (halt 0))

(define (report-nothing) (halt 0))
(define (report-integer value) (report (number->string (defined value))))
(define (report-unbounded value) (report-integer value))
(define (report-bool value) (report (if (defined value) "true" "false")))
(define (report-string value) (report (defined value)))
(define (report-float value) (report (shortest (defined value))))
(define (halt-with-bool value) (halt (boolean->integer (defined value))))

; The fewest digits that identify the number; with an exponent if it is very large or very small.
(define (shortest x)
  (cond ((nan? x) "nan")
        ((sign-bit? x) (string-append "-" (shortest (- x))))
        ((infinite? x) "inf")
        ((= x 0) "0.0")
        (else (shortest-positive (exact x) x (exponent (exact x) 10) 0))))

(define (shortest-positive q x e precision)
  (let* ((unit (expt 10 (- e precision)))
         (nearest (* unit (round (/ q unit))))
         (found (cond ((= (inexact nearest) x) nearest)
                      ((= (inexact (+ nearest unit)) x) (+ nearest unit))
                      (else #f))))
    (cond ((not found) (shortest-positive q x e (+ precision 1)))
          ((and (>= found 1/10000) (< found (expt 10 16))) (fixed found (max 1 (- precision e)) #f))
          (else (decimal found #\e precision #f)))))

; Made by cpsconv. To run it: guile --r7rs FILE

; Suppresses Guile's warnings about names that R7RS and Guile define differently.
(cond-expand
  (guile (eval-when (expand load eval) (default-duplicate-binding-handler 'last)))
  (else))

(import (scheme base) (scheme char) (scheme inexact) (scheme process-context) (scheme write))

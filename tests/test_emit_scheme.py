"""Programs as Scheme text; `test_emit_functional` runs them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from cpsconv import Source, convert
from cpsconv.emit.functional.scheme import scheme
from cpsconv.source import DiagnosticError
from tests.expectations import EXAMPLES
from tests.functional_targets import FIG8, SCHEME, SCHEME_COMPILED, Language, each
from tests.running import converted
from tests.test_emit_functional import (
    differences,
    every_directive,
    every_operation,
    from_cps,
    printing,
    shown,
    without_signs_of_nans,
)


def from_c(text: str) -> str:
    return scheme(convert(Source("program.c", text)))


def definitions(text: str) -> str:
    """The emitted functions: the text between the imports and the first piece of the prelude."""
    return text.partition("(scheme write))\n\n")[2].partition("\n\n")[0]


# ------------------------------------------------------------------------------------------------------------- text


def test_continuations_are_local_procedures() -> None:
    assert definitions(from_c(FIG8)) == (
        "(define (f x ret)\n"
        "  (define (then) (next 23))\n"
        "  (define (else*) (next 42))\n"
        "  (define (next a) (ret a))\n"
        "  (if (= x 0) (then) (else*)))"
    )


def test_bindings_and_effects_are_in_order() -> None:
    body = 'puts("a"); int y = x * x; putchar(y); y = printf("%d", y + y); return y / 2;'
    text = f"#include <stdio.h>\nint f(int x) {{ {body} }}"
    assert definitions(from_c(text)) == (
        "(define (f x ret)\n"
        '  (puts "a")\n'
        "  (let* ((y (int* x x)))\n"
        "    (putchar y)\n"
        "    (let* ((y1 (printf (number->string (int+ y y)))))\n"
        "      (ret (int/ y1 2)))))"
    )


def test_the_continuation_of_a_call_is_a_lambda() -> None:
    text = "int f(int x) { if (x < 2) return x; return f(x - 1) + f(x - 2); }"
    assert definitions(from_c(text)) == (
        "(define (f x ret)\n"
        "  (define (then) (ret x))\n"
        "  (define (next)\n"
        "    (f (int- x 1) (lambda (v) (f (int- x 2) (lambda (v1) (ret (int+ v v1)))))))\n"
        "  (if (< x 2) (then) (next)))"
    )


def test_a_switch_is_a_case() -> None:
    text = "f(x : int, ret : int → ⊥) → ⊥ { let k := () → ⊥ ret(1) in switch(x, 7 ⇒ k, -1 ⇒ λ(). ret(x), _ ⇒ k) }"
    assert definitions(scheme(from_cps(text))).endswith(
        "  (case x\n    ((7) (k))\n    ((-1) (ret x))\n    (else (k))))"
    )


def test_reserved_names_get_a_star() -> None:
    text = "int list(int lambda) { int car = lambda + 1; return car * car; }"
    assert definitions(from_c(text)) == (
        "(define (list* lambda* ret)\n  (let* ((car (int+ lambda* 1)))\n    (ret (int* car car))))"
    )


@each([SCHEME])
def test_every_name_that_scheme_binds_is_known(language: Language, tmp_path: Path) -> None:
    libraries = re.search(r"\(import (.*)\)$", from_c("int f(void) { return 0; }"), re.MULTILINE)
    assert libraries
    show = "(lambda (name variable) (display name) (newline))"
    text = f"(for-each (lambda (library) (module-for-each {show} (resolve-interface library))) '({libraries[1]}))"
    bound = language.run(text, tmp_path).output.split()
    assert len(bound) > 250
    for name in bound:
        if name.isidentifier():
            program = from_cps(f"`{name}`(ret : () → ⊥) → ⊥ {{ ret() }}")
            spelled = definitions(scheme(program)).split()[1].strip("(")
            assert spelled.startswith(f"{name}*") and spelled not in bound


def test_names_are_legal_and_unique() -> None:
    program = from_cps("`a b`(`1` : int, `a-b` : int, `a b1` : int, é : int, ret : int → ⊥) → ⊥ { ret(`1` + `a-b`) }")
    assert definitions(scheme(program)) == "(define (a_b _1 a_b1 a_b1_1 _ ret) (ret (int+ _1 a_b1)))"


def test_only_values_that_may_be_undefined_are_checked() -> None:
    text = "int f(int x) { int y, z = 1; if (x) y = 2; return x + y + z; }"
    assert "(int+ (int+ x (defined y)) 1)" in from_c(text)


def test_the_prelude_contains_only_definitions_that_are_used() -> None:
    text = from_c("int main(void) { return 42; }")
    assert "(define (int+" not in text and "printf" not in text and len(text.splitlines()) < 40


def test_no_line_is_too_long_and_brackets_match() -> None:
    for path in EXAMPLES:
        text = definitions(scheme(converted(path.read_text(), "scc"), width=60))
        without_texts = re.sub(r'"(\\.|[^"\\])*"', "", text)
        assert without_texts.count("(") == without_texts.count(")")
        assert max(map(len, without_texts.splitlines())) <= 72  # deep inside, a condition may have too little room


def test_a_program_that_cannot_be_started_is_rejected() -> None:
    with pytest.raises(DiagnosticError, match="help: choose the function to start: `f`, `g`"):
        from_c("int f(void) { return 1; } int g(void) { return 2; }")
    with pytest.raises(DiagnosticError, match="its parameter `k` is a continuation"):
        scheme(from_cps("f(k : () → ⊥, ret : () → ⊥) → ⊥ { k() }"))
    with pytest.raises(DiagnosticError, match="it returns a continuation"):
        scheme(from_cps("f(ret : (() → ⊥) → ⊥) → ⊥ { ret(abort) }"))


# ------------------------------------------------------------------------------------------------ implementations


@each([SCHEME_COMPILED])
def test_compiled_programs_have_the_same_output_except_signs_of_nans(language: Language, tmp_path: Path) -> None:
    """Guile's compiler folds constants, and does not distinguish NaNs."""
    program = printing([*map(shown, [*every_operation()][::15]), *[*every_directive()][::10]])
    assert differences(language, program, scheme(program), tmp_path) == []


@each([replace(SCHEME, distinguishes_nans=False)])
def test_standard_scheme_has_the_same_output_except_signs_of_nans(language: Language, tmp_path: Path) -> None:
    """The extensions of Guile are disabled."""
    program = printing(map(shown, without_signs_of_nans(every_operation(), language)))
    text = re.sub(r"^( +)\(guile (?!\(eval-when)", r"\1(something-else ", scheme(program), flags=re.MULTILINE)
    assert text.count("(something-else ") == 3
    assert differences(language, program, text, tmp_path) == []

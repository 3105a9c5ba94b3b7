"""Programs as Haskell text; `test_emit_functional` runs them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from cpsconv import Source, convert
from cpsconv.emit.functional.haskell import haskell
from tests.c_programs import random_program
from tests.expectations import Observation
from tests.functional_targets import FIG8, HASKELL, Language, each
from tests.running import converted, observe
from tests.test_emit_functional import from_cps


def from_c(text: str) -> str:
    return haskell(convert(Source("program.c", text)))


def functions(text: str) -> str:
    """The emitted functions: the text between the imports and the first piece of the prelude."""
    return re.split(r"\n\n(?=infix|--|printf|toInt|shr|halt)", text.partition("stdout)\n\n")[2])[0]


def test_continuations_are_local_functions_with_their_types() -> None:
    assert functions(from_c(FIG8)) == (
        "f :: Int32 -> (Int32 -> IO Void) -> IO Void\n"
        "f !x ret = do\n"
        "  let\n"
        "    then' :: IO Void\n"
        "    then' = next 23\n"
        "    else' :: IO Void\n"
        "    else' = next 42\n"
        "    next :: Int32 -> IO Void\n"
        "    next !a = ret a\n"
        "  if x == 0 then then' else else'"
    )


def test_bindings_and_effects_are_in_order() -> None:
    body = 'puts("a"); int y = x * x; putchar(y); y = printf("%d", y + y); return y / 2;'
    assert functions(from_c(f"#include <stdio.h>\nint f(int x) {{ {body} }}")) == (
        "f :: Int32 -> (Int32 -> IO Void) -> IO Void\n"
        "f !x ret = do\n"
        '  puts "a"\n'
        "  let !y = x * x\n"
        "  putchar y\n"
        "  y1 <- printf [show (y + y)]\n"
        "  ret (y1 `quotient` 2)"
    )


def test_the_continuation_of_a_call_follows_the_call() -> None:
    text = '#include <stdio.h>\nint f(int x) { int y = f(x - 1) + f(x - 2); puts("done"); return y * 2; }'
    assert functions(from_c(text)) == (
        "f :: Int32 -> (Int32 -> IO Void) -> IO Void\n"
        "f !x ret = do\n"
        "  f (x - 1) $ \\ !v -> do\n"
        "    f (x - 2) $ \\ !v1 -> do\n"
        "      let !y = v + v1\n"
        '      puts "done"\n'
        "      ret (y * 2)"
    )


def test_a_switch_is_a_case() -> None:
    text = "f(x : int, ret : int → ⊥) → ⊥ { let k := () → ⊥ ret(1) in switch(x, 7 ⇒ k, -1 ⇒ λ(). ret(x), _ ⇒ k) }"
    assert functions(haskell(from_cps(text))).endswith("\n  case x of\n    7 -> k\n    -1 -> ret x\n    _ -> k")


def test_a_literal_has_a_type_where_nothing_else_determines_it() -> None:
    text = from_c("int f(int x) { return (2147483647 + 1 < x) + (1L << x == 2147483648L) + (char)(x + 1); }")
    assert "toInt32 (fromEnum ((2147483647 :: Int32) + 1 < x))" in text
    assert "((1 :: Int64) `shl` x) == 2147483648" in text
    assert "toInt32 (toInt8 (x + 1))" in text


def test_only_values_that_may_be_undefined_are_lazy() -> None:
    text = functions(from_c("int f(int x) { int y, z = x; while (x--) y = z += 10 / x; return y; }"))
    assert "    while !x1 !z y = do\n      let !x2 = x1 - 1\n" in text
    assert text.endswith("\n  while x x (undef :: Int32)")


def test_an_argument_of_a_lazy_parameter_is_evaluated() -> None:
    local = "k := (a : int, b : int) → ⊥ ret(a / b) zero := () → ⊥ k(undef(y : int), 2) other := () → ⊥ k(7 / x, -x)"
    program = from_cps(f"f(x : int, ret : int → ⊥) → ⊥ {{ let {local} in branch(x == 0, zero, other) }}")
    text = haskell(program)
    assert "    k a !b = ret $! a `quotient` b\n" in text
    assert "    other = (k $! 7 `quotient` x) (negate x)\n" in text


def test_all_arguments_of_lazy_parameters_are_evaluated() -> None:
    text = functions(from_c("int f(int n) { int x, y; if (n) x = n + 1, y = n + 2; return x - y; }"))
    assert "then' = (next $! n + 1) $! n + 2\n" in text


def test_reserved_names_get_a_prime() -> None:
    text = functions(from_c("int lines(int Type, int where) { int lines = Type; return where + lines; }"))
    assert text.startswith("lines' :: Int32 -> Int32 -> (Int32 -> IO Void) -> IO Void\nlines' !_Type !where' ret =")


@each([HASKELL])
def test_every_name_that_haskell_binds_is_known(language: Language, tmp_path: Path) -> None:
    """A function with a reserved name is renamed."""
    prelude = subprocess.run(["ghc", "-e", ":browse Prelude"], capture_output=True, text=True, check=True).stdout
    imports = from_c("int f(void) { return 0; }").partition("where")[2].partition("f ::")[0]
    names = sorted({*re.findall(r"\b([a-z]\w*) ::", prelude), *re.findall(r"\b[a-z]\w*\b", imports)})
    assert len(names) > 200
    calls = "".join(f"`{name}`(λ(). " for name in names)
    functions = "".join(f"`{name}`(ret : () → ⊥) → ⊥ {{ ret() }}" for name in names)
    program = from_cps(f"main(ret : int → ⊥) → ⊥ {{ {calls} ret(7) {')' * len(names)} }} {functions}")
    assert language.observe(program, tmp_path) == Observation("", 7)


def test_deeply_nested_continuations_are_lifted() -> None:
    ifs = "".join(f"if (x > {number}) s += {number};\n" for number in range(30))
    text = functions(from_c(f"int f(int x) {{ int s = 0; {ifs} return s; }}"))
    assert text.startswith(
        "f_next1 :: Int32 -> Int32 -> (Int32 -> IO Void) -> (IO Void, Int32 -> IO Void)\n"
        "f_next1 s19 x ret = (then20, next20)\n"
        "  where\n"
        "    then20 :: IO Void\n"
    )
    assert "(then20, next20) = f_next1 s19 x ret" in from_c(f"int f(int x) {{ int s = 0; {ifs} return s; }}")


@each([HASKELL])
def test_many_continuations_are_lifted_at_once(language: Language, tmp_path: Path) -> None:
    """A tuple of tuples returns more continuations than a tuple can have."""
    loops = "".join(f"for (int i{number} = 0; i{number} < 1; i{number}++)\n" for number in range(10))
    cases = "".join(f"case {number}: s += {number}; break;\n" for number in range(70))
    program = convert(Source("program.c", f"int f(int x) {{ int s = 0; {loops} switch (x) {{ {cases} }} return s; }}"))
    assert "((" in functions(haskell(program))
    assert language.observe(program, tmp_path, ["69"]) == observe(program, ["69"]) == Observation("69\n")


@each([HASKELL])
@pytest.mark.parametrize("number", [3, 16])
def test_long_lines_are_broken_as_the_layout_rule_requires(language: Language, number: int, tmp_path: Path) -> None:
    program = converted(random_program(number), "scc")
    ended = language.run(haskell(program, width=24), tmp_path)
    assert (ended.output, ended.errors) == (observe(program).output, "")

"""The parser of CPS text: accepted texts, errors and warnings."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from cpsconv.core.ir import HALT, Branch, Call, Constant, Continuation, Jump, Parameter, Primitive, Program
from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.core.text import parse, pretty
from cpsconv.core.text.rules import RULES
from testing.effort import examples, randoms
from testing.mutants import read_mutated_text, use


def read(text: str) -> Program:
    """The program of a text without warnings, except of names; printing and parsing it must not change it."""
    warnings: list[Diagnostic] = []
    program = parse(Source("text.cps", text), warnings)
    assert {each.rule for each in warnings} <= {"shadowed-name"}
    printed = pretty(program)
    assert pretty(parse(Source("again", printed))) == printed
    return program


def errors_in(text: str) -> str:
    with pytest.raises(DiagnosticError) as caught:
        parse(Source("text.cps", text))
    assert {found.rule for found in caught.value.diagnostics} <= {*RULES, "too-many-errors"}
    return str(caught.value)


def headings_in(text: str) -> str:
    """The errors in a text, without excerpts and the name of the file."""
    lines = [line.removeprefix("text.cps:") for line in errors_in(text).splitlines() if " | " not in line]
    return "\n".join(lines)


def inside(body: str) -> str:
    """The errors in a body, without excerpts."""
    return headings_in(f"f(x : int, c : bool, l : long, ret : int → ⊥) → ⊥ {{\n{body}\n}}")


def test_unicode_and_ascii_symbols_may_be_mixed() -> None:
    program = read("f(x : int, ret : int -> ⊥) → _|_ { switch(x, 1 => λ(). ret(2), _ ⇒ \\(). ret(x)) }")
    assert pretty(program).splitlines()[1] == "  switch(x, 1 ⇒ λ(). ret(2), _ ⇒ λ(). ret(x))"


def test_comments_and_line_ends_are_free() -> None:
    assert pretty(read("// first\nf(\n) → ⊥\r\n{ // then\n\thalt // last\n(0) }//")) == "f() → ⊥ {\n  halt(0)\n}\n"


def test_an_inner_definition_shadows_an_outer_one() -> None:
    program = read(
        """
        f(x : int, ret : int → ⊥) → ⊥ {
          y := x + 1;
          let x1 := (x : int) → ⊥ y := x * x; ret(y)
              k := () → ⊥ let x1 := (y : int) → ⊥ ret(y) in x1(x)
          in
          branch(y == 2, k, λ(). x1(y))
        }
        """
    )
    assert pretty(program) == (
        "f(x : int, ret : int → ⊥) → ⊥ {\n"
        "  y := x + 1;\n"
        "  let\n"
        "    x1 := (x2 : int) → ⊥\n"
        "      ret(x2 * x2)\n"
        "    k := () → ⊥\n"
        "      let\n"
        "        x1_1 := (y1 : int) → ⊥\n"
        "          ret(y1)\n"
        "      in\n"
        "      x1_1(x)\n"
        "  in\n"
        "  branch(y == 2, k, λ(). x1(y))\n"
        "}\n"
    )


def test_precedence_and_associativity_are_those_of_c() -> None:
    program = read("f(a : int, b : int, ret : bool → ⊥) → ⊥ { ret(a - b - 1 * 2 << 3 == a != true) }")
    assert pretty(program).splitlines()[1] == "  ret((((a - b - 1 * 2) << 3) == a) != true)"
    bits = read("f(a : int, b : int, ret : int → ⊥) → ⊥ { ret(a | b & 1 ^ 2 << a + 1) }")
    assert pretty(bits).splitlines()[1] == "  ret(a | ((b & 1) ^ (2 << (a + 1))))"


def test_a_call_of_a_function_with_a_last_continuation_is_a_call() -> None:
    program = read("g(ret : () → ⊥) → ⊥ { f(1, ret) } f(x : int, k : () → ⊥) → ⊥ { k() }")
    call, jump = (function.transfer for function in program.functions)
    assert isinstance(call, Call) and call.callee is program.functions[1]
    assert call.then.target is program.functions[0].parameters[0] and not call.then.arguments
    assert isinstance(jump, Jump)


def test_a_function_without_a_return_continuation_is_jumped_to() -> None:
    program = read(
        "main(ret : int → ⊥) → ⊥ { loop(0) } loop(i : int) → ⊥ { branch(i < 5, λ(). loop(i), λ(). halt(i)) }"
    )
    main, loop = program.functions
    assert isinstance(main.transfer, Jump) and main.transfer.edge.target is loop
    assert isinstance(loop.transfer, Branch) and loop.transfer.otherwise.target is HALT


def test_a_function_may_take_several_continuations() -> None:
    program = read(
        "div(a : int, b : int, fail : () → ⊥, ret : int → ⊥) → ⊥ { branch(b == 0, fail, λ(). ret(a / b)) }"
        "main(ret : int → ⊥) → ⊥ { div(1, 0, λ(). ret(-1), ret) }"
    )
    branch = program.functions[0].transfer
    assert (
        isinstance(branch, Branch) and len(program.functions[0].continuations) == 1
    )  # a / b is computed on one way only
    call = program.functions[1].transfer
    assert isinstance(call, Call)
    assert [type(argument) for argument in call.arguments] == [Constant, Constant, Continuation]


def test_continuations_are_values() -> None:
    program = read(
        """
        f(k : (int, int → ⊥) → ⊥, ret : int → ⊥) → ⊥ {
          let twice := (n : int, then : int → ⊥) → ⊥ k(n, λ(m : int). k(m, then))
          in
          pass(twice, λ(h : (int, int → ⊥) → ⊥). h(5, ret))
        }
        pass(k : (int, int → ⊥) → ⊥, to : ((int, int → ⊥) → ⊥) → ⊥) → ⊥ { to(k) }
        """
    )
    function = program.functions[0]
    assert [member.name for member in function.continuations] == ["twice", "k", "k"]
    assert isinstance(function.transfer, Call) and function.transfer.arguments == [function.continuations[0]]


def test_an_abstraction_that_only_passes_names_and_literals_on_is_an_edge() -> None:
    text = "f(x : int, ret : int → ⊥) → ⊥ { branch(x == 0, λ(). ret(x), λ(). ret(x + 1)) }"
    function = read(text).functions[0]
    assert isinstance(function.transfer, Branch)
    assert function.transfer.then.target is function.ret and function.transfer.then.arguments == [
        function.parameters[0]
    ]
    assert [member.name for member in function.continuations] == ["k"]


def test_a_name_may_be_given_to_a_literal_or_another_name() -> None:
    program = read("f(x : int, ret : int → ⊥) → ⊥ { a := 5; b := x; c := a; ret(b + c) }")
    assert pretty(program).splitlines()[1:-1] == ["  ret(x + 5)"]


def test_in_flat_text_a_name_means_the_only_one_of_its_function() -> None:
    program = read(
        """
        f(x : int, ret : int → ⊥) → ⊥ {
          let last := () → ⊥ ret(sum + b)
              first := (b : int) → ⊥ sum := x + b; last()
          in
          first(1)
        }
        """
    )
    assert [member.name for member in program.functions[0].continuations] == ["last", "first"]


def test_halt_and_abort_may_be_shadowed() -> None:
    program = read("f(halt : bool → ⊥) → ⊥ { halt(true) } abort() → ⊥ { abort() }")
    first, second = (function.transfer for function in program.functions)
    assert isinstance(first, Jump) and isinstance(first.edge.target, Parameter)
    assert isinstance(second, Jump) and second.edge.target is program.functions[1]


def test_minus_before_a_number_makes_a_literal_and_before_parentheses_an_operation() -> None:
    function = read("f(ret : (int, int) → ⊥) → ⊥ { ret(-5, -(5)) }").functions[0]
    assert isinstance(function.transfer, Jump)
    literal, negation = function.transfer.edge.arguments
    assert isinstance(literal, Constant) and literal.value == -5
    assert isinstance(negation, Primitive) and negation.op == "neg"


def test_each_further_minus_before_a_number_is_an_operation() -> None:
    program = read("f(ret : (int, int, int, int, int) → ⊥) → ⊥ { ret(- -5, - - -5, 3 - -5, - - (-5), 3 - - -5) }")
    assert pretty(program).splitlines()[1] == "  ret(-(-5), -(-(-5)), 3 - -5, -(-(-5)), 3 - -(-5))"


def test_every_part_has_its_span() -> None:
    text = 'f(x : int) → ⊥ { let k := (a : int) → ⊥ v := a + x; printf("", v); halt(v) in k(x) }'
    program = parse(source := Source("text.cps", text))
    function = program.functions[0]
    member = function.continuations[0]
    parts = [
        function,
        *function.parameters,
        member,
        *member.parameters,
        *member.body,
        member.transfer,
        function.transfer,
    ]
    shown = []
    for part in parts:
        assert part and part.span and part.span.source is source
        shown.append(text[part.span.start : part.span.end])
    assert shown == ["f", "x", "k", "a", "a + x", 'printf("", v)', "halt(v)", "k(x)"]


# ------------------------------------------------------------------------------------------------------ errors_in


def test_an_unused_continuation_is_omitted_with_a_warning() -> None:
    warnings: list[Diagnostic] = []
    text = (
        "f(ret : () → ⊥) → ⊥ {\n"
        "  let a := () → ⊥ let inner := () → ⊥ b() in inner()\n"
        "      b := () → ⊥ a()\n"
        "  in ret()\n"
        "}\n"
    )
    program = parse(Source("text.cps", text), warnings)
    assert not program.functions[0].continuations
    assert "\n".join(warning.render() for warning in warnings) == (
        "text.cps:2:7: warning: the continuation `a` is never used, and is omitted\n"
        "    2 |   let a := () → ⊥ let inner := () → ⊥ b() in inner()\n"
        "      |       ^\n"
        "text.cps:3:7: warning: the continuation `b` is never used, and is omitted\n"
        "    3 |       b := () → ⊥ a()\n"
        "      |       ^"
    )


def test_errors_in_unused_continuations_are_reported() -> None:
    text = """\
f(x : int, ret : int → ⊥) → ⊥ {
  let a := () → ⊥
        let inner := () → ⊥ later(1, x) never := () → ⊥ ret(x + true)
        in later(v, -ret)
      b := () → ⊥ v := frob(x); w := w + 1; a()
      later := (u : long, m : int) → ⊥ branch(u, λ(). ret(m), ret)
  in ret(1)
}
"""
    assert headings_in(text).splitlines() == [
        "3:35: error: `later` takes long here, not int",
        "help: convert it: `long(…)`",
        "3:61: error: `+` does not take int and bool",
        "4:21: error: `-` does not take int → ⊥",
        "5:24: error: there is no operation `frob`; functions and continuations are called at the end of a body",
        "help: the result is the parameter of what follows: `frob(…, λ(v : int). …)`",
        "5:38: error: `w` is not defined yet",
        "6:47: error: `branch` takes bool, not long",
        "help: compare it: `… != 0`",
        "6:63: error: `ret` takes 1 argument, but a continuation without parameters is needed",
        "help: pass arguments: `λ(). k(…)`",
    ]
    assert headings_in("f(ret : int → ⊥) → ⊥ { let l := () → ⊥ ret(true + 1 * 2.0, 4) in ret(1) }").splitlines() == [
        "1:40: error: `ret` takes 1 argument, not 2",
        "1:51: error: `*` does not take int and double",
    ]


def test_unused_continuations_do_not_report_values_of_other_bodies() -> None:
    warnings: list[Diagnostic] = []
    text = "f(x : int, ret : int → ⊥) → ⊥ { let a := () → ⊥ ret(v + 1) b := () → ⊥ v := x * x; a() in ret(x) }"
    parse(Source("text.cps", text), warnings)
    assert len(warnings) == 2


def test_several_syntax_errors_are_reported_at_once() -> None:
    text = """\
f(x : int) → ⊥ {
  v := ;
  w := (1 + 2;
  k(v
}
g(x : number) → ⊥ { halt(0) }
"""
    assert headings_in(text).splitlines() == [
        "2:8: error: expected an expression, found `;`",
        "3:14: error: expected `)`, found `;`",
        "5:1: error: expected an operator, `(`, `)` or `,`, found `}`",
        "6:7: error: expected a type, found `number`",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("// nothing\n", "2:1: error: expected a function, found the end of the text"),
        ("f", "1:2: error: expected `(`, found the end of the text"),
        ("f(", "1:3: error: expected a name, `)` or `...`, found the end of the text"),
        ("f() {", "1:5: error: expected `→`, found `{`"),
        ("f() → ⊥ { }", "1:11: error: expected a statement or a transfer, found `}`"),
        ("f() → ⊥ { x := 1; }", "1:19: error: expected a statement or a transfer, found `}`"),
        ("f() → ⊥ { let in halt(0) }", "1:15: error: expected a name, found `in`"),
        ("f() → ⊥ { let k := () → ⊥ halt(0) k() }", "1:39: error: expected `→`, found `}`"),
        ("f() → ⊥ { halt(0); halt(1)", "1:27: error: expected `;` or `}`, found the end of the text"),
        ("f() → ⊥ { halt(0) } }", "1:21: error: expected a function, found `}`"),
        ("f() → ⊥ { branch(x, k) }", "1:22: error: expected `,`, found `)`"),
        ("f() → ⊥ { switch(1, 1 ⇒ k) }", "1:26: error: expected `,`, found `)`"),
        ("f() → ⊥ { switch(1, x ⇒ k) }", "1:21: error: expected a literal or `_`, found `x`"),
        ("f() → ⊥ { halt(λ. halt(0)) }", "1:17: error: expected `(`, found `.`"),
        ("f() → ⊥ { halt(0) $ }", "1:19: error: `$` is not used in the language"),
        ("f() → ⊥ { halt(0) \x01 }", "1:19: error: the character U+0001 is not used in the language"),
        ('f() → ⊥ { puts("a); halt(0) }', "1:16: error: this string is not closed on its line"),
    ],
)
def test_syntax_errors_state_the_expected_tokens(text: str, message: str) -> None:
    assert errors_in(text).splitlines()[0] == f"text.cps:{message}"


@pytest.mark.parametrize(
    "text", ["call(ret : () → ⊥) → ⊥ { ret() }", "f() → ⊥ { let call := () → ⊥ halt(0) in call() }"]
)
def test_a_keyword_in_the_place_of_a_name_has_a_help(text: str) -> None:
    assert "help: `call` is a keyword; as a name, it is written with backquotes" in errors_in(text).splitlines()
    parse(Source("text.cps", text.replace("call", "`call`")))


@settings(max_examples=examples(300))
@given(randoms())
def test_every_mutant_has_errors_or_is_a_program_that_everything_can_use(dice: random.Random) -> None:
    program = read_mutated_text(dice)
    if program:
        use(program)


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        (
            'printf("abc\ndef", x);\n  ret(-)',
            ["2:8: error: this string", "4:8: error: expected an expression, found `)`"],
        ),
        ('puts("a);\n  puts("b"); ret(x)', ["2:6: error: this string is not closed on its line"]),
        ('puts("a); ret(x) }\nf() → ⊥ { halt(', ["2:6: error: this string is not closed on its line"]),
        ("v := 'a + `b;\n  ret(x)", ["2:6: error: this character is not closed on its line"]),
    ],
)
def test_an_unclosed_quote_is_reported_once(body: str, messages: list[str]) -> None:
    headings = [line for line in inside(body).splitlines() if "error" in line]
    assert [heading[: len(message)] for heading, message in zip(headings, messages, strict=True)] == messages


def test_a_transfer_has_no_semicolon() -> None:
    text = "f(x : int, ret : int → ⊥) → ⊥ {\n  ret(x);\n}\n"
    assert headings_in(text).splitlines() == [
        "3:1: error: expected a statement or a transfer, found `}`",
        "help: the transfer that ends a body has no `;`",
    ]
    assert "help" not in errors_in(text.replace("ret", "putchar"))


@pytest.mark.parametrize("transfer", ["switch(x, 1 ⇒ k, k)", "ret(x + 1 ret)", "ret(1, 2, ret :=)"])
def test_the_last_element_of_another_list_is_no_transfer(transfer: str) -> None:
    assert "help" not in errors_in(f"f(x : int, k : () → ⊥, ret : int → ⊥) → ⊥ {{\n  {transfer}\n}}\n")


def test_a_semicolon_after_a_branch_is_the_only_error() -> None:
    text = "f(x : bool, k : () → ⊥) → ⊥ {\n  branch(x, k, k);\n}\n"
    message = "{}: error: expected `}}`, found `;`\nhelp: the transfer that ends a body has no `;`"
    assert headings_in(text) == message.format("2:18")
    assert headings_in(text.replace("branch(x, k, k)", "let m := () → ⊥ k() in m()")) == message.format("2:29")


@pytest.mark.parametrize(("parameters", "column", "found"), [("", 9, ")"), ("y : int", 11, ":")])
def test_a_continuation_after_a_transfer_with_a_semicolon(parameters: str, column: int, found: str) -> None:
    text = (
        f"f(x : int, ret : int → ⊥) → ⊥ {{\n  let k := () → ⊥ ret(x);\n  m := ({parameters}) → ⊥ ret(x)\n  in k()\n}}\n"
    )
    first, *_, last = errors_in(text).splitlines()
    assert first.startswith(f"text.cps:3:{column}: error: expected ") and first.endswith(f", found `{found}`")
    assert last == "help: the transfer that ends a body has no `;`"
    assert "help" not in errors_in(text.replace("ret(x);", "putchar(x);"))
    assert "help" not in errors_in(text.replace("ret(x);", "v := x;"))


@pytest.mark.parametrize(
    ("transfer", "column", "expected"),
    [
        ("branch(x > 0, ret(x), ret(1))", 20, ","),
        ("branch(x > 0, λ(). ret(x), ret(1))", 33, ")"),
        ("switch(x, 1 ⇒ ret(2), _ ⇒ ret(3))", 20, ","),
        ("switch(x, 1 ⇒ λ(). ret(2), _ ⇒ ret(3))", 37, ")"),
    ],
)
def test_a_continuation_that_takes_arguments_is_written_as_an_abstraction(
    transfer: str, column: int, expected: str
) -> None:
    assert headings_in(f"f(x : int, ret : int → ⊥) → ⊥ {{\n  {transfer}\n}}\n") == (
        f"2:{column}: error: expected `{expected}`, found `(`\nhelp: with arguments, it is written `λ(). ret(…)`"
    )


def test_a_function_needs_a_parameter_to_return_to() -> None:
    assert headings_in("f(x : int) → ⊥ {\n  ret(x)\n}\n") == (
        "2:3: error: `ret` is not defined\n"
        "help: a function takes its return continuation as its last parameter, for example `ret : int → ⊥`"
    )
    assert "help" not in errors_in("f(x : int, k : int → ⊥) → ⊥ {\n  ret(x)\n}\n")


@pytest.mark.parametrize(
    "start", ["int main(void) {", "#include <stdio.h>\n", "// hello\n\n static int x;", "/* hello */", "char *p;"]
)
def test_a_text_that_looks_like_c_has_one_error_with_a_help(start: str) -> None:
    lines = errors_in(f"{start} ; ; }} \n int f() {{ return 'abc; }}").splitlines()
    assert len(lines) == 4 and "error" in lines[0]
    assert lines[-1] == "help: this looks like C: `convert`, `run` and `check` read that with `language=`"


def test_a_function_with_errors_and_the_name_of_a_c_keyword_does_not_look_like_c() -> None:
    assert "looks like C" not in errors_in("static(x : int) → ⊥ { ; }")


def test_an_unknown_name_is_reported_once_with_a_similar_name() -> None:
    assert headings_in("f(value : int) → ⊥ {\n  x := valeu + valeu;\n  hlt(y)\n}").splitlines() == [
        "2:8: error: `valeu` is not defined",
        "help: did you mean `value`?",
        "3:3: error: `hlt` is not defined",
        "help: did you mean `halt`?",
        "3:7: error: `y` is not defined",
    ]


def test_a_name_with_several_definitions_elsewhere_is_ambiguous() -> None:
    text = """\
f(c : bool) → ⊥ {
  let a := (x : int) → ⊥ halt(x)
      b := (x : int) → ⊥ a(x)
      d := () → ⊥ halt(x)
  in
  branch(c, λ(). b(1), d)
}
"""
    assert headings_in(text).splitlines() == [
        "4:24: error: `x` has several definitions, but none is in scope here",
        "2:13: note: this is one of them",
        "3:13: note: this is one of them",
    ]


def test_names_of_one_scope_and_functions_are_distinct() -> None:
    text = """\
f(x : int, x : int) → ⊥ { halt(0) }
f() → ⊥ { let k := () → ⊥ halt(0) k := () → ⊥ v := 3; v := 4; halt(v) in k() }
"""
    assert headings_in(text).splitlines() == [
        "1:12: error: the parameter `x` is defined twice",
        "1:3: note: the other definition is here",
        "2:1: error: the function `f` is defined twice",
        "1:1: note: the other definition is here",
        "2:35: error: the continuation `k` is defined twice",
        "2:15: note: the other definition is here",
        "2:55: error: the value `v` is defined twice",
        "2:47: note: the other definition is here",
        "help: a name is bound once: choose another one, as in `v1 := …`",
    ]


def test_a_body_binds_a_name_once() -> None:
    text = """\
f(a : int, b : int, c : int) → ⊥ {
  a := a + 1;
  v := 2;
  let
    b := () → ⊥
      let v := () → ⊥ c() in v()
    v := () → ⊥ halt(3)
    c() → ⊥ { halt(a) }
    w(w : int, x : int) → ⊥ { let x() → ⊥ { halt(4) } in x() }
    w() → ⊥ { halt(5) }
  in
  w(v, λ(k : int). let k := () → ⊥ halt(k) in k())
}
"""
    assert headings_in(text).splitlines() == [
        "2:3: error: the value `a` is defined twice",
        "1:3: note: the other definition is here",
        "help: a name is bound once: choose another one, as in `a1 := …`",
        "5:5: error: the continuation `b` is defined twice",
        "1:12: note: the other definition is here",
        "7:5: error: the continuation `v` is defined twice",
        "3:3: note: the other definition is here",
        "8:5: error: the function `c` is defined twice",
        "1:21: note: the other definition is here",
        "9:35: error: the function `x` is defined twice",
        "9:16: note: the other definition is here",
        "10:5: error: the function `w` is defined twice",
        "9:5: note: the other definition is here",
        "12:24: error: the continuation `k` is defined twice",
        "12:10: note: the other definition is here",
    ]


def test_duplicate_definitions_have_no_other_errors() -> None:
    text = """\
f(x : int, ret : int → ⊥) → ⊥ {
  v := x; v := true;
  let k := () → ⊥ ret(v) k := (a : int) → ⊥ ret(a + v)
  in branch(v, k, λ(). g(1, k))
}
g(ret : int → ⊥) → ⊥ { ret(1) }
g(x : int) → ⊥ { halt(x + later) }
h(later : int, later : bool) → ⊥ { let k := () → ⊥ later := 1; later := 2; halt(0) in k() }
"""
    assert [line for line in headings_in(text).splitlines() if "error" in line] == [
        "2:11: error: the value `v` is defined twice",
        "3:26: error: the continuation `k` is defined twice",
        "7:1: error: the function `g` is defined twice",
        "7:27: error: `later` is not defined",
        "8:16: error: the parameter `later` is defined twice",
        "8:64: error: the value `later` is defined twice",
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("ret(x + l)", "2:5: error: `+` does not take int and long"),
        ("ret(-c)", "2:5: error: `-` does not take bool"),
        ("ret(-true)", "2:5: error: `-` does not take bool"),
        ("y := y + y; ret(y)", "2:6: error: `y` is not defined yet"),
        ("y := z * z; z := x + 3; ret(y - z)", "2:6: error: `z` is not defined yet"),
        ("let k := () → ⊥ v := v + 1; ret(v) in k()", "2:22: error: `v` is not defined yet"),
        ("ret(x + l, 1)", "2:1: error: `ret` takes 1 argument, not 2\n2:5: error: `+` does not take int and long"),
        ("v := long(ret); ret(x)", "2:6: error: `long` does not take int → ⊥"),
        ("v := string(x); ret(x)", "2:6: error: `string` does not take int"),
        ("v := puts(x); ret(v)", "2:6: error: `puts` does not take int"),
        ('v := eprint("a") + 1; ret(v)', "2:6: error: `+` does not take void and int"),
        ("v := printf(); ret(v)", "2:6: error: `printf` needs an argument"),
        ("v := 0x1f; ret(v)", "2:6: error: `0x1f` is not a decimal number"),
        ("print(x)", "2:1: error: `print` is not defined\nhelp: did you mean `printf`?"),
        ("exit(7)", "2:1: error: `exit` is not defined\nhelp: `halt` ends the program"),
        (
            "put(x); exit(7); ret(x)",
            "2:1: error: there is no operation `put`; functions and continuations are called at the end of a body"
            "\nhelp: did you mean `puts`?"
            "\n2:9: error: there is no operation `exit`; "
            "functions and continuations are called at the end of a body"
            "\nhelp: `halt` ends the program",
        ),
        (
            "v := g(x); ret(v)",
            "2:6: error: there is no operation `g`; functions and continuations are called at the end of a body"
            "\nhelp: the result is the parameter of what follows: `g(…, λ(v : int). …)`",
        ),
        ("x(1)", "2:1: error: `x` is not a continuation: its type is int"),
        ("ret()", "2:1: error: `ret` takes 1 argument, not 0"),
        ("ret(x, x)", "2:1: error: `ret` takes 1 argument, not 2"),
        ("ret(l)", "2:5: error: `ret` takes int here, not long\nhelp: convert it: `int(…)`"),
        ("ret(ret)", "2:5: error: `ret` takes int here, not int → ⊥"),
        ("f(x, c, l, λ(a : bool). ret(x))", "2:12: error: `f` takes int → ⊥ here, not bool → ⊥"),
        ("branch(x, λ(). ret(1), λ(). ret(2))", "2:8: error: `branch` takes bool, not int\nhelp: compare it: `… != 0`"),
        (
            "branch(c, ret, λ(). ret(2))",
            "2:11: error: `ret` takes 1 argument, but a continuation without parameters is needed"
            "\nhelp: pass arguments: `λ(). k(…)`",
        ),
        (
            "branch(c, λ(a : int). ret(a), λ(). ret(2))",
            "2:11: error: this takes 1 argument, but a continuation without parameters is needed"
            "\nhelp: pass arguments: `λ(). k(…)`",
        ),
        ("switch(c, _ ⇒ λ(). ret(2))", "2:8: error: `switch` takes an integer, not bool"),
        ("switch(x, 1 ⇒ λ(). ret(1), 1 ⇒ λ(). ret(1), _ ⇒ λ(). ret(2))", "2:28: error: duplicate case 1"),
        ("switch(x, 'a' ⇒ λ(). ret(1), _ ⇒ λ(). ret(2))", "2:11: error: this case is not a value of type int"),
        ("ret(2147483648)", "2:5: error: 2147483648 is not a value of type int"),
        ("ret(-1u)", "2:5: error: -1 is not a value of type unsigned"),
        ("ret(5z)", "2:5: error: `z` is not a suffix of numbers"),
        ("v := 1.5u; ret(x)", "2:6: error: `u` is not a suffix of floating numbers"),
        ("v := 'ab'; ret(x)", "2:6: error: a character literal must hold one byte"),
        (r'v := "\q"; ret(x)', r"2:6: error: `\q` is not an escape sequence"),
        (f"ret({'9' * 5000})", "2:5: error: the number is too long"),
        (
            "let k := () → ⊥ v := x + 1; ret(v) m := () → ⊥ ret(v) in branch(c, k, m)",
            "2:52: error: `v` is not computed on every path to this use",
        ),
    ],
)
def test_errors_in_a_body(body: str, expected: str) -> None:
    assert inside(body) == expected


BROKEN = {
    "attribute": "@wrong f() → ⊥ { halt(0) }",
    "ambiguous": "f() → ⊥ { let a := (x : int) → ⊥ b(x) b := (x : int) → ⊥ a(x) c := () → ⊥ halt(x) in c() }",
    "argument-count": "f() → ⊥ { halt() }",
    "duplicate-case": "f() → ⊥ { switch(1, 2 ⇒ λ(). halt(1), 2 ⇒ λ(). halt(2), _ ⇒ λ(). halt(3)) }",
    "literal": "f() → ⊥ { halt(5z) }",
    "nesting": f"f(k : {'(' * 101}int{') → ⊥' * 101}) → ⊥ {{ halt(0) }}",
    "redefined": "f() → ⊥ { halt(0) } f() → ⊥ { halt(0) }",
    "scope": "f() → ⊥ { x := y; y := 1; halt(x) }",
    "stray-character": "f() → ⊥ { halt(0) $ }",
    "syntax": "f() → ⊥ { halt(0); }",
    "too-large": "struct s { a : char[1000000000], b : int } data z := s { {}, 1 } f() → ⊥ { halt(1) }",
    "type-mismatch": "f() → ⊥ { halt(true) }",
    "undeclared": "f() → ⊥ { halt(x) }",
    "unknown-operation": "f() → ⊥ { v := frob(1); halt(0) }",
    "unterminated": "f() → ⊥ { `halt(0) }",
    "shadowed-name": "f(x : int) → ⊥ { let k := (x : int) → ⊥ halt(x) in k(x) }",
    "unused-continuation": "f() → ⊥ { let k := () → ⊥ halt(0) in halt(0) }",
}


def test_every_rule_is_the_only_one_that_its_text_breaks() -> None:
    for rule, text in BROKEN.items():
        found: list[Diagnostic] = []
        try:
            parse(Source("text.cps", text), found)
        except DiagnosticError as failure:
            found = failure.diagnostics
        assert [each.rule for each in found] == [rule]
    assert BROKEN.keys() == RULES.keys()


def nested_type(depth: int) -> str:
    return "(" * (depth - 1) + "int → ⊥" + ") → ⊥" * (depth - 1)


def test_types_may_be_nested() -> None:
    text = f"f(k : {nested_type(100)}, ret : () → ⊥) → ⊥ {{ let m := (k : {nested_type(100)}) → ⊥ ret() in m(k) }}"
    assert nested_type(100) in pretty(read(text))


@pytest.mark.parametrize("depth", [101, 100_000])
@pytest.mark.parametrize(
    "text",
    [
        "f(k : TYPE, ret : int → ⊥) → ⊥ { f(ret, ret) }",
        "f() → ⊥ { let k := (a : TYPE) → ⊥ halt(a) in halt(k) }",
        "f() → ⊥ { branch(true, λ(a : int, b : TYPE). halt(0), λ(). halt(1)) }",
        "f(k : (int, TYPE, int) → ⊥) → ⊥ { k(1, 1, 1) }",
    ],
)
def test_a_type_that_is_nested_too_deeply_is_the_only_error(text: str, depth: int) -> None:
    first, *excerpt = errors_in(text.replace("TYPE", nested_type(depth))).splitlines()
    assert first.endswith(": error: this type is nested too deeply")
    assert [line[:8] for line in excerpt] == ["    1 | ", "      | "]


@pytest.mark.parametrize(
    ("type", "message"),
    [("(" * 2_000, "expected `)` or `,`, found `{`"), ("int" + ") → ⊥" * 2_000, "expected `{`, found `)`")],
)
def test_parentheses_without_a_partner_in_a_type(type: str, message: str) -> None:
    assert errors_in(f"f(k : {type}) → ⊥ {{ halt(0) }}").splitlines()[0].endswith(f": error: {message}")


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("return x", "there is no `return`\nhelp: a function calls its return continuation: `ret(x)`"),
        ("return x + 1;", "there is no `return`"),
        ("if (x > 0) ret(1) else ret(2)", "there is no `if`\nhelp: a decision is written `branch("),
        ("if (x % 2 != 0) { ret(1); } else { return 2; }", "there is no `if`"),
        ("while (x > 0) { x = x - 1; } ret(x)", "there is no statement for loops\nhelp: a loop is a continuation"),
        ("for (int i = 0; i < x; i++) { }", "there is no statement for loops"),
        ("goto k", "there is no `goto`\nhelp: a jump is a call: `k()`"),
        ("k = (3)", "there are no assignments or declarations\nhelp: a name is bound once, without a type: `k := …`"),
        ("int y = 3; ret(y)", "there are no assignments or declarations"),
        ("y = 3; z = 4; ret(y)", "there are no assignments or declarations"),
        ("x += 1; ret(x)", "there are no assignments or declarations"),
        ("let y := 3 in ret(y)", "`let` defines continuations\nhelp: a value is bound without it: `y := …;`"),
        ("k := () → ⊥ ret(x) in k()", "a continuation is defined in a `let` group\nhelp: it is written `let k := ("),
        ("k = (y : int) → ⊥ ret(y) in k(x)", "a continuation is defined in a `let` group"),
        ("let k = (y : int) → ⊥ ret(y) in k(x)", "a continuation is defined in a `let` group"),
    ],
)
def test_a_statement_of_another_language_is_one_error_with_the_right_form(statement: str, message: str) -> None:
    function = f"f(x : int, ret : int → ⊥) → ⊥ {{\n  {statement}\n}}\n"
    found = headings_in(function)
    assert found.startswith(f"2:3: error: {message}") and found.count("error:") == 1
    after = headings_in(function + "g(x : number) → ⊥ { halt(0) }\n")
    assert after.count("error:") == 2 and "4:7: error: expected a type, found `number`" in after


@pytest.mark.parametrize("header", ["def g(x):", "fun g(x) =", "function g(x) {"])
def test_a_function_with_a_keyword_is_one_error(header: str) -> None:
    found = headings_in(f"{header}\n  return x\n}}\n")
    assert found.startswith("1:1: error: functions have no keyword") and found.count("error:") == 1


def test_a_call_that_is_bound_shows_the_continuation() -> None:
    found = inside("y := f(x); ret(y)")
    assert found.count("error:") == 1
    assert found.endswith("help: the result is the parameter of what follows: `f(…, λ(v : int). …)`")


@pytest.mark.parametrize("name", ["return", "if", "while", "goto", "fun"])
def test_words_of_other_languages_are_names(name: str) -> None:
    read(f"f(x : int, {name} : int → ⊥) → ⊥ {{\n  {name}(x)\n}}\n")

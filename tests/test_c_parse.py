"""The syntax trees of correct C. (Wrong text is in `test_c_syntax_errors`.)"""

from __future__ import annotations

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.frontends.c.syntax import TreeRules
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.types import UNSIGNED_CHAR, UNSIGNED_LONG
from cpsconv.grammar import read_grammar
from tests.c_trees import body, expression, grouped, outline, parsed, words
from tests.effort import examples

# ------------------------------------------------------------------------------------------------------ the grammar


def test_every_rule_of_the_grammar_is_handled_by_a_method() -> None:
    from lark import Lark

    rules = Lark(read_grammar("c"), parser="lalr", lexer="basic").rules
    names = {rule.alias or rule.origin.name for rule in rules if not (rule.options.expand1 and not rule.alias)}
    assert {name for name in names if not hasattr(TreeRules, name)} == set()


def test_the_dangling_else_is_the_only_conflict_of_the_grammar(caplog: pytest.LogCaptureFixture) -> None:
    from lark import Lark, logger

    level = logger.level
    try:
        with caplog.at_level(logging.DEBUG, logger.name):
            logger.addHandler(caplog.handler)
            Lark(read_grammar("c"), parser="lalr", lexer="basic", debug=True)
    finally:
        logger.removeHandler(caplog.handler)
        logger.setLevel(level)
    conflicts = {record.message for record in caplog.records if "onflict" in record.message}
    assert conflicts == {"Shift/Reduce conflict for terminal ELSE: (resolving as shift)"}


# ------------------------------------------------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a << b + c", "(a << (b + c))"),
        ("a < b == c > d", "((a < b) == (c > d))"),
        ("a & b == c", "(a & (b == c))"),
        ("a | b ^ c & d", "(a | (b ^ (c & d)))"),
        ("a || b && c", "(a || (b && c))"),
        ("a && b | c", "(a && (b | c))"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ? b, c : d", "(a ? (b, c) : d)"),
        ("a = b = c", "(a = (b = c))"),
        ("a += b ? c : d", "(a += (b ? c : d))"),
        ("a = b, c = d", "((a = b), (c = d))"),
        ("-a * !b", "((-a) * (!b))"),
        ("- -a", "(-(-a))"),
        ("~-+!a", "(~(-(+(!a))))"),
        ("-a++", "(-(a++))"),
        ("++a + a--", "((++a) + (a--))"),
        ("a+++b", "((a++) + b)"),
        ("a- -b", "(a - (-b))"),
        ("(int) a + b", "(((int)a) + b)"),
        ("(long) -a", "((long)(-a))"),
        ("(void) a", "((void)a)"),
        ("(int) (long) a", "((int)((long)a))"),
        ("(a) - b", "(a - b)"),
        ("sizeof a + b", "((sizeof a) + b)"),
        ("sizeof (int) + b", "((sizeof(int)) + b)"),
        ("sizeof (a) + b", "((sizeof a) + b)"),
        ("sizeof (long) - 1", "((sizeof(long)) - 1)"),
        ("sizeof sizeof a", "(sizeof (sizeof a))"),
        ("sizeof -a", "(sizeof (-a))"),
        ("f()", "f()"),
        ("f(a, b + c)", "f(a; (b + c))"),
        ("f((a, b), c = d)", "f((a, b); (c = d))"),
        ("f(g(a))++", "(f(g(a))++)"),
        ("(f)(a)", "f(a)"),
        ("((a))", "a"),
        ("a *= b /= c %= d <<= e >>= f &= g ^= h |= i", "(a *= (b /= (c %= (d <<= (e >>= (f &= (g ^= (h |= i))))))))"),
        ("a <= b >= c != d", "(((a <= b) >= c) != d)"),
        ("a % b / c", "((a % b) / c)"),
        ("a >> b << c", "((a >> b) << c)"),
    ],
)
def test_operators_bind_as_in_c(text: str, meant: str) -> None:
    assert grouped(expression(text)) == meant


_LEVELS = ["*/%", "+-", ["<<", ">>"], ["<", ">", "<=", ">="], ["==", "!="], "&", "^", "|", ["&&"], ["||"]]
_LEVEL = {op: level for level, ops in enumerate(_LEVELS) for op in ops}
_CONDITIONAL, _ASSIGNMENT = 10, 11


@st.composite
def expressions(draw: st.DrawFn, depth: int = 4) -> tuple[str, str, int]:
    """A random expression with the necessary parentheses, the same with all of them, and its precedence."""
    kind = draw(st.sampled_from(["name", "binary", "binary", "unary", "cast", "step", "choice", "assign"]))
    if depth == 0 or kind == "name":
        name = draw(st.sampled_from(["a", "b", "f(a)", "(b)"]))
        return name, name.strip("()") if name[0] == "(" else name, -2
    parts = [draw(expressions(depth - 1)) for _ in range(3)]

    def part(index: int, most: int) -> str:
        bare, _, level = parts[index]
        return bare if level <= most else f"({bare})"

    full = [part[1] for part in parts]
    if kind == "binary":
        op = draw(st.sampled_from(sorted(_LEVEL)))
        level = _LEVEL[op]
        return f"{part(0, level)} {op} {part(1, level - 1)}", f"({full[0]} {op} {full[1]})", level
    if kind == "unary":
        op = draw(st.sampled_from("+-~!"))
        return f"{op} {part(0, -1)}", f"({op}{full[0]})", -1
    if kind == "cast":
        return f"(long) {part(0, -1)}", f"((long){full[0]})", -1
    if kind == "step":
        return f"{part(0, -2)} ++", f"({full[0]}++)", -2
    if kind == "choice":
        bare = f"{part(0, 9)} ? {part(1, _ASSIGNMENT)} : {part(2, _CONDITIONAL)}"
        return bare, f"({full[0]} ? {full[1]} : {full[2]})", _CONDITIONAL
    return f"{part(0, _CONDITIONAL)} -= {part(1, _ASSIGNMENT)}", f"({full[0]} -= {full[1]})", _ASSIGNMENT


@settings(max_examples=examples(100))
@given(expressions())
def test_redundant_parentheses_change_nothing(example: tuple[str, str, int]) -> None:
    bare, full, _ = example
    assert grouped(expression(bare)) == full


# ---------------------------------------------------------------------------------------------- types and declarations


def test_specifiers_that_change_nothing_are_accepted_anywhere() -> None:
    [function] = parsed("static inline long const unsigned volatile int f(register int a) { }").functions
    assert (function.name, function.result) == ("f", UNSIGNED_LONG)
    [declaration] = body("register int a; auto int b; volatile int c; int const d = 1;")[-1:]
    assert isinstance(declaration, c.Declaration)
    assert declaration.declarators[0].constant


def test_a_declaration_declares_several_variables_with_initial_values() -> None:
    [declaration] = body("const unsigned char a = 1, b, (c) = b + 1;")
    assert isinstance(declaration, c.Declaration)
    shown = [
        (each.name, each.type, each.constant, each.initialiser and grouped(each.initialiser))
        for each in declaration.declarators
    ]
    assert shown == [
        ("a", UNSIGNED_CHAR, True, "1"),
        ("b", UNSIGNED_CHAR, True, None),
        ("c", UNSIGNED_CHAR, True, "(b + 1)"),
    ]


def test_prototypes_and_definitions_are_listed_in_source_order() -> None:
    functions = parsed(
        """
        int first(void), second();
        double third(int, const long x);
        void (fourth)(int (a), short);
        extern int fifth(unsigned a);
        int first(void) { return 1; } ;
        static int sixth() { return 2; }
        """
    ).functions
    shown = [
        (
            each.name,
            str(each.result),
            [(p.name, str(p.type), p.constant) for p in each.parameters],
            each.prototyped,
            bool(each.body),
        )
        for each in functions
    ]
    assert shown == [
        ("first", "int", [], True, False),
        ("second", "int", [], False, False),
        ("third", "double", [(None, "int", False), ("x", "long", True)], True, False),
        ("fourth", "void", [("a", "int", False), (None, "short", False)], True, False),
        ("fifth", "int", [("a", "unsigned", False)], True, False),
        ("first", "int", [], True, True),
        ("sixth", "int", [], False, True),
    ]


# -------------------------------------------------------------------------------------------------------- statements


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (";", "-"),
        ("a; b;", "a b"),
        ("{ } { a; { b; } }", "{} {a {b}}"),
        ("int a; a; int b, d;", "declare a a declare b d"),
        ("int;", "declare "),
        ("if (a) b;", "if a [b]"),
        ("if (a) b; else d;", "if a [b] [d]"),
        ("if (a) if (b) d; else e;", "if a [if b [d] [e]]"),
        ("if (a) { if (b) d; } else e;", "if a [{if b [d]}] [e]"),
        ("if (a) b; else if (d) e; else g;", "if a [b] [if d [e] [g]]"),
        ("if (a) while (b) if (d) e; else g;", "if a [while b [if d [e] [g]]]"),
        ("if (a) do if (b) d; while (e); else g;", "if a [do [if b [d]] e] [g]"),
        ("while (a) b;", "while a [b]"),
        ("do a; while (b);", "do [a] b"),
        ("for (;;) a;", "for - ; - ; - [a]"),
        ("for (a = 1; a < 2; a++) ;", "for (a = 1) ; (a < 2) ; (a++) [-]"),
        ("for (int a = 1, b; ; a, b) { }", "for declare a b ; - ; (a, b) [{}]"),
        ("switch (a) { case 1: b; break; default: d; }", "switch a [{case 1: - b break default: - d}]"),
        ("switch (a) case 1: case 2: b;", "switch a [case 1: case 2: b]"),
        ("switch (a) { if (b) case 2: d; else default: e; }", "switch a [{if b [case 2: d] [default: e]}]"),
        ("switch (a) { case 1 ? 2 : 3: ; }", "switch a [{case (1 ? 2 : 3): - -}]"),
        ("a: b: c;", "a: - b: - c"),
        ("a: int b; goto a;", "a: - declare b goto a"),
        ("{ a: }", "{a: -}"),
        ("if (a) b: c;", "if a [b: c]"),
        ("a ? b : c; a: b;", "(a ? b : c) a: - b"),
        ("break; continue; return; return a, b;", "break continue return - return (a, b)"),
    ],
)  # fmt: skip
def test_statements_are_grouped_as_in_c(text: str, meant: str) -> None:
    assert " ".join(map(outline, body(text))) == meant


# ---------------------------------------------------------------------------------------------------- white space


def test_comments_continuations_and_ignored_directives_are_space() -> None:
    text = """
    #pragma once
    #
    #include <stdio.h> /* a comment
                          of two lines */
    int f(void) { // a comment \\
        that goes on ) } {
        return/**/1/* * / // */+ \\
            2 /***/;
    }
    """
    [function] = parsed(text).functions
    assert function.body and outline(function.body) == "{return (1 + 2)}"


def test_lines_may_end_as_on_windows() -> None:
    [function] = parsed("#include <stdio.h>\r\nint f(void) {\r\n  return 1 + \\\r\n 2; // x\r\n}\r\n").functions
    assert function.body and outline(function.body) == "{return (1 + 2)}"


# ------------------------------------------------------------------------------------------------------------- spans


def test_nodes_have_their_spans() -> None:
    [declaration, choice, block, label, jump, last] = body(
        'int a = 1, bc = (a + 2); if (a) b; else c; { d; } there: goto there; return f(a, "x" "y")[0];'.replace(
            "[0]", ""
        )
    )
    assert isinstance(declaration, c.Declaration) and isinstance(choice, c.If) and isinstance(block, c.Compound)
    assert isinstance(label, c.Label) and isinstance(jump, c.Goto) and isinstance(last, c.Return)
    assert words(declaration.span) == "int a = 1, bc = (a + 2);"
    assert [words(declarator.span) for declarator in declaration.declarators] == ["a", "bc"]
    assert words(declaration.declarators[1].initialiser.span) == "(a + 2)"
    assert words(choice.span) == "if (a) b; else c;"
    assert (words(block.span), words(block.end)) == ("{ d; }", "}")
    assert words(label.span) == "there"
    assert (words(jump.span), words(jump.name_span)) == ("goto there;", "there")
    assert isinstance(last.value, c.CallExpression)
    assert [words(argument.span) for argument in last.value.arguments] == ["a", '"x" "y"']
    assert words(last.value.span) == 'f(a, "x" "y")'


def test_the_span_of_a_function_is_that_of_its_name() -> None:
    [function] = parsed("int long;int add(unsigned long, int b); int f() {}").functions[:1]
    assert words(function.span) == "add"
    assert [words(parameter.span) for parameter in function.parameters] == ["unsigned long", "b"]

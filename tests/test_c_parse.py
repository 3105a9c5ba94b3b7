"""The syntax trees of correct C. (Wrong text is in `test_c_syntax_errors`.)"""

from __future__ import annotations

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import DiagnosticError, Source, convert
from cpsconv.core.grammar import read_grammar
from cpsconv.languages.c.syntax import TreeRules
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import UNSIGNED_LONG
from testing.c_trees import body, expression, functions, grouped, initialiser, outline, parsed, read, specified, words
from testing.effort import examples
from testing.running import observe

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
        ("a ?: b", "(a ?: b)"),
        ("*a++ = &b[1]->c.d", "((*(a++)) = (&b[1]->c.d))"),
        ("-*p * *q & ~&r", "(((-(*p)) * (*q)) & (~(&r)))"),
        ("f(a)(b)[c](d)", "f(a)(b)[c](d)"),
        (
            "sizeof a[1] + sizeof(int *[3]) + _Alignof(int)",
            "(((sizeof a[1]) + (sizeof(array[3] of pointer to int))) + (alignof(int)))",
        ),
        ("(int (*)(char))a", "((pointer to function(-: char) returning int)a)"),
        ("&(struct p){ .x = a, 2 }.y", "(&(struct p){.x = a, 2}.y)"),
        ("({ a; b; }) + &&d", "(({a b}) + (&&d))"),
        ("_Generic(a, int: b, default: c)", "generic(a; int: b; default: c)"),
        (
            "__builtin_va_arg(a, char *) + __builtin_offsetof(struct s, a.b[1])",
            "(va_arg(a; pointer to char) + offsetof(struct s; .a.b[1]))",
        ),
        ("__builtin_types_compatible_p(int, long)", "compatible(int; long)"),
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


def declared(text: str) -> str:
    """The declarations of a text, each as one reads it."""
    shown = []
    for item in parsed(text).items:
        if isinstance(item, c.FunctionDefinition):
            found = read(c.InitDeclarator(item.span, item.declarator, None), item.specifiers)
            shown.append(f"{item.declarator.name}: {found} {outline(item.body)}")
            continue
        assert isinstance(item, c.Declaration)
        if not item.declarators:
            shown.append(specified(item.specifiers))
        for each in item.declarators:
            value = f" = {initialiser(each.initialiser)}" if each.initialiser else ""
            shown.append(f"{each.declarator.name}: {read(each, item.specifiers)}{value}")
    return "; ".join(shown)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("int long;", "long"),
        (
            "const unsigned char a = 1, b, (c) = b + 1;",
            "a: const unsigned char = 1; b: const unsigned char; c: const unsigned char = (b + 1)",
        ),
        (
            "int *a[3], (*b)[3], **d;",
            "a: array[3] of pointer to int; b: pointer to array[3] of int; d: pointer to pointer to int",
        ),
        ("int (*(*f[3])(int))[5];", "f: array[3] of pointer to function(-: int) returning pointer to array[5] of int"),
        ("char *const volatile *p;", "p: pointer to const volatile pointer to char"),
        (
            "void (*f(int s, void (*g)(int)))(int);",
            "f: function(s: int, g: pointer to function(-: int) returning void) returning "
            "pointer to function(-: int) returning void",
        ),
        (
            "int f(int a[static const 3], int b[*], int c[], ...);",
            "f: function(a: array[3] of int, b: array[*] of int, c: array[] of int, ...) returning int",
        ),
        ("int first(void), second();", "first: function(-: void) returning int; second: function() returning int"),
        (
            "main() { } *f(a) char a; { }",
            "main: function() returning int {}; f: function(a: ?) returning pointer to int {}",
        ),
        (
            "n; *p, a[2] = {1}; f(int), *h(); static m;",
            "n: int; p: pointer to int; a: array[2] of int = {1}; "
            "f: function(-: int) returning int; h: function() returning pointer to int; m: int",
        ),
        ("int f(a, b) int a; char b; { }", "f: function(a: ?, b: ?) returning int {}"),
        (
            "typedef int T, *P; T x; P y; T f(T, P z);",
            "T: int; P: pointer to int; x: T; y: P; f: function(-: T, z: P) returning T",
        ),
        ("typedef int T; void f(int T) { T = 1; } T x;", "T: int; f: function(T: int) returning void {(T = 1)}; x: T"),
        (
            "typedef int T; void f(void) { { int T; T * T; } T * a; } T x;",
            "T: int; f: function(-: void) returning void {{declare T (T * T)} declare a}; x: T",
        ),
        (
            "typedef int T; void f(void) { { enum { T }; T * a; } T * a; }",
            "T: int; f: function(-: void) returning void {{declare  (T * a)} declare a}",
        ),
        ("typedef int T; struct T { T T; unsigned T : 3; }; T x;", "T: int; struct T{T: T; T: unsigned : 3}; x: T"),
        ("typedef struct T T; typedef struct T T; T *x;", "T: struct T; T: struct T; x: pointer to T"),
        (
            "struct p { int x, *y; struct { char c; }; int : 0, b : 2; int f[]; } a;",
            "a: struct p{x: int, y: pointer to int; struct -{c: char}; -: int : 0, b: int : 2; f: array[] of int}",
        ),
        (
            "typedef int T; struct { struct s { int T; } T; enum { A, } T; } x; T y;",
            "T: int; x: struct -{T: struct s{T: int}; T: enum -{A}}; y: T",
        ),
        ("union u; struct s {}; enum e { A, B = A + 5, };", "union u; struct s{}; enum e{A, B = (A + 5)}"),
        (
            "int a[] = { 1, [3] = 2, { 4 }, }, b = { }, q = { .x = 1, .y[2].z = 3, w: 4, [1 ... 2] = 5 };",
            "a: array[] of int = {1, [3] = 2, {4}}; b: int = {}; q: int = {.x = 1, .y[2].z = 3, .w = 4, [1 ... 2] = 5}",
        ),
        (
            "_Alignas(8) char a; _Alignas(long) char b; typeof(a) d; __typeof__(int *) e; __auto_type g = 1;",
            "a: char; b: char; d: typeof(a); e: typeof(pointer to int); g: typeof() = 1",
        ),
        (
            "__extension__ int a __attribute__((unused)), *b __attribute__ ((aligned(8), packed));",
            "a: int; b: pointer to int",
        ),
    ],
)
def test_declarations_are_read_as_in_c(text: str, meant: str) -> None:
    assert declared(text) == meant


def test_specifiers_are_accepted_in_any_order() -> None:
    [function] = functions("static inline long const unsigned volatile int f(register int a) { }")
    assert (function.specifiers.type, [*function.specifiers.qualifiers]) == (UNSIGNED_LONG, ["const", "volatile"])
    assert [*function.specifiers.storage] == ["static", "inline"]
    [declaration] = parsed("_Noreturn extern void __attribute__((__noreturn__)) f(void);").items
    assert isinstance(declaration, c.Declaration)
    assert [*declaration.specifiers.storage] == ["_Noreturn", "extern"]
    assert [each.name for each in declaration.specifiers.attributes] == ["noreturn"]


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("struct __attribute__((packed)) s { char c; } a;", [("packed", 0)]),
        ("struct s { char c; } __attribute__((packed, aligned(4))) a;", [("packed", 0), ("aligned", 4)]),
        ('struct __attribute__((aligned)) s { char c; } __attribute__((deprecated("("))) a;', [("aligned", 16)]),
    ],
)
def test_attributes_of_structs_that_affect_the_layout_are_kept(text: str, attributes: list[tuple[str, int]]) -> None:
    [declaration] = parsed(text).items
    assert isinstance(declaration, c.Declaration)
    record = declaration.specifiers.type
    assert isinstance(record, c.RecordSpecifier)
    found = [*record.attributes, *declaration.specifiers.attributes]
    assert [(each.name, each.alignment) for each in found] == attributes


def test_static_assertions_may_stand_outside_and_inside_of_functions_and_structs() -> None:
    items = parsed('_Static_assert(1, "a" "b"); struct s { _Static_assert(2); int x; };').items
    assert isinstance(items[0], c.StaticAssert) and items[0].message and items[0].message.text == "ab"
    assert isinstance(items[1], c.Declaration) and specified(items[1].specifiers) == "struct s{assert; x: int}"
    assert " ".join(map(outline, body('_Static_assert(a, ""); b;'))) == "assert a b"


# -------------------------------------------------------------------------------------------------------- statements


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (";", "-"),
        ("a; b;", "a b"),
        ("{ } { a; { b; } }", "{} {a {b}}"),
        ("int a; a; int b, d;", "declare a a declare b d"),
        ("int;", "declare "),
        ("__label__ a, b; a: goto *p;", "labels a b a: - goto *p"),
        ("switch (a) { case 1 ... 3: b; }", "switch a [{case 1 ... 3: - b}]"),
        ("static int a; extern int f(void), *b; typedef int T; T d;", "declare a declare f b declare T declare d"),
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
    [function] = functions(text)
    assert outline(function.body) == "{return (1 + 2)}"


def test_lines_may_end_as_on_windows() -> None:
    [function] = functions("#include <stdio.h>\r\nint f(void) {\r\n  return 1 + \\\r\n 2; // x\r\n}\r\n")
    assert outline(function.body) == "{return (1 + 2)}"


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
    [_, prototype, definition] = parsed("int long;int add(unsigned long, int b); int f() {}").items
    assert isinstance(prototype, c.Declaration) and isinstance(definition, c.FunctionDefinition)
    [declarator] = prototype.declarators
    [function] = declarator.declarator.derivations
    assert words(declarator.span) == "add" and words(definition.span) == "f" and isinstance(function, c.FunctionOf)
    assert [words(parameter.span) for parameter in function.parameters] == ["unsigned long", "b"]


def test_each_enumerator_hides_a_type_of_its_name() -> None:
    text = """typedef int A, B, C;
int main(void) {
    { enum { A = 9, B = A + 1, C, } c = A; if (A + B + C + c != 39) return 1; }
    A a = 1; B b = 2; C c = 3;
    enum e { C = 7, B = 8 };
    return C - 7 + B - 8 + a + b + c - 6;
}
"""
    assert observe(convert(Source("f.c", text))).status == 0


_HIDING = """typedef int A, N;
int first(int A, int b[A]) { return A + (b != 0); }
int declared(int (*f)(int A, int b[A]), A y, int A, int (*h)(int b[A]));
int (*returned(int const A, int c[A]))(int B) { return A ? 0 : 0; }
int enumerated(struct { enum { N = 3 } e; int m[N]; } *x, int a[N]) { return N; }
int old(a) enum { A = 3 } a; { return A; }
int unhidden(struct { int A; A b; } *x, A y) { return y; }
int attributed(const int __attribute__((unused)) A, int b[A], int c[sizeof(int (*)(int N, int d[N]))]) { return A; }
A x; N y;
int main(void) {
    { struct { enum { A = 3 } e; } s = { A }; if (s.e != A) return 1; }
    for (int (*f)(int A, int b[A]) = 0, A = 0; A < 2; A++) if (f) return 2;
    { int A(int n) { return n ? A(n - 1) : 0; } if (A(2)) return 3; }
    { int A(int A, N b); }
    A (*z)(A N, A b[N]) = first, w = 1;
    return z(4, &w) - 5;
}
"""


def test_parameters_and_enumerators_hide_types_up_to_the_end_of_their_scopes() -> None:
    assert observe(convert(Source("f.c", _HIDING))).status == 0


@pytest.mark.parametrize(
    "part",
    [
        "int f(int A, @ int b) { return 0; }",
        "int f(int A { A = 3; return A; }",
        "struct s { int x; int (*f)(int A, +); } v;",
        "int f(void) { { int A = 1; @ } A x = 0; return x; }",
        "int f(void) { if (1) { int A = 3; return A } A x = 0; return x; }",
        "int f(void) { for (int A = 0; A < 3 A++) { } A x = 0; return x; }",
    ],
)
def test_a_hidden_type_is_known_again_after_an_error(part: str) -> None:
    with pytest.raises(DiagnosticError) as raised:
        convert(Source("f.c", f"typedef int A; {part} A y; A g(A b) {{ A z = b; return z; }}"))
    assert len(raised.value.diagnostics) == 1


@pytest.mark.parametrize("text", ["int g(int A, A b);", "int g(int A) { A b; }", "int g(int (*f)(int A, A b));"])
def test_a_hidden_type_is_no_type(text: str) -> None:
    with pytest.raises(DiagnosticError, match="A"):
        convert(Source("f.c", f"typedef int A; {text}"))


@pytest.mark.parametrize(
    "statement",
    [
        "if (sizeof(enum { N = 5 }) && N == 5) ;",
        "if (n) ; else (void)sizeof(enum { N = 5 });",
        "if (n) for (;;) ; else (void)sizeof(enum { N = 5 });",
        "if (n) { N m; } else if (sizeof(enum { N = 5 }) == N) ;",
        "while (!sizeof(enum { N = 5 })) { n = N; }",
        "do ; while (!sizeof(enum { N = 5 }));",
        "switch (sizeof(enum { N = 5 })) default: n = N;",
        "for (n = 1; n < sizeof(enum { N = 5 }); n++) n += N;",
        "for (n = 1; n < 3; n++) (void)sizeof(enum { N = 5 });",
        "for (int (*f)(int N) = 0, N = 1; N < 2; N++) ;",
    ],
)
def test_an_enumerator_hides_a_type_up_to_the_end_of_its_statement(statement: str) -> None:
    convert(Source("n.c", f"typedef int N; int f(int n) {{ {statement} N m = 3; return m; }}"))

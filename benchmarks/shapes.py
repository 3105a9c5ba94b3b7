"""C programs of any size, each large in one way. A real program is a mixture of these."""

from __future__ import annotations

from collections.abc import Callable

Shape = Callable[[int], str]


def _program(body: str, before: str = "") -> str:
    """A program whose function `f` has that body and is called with 1; what it returns is printed."""
    return (
        f"#include <stdio.h>\n{before}\nint f(int x) {{\n{body}\n}}\n"
        'int main(void) {\n    printf("%d\\n", f(1));\n    return 0;\n}\n'
    )


def _lines(n: int, line: Callable[[int], str]) -> str:
    return "\n".join(line(index) for index in range(n))


# ------------------------------------------------------------------------------------------------------- in a row


def ifs(n: int) -> str:
    """A ladder: `n` statements ``if … else …`` in a row, that change one variable and leave another as it is."""
    ladder = _lines(n, lambda i: f"    if (x & {i}) {{ a = a + {i % 7}; }} else {{ a = a ^ {i % 5}; }}")
    return _program(f"    int a = 0, b = x;\n{ladder}\n    return a + b;")


def calls(n: int) -> str:
    """`n` calls in a row, each with the result of the last."""
    return _program(
        f"    int a = x;\n{_lines(n, lambda i: f'    a = g(a, {i % 9});')}\n    return a;",
        "int g(int a, int b) { return a * 3 + b; }",
    )


def straight(n: int) -> str:
    """`2n` assignments without any branch."""
    return _program(
        f"    int a = x, b = 2;\n{_lines(n, lambda i: f'    a = a * 3 + b; b = b ^ {i};')}\n    return a + b;"
    )


def loops(n: int) -> str:
    """`n` loops in a row."""
    row = _lines(n, lambda i: f"    for (int i = 0; i < 2; i++) {{ a = a + {i % 7}; }}")
    return _program(f"    int a = 0, b = x;\n{row}\n    return a + b;")


def prints(n: int) -> str:
    """`n` effects in a row."""
    return _program(_lines(n, lambda i: f'    printf("%d ", x + {i});') + '\n    printf("\\n");\n    return x;')


def functions(n: int) -> str:
    """`n` functions, each of which calls the one before it."""
    chain = _lines(n, lambda i: f"int g{i + 1}(int a) {{ return g{i}(a) + {i % 5}; }}")
    return _program(f"    return g{n}(x);", f"int g0(int a) {{ return a; }}\n{chain}")


# --------------------------------------------------------------------------------------------------------- nested


def parentheses(n: int) -> str:
    """An expression in `n` pairs of parentheses."""
    return _program(f"    return {'(' * n}x{')' * n};")


def unary(n: int) -> str:
    """`n` unary operators one upon the other."""
    return _program(f"    return {'-~' * (n // 2)}x;")


def left(n: int) -> str:
    """A chain of `n` binary operators, nested to the left."""
    return _program(f"    return x{''.join(f' {_OPERATORS[i % 4]} {i % 9}' for i in range(n))};")


def right(n: int) -> str:
    """`n` binary operators, nested to the right by parentheses."""
    return _program(f"    return {''.join(f'{i % 9} {_OPERATORS[i % 4]} (' for i in range(n))}x{')' * n};")


_OPERATORS = ("+", "-", "^", "*")


def conditionals(n: int) -> str:
    """`n` operators ``?:``, each in the last arm of the one before it."""
    return _program(f"    return {''.join(f'x == {i + 2} ? {i % 9} : ' for i in range(n))}x;")


def logical(n: int) -> str:
    """`n` operators ``&&`` and ``||`` in one condition."""
    return _program(f"    return x{''.join(f' && x != {i + 2}' if i % 3 else f' || x == {i}' for i in range(n))};")


def arguments(n: int) -> str:
    """A call in the argument of a call, `n` deep."""
    return _program(f"    return {'g(' * n}x{')' * n};", "int g(int a) { return a * 3 + 1; }")


def blocks(n: int) -> str:
    """`n` blocks in each other."""
    return _program(f"    int a = x;\n{'{' * n} a = a + 1; {'}' * n}\n    return a;")


def nested_ifs(n: int) -> str:
    """`n` statements ``if`` in each other."""
    opened = _lines(n, lambda i: f"if (x != {i + 2}) {{ a = a + {i % 5};")
    return _program(f"    int a = x, b = x;\n{opened}\n{'}' * n}\n    return a + b;")


def else_ifs(n: int) -> str:
    """A chain of `n` arms ``else if``."""
    chain = _lines(n, lambda i: f"    else if (x == {i + 2}) a = {i % 9};")
    return _program(f"    int a = 5, b = x;\n    if (x == -1) a = 0;\n{chain}\n    return a + b;")


def nested_loops(n: int) -> str:
    """`n` loops in each other, which all end together."""
    opened = _lines(n, lambda i: f"while (x < 5) {{ a = a + {i % 5};")
    return _program(f"    int a = 0, b = x;\n{opened}\nx = x + 2;\n{'}' * n}\n    return a + b;")


# ----------------------------------------------------------------------------------------------------------- wide


def variables(n: int) -> str:
    """A loop that changes `n` variables."""
    declared = _lines(n, lambda i: f"    int v{i} = {i % 9};")
    changed = _lines(n, lambda i: f"        v{i} = v{i} + x;")
    added = _lines(n, lambda i: f"    x = x + v{i};")
    return _program(f"{declared}\n    while (x < 3) {{\n{changed}\n        x = x + 1;\n    }}\n{added}\n    return x;")


def waiting(n: int) -> str:
    """`n` values that wait on one side of a sum, while the other side branches `n` times."""
    total = f"{'x + (' * n}{' + '.join(['(b ? x : 1)'] * n)}{')' * n}"
    return _program(
        f"    int a = 0, b = x;\n    while (x < 3) {{\n        a = {total};\n        x = x + 1;\n    }}\n    return a;"
    )


def cases(n: int) -> str:
    """A ``switch`` of `n` cases, some of which fall through."""
    listed = _lines(n, lambda i: f"        case {i}: a = a + {i % 9};{' break;' if i % 3 else ''}")
    return _program(
        f"    int a = 0, b = x;\n    switch (x) {{\n{listed}\n        default: a = 7;\n    }}\n    return a + b;"
    )


def exits(n: int) -> str:
    """`n` jumps to one label."""
    jumps = _lines(n, lambda i: f"    if (x == {i + 2}) goto out; a = a + {i % 5};")
    return _program(f"    int a = 0, b = x;\n{jumps}\nout:\n    return a + b;")


def bare_ifs(n: int) -> str:
    """`n` conditions in each other, without braces or any statement but the innermost."""
    return _program(f"    int a = x;\n    {'if (a) ' * n}a = 2;\n    return a;")


def counted_loops(n: int) -> str:
    """`n` loops in each other, each with a variable of its own."""
    opened = _lines(n, lambda i: f"for (int i{i} = 0; i{i} < 1; i{i}++)")
    return _program(f"    int a = x;\n{opened}\na = a + 1;\n    return a;")


def gotos(n: int) -> str:
    """`n` jumps in a row, each to a label of its own among `n` labels in a row."""
    jumps = _lines(n, lambda i: f"    if (x == {i + 2}) goto l{i};")
    labels = _lines(n, lambda i: f"l{i}: a = a + {i % 7};")
    return _program(f"    int a = x;\n{jumps}\n{labels}\n    return a;")


def cases_of_variables(n: int) -> str:
    """A ``switch`` of `n` cases, each of which changes one of `n` variables: `n` parameters with `n` arguments each."""
    declared = _lines(n, lambda i: f"    int v{i} = {i % 9};")
    listed = _lines(n, lambda i: f"        case {i}: v{i} = x; break;")
    added = _lines(n, lambda i: f"    x = x + v{i};")
    return _program(f"{declared}\n    switch (x) {{\n{listed}\n    }}\n{added}\n    return x;")


def mesh(n: int) -> str:
    """`n` labels in an irreducible mesh: each leads to the next, and to one far away."""
    nodes = _lines(
        n, lambda i: f"l{i}: a = a * 5 + {i % 7}; if (--fuel < 0) goto out; if (a & 64) goto l{(i * 7 + 3) % n};"
    )
    return _program(
        f"    int a = x, b = x, fuel = {2 * n};\n    if (x > 1) goto l{n // 2};\n{nodes}\nout:\n    return a + b;"
    )


# ------------------------------------------------------------------------------------------------------- in memory


def globals_(n: int) -> str:
    """`n` global variables, each read once."""
    sum = _lines(n, lambda i: f"    s += g{i};")
    return _program(f"    int s = x;\n{sum}\n    return s;", _lines(n, lambda i: f"int g{i} = {i % 10};"))


def fields(n: int) -> str:
    """A struct of `n` fields, each written and read through a pointer."""
    uses = _lines(n, lambda i: f"    p->f{i} = x + p->f{i // 2};")
    struct = f"struct big {{\n{_lines(n, lambda i: f'    int f{i};')}\n}} big;"
    return _program(f"    struct big *p = &big;\n{uses}\n    return big.f{n - 1};", struct)


def elements(n: int) -> str:
    """A global and a local array of `n` initialised elements."""
    values = ", ".join(str(i % 100) for i in range(n))
    body = f"    int local[{n}] = {{{values}}};\n    return local[x] + table[2 * x];"
    return _program(body, f"static const int table[{n}] = {{{values}}};")


def addresses(n: int) -> str:
    """`n` functions that take each other's addresses."""
    declared = _lines(n, lambda i: f"int f{i}(int n);")
    defined = _lines(n, lambda i: f"int f{i}(int n) {{ next = f{(7 * i + 3) % n}; return n + {i % 3}; }}")
    before = f"{declared}\nint (*next)(int) = f0;\n{defined}"
    return _program("    for (int i = 0; i < 10; i++) x = next(x);\n    return x;", before)


def stores(n: int) -> str:
    """`n` stores in a row."""
    return _program(
        f"    int *p = a;\n{_lines(n, lambda i: f'    p[{i % 10}] = x + {i % 7};')}\n    return a[3];", "int a[10];"
    )


def split_structs(n: int) -> str:
    """`n` structs that become variables, each copied to the next one."""
    copies = _lines(n - 1, lambda i: f"    struct point p{i + 1} = p{i};\n    p{i + 1}.x += p{i}.y;")
    body = f"    struct point p0 = {{x, 2}};\n{copies}\n    return p{n - 1}.x;"
    return _program(body, "struct point { int x, y; };")


def scopes(n: int) -> str:
    """`n` blocks in each other, each with a variable in memory."""
    opened = _lines(n, lambda i: f"{{ int v = {i % 7}; add(&a, &v);")
    text = f"    int a = x;\n{opened}\n{'}' * n}\n    return a;"
    return _program(text, "void add(int *p, int *q) { *p += *q; }")


MEMORY: dict[str, Shape] = {
    shape.__name__.strip("_"): shape for shape in (globals_, fields, elements, addresses, stores, split_structs, scopes)
}
"""Programs with objects in memory, which not every target takes."""

SHAPES: dict[str, Shape] = {
    shape.__name__: shape
    for shape in (
        *(ifs, calls, straight, loops, prints, functions),
        *(
            parentheses,
            unary,
            left,
            right,
            conditionals,
            logical,
            arguments,
            blocks,
            nested_ifs,
            else_ifs,
            nested_loops,
        ),
        *(variables, waiting, cases, exits, mesh, bare_ifs, counted_loops, gotos),
    )
}

QUADRATIC: dict[str, Shape] = {"cases_of_variables": cases_of_variables}
"""Programs whose conversion is larger than their source: with the square of `n`."""

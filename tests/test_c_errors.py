"""Errors and warnings of the lowering of C, as whole messages."""

from __future__ import annotations

from cpsconv.construction import Builder
from cpsconv.frontends import read
from cpsconv.pipeline import convert
from cpsconv.source import Diagnostic, DiagnosticError, Source
from tests.c_trees import words


def check(text: str) -> None:
    """Check that a program has exactly the errors, or else the warnings, after the line of dashes in `text`."""
    program, expected = text.lstrip("\n").split("----\n")
    found: list[Diagnostic] = []
    try:
        read("c", Source("test.c", program))(Builder(), found)
    except DiagnosticError as caught:
        found = caught.diagnostics
    assert "".join(f"{each.render()}\n" for each in found) == expected


def test_an_undeclared_name_is_reported_once_with_a_similar_name() -> None:
    check("""
int total(int count) {
    int sum = cuont + nothing_like_it;
    for (int i = 0; i < cuont; i++) sum += i;
    return summ;
}
----
test.c:2:15: error: `cuont` is not declared
    2 |     int sum = cuont + nothing_like_it;
      |               ^^^^^
help: did you mean `count`?
test.c:2:23: error: `nothing_like_it` is not declared
    2 |     int sum = cuont + nothing_like_it;
      |                       ^^^^^^^^^^^^^^^
test.c:4:12: error: `summ` is not declared
    4 |     return summ;
      |            ^^^^
help: did you mean `sum`?
""")


def test_a_variable_ends_with_its_block() -> None:
    check("""
int f(void) {
    { int inner = 1; }
    for (int i = 0; i < 3; i++) ;
    return inner + i;
}
----
test.c:4:12: error: `inner` is not declared
    4 |     return inner + i;
      |            ^^^^^
test.c:4:20: error: `i` is not declared
    4 |     return inner + i;
      |                    ^
""")


def test_a_name_declared_twice_in_a_scope() -> None:
    check("""
int f(int a) {
    int a = 1;
    { int a = 2; }
    for (int i = 0; i < 3; i++) { int i = 4; }
    return a;
}
----
test.c:2:9: error: `a` is declared twice in the same scope
    2 |     int a = 1;
      |         ^
test.c:1:11: note: it is first declared here
    1 | int f(int a) {
      |           ^
""")


def test_invalid_targets_of_assignments() -> None:
    check("""
int f(const int fixed, int x) {
    fixed = 1;
    fixed += 2;
    --fixed;
    5 = x;
    (x + 1)++;
    f = 3;
    return x;
}
----
test.c:2:5: error: `fixed` is `const` and cannot be assigned to
    2 |     fixed = 1;
      |     ^^^^^
test.c:1:17: note: it is declared here
    1 | int f(const int fixed, int x) {
      |                 ^^^^^
test.c:3:5: error: `fixed` is `const` and cannot be assigned to
    3 |     fixed += 2;
      |     ^^^^^
test.c:1:17: note: it is declared here
    1 | int f(const int fixed, int x) {
      |                 ^^^^^
test.c:4:7: error: `fixed` is `const` and cannot be assigned to
    4 |     --fixed;
      |       ^^^^^
test.c:1:17: note: it is declared here
    1 | int f(const int fixed, int x) {
      |                 ^^^^^
test.c:5:5: error: only a variable can be assigned to
    5 |     5 = x;
      |     ^
test.c:6:5: error: only a variable can be assigned to
    6 |     (x + 1)++;
      |     ^^^^^^^
test.c:7:5: error: `f` is a function; functions as values are not supported yet
    7 |     f = 3;
      |     ^
help: to call it, write `f(…)`
""")


def test_operators_that_need_integers() -> None:
    check("""
double f(double d, int i) {
    d % 2;
    i << d;
    ~d;
    i ^= 1.5f;
    switch (d) { default: ; }
    return d;
}
----
test.c:2:5: error: `%` needs integers, not `double` and `int`
    2 |     d % 2;
      |     ^^^^^
test.c:3:5: error: `<<` needs integers, not `int` and `double`
    3 |     i << d;
      |     ^^^^^^
test.c:4:5: error: `~` needs an integer, not `double`
    4 |     ~d;
      |     ^^
test.c:5:5: error: `^` needs integers, not `int` and `float`
    5 |     i ^= 1.5f;
      |     ^^^^^^^^^
test.c:6:13: error: a `switch` needs an integer, not `double`
    6 |     switch (d) { default: ; }
      |             ^
""")


def test_void_expressions_where_a_value_is_needed() -> None:
    check("""
void nothing(void) { }
int f(int x) {
    x = nothing();
    if (nothing()) x = 1;
    x = x + nothing();
    x ? nothing() : x;
    (int)nothing();
    sizeof nothing();
    (void)nothing();
    return x ? nothing() : nothing();
}
----
test.c:3:9: error: expected a value, but this expression is `void`
    3 |     x = nothing();
      |         ^^^^^^^^^
test.c:4:9: error: expected a value, but this expression is `void`
    4 |     if (nothing()) x = 1;
      |         ^^^^^^^^^
test.c:5:13: error: expected a value, but this expression is `void`
    5 |     x = x + nothing();
      |             ^^^^^^^^^
test.c:6:9: error: expected a value, but this expression is `void`
    6 |     x ? nothing() : x;
      |         ^^^^^^^^^
test.c:7:10: error: expected a value, but this expression is `void`
    7 |     (int)nothing();
      |          ^^^^^^^^^
test.c:8:12: error: expected a value, but this expression is `void`
    8 |     sizeof nothing();
      |            ^^^^^^^^^
test.c:10:12: error: expected a value, but this expression is `void`
   10 |     return x ? nothing() : nothing();
      |            ^^^^^^^^^^^^^^^^^^^^^^^^^
""")


def test_strings_can_only_be_printed() -> None:
    check("""
#include <stdio.h>
int f(int x) {
    x = "one";
    puts(x);
    printf(x ? "%d" : "%i", x);
    return "two" + 1;
}
----
test.c:3:9: error: strings are not supported yet, except to print them
    3 |     x = "one";
      |         ^^^^^
test.c:4:10: error: expected a string
    4 |     puts(x);
      |          ^
test.c:5:12: error: the format must be a string literal
    5 |     printf(x ? "%d" : "%i", x);
      |            ^^^^^^^^^^^^^^^
test.c:6:12: error: strings are not supported yet, except to print them
    6 |     return "two" + 1;
      |            ^^^^^
""")


def test_variables_of_type_void() -> None:
    check("""
int f(int x) {
    void v;
    v = 3;
    return sizeof(void);
}
----
test.c:2:10: error: a variable cannot be `void`
    2 |     void v;
      |          ^
test.c:4:12: error: `void` has no size
    4 |     return sizeof(void);
      |            ^^^^^^^^^^^^
""")


def test_a_parameter_of_type_void() -> None:
    check("""
int f(int x, void y) { return x; }
----
test.c:1:19: error: a parameter cannot be `void`
    1 | int f(int x, void y) { return x; }
      |                   ^
""")


def test_return_values_that_do_not_fit_the_function() -> None:
    check("""
void none(int x) { return x; }
int some(int x) { return; }
int main(void) { return none(1); }
void pass_on(int x) { return missing(x); }
----
test.c:1:27: error: this function is `void`: it cannot return a value
    1 | void none(int x) { return x; }
      |                           ^
test.c:2:19: error: missing return value: this function returns `int`
    2 | int some(int x) { return; }
      |                   ^^^^^^^
test.c:3:25: error: expected a value, but this expression is `void`
    3 | int main(void) { return none(1); }
      |                         ^^^^^^^
test.c:4:30: error: `missing` is not declared
    4 | void pass_on(int x) { return missing(x); }
      |                              ^^^^^^^
""")


def test_wrong_numbers_of_arguments() -> None:
    check("""
#include <stdlib.h>
int none(void) { return 1; }
int one(int a) { return a; }
int f(void) {
    none(1);
    one();
    one(1, 2);
    abs(1, 2);
    exit();
    return 0;
}
----
test.c:5:5: error: `none` takes no arguments, but 1 is given
    5 |     none(1);
      |     ^^^^
test.c:2:5: note: it is declared here as `int none(void)`
    2 | int none(void) { return 1; }
      |     ^^^^
test.c:6:5: error: `one` takes 1 argument, but none is given
    6 |     one();
      |     ^^^
test.c:3:5: note: it is declared here as `int one(int)`
    3 | int one(int a) { return a; }
      |     ^^^
test.c:7:5: error: `one` takes 1 argument, but 2 are given
    7 |     one(1, 2);
      |     ^^^
test.c:3:5: note: it is declared here as `int one(int)`
    3 | int one(int a) { return a; }
      |     ^^^
test.c:8:5: error: `abs` takes 1 argument, but 2 are given
    8 |     abs(1, 2);
      |     ^^^
test.c:9:5: error: `exit` takes 1 argument, but none is given
    9 |     exit();
      |     ^^^^
""")


def test_calls_of_names_that_cannot_be_called() -> None:
    check("""
#include <stdlib.h>
int never(int);
int before(int x) { return after(x) + afetr(x); }
int after(int x) { return x; }
int f(int x) {
    x();
    never(1);
    puts("no header");
    assert(x);
    malloc(4);
    absx(1);
    return after;
}
----
test.c:3:28: error: `after` is not declared yet
    3 | int before(int x) { return after(x) + afetr(x); }
      |                            ^^^^^
help: declare it before it is called: `int after(int);`
test.c:3:39: error: `afetr` is not declared
    3 | int before(int x) { return after(x) + afetr(x); }
      |                                       ^^^^^
test.c:6:5: error: `x` is a variable, not a function
    6 |     x();
      |     ^
test.c:5:11: note: it is declared here
    5 | int f(int x) {
      |           ^
test.c:7:5: error: `never` is declared but never defined
    7 |     never(1);
      |     ^^^^^
test.c:2:5: note: it is declared here
    2 | int never(int);
      |     ^^^^^
test.c:8:5: error: `puts` is not declared
    8 |     puts("no header");
      |     ^^^^
help: add `#include <stdio.h>`
test.c:9:5: error: `assert` is not declared
    9 |     assert(x);
      |     ^^^^^^
help: add `#include <assert.h>`
test.c:10:5: error: the library function `malloc` is not supported yet
   10 |     malloc(4);
      |     ^^^^^^
test.c:11:5: error: `absx` is not declared
   11 |     absx(1);
      |     ^^^^
help: did you mean `abs`?
test.c:12:12: error: `after` is a function; functions as values are not supported yet
   12 |     return after;
      |            ^^^^^
help: to call it, write `after(…)`
""")


def test_misspelt_words_and_library_functions() -> None:
    check("""
int f(int x) {
    pritnf("text");
    while (x) brek;
    return x;
}
----
test.c:2:5: error: `pritnf` is not declared
    2 |     pritnf("text");
      |     ^^^^^^
help: did you mean `printf`?
test.c:3:15: error: `brek` is not declared
    3 |     while (x) brek;
      |               ^^^^
help: did you mean `break`?
""")


def test_the_arguments_of_a_wrong_call_are_checked() -> None:
    check("""
int f(int x) { return unknown(x, missing, f(1, 2)); }
----
test.c:1:23: error: `unknown` is not declared
    1 | int f(int x) { return unknown(x, missing, f(1, 2)); }
      |                       ^^^^^^^
test.c:1:34: error: `missing` is not declared
    1 | int f(int x) { return unknown(x, missing, f(1, 2)); }
      |                                  ^^^^^^^
test.c:1:43: error: `f` takes 1 argument, but 2 are given
    1 | int f(int x) { return unknown(x, missing, f(1, 2)); }
      |                                           ^
test.c:1:5: note: it is declared here as `int f(int)`
    1 | int f(int x) { return unknown(x, missing, f(1, 2)); }
      |     ^
""")


def test_declarations_that_do_not_agree() -> None:
    check("""
#include <stdlib.h>
int f(int);
int f(int, int);
long g(void) { return 1; }
int g(void) { return 2; }
int h();
int h(char c) { return c; }
int abs(int x) { return x; }
----
test.c:3:5: error: `int f(int, int)` does not agree with an earlier declaration
    3 | int f(int, int);
      |     ^
test.c:2:5: note: it is first declared here as `int f(int)`
    2 | int f(int);
      |     ^
test.c:5:5: error: `g` is defined twice
    5 | int g(void) { return 2; }
      |     ^
test.c:4:6: note: it is first defined here
    4 | long g(void) { return 1; }
      |      ^
test.c:7:5: error: `int h(char)` does not agree with an earlier declaration
    7 | int h(char c) { return c; }
      |     ^
test.c:6:5: note: it is first declared here as `int h()`
    6 | int h();
      |     ^
test.c:8:5: error: `abs` is already declared by <stdlib.h>
    8 | int abs(int x) { return x; }
      |     ^^^
""")


def test_library_functions_redeclared() -> None:
    check("""
#include <stdlib.h>
#include <stdio.h>
#include <math.h>
long abs(int x);
int labs();
float fabsf();
int printf();
int puts(int c);
void abort(int);
int putchar(int c) { return c; }
double sqrt(double x);
double f(void) { return sqrt(2.0); }
----
test.c:4:6: error: `long abs(int)` does not agree with <stdlib.h>, which declares `int abs(int)`
    4 | long abs(int x);
      |      ^^^
test.c:5:5: error: `int labs()` does not agree with <stdlib.h>, which declares `long labs(long)`
    5 | int labs();
      |     ^^^^
test.c:6:7: error: `float fabsf()` does not agree with <math.h>, which declares `float fabsf(float)`
    6 | float fabsf();
      |       ^^^^^
test.c:7:5: error: `int printf()` does not agree with <stdio.h>, which declares `int printf(const char *, ...)`
    7 | int printf();
      |     ^^^^^^
test.c:8:5: error: `int puts(int)` does not agree with <stdio.h>, which declares `int puts(const char *)`
    8 | int puts(int c);
      |     ^^^^
test.c:9:6: error: `void abort(int)` does not agree with <stdlib.h>, which declares `void abort(void)`
    9 | void abort(int);
      |      ^^^^^
test.c:10:5: error: `putchar` is already declared by <stdio.h>
   10 | int putchar(int c) { return c; }
      |     ^^^^^^^
test.c:12:25: error: the library function `sqrt` is not supported yet
   12 | double f(void) { return sqrt(2.0); }
      |                         ^^^^
""")


def test_main_with_another_signature() -> None:
    check("""
int main(int argc) { return argc; }
----
test.c:1:5: error: `main` must return `int` and take no parameters (command-line arguments are not supported yet)
    1 | int main(int argc) { return argc; }
      |     ^^^^
help: write `int main(void)`
""")


def test_formats_that_do_not_fit() -> None:
    check("""
#include <stdio.h>
void f(int i, long l, double d) {
    printf("%d %ld\\n", l, i);
    printf("%f %s\\n", i, d);
    printf("%d %d\\n", i);
    printf("%*d\\n", l, i);
    printf("%n\\n", i);
    printf("%y\\n");
    printf("%c\\n", "text");
    printf();
}
----
test.c:3:24: error: `%d` takes `int`, but this is `long`
    3 |     printf("%d %ld\\n", l, i);
      |                        ^
help: use `%ld` for `long`
test.c:3:27: error: `%ld` takes `long`, but this is `int`
    3 |     printf("%d %ld\\n", l, i);
      |                           ^
help: use `%d` for `int`
test.c:4:23: error: `%f` takes `double`, but this is `int`
    4 |     printf("%f %s\\n", i, d);
      |                       ^
help: use `%d` for `int`
test.c:4:26: error: `%s` takes `string`, but this is `double`
    4 |     printf("%f %s\\n", i, d);
      |                          ^
help: use `%f` for `double`
test.c:5:12: error: the format takes 2 arguments after it, but 1 is given
    5 |     printf("%d %d\\n", i);
      |            ^^^^^^^^^
test.c:6:21: error: `*` takes `int`, but this is `long`
    6 |     printf("%*d\\n", l, i);
      |                     ^
test.c:7:12: error: the conversion `%n` is not supported
    7 |     printf("%n\\n", i);
      |            ^^^^^^
test.c:8:12: error: the conversion `%y` is not supported
    8 |     printf("%y\\n");
      |            ^^^^^^
test.c:9:20: error: `%c` takes `int`, but this is `string`
    9 |     printf("%c\\n", "text");
      |                    ^^^^^^
help: use `%s` for `string`
test.c:10:5: error: the format must be a string literal
   10 |     printf();
      |     ^^^^^^
""")


def test_quoted_source_text_is_printable() -> None:
    check("""
#include <stdio.h>
void f(void) { printf("%z\\n"); printf("%\\1"); printf("%é"); printf("%\\xc3"); }
----
test.c:2:23: error: the conversion `%z\\n` is not supported
    2 | void f(void) { printf("%z\\n"); printf("%\\1"); printf("%é"); printf("%\\xc3"); }
      |                       ^^^^^^
test.c:2:39: error: the conversion `%\\x01` is not supported
    2 | void f(void) { printf("%z\\n"); printf("%\\1"); printf("%é"); printf("%\\xc3"); }
      |                                       ^^^^^
test.c:2:54: error: the conversion `%é` is not supported
    2 | void f(void) { printf("%z\\n"); printf("%\\1"); printf("%é"); printf("%\\xc3"); }
      |                                                      ^^^^
test.c:2:68: error: the conversion `%\\xc3` is not supported
    2 | void f(void) { printf("%z\\n"); printf("%\\1"); printf("%é"); printf("%\\xc3"); }
      |                                                                    ^^^^^^^
""")


def test_break_continue_and_cases_outside_of_loops_and_switches() -> None:
    check("""
int f(int x) {
    break;
    continue;
    switch (x) { case 1: continue; }
    case 2: x++;
    default: x++;
    return x;
}
----
test.c:2:5: error: `break` outside of a loop or `switch`
    2 |     break;
      |     ^^^^^^
test.c:3:5: error: `continue` outside of a loop
    3 |     continue;
      |     ^^^^^^^^^
test.c:4:26: error: `continue` outside of a loop
    4 |     switch (x) { case 1: continue; }
      |                          ^^^^^^^^^
test.c:5:5: error: `case` outside of a `switch`
    5 |     case 2: x++;
      |     ^^^^^^
test.c:6:5: error: `default` outside of a `switch`
    6 |     default: x++;
      |     ^^^^^^^
""")


def test_the_values_of_cases() -> None:
    check("""
int f(int x) {
    switch (x) {
    case 1: x = 1;
    case 3 - 2: x = 2;
    default: x = 3;
    default: x = 4;
    case x: x = 5;
    case 1.5: x = 6;
    case 1 / 0: x = 7;
    case 1 << 40: x = 8;
    case sizeof size: x = 9;
    }
    return x;
}
----
test.c:4:5: error: duplicate `case 1` in this `switch`
    4 |     case 3 - 2: x = 2;
      |     ^^^^^^^^^^
test.c:3:5: note: the first one is here
    3 |     case 1: x = 1;
      |     ^^^^^^
test.c:6:5: error: duplicate `default` in this `switch`
    6 |     default: x = 4;
      |     ^^^^^^^
test.c:5:5: note: the first one is here
    5 |     default: x = 3;
      |     ^^^^^^^
test.c:7:10: error: the value of a `case` is not a constant
    7 |     case x: x = 5;
      |          ^
test.c:8:10: error: the value of a `case` is not an integer
    8 |     case 1.5: x = 6;
      |          ^^^
test.c:9:10: error: the value of a `case` is not a constant: it divides by zero
    9 |     case 1 / 0: x = 7;
      |          ^^^^^
test.c:10:10: error: the value of a `case` is not a constant: the shift count is not between 0 and 31
   10 |     case 1 << 40: x = 8;
      |          ^^^^^^^
test.c:11:17: error: `size` is not declared
   11 |     case sizeof size: x = 9;
      |                 ^^^^
""")


def test_missing_and_duplicate_labels() -> None:
    check("""
int f(int x) {
again:
    if (x) goto agian;
    if (x > 1) goto again;
again:
    goto nowhere;
}
----
test.c:3:17: error: there is no label `agian` in this function
    3 |     if (x) goto agian;
      |                 ^^^^^
help: did you mean `again`?
test.c:5:1: error: the label `again` is defined twice
    5 | again:
      | ^^^^^
test.c:2:1: note: it is first defined here
    2 | again:
      | ^^^^^
test.c:6:10: error: there is no label `nowhere` in this function
    6 |     goto nowhere;
      |          ^^^^^^^
""")


def test_errors_in_dead_code_and_in_unevaluated_operands() -> None:
    check("""
int f(int x) {
    return sizeof(y);
    x = z;
}
----
test.c:2:18: error: `y` is not declared
    2 |     return sizeof(y);
      |                  ^^^
test.c:3:9: error: `z` is not declared
    3 |     x = z;
      |         ^
""")


def test_an_error_causes_no_further_errors() -> None:
    check("""
#include <stdio.h>
int f(int x) {
    double d = missing % 2.5;
    printf("%d %s %f\\n", missing, missing * 2, -missing);
    if (missing && ~missing) x = missing ? 1 : missing;
    missing += 2.5;
    switch (missing) { case 1: x <<= missing; }
    return missing(missing);
}
----
test.c:3:16: error: `missing` is not declared
    3 |     double d = missing % 2.5;
      |                ^^^^^^^
""")


def test_the_smallest_part_without_a_value_is_marked() -> None:
    text = """
int f(int x) {
    int a, b, c;
    if (x) return a;
    if (x = 1, b) return x = 0, c;
    unsigned d, e;
    return e = (d);
}
"""
    warnings: list[Diagnostic] = []
    convert(Source("test.c", text.lstrip("\n")), warnings=warnings)
    marked = [(str(each.span), words(each.span), each.message) for each in warnings if each.span]
    assert marked == [
        ("test.c:3:19", "a", "`a` is used uninitialised"),
        ("test.c:4:16", "b", "`b` is used uninitialised"),
        ("test.c:4:33", "c", "`c` is used uninitialised"),
        ("test.c:6:16", "(d)", "`d` is used uninitialised"),
    ]


def test_labels_never_used() -> None:
    check("""
int f(int x) {
unused:
    return x;
}
----
test.c:2:1: warning: the label `unused` is never used
    2 | unused:
      | ^^^^^^
""")


def test_arguments_that_the_format_does_not_use() -> None:
    check("""
#include <stdio.h>
void f(int x) { printf("%d\\n", x, x + 1, 2); }
----
test.c:2:35: warning: the format does not use this argument
    2 | void f(int x) { printf("%d\\n", x, x + 1, 2); }
      |                                   ^^^^^
""")


def test_a_function_that_is_declared_not_to_return_but_does() -> None:
    check("""
#include <stdnoreturn.h>
noreturn void f(int x);
void f(int x) {
    if (x == 1) return;
    while (x) x--;
}
_Noreturn int g(int x) {
    if (x) return x + 1;
    for (;;) ;
}
int h(int x) {
    if (x) return 1;
    f(x);
}
----
test.c:4:17: warning: `f` is declared `_Noreturn`, but may return here
    4 |     if (x == 1) return;
      |                 ^^^^^^^
test.c:6:1: warning: `f` is declared `_Noreturn`, but may return here
    6 | }
      | ^
test.c:8:19: warning: `g` is declared `_Noreturn`, but may return here
    8 |     if (x) return x + 1;
      |                   ^^^^^
""")


def test_an_end_without_a_value() -> None:
    check("""
int f(int x) {
    if (x) return 1;
}
int g(int x) {
    for (;;) if (x) return x;
}
----
test.c:3:1: warning: `f` may end without returning a value
    3 | }
      | ^
""")

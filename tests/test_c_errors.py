"""Errors and warnings of the lowering of C."""

from __future__ import annotations

import re

import pytest

from cpsconv.core.construction import Builder
from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.languages import read
from cpsconv.languages.c.diagnostics import RULES
from cpsconv.languages.warning_groups import GROUPS
from scripts.architecture import PACKAGE
from tests.c_trees import shown

SCENARIOS = {
    # a program, then the errors in it or else the warnings, as `shown` shows them
    "an undeclared name is reported once with a similar name": """
int total(int count) {
    int sum = cuont + nothing_like_it;
    for (int i = 0; i < cuont; i++) sum += i;
    return summ;
}
----
2:15 cuont: `cuont` is not declared [undeclared]
  help: did you mean `count`?
2:23 nothing_like_it: `nothing_like_it` is not declared [undeclared]
4:12 summ: `summ` is not declared [undeclared]
  help: did you mean `sum`?
""",
    "a variable ends with its block": """
int f(void) {
    { int inner = 1; }
    for (int i = 0; i < 3; i++) ;
    return inner + i;
}
----
4:12 inner: `inner` is not declared [undeclared]
4:20 i: `i` is not declared [undeclared]
""",
    "a `for` declares local variables only": """
int f(int n) {
    for (struct { int a; } v = {0}; v.a < n; v.a++) for (register int i = 0; i < n; i++) ;
    for (typedef int T; n; ) ;
    for (enum { A } i = A; n; ) ;
    for (static int i; n; ) ;
    for (struct t { int a; } *v = 0; n; ) ;
    for (int g(void), i = g(); n < i; ) ;
    return n;
}
----
3:10 typedef int T;: a `for` declares local variables only, and `T` is none [misplaced]
  help: declare it before the loop
4:10 enum { A } i = A;: a `for` declares local variables only, and `A` is none [misplaced]
  help: declare it before the loop
5:10 static int i;: a `for` declares local variables only, and `i` is none [misplaced]
  help: declare it before the loop
6:10 struct t { int a; } *v = 0;: a `for` declares local variables only, and `struct t` is none [misplaced]
  help: declare it before the loop
7:10 int g(void), i = g();: a `for` declares local variables only, and `g` is none [misplaced]
  help: declare it before the loop
""",
    "a name declared twice in a scope": """
int f(int a) {
    int a = 1;
    { int a = 2; }
    for (int i = 0; i < 3; i++) { int i = 4; }
    return a;
}
----
2:9 a: `a` is declared twice in the same scope [redefined]
  note 1:11 a: it is first declared here
""",
    "invalid targets of assignments": """
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
2:5 fixed: `fixed` is `const` and cannot be assigned to [const]
  note 1:17 fixed: it is declared here
3:5 fixed: `fixed` is `const` and cannot be assigned to [const]
  note 1:17 fixed: it is declared here
4:7 fixed: `fixed` is `const` and cannot be assigned to [const]
  note 1:17 fixed: it is declared here
5:5 5: only an object can be assigned to: a variable, `*p`, `a[i]` or `s.x` [not-assignable]
6:5 (x + 1): only an object can be assigned to: a variable, `*p`, `a[i]` or `s.x` [not-assignable]
7:5 f: a function cannot be assigned to [not-assignable]
""",
    "operators that need integers": """
double f(double d, int i) {
    d % 2;
    i << d;
    ~d;
    i ^= 1.5f;
    switch (d) { default: ; }
    return d;
}
----
2:5 d % 2: `%` needs integers, not `double` and `int` [type-mismatch]
3:5 i << d: `<<` needs integers, not `int` and `double` [type-mismatch]
4:5 ~d: `~` needs an integer, not `double` [type-mismatch]
5:5 i ^= 1.5f: `^` needs integers, not `int` and `float` [type-mismatch]
6:13 d: a `switch` needs an integer, not `double` [type-mismatch]
""",
    "void expressions where a value is needed": """
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
3:9 nothing(): expected a value, but this expression is `void` [void]
4:9 nothing(): expected a value, but this expression is `void` [void]
5:13 nothing(): expected a value, but this expression is `void` [void]
7:10 nothing(): expected a value, but this expression is `void` [void]
8:5 sizeof nothing(): `void` has no size [void]
10:12 x ? nothing() : nothing(): expected a value, but this expression is `void` [void]
""",
    "strings are pointers": """
#include <stdio.h>
double f(int x) {
    x = "one";
    puts(x);
    printf(x ? "%d" : "%s", x);
    return "two";
}
----
3:9 "one": warning: a pointer becomes an `int` without a cast [int-conversion]
  help: a string literal is a `char *`, not a number
4:10 x: warning: an integer becomes a `const char *` without a cast [int-conversion]
  help: write a cast if this is meant
6:12 "two": expected a `double`, but this is a `char *` [type-mismatch]
  help: a string literal is a `char *`, not a number
""",
    "a forgotten operator, index, call or other quotes": """
struct s { int a, *q; };
int f(int x, char c, char *s, unsigned u, struct s *r, unsigned *v) {
    int a[3];
    x = s;
    c = "a";
    c = "\\n";
    c = "ab";
    s = 'a';
    int *p = x;
    p = r->a;
    v = u;
    u = &x;
    u = a;
    x = f;
    x = r->q;
    x = r->q + 1;
    p = 5;
    if (c == "a" || p == x) return *v;
    return x ? p : 3;
}
----
4:9 s: warning: a pointer becomes an `int` without a cast [int-conversion]
  help: did you mean `*s`?
5:9 "a": warning: a pointer becomes a `char` without a cast [int-conversion]
  help: a character is written in single quotes: `'a'`
6:9 "\\n": warning: a pointer becomes a `char` without a cast [int-conversion]
  help: a character is written in single quotes: `'\\n'`
7:9 "ab": warning: a pointer becomes a `char` without a cast [int-conversion]
  help: a string literal is a `char *`, not a number
8:9 'a': warning: an integer becomes a `char *` without a cast [int-conversion]
  help: a string is written in double quotes: `"a"`
9:14 x: warning: an integer becomes an `int *` without a cast [int-conversion]
  help: did you mean `&x`?
10:9 r->a: warning: an integer becomes an `int *` without a cast [int-conversion]
  help: did you mean `&r->a`?
11:9 u: warning: an integer becomes an `unsigned *` without a cast [int-conversion]
  help: did you mean `&u`?
12:9 &x: warning: a pointer becomes an `unsigned` without a cast [int-conversion]
  help: did you mean `x`, without `&`?
13:9 a: warning: a pointer becomes an `unsigned` without a cast [int-conversion]
  help: did you mean an element, such as `a[0]`?
14:9 f: warning: a pointer becomes an `int` without a cast [int-conversion]
  help: did you mean a call, `f(…)`?
15:9 r->q: warning: a pointer becomes an `int` without a cast [int-conversion]
  help: did you mean `*r->q`?
16:9 r->q + 1: warning: a pointer becomes an `int` without a cast [int-conversion]
  help: write a cast if this is meant
17:9 5: warning: an integer becomes an `int *` without a cast [int-conversion]
  help: write a cast if this is meant
18:9 c == "a": warning: a comparison of a pointer and an integer, `char` and `char *` [int-conversion]
  help: a character is written in single quotes: `'a'`
18:21 p == x: warning: a comparison of a pointer and an integer, `int *` and `int` [int-conversion]
  help: did you mean `*p`?
19:12 x ? p : 3: warning: the operands of `?:` are a pointer and an integer, `int *` and `int` [int-conversion]
  help: did you mean `*p`?
19:12 x ? p : 3: warning: a pointer becomes an `int` without a cast [int-conversion]
  help: write a cast if this is meant
""",
    "variables of type void": """
int f(int x) {
    void v;
    v = 3;
    return sizeof(void);
}
----
2:10 v: a variable cannot be `void` [void]
4:12 sizeof(void): `void` has no size [void]
""",
    "a parameter of type void": """
int f(int x, void y) { return x; }
----
1:19 y: a parameter cannot be `void` [void]
""",
    "return values that do not fit the function": """
void none(int x) { return x; }
int some(int x) { return; }
int main(void) { return none(1); }
void pass_on(int x) { return missing; }
----
1:27 x: this function is `void`: it cannot return a value [return-type]
2:19 return;: warning: missing return value: this function returns `int` [return-type]
3:25 none(1): expected a value, but this expression is `void` [void]
4:30 missing: `missing` is not declared [undeclared]
""",
    "wrong numbers of arguments": """
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
5:5 none: `none` takes no arguments, but 1 is given [argument-count]
  note 2:5 none: it is declared here as `int none(void)`
6:5 one: `one` takes 1 argument, but none is given [argument-count]
  note 3:5 one: it is declared here as `int one(int)`
7:5 one: `one` takes 1 argument, but 2 are given [argument-count]
  note 3:5 one: it is declared here as `int one(int)`
8:5 abs: `abs` takes 1 argument, but 2 are given [argument-count]
9:5 exit: `exit` takes 1 argument, but none is given [argument-count]
""",
    "calls of names that cannot be called": """
#include <stdlib.h>
static int never(int);
int before(int x) { return after(x) + afetr(x); }
int after(int x) { return x; }
int f(int x) {
    x();
    never(1);
    puts("no header");
    assert(x);
    malloc(4);
    aabs(1);
    return 0;
}
----
3:28 after: warning: `after` is not declared [implicit-function-declaration]
  help: declare it before it is called: `int after(int x);`
3:39 afetr: `afetr` is not declared [undeclared]
  help: did you mean `after`?
6:5 x: `x` is a variable, not a function [not-a-function]
  note 5:11 x: it is declared here
7:5 never: `never` is declared but never defined [undefined-function]
  note 2:12 never: it is declared here
8:5 puts: warning: `puts` is not declared [implicit-function-declaration]
  help: add `#include <stdio.h>`
9:5 assert: `assert` is not declared [undeclared]
  help: add `#include <assert.h>`
11:5 aabs: `aabs` is not declared [undeclared]
  help: did you mean `abs`?
""",
    "misspelt words and library functions": """
int f(int x) {
    pritnf("text");
    while (x) brek;
    return x;
}
----
2:5 pritnf: `pritnf` is not declared [undeclared]
  help: did you mean `printf`?
3:15 brek: `brek` is not declared [undeclared]
  help: did you mean `break`?
""",
    "aliases of variables and of functions with variable arguments": """
int n, m __attribute__((alias("n")));
void f(int a, ...) {}
void g(int a, ...) __attribute__((alias("f")));
int h(void) __attribute__((alias("other")));
----
1:10 __attribute__((alias("n"))): an alias of `n`, no function of the source, is not supported yet [unsupported]
3:20 __attribute__((alias("f"))): aliases of functions with `...` are not supported yet [unsupported]
4:13 __attribute__((alias("other"))): an alias of `other`, no function of the source, is not supported yet [unsupported]
""",
    "a function with a similar name may be elsewhere": """
void print_left(void);
int f(int x) {
    print_left();
    print_right();
    print_lefty();
    print_lift();
    return xmalloc(2) + area2(1);
}
int area1(int x) { return x; }
----
4:5 print_right: warning: `print_right` is not declared [implicit-function-declaration]
  help: did you mean `print_left`?
5:5 print_lefty: warning: `print_lefty` is not declared [implicit-function-declaration]
  help: did you mean `print_left`?
6:5 print_lift: `print_lift` is not declared [undeclared]
  help: did you mean `print_left`?
7:12 xmalloc: warning: `xmalloc` is not declared [implicit-function-declaration]
  help: did you mean `malloc`?
7:25 area2: warning: `area2` is not declared [implicit-function-declaration]
  help: declare it before it is called: `int area2();`
""",
    "the arguments of a wrong call are checked": """
int f(int x) { return unknown(x, missing, f(1, 2)); }
----
1:23 unknown: warning: `unknown` is not declared [implicit-function-declaration]
  help: declare it before it is called: `int unknown();`
1:34 missing: `missing` is not declared [undeclared]
1:43 f: `f` takes 1 argument, but 2 are given [argument-count]
  note 1:5 f: it is declared here as `int f(int)`
""",
    "declarations that do not agree": """
#include <stdlib.h>
int f(int);
int f(int, int);
long g(void) { return 1; }
int g(void) { return 2; }
int h();
int h(char c) { return c; }
int abs(int x) { return x; }
----
3:5 f: `int f(int, int)` does not agree with an earlier declaration [redeclared]
  note 2:5 f: it is first declared here as `int f(int)`
5:5 g: `g` is defined twice [redefined]
  note 4:6 g: it is first defined here
7:5 h: `int h(char)` does not agree with an earlier declaration [redeclared]
  note 6:5 h: it is first declared here as `int h()`
8:5 abs: `abs` is already declared by <stdlib.h> [redefined]
""",
    "library functions redeclared": """
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
----
4:6 abs: `long abs(int)` does not agree with <stdlib.h>, which declares `int abs(int)` [redeclared]
5:5 labs: `int labs()` does not agree with <stdlib.h>, which declares `long labs(long)` [redeclared]
6:7 fabsf: `float fabsf()` does not agree with <math.h>, which declares `float fabsf(float)` [redeclared]
7:5 printf: `int printf()` does not agree with <stdio.h>, which declares `int printf(const char *, ...)` [redeclared]
8:5 puts: `int puts(int)` does not agree with <stdio.h>, which declares `int puts(const char *)` [redeclared]
9:6 abort: `void abort(int)` does not agree with <stdlib.h>, which declares `void abort(void)` [redeclared]
10:5 putchar: `putchar` is already declared by <stdio.h> [redefined]
""",
    "the floating-point environment": """
#include <fenv.h>
#include <math.h>
double f(double x) { fesetround(FE_UPWARD); return rint(x) + sqrtl(x); }
----
3:22 fesetround: the library function `fesetround` is not supported yet [unsupported]
""",
    "main with another result": """
long main(long argc) { return argc; }
----
1:6 main: `main` must return `int` [main-result]
  help: write `int main(void)`
""",
    "an assembler name of another declaration": """
int g(void); int f(void) __asm__("g"); int f(void) { return g(); }
----
1:44 f: `f` has the assembler name `g`, which is that of another declaration: this is not supported yet [unsupported]
""",
    "calls of a main with three parameters": """
int main(int argc, char **argv, char **envp) { return argc > 3 ? 0 : main(argc + 1, argv, envp); }
----
1:70 main: calls of a `main` with 3 parameters are not supported yet [unsupported]
""",
    "types without a format": """
#include <stdio.h>
void f(__int128 n) { printf("%d %s", n, n); printf("%y"); }
----
2:38 n: warning: `%d` takes `int`, but this is `__int128` [format]
2:41 n: warning: `%s` takes `char *`, but this is `__int128` [format]
2:52 "%y": warning: `%y` is not a conversion of `printf` [format]
""",
    "subscripts of functions": """
int f(int x) { return x; }
int g(int (*p)(int)) { return f[0](1) + p[1](2) + 0[f](3); }
----
2:31 f: `[]` needs an array or a pointer to an object, not an `int (*)(int)` [type-mismatch]
2:41 p: `[]` needs an array or a pointer to an object, not an `int (*)(int)` [type-mismatch]
2:53 f: `[]` needs an array or a pointer to an object, not an `int (*)(int)` [type-mismatch]
""",
    "operands of inline assembly": """
int f(int x) {
    asm("nop" : "=r");
    asm("" : "+r"(x) : "r" : "memory");
    return x;
}
----
2:17 "=r": an operand of inline assembly without an expression [syntax]
  help: write the expression in parentheses: `"=r"(x)`
3:24 "r": an operand of inline assembly without an expression [syntax]
  help: write the expression in parentheses: `"=r"(x)`
""",
    "formats that do not fit": """
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
3:24 l: warning: `%d` takes `int`, but this is `long` [format]
  help: use `%ld` for `long`
3:27 i: warning: `%ld` takes `long`, but this is `int` [format]
  help: use `%d` for `int`
4:23 i: warning: `%f` takes `double`, but this is `int` [format]
  help: use `%d` for `int`
4:26 d: warning: `%s` takes `char *`, but this is `double` [format]
  help: use `%f` for `double`
5:12 "%d %d\\n": warning: the format takes 2 arguments after it, but 1 is given [format]
6:21 l: warning: `*` takes `int`, but this is `long` [format]
7:20 i: warning: `%n` takes `int *`, but this is `int` [format]
8:12 "%y\\n": warning: `%y` is not a conversion of `printf` [format]
9:20 "text": warning: `%c` takes `int`, but this is `char *` [format]
  help: use `%s` for `char *`
10:5 printf: `printf` takes at least 1 argument, but none is given [argument-count]
""",
    "quoted source text is printable": """
#include <stdio.h>
void f(void) { printf("%z\\n"); printf("%\\1"); printf("%é"); printf("%\\xc3"); }
----
2:23 "%z\\n": warning: `%z\\n` is not a conversion of `printf` [format]
2:39 "%\\1": warning: `%\\x01` is not a conversion of `printf` [format]
2:54 "%é": warning: `%é` is not a conversion of `printf` [format]
2:68 "%\\xc3": warning: `%\\xc3` is not a conversion of `printf` [format]
""",
    "break continue and cases outside of loops and switches": """
int f(int x) {
    break;
    continue;
    switch (x) { case 1: continue; }
    case 2: x++;
    default: x++;
    return x;
}
----
2:5 break;: `break` outside of a loop or `switch` [misplaced]
3:5 continue;: `continue` outside of a loop [misplaced]
4:26 continue;: `continue` outside of a loop [misplaced]
5:5 case 2: `case` outside of a `switch` [misplaced]
6:5 default: `default` outside of a `switch` [misplaced]
""",
    "the values of cases": """
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
4:5 case 3 - 2: duplicate `case 1` in this `switch` [duplicate-case]
  note 3:5 case 1: the first one is here
6:5 default: duplicate `default` in this `switch` [duplicate-case]
  note 5:5 default: the first one is here
7:10 x: the value of a `case` is not a constant [not-constant]
8:10 1.5: the value of a `case` is not an integer [not-constant]
9:10 1 / 0: the value of a `case` is not a constant: it divides by zero [not-constant]
10:10 1 << 40: the value of a `case` is not a constant: the shift count is not between 0 and 31 [not-constant]
11:17 size: `size` is not declared [undeclared]
""",
    "missing and duplicate labels": """
int f(int x) {
again:
    if (x) goto agian;
    if (x > 1) goto again;
again:
    goto nowhere;
}
----
3:17 agian: there is no label `agian` in this function [undeclared]
  help: did you mean `again`?
5:1 again: the label `again` is defined twice [redefined]
  note 2:1 again: it is first defined here
6:10 nowhere: there is no label `nowhere` in this function [undeclared]
""",
    "errors in dead code and in unevaluated operands": """
int f(int x) {
    return sizeof(y);
    x = z;
}
----
2:18 (y): `y` is not declared [undeclared]
3:9 z: `z` is not declared [undeclared]
""",
    "an error causes no further errors": """
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
3:16 missing: `missing` is not declared [undeclared]
""",
    "labels never used": """
int f(int x) {
unused:
    return x;
}
----
2:1 unused: warning: the label `unused` is never used [unused-label]
""",
    "arguments that the format does not use": """
#include <stdio.h>
void f(int x) { printf("%d\\n", x, x + 1, 2); }
----
2:35 x + 1: warning: the format does not use this argument [format-extra-args]
""",
    "a function that is declared not to return but does": """
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
4:17 return;: warning: `f` is declared `_Noreturn`, but may return here [invalid-noreturn]
6:1 }: warning: `f` is declared `_Noreturn`, but may return here [invalid-noreturn]
8:19 x + 1: warning: `g` is declared `_Noreturn`, but may return here [invalid-noreturn]
""",
    "an end without a value": """
int f(int x) {
    if (x) return 1;
}
int g(int x) {
    for (;;) if (x) return x;
}
----
3:1 }: warning: `f` may end without returning a value [return-type]
""",
    "syntax errors in one function hide no errors in others": """
int zero(int x { return y; }
int one(int x) { if (x) { x = ; return y; } }
int two(int x) { return y + one(1, 2) + zero(); }
int three(int x) { return three(x, 1) + thre(x); }
----
1:16 {: expected `)` before `{` [syntax]
2:31 ;: expected an expression before `;` [syntax]
3:25 y: `y` is not declared [undeclared]
3:29 one: `one` takes 1 argument, but 2 are given [argument-count]
  note 2:5 one: it is declared here as `int one(int)`
4:27 three: `three` takes 1 argument, but 2 are given [argument-count]
  note 4:5 three: it is declared here as `int three(int)`
4:41 thre: `thre` is not declared [undeclared]
  help: did you mean `three`?
""",
    "missing semicolons and misspelt keywords hide no errors in the same function": """
int square(int x) { retrun x * y; }
int main(void) {
    int n = 3
    square(n, 2);
    return m }
----
1:21 retrun: unknown statement `retrun` [unknown-statement]
  help: did you mean `return`?
1:32 y: `y` is not declared [undeclared]
3:14: expected `;` after the declaration [syntax]
4:5 square: `square` takes 1 argument, but 2 are given [argument-count]
  note 1:5 square: it is declared here as `int square(int)`
5:12 m: `m` is not declared [undeclared]
5:13: expected `;` after the `return` statement [syntax]
""",
    "unsupported features hide no errors in the same function": """
#include <fenv.h>
#include <signal.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(4), n = missing;
    if (!p) fegetround(1 + sizeof(fenv_t), strerror(errno));
    p[nothing] = n % 2.5;
    feclearexcept(0);
    free(p);
}
----
5:29 missing: `missing` is not declared [undeclared]
6:13 fegetround: the library function `fegetround` is not supported yet [unsupported]
6:35 fenv_t: the floating-point environment is not supported yet [unsupported]
6:53 errno: `errno` is not declared [undeclared]
  help: add `#include <errno.h>`
7:7 nothing: `nothing` is not declared [undeclared]
7:18 n % 2.5: `%` needs integers, not `int` and `double` [type-mismatch]
8:5 feclearexcept: the library function `feclearexcept` is not supported yet [unsupported]
""",
    "errors next to macros": """
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SIZE 10
typedef double number;
enum color { RED, GREEN };
struct point { int x, y; } origin;
int table[SIZE];
char *name(int i);
number half(number x) { return x / 2 % 2; }
int sum(int a[], int n) { return n ? a[n] % 2 + sum(a, n - 1) : 0; }
int main(int argc, char **argv) {
    number x = half(SIZE), *p = &x;
    struct point here = { 1, 2 };
    int a[3] = { 0 }, b = MAX(origin.x, table[GREEN]), c = argc;
    switch (b) { case RED: case GREEN: a[0]++; (*p)--; here.x += 'ab'; }
    printf("%s %f %d", name(0), x, sum(a, 1, 2));
    x % 2; half(1, 2) % 2; (number)c % 2; sizeof(here) % 2; *p % 2; (**p)(1) = 3;
    return here;
}
----
8:32 x / 2 % 2: `%` needs integers, not `double` and `int` [type-mismatch]
14:66 'ab': warning: a character constant of 2 characters [multichar]
15:5 printf: warning: `printf` is not declared [implicit-function-declaration]
  help: add `#include <stdio.h>`
15:36 sum: `sum` takes 2 arguments, but 3 are given [argument-count]
  note 9:5 sum: it is declared here as `int sum(int *, int)`
16:5 x % 2: `%` needs integers, not `double` and `int` [type-mismatch]
16:12 half: `half` takes 1 argument, but 2 are given [argument-count]
  note 8:8 half: it is declared here as `double half(double)`
16:28 (number)c % 2: `%` needs integers, not `double` and `int` [type-mismatch]
16:43 sizeof(here) % 2: warning: this statement has no effect [unused-value]
16:61 *p % 2: `%` needs integers, not `double` and `int` [type-mismatch]
16:69 (**p): expected a pointer, but this is a `double` [type-mismatch]
17:12 here: expected an `int`, but this is a `struct point` [type-mismatch]
""",
    "vectors that do not suit an operation": """
typedef int four __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));
typedef short eight __attribute__((vector_size(16)));
int odd __attribute__((vector_size(12)));
four f(four a, floats b, eight c, int n, double *p) {
    a = a + b;
    a = a + c;
    a = a + 1.5;
    a = b;
    b = b % 2;
    b = ~b;
    a = !a;
    a = (four)n;
    if (a) n = (int)a;
    a = __builtin_shuffle(a, n);
    a = __builtin_convertvector(c, four);
    return a + p;
}
----
4:9 __attribute__((vector_size(12))): vectors of 12 bytes of `int` are not supported [unsupported]
6:9 a + b: `+` cannot be applied to `__vector(4) int` and `__vector(4) float` [type-mismatch]
7:9 a + c: `+` cannot be applied to `__vector(4) int` and `__vector(8) short` [type-mismatch]
8:9 a + 1.5: `+` cannot be applied to `__vector(4) int` and `double` [type-mismatch]
9:9 b: expected a `__vector(4) int`, but this is a `__vector(4) float` [type-mismatch]
10:9 b % 2: `%` cannot be applied to `__vector(4) float` and `int` [type-mismatch]
11:9 ~b: `~` cannot be applied to `__vector(4) float` [type-mismatch]
12:10 a: expected a number or pointer, but this is a `__vector(4) int` [type-mismatch]
13:9 (four)n: an `int` cannot be cast to `__vector(4) int` [type-mismatch]
14:9 a: expected a number or pointer, but this is a `__vector(4) int` [type-mismatch]
14:16 (int)a: a `__vector(4) int` cannot be cast to `int` [type-mismatch]
15:9 __builtin_shuffle(a, n): `__builtin_shuffle` cannot be applied to `__vector(4) int` and `int` [type-mismatch]
16:9 __builtin_convertvector(c, four): a `__vector(8) short` cannot be converted to `__vector(4) int` [type-mismatch]
17:12 a + p: `+` cannot be applied to `__vector(4) int` and `double *` [type-mismatch]
""",
    "vectors that a function of another file takes": """
typedef int four __attribute__((vector_size(16)));
void g(four);
void f(four a) { g(a); }
----
2:6 g: calls of `g`, which is declared only, with `__vector(4) int`, a vector, are not supported yet [unsupported]
""",
    "a constructor without the `main` that calls it": """
__attribute__((constructor)) static void begin(void) {}
----
1:42 begin: constructors and destructors in a file without `main` are not supported yet [unsupported]
""",
    "constructors and destructors that cannot be called": """
__attribute__((constructor)) static void begin(int count) {}
__attribute__((destructor)) static int end(void) { return 1; }
int main(void) { return 0; }
----
1:42 begin: a constructor with parameters is not supported yet [unsupported]
2:40 end: a destructor that returns a value is not supported yet [unsupported]
""",
    "the program calls a `main` that begins with calls of constructors": """
__attribute__((constructor)) static void begin(void) {}
int main(void) { return main(); }
----
1:42 begin: constructors and destructors in a program that calls `main` are not supported yet [unsupported]
""",
    "vector instructions are not supported": """
#include <immintrin.h>
#ifndef __SSE2__
int main(void) { return 0; }
#endif
__m128i sum;
----
5:1 __m128i: vector instructions are not supported yet [unsupported]
""",
    "unsupported parameters and results cause no further errors": """
int old(a, b) int a; int b; { return a % b; }
_Float128 wide(void) { return 1; }
struct point *make(int x) { return x; }
int main(void) {
    int two() { return old(1) % 2; }
    return (int)make(2)->x % 2 + wide() % 2 + two(3) + sizeof(int[2.5]) % 2.5 + missing;
}
----
2:11 wide: values of type `_Float128` are not supported yet [unsupported]
3:36 x: warning: an integer becomes a `struct point *` without a cast [int-conversion]
  help: write a cast if this is meant
5:24 old(1): warning: `old` takes 2 arguments, but 1 is given [deprecated-non-prototype]
6:17 make(2): the size of a `struct point` is not known here [incomplete-type]
  note 3:1 struct point: it is declared here
6:51 3: warning: `main.two` takes no arguments, but 1 is given [deprecated-non-prototype]
6:67 2.5: the length of this type must be an integer, not `double` [type-mismatch]
6:81 missing: `missing` is not declared [undeclared]
""",
    "nested functions that cannot be nested": """
int use(int (*)(int));
int pointer(int n) { int add(int x) { return x + n; } return use(add); }
int indirect(int n) { int add(int x) { return x + n; } int call(int x) { return add(x); } return use(call); }
int fixed(int n) { int add(int x) { return x + n; } static int (*p)(int) = add; return p(1); }
int plain(void) { int twice(int x) { return x * 2; } return use(twice); }
----
2:66 add: pointers to `add`, a nested function with outer variables, are not supported yet [unsupported]
  note 2:26 add: it is defined here
3:102 call: pointers to `call`, a nested function with outer variables, are not supported yet [unsupported]
  note 3:60 call: it is defined here
4:76 add: pointers to `add`, a nested function with outer variables, are not supported yet [unsupported]
  note 4:24 add: it is defined here
""",
    "errors in nested functions": """
int f(int n) {
    int g(int x) { return x + y; }
    int g(int z) { return z; }
    void h(void) { goto out; }
    struct s i(void) { }
    h();
out: return g(1) + g(2, 3) + n;
}
----
2:31 y: `y` is not declared [undeclared]
3:9 g: `g` is declared twice in the same scope [redefined]
  note 2:9 g: it is first declared here
4:25 out: there is no label `out` in this function [undeclared]
  help: a nested function cannot jump to a label outside of it
5:14 i: the type that `i` returns, `struct s`, is not complete [incomplete-type]
  note 5:5 struct s: it is declared here
7:1 out: warning: the label `out` is never used [unused-label]
7:20 g: `g` takes 1 argument, but 2 are given [argument-count]
  note 3:9 g: it is declared here as `int g1(int)`
""",
}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_errors_or_warnings_are_reported(scenario: str) -> None:
    program, expected = SCENARIOS[scenario].lstrip("\n").split("----\n")
    found: list[Diagnostic] = []
    try:
        read("c", Source("test.c", program))(Builder(checked=False), found)
    except DiagnosticError as caught:
        found = caught.diagnostics
    assert shown(found) == expected


@pytest.mark.parametrize(
    ("type", "article"),
    [
        *(dict.fromkeys(["int", "unsigned", "unsigned char", "unsigned long", "enum e", "__int128"], "an").items()),
        *(dict.fromkeys(["char", "long", "union u", "struct s", "double", "float *", "struct a *"], "a").items()),
    ],
)
def test_types_have_the_right_article(type: str, article: str) -> None:
    text = f"enum e {{ E }}; union u {{ int i; }}; struct s {{ int i; }};\nvoid f({type} x) {{ (0, x)(); }}"
    with pytest.raises(DiagnosticError, match=re.escape(f"this is {article} `{type}`, not a function")):
        read("c", Source("f.c", text))(Builder(checked=False), [])


def test_the_rules_are_those_that_the_front_end_reports() -> None:
    calls = r"(?:rrors\.(?:report|warn)\(\s*|_report_at\(|rule=)\"([a-z-]+)\""
    folder = PACKAGE / "languages" / "c"
    not_converting = {"library", "linking", "runtime"}
    texts = [path.read_text() for path in folder.rglob("*.py") if not_converting.isdisjoint(path.parts)]
    called = {rule for text in texts for rule in re.findall(calls, text)}
    assert called - GROUPS.keys() | {"literal"} == RULES.keys() - GROUPS.keys()


@pytest.mark.parametrize(
    ("call", "type"),
    [("stdout(1)", "a `FILE *`"), ("stdin()", "a `FILE *`"), ("errno(1)", "an `int`"), ("NULL(1)", "a `void *`")],
)
def test_an_object_of_the_library_cannot_be_called(call: str, type: str) -> None:
    text = f"#include <errno.h>\n#include <stdio.h>\nint main(void) {{ {call}; return 0; }}\n"
    with pytest.raises(DiagnosticError, match=f"this is {re.escape(type)}, not a function"):
        read("c", Source("f.c", text))(Builder(), [])

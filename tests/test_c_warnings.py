"""Warnings about C: usual mistakes, as in gcc; the options that choose groups; good programs without warnings."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from cpsconv import Diagnostic, DiagnosticError, Source, convert
from cpsconv.frontends.warning_groups import GROUPS, Warnings
from tests import gcc
from tests.expectations import CORPUS, EXAMPLES

ROOT = Path(__file__).parent.parent

MISTAKES = {
    "1:comment": ["int f(int a) { /* one /* two */ return a; }", "int f(int a) { // one \\\n  a++;\n  return a; }"],
    "": [
        "int f(unsigned b) { const int i = 3; return i < b; }",
        "int f(int a, int b) { return !a == !b; }",
        "int f(int a) { int b = 0; b++; return a; }",
        "int f(int a) { int b = 0; b += a; return a; }",
        "int f(int a) { int b = 0; b = b + a; return a; }",
        "long f(long a) { return a << 32; }",
        "int f(int a) {\n  while (a-- > 0)\n    ;\n  return a;\n}",
        "int f(unsigned b) { return b < 3; }",
        "int f(int a, unsigned char b) { return a < b; }",
        "char f(void) { char c = 200; return c; }",
        "unsigned char f(void) { unsigned char c = -1; return c; }",
        "int f(void) { int c = 4000000000; return c; }",
        "int f(void) { char c = (char)300; return c; }",
        "int f(int a) { switch (a) {\n case 1:\n a = 2;\n /* fall through */\n case 2:\n a++;\n break; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n a = 2;\n case 2:\n break; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n case 2:\n a++;\n break; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n if (a > 2)\n break;\n else return 3;\n case 2:\n a++;\n"
        " break; }\n return a; }",
        "int f(int a) { if (a) a = 1; a = 2; return a; }",
        "int f(int a) {\n  if (a)\n    a = 1;\n  a = 2;\n  return a;\n}",
        "int f(int a) {\nif (a)\na = 1;\na = 2;\nreturn a;\n}",
        "int f(int a, int b) {\n  if (a)\n    if (b) return 1;\n    else return 2;\n  else return 3;\n return a;\n}",
        "int f(double a) { return a != a; }",
        "int f(int n) { if (n) return f(n - 1); return 0; }",
        "int f(int a) { for (;;) { a++; } return a; }",
        "int f(int a) { switch (a) { case 1: return 2; break; } return a; }",
        "int f(int i, int j) { j = i = i + 1; i = (i++, i); return j + i; }",
        "int f(int i) { int j = i++ && i; i = i + 1; return j ? i++ : i--; }",
        "int f(int a) { switch (a > 1) { case 1: return 2; } return a; }",
        "int f(void) { return 1 << 31; }",
        "int f(int a) { switch (a) {\n case 1:\n ;\n case 2:\n a++; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n a++;\n case 2:;\n  }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n a++;\n case 2: goto x;\n  }\n x: return a; }",
        "int f(int a) { for (;;) switch (a) {\n case 1:\n a++;\n case 2: continue;\n  }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:;\n int b;\n case 2: b = a++; a = b;\n  }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n a++;\n case 2:\n default:\n break;\n  }\n return a; }",
        "int f(int a, int b) { if (a += b) return 1; return 0; }",
        "int f(int a, int b) { if (!(a = b)) return 1; if ((a = b)) return 2; return 0; }",
        "int f(int a, int b) { return (a = b) ? 1 : 2; }",
        "int f(int a, int b, int c) { return a < (b < c); }",
        "int f(int a) { return !a == 0; }",
        "int f(int a, int b) { return !!a == b; }",
        "int f(int a, _Bool b) { return !a == b; }",
        "int f(_Bool a, int b) { return !a == b; }",
        "int f(int a, int b) { return (a < b) == 1; }",
        "int f(int a, int b) { return (a < b) > 0; }",
        "int f(int a, int b) { a && (b = 1); return b; }",
        "int f(int a, int b) { a ? (b = 1) : (b = 2); return b; }",
        "int f(int a, int b) { a ? (b = 1) : b; return b; }",
        "int f(int a, int b) { (a |= b) ? b : 2; return a; }",
        "int f(int a, int b) { a++ ? b : 2; return a; }",
        "int f(int a) { return 0 ? a / 0 : 1; }",
        "int f(int a) { return 0 && a / 0; }",
        "unsigned long f(int a) { return sizeof(a / 0); }",
        "int f(void) { return -1 >> 3; }",
        "int f(void) { return 1 << 31; }",
        "unsigned f(void) { return 4294967295u + 1u; }",
        "short f(void) { short c = 65535; return c; }",
        "int f(int a) { a += 10000000000; return a; }",
        "float f(void) { float x = 1e300; return x; }",
        "char f(int a) { char c = a ? 300 : 1; return c; }",
        "int f(int a, unsigned b) { return (a & 255) < b; }",
        "int f(int a, unsigned b) { return (a == 1) == b; }",
        "int f(unsigned short a, unsigned b) { return a < b; }",
        "int f(unsigned b) { return (1 << 3) < b; }",
        "int f(unsigned b) { return +3 < b; }",
        "int f(unsigned b) { return 10 / 2 < b; }",
        "int f(unsigned b) { const int i = 3 * 4; return i < b; }",
        "int f(unsigned b) { const int i = 3; const int j = i; return j < b; }",
        "int f(int a) { return a == 3u; }",
        "int f(int a, unsigned b) { return (a ? 3 : 4) < b; }",
        "int f(int a, unsigned b) { return (a = 5) < b; }",
        "int f(unsigned char a, unsigned b) { return (int)a < b; }",
        "int f(_Bool a, unsigned b) { return (int)a < b; }",
        "#include <stdlib.h>\nint f(int a, unsigned b) { return abs(a) < b; }",
        "int f(int a, unsigned b) { return ((a & 7) % 5 | 8) < b; }",
        "int f(int a, unsigned long b) { return (long)(a & 3) < b; }",
        "int f(unsigned char a, unsigned char b, unsigned c) { return a + b < c || a * b < c; }",
        "unsigned f(int a, unsigned b) { return a ? (a & 3) : b; }",
        "int f(int a, int b) { return (a ? 0.5 : 0.0) && b; }",
        "int f(int a, int b) { return (a ? 1 : b) || b; }",
        "int f(unsigned a, int b) { return (a << 3) && b; }",
        "int f(int a, int b) { if (1 << 3) return b; return a; }",
        "static inline int g(int a) { return a; } int f(int a) { return a; }",
    ],
    "2:absolute-value": [
        "#include <stdlib.h>\nint f(double a) { return abs(a); }",
        "#include <stdlib.h>\nint f(unsigned a) { return abs(a); }",
        "#include <stdlib.h>\nlong f(long a) { return abs(a); }",
        "#include <math.h>\ndouble f(int a) { return fabs(a); }",
    ],
    "1:bool-compare": [
        "int f(int a, int b) { return (a < b) == 2; }",
        "int f(int a, int b) { return (a < b) < 0; }",
        "int f(_Bool a) { return a == 5; }",
        "int f(_Bool c) { return c > 1; }",
    ],
    "1:bool-operation": ["int f(_Bool b) { return ~b; }", "int f(int a) { return ~(a == 1); }"],
    "2:dangling-else": [
        "int f(int a, int b) {\n  if (a)\n    if (b)\n      return 1;\n    else\n      return 2;\n  return a;\n}",
        "int f(int a, int b) {\n  if (a)\n    if (b) return 1;\n  else\n    return 2;\n  return a;\n}",
        "int f(int a, int b) {\n  if (a)\n    for (;;)\n      if (b) return 1;\n      else return 2;\n  return a;\n}",
        "int f(int a, int b) {\n  if (a)\n    while (b--)\n      if (b) return 1;\n      else return 2;\n"
        "  return a;\n}",
        "int f(int a, int b) {\n  if (a)\n    if (b) return 1;\n    else if (a > 1) return 3;\n"
        "    else return 2;\n  return a;\n}",
    ],
    "3:dangling-else": [
        "int f(int a, int b) {\n  if (a)\n    if (b)\n    if (b > 1) return 1;\n    else return 2;\n  return a;\n}"
    ],
    "1:div-by-zero": [
        "int f(int a) { return a / 0; }",
        "int f(int a) { return a % 0; }",
        "int f(int a) { return a / (2 - 2); }",
        "int f(int a) { return a / (1 & 2); }",
        "int f(int a) { return a / (1 >> 1); }",
        "int f(int a) { a /= 0; return a; }",
        "double f(double a) { return a / 0; }",
    ],
    "1:empty-body": ["int f(int a) { if (a) a = 1; else ; return a; }", "int f(int a) { do ; while (a--); return a; }"],
    "2:format": ['#include <stdio.h>\nint main(void) { int n = 0; return scanf("%d", n); }'],
    "2:format-extra-args": ['#include <stdio.h>\nint main(void) { printf("%d\\n", 1, 2); return 0; }'],
    "2:format-zero-length": ['#include <stdio.h>\nint main(void) { printf(""); return 0; }'],
    "1:ignored-qualifiers": [
        "const int f(void) { return 1; }",
        "int const f(const int a) { return a; }",
        "volatile double f(void);",
        "static const volatile unsigned f(void) { return 1; } int g(void) { return f() > 1; }",
    ],
    "3:implicit-fallthrough": [
        "int f(int a) { switch (a) {\n case 1:\n a++;\n case 2:;\n a--;\n break; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n a++;;\n case 2:\n a--;\n break; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n a++;\n case 2:;\n int b = a;\n a = b * 2; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n a = 2;\n case 2:\n a++;\n break; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n if (a > 2)\n break;\n case 2:\n a++;\n break; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n a = 2;\n default:\n a++; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n while (a < 4)\n a++;\n default:\n a++; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1: {\n a++;\n }\n default:\n a++; }\n return a; }",
        "int f(int a) { switch (a) {\n case 1:\n a = 2;\n case 2:\n return a; }\n return a; }",
    ],
    "4:implicit-fallthrough": [
        "int f(int a) {\n  switch (a) {\n  case 1:\n    if (a)\n      a = 1;\n    case 2: a = 3; break;\n"
        "  }\n  return a;\n}"
    ],
    "1:infinite-recursion": [
        "int f(int n) { return f(n - 1) + 1; }",
        "int f(int n) { if (n) return f(n - 1); else return f(n + 1); }",
        "int g(int); int f(int n) { return g(n); } int g(int n) { return f(n); }",
        "void f(void) { f(); }",
        "int c(void) { return 1; } void f(void) { for (;;) if (c()) f(); }",
    ],
    "1:int-in-bool-context": [
        "int f(int a, int b) { if (a << b) return 1; if (a * b) return 2; return 0; }",
        "int f(int a) { if (a ? 1 : 2) return 1; return 0; }",
        "int f(int a, int b) { return (a ? 42 : b) || b; }",
        "_Bool f(int a, int b) { _Bool c = a * b; return c; }",
        "int f(int a, int b) { return (a ? b : -2) ? 1 : b; }",
    ],
    "1:logical-not-parentheses": ["int f(int a, int b) { return !a == b; }", "int f(int a, int b) { return !a < b; }"],
    "2:misleading-indentation": [
        "int f(int a) {\n  while (a--);\n    a = 2;\n  return a;\n}",
        "int f(int a) {\n  while (a > 0);\n  {\n    a--;\n  }\n  return a;\n}",
        "int f(int a) {\n  for (int i = 0; i < 3; i++);\n    a = 2;\n  return a;\n}",
        "int f(int a) {\n  if (a)\n    a = 1;\n    a = 2;\n  return a;\n}",
        "int f(int a) {\n  for (int i = 0; i < 3; i++)\n    a += i;\n    a *= 2;\n  return a;\n}",
        "int f(int a) {\n  while (a < 9)\n    a++;\n    a *= 2;\n  return a;\n}",
    ],
    "3:misleading-indentation": [
        "int f(int a) {\n  if (a)\n    for (int i = 0; i < 3; i++)\n      a++;\n      a = 1;\n  return a;\n}"
    ],
    "4:misleading-indentation": [
        "int f(int a) {\n  if (a)\n    a = 1;\n  else\n    a = 3;\n    a = 2;\n  return a;\n}",
        "int f(int a) {\n  if (a == 1)\n    a = 1;\n  else if (a == 2)\n    a = 3;\n    a = 2;\n  return a;\n}",
        "int f(int a) {\n  switch (a) {\n  case 1:\n    if (a)\n      a = 1;\n      break;\n"
        "  case 2: if (a) a = 3; break;\n  }\n  return a;\n}",
        "int f(int a) {\n  if (a) {\n    a = 1;\n  } else\n    a = 3;\n    a = 2;\n  return a;\n}",
    ],
    "1:overflow": [
        "int f(void) { return 2147483647 + 1; }",
        "int f(void) { return 100000 * 100000; }",
        "int f(void) { return -2147483647 - 2; }",
        "int f(void) { return 2 * (2147483647 - 1) + 5; }",
        "char f(void) { char c = 300; return c; }",
        "unsigned char f(void) { unsigned char c = 256; return c; }",
        "int f(void) { int c = 10000000000; return c; }",
        "int g(short s) { return s; } int f(void) { return g(70000); }",
        "short f(void) { return 70000; }",
        "int f(void) { return (1 << 30) * 4; }",
        "char f(void) { char c = 0x7f | 0x100; return c; }",
    ],
    "1:parentheses": [
        "int f(int a, int b) { if (a = b) return 1; return 0; }",
        "int f(int a, int b) { while (a = b) b--; return a; }",
        "int f(int a, int b) { for (; a = b;) b--; return a; }",
        "int f(int a, int b, int c) { return a < b < c; }",
        "int f(int a, int b, int c) { return a == b == c; }",
        "int f(int a, int b, int c) { return a < b == c; }",
        "int f(int a, int b) { return a & b == 1; }",
        "int f(int a, int b) { return a | b == 1; }",
        "int f(int a, int b) { return a ^ b == 1; }",
        "int f(int a, int b) { return a & b + 1; }",
        "int f(int a, int b) { return a | b & 1; }",
        "int f(int a, int b) { return a | b + 1; }",
        "int f(int a, int b) { return a ^ b & 1; }",
        "int f(int a, int b) { return a << b + 1; }",
    ],
    "1:return-type": ["int f(int a) { if (a) return 1; }", "int f(int a) { a++; }"],
    "1:sequence-point": [
        "int f(int i) { i = i++; return i; }",
        "int f(int i) { int a = i + i++; return a; }",
        "int f(int i) { return i++ + i++; }",
        "int f(int i) { return i == i++; }",
        "int f(int i) { i = i + 1 + i++; return i; }",
        "int f(int a, int b) { a = (b = a) + b; return a; }",
        "int f(int i) { i = i ? i++ : 1; return i; }",
        "int f(int i) { i = ++i + 1; return i; }",
    ],
    "1:shift-count-negative": ["int f(int a) { return a << -1; }"],
    "1:shift-count-overflow": [
        "int f(int a) { return a << 32; }",
        "int f(int a) { a >>= 40; return a; }",
        "int f(int a) { return a << (1 << 5); }",
    ],
    "1:shift-negative-value": [
        "int f(void) { return -1 << 3; }",
        "int f(void) { return ~0 << 3; }",
        "int f(int a) { return -2 << (a & 31); }",
    ],
    "1:shift-overflow": [
        "int f(void) { return 5 << 30; }",
        "int f(void) { return 3 << 31; }",
        "int f(void) { return 10 / 2 << 31; }",
    ],
    "1:sign-compare": [
        "int f(int a, unsigned b) { return (a ? 3 : -4) < b; }",
        "int f(int a, unsigned b) { return (a = b) < b; }",
        "int f(signed char a, unsigned b) { return (int)a < b; }",
        "int f(int a, unsigned b) { return a % 5 < b; }",
        "int f(unsigned char a, unsigned char b, unsigned c) { return a - b < c; }",
        "int f(int a, unsigned b) { return a < b; }",
        "int f(unsigned b) { int i = 0; return i < b; }",
        "int f(int a, unsigned b) { return a == b; }",
        "int f(unsigned b) { return b == -1; }",
        "int f(int a, unsigned long b) { return a < b; }",
        "int f(int a) { return a < sizeof(int); }",
        "unsigned f(int a, int c, unsigned b) { return c ? a : b; }",
        "unsigned f(int c, unsigned b) { return c ? -1 : b; }",
        "int f(short a, unsigned b) { return a < b; }",
        "int f(unsigned b) { int n = 3; const int i = n; return i < b; }",
        "int f(unsigned b) { int i = 3; return i + 1 < b; }",
        "int f(unsigned b) { return ~0 < b; }",
        "int f(int a) { return a < 3u; }",
        "int f(int a) { return a == 4000000000u; }",
    ],
    "1:switch-outside-range": [
        "int f(unsigned char a) { switch (a) { case 300: return 2; } return a; }",
        "int f(char a) { switch (a) { case 200: return 2; } return a; }",
    ],
    "1:switch-unreachable": [
        "int f(int a) { switch (a) { a = 1; case 1: return 2; } return a; }",
        "int f(int a) { switch (a) { int b = 1; case 1: b = 2; return b; } return a; }",
    ],
    "1:tautological-compare": [
        "int f(int a) { return a == a; }",
        "int f(int a) { return a < a; }",
        "int f(int a, int b) { return a + b == a + b; }",
    ],
    "1:type-limits": [
        "int f(unsigned a) { return a < 0; }",
        "int f(unsigned a) { return a >= 0; }",
        "int f(unsigned char a) { return a > 255; }",
        "int f(signed char a) { return a == 200; }",
        "int f(unsigned a) { return 0 > a; }",
        "int f(void) { int s = 0; for (unsigned i = 10; i >= 0; i--) s += i; return s; }",
    ],
    "1:uninitialized": ["int f(void) { int a; return a; }"],
    "1:unused-but-set-parameter": ["int f(int a, int b) { b = 1; return a; }"],
    "1:unused-but-set-variable": [
        "int f(int a) { int b; b = a; return a; }",
        "int f(int b) { int a; if (b) a = 1; return 2; }",
    ],
    "1:unused-function": [
        "static int g(int a) { return a; } int f(int a) { return a; }",
        "static int g(int a) { return a ? g(a - 1) : 0; } int f(int a) { return a; }",
        "static int g(int a); int f(int a) { return a; }",
    ],
    "1:unused-label": ["int f(int a) { end: return a; }"],
    "1:unused-parameter": ["int f(int a, int b) { return a; }", "int f(int a) {\n  for (;;);\n}"],
    "1:unused-value": [
        "int f(int a) { a; return a; }",
        "int f(int a) { a == 1; return a; }",
        "int f(int a) { a + 1; return a; }",
        "int f(int a) { 3; return a; }",
        "int f(int a) { a, a++; return a; }",
        "int f(int a) { int b = (a, 2); return a + b; }",
        "int f(int a) { a ? 1 : 2; return a; }",
        "int f(int a) { a && a; return a; }",
        "int f(int a) { for (a; a < 3; a + 1) { a++; } return a; }",
    ],
    "1:unused-variable": [
        "int f(int a) { int b; return a; }",
        "int f(int a) { int b = a; return a; }",
        "void f(void) { for (int i = 0; ;) { } }",
        "int f(int a) { int b, c = 2; { int b = 3; } return a; }",
    ],
}
"""Functions by the warning that each gives with -Wall -Wextra, as `LINE:GROUP`; those of `""` give none."""
"""Programs by the lines and groups of all their warnings, which gcc reports, too."""

DIFFERENCES = {
    "int f(int a) { if (a); return 1; return 0; }": ("1:empty-body 1:unreachable-code", "1:empty-body"),
    "int f(int a) {\n  if (a);\n    a = 2;\n  return a;\n}": ("2:empty-body", "2:empty-body 2:misleading-indentation"),
    "int f(int a) { a = a; return a; }": ("1:self-assign", ""),
    "int f(int a) { return a; a = 3; }": ("1:unreachable-code", ""),
    "int f(int a) { for (;;) { a++; break; a = 4; } return a; }": ("1:unreachable-code", ""),
    "int f(int a) { goto end; a = 1; end: return a; }": ("1:unreachable-code", ""),
    "int f(int a) { for (;;); a = 3; return a; }": ("1:unreachable-code", ""),
    "int f(int a) { do a++; while (1); a = 3; return a; }": ("1:unreachable-code", ""),
    "int f(int a) { while (1); return a; }": ("", ""),
    "int f(int a, int b) { return a > b == 5; }": ("1:parentheses", "1:bool-compare 1:parentheses"),
    "int f(int a) { return 1; return a / 0; }": ("1:unreachable-code", "1:div-by-zero"),
    "int f(int a) { if (0) return a / 0; return 1; }": ("", "1:div-by-zero"),
    "#include <stdlib.h>\nvoid f(int a) { if (a) exit(0); f(a); }": ("", "2:infinite-recursion"),
    "int f(int a) { return a; return f(a); }": ("1:unreachable-code", ""),
}
"""Programs with their warnings here and in gcc."""


def shown(found: Iterable[Diagnostic]) -> str:
    """The lines and groups of diagnostics, each once."""
    lines = {(each.span.line, each.rule) for each in found if each.span}
    return " ".join(f"{line}:{rule}" for line, rule in sorted(lines))


def warnings_of(text: str, *warn: str) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    convert(Source("program.c", text), warnings=found, warn=warn)
    return found


def judged_by_gcc(path: Path) -> str:
    """The warnings of gcc."""
    assert gcc.GCC
    command = [gcc.GCC, "-std=c17", "-Wall", "-Wextra", "-O2", "-S", str(path), "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True)
    found = {(int(line), group) for line, group in re.findall(r":(\d+):\d+: .*\[-W([a-z-]+)=?\d?\]", done.stderr)}
    return " ".join(f"{line}:{group}" for line, group in sorted(found))


EXPECTED = {text: (expected, expected) for expected, texts in MISTAKES.items() for text in texts} | DIFFERENCES


@pytest.mark.parametrize("text", EXPECTED)
def test_a_mistake_gives_the_warnings_of_its_groups(text: str) -> None:
    assert shown(warnings_of(text, "all", "extra")) == EXPECTED[text][0]


@gcc.needs_gcc
def test_gcc_reports_the_same_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    found = {}
    for text in EXPECTED:
        path.write_text(text + "\n")
        found[text] = judged_by_gcc(path)
    assert found == {text: expected for text, (_, expected) in EXPECTED.items()}


STRICTER = {"unreachable-code", "uninitialized", "maybe-uninitialized"}
"""The groups that gcc does not have, or reports in the optimised program only."""

DISPUTED = {
    "switch_cases_in_nested_blocks": {(14, "implicit-fallthrough")},
    "missing_arguments": {(line, "deprecated-non-prototype") for line in (12, 13)},
    "doubtful_literals": {(11, "overflow"), (12, "overflow"), (15, "unknown-escape")},
    "effects_of_type_names": {
        *((line, "unused-value") for line in (48, 50)),
        *((line, "unused-variable") for line in (44, 46, 52, 53, 55)),
    },
}
"""Warnings that gcc reports at other lines, without a group, or not at all; of types with effects, uses for gcc."""


@gcc.needs_gcc
@pytest.mark.parametrize("path", EXAMPLES + CORPUS, ids=lambda path: path.stem)
def test_there_are_no_warnings_where_gcc_is_silent(path: Path) -> None:
    found = [each for each in warnings_of(path.read_text(), "all", "extra") if each.rule not in STRICTER]
    extra = {*shown(found).split()} - {f"{line}:{rule}" for line, rule in DISPUTED.get(path.stem, ())}
    assert not extra or extra <= {*judged_by_gcc(path).split()}


# ----------------------------------------------------------------------------------------------------- one by one


def test_a_warning_shows_its_group_its_cure_and_further_places() -> None:
    [found] = warnings_of("int f(int a) {\n  if (a)\n    if (a > 1) return 1;\n  else return 2;\n  return 3;\n}\n")
    expected = """\
program.c:2:3: warning: this `else` may be read as one of the outer `if` [-Wdangling-else]
    2 |   if (a)
      |   ^^
program.c:4:3: note: the `else`
    4 |   else return 2;
      |   ^^^^
program.c:3:5: note: it belongs to this `if`
    3 |     if (a > 1) return 1;
      |     ^^
help: put the body of the outer `if` in braces"""
    assert found.render() == expected


def test_an_error_has_no_warnings_that_follow_from_it() -> None:
    text = "int f(int a, int b) { int sum = a + bb; brek; if (a = 1) return 2; return 1; }"
    with pytest.raises(DiagnosticError) as caught:
        warnings_of(text, "all", "extra")
    assert shown(caught.value.diagnostics) == "1:parentheses 1:undeclared"


def test_unreachable_code_has_one_warning() -> None:
    text = "int f(int a) {\n  return a;\n  { a = 1;\n    a = 2; }\n  a = 3;\n  a = 4;\n}\n"
    assert shown(warnings_of(text)) == "3:unreachable-code"


def test_an_error_in_a_function_keeps_the_warnings_found_while_reading() -> None:
    with pytest.raises(DiagnosticError) as caught:
        warnings_of("int f(void) { return 'ab'; }\nint g(void) { return x; }")
    assert shown(caught.value.diagnostics) == "1:multichar 2:undeclared"


# --------------------------------------------------------------------------------------------------------- options

ALL = "int f(int a) { int b = 1; if (a = 2) return 1; return 3; }"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "1:parentheses"),
        (["all"], "1:parentheses 1:unused-variable"),
        (["all", "no-unused"], "1:parentheses"),
        (["no-unused-variable", "all"], "1:parentheses"),
        (["no-all", "unused-variable"], "1:unused-variable"),
        (["everything", "no-unused-variable"], "1:parentheses"),
        (["unused", "no-parentheses"], "1:unused-variable"),
        (["all", "no-error"], "1:parentheses 1:unused-variable"),
        (["error", "no-error=parentheses"], "1:parentheses"),
        (["implicit-fallthrough=3"], "1:parentheses"),
    ],
)
def test_options_choose_groups(options: list[str], expected: str) -> None:
    assert shown(warnings_of(ALL, *options)) == expected


@pytest.mark.parametrize(
    ("options", "errors"),
    [
        (["error"], "1:parentheses"),
        (["error", "all"], "1:parentheses 1:unused-variable"),
        (["error=unused-variable"], "1:unused-variable"),
        (["all", "error", "no-error=unused"], "1:parentheses"),
    ],
)
def test_a_warning_can_be_an_error(options: list[str], errors: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        warnings_of(ALL, *options)
    assert shown(each for each in caught.value.diagnostics if each.severity == "error") == errors
    assert "[-Werror=" in str(caught.value)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("unusd-variable", "there is no group of warnings 'unusd-variable'; did you mean `unused-variable`?"),
        ("no-xyz", "there is no group of warnings 'xyz'"),
        ("error=", "there is no group of warnings 'error='"),
        ("error=al", "there is no group of warnings 'al'; did you mean `all`?"),
    ],
)
def test_an_unknown_group_is_refused(option: str, message: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        Warnings([option])


def test_the_command_line_has_the_same_options(tmp_path: Path, cpsconv) -> None:
    path = tmp_path / "f.c"
    path.write_text(ALL)
    done = cpsconv("check", "-Wall", str(path))
    assert (done.status, done.out) == (0, f"{path}: 2 warnings, certified: 2 continuations, 0 parameters\n")
    assert cpsconv("check", "-Wno-parentheses", str(path)).out.startswith(f"{path}: ok")
    assert cpsconv("check", "-Wall", "-w", "-Werror", str(path)).out.startswith(f"{path}: ok")
    assert cpsconv("convert", "-Werror", str(path)).status == 1
    assert "did you mean `unused`?" in cpsconv("run", "-Wunusd", str(path)).err


def test_the_table_in_the_documentation_is_that_of_the_code() -> None:
    rows = [f"| `{name}` | {group.enabled_by} | {group.description} |" for name, group in GROUPS.items()]
    page = (ROOT / "docs" / "warnings.md").read_text("utf-8")
    assert page.partition("|---|---|---|\n")[2].partition("\n\n")[0].splitlines() == rows

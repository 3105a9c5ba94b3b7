"""Built-in functions of gcc that are expressed in C: their values by Python's integers, and wrong calls."""

from __future__ import annotations

import itertools
from glob import glob
from textwrap import dedent

import pytest

from cpsconv import convert
from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.languages.c.meaning.expansions import value_of_bits
from testing.effort import sample
from testing.running import converted, observe

NUMBERS = [0, 1, -1, 7, -8, 255, 0x12345678, (1 << 32) - 1, 1 << 40]
NUMBERS += [-(1 << 31), (1 << 31) - 1, -(1 << 63), (1 << 63) - 1]
BITS = [
    f"{name}{suffix}" for name in ("popcount", "parity", "ctz", "clz", "ffs", "clrsb") for suffix in ("", "l", "ll")
]


@pytest.mark.parametrize("name", [*BITS, "bswap16", "bswap32", "bswap64"])
def test_bits_of_variables_are_those_of_constants(name: str) -> None:
    width = 64 if name.endswith(("l", "64")) else 32
    numbers = [each for each in NUMBERS if each % (1 << width) or name[:3] not in ("ctz", "clz")]
    calls = "".join(
        f'n = {each % (1 << 64)}ul; printf("%lu ", (unsigned long)__builtin_{name}(n));\n' for each in numbers
    )
    text = f"#include <stdio.h>\nint main(void) {{ volatile long n;\n{calls} return 0; }}"
    expected = [value_of_bits(name, each % (1 << width)) for each in numbers]
    assert observe(converted(text, "scc")).output == "".join(f"{each % (1 << 64)} " for each in expected)


RANGES = {"signed char": (8, True), "unsigned short": (16, False), "int": (32, True), "unsigned": (32, False)}
RANGES |= {"long": (64, True), "unsigned long": (64, False), "__int128": (128, True), "unsigned __int128": (128, False)}

PAIRS = [(type, type) for type in ("int", "unsigned", "long", "unsigned long", "__int128", "unsigned __int128")]
PAIRS += [("long", "unsigned long"), ("unsigned", "int"), ("unsigned short", "unsigned __int128"), ("__int128", "long")]

OPERATIONS = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__}


def wrapped(value: int, type: str) -> int:
    bits, signed = RANGES[type]
    value %= 1 << bits
    return value - (1 << bits) if signed and value >> (bits - 1) else value


@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize("type", RANGES)
def test_overflow_is_decided_exactly(op: str, type: str) -> None:
    """Pairs of operands of all types that `__int128` or `unsigned __int128` can hold.

    By default, each type of the result has a third of the pairs of types.
    """
    numbers = [0, 1, -1, 100, 200, 70000, (1 << 31) - 1, -(1 << 31), (1 << 32) - 1, (1 << 63) - 1, -(1 << 63), -1 << 40]
    numbers += [1 << 64, (1 << 127) - 1, -(1 << 127), 3 << 90] * (RANGES[type][0] > 32)
    lines, expected = [], ""
    for left, right in sample(PAIRS, 3, [*RANGES].index(type) % 3):
        if op == "mul" and type == "unsigned __int128" and left == "__int128":
            continue
        for pair in itertools.product(numbers, numbers):
            one, other = map(wrapped, pair, (left, right))
            exact = OPERATIONS[op](one, other)
            result = wrapped(exact, type)
            expected += f"{int(exact != result)} {int(exact != result)} {result >> 64} {result % (1 << 64)}\n"
        lines.append(f"""
            for (int i = 0; i < {len(numbers)}; i++) for (int j = 0; j < {len(numbers)}; j++) {{
                {left} a = ({left})v[i]; {right} b = ({right})v[j]; {type} r;
                int o = __builtin_{op}_overflow(a, b, &r); __int128 w = r;
                printf("%d %d ", o, __builtin_{op}_overflow_p(a, b, r));
                printf("%l{"d" if RANGES[type][1] else "u"} %lu\\n", (long)(w >> 64), (unsigned long)r);
            }}""")
    halves = ((each >> 64 & (1 << 64) - 1, each % (1 << 64)) for each in numbers)
    values = ", ".join(f"(unsigned __int128){high}ul << 64 | {low}ul" for high, low in halves)
    text = (
        f"#include <stdio.h>\nunsigned __int128 v[] = {{ {values} }};\nint main(void) {{ {''.join(lines)} return 0; }}"
    )
    assert observe(converted(dedent(text), "scc"), engine="python").output == expected


def test_a_check_of_overflow_of_constants_is_constant() -> None:
    text = """\
        enum { FITS = __builtin_add_overflow_p(2147483647, 0, 0) };
        enum { DOES_NOT = __builtin_add_overflow_p(2147483647, 1, 0) };
        _Static_assert(__builtin_sub_overflow_p(0, 1, 0u) && !__builtin_mul_overflow_p(-4, 32, (signed char)0), "");
        int main(void) { return 10 * DOES_NOT + FITS + (__builtin_add_overflow_p(1, 2, 0) ? 1 : 2); }
        """
    assert observe(converted(dedent(text), "scc")).status == 12


def test_a_check_of_overflow_evaluates_its_third_argument_for_its_effects_only() -> None:
    text = """\
        #include <stdio.h>
        int n, *nothing;
        int f(void) { return ++n; }
        int main(void) {
            int m = 1, found = __builtin_add_overflow_p(1, 2, f()) + __builtin_add_overflow_p(m, 2, f());
            printf("%d %d %d", found, n, __builtin_add_overflow_p(m, 2, *nothing));
            return 0;
        }
        """
    assert observe(converted(dedent(text), "scc")).output == "0 2 0"
    with pytest.raises(DiagnosticError, match="the value of `A` is not a constant"):
        convert(Source("test.c", "int f(void); enum { A = __builtin_add_overflow_p(1, 2, f()) };"))


def test_a_check_of_overflow_by_a_bit_field_is_that_of_its_width() -> None:
    """The numbers are those of gcc."""
    text = """\
        #include <stdio.h>
        struct { int a : 3; unsigned b : 3; long c : 40; unsigned d; } s;
        _Static_assert(__builtin_add_overflow_p(3, 1, s.a) && !__builtin_add_overflow_p(3, 1, s.b), "");
        _Static_assert(!__builtin_add_overflow_p(3, 1, +s.a) && !__builtin_add_overflow_p(3, 1, (int)s.a), "");
        int main(void) {
            int x = 3, y = 1;
            printf("%d %d ", __builtin_add_overflow_p(x, y, s.a), __builtin_sub_overflow_p(-x, y, (s.a)));
            printf("%d %d ", __builtin_add_overflow_p(x, y, s.b), __builtin_sub_overflow_p(x, 5, s.b));
            long z = 1 << 20;
            printf("%d %d ", __builtin_mul_overflow_p(z, z >> 2, s.c), __builtin_mul_overflow_p(z, z >> 1, s.c));
            printf("%d %d ", __builtin_sub_overflow_p(y, x, s.d), __builtin_sub_overflow_p(x, y, s.d));
            return 0;
        }
        """
    assert observe(converted(dedent(text), "scc")).output == "1 0 0 1 0 1 1 0 "


WRONG = {
    "__builtin_popcount()": "`__builtin_popcount` takes 1 argument, but none is given",
    "__builtin_clz(1, 2)": "`__builtin_clz` takes 1 argument, but 2 are given",
    "__builtin_ffs(nothing)": "`nothing` is not declared",
    "__builtin_isnan(n)": "`__builtin_isnan` needs a floating number, not an `int`",
    "__builtin_add_overflow(n, 1, n)": "`__builtin_add_overflow` needs two integers, and a pointer to an integer",
    "__builtin_mul_overflow(1.5, 1, &n)": "`__builtin_mul_overflow` needs two integers, and a pointer to an integer",
    "__builtin_add_overflow_p(n, 1, 2.5)": "`__builtin_add_overflow_p` needs three integers",
    "__builtin_add_overflow(1, nothing, &n)": "`nothing` is not declared",
    "__builtin_add_overflow(u, s, &n)": "checks of overflow on 128 bits, signed and unsigned, are not supported yet",
    "__builtin_prefetch()": "`__builtin_prefetch` takes 1 argument, but none is given",
}


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_call_is_reported_once(call: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        convert(Source("test.c", f"int f(int n, unsigned __int128 u, __int128 s) {{ {call}; return n; }}"))
    assert [each.message for each in caught.value.diagnostics if each.severity == "error"] == [WRONG[call]]


def test_statements_in_operands_that_are_typed_more_than_once() -> None:
    """Types decide what such an operand means before it is evaluated, or it is not evaluated at all."""
    text = """\
        #define TWICE(a) ({ int twice = a; if (twice) twice += a; twice; })
        #define MAX(a, b) ({ __auto_type _a = (a); __auto_type _b = (b); _a > _b ? _a : _b; })
        int main(void) {
            int n = 5, result, *pointer = &n;
            __auto_type x = ({ int y = n; switch (y) { case 1 ... 5: y = 7; break; default: y = 9; } y; });
            typeof(({ int y = n; while (y > 3) y--; y; })) z = 3;
            int (*rows)[TWICE(n)] = 0, array[({ int k = n; for (int i = 0; i < 2; i++) k++; k; })];
            x += sizeof array + sizeof *rows + sizeof(({ int inner[TWICE(n)]; inner; })) + sizeof(int[TWICE(2)]);
            x += __builtin_popcount(TWICE(7)) + __builtin_add_overflow(TWICE(n), 4, &result) + result;
            x += _Generic(TWICE(1), int: TWICE(5), default: 0) + MAX(MAX(1, n), MAX(TWICE(4), 2));
            x += __builtin_constant_p(TWICE(1)) + __builtin_choose_expr(1, TWICE(1), 2);
            __atomic_exchange(({ if (n) x++; pointer; }), ({ if (n) x++; &z; }), ({ if (n) x++; &result; }), 5);
            return x + n + result;
        }
        """
    assert observe(converted(dedent(text), "scc")).status == 147  # as with gcc


def test_expansions_give_no_warnings() -> None:
    found: list[Diagnostic] = []
    text = "int f(int x) { int r; return __builtin_ffs(x) + __builtin_bswap32(x) + __builtin_mul_overflow(x, 3u, &r); }"
    convert(Source("test.c", text), warnings=found, warn=["all", "extra"])
    assert found == []


def test_a_value_outside_of_functions_must_be_constant() -> None:
    with pytest.raises(DiagnosticError) as caught:
        convert(Source("test.c", "int x; int y = __builtin_popcount(x), z = __builtin_popcount(7);"))
    assert [each.message for each in caught.value.diagnostics] == [
        "the value of `__builtin_popcount(x)` is not a constant"
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("atomic_fetch_add(&p, 1)", "`atomic_fetch_add` needs a pointer to an integer, not an `int **`"),
        ("__sync_fetch_and_or(3, 4)", "`__sync_fetch_and_or` needs a pointer to an integer, not an `int`"),
        ("atomic_store(p)", "`atomic_store` takes 2 arguments, but 1 is given"),
        ("atomic_load(*p)", "expected a pointer, but this is an `int`"),
        ("__atomic_frob(p)", "`__atomic_frob` is not declared"),
    ],
)
def test_wrong_atomic_operations_are_errors(call: str, message: str) -> None:
    text = f"#include <stdatomic.h>\nvoid f(int *p) {{ {call}; }}\n"
    with pytest.raises(DiagnosticError) as raised:
        convert(Source("test.c", text))
    assert [each.message for each in raised.value.diagnostics] == [message]


def test_atomic_objects_are_free_of_locks() -> None:
    text = """
    #include <stdatomic.h>
    #include <stdio.h>
    #if ATOMIC_INT_LOCK_FREE != 2 || __GCC_ATOMIC_POINTER_LOCK_FREE != 2
    #error
    #endif
    atomic_char16_t a;
    atomic_uint_fast8_t b = 255;
    atomic_int_least16_t c;
    int main(void) {
        atomic_fetch_add(&b, 1);
        int x = kill_dependency(a + 7);
        printf("%d %d %d %d\\n", x, b, atomic_is_lock_free(&c), __atomic_always_lock_free(sizeof a, 0));
        printf("%d %d %d\\n", __INT_FAST16_WIDTH__, __SIZE_WIDTH__, __INT_LEAST16_WIDTH__);
    }"""
    assert observe(converted(text, "scc")).output == "7 0 1 1\n64 64 16\n"


def test_names_of_atomic_operations_are_free_without_the_header() -> None:
    convert(Source("test.c", "int atomic_load(int *p) { return *p; }\nint f(int *p) { return atomic_load(p); }\n"))


def test_addresses_in_frames_are_refused_with_the_reason() -> None:
    with pytest.raises(DiagnosticError) as raised:
        convert(Source("test.c", "void *f(void) { return __builtin_return_address(0); }"))
    message = "`__builtin_return_address` is not supported: calls have no stack frames"
    assert [each.message for each in raised.value.diagnostics] == [message]


def test_the_processor_has_no_features() -> None:
    text = """
    int main(void) {
        unsigned a = 7, b = 8, c = 9, d;
        __asm__("cpuid" : "=a"(a) : "a"(0) : "ebx", "ecx", "edx");
        asm volatile("cpuid\\n\\t" : "=b"(b), "=c"(c), "=d"(d) : "a"(1), "1"(3));
        asm(".p2align 5");
        asm volatile(".balign 4, 0; nop");
        return a + b + c + d;
    }"""
    assert observe(converted(text, "scc")).status == 0


@pytest.mark.skipif(not glob("/usr/lib/gcc/x86_64-linux-gnu/*/include/cpuid.h"), reason="needs the headers of gcc")
def test_the_header_of_cpuid_is_a_file_of_the_compiler() -> None:
    text = """
    #include <cpuid.h>
    int main(void) {
        unsigned a, b, c, d, found = __get_cpuid(1, &a, &b, &c, &d) + __get_cpuid_max(0, 0);
        __cpuid(1, a, b, c, d);
        return found + ((d & bit_SSE2) != 0);
    }"""
    warnings: list[Diagnostic] = []
    assert observe(convert(Source("test.c", dedent(text)), warnings=warnings, warn=["all", "extra"])).status == 0
    assert warnings == []


@pytest.mark.parametrize("name", ["mmintrin", "ammintrin", "wmmintrin", "immintrin", "x86intrin"])
def test_headers_of_vector_instructions_can_be_included(name: str) -> None:
    convert(Source("test.c", f"#include <{name}.h>\nint x;\n"))

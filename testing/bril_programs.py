"""Programs in Bril, with the output, exit status and count of instructions that Bril's interpreter has for them."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """A program, the arguments of its `main`, its output and the number of executed `instructions`.

    `error` is a part of the message on standard error; the exit status is then 2, otherwise 0.
    """

    name: str
    text: str
    output: str = ""
    instructions: int = 0
    arguments: tuple[str, ...] = ()
    error: str = ""


EXAMPLES = [
    Example(
        "arithmetic_wraps",
        """
        @main {
          half: int = const 4611686018427387904;
          one: int = const 1;
          low: int = add half half;
          minus: int = const -1;
          down: int = sub low one;
          square: int = mul down down;
          print low down square minus;
        }
        """,
        "-9223372036854775808 9223372036854775807 1 -1\n",
        7,
    ),
    Example(
        "division_by_a_variable_wraps_and_truncates",
        """
        @divide(x: int, y: int): int {
          q: int = div x y;
          ret q;
        }
        @main(a: int, b: int) {
          x: int = call @divide a b;
          minus: int = const -1;
          low: int = const -9223372036854775808;
          y: int = call @divide low minus;
          print x y;
        }
        """,
        "-3 -9223372036854775808\n",
        9,
        ("-7", "2"),
    ),
    Example(
        "division_by_zero_is_an_error",
        "@main(n: int) { print n; q: int = div n n; print q; }",
        "0\n",
        0,
        ("0",),
        "division by zero",
    ),
    Example(
        "comparisons_and_logic",
        """
        @main {
          a: int = const 1;
          b: int = const 2;
          lt: bool = lt a b;
          gt: bool = gt a b;
          le: bool = le a a;
          ge: bool = ge a b;
          eq: bool = eq a b;
          both: bool = and lt le;
          any: bool = or gt ge;
          no: bool = not any;
          print lt gt le ge eq both any no;
        }
        """,
        "true false true false false true false true\n",
        11,
    ),
    Example(
        "a_loop_whose_labels_are_in_any_order",
        """
        @main(n: int) {
          i: int = const 0;
          one: int = const 1;
          sum: int = const 0;
          jmp .test;
        .exit:
          print sum;
          ret;
        .body:
          sum: int = add sum i;
          i: int = add i one;
        .test:
          more: bool = lt i n;
          br more .body .exit;
        }
        """,
        "45\n",
        48,
        ("10",),
    ),
    Example(
        "an_irreducible_loop",
        """
        @main(b: bool) {
          n: int = const 5;
          one: int = const 1;
          zero: int = const 0;
          br b .left .right;
        .left:
          n: int = sub n one;
          print n;
          go: bool = gt n zero;
          br go .right .end;
        .right:
          n: int = sub n one;
          go: bool = gt n zero;
          br go .left .end;
        .end:
        }
        """,
        "3\n1\n",
        21,
        ("false",),
    ),
    Example(
        "dead_code_and_jumps_to_the_entry",
        """
        @main(n: int) {
        .top:
          one: int = const 1;
          zero: int = const 0;
          n: int = sub n one;
          done: bool = le n zero;
          br done .out .top;
          print n;
        .never:
          jmp .never;
        .out:
          nop;
          print n;
        }
        """,
        "0\n",
        17,
        ("3",),
    ),
    Example(
        "recursion_and_calls_without_results",
        """
        @fib(n: int): int {
          two: int = const 2;
          small: bool = lt n two;
          br small .base .more;
        .base:
          ret n;
        .more:
          one: int = const 1;
          a: int = sub n one;
          b: int = sub n two;
          x: int = call @fib a;
          y: int = call @fib b;
          r: int = add x y;
          ret r;
        }
        @show(n: int) {
          print n;
        }
        @main {
          n: int = const 12;
          f: int = call @fib n;
          call @show f;
        }
        """,
        "144\n",
        3256,
    ),
    Example(
        "floats_print_as_in_javascript",
        """
        @main(x: float) {
          zero: float = const 0;
          one: float = const 1;
          three: float = const 3;
          third: float = fdiv one three;
          minus: float = fsub zero third;
          inf: float = fdiv one zero;
          low: float = fdiv minus zero;
          nan: float = fdiv zero zero;
          nzero: float = fdiv minus inf;
          half: float = const 3.814697265625e-06;
          bighalf: float = const 10000000000.00390625;
          big: float = const 1e300;
          tiny: float = const -1e-10;
          small: float = const 1.5e-9;
          below: float = const 9999999999.0;
          almost: float = const -9999999999.99998;
          print third minus inf low nan nzero;
          print half bighalf big tiny small below almost x;
          same: bool = feq nan nan;
          eq: bool = feq zero nzero;
          lt: bool = flt one three;
          le: bool = fle three one;
          gt: bool = fgt nan one;
          ge: bool = fge three three;
          sum: float = fadd x one;
          product: float = fmul sum three;
          print same eq lt le gt ge product;
        }
        """,
        "0.33333333333333331 -0.33333333333333331 Infinity -Infinity NaN -0.00000000000000000\n"
        "0.00000381469726563 1.00000000000039063e+10 1.00000000000000005e+300 -1.00000000000000004e-10 "
        "0.00000000150000000 9999999999.00000000000000000 -9.99999999999998093e+9 2.50000000000000000\n"
        "false true true false false true 10.50000000000000000\n",
        27,
        ("2.5",),
    ),
    Example(
        "characters",
        """
        @main(c: char) {
          a: char = const 'a';
          dog: char = const '🐶';
          tab: char = const '\\t';
          code: int = char2int c;
          one: int = const 1;
          next: int = add code one;
          d: char = int2char next;
          before: bool = clt a c;
          same: bool = ceq c d;
          le: bool = cle a a;
          gt: bool = cgt dog a;
          ge: bool = cge a dog;
          e: int = const 233;
          accent: char = int2char e;
          euro: int = const 8364;
          sign: char = int2char euro;
          print c d code dog tab accent sign;
          print before same le gt ge;
        }
        """,
        "é ê 233 🐶 \t é €\ntrue false true true false\n",
        18,
        ("é",),
    ),
    Example(
        "the_code_of_a_surrogate_is_no_character",
        "@main(n: int) { c: char = int2char n; print c; }",
        "",
        0,
        ("55296",),
        "cannot be converted to char",
    ),
    Example(
        "memory_of_every_type",
        """
        @main(n: int) {
          ints: ptr<int> = alloc n;
          rows: ptr<ptr<int>> = alloc n;
          floats: ptr<float> = alloc n;
          flags: ptr<bool> = alloc n;
          chars: ptr<char> = alloc n;
          one: int = const 1;
          last: ptr<int> = ptradd ints one;
          seven: int = const 7;
          store last seven;
          store rows ints;
          row: ptr<int> = load rows;
          element: ptr<int> = ptradd row one;
          x: int = load element;
          half: float = const 0.5;
          store floats half;
          f: float = load floats;
          yes: bool = const true;
          store flags yes;
          b: bool = load flags;
          z: char = const 'z';
          store chars z;
          c: char = load chars;
          minus: int = const -1;
          back: ptr<int> = ptradd element minus;
          store back x;
          y: int = load ints;
          print x f b c y;
          free ints;
          free rows;
          free floats;
          free flags;
          free chars;
        }
        """,
        "7 0.50000000000000000 true z 7\n",
        32,
        ("3",),
    ),
    Example(
        "an_access_out_of_bounds",
        """
        @main {
          two: int = const 2;
          p: ptr<int> = alloc two;
          q: ptr<int> = ptradd p two;
          print two;
          store q two;
          free p;
        }
        """,
        "2\n",
        error="out of bounds",
    ),
    Example(
        "a_load_of_unwritten_memory",
        "@main { two: int = const 2; p: ptr<int> = alloc two; v: int = load p; print v; free p; }",
        error="used uninitialised",
    ),
    Example(
        "a_second_free", "@main { two: int = const 2; p: ptr<int> = alloc two; free p; free p; }", error="freed again"
    ),
    Example(
        "memory_that_is_not_freed",
        "@main { two: int = const 2; p: ptr<int> = alloc two; print two; }",
        "2\n",
        error="never freed",
    ),
    Example(
        "an_allocation_of_nothing",
        "@main(n: int) { p: ptr<int> = alloc n; free p; }",
        error="must allocate",
        arguments=("0",),
    ),
    Example(
        "set_and_get_swap_two_variables",
        """
        @main {
          x: int = const 1;
          y: int = const 2;
          n: int = const 3;
          one: int = const 1;
          zero: int = const 0;
          set a x;
          set b y;
          set i n;
        .loop:
          a: int = get;
          b: int = get;
          i: int = get;
          print a b;
          set a b;
          set b a;
          next: int = sub i one;
          set i next;
          go: bool = gt next zero;
          br go .loop .end;
        .end:
          nop;
        }
        """,
        "1 2\n2 1\n1 2\n",
        39,
    ),
    Example(
        "undef_may_be_copied",
        """
        @main(b: bool) {
          x: int = undef;
          y: int = id x;
          br b .set .skip;
        .set:
          y: int = const 4;
        .skip:
          br b .use .end;
        .use:
          print y;
        .end:
        }
        """,
        "4\n",
        6,
        ("true",),
    ),
    Example(
        "undef_may_not_be_used",
        "@main { x: int = undef; y: int = id x; one: int = const 1; print one; z: int = add y one; }",
        "1\n",
        error="undefined value y",
    ),
    Example(
        "a_get_without_a_set",
        "@main(b: bool) { br b .set .get; .set: x: int = const 1; set v x; .get: v: int = get; print v; }",
        error="get without corresponding set for v",
        arguments=("false",),
    ),
    Example(
        "a_copy_of_an_unassigned_variable",
        "@main(b: bool) { br b .yes .no; .yes: x: int = const 1; .no: y: int = id x; print b; }",
        error="undefined variable x",
        arguments=("false",),
    ),
    Example(
        "a_second_operand_that_was_not_read_is_not_known_to_be_assigned",
        "@main(b: bool) { br b .set .use; .set: x: bool = id b; .use: y: bool = and b x; print y; z: bool = and x x; }",
        "false\n",
        error="undefined variable x",
        arguments=("false",),
    ),
    Example(
        "a_variable_that_is_assigned_where_it_is_read",
        "@main(b: bool) { br b .yes .no; .yes: x: int = const 1; .no: y: int = id x; print y; }",
        "1\n",
        4,
        arguments=("true",),
    ),
    Example(
        "the_end_of_a_function_with_a_result",
        "@f: int { nop; } @main { one: int = const 1; print one; x: int = call @f; print x; }",
        "1\n",
        error="doesn't return anything",
    ),
    Example(
        "the_bits_of_a_pointer_and_an_empty_line",
        "@main { one: int = const 1; p: ptr<int> = alloc one; print p one; print; free p; }",
        "[object Object] 1\n\n",
        5,
    ),
    Example(
        "the_result_of_main_is_ignored",
        "@main(n: int): int { zero: int = const 0; one: int = const 1; done: bool = eq n zero; br done .out .more;"
        " .more: m: int = sub n one; x: int = call @main m; print x; ret x; .out: ret n; }",
        "0\n0\n",
        21,
        ("2",),
    ),
]

PHIS = [
    Example(
        "phi_of_two_blocks",
        """
        @main(b: bool) {
        .top:
          a: int = const 5;
          br b .here .there;
        .here:
          c: int = const 7;
        .there:
          d: int = phi a .top c .here;
          print d;
        }
        """,
        "7\n",
        5,
        ("true",),
    ),
    Example(
        "phis_of_a_block_are_assigned_at_the_same_time",
        """
        @main {
        .entry:
          x0: int = const 1;
          y0: int = const 2;
          n0: int = const 3;
          one: int = const 1;
          zero: int = const 0;
          jmp .loop;
        .loop:
          x: int = phi .entry x0 .loop y;
          y: int = phi .entry y0 .loop x;
          n: int = phi .entry n0 .loop m;
          print x y;
          m: int = sub n one;
          go: bool = gt m zero;
          br go .loop .end;
        .end:
        }
        """,
        "1 2\n2 1\n1 2\n",
        27,
    ),
    Example(
        "a_phi_without_an_operand_for_a_block",
        "@main(b: bool) { .a: x: int = const 1; br b .b .c; .b: nop; .c: y: int = phi .a x; print y; }",
        error="undefined variable y",
        arguments=("true",),
    ),
    Example(
        "phis_whose_operands_nothing_assigns",
        """
        @main(b: bool) {
        .a:
          x: int = const 1;
          f: float = const 2.0;
          br b .c .d;
        .c:
          y: int = phi .a x .d __undefined;
          g: float = phi .a f .d nothing;
          print y g;
        .d:
          z: int = phi .c __undefined .a x;
          h: float = phi .c f .a __undefined;
          print h;
          print z;
        }
        """,
        "1 2.00000000000000000\n2.00000000000000000\n",
        error="undefined variable z",
        arguments=("true",),
    ),
    Example(
        "a_phi_without_operands_and_a_phi_of_the_first_block",
        "@main { .a: x: int = phi; y: int = phi .a x; z: int = const 1; print z; print y; }",
        "1\n",
        error="undefined variable y",
    ),
]
"""Programs with φ functions, which Bril's interpreter does not have."""

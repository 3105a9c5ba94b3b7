"""Modules that print the results of LLVM's instructions and intrinsics for chosen operands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from testing.choices import Choices, Drawn


class Case(NamedTuple):
    """A computation: the type of its operands ``%a``, ``%b``, …, that of its result ``%r``, its lines, and operands."""

    type: str
    result: str
    lines: str
    operands: Sequence[Sequence[str]]


WIDTHS = (8, 24, 64)
FLOATS = ["0.0", "-0.0", "1.5", "-2.5", "3.0e9", "-7.75", "0x7FF0000000000000", "0x7FF8000000000000"]
_PAIRS = [(x, y) for x in FLOATS for y in FLOATS if "0x7FF8" not in x or x == y][::4]


def _integers(bits: int) -> list[int]:
    return [0, 1, 2, 3, 7, -1, -5, (1 << bits - 1) - 1, -1 << bits - 1, 85]


def _texts(rows: Iterable[Sequence[int]]) -> list[list[str]]:
    return [[*map(str, row)] for row in rows]


def _without_undefined(op: str, bits: int) -> list[list[str]]:
    """Pairs of integers for which an instruction has a defined result."""
    pairs = [(x, y) for x in _integers(bits) for y in _integers(bits)]
    pairs = pairs[bits % 5 :: 7]
    if op in ("sdiv", "srem", "udiv", "urem"):
        lowest = -1 << bits - 1
        return _texts((x, y) for x, y in pairs if y and not (x == lowest and y == -1))
    if op in ("shl", "lshr", "ashr"):
        return _texts((x, y) for x in _integers(bits) for y in (0, 1, bits - 1))
    return _texts(pairs)


def _binary() -> Iterable[Case]:
    for bits in WIDTHS:
        type = f"i{bits}"
        for op in ["add", "sub", "mul", "and", "or", "xor", "sdiv", "srem", "udiv", "urem", "shl", "ashr", "lshr"]:
            yield Case(type, type, f"%r = {op} {type} %a, %b", _without_undefined(op, bits))
    for op in ["add", "sub", "mul", "and", "or", "xor"]:
        yield Case("i1", "i1", f"%r = {op} i1 %a, %b", [[x, y] for x in ("0", "1") for y in ("0", "1")])
    for type in ("double", "float"):
        for op in ["fadd", "fsub", "fmul", "fdiv", "frem"]:
            yield Case(type, "i1", f"%x = {op} {type} %a, %b\n  %r = fcmp oeq {type} %x, 0.0", _PAIRS)
            finite = [(x, y) for x, y in _PAIRS if x[:2] != "0x" and y not in ("0.0", "-0.0") and y[:2] != "0x"]
            yield Case(type, type, f"%r = {op} {type} %a, %b", finite)
        yield Case(type, type, f"%r = fneg {type} %a", [[x] for x in FLOATS[:-1]])


def _comparisons() -> Iterable[Case]:
    for bits in (1, 24):
        for predicate in ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"]:
            yield Case(f"i{bits}", "i1", f"%r = icmp {predicate} i{bits} %a, %b", _without_undefined("icmp", bits)[:70])
    for predicate in [
        "oeq",
        "olt",
        "ole",
        "ogt",
        "oge",
        "one",
        "ord",
        "uno",
        "ueq",
        "une",
        "ult",
        "ule",
        "ugt",
        "uge",
        "true",
        "false",
    ]:
        yield Case("double", "i1", f"%r = fcmp {predicate} double %a, %b", _PAIRS)


def _casts() -> Iterable[Case]:
    numbers = _texts([x] for x in _integers(24))
    for text, result in {
        "trunc i24 %a to i8": "i8",
        "trunc i24 %a to i1": "i1",
        "zext i24 %a to i64": "i64",
        "sext i24 %a to i64": "i64",
        "sitofp i24 %a to double": "double",
        "uitofp i24 %a to float": "float",
        "inttoptr i24 %a to ptr": "ptr",
    }.items():
        yield Case("i24", result, f"%r = {text}", numbers)
    for op in ("zext", "sext"):
        yield Case("i1", "i32", f"%r = {op} i1 %a to i32", [["0"], ["1"]])
    small = [[x] for x in ("0.0", "1.5", "-2.5", "100.75")]
    for text, result in {
        "fptrunc double %a to float": "float",
        "fptosi double %a to i32": "i32",
        "bitcast double %a to i64": "i64",
    }.items():
        yield Case("double", result, f"%r = {text}", small)
    yield Case("double", "i32", "%r = fptoui double %a to i32", [["0.0"], ["3.0e9"]])
    yield Case("double", "i1", "%r = fptosi double %a to i1", [["0.0"], ["-0.5"], ["-1.5"]])
    yield Case("double", "i1", "%r = fptoui double %a to i1", [["0.0"], ["0.5"], ["1.5"]])
    yield Case("float", "double", "%r = fpext float %a to double", small)
    yield Case("ptr", "i64", "%r = ptrtoint ptr %a to i64", [["null"]])
    yield Case("i32", "i32", "%c = icmp slt i32 %a, 3\n  %r = select i1 %c, i32 %a, i32 7", _texts([[1], [5]]))


def _intrinsic(name: str, type: str, result: str, count: int, operands: Sequence[Sequence[str]], *more: str) -> Case:
    """A case with the call of an intrinsic; `more` are its further operands. A result with a flag is one number."""
    arguments = ", ".join([*(f"{type} %{letter}" for letter in "abc"[:count]), *more])
    if ("fp" in name and "to" in name) or "cmp" in name:
        name = f"{name}.{result}"
    call = f"call {{}} @llvm.{name}.{type.replace('double', 'f64')}({arguments})"
    if not name.endswith("overflow"):
        return Case(type, result, f"%r = {call.format(result)}", operands)
    lines = (
        f"%p = {call.format(f'{{ {type}, i1 }}')}\n  %x = extractvalue {{ {type}, i1 }} %p, 0\n"
        f"  %y = extractvalue {{ {type}, i1 }} %p, 1\n  %z = select i1 %y, {type} 77, {type} 0\n"
        f"  %r = xor {type} %x, %z"
    )
    return Case(type, type, lines, operands)


def _intrinsics() -> Iterable[Case]:
    for name in ["smax", "smin", "umax", "umin"]:
        yield _intrinsic(name, "i1", "i1", 2, [[x, y] for x in ("0", "1") for y in ("0", "1")])
    for bits in (24, 32):
        type, pairs = f"i{bits}", _without_undefined("add", bits)
        single = _texts([x] for x in _integers(bits))
        for name in ["smax", "smin", "umax", "umin", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"]:
            yield _intrinsic(name, type, type, 2, pairs)
        for name in ["sadd", "uadd", "ssub", "usub", "smul", "umul"]:
            yield _intrinsic(f"{name}.with.overflow", type, type, 2, pairs)
        for name in ["fshl", "fshr"]:
            yield _intrinsic(name, type, type, 3, [[*pair, "3"] for pair in pairs[:30]])
        for name in ["scmp", "ucmp"]:
            yield _intrinsic(name, type, "i8", 2, pairs)
        yield _intrinsic("ctpop", type, type, 1, single)
        for name in ["ctlz", "cttz", "abs"]:
            yield _intrinsic(name, type, type, 1, single, "i1 false")
    yield _intrinsic("bswap", "i32", "i32", 1, _texts([x] for x in _integers(32)))
    yield _intrinsic("bitreverse", "i24", "i24", 1, _texts([x] for x in _integers(24)))
    for name in ["smul", "umul"]:
        yield _intrinsic(f"{name}.with.overflow", "i128", "i128", 2, _without_undefined("mul", 128))
    numbers = [[x] for x in FLOATS]
    for name in ["fptosi.sat", "fptoui.sat"]:
        yield _intrinsic(name, "double", "i16", 1, numbers)
    for name in ["fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "roundeven", "round"]:
        yield _intrinsic(name, "double", "double", 1, numbers[:-2])
    yield Case("double", "i32", "%r = call i32 @llvm.lrint.i32.f64(double %a)", [["1.5"], ["-2.5"], ["-7.75"]])
    for mask in (3, 0x204, 0x108, 0x90, 0x60, 0x264):
        yield _intrinsic("is.fpclass", "double", "i1", 1, numbers, f"i32 {mask}")
    for name in ["maxnum", "minnum", "maximum", "minimum", "maximumnum", "minimumnum", "copysign"]:
        signs = [[x, y] for x in ("0.0", "-0.0", "1.5") for y in ("0.0", "-0.0", "-7.75")]
        yield _intrinsic(name, "double", "double", 2, signs)


def _expression(choices: Choices) -> Case:
    """An expression of integers of odd widths, without operations that may be undefined."""
    bits = choices.pick([3, 7, 13, 17, 24, 31, 33, 48, 63, 65, 100, 127])
    type, names, lines = f"i{bits}", ["%a", "%b"], list[str]()
    for number in range(choices.number(3, 8)):
        op = choices.pick(["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "urem", "sdiv"])
        x, y = choices.pick(names), choices.pick(names)
        if op in ("shl", "lshr", "ashr"):
            y = str(choices.number(0, bits - 1))
        elif op in ("udiv", "urem", "sdiv"):
            y = str(choices.number(2, (1 << bits - 1) - 1))
        lines.append(f"%v{number} = {op} {type} {x}, {y}")
        names.append(f"%v{number}")
    lines.append(f"%r = xor {type} {names[-1]}, {names[-2]}")
    operands = [[str(choices.number(-1 << bits - 1, (1 << bits - 1) - 1)) for _ in "ab"] for _ in range(3)]
    return Case(type, type, "\n  ".join(lines), operands)


def drawn_expressions(count: int) -> list[Case]:
    """So many expressions that hypothesis draws, to be run together."""
    found: list[Case] = []

    @settings(max_examples=count, phases=[Phase.generate], database=None)
    @given(st.composite(lambda draw: _expression(Drawn(draw)))())
    def collect(case: Case) -> None:
        found.append(case)

    collect()
    return found


def cases() -> list[Case]:
    """The computations with all instructions and intrinsics."""
    return [*_binary(), *_comparisons(), *_casts(), *_intrinsics()]


def module_of(found: Sequence[Case]) -> str:
    """A module whose `main` prints a line for each computation and operands: its number, and two words of bits."""
    declared, functions, calls = dict[str, str](), list[str](), list[str]()
    for number, case in enumerate(found):
        for result, name, arguments in re.findall(r"= call (.+?) (@llvm\.[\w.]+)\((.*)\)", case.lines):
            types = ", ".join(each.split(" ")[0] for each in arguments.split(", "))
            declared[name] = f"declare {result} {name}({types})"
        parameters = ", ".join(f"{case.type} %{letter}" for letter, _ in zip("abc", case.operands[0], strict=False))
        functions.append(
            f"define i128 @f{number}({parameters}) {{\n  {case.lines}\n{_BITS.get(case.result, _WIDE)}"
            "  ret i128 %w\n}".replace("TYPE", case.result)
            if case.result != "i128"
            else f"define i128 @f{number}({parameters}) {{\n  {case.lines}\n  ret i128 %r\n}}"
        )
        for operands in case.operands:
            arguments = ", ".join(f"{case.type} {each}" for each in operands)
            calls.append(f"  call void @print(i32 {number}, i128 CALL)".replace("CALL", f"%c{len(calls)}"))
            calls[-1] = f"  %c{len(calls) - 1} = call i128 @f{number}({arguments})\n{calls[-1]}"
    return "\n".join([_PRINT, *declared.values(), *functions, "define i32 @main() {", *calls, "  ret i32 0\n}\n"])


_WIDE = "  %w = zext TYPE %r to i128\n"
_BITS = {
    "double": "  %i = bitcast double %r to i64\n  %w = zext i64 %i to i128\n",
    "float": "  %i = bitcast float %r to i32\n  %w = zext i32 %i to i128\n",
    "ptr": "  %i = ptrtoint ptr %r to i64\n  %w = zext i64 %i to i128\n",
}
_PRINT = """\
@format = private constant [14 x i8] c"%d %llx %llx\\0A\\00"
declare i32 @printf(ptr, ...)
define void @print(i32 %n, i128 %w) {
  %low = trunc i128 %w to i64
  %upper = lshr i128 %w, 64
  %high = trunc i128 %upper to i64
  call i32 (ptr, ...) @printf(ptr @format, i32 %n, i64 %high, i64 %low)
  ret void
}
"""

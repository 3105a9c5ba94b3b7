"""The results of operations, by their definitions; `tests/test_operations.py` compares them with those of gcc."""

from itertools import product

import pytest

from cpsconv.core import ir
from cpsconv.core.operations.completeness import primitives_on
from cpsconv.core.operations.definitions import signed_product
from cpsconv.core.operations.expansions import ON_SOME_OPERANDS, equivalent, multiplied, negated, widened
from cpsconv.core.operations.python_arithmetic import int_to_float
from cpsconv.core.operations.runtime_errors import ProgramError, Undefined
from cpsconv.core.operations.semantics import conversion, fold, normalised, operation
from cpsconv.core.operations.table import PRIMITIVES, constant_key
from cpsconv.core.operations.types import is_data, range_of, wrap
from cpsconv.core.transform.expansion import faults, steps
from testing.exact_operations import edge_values

TYPES = [type for type in ir.SCALARS.values() if is_data(type) and type is not ir.LONG_DOUBLE]


INTEGERS = [type for type in TYPES if type.kind == "integer" and type is not ir.INTEGER]


def around_the_bounds(type):
    lowest, highest = range_of(type)
    return sorted({lowest, lowest + 1, max(lowest, -1), 0, 1, 2, highest // 2 + 1, highest - 1, highest})


def computed(op, type, *values):
    """The result of the operation; None if it traps."""
    result = PRIMITIVES[op].typing([type] * len(values))
    assert result
    try:
        return operation(ir.Primitive(op, tuple(ir.Constant(type, value) for value in values), result))(*values)
    except ProgramError:
        return None


@pytest.mark.parametrize("type", INTEGERS, ids=str)
def test_a_sum_a_difference_and_a_product_wrap_around(type):
    for op, exact in {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}.items():
        for values in product(around_the_bounds(type), repeat=2):
            assert computed(op, type, *values) == wrap(type, exact(*values)), (op, values)


@pytest.mark.parametrize("op", [op for op in PRIMITIVES if PRIMITIVES[op].typing([ir.INT] * 2)])
def test_the_table_states_which_operations_have_equal_results(op):
    form = PRIMITIVES[op]
    pairs = [*product(around_the_bounds(ir.INT), repeat=2)]
    results = [computed(op, ir.INT, *pair) for pair in pairs]
    mirrored = [computed(form.mirror or op, ir.INT, *pair[::-1]) for pair in pairs]
    assert (results == mirrored) == (form.commutative or form.mirror is not None)
    if form.negation:
        assert results == [not computed(form.negation, ir.INT, *pair) for pair in pairs]


def test_a_long_is_rounded_once_when_converted_to_float():
    assert int_to_float(0x7FFFFFBFFFFFFFFF) == 0x7FFFFF8000000000  # via double, the result would be 2.0**63


@pytest.mark.parametrize(
    ("op", "type", "values", "message"),
    [
        ("/", ir.INT, (1, 0), "division by zero"),
        ("%", ir.UNSIGNED, (1, 0), "division by zero"),
        ("/", ir.INT, (-(2**31), -1), "-2147483648 / -1 overflows `int`"),
        ("%", ir.LONG, (-(2**63), -1), "-9223372036854775808 % -1 overflows `long`"),
    ],
)
def test_an_undefined_division_is_a_runtime_error(op, type, values, message):
    with pytest.raises(ProgramError) as raised:
        operation(ir.Primitive(op, tuple(ir.Constant(type, value) for value in values), type))(*values)
    assert raised.value.diagnostic.message == message


@pytest.mark.parametrize("op", PRIMITIVES)
def test_every_operator_raises_for_each_undefined_operand(op):
    for type, count in product([ir.BOOL, ir.CHAR, ir.UNSIGNED, ir.LONG, ir.FLOAT, ir.DOUBLE], (1, 2, 3)):
        result = PRIMITIVES[op].typing([type] * count)
        if result is None:
            continue
        for position in range(count):
            operands = [ir.Constant(type, 1)] * count
            values = [normalised(type, 1)] * count
            values[position] = Undefined(ir.Undef(type, "x"))
            with pytest.raises(ProgramError, match="`x` is used uninitialised"):
                operation(ir.Primitive(op, tuple(operands), result))(*values)


@pytest.mark.parametrize("source", TYPES, ids=str)
def test_every_conversion_raises_for_an_undefined_operand(source):
    for target in TYPES:
        with pytest.raises(ProgramError, match="`x` is used uninitialised"):
            conversion(source, target)(Undefined(ir.Undef(source, "x")))


# ---------------------------------------------------------------------------------------------- constant operands


@pytest.mark.parametrize(
    ("op", "operands", "type", "value"),
    [
        ("+", [ir.Constant(ir.INT, 2**31 - 1), ir.Constant(ir.INT, 1)], ir.INT, -(2**31)),
        ("<", [ir.Constant(ir.INT, 1), ir.Constant(ir.INT, 2)], ir.BOOL, True),
        ("convert", [ir.Constant(ir.DOUBLE, 0.1)], ir.FLOAT, 0.10000000149011612),
        ("/", [ir.Constant(ir.FLOAT, 1.0), ir.Constant(ir.FLOAT, 3.0)], ir.FLOAT, 0.3333333432674408),
        ("!", [ir.Constant(ir.BOOL, True)], ir.BOOL, False),
    ],
)
def test_constants_are_folded(op: str, operands: list[ir.Value], type: ir.Scalar, value: object) -> None:
    folded = fold(ir.Primitive(op, tuple(operands), type))
    assert folded
    assert (folded.type, folded.value) == (type, value)


@pytest.mark.parametrize(
    ("op", "operands"),
    [
        ("/", [ir.Constant(ir.INT, 1), ir.Constant(ir.INT, 0)]),
        ("%", [ir.Constant(ir.INT, -(2**31)), ir.Constant(ir.INT, -1)]),
        ("+", [ir.Constant(ir.INT, 1), ir.Parameter(ir.INT, "x")]),
        ("+", [ir.Undef(ir.INT, "x"), ir.Constant(ir.INT, 1)]),
    ],
)
def test_operations_that_trap_or_have_unknown_operands_are_not_folded(op: str, operands: list[ir.Value]) -> None:
    assert fold(ir.Primitive(op, tuple(operands), ir.INT)) is None


@pytest.mark.parametrize("op", [op for op, row in PRIMITIVES.items() if row.faults])
def test_the_faults_of_an_operation_are_the_runtime_errors_of_the_evaluator(op):
    messages: set[str] = set()
    for type in [*INTEGERS, ir.INTEGER]:
        values = (
            edge_values(type) if type in INTEGERS else [ir.Constant(type, value) for value in (-3, -1, 0, 1, 2**99)]
        )
        for operands in product(values, repeat=2):
            primitive = ir.Primitive(op, operands, type)
            try:
                operation(primitive)(*[each.value for each in operands])
                expected: list[tuple[str, list[ir.Primitive]]] = []
            except ProgramError as error:
                expected = [(error.diagnostic.message, [])]
            assert faults(primitive)[:1] == expected
            messages.update(message for message, _ in expected)
    assert len(messages) == 1 + sum(type.signed for type in INTEGERS)


EXPANSIONS = [
    *((op, row.expansion, "any type") for op, row in PRIMITIVES.items() if row.expansion),
    ("abs", signed_product, "integer"),
    ("neg", negated, "integer"),
    ("neg", negated, "float"),
    ("<<", multiplied, "integer"),
    ("==", equivalent, "bool"),
    *((op, widened(op, ir.LONG), "bool") for op in ("<", "<=", ">", ">=")),
]


@pytest.mark.parametrize(("op", "expansion", "kind"), EXPANSIONS, ids=lambda value: getattr(value, "__name__", value))
def test_an_expansion_has_the_result_of_the_operation(op, expansion, kind):
    count = 0
    for form in primitives_on(TYPES, TYPES):
        types = [operand.type for operand in form.operands if isinstance(operand.type, ir.Scalar)]
        if form.op == op and kind in ("any type", types[0].kind) and types[-1] in (types[0], ir.INT):
            for operands in product(*map(edge_values, types)):
                [expanded] = steps(ir.Primitive(op, operands, form.type), {op: lambda _: expansion})
                assert isinstance(expanded, ir.Primitive)
                results = map(fold, (expanded, ir.Primitive(op, operands, form.type)))
                first, second = (constant_key(each) for each in results if each)
                assert first == second, (form.type, operands)
                count += 1
    assert count > 3


@pytest.mark.parametrize("op", ON_SOME_OPERANDS)
def test_an_expansion_on_some_operands_has_the_result_of_the_operation(op):
    count = 0
    for form in primitives_on(TYPES, [ir.INT, ir.UNSIGNED_LONG]):
        if form.op == op:
            types = [operand.type for operand in form.operands if isinstance(operand.type, ir.Scalar)]
            for operands in product(*map(edge_values, types)):
                given = ir.Primitive(op, operands, form.type)
                if ON_SOME_OPERANDS[op](given):
                    [expanded] = steps(ir.Primitive(op, operands, form.type), ON_SOME_OPERANDS)
                    assert isinstance(expanded, ir.Primitive)
                    first, second = (constant_key(each) for each in map(fold, (expanded, given)) if each)
                    assert first == second, (form.type, operands)
                    count += 1
    assert count > 3

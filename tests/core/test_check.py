"""The checks: sound programs pass, and each way to break one is reported."""

import random

import pytest
from hypothesis import given, settings

from cpsconv.core import ir
from cpsconv.core.check import CHECKS, RULES, check
from cpsconv.core.check.well_formedness import Subject
from cpsconv.core.layout import laid_out
from cpsconv.core.operations.table import CONVERT
from cpsconv.core.source import Source
from cpsconv.core.text import parse
from testing.effort import examples, is_full, sample
from testing.ir_programs import programs, random_program
from tests.tables import table

PROGRAMS = table("core_check")
"""The longer programs of these tests."""

SOUND = PROGRAMS["SOUND"]


class Sound:
    """The program above, its parts by their names."""

    def __init__(self):
        self.program = parse(Source("test.cps", SOUND))
        self.f, self.g = self.program.functions
        named = {member.name: member for member in (*self.f.continuations, *self.g.continuations)}
        self.loop, self.body, self.exit, self.last, self.one = map(
            named.__getitem__, ["loop", "body", "exit", "last", "one"]
        )
        self.n, self.ret = self.f.parameters
        self.i, self.a = self.loop.parameters
        self.b, self.printf, self.sum = self.body.body


def test_a_sound_program_has_no_faults():
    assert check(Sound().program) == []


def put(owner, **values):
    for name, value in values.items():
        setattr(owner, name, value)


def move_body(p):
    """Remove the continuation `body` from the list, and its statements."""
    p.f.continuations.remove(p.body)
    p.body.body.clear()
    p.body.transfer.edge.arguments[:] = [p.i, p.i]


def return_to_body(p):
    """Let the call return to a continuation without parameters."""
    p.exit.transfer.then.target = p.body
    p.f.continuations.remove(p.last)


def call_without_return(p):
    """Call a function that has no return continuation."""
    h = ir.Function("h", [], [], ir.Jump(ir.Edge(ir.HALT, [ir.Constant(ir.INT, 0)])))
    p.program.functions.append(h)
    p.loop.body.clear()
    p.loop.transfer = ir.Call(h, [], ir.Edge(p.exit), p.loop.transfer.span)
    p.f.continuations.remove(p.body)


def use_bool(p):
    """Give the sum another type, and use `n` in its place."""
    p.sum.type = ir.BOOL
    p.body.transfer.edge.arguments[0] = p.n


def call_elsewhere(p):
    p.exit.transfer.callee = ir.Function("h", p.g.parameters, [], p.g.transfer)


def nest_and_call_elsewhere(p):
    """Let `g` use `n`, and be called by no function."""
    p.g.free = [p.n]
    p.exit.transfer = ir.Jump(ir.Edge(p.last, [p.a]))


def take_address_of_nested(p):
    p.g.free = [p.n]
    p.body.body.append(ir.Primitive(CONVERT, (p.g,), ir.PTR, None, p.b.span))


def add_address_of_nested(p):
    p.g.free = [p.n]
    add_data(p, ir.PTR, addresses={0: (p.g, 0)})


def convert_out_of_range(p):
    p.last.body.append(ir.Primitive(CONVERT, (ir.Constant(ir.CHAR, 300),), ir.INT, None, p.last.transfer.span))


def use_later(p):
    p.sum.name = "v"
    p.b.operands = (p.sum, p.a)


POINT = laid_out("point", [("x", ir.INT), ("y", ir.INT)])


def address_field(p, listed=True, **values):
    """Compute the address of a field."""
    p.program.structs += [POINT] * listed
    computed = ir.Primitive("field", (ir.Constant(ir.PTR, 0),), ir.PTR, None, p.b.span, POINT.fields["x"])
    put(computed, **values)
    p.body.body.append(computed)


def add_data(p, type, content=b"", addresses=None):
    p.program.data.append(ir.Data("d", type, content, addresses or {}))


def nested_array(depth):
    return ir.Array(nested_array(depth - 1), 1) if depth else ir.INT


def list_lost(p):
    p.f.continuations.append(ir.Continuation("lost", [], [], ir.Jump(ir.Edge(p.last, [p.n]))))


BREAKS = {
    "function_names_are_distinct": {"19:1: there is more than one function `f`": lambda p: put(p.g, name="f")},
    "functions_belong_to_the_program": {
        "10:11: `h` is not a function of this program": call_elsewhere,
        "12:11: `h` is not a function of this program": lambda p: put(
            p.last.transfer.edge, target=ir.Function("h", [ir.Parameter(ir.INT, "x")])
        ),
    },
    "continuations_have_transfers": {"5:9: `body` does not end with a transfer": lambda p: put(p.body, transfer=None)},
    "listed_continuations_are_reachable": {"`lost` cannot be reached from `f`": list_lost},
    "reachable_continuations_are_listed": {
        "5:9: `body` is used in `f`, but does not belong to it": move_body,
        "21:5: `one` is used in `f`, but does not belong to it": lambda p: put(p.body.transfer, edge=ir.Edge(p.one)),
    },
    "values_are_defined_once": {
        "11:9: `last` is defined twice\n11:18: `r` is defined twice": lambda p: p.f.continuations.append(p.last),
        "6:16: `b` is defined twice": lambda p: p.exit.body.append(p.b),
    },
    "constants_are_in_range": {
        "12:11: 300 is not a value of type `char`": convert_out_of_range,
        "12:11: True is not a value of type `int`": lambda p: put(
            p.last.transfer.edge, arguments=[ir.Constant(ir.INT, True)]
        ),
    },
    "structs_belong_to_the_program": {
        "6:16: `point.x` does not belong to this program": lambda p: address_field(p, listed=False),
        "the field `outer` of `whole` has the unknown type `point`": lambda p: p.program.structs.append(
            laid_out("whole", [("outer", POINT)])
        ),
    },
    "object_types_can_be_written": {
        "an object type is larger than 2147483647 bytes": lambda p: add_data(p, ir.Array(ir.INT, 2**30)),
        "an object type has an array of 4294967296 elements": lambda p: add_data(
            p, ir.Array(ir.Array(ir.INT, 0), 2**32)
        ),
        "an object type is nested too deeply": lambda p: add_data(p, nested_array(ir.MAX_TYPE_DEPTH + 1)),
        "`empty` has no fields": lambda p: p.program.structs.append(laid_out("empty", [])),
    },
    "data_fit_their_types": {
        "the content of `d` is longer than `char`": lambda p: add_data(p, ir.CHAR, b"ab"),
        "`d` has no `ptr` at the offset 4": lambda p: add_data(p, ir.Array(ir.INT, 4), addresses={4: (p.f, 0)}),
        "`d` has bytes between its addresses that belong to no value": lambda p: add_data(
            p, ir.Array(ir.PTR, 2), b"a", addresses={8: (p.f, 0)}
        ),
    },
    "attributes_are_allowed": {
        "8:16: there is no attribute `wrong`: the name begins with the language, as in `c.wrong`": lambda p: put(
            p.sum, attributes={"wrong": True}
        ),
        "the type `point` of the attribute `x.t` does not belong to this program": lambda p: put(
            p.program, attributes={"x.t": POINT}
        ),
    },
    "memory_is_used_in_order": {
        "7:11: no function takes `memory`": lambda p: put(
            p.printf, operands=(*p.printf.operands, ir.Undef(ir.MEMORY, "m"))
        )
    },
    "operations_fit_their_operands": {
        "6:16: `element` does not concern `point.x`": lambda p: address_field(p, op="element"),
        "6:16: `field` does not concern `None`": lambda p: address_field(p, of=None),
        "6:16: there is no operation `**`": lambda p: put(p.b, op="**"),
        "6:16: `*` cannot be applied to `int` and `long`": lambda p: put(p.b, operands=(p.a, ir.Constant(ir.LONG, 2))),
        "6:16: `*` cannot be applied to nothing": lambda p: put(p.b, operands=()),
        "8:16: `+` of `int` and `int` is of type `int`, not `bool`": use_bool,
        "6:16: `int → ⊥` cannot be converted to `int`": lambda p: put(p.b, op=CONVERT, operands=(p.ret,)),
        "7:11: `printf` cannot be applied to `string` and `int → ⊥`": lambda p: put(
            p.printf, operands=(ir.Constant(ir.STRING, "\0%d"), p.ret)
        ),
        "7:11: `printf` cannot be applied to `int`": lambda p: put(p.printf, operands=(p.n,)),
    },
    "formats_fit_their_arguments": {
        "7:11: `%d` in a printf format has no argument": lambda p: put(p.printf, operands=p.printf.operands[:1])
    },
    "decisions_fit_their_values": {
        "14:14: a branch takes a `bool`, not `int`": lambda p: put(p.loop.transfer, condition=p.i),
        "24:10: a switch takes an integer, not `bool`": lambda p: put(p.g.transfer, value=ir.Constant(ir.BOOL, True)),
        "24:10: the case 1 occurs twice": lambda p: put(p.g.transfer, cases=[1, 1]),
        "24:10: 4294967296 is not a value of type `int`": lambda p: put(p.g.transfer, cases=[1, 2**32]),
        "24:10: a switch has 1 case, but 2 edges for them": lambda p: put(p.g.transfer, cases=[1]),
    },
    "edges_fit_their_targets": {
        "8:11: `loop` takes 2 arguments, but 1 is passed": lambda p: p.body.transfer.edge.arguments.pop(),
        "22:7: `ret` takes 1 argument, but none are passed": lambda p: p.one.transfer.edge.arguments.clear(),
        "12:11: argument 1 of `ret` must be of type `int`, not `int → ⊥`": lambda p: put(
            p.last.transfer.edge, arguments=[ir.HALT]
        ),
        "12:11: `r` is of type `int`, which is no continuation": lambda p: put(
            p.last.transfer, edge=ir.Edge(p.last.parameters[0])
        ),
        "10:11: `last` gets its arguments from `g`, not from the call": lambda p: p.exit.transfer.then.arguments.append(
            p.n
        ),
    },
    "calls_fit_their_callees": {
        "10:11: `g` takes 1 argument, but 2 are passed": lambda p: p.exit.transfer.arguments.append(p.n),
        "10:11: argument 1 of `g` must be of type `int`, not `bool`": lambda p: put(
            p.exit.transfer, arguments=[ir.Constant(ir.BOOL, True)]
        ),
        "10:11: `g` needs a return continuation of type `int → ⊥`; `body` is of type `() → ⊥`": return_to_body,
        "14:14: `h` has no return continuation, so it cannot be called": call_without_return,
    },
    "definitions_dominate_uses": {
        "12:11: `b` is not defined on every path to this use": lambda p: put(p.last.transfer.edge, arguments=[p.b]),
        "6:16: `v` is used before it is defined": lambda p: use_later(p),
        "6:16: `b` is used before it is defined": lambda p: put(p.b, operands=(p.b, p.a)),
        "22:7: `n` is not defined in `g`": lambda p: put(p.one.transfer.edge, arguments=[p.n]),
        "10:11: `g` cannot be called here: `b` is not defined on every path to this use": lambda p: put(
            p.g, free=[p.b]
        ),
    },
    "nested_functions_are_called": {
        "19:1: `g` uses the value `n` of another function, which does not call it": nest_and_call_elsewhere,
        "6:16: `g`, a nested function, can only be called": take_address_of_nested,
        "`g`, a nested function, has no address for `d`": add_address_of_nested,
    },
}
"""By check: errors, each with a change of the sound program that leads to exactly this error."""


@pytest.mark.parametrize(("by", "expected"), [(by, expected) for by in BREAKS for expected in BREAKS[by]])
def test_what_is_broken_is_reported(by, expected):
    sound = Sound()
    BREAKS[by][expected](sound)
    found = [diagnostic.render().splitlines()[0] for diagnostic in check(sound.program)]
    assert "\n".join(line.replace("error: ", "").removeprefix("test.cps:") for line in found) == expected
    rule, responsible = next((rule, each) for rule, each in CHECKS if each.__name__ == by)
    assert {diagnostic.rule for diagnostic in check(sound.program)} == {rule}
    assert [*responsible(Subject(sound.program))]


def test_every_check_has_something_that_breaks_it_and_a_rule():
    assert RULES.keys() == {*dict(CHECKS), "certificate", "maybe-uninitialized", "uninitialized"}
    assert BREAKS.keys() == {each.__name__ for _, each in CHECKS}


def test_a_use_out_of_scope_shows_the_definition_too():
    sound = Sound()
    sound.last.transfer.edge.arguments = [sound.b]
    assert [diagnostic.render() for diagnostic in check(sound.program)] == [
        "test.cps:12:11: error: `b` is not defined on every path to this use\n"
        "   12 |           ret(r)\n"
        "      |           ^^^^^^\n"
        "test.cps:6:16: note: defined here\n"
        "    6 |           b := a * 2;\n"
        "      |                ^^^^^"
    ]


@pytest.mark.parametrize(
    ("arguments", "complaints"),
    [
        (r'"%d %s\n", 1', ["`%s` in a printf format has no argument"]),
        (r'"%d %s\n", 1.5, 1', [
            "`%d` in a printf format takes `int`, not `double`",
            "`%s` in a printf format takes `string` or `ptr`, not `int`",
        ]),
        ('"%p %s %d", null, null, null', ["`%d` in a printf format takes `int`, not `ptr`"]),
        ('"%p", 0l', ["`%p` in a printf format takes `ptr`, not `long`"]),
        ('"%f", true', ["`%f` in a printf format takes `double`, not `bool`"]),
        ('"%*.*d", 1, "", 2', ["`*` in a printf format takes `int`, not `string`"]),
        ('"%y", 1.5', ["`%y` in a printf format is not a conversion that is supported"]),
        ('"100%"', ["`%` in a printf format is not a conversion that is supported"]),
        (r'"%d\0%y", 1', []),
        ('"%d %hhx %ld %f %c%%", true, 5l, \'c\', 1.5f, 65, "too many"', []),
        ("s, 1", []),
    ],
)  # fmt: skip
def test_a_constant_format_of_printf_has_the_arguments_that_it_takes(arguments, complaints):
    source = Source("test.cps", f"f(s : string, ret : () → ⊥) → ⊥ {{ printf({arguments}); ret() }}")
    assert [(fault.message, fault.span.start) for fault in check(parse(source))] == [(each, 34) for each in complaints]


def test_all_faults_are_reported_at_once_in_source_order():
    sound = Sound()
    sound.g.transfer.cases[1] = 1
    sound.loop.transfer.condition = sound.i
    sound.body.transfer.edge.arguments.pop()
    assert [diagnostic.span.start for diagnostic in check(sound.program)] == sorted(
        sound_part.transfer.span.start for sound_part in (sound.g, sound.loop, sound.body)
    )


# ------------------------------------------------------------------------------------------------- generated programs


@settings(max_examples=examples(60))
@given(programs())
def test_generated_programs_are_sound(program):
    assert check(program) == []


def all_members(program):
    return [member for function in program.functions for member in function.members()]


def edge(source, program):
    return source.choice([edge for member in all_members(program) for edge in member.transfer.edges if edge.arguments])


def statement(source, program):
    return source.choice([statement for member in all_members(program) for statement in member.body])


def drop_a_continuation(source, program):
    function = source.choice([function for function in program.functions if function.continuations])
    function.continuations.remove(source.choice(function.continuations))


def use_a_value_before_its_definition(source, program):
    member = source.choice([member for member in all_members(program) if member.body])
    late = ir.Effect("puts", (ir.Constant(ir.STRING, ""),), ir.INT)
    member.body = [ir.Primitive("neg", (late,), ir.INT), *member.body, late]


STRANGER = ir.Continuation("stranger", [], [], ir.Jump(ir.Edge(ir.HALT, [])))
FAULTS = {
    "an argument is dropped": lambda s, p: edge(s, p).arguments.pop(),
    "a transfer is lost": lambda s, p: put(s.choice(all_members(p)), transfer=None),
    "a continuation is dropped": drop_a_continuation,
    "a stranger is listed": lambda s, p: s.choice(p.functions).continuations.append(STRANGER),
    "a statement is repeated": lambda s, p: s.choice(all_members(p)).body.append(statement(s, p)),
    "a result has another type": lambda s, p: put(statement(s, p), type=ir.ContinuationType(())),
    "a value comes from nowhere": lambda s, p: edge(s, p).arguments.__setitem__(0, ir.Parameter(ir.INT, "nowhere")),
    "a value is used before its definition": use_a_value_before_its_definition,
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_faults_planted_in_generated_programs_are_found(fault):
    planted = 0
    for seed in sample(range(100), 2):
        source = random.Random(seed)
        program = random_program(source, 2, 8)
        try:
            fault(source, program)
        except IndexError:
            continue  # the program has nothing of the kind
        planted += 1
        assert check(program), f"seed {seed}"
    assert planted > (70 if is_full() else 35)

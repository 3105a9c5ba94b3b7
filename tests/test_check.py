"""The checks: sound programs pass, and each way to break one is reported."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from cpsconv.check import CHECKS, check
from cpsconv.check.well_formedness import Subject
from cpsconv.ir import (
    BOOL,
    CHAR,
    HALT,
    INT,
    LONG,
    STRING,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Edge,
    Effect,
    Function,
    Jump,
    Parameter,
    Primitive,
)
from cpsconv.operations.table import CONVERT
from cpsconv.source import Source
from cpsconv.text import parse
from tests.effort import examples
from tests.ir_programs import programs, random_program

SOUND = """\
f(n : int, ret : int → ⊥) → ⊥ {
  let
    loop := (i : int, a : int) → ⊥
      let
        body := () → ⊥
          b := a * 2;
          printf("%d", b);
          loop(i + b, b)
        exit := () → ⊥
          g(a, last)
        last := (r : int) → ⊥
          ret(r)
      in
      branch(i < n, body, exit)
  in
  loop(0, 1)
}

g(x : int, ret : int → ⊥) → ⊥ {
  let
    one := () → ⊥
      ret(1)
  in
  switch(x, 1 ⇒ one, 2 ⇒ one, _ ⇒ λ(). ret(x))
}
"""


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


BREAKS: dict[str, tuple[Callable, str, list[str]]] = {}


def breaks(*messages, by):
    """Registers a function that breaks the sound program, such that the check `by` reports, and all checks say this."""

    def register(function):
        BREAKS[function.__name__] = function, by, [*messages]
        return function

    return register


@breaks("test.cps:19:1: error: there is more than one function `f`", by="function_names_are_distinct")
def two_functions_of_one_name(p):
    p.g.name = "f"


@breaks("test.cps:10:11: error: `h` is not a function of this program", by="functions_belong_to_the_program")
def a_call_of_a_function_from_elsewhere(p):
    p.exit.transfer.callee = Function("h", p.g.parameters, [], p.g.transfer)


@breaks("test.cps:12:11: error: `h` is not a function of this program", by="functions_belong_to_the_program")
def a_jump_to_a_function_from_elsewhere(p):
    p.last.transfer.edge.target = Function("h", [Parameter(INT, "x")])


@breaks("test.cps:5:9: error: `body` does not end with a transfer", by="continuations_have_transfers")
def a_continuation_without_a_transfer(p):
    p.body.transfer = None


@breaks("error: `lost` cannot be reached from `f`", by="listed_continuations_are_reachable")
def a_continuation_that_nothing_leads_to(p):
    p.f.continuations.append(Continuation("lost", [], [], Jump(Edge(p.last, [p.n]))))


@breaks(
    "test.cps:5:9: error: `body` is used in `f`, but does not belong to it", by="reachable_continuations_are_listed"
)
def a_continuation_that_is_not_listed(p):
    p.f.continuations.remove(p.body)
    p.body.body.clear()
    p.body.transfer.edge.arguments[:] = [p.i, p.i]


@breaks(
    "test.cps:21:5: error: `one` is used in `f`, but does not belong to it",
    by="reachable_continuations_are_listed",
)
def a_jump_into_another_function(p):
    p.body.transfer.edge = Edge(p.one)


@breaks(
    "test.cps:11:9: error: `last` is defined twice",
    "test.cps:11:18: error: `r` is defined twice",
    by="values_are_defined_once",
)
def a_continuation_that_is_listed_twice(p):
    p.f.continuations.append(p.last)


@breaks("test.cps:6:16: error: `b` is defined twice", by="values_are_defined_once")
def a_statement_in_two_places(p):
    p.exit.body.append(p.b)


@breaks("test.cps:12:11: error: 300 is not a value of type `char`", by="constants_are_in_range")
def a_constant_out_of_range(p):
    p.last.body.append(Primitive(CONVERT, (Constant(CHAR, 300),), INT, None, p.last.transfer.span))


@breaks("test.cps:12:11: error: True is not a value of type `int`", by="constants_are_in_range")
def a_constant_of_another_kind(p):
    p.last.transfer.edge.arguments = [Constant(INT, True)]


@breaks("test.cps:6:16: error: there is no operation `**`", by="operations_fit_their_operands")
def an_unknown_operation(p):
    p.b.op = "**"


@breaks("test.cps:6:16: error: `*` cannot be applied to `int` and `long`", by="operations_fit_their_operands")
def operands_of_different_types(p):
    p.b.operands = (p.a, Constant(LONG, 2))


@breaks("test.cps:6:16: error: `*` cannot be applied to nothing", by="operations_fit_their_operands")
def an_operation_without_operands(p):
    p.b.operands = ()


@breaks("test.cps:8:16: error: `+` of `int` and `int` is of type `int`, not `bool`", by="operations_fit_their_operands")
def a_result_of_another_type(p):
    p.sum.type = BOOL
    p.body.transfer.edge.arguments[0] = p.n


@breaks("test.cps:6:16: error: `int → ⊥` cannot be converted to `int`", by="operations_fit_their_operands")
def a_conversion_of_a_continuation(p):
    p.b.op, p.b.operands = CONVERT, (p.ret,)


@breaks("test.cps:7:11: error: `%d` in a printf format has no argument", by="formats_fit_their_arguments")
def a_format_without_its_argument(p):
    p.printf.operands = p.printf.operands[:1]


@breaks("test.cps:7:11: error: `printf` cannot be applied to `int`", by="operations_fit_their_operands")
def an_effect_with_the_wrong_operands(p):
    p.printf.operands = (p.n,)


@breaks("test.cps:14:14: error: a branch takes a `bool`, not `int`", by="decisions_fit_their_values")
def a_branch_on_an_integer(p):
    p.loop.transfer.condition = p.i


@breaks("test.cps:24:10: error: a switch takes an integer, not `bool`", by="decisions_fit_their_values")
def a_switch_on_a_bool(p):
    p.g.transfer.value = Constant(BOOL, True)


@breaks("test.cps:24:10: error: the case 1 occurs twice", by="decisions_fit_their_values")
def two_equal_cases(p):
    p.g.transfer.cases[1] = 1


@breaks("test.cps:24:10: error: 4294967296 is not a value of type `int`", by="decisions_fit_their_values")
def a_case_out_of_range(p):
    p.g.transfer.cases[1] = 2**32


@breaks("test.cps:24:10: error: a switch has 1 case, but 2 edges for them", by="decisions_fit_their_values")
def a_case_without_an_edge(p):
    p.g.transfer.cases.pop()


@breaks("test.cps:8:11: error: `loop` takes 2 arguments, but 1 is passed", by="edges_fit_their_targets")
def too_few_arguments(p):
    p.body.transfer.edge.arguments.pop()


@breaks("test.cps:22:7: error: `ret` takes 1 argument, but none are passed", by="edges_fit_their_targets")
def no_argument_for_the_return_continuation(p):
    p.one.transfer.edge.arguments.clear()


@breaks("test.cps:12:11: error: argument 1 of `ret` must be of type `int`, not `int → ⊥`", by="edges_fit_their_targets")
def an_argument_of_another_type(p):
    p.last.transfer.edge.arguments[0] = HALT


@breaks("test.cps:12:11: error: `r` is of type `int`, which is no continuation", by="edges_fit_their_targets")
def a_jump_to_an_integer(p):
    p.last.transfer.edge = Edge(p.last.parameters[0])


@breaks("test.cps:10:11: error: `last` gets its arguments from `g`, not from the call", by="edges_fit_their_targets")
def a_call_that_passes_arguments_to_the_return_continuation(p):
    p.exit.transfer.then.arguments.append(p.n)


@breaks("test.cps:10:11: error: `g` takes 1 argument, but 2 are passed", by="calls_fit_their_callees")
def a_call_with_too_many_arguments(p):
    p.exit.transfer.arguments.append(p.n)


@breaks("test.cps:10:11: error: argument 1 of `g` must be of type `int`, not `bool`", by="calls_fit_their_callees")
def a_call_with_a_wrong_argument(p):
    p.exit.transfer.arguments[0] = Constant(BOOL, True)


@breaks(
    "test.cps:10:11: error: `g` needs a return continuation of type `int → ⊥`; `body` is of type `() → ⊥`",
    by="calls_fit_their_callees",
)
def a_return_continuation_of_another_type(p):
    p.exit.transfer.then.target = p.body
    p.f.continuations.remove(p.last)


@breaks("test.cps:14:14: error: `h` has no return continuation, so it cannot be called", by="calls_fit_their_callees")
def a_call_of_a_function_that_does_not_return(p):
    span = p.loop.transfer.span
    h = Function("h", [], [], Jump(Edge(HALT, [Constant(INT, 0)])))
    p.program.functions.append(h)
    p.loop.body.clear()
    p.loop.transfer = Call(h, [], Edge(p.exit), span)
    p.f.continuations.remove(p.body)


@breaks("test.cps:12:11: error: `b` is not defined on every way that leads here", by="definitions_dominate_uses")
def a_use_where_the_definition_may_not_have_been(p):
    p.last.transfer.edge.arguments = [p.b]


@breaks("test.cps:6:16: error: `v` is used before it is defined", by="definitions_dominate_uses")
def a_use_before_the_definition(p):
    p.sum.name = "v"
    p.b.operands = (p.sum, p.a)


@breaks("test.cps:6:16: error: `b` is used before it is defined", by="definitions_dominate_uses")
def a_statement_that_uses_itself(p):
    p.b.operands = (p.b, p.a)


@breaks("test.cps:22:7: error: `n` is not defined in `g`", by="definitions_dominate_uses")
def a_use_in_another_function(p):
    p.one.transfer.edge.arguments = [p.n]


def headings(diagnostics):
    """The first lines of the diagnostics as they are drawn."""
    return [diagnostic.render().splitlines()[0] for diagnostic in diagnostics]


@pytest.mark.parametrize("name", BREAKS)
def test_what_is_broken_is_reported(name):
    break_it, by, messages = BREAKS[name]
    sound = Sound()
    break_it(sound)
    assert headings(check(sound.program)) == messages
    responsible = next(each for each in CHECKS if each.__name__ == by)
    assert [*responsible(Subject(sound.program))]


def test_every_check_has_something_that_breaks_it():
    assert {by for _, by, _ in BREAKS.values()} == {each.__name__ for each in CHECKS}


def test_a_use_out_of_scope_shows_the_definition_too():
    sound = Sound()
    a_use_where_the_definition_may_not_have_been(sound)
    assert [diagnostic.render() for diagnostic in check(sound.program)] == [
        "test.cps:12:11: error: `b` is not defined on every way that leads here\n"
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
            "`%s` in a printf format takes `string`, not `int`",
        ]),
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
    for break_it in (two_equal_cases, a_branch_on_an_integer, too_few_arguments):
        break_it(sound)
    assert [diagnostic.span.start for diagnostic in check(sound.program)] == sorted(
        sound_part.transfer.span.start for sound_part in (sound.g, sound.loop, sound.body)
    )


# ------------------------------------------------------------------------------------------------- generated programs


@settings(max_examples=examples(60))
@given(programs())
def test_generated_programs_are_sound(program):
    assert check(program) == []


def edges(program):
    return [edge for member in all_members(program) for edge in member.transfer.edges if edge.arguments]


def all_members(program):
    return [member for function in program.functions for member in function.members()]


def statements(program):
    return [statement for member in all_members(program) for statement in member.body]


def drop_an_argument(source, program):
    source.choice(edges(program)).arguments.pop()


def lose_a_transfer(source, program):
    source.choice(all_members(program)).transfer = None


def lose_a_continuation(source, program):
    function = source.choice([function for function in program.functions if function.continuations])
    function.continuations.remove(source.choice(function.continuations))


def list_a_stranger(source, program):
    source.choice(program.functions).continuations.append(Continuation("stranger", [], [], Jump(Edge(HALT, []))))


def repeat_a_statement(source, program):
    statement = source.choice(statements(program))
    source.choice(all_members(program)).body.append(statement)


def change_a_result(source, program):
    source.choice(statements(program)).type = ContinuationType(())


def use_a_value_of_nowhere(source, program):
    edge = source.choice(edges(program))
    edge.arguments[0] = Parameter(edge.arguments[0].type, "nowhere")


def use_a_value_before_its_definition(source, program):
    member = source.choice([member for member in all_members(program) if member.body])
    late = Effect("puts", (Constant(STRING, ""),), INT)
    member.body = [Primitive("neg", (late,), INT), *member.body, late]


FAULTS = [
    drop_an_argument,
    lose_a_transfer,
    lose_a_continuation,
    list_a_stranger,
    repeat_a_statement,
    change_a_result,
    use_a_value_of_nowhere,
    use_a_value_before_its_definition,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_faults_planted_in_generated_programs_are_found(fault):
    planted = 0
    for seed in range(100):
        source = random.Random(seed)
        program = random_program(source, 2, 8)
        try:
            fault(source, program)
        except IndexError:
            continue  # the program has nothing of the kind
        planted += 1
        assert check(program), f"seed {seed}"
    assert planted > 70

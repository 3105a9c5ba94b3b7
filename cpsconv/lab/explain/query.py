"""Queries: names are resolved to parameters, continuations and variables, and answered with evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from cpsconv.core.analysis.feasible import FeasiblePaths
from cpsconv.core.analysis.flow import parameter_edges
from cpsconv.core.analysis.nesting import Nesting
from cpsconv.core.construction.block import Variable
from cpsconv.core.construction.record import Record
from cpsconv.core.entry import function_named
from cpsconv.core.ir import Continuation, Function, Parameter, Program, Value
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Diagnostic, DiagnosticError, did_you_mean, error
from cpsconv.core.text.plan import TextPlan
from cpsconv.core.text.spelling import quote_name, unquote_name
from cpsconv.lab.explain import evidence as ev
from cpsconv.lab.explain.def_use import DefUse

_MAX_LISTED = 8  # names in a message
_MAX_EVIDENCE = 100_000  # continuations and values on the paths for all parameters of a function


class Explanation(metaclass=NodeType):
    """The answers to one query, all about one function, and the appearance of its parts in the text.

    There are several answers if several variables have the name.
    """

    text_plan: TextPlan
    answers: list[ev.Answer]


def why(program: Program, record: Record, name: str, function: str | None = None) -> Explanation:
    """The evidence for a parameter, or for the absence of a parameter for a variable.

    `name` is a parameter as the CPS text shows it (``a`` or ``next.a``), or a variable at the start of a continuation
    (``a@next``); the backquotes of some names in the text are optional. `function` is needed if several functions have
    the name. The program must be minimal, unless its `record` is empty.

    Raises `DiagnosticError` if no function has the name, or several have it.
    """
    name = name.replace("`", "")
    plans = text_plans(program)
    functions = [_FunctionNames(plans[each], record) for each in functions_named(program, function)]
    found = [(each, answers) for each in functions if (answers := each.answers(name, program))]
    if not found:
        raise DiagnosticError([_unknown(functions, name)])
    if len(found) > 1:
        several = _listed([each.function.name for each, _ in found])
        help = f"name the function: FILE:{found[0][0].function.name}"
        raise DiagnosticError([error(f"`{name}` is in several functions: {several}", help=help, rule="query")])
    ((one, answers),) = found
    return Explanation(one.text_plan, answers)


@dataclass(frozen=True)
class Queries:
    """The names that `why` accepts about a function.

    They are the parameters of its `continuations`, each with its continuation, and combinations of a variable and a
    continuation. The names are those of the text.
    """

    function: str
    parameters: list[str]
    variables: list[str]
    continuations: list[str]


def queries(program: Program, record: Record, function: str | None = None) -> list[Queries]:
    """The queries about each function, or about the one called `function`.

    Raises `DiagnosticError` if there is no such function, or none at all.
    """
    if not program.functions:
        raise DiagnosticError([error("there is no function to explain", rule="query")])
    plans = text_plans(program)
    return [_FunctionNames(plans[each], record).queries() for each in functions_named(program, function)]


def explain_parameters(program: Program, record: Record, function: Function) -> dict[str, Explanation | None]:
    """The evidence for each parameter of a function of the program, by its name in the text.

    As for `why`, the program must be minimal, unless its `record` is empty. In a deep nest, all paths together have
    quadratic length: after `_MAX_EVIDENCE` continuations and values on paths, the evidence is None.
    """
    names = _FunctionNames(TextPlan(function, program.global_names), record)
    found: dict[str, Explanation | None] = {}
    length = 0
    for home, parameter in names.parameters.values():
        answer = names.answer(home, parameter) if length < _MAX_EVIDENCE else None
        if isinstance(answer, ev.Convergence):
            length += sum(len(each.path) for each in answer.paths)
        elif isinstance(answer, ev.TwoValues):
            length += sum(map(len, answer.chains))
        found[names.text_plan.names[parameter]] = Explanation(names.text_plan, [answer]) if answer else None
    return found


def functions_named(program: Program, name: str | None) -> list[Function]:
    """The function of that name, or all functions without a name. Raises `DiagnosticError` if there is none."""
    return program.functions if name is None else [function_named(program, name)]


Subject = tuple[Continuation, Union[Parameter, Variable]]
"""The subject of a query: a parameter, or a variable at the start of a continuation."""


class _FunctionNames:
    """The names of one function, as in the text but without backquotes, and the answers about it."""

    def __init__(self, plan: TextPlan, record: Record) -> None:
        self.function = function = plan.function
        self.text_plan = plan
        self.def_use = DefUse(function, record[function]) if function in record else None
        self.flow = parameter_edges(function)
        self._feasible = FeasiblePaths(function)
        names = {value: unquote_name(name) for value, name in self.text_plan.names.items()}
        self.names: dict[Value, str] = names
        self.members = {function.name: function, **{names[each]: each for each in function.continuations}}
        self.parameters = {names[each]: (member, each) for member in function.members() for each in member.parameters}

    def queries(self) -> Queries:
        """The names that `subjects` resolves."""
        shown = {**self.text_plan.names, self.function: quote_name(self.function.name)}
        parameters = [f"{shown[home]}.{shown[parameter]}" for home, parameter in self.parameters.values()]
        variables = dict.fromkeys(each.name for each in self.def_use.accesses) if self.def_use else {}
        return Queries(self.function.name, parameters, [*variables], [shown[each] for each in self.members.values()])

    def variables(self, name: str) -> list[Variable]:
        """The variables of that name."""
        return [each for each in self.def_use.accesses if each.name == name] if self.def_use else []

    def answers(self, name: str, program: Program) -> list[ev.Answer]:
        """The answers about the name: about parameters, and about variables in memory."""
        variables = program.variables.get(self.function)
        kept = variables.in_memory if variables else []
        in_memory = [each for each in kept if name == each.name or name.startswith((f"{each.name}.", f"{each.name}["))]
        return [*(self.answer(*each) for each in self.subjects(name)), *map(ev.Memory, in_memory)]

    def subjects(self, name: str) -> list[Subject]:
        """The subjects with that name: a parameter, or else all parameters for a variable of the source."""
        if name in self.parameters:
            return [self.parameters[name]]
        if "@" in name:
            variable, _, at = name.rpartition("@")
            return self._variables_at(variable, self.members[at]) if at in self.members else []
        dots = (at for at, character in enumerate(name) if character == "." and name[:at] in self.members)
        found = [subject for at in dots for subject in self._parameters_of(self.members[name[:at]], name[at + 1 :])]
        if not found and self.variables(name):
            found += [subject for subject in self.parameters.values() if subject[1].name == name]
        return found

    def _parameters_of(self, home: Continuation, name: str) -> list[Subject]:
        """The parameter with that name in the text, or the parameters for variables of that name."""
        exact = [each for each in home.parameters if self.names[each] == name]
        return [(home, each) for each in exact or [each for each in home.parameters if each.name == name]]

    def _variables_at(self, name: str, home: Continuation) -> list[Subject]:
        """The variables of that name, or their parameters; of several variables, those that are live at `home`."""
        if self.def_use is None:
            return []
        def_use, found = self.def_use, self.variables(name)
        if len(found) > 1:
            found = [each for each in found if def_use.is_live(each, home)] or found
        return [(home, def_use.accesses[each].parameters.get(home, each)) for each in found]

    def answer(self, home: Continuation, subject: Parameter | Variable) -> ev.Answer:
        """The evidence for or against a parameter."""
        if not isinstance(subject, Parameter):
            assert self.def_use
            return ev.reaching_definitions(self.def_use, home, subject)
        if self.def_use and subject in self.def_use.variables:
            return ev.convergence(self.def_use, home, subject, self._feasible)
        if subject in self.flow:
            return ev.by_values(home, subject, self.flow, self._feasible)
        return ev.Supplied(home, subject)


# ------------------------------------------------------------------------------------------------- unknown names


def _unknown(functions: list[_FunctionNames], name: str) -> Diagnostic:
    """The diagnostic for a name that no function has."""
    variable, at, home = name.rpartition("@")
    if at:
        return _unknown_at(functions, variable, home)
    if "." not in name:
        return _unknown_parameter(functions, name)
    home, _, parameter = name.rpartition(".")
    members = [each.members[home] for each in functions if home in each.members]
    if not members:
        return _no_continuation(functions, home)
    known = [parameter.name for member in members for parameter in member.parameters]
    help = f"it has {_listed(known)}" if known else "it has none"
    return error(f"`{home}` has no parameter `{parameter}`", help=help, rule="query")


def _unknown_parameter(functions: list[_FunctionNames], name: str) -> Diagnostic:
    for each in functions:
        if name in each.members:
            known = [each.names[parameter] for parameter in each.members[name].parameters]
            has = f"its parameters are {_listed(known)}" if known else "it has no parameters"
            return error(
                f"`{name}` is a continuation", help=f"{has}; `x@{name}` denotes the variable `x` there", rule="query"
            )
        if parts := [known for known in each.parameters if known.startswith((f"{name}.", f"{name}["))]:
            return error(f"`{name}` is split into variables", help=f"parameters are {_listed(parts)}", rule="query")
        if each.variables(name):
            help = f"name a continuation for the variable: `{name}@{[*each.members][-1]}`"
            return error(f"there is no parameter `{name}`", help=help, rule="query")
        if name in each.names.values():
            return error(f"`{name}` is a computed value, not a parameter", rule="query")
    known = [parameter for each in functions for parameter in each.parameters]
    return _no("parameter", name, known)


def _unknown_at(functions: list[_FunctionNames], variable: str, home: str) -> Diagnostic:
    if not any(each.def_use for each in functions):
        return error("CPS text has no variables", help="name a parameter", rule="query")
    there = [each for each in functions if home in each.members]
    if not there:
        return _no_continuation(functions, home)
    known = [known.name for each in there if each.def_use for known in each.def_use.accesses]
    return _no("variable", variable, known, f" in `{there[0].function.name}`")


def _no_continuation(functions: list[_FunctionNames], name: str) -> Diagnostic:
    return _no("continuation", name, [member for each in functions for member in each.members])


def _no(kind: str, name: str, known: Sequence[str], where: str = "") -> Diagnostic:
    help = did_you_mean(name, known) or "`cpsconv why FILE` lists the possible names"
    return error(f"there is no {kind} `{name}`{where}", help=help, rule="query")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MAX_LISTED} more" if len(names) > _MAX_LISTED else ""
    return ", ".join(f"`{name}`" for name in names[:_MAX_LISTED]) + more


def text_plans(program: Program) -> dict[Function, TextPlan]:
    """The plans of all functions, with the names that the nested text of the program has."""
    functions, nesting = program.global_names, Nesting(program)
    inner: dict[Function, list[Function]] = {}
    for function, around in nesting.enclosing.items():
        inner.setdefault(around, []).append(function)
    plans: dict[Function, TextPlan] = {}
    pending = [function for function in program.functions if function not in nesting.enclosing]
    for function in pending:  # appended to during iteration
        outer = nesting.enclosing.get(function)
        plans[function] = TextPlan(function, functions, plans[outer] if outer else None)
        pending += inner.get(function, ())
    return plans

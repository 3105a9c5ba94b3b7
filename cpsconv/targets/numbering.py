"""Names with numbers for the values of a program: `i₁`, `i₂` for the variable `i`, or `v₁`, `v₂`, … for all values.

The second form is that of Figure 1 of the paper, which denotes each SSA value by a name: intermediate values and
constants are bound, not written in place. The numbers ascend in the order of the nested text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Literal, Union

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import replace_in_transfer
from cpsconv.core.operations.table import CONVERT, constant_key
from cpsconv.core.text.plan import NOTHING_WRITTEN, Alias, TextPlan, Written, let_groups
from cpsconv.core.text.spelling import quote_name, sanitized_name

Names = Literal["source", "numbered", "all"]
"""Names as in the source; with the number of the value; or one name with numbers, for all intermediate values."""

SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
"""The digits in numbered names, from 0."""


def numbered_text(
    program: ir.Program, *, names: Names, layout: Literal["nested", "flat"], ascii: bool, width: int
) -> str:
    """The CPS text of `program`, as by `cpsconv.core.text.pretty`, with numbered names."""
    from cpsconv.core.text.printer import NO_COMMENTS, Style, program_lines  # φ form needs no printer of CPS text
    from cpsconv.core.text.written import printers_of

    program, written = numbered(program, names, ascii=ascii)
    style = Style(ascii, width)
    printers = printers_of(program, written, style, layout, NO_COMMENTS)
    return "\n".join([*program_lines(program, style, NO_COMMENTS, printers), ""])


def numbered(program: ir.Program, names: Names, *, ascii: bool) -> tuple[ir.Program, Written]:
    """A program for printing, with the names that its text has; by default the program itself, without such names."""
    if names == "source":
        return program, NOTHING_WRITTEN
    if names == "all":
        program = _with_bound_constants(program)
    written, taken, is_nested = Written(), program.global_names, program.has_nested_functions
    numbering = _Numbering(taken, ascii=ascii)
    for function in program.functions:
        for value in _named_values(function, names):
            hint = "v" if names == "all" else sanitized_name(value.name or "")
            written.names[value] = quote_name(numbering.name(hint))
        if not is_nested:  # else an inner function could hide names of those around it
            numbering = _Numbering(taken, ascii=ascii)
    return program, written


def _named_values(function: ir.Function, names: Names) -> Iterator[Union[ir.Parameter, ir.Primitive, ir.Effect]]:
    """The values that get numbers: those with names in the text, or all but the parameters of the function itself.

    Parameters that receive continuations are no values of a variable.
    """
    plan = TextPlan(function)
    for member in nested_order(function):
        parameters = [] if names == "all" and member is function else member.parameters
        yield from (each for each in parameters if not isinstance(each.type, ir.ContinuationType))
        yield from filter(plan.is_shown, member.body if names == "all" else plan.lines(member))


class _Numbering:
    """Generates unique names, other than those `taken`."""

    def __init__(self, taken: Collection[str], *, ascii: bool) -> None:
        self.taken = taken
        self.given: set[str] = set()
        self.last: Counter[str] = Counter()
        self.ascii = ascii

    def name(self, hint: str) -> str:
        """`hint` with its next number, in place of a subscript that it has."""
        base = hint.rstrip(SUBSCRIPTS) or "v"
        name = base
        while name is base or name in self.taken or name in self.given:
            self.last[base] += 1
            name = base + self._number(self.last[base], is_apart=base[-1].isdigit())
        self.given.add(name)
        return name

    def _number(self, number: int, *, is_apart: bool) -> str:
        """`₁`, or `1`, after an underscore if a digit precedes it."""
        if self.ascii:
            return f"{'_' * is_apart}{number}"
        return "".join(SUBSCRIPTS[int(digit)] for digit in str(number))


def _with_bound_constants(program: ir.Program) -> ir.Program:
    """A copy of the program in which each continuation binds its numbers to names before their first uses."""
    from cpsconv.core.json import from_json, to_json  # only programs with such names are copied

    program = from_json(to_json(program))
    for function in program.functions:
        for member in function.members():
            _bind_constants(member)
    return program


def _bind_constants(member: ir.Continuation) -> None:
    bound: dict[tuple[object, ...], Alias] = {}
    body: list[ir.Statement] = []

    def name_of(value: ir.Value) -> ir.Value:
        if not isinstance(value, ir.Constant) or value.type is ir.STRING:  # a format is part of its operation
            return value
        key = constant_key(value)
        if key not in bound:
            bound[key] = Alias(CONVERT, (value,), value.type)
            body.append(bound[key])
        return bound[key]

    for statement in member.body:
        statement.operands = tuple(map(name_of, statement.operands))
        body.append(statement)
    if member.transfer:
        replace_in_transfer(member.transfer, name_of)
    member.body = body


def nested_order(function: ir.Function) -> list[ir.Continuation]:
    """The function and its continuations, in the order of the nested text."""
    groups = let_groups(DominatorTree(function), ())
    order: list[ir.Continuation] = []
    pending: list[ir.Continuation] = [function]
    while pending:
        order.append(pending.pop())
        pending += reversed(groups.get(order[-1], []))
    return order

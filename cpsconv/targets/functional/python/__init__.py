"""The program in Python: a continuation is a local function, a transfer returns a tail call to a trampoline.

::

    def f(x, ret):
        def then():
            return lambda: next_(23)

        def else_():
            return lambda: next_(42)

        def next_(a):
            return lambda: ret(a)

        if x == 0:
            return then
        return else_

Python has closures, but no tail calls. So a function returns its tail call as a *thunk*, a function without parameters
that makes the call. A continuation without parameters is its own thunk. The function `trampoline` of the prelude
(``python.prelude``) calls one thunk after the other. A lambda contains no statements, so every continuation has a name,
including those that CPS text writes in place.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cpsconv.core.ir import (
    INTEGER,
    Branch,
    Call,
    Continuation,
    Edge,
    Field,
    Jump,
    ObjectType,
    Scalar,
    Statement,
    Switch,
    Transfer,
    Value,
)
from cpsconv.core.operations.completeness import for_every_operation
from cpsconv.core.operations.mathematics import for_each_function
from cpsconv.core.operations.pointers import format_of
from cpsconv.core.operations.python_text import UNSPELLED
from cpsconv.core.operations.table import OUTPUTS
from cpsconv.core.text.layout import Group, Piece, on_one_line, wrapped
from cpsconv.targets.functional.completeness import require_calls, require_functions
from cpsconv.targets.functional.definition import OnRecords, definition_of
from cpsconv.targets.functional.file import Language, Start
from cpsconv.targets.functional.identifiers import Spelling, type_name
from cpsconv.targets.functional.memory import CALLS, Definitions, MemoryPlan
from cpsconv.targets.functional.nesting_plan import LiftedGroup
from cpsconv.targets.functional.prelude import Facts, Prelude
from cpsconv.targets.functional.python.operations import CHECKED, PRINTING, computed
from cpsconv.targets.functional.terms import Line, Term, call, indented, list_of, text_of
from cpsconv.targets.functional.writer import Layer, Writer

# ------------------------------------------------------------------------------------------------ prelude and names


def _facts(type: Scalar) -> Facts:
    lowest = f"-(2**{type.bits - 1})" if type.signed else "0"
    limit = f"2**{type.bits - type.signed}"
    return {"TYPE": type_name(type), "BITS": str(type.bits), "LOWEST": lowest, "LIMIT": limit}


_OPERATIONS = tuple(f"../../core/operations/python_{name}.py" for name in ("arithmetic", "formats", "mathematics"))


def _function_of_c(name: str, count: int, type: Scalar) -> str:
    return f'c_{name} = platform_function("{name}", {count}, {type.bits})'


class _PythonPrelude(Prelude):
    """The prelude, which includes modules of this package that define C's operations."""

    def pieces_of(self, file: str) -> dict[str, str]:
        """The pieces of a file; those of a module without type annotations and classes of runtime errors."""
        pieces = super().pieces_of(file)
        if file not in _OPERATIONS:
            return pieces
        is_import = re.compile("import|from").match
        return {name: _SIGNATURE.sub(_unannotated, piece) for name, piece in pieces.items() if not is_import(piece)}


_SIGNATURE = re.compile(r"(?m)^def (?P<name>\w+)\((?P<parameters>.*)\) -> .*:$|raise \w+Error(?=\()")


def _unannotated(match: re.Match[str]) -> str:
    if not match["name"]:
        return "runtime_error"
    parameters = [parameter.partition(":")[0] for parameter in match["parameters"].split(", ")]
    return f"def {match['name']}({', '.join(parameters)}):"


_WORDS = frozenset(
    """_ case match type __build_class__ __debug__ __doc__ __file__ __import__ __loader__ __name__ __package__ __spec__
    BaseExceptionGroup Ellipsis EncodingWarning ExceptionGroup NotImplemented PythonFinalizationError aiter anext
    copyright credits exit help license open quit""".split()  # noqa: SIM905
).union(
    name
    for name, value in vars(builtins).items()
    if getattr(value, "__module__", "") == "builtins" and not name.startswith("_")  # a notebook adds others
)
"""Soft keywords and builtins of all Python versions from 3.10 on, so that all versions emit the same files."""

_RESERVED = frozenset({*keyword.kwlist, *_WORDS, *"lIO"})
"""Reserved names, with those that PEP 8 forbids because they look like numbers."""

_PRELUDE = _PythonPrelude(
    ("python/python.prelude", *_OPERATIONS),
    definition=re.compile(r"^(?:def |class |import |(?=\w+ = ))(\w+)", re.MULTILINE),
    words=re.compile(r"""#.*|[rf]?"[^"]*"|'[^']*'|(\w+)"""),
    facts=_facts,
    boundary=r"\n\n+|\n(?=import )",
    written={**{f"c_{name}": text for name, text in for_each_function(_function_of_c).items()}, **CHECKED},
    called=re.compile(r"(?<!\.)(?<!def )\b([A-Za-z_]\w*)\("),
    known=_RESERVED,
)

_MEMORY_FILE = "python/memory.prelude"

_PRELUDE_WITH_MEMORY = replace(
    _PRELUDE, files=(*_PRELUDE.files, _MEMORY_FILE), generated=lambda: definition_of("python")
)

_ON_MEMORY = _PRELUDE_WITH_MEMORY.pieces_of(_MEMORY_FILE)

for_every_operation("emitted Python", {op: op for op in CALLS if op in _ON_MEMORY}, CALLS, memory=True)

for_every_operation("emitted Python", {op: piece for op, piece in _PRELUDE.pieces.items() if op in OUTPUTS}, OUTPUTS)

_NAMES = Spelling(_RESERVED.union(_PRELUDE.pieces))

_INDENTATION = 4


def _text(lines: Sequence[Line], width: int) -> str:
    breakable = (_breakable(line, width - _INDENTATION * line.depth) for line in lines)
    return text_of(breakable, width, _INDENTATION, hanging=0)


def _breakable(line: Line, width: int) -> Line:
    """The line; in parentheses if it is too long and has none, since Python continues lines only inside parentheses."""
    piece = line.piece
    if isinstance(piece, str) or piece.bracketed or piece.opening.endswith("(") or len(on_one_line(piece)) <= width:
        return line
    return line._replace(piece=Group(f"{piece.opening}(", piece.items, f"){piece.closing}", piece.separator))


class _PythonWriter(Writer[Term, list[Line]]):
    """Writes one function."""

    terms = PRINTING

    def definition(self, member: Continuation, body: list[Line]) -> list[Line]:
        """``def k(a):`` and the body"""
        return self._function(self.names[member], member.parameters, body)

    def lifted(self, group: LiftedGroup, inside: Sequence[list[Line]]) -> list[Line]:
        """``def f_k(x):``, the definitions, ``return k1, k2``"""
        returned = Group("return ", [*self.named(group.members)], "", bracketed=False)
        return self._function(self.names[group], group.free, _apart([*inside, [Line(returned)]]))

    def lifted_call(self, group: LiftedGroup) -> list[Line]:
        """``k1, k2 = f_k(x)``"""
        lifted = call(self.names[group], map(Term, self.named(group.free)))
        return [Line(wrapped(f"{', '.join(self.named(group.members))} = ", lifted.piece))]

    def _function(self, name: str, parameters: Sequence[Value], body: list[Line]) -> list[Line]:
        header = call(f"def {name}", map(Term, self.named(parameters)))
        return [Line(wrapped("", header.piece, ":")), *indented(body)]

    def body(self, layers: list[Layer], inside: Sequence[list[Line]], transfer: Transfer) -> list[Line]:
        """``v = e``, effects, definitions with blank lines around them, and the transfer"""
        before = [line for layer in layers for line in self._statements(layer)]
        after = self._transfer(transfer)
        return _apart([before, *inside, after]) if inside else [*before, *after]

    def _statements(self, layer: Layer) -> Iterator[Line]:
        for statement in layer.bindings:
            yield Line(wrapped(f"{self.names[statement]} = ", self.operation(statement).piece))
        for effect in layer.effects:
            yield Line(self.operation(effect).piece)

    # ------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, transfer: Transfer) -> list[Line]:
        if isinstance(transfer, Jump):
            return [self._step(transfer.edge)]
        if isinstance(transfer, Call):
            arguments = [*self.arguments(transfer), self.value(transfer.then.target)]
            if transfer.pointer is None:
                return [self._thunk(self.callee(transfer), arguments)]
            return [self._thunk(Term("call_at"), [*self.pointer(transfer, transfer.pointer), *arguments])]
        if isinstance(transfer, Branch):
            condition = wrapped("if ", self.used(transfer.condition).piece, ":")
            return [Line(condition), *indented([self._step(transfer.then)]), self._step(transfer.otherwise)]
        assert isinstance(transfer, Switch)
        cases = [*((case.value, edge) for case, edge in transfer.arms), ("_", transfer.default)]
        arms = [line for case, edge in cases for line in (Line(f"case {case}:"), *indented([self._step(edge)]))]
        return [Line(wrapped("match ", self.used(transfer.value).piece, ":")), *indented(arms)]

    def _step(self, edge: Edge) -> Line:
        """``return lambda: k(a)``, or ``return k`` without arguments."""
        return self._thunk(self.value(edge.target), [*map(self.value, edge.arguments)])

    def _thunk(self, target: Term, arguments: Sequence[Term]) -> Line:
        return Line(wrapped("return ", _thunk(target, arguments)))

    def computed(self, statement: Statement) -> Term:
        """``to_int(a + b)``, ``putchar(a)``"""
        return computed(statement, [*map(self.used, statement.operands)])


def _thunk(function: Term, arguments: Sequence[Term]) -> Piece:
    """A function without parameters that calls a function with the arguments."""
    name = on_one_line(function.piece)
    return wrapped("lambda: ", call(name, arguments).piece) if arguments else name


def _apart(blocks: Sequence[list[Line]]) -> list[Line]:
    """The blocks, separated by empty lines."""
    first, *others = filter(None, blocks)
    return [*first, *(line for block in others for line in (Line(""), *block))]


# ---------------------------------------------------------------------------------------------------------- start


def _start(start: Start) -> list[Line]:
    """``trampoline(lambda: main(halt))``, or ``start_with_arguments(f, [parse_int], report_value)``"""
    end = start.end_names(lambda words: _ENDS.get(tuple(words), "report_value"))
    started = wrapped("trampoline(", _thunk(Term(start.name), [*map(Term, end)]), ")")
    if start.types:
        parsers = Group(
            "[", ["parse_unbounded" if type is INTEGER else f"parse_{type_name(type)}" for type in start.types], "]"
        )
        started = Group("start_with_arguments(", [start.name, parsers, *end], ")")
    return [Line('if __name__ == "__main__":'), *indented([Line(started)])]


_ENDS = {
    ("report", "unbounded"): "report_unbounded",
    ("halt",): "halt",
    ("halt", "with", "bool"): "halt",
    ("report", "nothing"): "report_nothing",
}


def _type(type: ObjectType) -> Term:
    """``Type("int", 4, "<i")``"""
    layout = [PRINTING.text(format_of(type).format)] if isinstance(type, Scalar) else []
    return call("Type", [PRINTING.fact(str(type)), PRINTING.fact(type.size), *layout])


_MEMORY = Definitions(PRINTING, _type, lambda values: Term(list_of(values)))


def _definitions(plan: MemoryPlan, names: Mapping[Any, str]) -> list[Line]:
    """``int_ = Type("int", 4, "<i")``, ``table = data(int_, 3, "table", 5, [2, 3, 5], False)`` and so on"""
    return [Line(wrapped(f"{name} = " if name else "", value.piece)) for name, value in _MEMORY(plan, names)]


python = Language(
    name="Python",
    header='"""Made by cpsconv. To run it: python3 FILE"""',
    prelude=_PRELUDE,
    locals=_NAMES,
    writer=_PythonWriter,
    laid_out=_text,
    start=_start,
    unspelled=UNSPELLED,
    inline=False,
    max_depth=9,  # leaves half of a line of 80 characters
    separator="\n\n\n",
).supporting_memory(_PRELUDE_WITH_MEMORY, _ON_MEMORY, _definitions)


class _OnRecords(OnRecords[Term, list[Line]], _PythonWriter):
    """Writes the functions of the definition of memory."""

    def field(self, record: Term, field: Field) -> Term:
        """``r.size``"""
        return Term(f"{on_one_line(record.piece)}.{field.name}")

    def changed(self, record: Term, field: Field, value: Term) -> Term:
        """``r.end = line``"""
        return Term(wrapped(f"{on_one_line(record.piece)}.{field.name} = ", value.piece))


DEFINITION = replace(python, writer=_OnRecords, prelude=_PRELUDE_WITH_MEMORY)
"""The language for the functions of the definition of memory."""

require_functions(python, computed, _RESERVED)
require_calls("Python", _PRELUDE_WITH_MEMORY)

"""The program in OCaml: a continuation is a local function, a transfer a tail call.

::

    let f x ret =
      let rec then_ () = next 23
      and else_ () = next 42
      and next a = ret a in
      if x = 0 then then_ () else else_ ()

OCaml has functions as values, closures and tail calls. Types are inferred. A continuation never returns, so its result
type is a type variable. A value that may be undefined is an option (`cpsconv.targets.functional.ocaml.values`). The
prelude is ``ocaml.ml``, ``memory.ml``, ``printf.ml`` and ``start.ml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, repeat
from typing import Any

from cpsconv.core import ir
from cpsconv.core.analysis.graph import functions_used, successors
from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.entry import return_type
from cpsconv.core.operations.names import CREATE_ZEROED, RELEASE
from cpsconv.core.operations.table import LOADS, OUTPUTS, STORE
from cpsconv.core.text.layout import Piece, on_one_line, wrapped
from cpsconv.targets.functional.completeness import require_calls, require_functions
from cpsconv.targets.functional.file import Language, Start
from cpsconv.targets.functional.identifiers import Spelling, type_name
from cpsconv.targets.functional.nesting_plan import LiftedGroup, NestingPlan
from cpsconv.targets.functional.ocaml.effects import PRINTING, PRINTING_WITH_RESULT, performed
from cpsconv.targets.functional.ocaml.operations import CHECKED, LACKING, UNSPELLED, USED, computed, is_long, literal
from cpsconv.targets.functional.ocaml.values import PACK, Kind, applied, coerced, kind, kinds, packed, pattern_of
from cpsconv.targets.functional.prelude import Facts, Prelude, usual_facts
from cpsconv.targets.functional.terms import Line, Term, application, indented, row, text_of
from cpsconv.targets.functional.writer import Layer, ProgramFacts, Writer

Code = list[Line]


def _facts(type: ir.Scalar) -> Facts:
    """The facts of the types whose values are `int`."""
    if is_long(type) or type in ir.WIDE_INTEGERS:
        return {}
    facts = usual_facts(type, type_name(type))
    lowest, highest = int(facts["LOWEST"]), int(facts["HIGHEST"])
    shift = 63 - type.bits  # `int` has 63 bits
    lower_bits = f"(n lsl {shift}) asr {shift}" if lowest else f"n land {hex(highest)}"
    return {**facts, "MAGNITUDE": str(-lowest), "WRAPPED": lower_bits}


_OPERATIONS = "ocaml/ocaml.ml"

_KEYWORDS = frozenset(
    """and as assert asr begin class constraint do done downto else end exception external false for fun function
    functor if in include inherit initializer land lazy let lor lsl lsr lxor match method mod module mutable new
    nonrec object of open or private rec sig struct then to true try type val virtual when while with""".split()  # noqa: SIM905
)

_FUNCTIONS = frozenset(
    """exit float float_of_string float_of_string_opt flush input int64 int_of_float int_of_string max min prerr_endline
    prerr_string print_char print_endline ref stderr stdin stdout string_of_bool string_of_int""".split()  # noqa: SIM905
)
"""The names of the standard library that the prelude uses without a qualifier, besides those that terms use."""

_PRELUDE = Prelude(
    (_OPERATIONS, "ocaml/memory.ml", "ocaml/printf.ml", "ocaml/start.ml"),
    definition=re.compile(r"^(?:let(?: rec)?|external|type) ([\w']+)", re.MULTILINE),
    words=re.compile(r"""\(\*.*?\*\)|"[^"]*"|'(?:[^'\\]|\\[^']*)'|(?<![\w.~])([a-z_][\w']*)""", re.DOTALL),
    facts=_facts,
    boundary=r"\n\n+|(?<!\*\))\n(?=let |external )",
    written=CHECKED,
    binding=re.compile(r"(?:\b(?:let|rec|fun|and|for|external|function|with)\s|\|)([^=|]*?)(?:=|->|\bwhen\b)"),
    known=_KEYWORDS | USED | _FUNCTIONS,
)


class _Lowercase(Spelling):
    """Identifiers begin with a lower-case letter. (A leading underscore marks an unused parameter.)"""

    __slots__ = ()

    def legal(self, name: str) -> str:
        """The name as a legal identifier."""
        word = self.illegal.sub("_", name).lstrip("_")
        return super().legal(word[:1].lower() + word[1:] if word[:1].isalpha() else f"v{word}")


_LOCALS = _Lowercase(
    _KEYWORDS.union(USED, OUTPUTS, _PRELUDE.pieces_of(_OPERATIONS), _PRELUDE.pieces_of("ocaml/memory.ml"), [PACK])
)

_HEADER = "(* Made by cpsconv. To run it: ocaml FILE; or ocamlopt FILE, then ./a.out *)"


class _OCamlWriter(Writer[Term, Code]):
    """Writes one function. `openings` are the first words of the next top-level definitions."""

    terms = PRINTING
    openings: Iterator[str] = repeat("let")

    @cached_property
    def frames(self) -> dict[ir.Continuation, tuple[str, str]]:
        """The first and the last words of each local definition."""
        return dict(_frames(self.plan))

    # ------------------------------------------------------------------------------------------------ definitions

    def definition(self, member: ir.Continuation, body: Code) -> Code:
        """``let k a = body in``"""
        opening, closing = self.frames[member] if member in self.frames else (next(self.openings), "")
        pattern, unpacking = pattern_of(self._binders(member.parameters))
        return _defined(f"{opening} {self.names[member]} {pattern} =", [*unpacking, *body], closing)

    def lifted(self, group: LiftedGroup, inside: Sequence[Code]) -> Code:
        """``let f_k x = let k1 a = … in let k2 b = … in (k1, k2)``"""
        members = self.named(group.members)
        last = Line(f"({', '.join(members)})" if len(members) > 1 else members[0])
        pattern = " ".join(self.named(group.free)) or "()"
        return _defined(f"{next(self.openings)} {self.names[group]} {pattern} =", [*chain(*inside), last], "")

    def lifted_call(self, group: LiftedGroup) -> Code:
        """``let k1, k2 = f_k x in``"""
        members, free = self.named(group.members), self.named(group.free)
        return [Line(f"let {', '.join(members)} = {self.names[group]} {' '.join(free) or '()'} in")]

    def body(self, layers: list[Layer], inside: Sequence[Code], transfer: ir.Transfer) -> Code:
        """``let v = e in effect; let k a = … in transfer``"""
        code: Code = []
        for layer in layers:
            code += [self._bound(statement) for statement in layer.bindings]
            code += [Line(wrapped("", self.operation(effect).piece, ";")) for effect in layer.effects]
        return [*code, *chain(*inside), *self._transfer(transfer)]

    def _bound(self, statement: ir.Statement) -> Line:
        (name,) = self._binders([statement])
        return Line(wrapped(f"let {name} = ", self.operation(statement).piece, " in"))

    def _binders(self, values: Iterable[ir.Value]) -> list[str]:
        """The names of values where they are defined. An unused value gets a leading underscore."""
        return [self.names[value] if self.text_plan.used[value] else f"_{self.names[value]}" for value in values]

    # ------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, transfer: ir.Transfer) -> Code:
        if isinstance(transfer, ir.Jump):
            return [Line(self._step(transfer.edge))]
        if isinstance(transfer, ir.Call):
            return self._call(transfer)
        if isinstance(transfer, ir.Branch):
            then = wrapped("then ", self._step(transfer.then))
            first = row([self.used(transfer.condition).piece, then], "if ")
            last = wrapped("else ", self._step(transfer.otherwise))
            whole = f"{on_one_line(first)} {on_one_line(last)}"
            return [Line(whole, several=(Line(first), Line(last)))]
        assert isinstance(transfer, ir.Switch)
        return [Line(wrapped("match ", self.used(transfer.value).piece, " with")), *self._cases(transfer)]

    def _cases(self, switch: ir.Switch) -> Iterator[Line]:
        """``| 1 -> k ()``"""
        for case, edge in switch.arms:
            yield Line(wrapped(f"| {on_one_line(literal(case).piece)} -> ", self._step(edge)))
        yield Line(wrapped("| _ -> ", self._step(switch.default)))

    def _step(self, edge: ir.Edge) -> Piece:
        """``k a``"""
        return applied(self._name(edge.target), self._passed(edge.target, edge.arguments)).piece

    def _call(self, call: ir.Call) -> Code:
        """``f a k``, or ``f a @@ fun v -> body``"""
        function, then = self._name(call.callee), call.then.target
        if then not in self.inlined:
            return [Line(applied(function, self._passed(call.callee, [*call.arguments, then])).piece)]
        assert isinstance(then, ir.Continuation)
        pattern, unpacking = pattern_of(self._binders(then.parameters))
        *arguments, _ = packed([*self._passed(call.callee, call.arguments), Term("")])
        opening = wrapped("", application(function, arguments).piece, f" @@ fun {pattern} ->")
        body = [*unpacking, *self.inlined[then]]
        several = (Line(opening), *body)
        if len(body) > 1 or body[0].several:
            return [*several]
        return [Line(f"{on_one_line(opening)} {on_one_line(body[0].piece)}", several=several)]

    def _name(self, target: ir.Target) -> str:
        return on_one_line(self.value(target).piece)

    def _passed(self, target: ir.Target, arguments: Sequence[ir.Value]) -> list[Term]:
        """The arguments, which may be the first of several, coerced to the kinds that `target` takes."""
        given = [kind(argument, self.may_be_undefined) for argument in arguments]
        wanted = kinds(target, self.may_be_undefined)[: len(given)]
        return [coerced(*each) for each in zip(map(self.value, arguments), given, wanted, strict=True)]

    def computed(self, statement: ir.Statement) -> Term:
        """``int (a + b)``, ``print_string "text"``"""
        operands = [self.used(operand) for operand in statement.operands]
        if isinstance(statement, ir.Effect):
            return performed(statement, operands, with_result=self.text_plan.is_shown(statement))
        return computed(statement, operands)

    def puts(self, effect: ir.Statement, place: Sequence[Term]) -> Term:
        """``puts (string_at p (-1))``; with a result, ``puts' (string_at p (-1))``"""
        return application("puts'" if self.text_plan.is_shown(effect) else "puts", [application("string_at", place)])

    def on_memory(self, statement: ir.Statement) -> Term:
        """``load_int p``, ``store_int v p``, ``release p``"""
        operands = [self.used(operand) for operand in statement.operands]
        if statement.op in LOADS:
            return application(f"load_{type_name(statement.type)}", operands[:1])
        if statement.op != STORE:
            return application({CREATE_ZEROED: "create", RELEASE: "release"}[statement.op], operands)
        value = statement.operands[0]
        store = f"store_{type_name(value.type)}"
        if kind(value, self.may_be_undefined):
            return application("store_if_defined", [Term(store), self.value(value), operands[1]])
        return application(store, operands)

    def printf(self, effect: ir.Statement, operands: Sequence[Term]) -> Term:
        """``Printf.printf "%d" a``; with a result, ``printf' "%d" a``"""
        printing = PRINTING_WITH_RESULT if self.text_plan.is_shown(effect) else PRINTING
        return printing(effect, operands, self.strings)


def _data(data: Sequence[ir.Data], names: Mapping[Any, str]) -> Code:
    """``let x = data 8 "text"``, and then the pointers in the data: ``let () = set_pointer x 0 y``"""
    code = []
    for each in data:
        content = literal(ir.Constant(ir.STRING, each.content.rstrip(b"\0").decode("latin-1")))
        size = Term(str(each.object_type.size))
        code.append(Line(wrapped(f"let {names[each]} = ", application("data", [size, content]).piece)))
    for each in data:
        for offset, (target, _) in each.addresses.items():
            code.append(Line(f"let () = store_ptr {names[target]} (Int64.add {names[each]} {offset}L)"))
    return code


def _frames(plan: NestingPlan) -> Iterator[tuple[ir.Continuation, tuple[str, str]]]:
    """The first and last words of each local definition: ``let`` and ``in``, ``let rec`` or ``and`` if recursive."""
    recursive = _owners_of_recursive(plan)
    for owner, group in plan.groups.items():
        for member in group:
            if owner not in recursive:
                yield member, ("let", " in")
            else:
                yield member, ("let rec" if member is group[0] else "and", " in" if member is group[-1] else "")


def _owners_of_recursive(plan: NestingPlan) -> set[ir.Continuation]:
    """The continuations whose inner definitions are recursive."""
    depth: dict[ir.Continuation, int] = {}
    for member in reversed(plan.innermost_first):
        parent = plan.parent.get(member)
        depth[member] = (depth[parent] if parent else 0) + (member not in plan.inline)
    owners = ((member, plan.parent[named]) for member in depth for named in successors(member))
    return {owner for member, owner in owners if depth[member] > depth[owner]}


def _defined(head: str, body: Code, closing: str) -> Code:
    """A definition, on one line if its body is one line and fits."""
    several = (Line(head), *indented(body), *([Line(closing.strip())] if closing else []))
    if len(body) > 1:
        return [*several]
    return [Line(f"{head} {on_one_line(body[0].piece)}{closing}", several=several)]


# ---------------------------------------------------------------------------------------------------------- start


def _start(start: Start) -> Code:
    """``let () = main halt``, or ``let () = expect_arguments 1; f (int_argument 1) report_int``."""
    values = [application(_reader(type), [Term(str(index))]) for index, type in enumerate(start.types, 1)]
    given: list[Kind] = [False] * len(values)
    if returned := return_type(start.entry):
        values.append(Term(_end(start.end, returned.parameters)))
        given.append((False,) * len(returned.parameters))
    wanted = kinds(start.entry, start.may_be_undefined)
    call = applied(start.name, [coerced(*each) for each in zip(values, given, wanted, strict=True)])
    checked = [Line(f"expect_arguments {len(start.types)};")] if start.types else []
    return _defined("let () =", [*checked, Line(call.piece)], "")


def _reader(type: ir.Scalar) -> str:
    """The function that parses an argument of the command line, given its number."""
    is_character = type.bits == 8 and type is not ir.BOOL
    return f"{type_name(type)}_{'character' if is_character else 'argument'}"


def _end(words: Sequence[str], types: Sequence[ir.Type]) -> str:
    """The name of the function that receives the result of the entry."""
    if any(map(is_long, types)):
        return "halt_with_long" if words[0] == "halt" else f"report_{type_name(types[0])}"
    return "report_int" if words[-1] == "integer" else "_".join(words)


class _OCaml(Language[Term, Code]):
    """OCaml, where a definition precedes its uses, or is part of a ``let rec``."""

    def writers(self, plans: Sequence[NestingPlan], facts: ProgramFacts) -> Sequence[Writer[Term, Code]]:
        """A writer for each function, after the functions that it calls."""
        writers = {plan.text_plan.function: _OCamlWriter(plan, facts) for plan in plans}
        used = {each: [callee for callee in functions_used(each) if callee in writers] for each in writers}
        order = {function: number for number, function in enumerate(writers)}
        found = []
        for component in strongly_connected_components(writers, used.__getitem__):
            if len(component) > 1 or component[0] in used[component[0]]:
                openings = chain(["let rec"], repeat("and"))
                for function in component:
                    writers[function].openings = openings
            found += sorted(component, key=order.__getitem__)
        return [writers[function] for function in found]


ocaml = _OCaml(
    name="OCaml",
    header=_HEADER,
    prelude=_PRELUDE,
    locals=_LOCALS,
    writer=_OCamlWriter,
    laid_out=text_of,
    start=_start,
    prelude_first=True,
    lacking_types=frozenset({ir.INTEGER, ir.LONG_DOUBLE, *ir.WIDE_INTEGERS}),
    lacking=LACKING,
    unspelled=UNSPELLED,
    data=_data,
)

require_functions(ocaml, computed, _KEYWORDS | USED)
require_calls("OCaml", _PRELUDE)

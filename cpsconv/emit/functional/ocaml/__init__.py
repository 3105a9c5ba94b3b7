"""The program in OCaml: a continuation is a local function, a transfer a tail call.

::

    let f x ret =
      let rec then_ () = next 23
      and else_ () = next 42
      and next a = ret a in
      if x = 0 then then_ () else else_ ()

OCaml has all that CPS takes: functions as values, closures, tail calls. Its types are inferred; what a continuation
gives in the end may be of any type, as it never returns. A value that may be undefined is an option
(`cpsconv.emit.functional.ocaml.options`). The prelude is ``ocaml.ml``, ``printf.ml`` and ``start.ml``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, repeat

from cpsconv.analysis.graph import functions_used, successors
from cpsconv.analysis.scc import strongly_connected_components
from cpsconv.analysis.undefined import Place
from cpsconv.emit.functional.file import Language, Start
from cpsconv.emit.functional.identifiers import Spelling
from cpsconv.emit.functional.nesting_plan import Globals, Outline, Shape
from cpsconv.emit.functional.ocaml.calls import PACK, applied, coerced, packed, pattern_of
from cpsconv.emit.functional.ocaml.effects import performed
from cpsconv.emit.functional.ocaml.operations import USED, computed, is_long, literal, type_name
from cpsconv.emit.functional.ocaml.options import Kind, kind, kinds
from cpsconv.emit.functional.prelude import Facts, Prelude, usual_facts
from cpsconv.emit.functional.terms import Line, Term, application, indented, text_of
from cpsconv.emit.functional.writer import Layer, Writer
from cpsconv.entry import return_type
from cpsconv.ir import (
    Branch,
    Call,
    Constant,
    Continuation,
    Edge,
    Effect,
    Jump,
    Program,
    Scalar,
    Statement,
    Switch,
    Target,
    Transfer,
    Type,
    Undef,
    Value,
)
from cpsconv.operations.table import EFFECTS
from cpsconv.text.layout import Group, Piece, on_one_line, wrapped

Code = list[Line]


def _facts(type: Scalar) -> Facts:
    """Those of the types that are kept as `int`."""
    if is_long(type):
        return {}
    facts = usual_facts(type, type_name(type))
    lowest, highest = int(facts["LOWEST"]), int(facts["HIGHEST"])
    shift = 63 - type.bits  # `int` has 63 bits
    lower_bits = f"(n lsl {shift}) asr {shift}" if lowest else f"n land {hex(highest)}"
    return {**facts, "MAGNITUDE": str(-lowest), "WRAPPED": lower_bits}


_OPERATIONS = "ocaml/ocaml.ml"

_PRELUDE = Prelude(
    (_OPERATIONS, "ocaml/printf.ml", "ocaml/start.ml"),
    definition=re.compile(r"^(?:let(?: rec)?|external|type) ([\w']+)", re.MULTILINE),
    words=re.compile(r"""\(\*.*?\*\)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.[^']*)'|(?<![\w.])([a-z_][\w']*)""", re.DOTALL),
    facts=_facts,
)

_KEYWORDS = frozenset(
    """and as assert asr begin class constraint do done downto else end exception external false for fun function
    functor if in include inherit initializer land lazy let lor lsl lsr lxor match method mod module mutable new
    nonrec object of open or private rec sig struct then to true try type val virtual when while with""".split()  # noqa: SIM905
)


class _Lowercase(Spelling):
    """Identifiers begin with a small letter: an underscore says that something is not used."""

    __slots__ = ()

    def legal(self, name: str) -> str:
        """The name as one that OCaml takes."""
        word = self.illegal.sub("_", name).lstrip("_")
        return super().legal(word[:1].lower() + word[1:] if word[:1].isalpha() else f"v{word}")


_ILLEGAL = re.compile(r"[^A-Za-z0-9_]")
_LOCALS = _Lowercase(_ILLEGAL, _KEYWORDS.union(USED, EFFECTS, _PRELUDE.pieces_of(_OPERATIONS), [PACK]), "_")
_GLOBALS = _Lowercase(_ILLEGAL, _LOCALS.reserved.union(_PRELUDE.pieces), "_")

_HEADER = "(* Made by cpsconv. To run it: ocaml FILE; or ocamlopt FILE, then ./a.out *)"


def ocaml(program: Program, *, width: int = 80) -> str:
    """The program as an OCaml file: see `Language.text_of`."""
    return _OCAML.text_of(program, width)


class _OCamlWriter(Writer[Term, Code]):
    """Writes one function. `openings` are the words that definitions at the top begin with, one after the other."""

    openings: Iterator[str] = repeat("let")

    @cached_property
    def frames(self) -> dict[Continuation, tuple[str, str]]:
        """What each local definition begins and ends with."""
        return dict(_frames(self.shape))

    # ------------------------------------------------------------------------------------------------ definitions

    def definition(self, member: Continuation, body: Code) -> Code:
        """``let k a = body in``"""
        opening, closing = self.frames[member] if member in self.frames else (next(self.openings), "")
        pattern, unpacking = pattern_of(self._binders(member.parameters))
        return _defined(f"{opening} {self.names[member]} {pattern} =", [*unpacking, *body], closing)

    def outlined(self, outline: Outline, inside: Sequence[Code]) -> Code:
        """``let f_k x = let k1 a = … in let k2 b = … in (k1, k2)``"""
        made = self.named(outline.made)
        last = Line(f"({', '.join(made)})" if len(made) > 1 else made[0])
        pattern = " ".join(self.named(outline.free)) or "()"
        return _defined(f"{next(self.openings)} {self.outlines[outline]} {pattern} =", [*chain(*inside), last], "")

    def made(self, outline: Outline) -> Code:
        """``let k1, k2 = f_k x in``"""
        made, free = self.named(outline.made), self.named(outline.free)
        return [Line(f"let {', '.join(made)} = {self.outlines[outline]} {' '.join(free) or '()'} in")]

    def body(self, layers: list[Layer], inside: Sequence[Code], transfer: Transfer) -> Code:
        """``let v = e in effect; let k a = … in transfer``"""
        code: Code = []
        for layer in layers:
            code += [self._bound(statement) for statement in layer.bindings]
            code += [Line(wrapped("", self.operation(effect).piece, ";")) for effect in layer.effects]
        return [*code, *chain(*inside), *self._transfer(transfer)]

    def _bound(self, statement: Statement) -> Line:
        (name,) = self._binders([statement])
        return Line(wrapped(f"let {name} = ", self.operation(statement).piece, " in"))

    def _binders(self, values: Iterable[Value]) -> list[str]:
        """The names of values where they are defined: an underscore says that nothing uses one."""
        return [self.names[value] if self.text_plan.used[value] else f"_{self.names[value]}" for value in values]

    # ------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, transfer: Transfer) -> Code:
        if isinstance(transfer, Jump):
            return [Line(self._step(transfer.edge))]
        if isinstance(transfer, Call):
            return self._call(transfer)
        if isinstance(transfer, Branch):
            then = wrapped("then ", self._step(transfer.then))
            first = Group("if ", [self.used(transfer.condition).piece, then], "", separator="", bracketed=False)
            last = wrapped("else ", self._step(transfer.otherwise))
            whole = f"{on_one_line(first)} {on_one_line(last)}"
            return [Line(whole, several=(Line(first), Line(last)))]
        return [Line(wrapped("match ", self.used(transfer.value).piece, " with")), *self._cases(transfer)]

    def _cases(self, switch: Switch) -> Iterator[Line]:
        """``| 1 -> k ()``"""
        type = switch.value.type
        assert isinstance(type, Scalar)
        for case, edge in zip(switch.cases, switch.targets, strict=True):
            shown = on_one_line(literal(Constant(type, case)).piece)
            yield Line(wrapped(f"| {shown} -> ", self._step(edge)))
        yield Line(wrapped("| _ -> ", self._step(switch.default)))

    def _step(self, edge: Edge) -> Piece:
        """``k a``"""
        return applied(self._known(edge.target), self._passed(edge.target, edge.arguments)).piece

    def _call(self, call: Call) -> Code:
        """``f a k``, or ``f a @@ fun v -> body``"""
        function, then = self._known(call.callee), call.then.target
        if then not in self.inlined:
            return [Line(applied(function, self._passed(call.callee, [*call.arguments, then])).piece)]
        assert isinstance(then, Continuation)
        pattern, unpacking = pattern_of(self._binders(then.parameters))
        *arguments, _ = packed([*self._passed(call.callee, call.arguments), Term("")])
        opening = wrapped("", application(function, arguments).piece, f" @@ fun {pattern} ->")
        body = [*unpacking, *self.inlined[then]]
        several = (Line(opening), *body)
        if len(body) > 1 or body[0].several:
            return [*several]
        return [Line(f"{on_one_line(opening)} {on_one_line(body[0].piece)}", several=several)]

    def _known(self, target: Target) -> str:
        return on_one_line(self.value(target).piece)

    def _passed(self, target: Target, arguments: Sequence[Value]) -> list[Term]:
        """The arguments, or the first of them, as `target` takes them."""
        given = [kind(argument, self.may_be_undefined) for argument in arguments]
        wanted = kinds(target, self.may_be_undefined)[: len(given)]
        return [coerced(*each) for each in zip(map(self.value, arguments), given, wanted, strict=True)]

    # ---------------------------------------------------------------------------------------------------- values

    def literal(self, constant: Constant) -> Term:
        """``5``, ``-5L``, ``0.5``, ``true``, ``"text"``"""
        return literal(constant)

    def undefined(self, value: Undef) -> Term:
        """The option that is none."""
        return Term("None")

    def name(self, name: str) -> Term:
        """A name by itself."""
        return Term(name)

    def guarded(self, term: Term) -> Term:
        """``defined x``"""
        return application("defined", [term])

    def operation(self, statement: Statement) -> Term:
        """``int (a + b)``, ``printf "%d" [ Int a ]``"""
        operands = [self.used(operand) for operand in statement.operands]
        if isinstance(statement, Effect):
            return performed(statement, operands, with_result=self.text_plan.is_shown(statement))
        return computed(statement, operands)


def _frames(shape: Shape) -> Iterator[tuple[Continuation, tuple[str, str]]]:
    """For each local definition, what it begins and ends with: ``let rec`` and ``and``, where one names another."""
    recursive = _owners_of_recursive(shape)
    for owner, group in shape.groups.items():
        for member in group:
            if owner not in recursive:
                yield member, ("let", " in")
            else:
                yield member, ("let rec" if member is group[0] else "and", " in" if member is group[-1] else "")


def _owners_of_recursive(shape: Shape) -> set[Continuation]:
    """Inside of which continuations there are definitions of which one names another, or itself."""
    depth: dict[Continuation, int] = {}
    for member in reversed(shape.innermost_first):
        above = shape.parent.get(member)
        depth[member] = (depth[above] if above else 0) + (member not in shape.inline)
    owners = ((member, shape.parent[named]) for member in depth for named in successors(member))
    return {owner for member, owner in owners if depth[member] > depth[owner]}


def _defined(head: str, body: Code, closing: str) -> Code:
    """A definition, on one line if the body is a line and that fits."""
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
        values.append(Term(_end(start.ending, returned.parameters)))
        given.append((False,) * len(returned.parameters))
    wanted = kinds(start.entry, start.may_be_undefined)
    call = applied(start.name, [coerced(*each) for each in zip(values, given, wanted, strict=True)])
    checked = [Line(f"expect_arguments {len(start.types)};")] if start.types else []
    return _defined("let () =", [*checked, Line(call.piece)], "")


def _reader(type: Scalar) -> str:
    """The function from the number of a word of the command line to a value."""
    is_character = type.kind == "integer" and type.bits == 8
    return f"{type_name(type)}_{'character' if is_character else 'argument'}"


def _end(ending: str | None, types: Sequence[Type]) -> str:
    """The function that takes what the entry returns."""
    is_long_integer = any(map(is_long, types))
    if ending == "status":
        return "halt_with_long" if is_long_integer else "halt"
    if ending == "integer":
        return f"report_{type_name(types[0])}" if is_long_integer else "report_int"
    return "halt_with_bool" if ending == "truth" else f"report_{ending}"


class _OCaml(Language[Term, Code]):
    """In OCaml, what is used is defined before, or with ``let rec``."""

    def writers(
        self, shapes: Sequence[Shape], globals: Globals, undefined: Collection[Place]
    ) -> Sequence[Writer[Term, Code]]:
        """A writer for each function, those that it calls first."""
        writers = {shape.text_plan.function: _OCamlWriter(shape, globals, self.locals, undefined) for shape in shapes}
        used = {function: [*functions_used(function)] for function in writers}
        order = {function: number for number, function in enumerate(writers)}
        found = []
        for component in strongly_connected_components(writers, used.__getitem__):
            if len(component) > 1 or component[0] in used[component[0]]:
                openings = chain(["let rec"], repeat("and"))
                for function in component:
                    writers[function].openings = openings
            found += sorted(component, key=order.__getitem__)
        return [writers[function] for function in found]


_OCAML = _OCaml(
    header=_HEADER,
    prelude=_PRELUDE,
    locals=_LOCALS,
    globals=_GLOBALS,
    writer=_OCamlWriter,
    laid_out=text_of,
    start=_start,
    prelude_first=True,
)

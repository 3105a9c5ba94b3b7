"""Promotion: the decision which variables of a function are in memory, and which become variables of the program.

A scalar is in memory if its address is taken: LLVM's pass mem2reg decides likewise. A struct or an array of at most
`MAX_LEAVES` scalars is *split* into one variable for each scalar if

- its address is not taken, and it contains no union,
- its elements are accessed at constant indices only, within its bounds,
- a part of it is accessed, or it is a complex number, or is never copied from memory: otherwise it is only a buffer,
- if it has bit-fields, it is neither copied from memory nor to memory.

A copy from memory loads each scalar. A scalar that was never written is undefined then, which is an error only where it
is used (`load_or`); a copy to memory stores it as unwritten. This is impossible for single bits of a unit, hence the
last rule. Structs are passed and returned in memory: a parameter is copied from there at the entry, as far as it is
accessed.

In a function that calls `setjmp`, a variable that is assigned after its declaration is in memory, too: `longjmp`
continues with the values that the program had at the call of `setjmp`, and memory remains as it is. The call of
`setjmp` is like a label to which `longjmp` jumps from anywhere in the function.

One walk over the function finds the uses of all arrays and structs, and the scopes that jumps enter in the middle. An
object is allocated at its declaration; if its scope contains a label, at the start of the scope; and if a jump enters
the scope, at the start of the innermost statement around it that no jump enters, so that one allocation is before all
uses. The time is proportional to the size of the function, and for each jump to the depth of its target.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cpsconv.abi.attributes import SETJMP
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Span
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.lowering.object_types import MAX_LEAVES, ObjectTypes, has_bit_fields, records_within
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.records import Field, Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import Array, CType, VariableArray, element_of


class Promotion:
    """The decisions for one function.

    `in_memory` has the reason for each variable in memory, and the place in the source that it is about. `split` has
    the variables that are split; `assigned` the offsets of the assignments to each, `accessed` the parts that are
    accessed, as the fields and indices that lead to them. `at_start` has the objects in memory that are allocated at
    the start of a statement, or for None, of the call; `early` has all of them. `temporaries` has the calls and
    statement expressions whose results, structs, are in memory during the whole call. `ending` has those whose
    addresses are taken, ``int *p = f().a``: they are in memory during the evaluation of a whole expression. `constant`
    has the variables in memory that are `const`, or have such members, and that a pointer may change.
    """

    def __init__(self) -> None:
        self.in_memory: dict[t.Local, tuple[str, Span]] = {}
        self.split: set[t.Local] = set()
        self.assigned: dict[t.Local, list[int]] = {}
        self.accessed: dict[t.Local, set[tuple[Field | int, ...]]] = {}
        self.at_start: dict[Any, list[t.Local]] = {}
        self.early: set[t.Local] = set()
        self.temporaries: list[c.Expression] = []
        self.ending: dict[t.Declare | c.Expression, list[c.Expression]] = {}
        self.constant: set[t.Local] = set()


NONE = Promotion()
"""The decisions for a function that uses no memory."""


def uses_memory(function: t.Function) -> bool:
    """Whether the function may have objects in memory, or takes or returns pointers to them."""
    if function.has_objects or function.is_variadic or isinstance(function.result, Record):
        return True
    return any(isinstance(each.type, Record) for each in function.parameters)


def decided(function: t.Function, types: ObjectTypes) -> Promotion:
    """The decisions for a function that uses memory."""
    uses = _Uses(function, types)
    uses.visit_all()
    return uses.result()


_LOOPS = (c.While, c.Do, c.For)

_WHOLE: dict[type, tuple[str, ...]] = {
    c.ExpressionStatement: ("expression",),
    c.Declaration: ("parts",),
    t.Declared: ("parts",),
    c.If: ("condition",),
    c.While: ("condition",),
    c.Do: ("condition",),
    c.For: ("condition", "step"),
    c.Switch: ("value",),
    c.ComputedGoto: ("target",),
    c.Return: ("value",),
}
"""The whole expressions of statements, and the declarations of single variables: the fields that have them."""


class _Uses:
    """The uses of the arrays and structs of a function."""

    def __init__(self, function: t.Function, types: ObjectTypes) -> None:
        self._function = function
        self._types = types
        self._pending: list[Any] = []
        self._scopes: list[Any] = []  # the statements around the current node that are scopes, switches or loops
        self._around: dict[Any, Any] = {}  # scope → the scope around it
        self._scope_of: dict[t.Local, Any] = {}
        self._scope_of_label: dict[t.Label | c.CallExpression, Any] = {}
        self._jumps: list[tuple[t.Label | c.CallExpression | None, Any]] = []  # target (None: any), scope of the jump
        self._entered: set[Any] = set()  # scopes that jumps enter
        self._literals: set[t.Local] = set()
        self._repeated: set[t.Local] = set()  # objects that may be initialised again during their lifetimes
        self._locals: list[t.Local] = [*function.parameters]
        self._copied: dict[t.Local, list[tuple[t.Local, Span]]] = {}  # source → variables that it is copied to
        self._sources: dict[t.Local, list[tuple[t.Local, Span]]] = {}  # variable → those that it is copied from
        self._from_memory = {each: each.span for each in function.parameters if isinstance(each.type, Record)}
        self._to_memory: dict[t.Local, Span] = {}
        self._accessed_in_part: set[t.Local] = set()
        self._copies: set[c.Expression] = set()  # reads of records that are copied to variables
        self._calls: dict[t.Local, c.Expression] = {}  # by the variable that is initialised with the result
        self._scopes_with_records: list[c.StatementExpression] = []  # whose values are records
        self._decaying: set[t.Local] = set()  # arrays and structs whose addresses are taken
        self._addressed: set[c.Expression] = set()  # calls and statement expressions, with the addresses of results
        self._promotion = Promotion()

    def visit_all(self) -> None:
        """Walk over the function."""
        pending = self._pending
        self._scopes.append(self._function)
        pending += reversed(self._function.body)
        while pending:
            node = pending.pop()
            if type(node) is _End:
                self._scopes.pop()
            elif isinstance(node, (list, tuple)):
                pending += reversed(node)
            elif isinstance(type(node), NodeType):
                self._visit(node)

    def _visit(self, node: Any) -> None:
        if type(node) is c.StatementExpression and isinstance(node.type, Record) and not isinstance(node.type, Complex):
            self._scopes_with_records.append(node)
        match node:
            case c.Name() | t.Function():
                return
            case c.Compound() | c.For() | c.While() | c.Do() | c.Switch() | c.StatementExpression():
                self._around[node] = self._scopes[-1]
                self._scopes.append(node)
                self._pending.append(_End())
            case c.Case():
                self._enter_switch()
            case c.Label(label=t.Label() as label):
                self._scope_of_label[label] = self._scopes[-1]
            case c.CallExpression(function=t.Function(name=name, is_external=True)) if name == SETJMP:
                self._scope_of_label[node] = self._scopes[-1]
                self._jumps.append((node, self._function))
            case c.Goto():
                self._jumps.append((node.label, self._scopes[-1]))
            case c.ComputedGoto():
                self._jumps.append((None, self._scopes[-1]))
            case t.Declare():
                self._declare(node)
                return
            case c.CompoundLiteral():
                self._literals.add(node.declared.variable)
                self._pending.append(node.declared)
                return
            case c.Read() | c.AddressOf():
                root = self._use(node.operand, node)
                if root is not None and isinstance(node.type, Record) and node not in self._copies:
                    self._to_memory.setdefault(root, node.span)
                return
            case c.Decay():
                self._use(node.operand, node)
                return
            case c.Assign(new=None):
                self._assign(node.target, node.value, node.span)
                self._keep_changed(node.target, node.span)
                self._use(node.target, node)
                self._pending.append(node.value)
                return
            case c.Update():
                root = self._use(node.target, node)
                if root is not None:
                    self._note_assignment(root, node.span)
                    self._keep_changed(node.target, node.span)
                self._pending += [node.new, node.value if isinstance(node, c.Assign) and node.computed else None]
                return
            case c.Return(value=c.CallExpression() as call):
                self._visit_value(call)
                return
            case c.CallExpression(type=Record(), operation=None):
                self._promotion.temporaries.append(node)
            case c.Conditional(type=Record()):
                self._agree(node)
        for name in t.parts(type(node)):
            self._pending.append(getattr(node, name))

    # ------------------------------------------------------------------------------------------------ declarations

    def _declare(self, node: t.Declare) -> None:
        local = node.variable
        self._pending.append(node.cleanups)
        self._locals.append(local)
        self._scope_of.setdefault(local, self._scopes[-1])
        self._note_assignment(local, local.span)
        if node.initial is not None:
            self._assign(t.use(local, local.span), node.initial, node.initial.span)
            self._visit_value(node.initial)
            if t.is_call(node.initial) and isinstance(local.type, Record):
                self._calls[local] = node.initial
        if node.parts or node.is_zeroed:
            self._accessed_in_part.add(local)
        for part in node.parts:
            if isinstance(part.value, t.Repetition):
                continue
            self._assign(part.place, part.value, part.value.span)
            if not isinstance(part.value, c.StringLiteral):
                self._pending.append(part.value)

    def _visit_value(self, node: c.Expression) -> None:
        """Visit a value that is copied to a known place: a call with a record as its result needs no other one."""
        if isinstance(node, c.CallExpression):
            self._pending += [node.callee, node.arguments, node.variable]
        else:
            self._pending.append(node)

    def _enter_switch(self) -> None:
        """Note that a jump to a case enters the scopes around the case, up to the `switch`."""
        for scope in reversed(self._scopes):
            if scope in self._entered or type(scope) is c.Switch:
                break
            self._entered.add(scope)

    # ------------------------------------------------------------------------------------------------------- places

    def _use(self, place: Any, use: c.Expression) -> t.Local | None:
        """Examine a place. Returns the array or struct of the function that it is a part of, if there is one."""
        constant, path = True, list[Field | int]()  # the fields and indices, innermost first
        while True:
            match place:
                case c.Member(operand=record, field=field):
                    place = record
                    path.append(field)
                case c.Dereference(pointer=c.Decay(operand=inner)):
                    place = inner
                    path.append(0)
                case c.Subscript(pointer=c.Decay(operand=inner), index=index):
                    if not _is_within(index, inner.type):
                        constant = False
                        self._pending.append(index)
                    place = inner
                    path.append(constant_index(index) or 0)
                case _:
                    break
        match place:
            case c.CompoundLiteral(declared=t.Declare() as declared):
                self._pending.append(place)
                root = declared.variable
            case c.Temporary(operand=value):
                self._pending.append(value)
                if not constant or isinstance(use, (c.AddressOf, c.Decay)):
                    for source in _sources(value):
                        self._keep(source, "its address is taken", use.span)
                if isinstance(use, (c.AddressOf, c.Decay)):
                    self._addressed.update(_chosen(value))
                return None
            case c.Name(denoted=t.Local() as root):
                pass
            case _:
                self._pending.append(place)
                return None
        if isinstance(use, (c.AddressOf, c.Decay)):
            self._keep(root, "its address is taken", use.span)
            self._decaying.add(root)
        elif not constant:
            self._keep(root, "it is accessed at an index that is not constant, or out of bounds", use.span)
        self._promotion.accessed.setdefault(root, set()).add(tuple(reversed(path)))
        if path:
            self._accessed_in_part.add(root)
        return root

    def _keep(self, local: t.Local | None, reason: str, span: Span) -> None:
        if local is not None:
            self._promotion.in_memory.setdefault(local, (reason, span))

    def _assign(self, place: Any, value: c.Expression, span: Span) -> None:
        """Note an assignment to a place, and where the value of a struct comes from."""
        root = _root(place)
        if root is None:
            return
        self._note_assignment(root, span)
        if isinstance(value.type, Record):
            self._copies.update(_reads(value))
            for source in _sources(value):
                if source is None:
                    self._from_memory.setdefault(root, span)
                else:
                    self._copy(source, root, span)

    def _copy(self, source: t.Local, target: t.Local, span: Span) -> None:
        self._copied.setdefault(source, []).append((target, span))
        self._sources.setdefault(target, []).append((source, span))

    def _keep_changed(self, place: Any, span: Span) -> None:
        """Keep a variable in memory that is assigned between `setjmp` and `longjmp`, perhaps."""
        if self._function.sets_jumps:
            self._keep(_root(place), "it is assigned in a function that calls `setjmp`", span)

    def _note_assignment(self, local: t.Local, span: Span) -> None:
        self._promotion.assigned.setdefault(local, []).append(span.start)

    def _agree(self, node: c.Conditional) -> None:
        """Note that the structs that an expression chooses from are copied: with bit-fields, all are in memory or none.

        An object without bit-fields that is in memory is loaded, if another one is split.
        """
        if not has_bit_fields(node.type):
            return
        sources = [*_sources(node)]
        known = [source for source in sources if source is not None]
        for source in known:
            if len(known) < len(sources):
                self._from_memory.setdefault(source, node.span)
            if source is not known[0]:
                self._copy(known[0], source, node.span)

    # ------------------------------------------------------------------------------------------------------ result

    def result(self) -> Promotion:
        """The decisions, after the walk."""
        promotion = self._promotion
        kept = promotion.in_memory
        for local in self._locals:
            if local.captured:
                name = local.captured.name.rpartition(".")[2]
                kept[local] = (f"it is used in the nested function `{name}`", local.captured.span)
            elif local.address_taken is not None:
                kept[local] = ("its address is taken", local.address_taken)
            elif isinstance(local.type, (Record, Array)) and self._is_too_large(local.type):
                kept.setdefault(local, self._reason(local))
        self._keep_copied()
        for local in self._locals:
            if local not in kept and isinstance(local.type, (Record, Array)):
                promotion.split.add(local)
        self._find_starts()
        promotion.temporaries += [call for local, call in self._calls.items() if local in promotion.split]
        promotion.temporaries += [each for each in self._scopes_with_records if not self._is_split(each)]
        promotion.constant = {each for each in kept if self._is_constant(each)} - self._repeated
        if self._addressed and not self._function.sets_jumps:
            self._find_ends()
        for offsets in promotion.assigned.values():
            offsets.sort()
        return promotion

    def _is_constant(self, local: t.Local) -> bool:
        """Whether a variable or a member of it is `const`, and its address is taken."""
        if local.address_taken is None and local not in self._decaying:
            return False
        return "const" in element_of(local.type).qualifiers or bool(self._types.constant_parts(local.type))

    def _find_ends(self) -> None:
        """Find the whole expressions at whose ends the lifetimes of addressed results end.

        (There are none in a function that calls `setjmp`: `longjmp` may continue within an expression.)
        """
        promotion, addressed = self._promotion, self._addressed.intersection(self._promotion.temporaries)
        for node in t.nodes_within(self._function.body):
            wholes = (getattr(node, name) for name in _WHOLE.get(type(node), ()))
            for whole in [part for each in wholes for part in (each if isinstance(each, list) else [each])]:
                within = dict.fromkeys(each for each in t.nodes_within(whole, without="items") if each in addressed)
                if within:
                    promotion.ending[whole] = [*within]
        ended = {each for found in promotion.ending.values() for each in found}
        promotion.temporaries = [each for each in promotion.temporaries if each not in ended]

    def _find_starts(self) -> None:
        """Find where the objects in memory are allocated."""
        labelled = self._enter_at_labels()
        for local in self._locals:
            if local not in self._promotion.in_memory or local.is_parameter or isinstance(local.type, VariableArray):
                continue
            scope = self._scope_of[local]
            if scope in labelled or scope in self._entered or local in self._literals:
                while scope in self._entered or isinstance(scope, (c.While, c.Do)):
                    if isinstance(scope, _LOOPS):
                        self._repeated.add(local)
                    scope = self._around[scope]
                if scope in labelled or type(scope) is c.For:
                    self._repeated.add(local)
                self._promotion.early.add(local)
                self._promotion.at_start.setdefault(None if scope is self._function else scope, []).append(local)

    def _enter_at_labels(self) -> set[Any]:
        """Note the scopes that jumps to labels enter. Returns the scopes that contain targets of jumps."""
        labelled: set[Any] = set()
        addressed = [label for label in self._scope_of_label if isinstance(label, t.Label) and label.number]
        for target, scope in self._jumps:
            around = {*self._outwards(scope)}
            for label in addressed if target is None else [target]:
                for inner in self._outwards(self._scope_of_label.get(label)):
                    labelled.add(inner)
                    if inner not in around:
                        self._entered.add(inner)
        return labelled

    def _outwards(self, scope: Any) -> Iterator[Any]:
        """The scope, and those around it, innermost first."""
        while scope is not None:
            yield scope
            scope = self._around.get(scope)

    def _keep_copied(self) -> None:
        """Keep in memory what is copied from memory or to memory, and cannot be split therefore."""
        for local, span in self._from_memory.items():
            self._keep_copy(local, "from", span)
        for local, span in self._to_memory.items():
            self._keep_copy(local, "to", span)
        pending = [*self._promotion.in_memory]
        for local in pending:  # appended to during iteration
            for copies, which in (self._copied, "from"), (self._sources, "to"):
                for other, span in copies.get(local, ()):
                    if other not in self._promotion.in_memory and self._keep_copy(other, which, span):
                        pending.append(other)

    def _keep_copy(self, local: t.Local, which: str, span: Span) -> bool:
        """Whether a variable that is copied from memory, or to memory, remains in memory."""
        how = "passed in" if span is local.span else f"copied {which}"
        if has_bit_fields(local.type):
            self._keep(local, f"it has bit-fields, and is {how} memory", span)
        elif which == "from" and local not in self._accessed_in_part and not isinstance(local.type, Complex):
            self._keep(local, f"it is only used as a whole, and is {how} memory", span)
        return local in self._promotion.in_memory

    def _is_split(self, value: c.Expression) -> bool:
        """Whether the value of a struct comes from variables that are split, whatever is chosen."""
        split = self._promotion.split
        return all(type(node) is c.Read and _root(node.operand) in split for node in _origins(value))

    def _is_too_large(self, type: CType) -> bool:
        return isinstance(type, VariableArray) or self._types.leaves(type) is None

    def _reason(self, local: t.Local) -> tuple[str, Span]:
        if any(record.is_union for record in records_within(local.type)):
            return "it contains a union", local.span
        return f"it has more than {MAX_LEAVES} scalars, or a length that is not constant", local.span


class _End:
    """The end of the innermost scope."""

    __slots__ = ()


def _is_within(index: c.Expression, array: Any) -> bool:
    """Whether the index is a constant within the bounds of the array."""
    number = constant_index(index)
    return number is not None and array.length is not None and 0 <= number < array.length


def constant_index(index: c.Expression) -> int | None:
    """The value of an index that is a constant, perhaps after conversions."""
    while type(index) is c.Convert:
        index = index.operand
    return int(index.value) if isinstance(index, c.Constant) else None


def _root(place: Any) -> t.Local | None:
    """The variable of the function that the place is a part of, if that is known."""
    while True:
        match place:
            case c.Member(operand=inner):
                place = inner
            case c.Subscript(pointer=c.Decay(operand=inner)) | c.Dereference(pointer=c.Decay(operand=inner)):
                place = inner
            case c.CompoundLiteral(declared=t.Declare() as declared):
                return declared.variable
            case c.Name(denoted=t.Local() as variable):
                return variable
            case _:
                return None


def _sources(value: c.Expression) -> Iterator[t.Local | None]:
    """The variables that the value of a struct may come from; None for memory."""
    for node in _origins(value):
        match node:
            case c.Read(operand=place) | c.Assign(new=None, target=place):
                yield _root(place)
            case _:
                yield None


def _reads(value: c.Expression) -> Iterator[c.Expression]:
    """The reads that the value of a struct may come from."""
    return (node for node in _origins(value) if isinstance(node, c.Read))


def _origins(value: c.Expression) -> Iterator[c.Expression]:
    """The reads, assignments, calls and so on that the value of a struct may come from."""
    return (node for node in _chosen(value) if type(node) is not c.StatementExpression or node.value is None)


def _chosen(value: c.Expression) -> Iterator[c.Expression]:
    """The origins of the value, and the statement expressions that it is the value of."""
    pending: list[c.Expression] = [value]
    while pending:
        match pending.pop():
            case c.Conditional(then=c.Expression() as then, otherwise=otherwise):
                pending += [then, otherwise]
            case c.Comma(right=inner) | c.Warned(operand=inner) | c.Convert(operand=inner):
                pending.append(inner)
            case node:
                yield node
                if type(node) is c.StatementExpression and node.value is not None:
                    pending.append(node.value)

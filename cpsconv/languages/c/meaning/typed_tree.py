"""The typed tree of C functions, which `meaning` creates and `lowering` reads.

Its statements and expressions are those of `syntax.tree`, typed in place. What is declared is here.

Invariants:

1. Each expression has the C type of its value, which has no qualifiers, and names have what they denote, the `Local`s,
   `Global`s and `Function`s. Each place has the C type of its object, which may have qualifiers. A place is the operand
   of a `Read`, `Decay`, `AddressOf` or `Member`, the target of an `Update`, or the place of a `Part`; a `Name` is also
   the callee of a call. All other parts are values. The callee of a call with an `operation` has no type.
2. Nothing is converted implicitly: `Convert`, `Decay` and `Read` are the conversions that C inserts. The operands of an
   operation have the types that it computes with, arguments those of the parameters, and the value of an `Assign` or a
   `Return` that of the place or function, without qualifiers. A value of type `TRUTH` is one of type `BOOL`, too. A
   pointer is converted to another pointer type by a `Convert` or `Cast`, too, which computes nothing; but the operands
   of a difference may point to different compatible types, and the operation `printf` takes pointers of any type.
   An array is no value: a `Decay`, an initialiser or the call of `assert` contains it.
3. A condition is an expression of type `TRUTH` or `BOOL`. In a condition, ``!``, ``&&``, ``||``, ``?:`` and ``,`` have
   conditions as operands, down to the comparisons and other values that decide. Elsewhere, the operand of ``!`` is any
   number or pointer.
4. A variable whose address may become a value that is stored, passed or returned has an `address_taken`. The address
   does not count if it is only an operand that ends in an access: ``*&x``, ``(&s)->x``, ``a[i]``.
5. An erroneous part of the source, which is reported, is an `Erroneous` expression. Its type is `UNKNOWN`.
6. Each node is typed once. An operand that is typed for its type, and evaluated elsewhere, is a copy.
7. Typing replaces each `SizeOf`, `AlignOf`, `OffsetOf`, `TypesCompatible`, `Generic`, `VaArg` and `ConvertVector`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Diagnostic, Source, Span
from cpsconv.languages.c.records import Field
from cpsconv.languages.c.syntax import tree
from cpsconv.languages.c.syntax.tree import Expression, Statement
from cpsconv.languages.c.types import UNKNOWN, CType, FunctionType, Pointer, pointer_to

# --------------------------------------------------------------------------------------------------- declarations


class Local(metaclass=NodeType):
    """A variable or parameter of a function. As an lvalue, it denotes its object.

    It is *used* if it is read or changed, *assigned* if it is a target of ``=``. `address_taken` is the first place in
    the source where a pointer to the variable, or to a part of it, becomes a value. `alignment` is that of an
    attribute, or 0. `initial` has the parts of the initial value of a `const` variable: static initialisers may use
    those that are constant. `captured` is the first nested function that uses the variable of a function around it.
    A parameter that `is_array` is a pointer, but declared as an array.
    """

    name: str
    type: CType
    span: Span
    is_constant: bool
    is_parameter: bool = False
    is_used: bool = False
    is_assigned: bool = False
    address_taken: Span | None = None
    is_register: bool = False
    alignment: int = 0
    initial: Sequence[Part] | None = None
    captured: Function | None = None
    is_array: bool = False


class Global(metaclass=NodeType):
    """An object that exists during the whole run: of file scope, or ``static`` in a function.

    As an lvalue, it denotes this object. `name` is unique in the program: ``f.x`` for the variable `x` in `f`.
    `initial` has the parts whose initial values are not zero, or is None if there is no initialiser. Unless
    `is_defined`, the object is declared only, and defined in another translation unit. `flexible_length` is the number
    of elements of a flexible array member that are initialised: the object is larger than its type then. `alignment` is
    that of an attribute, or 0. If it `is_thread_local`, each thread has its own object. If it `is_weak`, a definition
    in another unit may replace its own one, or it may have none.
    """

    name: str
    type: CType
    span: Span
    is_constant: bool
    is_static: bool = False
    is_used: bool = False
    is_assigned: bool = False
    initial: list[Part] | None = None
    is_defined: bool = False
    flexible_length: int = 0
    alignment: int = 0
    is_thread_local: bool = False
    is_weak: bool = False


class Enumerator(metaclass=NodeType):
    """A constant of an enumeration. `type` is mostly `INT`."""

    name: str
    type: CType
    span: Span
    value: int
    enumeration: CType


class Function(metaclass=NodeType):
    """A function that the program defines or calls.

    `span` is the span of its name, `end` the span of its closing brace, or of its name if it `is_external`: declared,
    but not defined. A function that `is_static` is visible in its unit only. `returns` is False if a declaration before
    or at its definition is ``_Noreturn``. `assignments` has the ascending offsets of the assignments to each variable,
    `labels` those of the labels.

    The function `has_objects` if it has variables or values that are arrays, structs or unions, or a variable whose
    address is taken, or if it `sets_jumps`: it calls `setjmp`. A variable of another function is no object in memory.

    A nested function is in the function `enclosing`, and uses the `captured` variables of functions around it. `nested`
    are the functions in the function, with those in them. `calls` are the nested functions that the function calls.
    `priorities` has those of the attributes `constructor` and `destructor` that the function has. The function is
    `always_inline` if it has that attribute, and weak as a `Global`.
    """

    span: Span
    name: str
    result: CType
    parameters: list[Local]
    end: Span
    body: list[Statement]
    assignments: dict[Local, list[int]]
    labels: list[int]
    returns: bool = True
    type: FunctionType | None = None
    is_variadic: bool = False
    is_external: bool = False
    is_static: bool = False
    has_objects: bool = False
    sets_jumps: bool = False
    enclosing: Function | None = None
    captured: Sequence[Local] = ()
    nested: Sequence[Function] = ()
    calls: Sequence[Function] = ()
    priorities: Mapping[str, int] = MappingProxyType({})
    always_inline: bool = False
    is_weak: bool = False

    def note_objects(self) -> None:
        """Note that the function `has_objects`."""
        self.has_objects = True

    def note_jumps(self) -> None:
        """Note that the function `sets_jumps`, and thus `has_objects`."""
        self.has_objects = self.sets_jumps = True


class Unit(metaclass=NodeType):
    """A translation unit: the functions that it defines, without those that have syntax errors.

    `errors` and `warnings` have the diagnostics so far; some warnings depend on the reachable code, and follow.
    `may_recurse` is True if a function calls itself or one after it. `assumed` has the names of called functions that
    nothing declares. `globals` are in the order of their definitions, `externals` and `external_objects` the functions
    and objects that are used, but not defined.
    """

    source: Source
    functions: list[Function]
    errors: list[Diagnostic]
    warnings: list[Diagnostic]
    may_recurse: bool
    assumed: Collection[str]
    globals: Sequence[Global] = ()
    externals: Sequence[Function] = ()
    external_objects: Sequence[Global] = ()


# --------------------------------------------------------------------------------------------------------- places
# Places denote objects: the lvalues of C. Their type is that of the object.


Place = Any
"""A `Name`, `StringLiteral`, `Dereference`, `Subscript`, `Member`, `Temporary` or `CompoundLiteral`."""


# --------------------------------------------------------------------------------------------------- initialisers


class Repetition(metaclass=NodeType):
    """The initial values of `count` elements after an element, which are copies of those of the element."""

    span: Span
    count: int


class Part(metaclass=NodeType):
    """A part of an object that an initialiser initialises, and its initial value.

    `place` is the whole variable, or `Member`s and `Subscript`s of constant index in it. The value has the type of the
    place, or it is a `StringLiteral` of a length that is not larger. The place of a longer array is zero after a
    string. The place of a `Repetition` is the first element, which precedes it.
    """

    place: Place
    value: Any  # an `Expression`, or a `Repetition`


class Declare(metaclass=NodeType):
    """One declared variable, with its initial value if it has one.

    `initial` is the value of a scalar, or of a struct or union that is copied. All others have `parts`, in the order
    of the source; a later part may replace an earlier one. With `is_zeroed`, the rest of the object is zero, otherwise
    the parts cover it. `cleanups` are calls that are evaluated wherever control leaves the scope (GNU C).
    """

    variable: Local
    initial: Expression | None
    parts: Sequence[Part] = ()
    is_zeroed: bool = False
    cleanups: Sequence[Expression] = ()


# ---------------------------------------------------------------------------------------------- parts of statements


class Declared(Statement):
    """Variables, and expressions that are computed: erroneous initialisers, and the lengths of arrays.

    The length of an array of variable length is assigned to its `VariableArray.count` before the array is declared.
    """

    parts: Sequence[Declare | Expression]


class Label(metaclass=NodeType):
    """A label of a function. `gotos` is the number of the jumps to it.

    It is the target of computed jumps, too, if it has a `number`, its address. A second label of the same name has no
    jumps. `is_defined` is False if the label is missing, which is reported. It `may_be_unused` by an attribute. Jumps
    to it come from within all that is `protected` around it.
    """

    span: Span
    name: str
    gotos: int = 0
    is_defined: bool = False
    number: int = 0
    may_be_unused: bool = False
    protected: Sequence[tuple[str, Span]] = ()


# ----------------------------------------------------------------------------------------------------- properties


def origin(node: Expression) -> Expression:
    """The subexpression that computes the value: the right operand of assignments and commas, without conversions."""
    while True:
        match node:
            case tree.Comma(right=inner) | tree.Assign(new=None, value=inner) | tree.Warned(operand=inner):
                node = inner
            case tree.Convert(operand=inner) if type(node) is tree.Convert:
                node = inner
            case _:
                return node


def member(place: Place, field: Field, span: Span, type: CType | None = None) -> tree.Member:
    """A member of a struct or union. Its type is that of the field, unless another one is stated."""
    return tree.Member(span, place, field.name or "", span, False, field, type=type or field.type)


def element(pointer: Expression, index: Expression, span: Span) -> tree.Subscript:
    """An element behind a pointer."""
    assert isinstance(pointer.type, Pointer)
    return tree.Subscript(span, pointer, index, type=pointer.type.target)


def use(declared: Local | Global | Function, span: Span) -> tree.Name:
    """A variable or function as a place."""
    return tree.Name(span, declared.name, declared, type=declared.type or UNKNOWN)


def temporary(name: str, type: CType, span: Span) -> Local:
    """A variable that typing inserts."""
    return Local(name, type, span, is_constant=False, is_used=True)


def after(declared: Sequence[Declare], value: Expression) -> tree.StatementExpression:
    """A value after declarations of variables."""
    return tree.StatementExpression(value.span, [Declared(value.span, declared)], value, type=value.type)


def call(function: Function, arguments: list[Expression], span: Span) -> tree.CallExpression:
    """A call of a function."""
    return tree.CallExpression(span, use(function, span), arguments, type=function.result)


def is_call(node: Any) -> bool:
    """Whether the expression is a call of a function of the program, or through a pointer."""
    return type(node) is tree.CallExpression and node.operation is None


def read(variable: Local, span: Span) -> tree.Read:
    """The value of a variable."""
    return tree.Read(span, variable.type.unqualified, use(variable, span))


def pointer_to_function(function: Function, type: FunctionType, span: Span) -> tree.Decay:
    """A pointer to a function, which has that type in the source."""
    return tree.Decay(span, pointer_to(type), tree.Name(span, function.name, function, type=type))


def path(place: Place) -> tuple[Place, list[Any]]:
    """The innermost place of a place, and the `Member`s and `Subscript`s of arrays that lead from there to it."""
    steps: list[Any] = []
    while True:
        kind = type(place)
        if kind is tree.Member:
            steps.append(place)
            place = place.operand
        elif kind is tree.Subscript and type(place.pointer) is tree.Decay:
            steps.append(place)
            place = place.pointer.operand
        else:
            return place, steps[::-1]


def root_of(place: Place) -> Place:
    """The variable of which the place is a part; a place behind a pointer is a part of none, and returned."""
    while True:
        if isinstance(place, tree.Name):
            return place.denoted
        if isinstance(place, tree.Member):
            place = place.operand
        elif isinstance(place, tree.Subscript) and isinstance(place.pointer, tree.Decay):
            place = place.pointer.operand
        elif isinstance(place, tree.CompoundLiteral) and place.declared:
            return place.declared.variable
        else:
            return place


def is_value(place: Place) -> bool:
    """Whether the place is a value, or a member of one. An element of an array in the result of a call is an object."""
    while isinstance(place, tree.Member):
        place = place.operand
    root = root_of(place)
    return isinstance(root, tree.Temporary) and (place is root or not is_call(root.operand))


def is_at_end(place: Place) -> bool:
    """Whether a place behind a pointer is the last member of its struct, and of all structs around i"""
    while isinstance(place, tree.Member):
        fields = place.operand.type.unqualified.named_fields
        if place.field is not fields[-1]:
            return False
        place = place.operand
    return not isinstance(place, tree.Name)


def unconverted(node: Expression) -> Expression:
    """The expression without its implicit conversions."""
    while type(node) is tree.Convert:
        node = node.operand
    return node


def texts_within(node: Expression) -> list[tree.Decay | tree.Conditional]:
    """The string literals in an expression that is one, or a choice between some, and the choices; else none."""
    found: list[tree.Decay | tree.Conditional] = []
    pending = [node]
    while pending:
        match pending.pop():
            case tree.Decay(operand=tree.StringLiteral()) as text:
                found.append(text)
            case tree.Conditional(then=Expression() as then) as choice:
                found.append(choice)
                pending += [then, choice.otherwise]
            case tree.Convert(operand=inner):
                pending.append(inner)
            case _:
                return []
    return found


def declares_only(node: Statement) -> bool:
    """Whether the statement is a declaration that computes nothing."""
    if isinstance(node, (tree.StaticAssert, tree.LabelDeclaration, tree.NestedFunction)):
        return True
    parts = node.parts if isinstance(node, (tree.Declaration, Declared)) else None
    return parts is not None and all(type(part) is Declare and not part.initial and not part.cleanups for part in parts)


_NOT_PARTS = {"span", "type", "type_name", "label", "cases", "follows", "before", "after", "field", "function"}

_PARTS: dict[type, tuple[str, ...]] = {
    tree.Case: ("body",),
    tree.Assign: ("target", "value", "new"),
    tree.Increment: ("target", "new"),
    tree.Computed: (),
    tree.CompoundLiteral: ("declared",),
    tree.StatementExpression: ("items", "value"),
    tree.Declaration: ("parts",),
    **dict.fromkeys([tree.StaticAssert, tree.LabelDeclaration, tree.NestedFunction], ()),
}


def parts(kind: Any) -> tuple[str, ...]:
    """The names of the fields of the nodes of a class that may contain parts of the typed tree."""
    if kind not in _PARTS:
        _PARTS[kind] = tuple(name for name in kind.__match_args__ if name not in _NOT_PARTS)
    return _PARTS[kind]


def nodes_within(body: Any, without: str = "") -> Iterator[Any]:
    """All nodes of the typed tree in the node or the nodes, but not those in the fields with the name `without`."""
    pending: list[Any] = [body]
    while pending:
        node = pending.pop()
        if isinstance(node, (list, tuple)):
            pending += node
        elif isinstance(type(node), NodeType) and not isinstance(node, (Local, Global, Function)):
            yield node
            pending += [getattr(node, name) for name in parts(type(node)) if name != without]

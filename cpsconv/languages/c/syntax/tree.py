"""The tree of C: `parse` creates it in the form of the source, `meaning` types it in place, and `lower` reads it.

What typing adds to a node is in fields with defaults. Typed, an expression contains what C inserts, for example
conversions, as `Implicit` nodes around its operands. `meaning.typed_tree` has the invariants, and what names denote.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import field
from typing import TYPE_CHECKING, Any

from cpsconv.core.floating import Real
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Diagnostic, Source, Span
from cpsconv.languages.c.types import CHAR, UNKNOWN, Array, CType, array_of

if TYPE_CHECKING:
    from cpsconv.languages.c.meaning.typed_tree import Declare
    from cpsconv.languages.c.meaning.typed_tree import Label as JumpTarget


class Node(metaclass=NodeType):
    """A node of the tree, and its span in the source."""

    span: Span


# ---------------------------------------------------------------------------------------------------- expressions


class Expression(Node):
    """An expression, and the type of its value, once it is typed."""

    type: CType = field(default=UNKNOWN, kw_only=True)


class Constant(Expression):
    """A number or truth value that is computed from the source: a `sizeof`, a negative literal."""

    type: CType
    value: Real


# -------------------------------------------------------------------------------- expressions that typing inserts


class Implicit(Expression):
    """An expression that typing inserts around its operand."""

    type: CType
    operand: Expression


class Convert(Implicit):
    """An implicit conversion. If it is that of an operand, it is computed after all operands, next to the operation."""


class Decay(Implicit):
    """The conversion of an array to a pointer to its first element, or of a function to a pointer to it."""

    operand: Any


class Read(Implicit):
    """The value of a place: the conversion of an lvalue to its value. It may be a struct or union."""

    operand: Any


class Temporary(Implicit):
    """The object of a struct or union that is not an lvalue: ``f().x`` is a `Member` of one."""


class ComplexConversion(Implicit):
    """A conversion from or to a complex type; it may be one to `_Bool`."""


class Computed(Implicit):
    """The value that the operand had before a compound assignment, or ``++`` or ``--``, computes the new value."""

    operand: Any


class Warned(Implicit):
    """An expression with warnings that are given only if control can reach the end of its evaluation."""

    warnings: list[Diagnostic]


class Missing(Expression):
    """The undefined value of a parameter, or of a slot of a format, for which a call has no fitting argument."""

    type: CType
    name: str


# -------------------------------------------------------------------------------------- expressions of the source


class Cast(Convert):
    """``(type_name) operand``, also to `void`: a conversion that is computed together with its operand.

    It has no type name if typing inserts it, as for the promotion of an argument.
    """

    span: Span
    type: CType
    operand: Expression
    type_name: TypeName | None = None


class Literal(Constant):
    """A number or character with its type in C (a character constant is an `int`)."""


class StringLiteral(Expression):
    """Joined adjacent string literals, a place: an array, with the final zero.

    `text` has one character (U+0000 to U+00FF) for each byte before the zero; the bytes of wide strings are those of
    the wide characters. `prefix` is that of one of the literals: nothing, ``u8``, ``L``, ``u`` or ``U``.
    """

    text: str
    prefix: str = ""
    type: Array = field(default=array_of(CHAR, None), kw_only=True)

    @property
    def format(self) -> str:
        """The text as a format of a function such as `printf`, or `wprintf`: one character for each byte in UTF-8."""
        if self.type.element.size == 1:
            return self.text
        return self.text.encode("latin-1").decode("utf-32-le", "replace").encode().decode("latin-1")


class Name(Expression):
    """A use of a variable. Typed, it has the `Local`, `Global` or `Function` that it denotes."""

    name: str
    denoted: Any = None


class Unary(Expression):
    """`op` is one of ``+ - ~ !``, or, until it is typed, ``__real__`` or ``__imag__`` of GNU C.

    ``~`` of a complex number is the conjugate.
    """

    op: str
    operand: Expression


class Binary(Expression):
    """`op` is one of ``* / % + - << >> < > <= >= == != & ^ |``.

    Typed, the sum or difference of a pointer and an integer has the pointer on the left; the integer has any type of at
    most 64 bits. If an operand is complex, the other one has the same type, or, unless they are compared, that of its
    parts. `function` divides two complex numbers, or multiplies them where the parts of the ordinary product are NaN.
    """

    op: str
    left: Expression
    right: Expression
    function: Any = None

    def become(self, left: Expression, right: Expression, type: CType) -> Binary:
        """The node itself, which gets typed operands and a type."""
        self.left, self.right, self.type = left, right, type
        return self


class Logical(Binary):
    """``&&`` or ``||``. Typed, the left operand is a condition; the right one is a value if the operation is one."""


class Conditional(Expression):
    """``condition ? then : otherwise``; `then` is None in ``condition ?: otherwise`` of GNU C.

    Typed, it has no value unless both have values of its type. Without `then`, the condition is a value of the type.
    """

    condition: Expression
    then: Expression | None
    otherwise: Expression


class Update(Expression):
    """A change of the object that the `target` denotes.

    Typed, all except ``=`` have the `new` value, an expression that contains `old`, the value before the change.
    """

    op: str | None
    target: Expression
    new: Expression | None = field(default=None, kw_only=True)
    old: Computed | None = field(default=None, kw_only=True)


class Increment(Update):
    """``++`` or ``--``; `prefix` is False for the postfix operators."""

    op: str
    prefix: bool


class Assign(Update):
    """``target = value``; `op` is None, or the operator of a compound assignment (``+`` for ``+=``).

    The value of a compound assignment, if it has effects, is computed before the target, as with gcc. Then the `new`
    value contains the result, `computed`.
    """

    value: Expression
    computed: Computed | None = None


class Comma(Expression):
    """``left, right``."""

    left: Expression
    right: Expression


class SizeOf(Expression):
    """``sizeof (type_name)`` or ``sizeof operand``; the operand is not evaluated."""

    operand: TypeName | Expression


class CallExpression(Expression):
    """``callee(arguments)``.

    Typed, the callee is the name of a function of the program or a pointer to one, and `variable` has the arguments
    after those for the parameters, after the default argument promotions; a function that is not variadic ignores them.
    `returns` is False if the function is known never to return.

    The call of a library function with an `operation`, the name of a primitive, effect or external continuation, has no
    function; so have ``complex``, with the parts of a complex number, ``va_start``, ``assert``, with a condition and
    the message, and ``printf``, with the format and an argument for each slot of it. The format is a string literal, or
    a choice between some (`texts_within`), which take the first of the arguments; `variable` has the unused ones.
    """

    callee: Expression
    arguments: list[Expression]
    variable: Sequence[Expression] = ()
    returns: bool = True
    operation: str | None = None

    @property
    def function(self) -> Any:
        """The function of the program that is called, unless it is called through a pointer."""
        return self.callee.denoted if type(self.callee) is Name else None


class AddressOf(Expression):
    """``&operand``."""

    operand: Expression


class Dereference(Expression):
    """``*pointer``."""

    pointer: Expression


class Subscript(Expression):
    """``pointer[index]``. Typed, the pointer is a `Decay` for the element of an array. The index has any integer
    type of at most 64 bits.

    Until it is typed, the pointer may be the index, and the index the pointer.
    """

    pointer: Expression
    index: Expression


class Member(Expression):
    """``operand.name``, or ``operand->name`` if it is `through_pointer`.

    Typed, it has the `field`, and the operand is the struct or union, a place. The type has the qualifiers of both.
    """

    operand: Expression
    name: str
    name_span: Span
    through_pointer: bool
    field: Any = None


class CompoundLiteral(Expression):
    """``(type_name) { … }``.

    Typed, it is `declared`, as a variable without a name that is initialised on each evaluation.
    """

    type_name: TypeName | None
    initialiser: InitialiserList | None
    declared: Any = None


class StatementExpression(Expression):
    """``({ items })`` of GNU C: a scope. Typed, its `value` is that of its last expression, if the type has one.

    One that expresses the call of a built-in function has the call that it `expands`.
    """

    items: list[Statement]
    value: Expression | None = None
    expands: Expression | None = None


class AlignOf(Expression):
    """``_Alignof (type_name)``, or the alignment of an operand in GNU C."""

    operand: TypeName | Expression


class Generic(Expression):
    """``_Generic(controlling, type_name: expression, …)``. The type name of ``default`` is None."""

    controlling: Expression
    associations: list[tuple[TypeName | None, Expression]]


class LabelAddress(Expression):
    """``&&name`` of GNU C: a `void *` for a computed ``goto``. Typed, it has the `label`."""

    name: str
    label: JumpTarget | None = None


class VaArg(Expression):
    """``va_arg(list, type_name)``."""

    list: Expression
    type_name: TypeName


class ConvertVector(Expression):
    """``__builtin_convertvector(operand, type_name)`` of GNU C."""

    operand: Expression
    type_name: TypeName


class OffsetOf(Expression):
    """``offsetof(type_name, a.b[1])``: the designators are ``.a``, ``.b`` and ``[1]``."""

    type_name: TypeName
    designators: list[FieldDesignator | IndexDesignator]


class TypesCompatible(Expression):
    """``__builtin_types_compatible_p(first, second)`` of GNU C."""

    first: TypeName
    second: TypeName


class Erroneous(Expression):
    """An expression with an error, or with an unsupported feature, that has been reported.

    Its `parts` are correct, and evaluated, for the warnings about them. Its type is `UNKNOWN`.
    """

    parts: Sequence[Expression] = ()


# --------------------------------------------------------------------------------------------------- initialisers


class IndexDesignator(Node):
    """``[index]``, or the range ``[index ... last]`` of GNU C."""

    index: Expression
    last: Expression | None = None


class FieldDesignator(Node):
    """``.name``; the span is that of the name."""

    name: str


class InitialiserList(Node):
    """``{ designators = initialiser, … }``: each item has its designators, mostly none, and its initialiser."""

    items: list[tuple[list[FieldDesignator | IndexDesignator], Expression | InitialiserList]]


# ----------------------------------------------------------------------------------------------------- statements


class Statement(Node):
    """A statement, or a declaration in a block."""


class Declaration(Statement):
    """``int a, b = 1;``. The specifiers may declare a tag only; then there are no declarators.

    Typed in a block, it has `parts`, as `typed_tree.Declared`.
    """

    specifiers: Specifiers
    declarators: list[InitDeclarator]
    parts: Sequence[Declare | Expression] = ()


class StaticAssert(Statement):
    """``_Static_assert(condition, message);``. The message is None if it is missing, as in C23."""

    condition: Expression
    message: StringLiteral | None


class LabelDeclaration(Statement):
    """``__label__ names;`` of GNU C: labels of a block."""

    names: list[str]


class ExpressionStatement(Statement):
    """An expression evaluated for its effects; None for a null statement ``;``."""

    expression: Expression | None


class Compound(Statement):
    """``{ … }``, a scope. `end` is the span of the closing brace."""

    items: list[Statement]
    end: Span


class If(Statement):
    """``if (condition) then else otherwise``."""

    condition: Expression
    then: Statement
    otherwise: Statement | None


class While(Statement):
    """``while (condition) body``."""

    condition: Expression
    body: Statement


class Do(Statement):
    """``do body while (condition);``."""

    body: Statement
    condition: Expression


class For(Statement):
    """A scope, since `first` may be a declaration."""

    first: Statement
    condition: Expression | None
    step: Expression | None
    body: Statement


class Switch(Statement):
    """``switch (value) body``; the body contains its cases at any depth. Typed, it has all its `cases` in order."""

    value: Expression
    body: Statement
    cases: Sequence[Case] = ()


class Case(Statement):
    """``case value: body``; `value` is None for ``default``. `span` ends before the colon.

    `last` is the upper end of the range ``value ... last`` of GNU C. In a block, the body is a null statement; the
    statement after the colon is the next item of the block, as in C23.

    Typed, it has a `number`, unless it is erroneous or the `default`; one with a range has a case of each number, each
    the body of the one before. `follows` is the case before it, if no statement separates them; `before` and `after`
    are the statements around it in its block.
    """

    value: Expression | None
    body: Statement
    last: Expression | None = None
    number: int | None = None
    follows: Case | None = None
    before: Statement | None = None
    after: Statement | None = None

    @property
    def is_default(self) -> bool:
        """Whether it is ``default``."""
        return self.value is None


class Label(Statement):
    """``name: body``; in a block, the body is a null statement, as for `Case`. `span` is the span of the name.

    With the attribute `unused`, it `may_be_unused`. Typed, it has the `label` that jumps refer to.
    """

    name: str
    body: Statement
    may_be_unused: bool = False
    label: JumpTarget | None = None


class Goto(Statement):
    """``goto name;``; `name_span` is the span of the label's name. Typed, it has the `label`."""

    name: str
    name_span: Span
    label: JumpTarget | None = None


class ComputedGoto(Statement):
    """``goto *target;`` of GNU C."""

    target: Expression


class Break(Statement):
    """``break;``."""


class Continue(Statement):
    """``continue;``."""


class Return(Statement):
    """``return value;``; `value` is None for ``return;``."""

    value: Expression | None


# --------------------------------------------------------------------------------------------------- declarations
# A declaration consists of specifiers, which denote a type, and of declarators, which derive types from it.


class TypedefName(Node):
    """A type specifier that names a type of the source."""

    name: str


class RecordSpecifier(Node):
    """``struct tag { … }`` or ``union tag { … }``; `members` is None without braces. `span` excludes the members."""

    keyword: str
    tag: str | None
    members: list[MemberDeclaration | StaticAssert] | None
    attributes: list[Attribute]

    @property
    def is_definition(self) -> bool:
        """Whether there are braces."""
        return self.members is not None


class EnumSpecifier(Node):
    """``enum tag { … }``; `enumerators` is None without braces. `span` excludes the enumerators."""

    tag: str | None
    enumerators: list[Enumerator] | None
    attributes: list[Attribute]

    @property
    def is_definition(self) -> bool:
        """Whether there are braces."""
        return self.enumerators is not None


class Enumerator(Node):
    """``name = value``; `value` is None if it is missing. `span` is the span of the name."""

    name: str
    value: Expression | None


class TypeOf(Node):
    """``typeof (operand)`` of GNU C; the operand is None for ``__auto_type``."""

    operand: TypeName | Expression | None


class Alignment(Node):
    """``_Alignas (operand)``."""

    operand: TypeName | Expression


class Attribute(Node):
    """An attribute of GNU C that affects the meaning.

    They are ``packed``, ``weak``, ``thread_local``, ``gnu_inline``, ``always_inline``, ``noreturn``, ``unused``,
    ``transparent_union``, ``aligned`` to `alignment` bytes, ``mode`` for an integer type of `size` bytes,
    ``vector_size`` for a vector of that size, ``asm`` for the assembler name `text`, ``alias`` of the function `text`,
    ``cleanup`` by the function `text`, ``pack`` for the `size` that ``#pragma pack`` sets, and ``constructor`` and
    ``destructor`` with a `priority`. An alignment and the size of a vector may be an `operand` to compute.
    """

    name: str
    alignment: int = 0
    size: int = 0
    text: str = ""
    priority: int | None = None
    operand: Expression | None = None


_NO_WORDS: Mapping[str, Span] = {}


class Specifiers(Node):
    """The specifiers of a declaration.

    `type` is a type, or how the source denotes it. `storage` has the spans of storage classes and function specifiers,
    `qualifiers` those of type qualifiers, both by keyword.
    """

    type: CType | TypedefName | RecordSpecifier | EnumSpecifier | TypeOf
    qualifiers: Mapping[str, Span] = _NO_WORDS
    storage: Mapping[str, Span] = _NO_WORDS
    alignments: Sequence[Alignment] = ()
    attributes: Sequence[Attribute] = ()


class PointerTo(Node):
    """The derivation of a pointer type. `qualifiers` are those of the pointer."""

    qualifiers: frozenset[str]


class ArrayOf(Node):
    """The derivation of an array type. `length` is None for ``[]``; `is_variable` is True for ``[*]``."""

    length: Expression | None
    is_variable: bool = False


class FunctionOf(Node):
    """The derivation of a function type.

    The parameters are names in an `is_old_style` declarator. `is_prototyped` is False for it and for empty parentheses.
    `hidden` has the names that denote no types in the function's body, but may do so outside.
    """

    parameters: list[ParameterDeclaration]
    is_prototyped: bool
    is_variadic: bool = False
    is_old_style: bool = False
    hidden: Collection[str] = ()


class Declarator(Node):
    """A name, None in type names and prototypes, with the derivations of its type, in the order in which one reads it.

    ``int *a[3]`` is read as "array of 3 pointers": ``[ArrayOf, PointerTo]``. `span` is the span of the name, if any.
    """

    name: str | None
    derivations: list[PointerTo | ArrayOf | FunctionOf]
    attributes: Sequence[Attribute] = ()


class InitDeclarator(Node):
    """A declarator with its initialiser."""

    declarator: Declarator
    initialiser: Expression | InitialiserList | None


class MemberDeclaration(Node):
    """A declaration in a struct or union. Each member has a declarator, and a width if it is a bit-field."""

    specifiers: Specifiers
    members: list[tuple[Declarator | None, Expression | None]]


class ParameterDeclaration(Node):
    """A parameter. `span` is that of the name, or else of the type. An old-style parameter has no specifiers."""

    specifiers: Specifiers | None
    declarator: Declarator


class TypeName(Node):
    """``int (*)[3]``: a type without a name."""

    specifiers: Specifiers
    declarator: Declarator


class FunctionDefinition(Node):
    """A definition of a function. `span` is the span of the name; `old_style` are the declarations of parameters.

    `damaged` is True if there are syntax errors in the function, `damaged_signature` if they are before its body.
    """

    specifiers: Specifiers
    declarator: Declarator
    old_style: list[Declaration]
    body: Compound
    damaged: bool = False
    damaged_signature: bool = False


class NestedFunction(Statement):
    """A function that is defined in a block, as in GNU C."""

    definition: FunctionDefinition


class TranslationUnit(metaclass=NodeType):
    """A source file: its declarations and definitions in order.

    `headers` holds the names of the included standard headers, without brackets. `warnings` has the warnings found
    while reading, `weak` the names in ``#pragma weak``.

    If the source has errors, the declarations of names in `unknown` are erroneous or not supported yet, and further
    declarations may be missing unless `is_complete`.
    """

    source: Source
    items: list[FunctionDefinition | Declaration | StaticAssert]
    headers: list[str]
    warnings: list[Diagnostic]
    unknown: set[str]
    is_complete: bool
    weak: Collection[str] = ()


def has(attributes: Iterable[Attribute], name: str) -> bool:
    """Whether an attribute of that name is among them."""
    return any(each.name == name for each in attributes)


def written(node: Expression) -> Expression:
    """The expression as in the source, without those that typing inserts around it."""
    while isinstance(node, Implicit) and not (isinstance(node, Cast) and node.type_name):
        node = node.operand
    return node


def operands(node: Expression) -> list[Expression]:
    """The operands that an expression evaluates itself, from left to right, but those of calls and of `_Generic`."""
    if isinstance(node, (SizeOf, AlignOf, Generic)):
        return []
    parts = [getattr(node, name) for name in type(node).__match_args__]
    return [each for each in parts if isinstance(each, Expression) and type(each) is not Computed]


def is_empty(node: Statement) -> bool:
    """Whether the statement is a null statement, ``;``."""
    return isinstance(node, ExpressionStatement) and node.expression is None


def copied(tree: Node, change: Callable[[Any], Any] = lambda part: None) -> Any:
    """A copy of a tree. Where `change` returns something for a part, that is in its place."""
    pending: list[Node] = []

    def new(part: Any) -> Any:
        changed = change(part)
        if changed is not None:
            return changed
        if isinstance(part, (list, tuple)):
            return type(part)(map(new, part))
        if isinstance(part, dict):
            return {key: new(each) for key, each in part.items()}
        if not isinstance(part, Node):
            return part
        pending.append(copy(part))
        return pending[-1]

    result = new(tree)
    for node in pending:  # appended to during iteration
        for name in type(node).__match_args__:
            setattr(node, name, new(getattr(node, name)))
    return result

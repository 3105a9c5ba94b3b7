"""The types that declarations denote (C17 6.7.2 to 6.7.7): specifiers and derivations become a `CType`.

Specifiers that contain others, such as structs in structs and parameters of parameters, are typed by computations for
`cpsconv.core.trampoline`, since they may be nested deeply.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cpsconv.core.ir import MAX_TYPE_DEPTH, unaligned
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step, run
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.constants import NotConstantError, integer_constant
from cpsconv.languages.c.meaning.scopes import Scopes, Typedef
from cpsconv.languages.c.meaning.tree_warnings import has_effect
from cpsconv.languages.c.records import MAX_ALIGNMENT, Field, Record, is_complete, name_after
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.syntax.declaration_rules import is_void
from cpsconv.languages.c.types import (
    BOOL,
    INT,
    INT128,
    LONG,
    SHORT,
    SIGNED_CHAR,
    UNKNOWN,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_INT128,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    VOID,
    Array,
    CType,
    Enum,
    FunctionType,
    VariableArray,
    array_of,
    decayed,
    element_of,
    function_of,
    is_integer_type,
    is_variably_modified,
    limits,
    pointer_to,
    qualified,
)
from cpsconv.languages.c.vector_types import with_vector_size

if TYPE_CHECKING:
    from cpsconv.languages.c.meaning.expressions import Expressions

MAX_SIZE = (1 << 31) - 1
"""The largest size of an object, in bytes: the offsets of pointers have 32 bits."""

MAX_OPERANDS = 30
"""The largest number of expressions after `typeof` within each other."""


class DeclaredTypes:
    """The types of declarations in the scopes of one unit.

    `lengths` has the assignments of the lengths of arrays that are computed at run time, until `taken_lengths` takes
    them. `counts` has the variables for these lengths in the current function.
    """

    def __init__(self, expressions: Expressions, scopes: Scopes, errors: Errors) -> None:
        self._expressions = expressions
        self._scopes = scopes
        self._errors = errors
        self._operands = 0  # the number of operands of `typeof` around the current expression
        self._prototypes = 0  # the number of prototypes around the current declaration
        self.lengths: list[t.Expression] = []
        self.counts: list[t.Local] = []

    # ------------------------------------------------------------------------------------------------- entry points

    def named(self, node: c.TypeName) -> CType:
        """The type that a type name denotes; `UNKNOWN` if it is erroneous, which is reported."""
        return self.declared(self.specified(node.specifiers), node.declarator)

    def specified(self, node: c.Specifiers, *, declares_tag: bool = False) -> CType:
        """The type that specifiers denote. With `declares_tag`, no declarator follows them: ``struct s;``."""
        return run(self._specified(node, declares_tag))

    def declared(self, base: CType, declarator: c.Declarator) -> CType:
        """The type of a declarator after specifiers that denote `base`."""
        return run(self._derived(base, declarator))

    def defined(self, base: CType, declarator: c.Declarator) -> tuple[CType, list[t.Local]]:
        """The type of a function that is defined, and its parameters, which are declared in the current scope."""
        function, *others = declarator.derivations
        assert isinstance(function, c.FunctionOf)
        result = run(self._derived(base, c.Declarator(declarator.span, declarator.name, others)))
        parameters = run(self._parameters(function, defines=True))
        return self._function_of(result, parameters, function, declarator), parameters

    def taken_lengths(self) -> list[t.Expression]:
        """The assignments of lengths that the last declarations need, which are removed from `lengths`."""
        lengths = self.lengths
        if lengths:
            self.lengths = []
        return lengths

    # --------------------------------------------------------------------------------------------------- specifiers

    def _specified(self, node: c.Specifiers, declares_tag: bool = False) -> Step[CType]:
        """The type that specifiers denote: at once if it is named by keywords, the frequent case."""
        type = node.type
        if isinstance(type, CType) and not node.attributes:
            return qualified(type, node.qualifiers) if node.qualifiers else type
        return self._computed(node, declares_tag)

    def _computed(self, node: c.Specifiers, declares_tag: bool) -> Computation[CType]:
        match node.type:
            case CType():
                type = node.type
            case c.TypedefName(name=name):
                found = self._scopes.find(name)
                type = found.type if isinstance(found, Typedef) else UNKNOWN
            case c.RecordSpecifier():
                type = yield self._record(node.type, declares_tag)
            case c.EnumSpecifier():
                type = self._enum(node.type, declares_tag)
            case c.TypeOf():
                type = yield self._type_of(node.type)
        if node.attributes:
            type = self._with_sizes(type, node.attributes)
        return qualified(type, node.qualifiers) if node.qualifiers and type is not UNKNOWN else type

    def _type_of(self, node: c.TypeOf) -> Computation[CType]:
        """The type of an operand, or `UNKNOWN` for ``__auto_type``, whose initialiser determines it."""
        operand = node.operand
        if operand is None:
            return UNKNOWN
        if isinstance(operand, c.TypeName):
            base = yield self._specified(operand.specifiers)
            named: CType = yield self._derived(base, operand.declarator)
            return named
        if self._operands == MAX_OPERANDS:
            self._errors.report("too-large", f"more than {MAX_OPERANDS} `typeof`s are within each other", operand.span)
            return UNKNOWN
        self._operands += 1
        type: CType = self._expressions.type_of(operand)
        self._operands -= 1
        if is_variably_modified(type) and has_effect(operand) and not self._prototypes:
            self.lengths.append(self._expressions.whole(operand))
        return type

    # ------------------------------------------------------------------------------------------------------ records

    def _record(self, node: c.RecordSpecifier, declares_tag: bool) -> Computation[CType]:
        record = self._tagged(node, node.keyword, declares_tag)
        if record is None:
            return UNKNOWN
        assert isinstance(record, Record)
        if node.members is None:
            return record
        if record.fields is not None:
            self._report_redefined(node, record)
            record = Record(node.keyword, node.tag, node.span)
        fields: list[Field] = []
        for member in node.members:
            if isinstance(member, c.StaticAssert):
                self.static_assertion(member)
            else:
                fields += yield self._members(member)
        alignment = self.stated_alignment(node.attributes)
        limit = min([MAX_ALIGNMENT, *(each.size for each in node.attributes if each.name == "pack")])
        record.is_transparent = is_transparent(node.attributes)
        record.complete(self._checked_members(fields, record), _is_packed(node.attributes), alignment, limit)
        return record

    def _members(self, node: c.MemberDeclaration) -> Computation[list[Field]]:
        base = yield self._specified(node.specifiers, declares_tag=not node.members)
        alignment = self.alignment(node.specifiers)
        if not node.members:
            is_anonymous = isinstance(base, Record) and base.tag is None
            if not is_anonymous and not isinstance(base, Enum):
                self._errors.warn("missing-declarations", "this declaration declares no member", node.span)
            return [Field(None, base, node.span, alignment=alignment)] if is_anonymous else []
        fields = []
        for declarator, width in node.members:
            type = (yield self._derived(base, declarator)) if declarator else base
            name, span = (declarator.name, declarator.span) if declarator else (None, node.span)
            attributes = declarator.attributes if declarator else []
            aligned = max(alignment, self.stated_alignment(attributes))
            is_packed = _is_packed(attributes)
            bits = self._width(name, type, width) if width else None
            if type is UNKNOWN or (width and bits is None):
                continue
            if isinstance(type, FunctionType):
                self._errors.report("type-mismatch", f"the member `{name}` cannot be a function", span)
            elif isinstance(type, VariableArray):
                message = f"the member `{name}` of variable length is not supported yet"
                self._errors.report("unsupported", message, span)
            else:
                name_after(type, name)
                fields.append(Field(name, type, span, bits, aligned, is_packed))
        return fields

    def _width(self, name: str | None, type: CType, node: c.Expression) -> int | None:
        """The width of a bit-field; None if it is erroneous, which is reported."""
        width = self.constant(node, "the width of a bit-field")
        if width is None or type is UNKNOWN:
            return None
        if not is_integer_type(type) and type.unqualified is not BOOL:
            self._errors.report("type-mismatch", f"a bit-field must have an integer type, not `{type}`", node.span)
            return None
        largest = 1 if type.unqualified is BOOL else type.bits
        if not (0 if name is None else 1) <= width <= largest:
            what = f"the width of `{name}`" if name else "the width of a bit-field without a name"
            self._errors.report(
                "bit-field", f"{what} is {width}, but must be {1 if name else 0} to {largest}", node.span
            )
            return None
        return width

    def report_incomplete(self, what: str, type: CType, span: Span) -> None:
        """Report that a type, which `what` introduces, is not complete."""
        inner = element_of(type).unqualified
        notes = [("it is declared here", inner.span)] if isinstance(inner, Record) and inner.span else []
        self._errors.report("incomplete-type", f"{what}, `{type}`, is not complete", span, notes=notes)

    def _checked_members(self, fields: Sequence[Field], record: Record) -> list[Field]:
        """The members without erroneous ones, which are reported."""
        seen: dict[str, Field] = {}
        correct = []
        for field in fields:
            span, shown = _span(field), f"`{field.name}`"
            for name in _names(field):
                if name in seen:
                    notes = [("it is first declared here", _span(seen[name]))]
                    self._errors.report("redefined", f"the member `{name}` is declared twice", span, notes=notes)
                seen[name] = field
            if field.is_flexible and is_complete(element_of(field.type)):
                if field is fields[-1] and len(fields) > 1 and not record.is_union:
                    correct.append(field)
                else:
                    message = f"the array {shown} without a length must be the last of several members of a struct"
                    self._errors.report("incomplete-type", message, span)
            elif not is_complete(field.type):
                self.report_incomplete(f"the type of the member {shown}", field.type, span)
            elif not self._is_too_deep(field.type, f"the struct or union with the member {shown}", span):
                correct.append(field)
        return correct

    def _is_too_deep(self, inner: CType, what: str, span: Span) -> bool:
        """Whether an array or record with such elements or fields is nested too deeply, which is reported."""
        if inner.depth < MAX_TYPE_DEPTH:
            return False
        message = f"{what} nests more than {MAX_TYPE_DEPTH} arrays and structs, which is not supported"
        self._errors.report("unsupported", message, span)
        return True

    # -------------------------------------------------------------------------------------------------------- enums

    def _enum(self, node: c.EnumSpecifier, declares_tag: bool) -> CType:
        enum = self._tagged(node, "enum", declares_tag)
        if enum is None:
            return UNKNOWN
        assert isinstance(enum, Enum)
        if node.enumerators is None:
            return enum
        if enum.is_complete:
            self._report_redefined(node, enum)
            enum = Enum(node.tag, node.span)
        values: list[int] = []
        constants = []
        for enumerator in node.enumerators:
            value = values[-1] + 1 if values else 0
            if enumerator.value:
                given = self.constant(enumerator.value, f"the value of `{enumerator.name}`")
                value = value if given is None else given
            values.append(value)
            low, high = limits(INT)
            type = INT if low <= value <= high else UNSIGNED if 0 <= value < 1 << 32 else LONG
            constants.append(t.Enumerator(enumerator.name, type, enumerator.span, value))
            self._scopes.declare(constants[-1])
        if not values:
            self._errors.report("syntax", "expected the name of a constant", node.span)
        names = {each.value: each.name for each in reversed(constants)}
        enum.complete(names, _is_packed(node.attributes))
        for constant in constants:
            if constant.type is not INT:  # as in gcc, constants keep the type `int` if they can
                constant.type = enum.underlying
        return enum

    def _tagged(self, node: c.RecordSpecifier | c.EnumSpecifier, keyword: str, declares_tag: bool) -> CType | None:
        """The type of a tag: the visible one, or a new one. None if the tag is that of another kind of type."""
        defines = (node.members if isinstance(node, c.RecordSpecifier) else node.enumerators) is not None
        tag = node.tag
        found = self._scopes.find_tag(tag, innermost=defines or declares_tag) if tag else None
        if found is None:
            found = Enum(tag, node.span) if keyword == "enum" else Record(keyword, tag, node.span)
            if tag:
                self._scopes.declare_tag(tag, found)
        given = found.keyword if isinstance(found, Record) else "enum"
        if given != keyword:
            notes = [("it is first declared here", found.span)] if found.span else []
            message = f"`{tag}` is the tag of a `{given}`, and not of a `{keyword}`"
            self._errors.report("redeclared", message, node.span, notes=notes)
            return None
        return found

    def _report_redefined(self, node: c.Node, type: Record | Enum) -> None:
        notes = [("it is first defined here", type.span)] if type.span else []
        self._errors.report("redefined", f"`{type}` is defined twice", node.span, notes=notes)

    # -------------------------------------------------------------------------------------------------- derivations

    def _derived(self, base: CType, declarator: c.Declarator) -> Step[CType]:
        """The type of a declarator: at once if it is only a name, the frequent case."""
        if not declarator.derivations and not declarator.attributes:
            return base
        return self._derivations(base, declarator)

    def _derivations(self, base: CType, declarator: c.Declarator) -> Computation[CType]:
        type = base
        for derivation in reversed(declarator.derivations):
            if type is UNKNOWN:
                if isinstance(derivation, c.FunctionOf):
                    yield self._prototype(derivation)
                continue
            match derivation:
                case c.PointerTo(qualifiers=qualifiers):
                    type = qualified(pointer_to(type), qualifiers) if qualifiers else pointer_to(type)
                case c.ArrayOf():
                    type = self._array(type, derivation, declarator)
                case c.FunctionOf():
                    type = yield from self._function(type, derivation, declarator)
        return self._with_sizes(type, declarator.attributes) if declarator.attributes else type

    def _with_sizes(self, type: CType, attributes: Sequence[c.Attribute]) -> CType:
        """The type with the attributes ``mode`` and ``vector_size``."""
        type = _with_mode(type, attributes)
        for each in attributes:
            if each.name == "vector_size" and type is not UNKNOWN:
                size = each.size if each.operand is None else self.constant(each.operand, "the size of a vector")
                vector = None if size is None else with_vector_size(type, size)
                if vector is None and size is not None:
                    message = f"vectors of {size} bytes of `{type}` are not supported"
                    self._errors.report("unsupported", message, each.span)
                type = vector or UNKNOWN
        return type

    def _array(self, element: CType, node: c.ArrayOf, declarator: c.Declarator) -> CType:
        if isinstance(element, FunctionType):
            self._errors.report("type-mismatch", f"{_shown(declarator)} is an array of functions", declarator.span)
            return UNKNOWN
        if not is_complete(element):
            self.report_incomplete(f"the type of the elements of {_shown(declarator)}", element, declarator.span)
            return UNKNOWN
        if node.is_variable:
            return VariableArray(element, None)
        if node.length is None:
            return array_of(element, None)
        value = self._length(node.length, declarator)
        if value is None:
            return UNKNOWN
        try:
            length = integer_constant(value)
        except NotConstantError as reason:
            return self._variable_array(element, value, declarator, reason)
        if length is None:
            return UNKNOWN
        if length < 0:
            self._errors.report(
                "type-mismatch", f"the length of {_shown(declarator)} is negative: {length}", value.span
            )
            return UNKNOWN
        if element.alignment > element.size > 0:
            message = (
                f"the elements of {_shown(declarator)}, of {element.size} bytes, are aligned to {element.alignment}"
            )
            self._errors.report("alignment", message, declarator.span)
            return UNKNOWN
        if element.size * length > MAX_SIZE:
            message = f"{_shown(declarator)} has {element.size * length} bytes, but at most {MAX_SIZE} are supported"
            self._errors.report("unsupported", message, value.span)
            return UNKNOWN
        if self._is_too_deep(element, _shown(declarator), declarator.span):
            return UNKNOWN
        return array_of(element, length)

    def _length(self, node: c.Expression, declarator: c.Declarator) -> t.Expression | None:
        """The length of an array, an integer; None if it is erroneous, which is reported."""
        value = self._expressions.whole(node)
        if value.type is UNKNOWN:
            return None
        if value.type.kind not in ("integer", "bool"):
            message = f"the length of {_shown(declarator)} must be an integer, not `{value.type}`"
            self._errors.report("type-mismatch", message, node.span)
            return None
        return value

    def _variable_array(
        self, element: CType, length: t.Expression, declarator: c.Declarator, reason: NotConstantError
    ) -> CType:
        """An array whose length is computed at run time, or ignored in a prototype."""
        if self._prototypes:
            return VariableArray(element, None)
        if self._scopes.is_file_scope:
            message = f"the length of {_shown(declarator)} {reason.message}"
            self._errors.report("not-constant", message, reason.span)
            return UNKNOWN
        count = t.Local("length", UNSIGNED_LONG, length.span, is_constant=False, is_used=True)
        self.counts.append(count)
        self._expressions.record_assignment(count, length.span)
        self._expressions.function.has_objects = True
        converted = self._expressions.converted(UNSIGNED_LONG, length)
        self.lengths.append(t.Assign(length.span, UNSIGNED_LONG, count, converted))
        return VariableArray(element, count)

    def _function(self, result: CType, node: c.FunctionOf, declarator: c.Declarator) -> Computation[CType]:
        parameters = yield from self._prototype(node)
        return self._function_of(result, parameters, node, declarator)

    def _prototype(self, node: c.FunctionOf) -> Computation[list[t.Local]]:
        """The parameters of a function that is not defined here, in a scope of their own."""
        self._prototypes += 1
        self._scopes.enter()
        parameters: list[t.Local] = yield from self._parameters(node)
        self._scopes.leave()
        self._prototypes -= 1
        return parameters

    def _function_of(
        self, result: CType, parameters: Sequence[t.Local], node: c.FunctionOf, declarator: c.Declarator
    ) -> CType:
        """The type of a function."""
        if isinstance(result, (Array, FunctionType)):
            what = "an array" if isinstance(result, Array) else "a function"
            message = f"{_shown(declarator)} returns {what}, which C does not allow"
            self._errors.report("type-mismatch", message, declarator.span)
            return UNKNOWN
        types = [parameter.type.unqualified for parameter in parameters]
        if result is UNKNOWN or UNKNOWN in types:
            return UNKNOWN
        if node.is_old_style:
            return function_of(result.unqualified, [], prototyped=False)
        return function_of(result.unqualified, types, node.is_prototyped, node.is_variadic)

    def check_result(self, specifiers: c.Specifiers, declarator: c.Declarator) -> None:
        """Warn of the qualifiers of the type that a function returns."""
        if len(declarator.derivations) == 1:
            for word in ("const", "volatile"):
                if word in specifiers.qualifiers:
                    message = f"`{word}` has no effect on the result of a function"
                    self._errors.warn("ignored-qualifiers", message, specifiers.qualifiers[word])
                    return

    def _parameters(self, node: c.FunctionOf, defines: bool = False) -> Computation[list[t.Local]]:
        """The parameters, each of which is declared in the current scope. Their names are used, unless it `defines`."""
        parameters: list[t.Local] = []
        if is_void(node) or node.is_old_style:
            return parameters
        for each in node.parameters:
            assert each.specifiers
            base = yield self._specified(each.specifiers)
            declarator, storage = each.declarator, each.specifiers.storage
            type = yield from self._parameter_type(base, declarator)
            if type.unqualified is VOID:
                is_alone = declarator.name is None and not declarator.derivations
                message = "`void` must be the only parameter" if is_alone else "a parameter cannot be `void`"
                self._errors.report("void", message, each.span)
                type = UNKNOWN
            for word in storage:
                if word != "register":
                    self._errors.report("storage", f"a parameter cannot be `{word}`", storage[word])
            parameter = t.Local(declarator.name or "unnamed", type, each.span, "const" in type.qualifiers, True)
            attributes = [*declarator.attributes, *each.specifiers.attributes]
            is_named = declarator.name is not None
            parameter.is_used = not (defines and is_named) or any(each.name == "unused" for each in attributes)
            parameter.is_register = "register" in storage
            parameter.is_array = isinstance(
                declarator.derivations[0] if declarator.derivations else base, (c.ArrayOf, Array)
            )
            parameters.append(parameter)
            if declarator.name:
                self._scopes.declare(parameter)
        return parameters

    def _parameter_type(self, base: CType, declarator: c.Declarator) -> Computation[CType]:
        """The type of a parameter: arrays and functions become pointers. The length of an array has effects only."""
        derivations = declarator.derivations
        if not derivations or not isinstance(array := derivations[0], c.ArrayOf):
            type: CType = yield self._derived(base, declarator)
            return self.adjusted(type)
        inner = c.Declarator(declarator.span, declarator.name, derivations[1:])
        element: CType = yield self._derived(base, inner)
        if array.length is not None:
            length = self._length(array.length, declarator)
            if length is not None and not self._prototypes and has_effect(array.length):
                self.lengths.append(length)
        if element is UNKNOWN:
            return UNKNOWN
        return self.adjusted(self._array(element, c.ArrayOf(array.span, None), declarator))

    def adjusted(self, type: CType) -> CType:
        """The type of a parameter that is declared with that type: arrays and functions become pointers."""
        adjusted: CType = decayed(type) if isinstance(type, (Array, FunctionType)) else type
        return adjusted

    # ---------------------------------------------------------------------------------------------------- constants

    def constant(self, node: c.Expression, what: str) -> int | None:
        """The value of an integer constant expression; None if it is erroneous, which is reported."""
        value = run(self._expressions.unevaluated(node))
        try:
            return integer_constant(value)
        except NotConstantError as reason:
            self._errors.report("not-constant", f"{what} {reason.message}", reason.span)
            return None

    def alignment(self, specifiers: c.Specifiers) -> int:
        """The alignment that specifiers and their attributes state, in bytes; 0 if there is none."""
        alignment = self.stated_alignment(specifiers.attributes)
        for each in specifiers.alignments:
            operand = each.operand
            if isinstance(operand, c.TypeName):
                value: int | None = self.named(operand).alignment
            else:
                value = self.constant(operand, "the alignment")
            if reason := unaligned(value or 0):
                self._errors.report("alignment", reason, each.span)
            else:
                alignment = max(alignment, value or 0)
        return alignment

    def stated_alignment(self, attributes: Sequence[c.Attribute]) -> int:
        """The largest alignment that attributes state, in bytes; 0 if there is none."""
        return max([0, *(each.alignment or self._computed_alignment(each) for each in attributes)])

    def _computed_alignment(self, attribute: c.Attribute) -> int:
        """The operand of the attribute ``aligned``, or 0. Reports a wrong one."""
        if attribute.name != "aligned" or attribute.operand is None:
            return 0
        alignment = self.constant(attribute.operand, "the alignment") or 0
        if reason := unaligned(alignment):
            self._errors.report("alignment", reason, attribute.span)
            return 0
        return alignment

    def static_assertion(self, node: c.StaticAssert) -> None:
        """Check a static assertion, which is reported if it fails."""
        value = self.constant(node.condition, "the condition of a static assertion")
        if value == 0:
            text = node.message.value.encode("latin-1").decode("utf-8", "replace") if node.message else ""
            self._errors.report("static-assert", f"the static assertion fails{': ' * bool(text)}{text}", node.span)


def is_transparent(attributes: Sequence[c.Attribute]) -> bool:
    """Whether the attributes make a union transparent."""
    return any(each.name == "transparent_union" for each in attributes)


def _is_packed(attributes: Sequence[c.Attribute]) -> bool:
    return any(each.name == "packed" for each in attributes)


_SIZED = {(each.size, each.signed): each for each in (SIGNED_CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT)}
_SIZED |= {(each.size, each.signed): each for each in (INT, UNSIGNED, LONG, UNSIGNED_LONG, INT128, UNSIGNED_INT128)}


def _with_mode(type: CType, attributes: Sequence[c.Attribute]) -> CType:
    """The integer type with the size that the attribute ``mode`` states, if there is one."""
    sizes = [each.size for each in attributes if each.name == "mode"]
    return qualified(_SIZED[sizes[-1], type.signed], type.qualifiers) if sizes and is_integer_type(type) else type


def _names(field: Field) -> Sequence[str]:
    """The names by which a field and the fields of an anonymous record are accessed."""
    if field.name is not None:
        return [field.name]
    return [*field.type.unqualified.paths] if isinstance(field.type, Record) else []


def _span(field: Field) -> Span:
    assert field.span
    return field.span


def _shown(declarator: c.Declarator) -> str:
    return f"`{declarator.name}`" if declarator.name else "this type"

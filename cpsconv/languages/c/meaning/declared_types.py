"""The types that declarations denote (C17 6.7.2 to 6.7.7): specifiers and derivations become a `CType`.

Specifiers that contain others, such as structs in structs and parameters of parameters, are typed by computations for
`cpsconv.core.trampoline`, since they may be nested deeply.
"""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.core.ir import MAX_TYPE_DEPTH
from cpsconv.core.layout import MAX_ALIGNMENT, unaligned
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step, run
from cpsconv.languages.c.diagnostics import seen
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.constants import NotConstantError, integer_constant
from cpsconv.languages.c.meaning.context import Typing, whole
from cpsconv.languages.c.meaning.conversions import converted
from cpsconv.languages.c.meaning.places import type_of, unevaluated
from cpsconv.languages.c.meaning.scopes import Typedef
from cpsconv.languages.c.meaning.tree_warnings import has_effect
from cpsconv.languages.c.records import Field, Record, is_complete, name_after
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.syntax.declaration_rules import is_void
from cpsconv.languages.c.types import (
    BOOL,
    INT,
    INTEGERS,
    LONG,
    UNKNOWN,
    UNSIGNED,
    UNSIGNED_LONG,
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

MAX_SIZE = (1 << 31) - 1
"""The largest size of an object, in bytes: the offsets of pointers have 32 bits."""

MAX_OPERANDS = 30
"""The largest number of expressions after `typeof` within each other."""


def constant_integer(typing: Typing, value: c.Expression, what: str) -> int | None:
    """The value of an integer constant expression; None if it is none, which is reported."""
    try:
        return integer_constant(value)
    except NotConstantError as reason:
        typing.errors.report("not-constant", f"{what} {reason.message}", reason.span)
        return None


# ------------------------------------------------------------------------------------------------------ entry points


def type_named(typing: Typing, node: c.TypeName) -> CType:
    """The type that a type name denotes; `UNKNOWN` if it is erroneous, which is reported."""
    return declared(typing, specified(typing, node.specifiers), node.declarator)


def specified(typing: Typing, node: c.Specifiers, *, declares_tag: bool = False) -> CType:
    """The type that specifiers denote. With `declares_tag`, no declarator follows them: ``struct s;``."""
    return run(_specified(typing, node, declares_tag))


def declared(typing: Typing, base: CType, declarator: c.Declarator) -> CType:
    """The type of a declarator after specifiers that denote `base`."""
    return run(_derived(typing, base, declarator))


def defined(typing: Typing, base: CType, declarator: c.Declarator) -> tuple[CType, list[t.Local]]:
    """The type of a function that is defined, and its parameters, which are declared in the current scope."""
    function, *others = declarator.derivations
    assert isinstance(function, c.FunctionOf)
    result = run(_derived(typing, base, c.Declarator(declarator.span, declarator.name, others)))
    parameters = run(_parameters(typing, function, defines=True))
    return _function_of(typing, result, parameters, function, declarator), parameters


# -------------------------------------------------------------------------------------------------------- specifiers


def _specified(typing: Typing, node: c.Specifiers, declares_tag: bool = False) -> Step[CType]:
    """The type that specifiers denote: at once if it is named by keywords, the frequent case."""
    type = node.type
    if isinstance(type, CType) and not node.attributes:
        return qualified(type, node.qualifiers) if node.qualifiers else type
    return _computed(typing, node, declares_tag)


def _computed(typing: Typing, node: c.Specifiers, declares_tag: bool) -> Computation[CType]:
    match node.type:
        case CType():
            type = node.type
        case c.TypedefName(name=name):
            found = typing.scopes.find(name)
            type = found.type if isinstance(found, Typedef) else UNKNOWN
        case c.RecordSpecifier():
            type = yield _record(typing, node.type, declares_tag)
        case c.EnumSpecifier():
            type = _enum(typing, node.type, declares_tag)
        case c.TypeOf():
            type = yield _type_of(typing, node.type)
    if node.attributes:
        type = _with_sizes(typing, type, node.attributes)
    return qualified(type, node.qualifiers) if node.qualifiers and type is not UNKNOWN else type


def _type_of(typing: Typing, node: c.TypeOf) -> Computation[CType]:
    """The type of an operand, or `UNKNOWN` for ``__auto_type``, whose initialiser determines it."""
    operand = node.operand
    if operand is None:
        return UNKNOWN
    if isinstance(operand, c.TypeName):
        base = yield _specified(typing, operand.specifiers)
        named: CType = yield _derived(typing, base, operand.declarator)
        return named
    if typing.operands == MAX_OPERANDS:
        typing.errors.report("too-large", f"more than {MAX_OPERANDS} `typeof`s are within each other", operand.span)
        return UNKNOWN
    evaluated = c.copied(operand) if has_effect(operand) else None
    typing.operands += 1
    type: CType = type_of(typing, operand)
    typing.operands -= 1
    if is_variably_modified(type) and evaluated and not typing.prototypes:
        typing.lengths.append(whole(typing, evaluated))
    return type


# ----------------------------------------------------------------------------------------------------------- records


def _record(typing: Typing, node: c.RecordSpecifier, declares_tag: bool) -> Computation[CType]:
    record = _tagged(typing, node, node.keyword, declares_tag)
    if record is None:
        return UNKNOWN
    assert isinstance(record, Record)
    if node.members is None:
        return record
    if record.fields is not None:
        _report_redefined(typing, node, record)
        record = Record(node.keyword, node.tag, node.span)
    fields: list[Field] = []
    for member in node.members:
        if isinstance(member, c.StaticAssert):
            static_assertion(typing, member)
        else:
            fields += yield _members(typing, member)
    alignment = stated_alignment(typing, node.attributes)
    limit = min([MAX_ALIGNMENT, *(each.size for each in node.attributes if each.name == "pack")])
    record.is_transparent = c.has(node.attributes, "transparent_union")
    record.complete(_checked_members(typing, fields, record), c.has(node.attributes, "packed"), alignment, limit)
    return record


def _members(typing: Typing, node: c.MemberDeclaration) -> Computation[list[Field]]:
    base = yield _specified(typing, node.specifiers, declares_tag=not node.members)
    alignment = specified_alignment(typing, node.specifiers)
    if not node.members:
        is_anonymous = isinstance(base, Record) and base.tag is None
        if not is_anonymous and not isinstance(base, Enum):
            typing.errors.warn("missing-declarations", "this declaration declares no member", node.span)
        return [Field(None, base, node.span, alignment=alignment)] if is_anonymous else []
    fields = []
    for declarator, width in node.members:
        type = (yield _derived(typing, base, declarator)) if declarator else base
        name, span = (declarator.name, declarator.span) if declarator else (None, node.span)
        attributes = declarator.attributes if declarator else []
        aligned = max(alignment, stated_alignment(typing, attributes))
        is_packed = c.has(attributes, "packed")
        bits = _width(typing, name, type, width) if width else None
        if type is UNKNOWN or (width and bits is None):
            continue
        if isinstance(type, FunctionType):
            typing.errors.report("type-mismatch", f"the member `{name}` cannot be a function", span)
        elif isinstance(type, VariableArray):
            message = f"the member `{name}` of variable length is not supported yet"
            typing.errors.report("unsupported", message, span)
        else:
            name_after(type, name)
            fields.append(Field(name, type, span, bits, aligned, is_packed))
    return fields


def _width(typing: Typing, name: str | None, type: CType, node: c.Expression) -> int | None:
    """The width of a bit-field; None if it is erroneous, which is reported."""
    width = constant_of(typing, node, "the width of a bit-field")
    if width is None or type is UNKNOWN:
        return None
    if not is_integer_type(type) and type.unqualified is not BOOL:
        typing.errors.report("type-mismatch", f"a bit-field must have an integer type, not `{type}`", node.span)
        return None
    largest = 1 if type.unqualified is BOOL else type.bits
    if not (0 if name is None else 1) <= width <= largest:
        what = f"the width of `{name}`" if name else "the width of a bit-field without a name"
        typing.errors.report("bit-field", f"{what} is {width}, but must be {1 if name else 0} to {largest}", node.span)
        return None
    return width


def report_incomplete(typing: Typing, what: str, type: CType, span: Span) -> None:
    """Report that a type, which `what` introduces, is not complete."""
    inner = element_of(type).unqualified
    notes = seen(inner.span if isinstance(inner, Record) else None)
    typing.errors.report("incomplete-type", f"{what}, `{type}`, is not complete", span, notes=notes)


def _checked_members(typing: Typing, fields: Sequence[Field], record: Record) -> list[Field]:
    """The members without erroneous ones, which are reported."""
    known: dict[str, Field] = {}
    correct = []
    for field in fields:
        span, shown = _span(field), f"`{field.name}`"
        for name in _names(field):
            if name in known:
                message = f"the member `{name}` is declared twice"
                typing.errors.report("redefined", message, span, notes=seen(known[name].span, "first declared"))
            known[name] = field
        if field.is_flexible and is_complete(element_of(field.type)):
            if field is fields[-1] and len(fields) > 1 and not record.is_union:
                correct.append(field)
            else:
                message = f"the array {shown} without a length must be the last of several members of a struct"
                typing.errors.report("incomplete-type", message, span)
        elif not is_complete(field.type):
            report_incomplete(typing, f"the type of the member {shown}", field.type, span)
        elif not _is_too_deep(typing, field.type, f"the struct or union with the member {shown}", span):
            correct.append(field)
    return correct


def _is_too_deep(typing: Typing, inner: CType, what: str, span: Span) -> bool:
    """Whether an array or record with such elements or fields is nested too deeply, which is reported."""
    if inner.depth < MAX_TYPE_DEPTH:
        return False
    message = f"{what} nests more than {MAX_TYPE_DEPTH} arrays and structs, which is not supported"
    typing.errors.report("unsupported", message, span)
    return True


# ------------------------------------------------------------------------------------------------------------- enums


def _enum(typing: Typing, node: c.EnumSpecifier, declares_tag: bool) -> CType:
    enum = _tagged(typing, node, "enum", declares_tag)
    if enum is None:
        return UNKNOWN
    assert isinstance(enum, Enum)
    if node.enumerators is None:
        return enum
    if enum.is_complete:
        _report_redefined(typing, node, enum)
        enum = Enum(node.tag, node.span)
    values: list[int] = []
    constants = []
    for enumerator in node.enumerators:
        value = values[-1] + 1 if values else 0
        if enumerator.value:
            given = constant_of(typing, enumerator.value, f"the value of `{enumerator.name}`")
            value = value if given is None else given
        values.append(value)
        low, high = limits(INT)
        type = INT if low <= value <= high else UNSIGNED if 0 <= value < 1 << 32 else LONG
        constants.append(t.Enumerator(enumerator.name, type, enumerator.span, value, enum))
        typing.scopes.declare(constants[-1])
    if not values:
        typing.errors.report("syntax", "expected the name of a constant", node.span)
    names = {each.value: each.name for each in reversed(constants)}
    enum.complete(names, c.has(node.attributes, "packed"))
    for constant in constants:
        if constant.type is not INT:  # as in gcc, constants keep the type `int` if they can
            constant.type = enum.underlying
    return enum


def _tagged(
    typing: Typing, node: c.RecordSpecifier | c.EnumSpecifier, keyword: str, declares_tag: bool
) -> CType | None:
    """The type of a tag: the visible one, or a new one. None if the tag is that of another kind of type."""
    defines = (node.members if isinstance(node, c.RecordSpecifier) else node.enumerators) is not None
    tag = node.tag
    found = typing.scopes.find_tag(tag, innermost=defines or declares_tag) if tag else None
    if found is None:
        found = Enum(tag, node.span) if keyword == "enum" else Record(keyword, tag, node.span)
        if tag:
            typing.scopes.declare_tag(tag, found)
    given = found.keyword if isinstance(found, Record) else "enum"
    if given != keyword:
        message = f"`{tag}` is the tag of a `{given}`, and not of a `{keyword}`"
        typing.errors.report("redeclared", message, node.span, notes=seen(found.span, "first declared"))
        return None
    return found


def _report_redefined(typing: Typing, node: c.Node, type: Record | Enum) -> None:
    typing.errors.report("redefined", f"`{type}` is defined twice", node.span, notes=seen(type.span, "first defined"))


# ------------------------------------------------------------------------------------------------------- derivations


def _derived(typing: Typing, base: CType, declarator: c.Declarator) -> Step[CType]:
    """The type of a declarator: at once if it is only a name, the frequent case."""
    if not declarator.derivations and not declarator.attributes:
        return base
    return _derivations(typing, base, declarator)


def _derivations(typing: Typing, base: CType, declarator: c.Declarator) -> Computation[CType]:
    type = base
    for derivation in reversed(declarator.derivations):
        if type is UNKNOWN:
            if isinstance(derivation, c.FunctionOf):
                yield _prototype(typing, derivation)
            continue
        match derivation:
            case c.PointerTo(qualifiers=qualifiers):
                type = qualified(pointer_to(type), qualifiers) if qualifiers else pointer_to(type)
            case c.ArrayOf():
                type = _array(typing, type, derivation, declarator)
            case c.FunctionOf():
                type = yield from _function(typing, type, derivation, declarator)
    return _with_sizes(typing, type, declarator.attributes) if declarator.attributes else type


def _with_sizes(typing: Typing, type: CType, attributes: Sequence[c.Attribute]) -> CType:
    """The type with the attributes ``mode`` and ``vector_size``."""
    type = _with_mode(type, attributes)
    for each in attributes:
        if each.name == "vector_size" and type is not UNKNOWN:
            size = each.size if each.operand is None else constant_of(typing, each.operand, "the size of a vector")
            vector = None if size is None else with_vector_size(type, size)
            if vector is None and size is not None:
                message = f"vectors of {size} bytes of `{type}` are not supported"
                typing.errors.report("unsupported", message, each.span)
            type = vector or UNKNOWN
    return type


def _array(typing: Typing, element: CType, node: c.ArrayOf, declarator: c.Declarator) -> CType:
    if isinstance(element, FunctionType):
        typing.errors.report("type-mismatch", f"{_shown(declarator)} is an array of functions", declarator.span)
        return UNKNOWN
    if not is_complete(element):
        report_incomplete(typing, f"the type of the elements of {_shown(declarator)}", element, declarator.span)
        return UNKNOWN
    if node.is_variable:
        return VariableArray(element, None)
    if node.length is None:
        return array_of(element, None)
    value = _length(typing, node.length, declarator)
    if value is None:
        return UNKNOWN
    try:
        length = integer_constant(value)
    except NotConstantError as reason:
        return _variable_array(typing, element, value, declarator, reason)
    if length is None:
        return UNKNOWN
    if length < 0:
        typing.errors.report("type-mismatch", f"the length of {_shown(declarator)} is negative: {length}", value.span)
        return UNKNOWN
    if element.alignment > element.size > 0:
        message = f"the elements of {_shown(declarator)}, of {element.size} bytes, are aligned to {element.alignment}"
        typing.errors.report("alignment", message, declarator.span)
        return UNKNOWN
    if element.size * length > MAX_SIZE:
        message = f"{_shown(declarator)} has {element.size * length} bytes, but at most {MAX_SIZE} are supported"
        typing.errors.report("unsupported", message, value.span)
        return UNKNOWN
    if _is_too_deep(typing, element, _shown(declarator), declarator.span):
        return UNKNOWN
    return array_of(element, length)


def _length(typing: Typing, node: c.Expression, declarator: c.Declarator) -> c.Expression | None:
    """The length of an array, an integer; None if it is erroneous, which is reported."""
    value = whole(typing, node)
    if value.type is UNKNOWN:
        return None
    if value.type.kind not in ("integer", "bool"):
        message = f"the length of {_shown(declarator)} must be an integer, not `{value.type}`"
        typing.errors.report("type-mismatch", message, node.span)
        return None
    return value


def _variable_array(
    typing: Typing, element: CType, length: c.Expression, declarator: c.Declarator, reason: NotConstantError
) -> CType:
    """An array whose length is computed at run time, or ignored in a prototype."""
    if typing.prototypes:
        return VariableArray(element, None)
    if typing.scopes.is_file_scope:
        message = f"the length of {_shown(declarator)} {reason.message}"
        typing.errors.report("not-constant", message, reason.span)
        return UNKNOWN
    count = t.temporary("length", UNSIGNED_LONG, length.span)
    typing.counts.append(count)
    typing.function.assignments.setdefault(count, []).append(length.span.start)
    typing.function.note_objects()
    place = t.use(count, length.span)
    value = converted(typing, UNSIGNED_LONG, length)
    typing.lengths.append(c.Assign(length.span, None, place, value, type=UNSIGNED_LONG))
    return VariableArray(element, count)


def _function(typing: Typing, result: CType, node: c.FunctionOf, declarator: c.Declarator) -> Computation[CType]:
    parameters = yield from _prototype(typing, node)
    return _function_of(typing, result, parameters, node, declarator)


def _prototype(typing: Typing, node: c.FunctionOf) -> Computation[list[t.Local]]:
    """The parameters of a function that is not defined here, in a scope of their own."""
    typing.prototypes += 1
    typing.scopes.enter()
    parameters: list[t.Local] = yield from _parameters(typing, node)
    typing.scopes.leave()
    typing.prototypes -= 1
    return parameters


def _function_of(
    typing: Typing, result: CType, parameters: Sequence[t.Local], node: c.FunctionOf, declarator: c.Declarator
) -> CType:
    """The type of a function."""
    if isinstance(result, (Array, FunctionType)):
        what = "an array" if isinstance(result, Array) else "a function"
        message = f"{_shown(declarator)} returns {what}, which C does not allow"
        typing.errors.report("type-mismatch", message, declarator.span)
        return UNKNOWN
    types = [parameter.type.unqualified for parameter in parameters]
    if result is UNKNOWN or UNKNOWN in types:
        return UNKNOWN
    if node.is_old_style:
        return function_of(result.unqualified, [], prototyped=False)
    return function_of(result.unqualified, types, node.is_prototyped, node.is_variadic)


def check_result(typing: Typing, specifiers: c.Specifiers, declarator: c.Declarator) -> None:
    """Warn of the qualifiers of the type that a function returns."""
    if len(declarator.derivations) == 1:
        for word in ("const", "volatile"):
            if word in specifiers.qualifiers:
                message = f"`{word}` has no effect on the result of a function"
                typing.errors.warn("ignored-qualifiers", message, specifiers.qualifiers[word])
                return


def _parameters(typing: Typing, node: c.FunctionOf, defines: bool = False) -> Computation[list[t.Local]]:
    """The parameters, each of which is declared in the current scope. Their names are used, unless it `defines`."""
    parameters: list[t.Local] = []
    if is_void(node) or node.is_old_style:
        return parameters
    for each in node.parameters:
        assert each.specifiers
        base = yield _specified(typing, each.specifiers)
        declarator, storage = each.declarator, each.specifiers.storage
        type = yield from _parameter_type(typing, base, declarator)
        if type.unqualified is VOID:
            is_alone = declarator.name is None and not declarator.derivations
            message = "`void` must be the only parameter" if is_alone else "a parameter cannot be `void`"
            typing.errors.report("void", message, each.span)
            type = UNKNOWN
        for word in storage:
            if word != "register":
                typing.errors.report("storage", f"a parameter cannot be `{word}`", storage[word])
        parameter = t.Local(declarator.name or "unnamed", type, each.span, "const" in type.qualifiers, True)
        attributes = [*declarator.attributes, *each.specifiers.attributes]
        is_named = declarator.name is not None
        parameter.is_used = not (defines and is_named) or c.has(attributes, "unused")
        parameter.is_register = "register" in storage
        parameter.is_array = isinstance(
            declarator.derivations[0] if declarator.derivations else base, (c.ArrayOf, Array)
        )
        parameters.append(parameter)
        if declarator.name:
            typing.scopes.declare(parameter)
    typing.scopes.warn_of_new_tags(node.span)
    return parameters


def _parameter_type(typing: Typing, base: CType, declarator: c.Declarator) -> Computation[CType]:
    """The type of a parameter: arrays and functions become pointers. The length of an array has effects only."""
    derivations = declarator.derivations
    if not derivations or not isinstance(array := derivations[0], c.ArrayOf):
        type: CType = yield _derived(typing, base, declarator)
        return adjusted(typing, type)
    inner = c.Declarator(declarator.span, declarator.name, derivations[1:])
    element: CType = yield _derived(typing, base, inner)
    if array.length is not None:
        length = _length(typing, array.length, declarator)
        if length is not None and not typing.prototypes and has_effect(array.length):
            typing.lengths.append(length)
    if element is UNKNOWN:
        return UNKNOWN
    return adjusted(typing, _array(typing, element, c.ArrayOf(array.span, None), declarator))


def adjusted(typing: Typing, type: CType) -> CType:
    """The type of a parameter that is declared with that type: arrays and functions become pointers."""
    adjusted: CType = decayed(type) if isinstance(type, (Array, FunctionType)) else type
    return adjusted


# --------------------------------------------------------------------------------------------------------- constants


def constant_of(typing: Typing, node: c.Expression, what: str) -> int | None:
    """The value of an integer constant expression; None if it is erroneous, which is reported."""
    return constant_integer(typing, run(unevaluated(typing, node)), what)


def specified_alignment(typing: Typing, specifiers: c.Specifiers) -> int:
    """The alignment that specifiers and their attributes state, in bytes; 0 if there is none."""
    alignment = stated_alignment(typing, specifiers.attributes)
    for each in specifiers.alignments:
        operand = each.operand
        if isinstance(operand, c.TypeName):
            value: int | None = type_named(typing, operand).alignment
        else:
            value = constant_of(typing, operand, "the alignment")
        if reason := unaligned(value or 0):
            typing.errors.report("alignment", reason, each.span)
        else:
            alignment = max(alignment, value or 0)
    return alignment


def stated_alignment(typing: Typing, attributes: Sequence[c.Attribute]) -> int:
    """The largest alignment that attributes state, in bytes; 0 if there is none."""
    return max([0, *(each.alignment or _computed_alignment(typing, each) for each in attributes)])


def _computed_alignment(typing: Typing, attribute: c.Attribute) -> int:
    """The operand of the attribute ``aligned``, or 0. Reports a wrong one."""
    if attribute.name != "aligned" or attribute.operand is None:
        return 0
    alignment = constant_of(typing, attribute.operand, "the alignment") or 0
    if reason := unaligned(alignment):
        typing.errors.report("alignment", reason, attribute.span)
        return 0
    return alignment


def static_assertion(typing: Typing, node: c.StaticAssert) -> None:
    """Check a static assertion, which is reported if it fails."""
    value = constant_of(typing, node.condition, "the condition of a static assertion")
    if value == 0:
        text = node.message.text.encode("latin-1").decode("utf-8", "replace") if node.message else ""
        typing.errors.report("static-assert", f"the static assertion fails{': ' * bool(text)}{text}", node.span)


def _with_mode(type: CType, attributes: Sequence[c.Attribute]) -> CType:
    """The integer type with the size that the attribute ``mode`` states, if there is one."""
    sizes = [each.size for each in attributes if each.name == "mode"]
    return qualified(INTEGERS[sizes[-1], type.signed], type.qualifiers) if sizes and is_integer_type(type) else type


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

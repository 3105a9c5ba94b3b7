"""The declarations of objects, types and functions in all scopes (C17 6.7), from the syntax tree to the typed tree."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.compatibility import are_compatible
from cpsconv.languages.c.meaning.constants import is_constant
from cpsconv.languages.c.meaning.context import Typing, whole
from cpsconv.languages.c.meaning.conversions import is_supported
from cpsconv.languages.c.meaning.declarations import add_attributes
from cpsconv.languages.c.meaning.declared_types import (
    check_result,
    declared,
    report_incomplete,
    specified,
    specified_alignment,
    stated_alignment,
)
from cpsconv.languages.c.meaning.initialisers import initialised
from cpsconv.languages.c.meaning.places import type_of
from cpsconv.languages.c.meaning.scopes import Typedef
from cpsconv.languages.c.records import Record, is_complete, name_after
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    UNKNOWN,
    VOID,
    Arithmetic,
    Array,
    CType,
    Enum,
    FunctionType,
    Pointer,
    aligned,
    decayed,
    element_of,
    is_variably_modified,
    qualified,
)

Parts = list["t.Declare | c.Expression"]
_EXCLUSIVE = ("typedef", "static", "extern", "auto", "register")


def typed_declaration(typing: Typing, node: c.Declaration) -> Parts:
    """The parts of a declaration. Each name is in scope from the end of its declarator, in its own initialiser."""
    specifiers = node.specifiers
    _check_storage(typing, specifiers)
    if isinstance(specifiers.type, c.TypeOf) and specifiers.type.operand is None:
        return _inferred(typing, node)
    base = specified(typing, specifiers, declares_tag=not node.declarators)
    alignment = specified_alignment(typing, specifiers)
    if not node.declarators:
        _check_empty(typing, node, base)
    parts: Parts = []
    for each in node.declarators:
        type = declared(typing, base, each.declarator)
        parts += typing.taken_lengths()
        if 0 < alignment < type.alignment and specifiers.alignments:
            message = f"the alignment {alignment} is less than that of `{type}`, {type.alignment}"
            typing.errors.report("alignment", message, specifiers.alignments[0].span)
        parts += _declared(typing, each, type, specifiers)
        own = max(alignment, stated_alignment(typing, each.declarator.attributes))
        variable = typing.scopes.find(each.declarator.name or "")
        if own and isinstance(variable, (t.Local, t.Global)):
            variable.alignment = own
        if c.has(specifiers.attributes, "thread_local"):
            _make_thread_local(typing, variable, each.declarator)
    return parts


def _make_thread_local(typing: Typing, variable: object, declarator: c.Declarator) -> None:
    """Mark the declared variable as one that each thread has. Reports a declarator of another kind."""
    if isinstance(variable, t.Global):
        variable.is_thread_local = True
    elif not typing.declarations.may_be_declared(declarator.name or ""):
        message = f"`{declarator.name}` cannot be `_Thread_local`: it is no static or external object"
        typing.errors.report("storage", message, declarator.span)


def _declared(typing: Typing, node: c.InitDeclarator, type: CType, specifiers: c.Specifiers) -> Parts:
    declarator, initialiser, storage = node.declarator, node.initialiser, specifiers.storage
    name, span = declarator.name, declarator.span
    assert name
    attributes = (*specifiers.attributes, *declarator.attributes)
    is_public = "static" not in storage and (typing.scopes.is_file_scope or isinstance(type, FunctionType))
    if not is_public and "extern" not in storage and c.has(attributes, "weak"):
        typing.errors.report("storage", f"`{name}` cannot be weak: other files cannot refer to it", span)
    typing.declarations.note_weak(name, attributes)
    if "typedef" in storage:
        _typedef(typing, name, type, node, specifiers)
        return []
    if type is UNKNOWN or type.unqualified is VOID:
        return _erroneous(typing, node, type)
    if "restrict" in type.qualifiers and not isinstance(type, Pointer):
        typing.errors.report("type-mismatch", f"`restrict` needs a pointer, not `{type.unqualified}`", span)
    if isinstance(type, FunctionType):
        _function(typing, name, type, node, specifiers)
        return []
    name_after(type, name)
    is_declared_only = "extern" in storage and initialiser is None
    if not is_declared_only and not is_supported(typing, element_of(type), span):
        return _erroneous(typing, node, UNKNOWN)
    if typing.scopes.is_file_scope or "extern" in storage:
        typing.declarations.note_assembler_name(name, declarator)
        _global(typing, name, type, node, specifiers)
        return []
    if "static" in storage:
        if is_variably_modified(type):
            message = f"the length of `{name}` is not a constant, but `{name}` is `static`"
            typing.errors.report("not-constant", message, span)
            return _erroneous(typing, node, UNKNOWN)
        variable = typing.declarations.declare_static(typing.function, name, type, span)
        variable.is_used = _is_unused_allowed(node, specifiers)
        _initialise(typing, variable, initialiser)
        return []
    local = _local(typing, name, type, node, specifiers)
    local.cleanups = [*_cleanups(typing, name, node, specifiers)]
    return [local]


# --------------------------------------------------------------------------------------------------------- variables


def _local(typing: Typing, name: str, type: CType, node: c.InitDeclarator, specifiers: c.Specifiers) -> t.Declare:
    local = t.Local(name, type, node.declarator.span, "const" in element_of(type).qualifiers)
    local.is_register = "register" in specifiers.storage
    local.is_used = _is_unused_allowed(node, specifiers)
    typing.scopes.declare(local)
    if is_variably_modified(type):
        typing.scopes.protected.append((f"the scope of `{name}`, whose type has a variable length", local.span))
    if isinstance(type, (Array, Record)):
        typing.function.note_objects()
    initialiser = node.initialiser
    if initialiser is None:
        _require_complete(typing, local)
        return t.Declare(local, None)
    declared = initialised(typing, local, initialiser)
    if local.is_constant and isinstance(initialiser, c.Expression) and isinstance(type, Arithmetic):
        typing.checks.initialisation(local, initialiser)
    if "const" in element_of(local.type).qualifiers and (declared.initial is None or is_constant(declared.initial)):
        whole = t.use(local, local.span)
        local.initial = [t.Part(whole, declared.initial)] if declared.initial else declared.parts
    _require_complete(typing, local)
    return declared


def _cleanups(typing: Typing, name: str, node: c.InitDeclarator, specifiers: c.Specifiers) -> Iterator[c.Expression]:
    """The calls by the attribute ``cleanup``, with the address of the variable of that name."""
    for each in (*specifiers.attributes, *node.declarator.attributes):
        if each.name == "cleanup":
            typing.function.note_objects()
            address = c.AddressOf(each.span, c.Name(each.span, name))
            call = c.CallExpression(each.span, c.Name(each.span, each.text), [address])
            yield whole(typing, call, discarded=True)


def _global(typing: Typing, name: str, type: CType, node: c.InitDeclarator, specifiers: c.Specifiers) -> None:
    initialiser, span = node.initialiser, node.declarator.span
    if is_variably_modified(type):
        typing.errors.report("not-constant", f"the length of `{name}` is not a constant", span)
        typing.scopes.declare_unknown(name, span)
        return
    is_in_block = not typing.scopes.is_file_scope
    if is_in_block and initialiser:
        message = f"`{name}` is `extern` in a block, and cannot be initialised there"
        typing.errors.report("storage", message, initialiser.span)
        initialiser = None
    variable = typing.declarations.declare_global(name, type, specifiers, span, defines=bool(initialiser))
    variable.is_used = variable.is_used or _is_unused_allowed(node, specifiers)
    if initialiser:
        variable.initial = []
        _initialise(typing, variable, initialiser)


def _initialise(typing: Typing, variable: t.Global, initialiser: c.Expression | c.InitialiserList | None) -> None:
    if initialiser:
        initialised(typing, variable, initialiser)
    if not typing.scopes.is_file_scope or initialiser:
        _require_complete(typing, variable)


def _require_complete(typing: Typing, variable: t.Local | t.Global) -> None:
    """Report a variable whose size is not known at the end of its declaration."""
    type = variable.type
    if type is UNKNOWN or is_complete(type):
        return
    name = variable.name.rpartition(".")[2]
    if isinstance(type, Array) and is_complete(type.element):
        typing.errors.report("incomplete-type", f"the length of the array `{name}` is missing", variable.span)
    else:
        report_incomplete(typing, f"the type of `{name}`", type, variable.span)
    variable.type = UNKNOWN


def _inferred(typing: Typing, node: c.Declaration) -> Parts:
    """A declaration with ``__auto_type``, of GNU C: the initialiser determines the type."""
    parts: Parts = []
    for each in node.declarators:
        name, initialiser = each.declarator.name, each.initialiser
        if not isinstance(initialiser, c.Expression) or each.declarator.derivations:
            message = f"`{name}` needs an initialiser that is an expression, and no other type"
            typing.errors.report("type-mismatch", message, each.declarator.span)
            parts += _erroneous(typing, each, UNKNOWN)
            continue
        type = decayed(type_of(typing, c.copied(initialiser))).unqualified
        parts += _declared(typing, each, qualified(type, node.specifiers.qualifiers), node.specifiers)
    return parts


def _erroneous(typing: Typing, node: c.InitDeclarator, type: CType) -> Parts:
    """Declare a name of unknown type, or of type `void`, which is reported. Its initialiser is still typed."""
    name, span = node.declarator.name, node.declarator.span
    assert name
    if type is not UNKNOWN:
        typing.errors.report("void", "a variable cannot be `void`", span)
    typing.scopes.declare_unknown(name, span)
    if typing.scopes.is_file_scope:
        typing.declarations.unknown.add(name)
    return [whole(typing, node.initialiser)] if isinstance(node.initialiser, c.Expression) else []


# ------------------------------------------------------------------------------------------ functions and type names


def _function(typing: Typing, name: str, type: FunctionType, node: c.InitDeclarator, specifiers: c.Specifiers) -> None:
    span, is_file_scope = node.declarator.span, typing.scopes.is_file_scope
    if node.initialiser:
        typing.errors.report("type-mismatch", f"`{name}` is a function, and cannot be initialised", span)
    for word in ("static", "auto", "register"):
        if word in specifiers.storage and (word != "static" or not is_file_scope):
            where = "" if word == "register" else " in a block"
            typing.errors.report("storage", f"a function cannot be `{word}`{where}", specifiers.storage[word])
    check_result(typing, specifiers, node.declarator)
    function = typing.declarations.declare_function(name, type, specifiers, span)
    if function.is_external and not function.parameters:
        function.parameters = _named_parameters(type, node.declarator)
    add_attributes(function, node.declarator.attributes)
    typing.declarations.note_assembler_name(name, node.declarator)


def _typedef(typing: Typing, name: str, type: CType, node: c.InitDeclarator, specifiers: c.Specifiers) -> None:
    span = node.declarator.span
    if node.initialiser:
        message = f"`{name}` is a type, and cannot be initialised"
        typing.errors.report("type-mismatch", message, node.initialiser.span)
    attributes = [*node.declarator.attributes, *specifiers.attributes]
    if isinstance(type, Record) and c.has(attributes, "transparent_union"):
        type.unqualified.is_transparent = True
    alignment = stated_alignment(typing, attributes)
    if alignment and type.size:
        type = aligned(type, alignment)
    earlier = typing.scopes.declared_here(name)
    if isinstance(earlier, Typedef) and UNKNOWN not in (type, earlier.type):
        if type is earlier.type or are_compatible(type, earlier.type):
            return
        note = (f"it is first declared here as `{earlier.type}`", earlier.span)
        message = f"`{name}` is declared as another type, `{type}`"
        typing.errors.report("redeclared", message, span, notes=[note])
        return
    unqualified = type.unqualified
    if isinstance(unqualified, (Record, Enum)) and unqualified.tag is None:
        _show_as(unqualified, name)
    name_after(type, name)
    typing.scopes.declare(Typedef(name, type, span))


# ------------------------------------------------------------------------------------------------------------ checks


def _check_storage(typing: Typing, specifiers: c.Specifiers) -> None:
    storage = specifiers.storage
    first, *others = [word for word in storage if word in _EXCLUSIVE] or [""]
    for word in others:
        typing.errors.report("storage", f"`{first}` and `{word}` exclude each other", storage[word])
    if typing.scopes.is_file_scope:
        for word in ("auto", "register"):
            if word in storage:
                message = f"`{word}` is allowed in functions only"
                typing.errors.report("storage", message, storage[word])


def _check_empty(typing: Typing, node: c.Declaration, type: CType) -> None:
    """Warn of a declaration without declarators that declares no tag."""
    if isinstance(node.specifiers.type, (c.EnumSpecifier, c.RecordSpecifier)):
        specifier = node.specifiers.type
        if specifier.tag or isinstance(specifier, c.EnumSpecifier):
            return
    if type is not UNKNOWN:
        typing.errors.warn("missing-declarations", "this declaration declares nothing", node.span)


def _named_parameters(type: FunctionType, declarator: c.Declarator) -> list[t.Local]:
    """The parameters of a prototype with their names: `p0`, `p1`, … if they have none, or that of the continuation."""
    function = declarator.derivations[0] if declarator.derivations else None
    if not isinstance(function, c.FunctionOf):
        return []
    names = [each.declarator.name for each in function.parameters]
    named = [f"p{number}" if name in (None, "ret") else name for number, name in enumerate(names)]
    return [
        t.Local(name or "", parameter, declarator.span, False, is_parameter=True)
        for name, parameter in zip(named, type.parameters, strict=False)
    ]


def _is_unused_allowed(node: c.InitDeclarator, specifiers: c.Specifiers) -> bool:
    return c.has([*node.declarator.attributes, *specifiers.attributes], "unused")


def _show_as(type: Record | Enum, name: str) -> None:
    """Give a type without a tag the name of the type name that is declared for it, in messages."""
    for each in (type, *(other for other in type.derived.values() if isinstance(other, (Record, Enum)))):
        each.own_name = name

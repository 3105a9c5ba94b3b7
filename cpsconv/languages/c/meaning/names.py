"""Names: the variables, functions and constants that they denote."""

from __future__ import annotations

from typing import Any

from cpsconv.abi.attributes import SETJMP
from cpsconv.abi.prototypes import OBJECTS, PROTOTYPES
from cpsconv.languages.c.diagnostics import misspelt_keyword, seen
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.adapters import external_pointer, library_value
from cpsconv.languages.c.meaning.context import PLACES, VALUES, Operand, Typing, rule
from cpsconv.languages.c.meaning.library import LIBRARY
from cpsconv.languages.c.meaning.places import value_of
from cpsconv.languages.c.meaning.scopes import Typedef
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import CHAR, INT, CType, array_of, qualified


@rule(PLACES, c.Name)
def named(typing: Typing, node: c.Name) -> Operand:
    """The variable or function that a name denotes, or the value of an enumerator."""
    found = typing.scopes.find(node.name) or typing.declarations.library_object(node.name)
    if type(found) is t.Global and not found.is_defined:
        if node.name == "errno" and "errno.h" in typing.declarations.headers:  # old programs also declare the variable
            return named_value(typing, None, node)
        if typing.is_evaluated:
            typing.declarations.referenced.add(found)
    if isinstance(found, (t.Local, t.Global)):
        return _denoting(node, found, found.type)
    return named_value(typing, found, node)


@rule(VALUES, c.Name)
def name_value(typing: Typing, node: c.Name) -> c.Expression:
    variable = typing.scopes.find(node.name)
    if type(variable) is t.Local and variable.type.kind != "void":  # a scalar, the frequent case
        variable.is_used = True
        node.denoted, node.type = variable, variable.type
        return c.Read(node.span, variable.type.unqualified, node)
    return value_of(typing, named(typing, node), node)


def named_value(typing: Typing, found: Any, node: c.Name) -> Operand:
    """The name of a function, or the value of the enumerator that a name denotes; reported if there is none."""
    if isinstance(found, t.Enumerator):
        typing.checks.record(node, found.type, found.value)
        return c.Constant(node.span, found.type, found.value)
    if found is None and node.name in _NAMES_OF_FUNCTION:
        name = typing.function.name.encode("utf-8", "surrogateescape").decode("latin-1")
        return c.StringLiteral(node.span, name, type=array_of(qualified(CHAR, ["const"]), len(name) + 1))
    if found is None and node.name == "errno" and "errno.h" in typing.declarations.headers:
        place = typing.declarations.external("__errno_location", node.span)
        return c.Dereference(node.span, t.call(place, [], node.span), type=INT)
    is_defined = node.name in typing.declarations.definitions or not typing.is_evaluated
    if isinstance(found, t.Function) and found.type and (is_defined or found.enclosing):
        typing.declarations.called.add(found.name)
        return _denoting(node, found, found.type)
    library = typing.declarations.library(node.name)
    is_value = library and not library.type.variadic and not library.has_complex_numbers
    if library and node.name in PROTOTYPES and node.name != SETJMP and is_value:
        return _denoting(node, typing.declarations.external(node.name, node.span), library.type)
    if library and node.name not in typing.declarations.definitions and not isinstance(found, (t.Local, t.Global)):
        function = library_value(typing, node.name, library, node.span)
        if function:
            return _denoting(node, function, library.type)
    if not library and isinstance(found, t.Function) and found.type and typing.declarations.may_be_external(found):
        return c.Dereference(node.span, external_pointer(typing, found, node.span), type=found.type)
    return _no_variable(typing, node)


def _denoting(node: c.Name, denoted: t.Local | t.Global | t.Function, type: CType) -> c.Name:
    node.denoted, node.type = denoted, type
    return node


def _no_variable(typing: Typing, node: c.Name) -> c.Expression:
    """Report a name that denotes no variable, once for each name."""
    name = node.name
    if name not in typing.scopes.undeclared and not typing.declarations.may_be_declared(name):
        typing.scopes.undeclared.add(name)
        _report_undeclared(typing, node)
    return c.Erroneous(node.span)


def _report_undeclared(typing: Typing, node: c.Name) -> None:
    name = node.name
    declared = typing.scopes.find(name)
    if isinstance(declared, t.Function) and name not in LIBRARY:
        message = f"`{name}` is declared but never defined"
        typing.errors.report("undefined-function", message, node.span, notes=seen(declared.span))
        return
    if typing.declarations.library(name):
        message = f"the library function `{name}` as a value is not supported yet"
        typing.errors.report("unsupported", message, node.span, help=f"to call it, write `{name}(…)`")
        return
    if isinstance(declared, Typedef):
        message = f"`{name}` is a type, not a value"
        typing.errors.report("type-mismatch", message, node.span, notes=seen(declared.span))
        return
    from cpsconv.languages.c.syntax.headers import header_defining  # late: few names are undeclared

    header = header_defining(name) or (OBJECTS[name].header if name in OBJECTS else {"errno": "errno.h"}.get(name))
    help = f"add `#include <{header}>`" if header else typing.errors.suggestion(name, typing.scopes.names())
    if not help and (near := misspelt_keyword(name)):
        help = f"did you mean `{near}`?"
    typing.errors.report("undeclared", f"`{name}` is not declared", node.span, help=help)


_NAMES_OF_FUNCTION = frozenset(["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"])
"""The names that denote the name of the current function, as an array."""

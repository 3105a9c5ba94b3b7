"""The types and conversions of calls: of the program's functions, of library functions, and of the macro `assert`."""

from __future__ import annotations

from typing import Any

from cpsconv.core.nodes import replace
from cpsconv.core.source import Span, counted
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.c.diagnostics import Errors, is_misspelling, misspelt, misspelt_keyword, seen
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.arguments import called, declaration_note, erroneous_call, given_arguments, wrong_count
from cpsconv.languages.c.meaning.builtins import builtin_call
from cpsconv.languages.c.meaning.conditions import typed_condition
from cpsconv.languages.c.meaning.context import VALUES, Typing, rule, then, typed
from cpsconv.languages.c.meaning.conversions import is_null, with_article
from cpsconv.languages.c.meaning.declarations import Declarations
from cpsconv.languages.c.meaning.library import ASSERT_HEADER, LIBRARY, TYPE_GENERIC, UNSUPPORTED, is_type_generic
from cpsconv.languages.c.meaning.library_calls import library_call, type_generic_call
from cpsconv.languages.c.records import Record, bytes_in_words
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.syntax.tokens import spliced
from cpsconv.languages.c.types import (
    INT,
    UNKNOWN,
    VOID,
    CType,
    FunctionType,
    Pointer,
    function_of,
    is_integer_type,
    spelled,
)


@rule(VALUES, c.CallExpression)
def _call(typing: Typing, node: c.CallExpression) -> Step[c.Expression]:
    """The typed call, or its computation."""
    callee = node.callee
    if isinstance(callee, c.Name):
        found = typing.scopes.find(callee.name) or typing.declarations.library_object(callee.name)
        is_errno = callee.name == "errno" and "errno.h" in typing.declarations.headers and not found
        if not isinstance(found, (t.Local, t.Global)) and not is_errno:
            return _named_call(typing, node, callee.name)
    return _call_through(typing, node)


def _named_call(typing: Typing, node: c.CallExpression, name: str) -> Step[c.Expression]:
    """The call of the function with that name."""
    if name in typing.declarations.unknown:
        return erroneous_call(typing, node)
    function = typing.scopes.find(name) or typing.declarations.declare_implicitly(name, node.callee.span)
    if isinstance(function, t.Function) and (function.enclosing or name in typing.declarations.definitions):
        return _direct_call(typing, node, function)
    library = typing.declarations.library(name)
    if library and len(node.arguments) < len(library.type.parameters) and _is_unspecified(function):
        library = None  # as configuration scripts call it, to see whether it exists
    if library and TYPE_GENERIC in typing.declarations.headers and is_type_generic(name):
        return type_generic_call(typing, node, name)
    if library:
        return library_call(typing, node, name, library)
    if name == "assert" and ASSERT_HEADER in typing.declarations.headers:
        return _assert(typing, node)
    builtin = builtin_call(typing, node, name)
    if builtin is None and isinstance(function, t.Function) and typing.declarations.may_be_external(function):
        return _external_call(typing, node, function)
    if builtin is None and function is None and _may_be_elsewhere(typing, name):
        return _external_call(
            typing, node, typing.declarations.declare_elsewhere(name, node.callee.span, _help(typing, name))
        )
    return builtin or _no_function(typing, node, name)


# ------------------------------------------------------------------------------------------- the program's functions


def _direct_call(typing: Typing, node: c.CallExpression, function: t.Function) -> Step[c.Expression]:
    type = function.type
    assert type
    if function.enclosing:
        typing.function.calls = [*typing.function.calls, function]
    typing.declarations.note_call(typing.function.name, function.name)
    if function.name == "main" and type.prototyped and type.parameters:
        written = _written_parameters(typing, function)
        if written == 1:  # the second parameter is not used
            node = replace(node, arguments=[*node.arguments, c.Literal(node.span, INT, 0)])
        elif written != len(type.parameters):
            message = f"calls of a `main` with {counted(written, 'parameter')} are not supported yet"
            typing.errors.report("unsupported", message, node.callee.span)
            return erroneous_call(typing, node)
    call = called(typing, node, type, function, function.returns, function)
    return call if type.prototyped else then(typing, call, _noted)


def _written_parameters(typing: Typing, function: t.Function) -> int:
    """The number of parameters in the definition of a function, which `main` may have less or more of."""
    derivation = typing.declarations.definitions[function.name].declarator.derivations[0]
    assert isinstance(derivation, c.FunctionOf)
    return len(derivation.parameters)


def _noted(typing: Typing, value: c.Expression) -> c.Expression:
    """The call of a function without a prototype, whose definition may follow."""
    if isinstance(value, c.CallExpression):
        typing.declarations.unprototyped.append(value)
    return value


def convert_unprototyped_arguments(declarations: Declarations, errors: Errors) -> None:
    """Convert the arguments of calls without a prototype to the types of the parameters, where C allows a
    difference (C17 6.5.2.2, paragraph 6): integers of other signedness; also, as old programs need, integers of
    other sizes, and 0 for a pointer. Missing arguments are undefined values.
    """
    for call in declarations.unprototyped:
        parameters = call.function.parameters
        taken, call.variable = call.arguments[: len(parameters)], call.arguments[len(parameters) :]
        if len(parameters) != len(call.arguments):
            takes = f"`{call.function.name}` takes {counted(len(parameters), 'argument', 'no')}"
            message = f"{takes}, but {given_arguments(len(call.arguments))}"
            span = call.variable[0].span if call.variable else call.span
            errors.warn("deprecated-non-prototype", message, span)
        taken = [_as_passed(each, parameter.type) for each, parameter in zip(taken, parameters, strict=False)]
        for each in parameters[len(taken) :]:
            taken.append(c.Missing(call.span, each.type.unqualified, f"{call.function.name}({each.name})"))
        call.arguments = taken


def _external_call(typing: Typing, node: c.CallExpression, function: t.Function) -> Computation[c.Expression]:
    """The call of a function that the source only declares."""
    type = function.type
    assert type
    value: c.Expression = yield from called(typing, node, type, function, function.returns, function)
    if isinstance(value, c.CallExpression) and not type.prototyped:
        passed = function_of(type.result, [each.type for each in value.arguments])
        if not typing.declarations.assume_type(function, passed):
            message = f"this call of `{spelled(type, function.name)}` passes other types than the calls before"
            typing.errors.report("argument-count", message, node.callee.span, notes=declaration_note(function))
    if not isinstance(value, c.CallExpression) or not typing.is_evaluated:
        return value
    copies = _passed_in_words(typing, value, type)
    if not typing.declarations.use_external(function, node.callee.span, value):
        return c.Erroneous(node.span, [value])
    if not copies:
        return value
    items: list[c.Statement] = [t.Declared(node.span, [*copies])]
    if value.type is VOID:
        return c.StatementExpression(node.span, [*items, c.ExpressionStatement(node.span, value)], type=VOID)
    return c.StatementExpression(node.span, items, value, type=value.type)


def _passed_in_words(typing: Typing, call: c.CallExpression, type: FunctionType) -> list[t.Declare]:
    """Replace the structs among the variable arguments by their words, which C passes in the same places.

    Returns the variables for copies of the structs. An argument for which this is not possible remains.
    """
    if not any(isinstance(each.type, Record) for each in call.variable):
        return []
    from cpsconv.languages.c.meaning.expansions import Registers  # late: few programs need it

    registers, copies = Registers(type), list[t.Declare]()
    words_of = list[c.Expression]()
    for argument in call.variable:
        record, span = argument.type, argument.span
        words = registers.pass_words(record)
        if not isinstance(record, Record) or words is None:
            words_of.append(argument)
            continue
        source, inner = bytes_in_words(record, words).named_fields
        copy = t.temporary("words", bytes_in_words(record, words), span)
        part = t.Part(t.member(t.use(copy, span), source, span), argument)
        copies.append(t.Declare(copy, None, [part], is_zeroed=True))
        assert isinstance(inner.type, Record)
        place = t.member(t.use(copy, span), inner, span)
        for field in inner.type.named_fields:
            words_of.append(c.Read(span, field.type, t.member(place, field, span)))
    call.variable = words_of
    typing.function.note_objects()
    return copies


def _call_through(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """A call of the function that a value points to."""
    callee = yield typed(typing, node.callee)
    type = callee.type
    if not isinstance(type, Pointer) or not isinstance(type.target, FunctionType):
        if type is not UNKNOWN:
            _report_no_function(typing, node.callee, type)
        return (yield from erroneous_call(typing, node))
    named = callee.operand if isinstance(callee, c.Decay) else None
    function = named.denoted if isinstance(named, c.Name) else None
    if function is None:
        typing.declarations.may_recurse = True
    else:
        typing.declarations.note_call(typing.function.name, function.name)
    returns = function is None or function.returns
    return (yield from called(typing, node, type.target, function or callee, returns))


def _report_no_function(typing: Typing, callee: c.Expression, type: CType) -> None:
    found = typing.scopes.find(callee.name) if isinstance(callee, c.Name) else None
    if found:
        message = f"`{found.name}` is a variable, not a function"
        typing.errors.report("not-a-function", message, callee.span, notes=seen(found.span))
    else:
        message = f"this is {with_article(type)}, not a function"
        typing.errors.report("not-a-function", message, callee.span)


# ------------------------------------------------------------------------------------------------------------ assert


def _assert(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``assert(condition)``."""
    if len(node.arguments) != 1:
        return (yield from wrong_count(typing, node, 1))
    condition = yield typed_condition(typing, node.arguments[0])
    node.operation, node.arguments = "assert", [condition, c.StringLiteral(node.span, _failure(typing, node))]
    node.type = VOID
    return node


def _failure(typing: Typing, node: c.CallExpression) -> str:
    """The message of a failing assertion, one character for each byte."""
    source = node.span.source
    file, line, _ = source.origin(node.span.start)
    text = spliced(source.text[node.callee.span.end : node.span.end]).strip()[1:-1]
    shown = f"{file}:{line}: {typing.function.name}: Assertion `{' '.join(text.split())}' failed.\n"
    return shown.encode("utf-8", "surrogateescape").decode("latin-1")


# --------------------------------------------------------------------------------------------------- erroneous calls


def _may_be_elsewhere(typing: Typing, name: str) -> bool:
    """Whether a name that is not declared can be that of a function of another file. It may be misspelt, too."""
    is_known = name in UNSUPPORTED or name in typing.scopes.undeclared or typing.declarations.may_be_declared(name)
    return not is_known and not name.startswith("__") and not _is_misspelt(typing, name)


def _is_misspelt(typing: Typing, name: str) -> bool:
    """Whether a name that is not declared is one of the library or a misspelling.

    A name with another beginning or end, as in `print_left` and `print_right`, is that of another function.
    """
    if name in LIBRARY or name == "assert":
        return True
    similar = _similar(typing, name)
    return similar is not None and is_misspelling(name, similar)


def _no_function(typing: Typing, node: c.CallExpression, name: str) -> Computation[c.Expression]:
    """Report a name that cannot be called, once for each name."""
    if name not in typing.scopes.undeclared:
        typing.scopes.undeclared.add(name)
        _report_uncallable(typing, name, node.callee.span)
    return erroneous_call(typing, node)


def _report_uncallable(typing: Typing, name: str, span: Span) -> None:
    declared = typing.scopes.find(name)
    if name in UNSUPPORTED:
        typing.errors.report("unsupported", f"the library function `{name}` is not supported yet", span)
    elif typing.declarations.may_be_declared(name):
        pass
    elif isinstance(declared, t.Function):
        message = f"`{name}` is declared but never defined"
        typing.errors.report("undefined-function", message, span, notes=seen(declared.span))
    elif isinstance(declared, t.Enumerator):
        message = f"`{name}` is a constant, not a function"
        typing.errors.report("not-a-function", message, span, notes=seen(declared.span))
    else:
        typing.errors.report("undeclared", f"`{name}` is not declared", span, help=_help(typing, name))


def _help(typing: Typing, name: str) -> str | None:
    """The help for an undeclared function: the header that declares it, or a similar name."""
    header = LIBRARY[name].header if name in LIBRARY else ASSERT_HEADER if name == "assert" else None
    if header:
        return f"add `#include <{header}>`"
    similar = _similar(typing, name)
    return f"did you mean `{similar}`?" if similar else None


def _similar(typing: Typing, name: str) -> str | None:
    """The function or keyword that is most similar to the name of an undeclared function."""
    near = misspelt(name, LIBRARY) or misspelt_keyword(name)
    return typing.errors.nearest(name, typing.declarations.names()) or near


def _is_unspecified(function: Any) -> bool:
    """Whether a function is declared without its parameters."""
    return isinstance(function, t.Function) and function.type is not None and not function.type.prototyped


def _as_passed(argument: c.Expression, type: CType) -> c.Expression:
    given, type = argument.type, type.unqualified
    if isinstance(type, Pointer) and is_null(argument):
        return c.Constant(argument.span, type, 0)
    if is_integer_type(type) and is_integer_type(given) and given is not type:
        return c.Convert(argument.span, type, argument)
    return argument

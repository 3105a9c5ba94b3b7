"""Syntax trees of C, parsed from text and shown as text; diagnostics shown in short."""

from __future__ import annotations

from typing import Any

from cpsconv.core.source import Diagnostic, Source, Span
from cpsconv.languages.c.syntax import parse
from cpsconv.languages.c.syntax import tree as c


def parsed(text: str) -> c.TranslationUnit:
    return parse(Source("test.c", text))


def functions(text: str) -> list[c.FunctionDefinition]:
    """The definitions of functions in a text."""
    return [item for item in parsed(text).items if isinstance(item, c.FunctionDefinition)]


def body(statements: str, headers: str = "") -> list[c.Statement]:
    """The statements of a function with this body."""
    return functions(f"{headers}\nvoid f(void) {{ {statements} }}")[-1].body.items


def expression(text: str, headers: str = "") -> c.Expression:
    [statement] = body(f"{text};", headers)
    assert isinstance(statement, c.ExpressionStatement) and statement.expression
    return statement.expression


def grouped(node: Any) -> str:
    """The text of an expression with all possible parentheses."""
    match node:
        case c.Literal():
            return str(node.value)
        case c.Name():
            return node.name
        case c.StringLiteral():
            return repr(node.text)
        case c.Unary():
            return f"({node.op}{grouped(node.operand)})"
        case c.Increment():
            operand = grouped(node.target)
            return f"({node.op}{operand})" if node.prefix else f"({operand}{node.op})"
        case c.Binary() | c.Logical():
            return f"({grouped(node.left)} {node.op} {grouped(node.right)})"
        case c.Conditional():
            then = f" {grouped(node.then)} " if node.then else ""
            return f"({grouped(node.condition)} ?{then}: {grouped(node.otherwise)})"
        case c.Assign():
            return f"({grouped(node.target)} {node.op or ''}= {grouped(node.value)})"
        case c.Comma():
            return f"({grouped(node.left)}, {grouped(node.right)})"
        case c.Cast(type_name=c.TypeName() as name):
            return f"(({read(name)}){grouped(node.operand)})"
        case c.SizeOf():
            operand = f"({read(node.operand)})" if isinstance(node.operand, c.TypeName) else f" {grouped(node.operand)}"
            return f"(sizeof{operand})"
        case c.AlignOf():
            operand = f"({read(node.operand)})" if isinstance(node.operand, c.TypeName) else f" {grouped(node.operand)}"
            return f"(alignof{operand})"
        case c.CallExpression():
            return f"{grouped(node.callee)}({'; '.join(map(grouped, node.arguments))})"
        case c.AddressOf():
            return f"(&{grouped(node.operand)})"
        case c.Dereference():
            return f"(*{grouped(node.pointer)})"
        case c.Subscript():
            return f"{grouped(node.pointer)}[{grouped(node.index)}]"
        case c.Member():
            return f"{grouped(node.operand)}{'->' if node.through_pointer else '.'}{node.name}"
        case c.CompoundLiteral(type_name=c.TypeName() as name, initialiser=c.InitialiserList() as values):
            return f"({read(name)}){initialiser(values)}"
        case c.StatementExpression():
            return f"({outline(c.Compound(node.span, node.items, node.span))})"
        case c.LabelAddress():
            return f"(&&{node.name})"
        case c.VaArg():
            return f"va_arg({grouped(node.list)}; {read(node.type_name)})"
        case c.ConvertVector():
            return f"convertvector({grouped(node.operand)}; {read(node.type_name)})"
        case c.OffsetOf():
            return f"offsetof({read(node.type_name)}; {''.join(map(designator, node.designators))})"
        case c.TypesCompatible():
            return f"compatible({read(node.first)}; {read(node.second)})"
        case c.Generic():
            cases = [f"{read(type) if type else 'default'}: {grouped(value)}" for type, value in node.associations]
            return f"generic({grouped(node.controlling)}; {'; '.join(cases)})"
    raise TypeError(node)


def outline(node: Any) -> str:
    """The outline of a statement, with its parts in brackets."""
    match node:
        case c.ExpressionStatement():
            return grouped(node.expression) if node.expression else "-"
        case c.Declaration():
            return "declare " + " ".join(str(each.declarator.name) for each in node.declarators)
        case c.StaticAssert():
            return f"assert {grouped(node.condition)}"
        case c.LabelDeclaration():
            return f"labels {' '.join(node.names)}"
        case c.ComputedGoto():
            return f"goto *{grouped(node.target)}"
        case c.Compound():
            return "{" + " ".join(map(outline, node.items)) + "}"
        case c.If():
            otherwise = f" [{outline(node.otherwise)}]" if node.otherwise else ""
            return f"if {grouped(node.condition)} [{outline(node.then)}]{otherwise}"
        case c.While():
            return f"while {grouped(node.condition)} [{outline(node.body)}]"
        case c.Do():
            return f"do [{outline(node.body)}] {grouped(node.condition)}"
        case c.For():
            middle = " ; ".join(grouped(part) if part else "-" for part in (node.condition, node.step))
            return f"for {outline(node.first)} ; {middle} [{outline(node.body)}]"
        case c.Switch():
            return f"switch {grouped(node.value)} [{outline(node.body)}]"
        case c.Case():
            last = f" ... {grouped(node.last)}" if node.last else ""
            return f"{'case ' + grouped(node.value) if node.value else 'default'}{last}: {outline(node.body)}"
        case c.Label():
            return f"{node.name}: {outline(node.body)}"
        case c.Goto():
            return f"goto {node.name}"
        case c.Return():
            return f"return {grouped(node.value) if node.value else '-'}"
        case c.Break() | c.Continue():
            return type(node).__name__.lower()
    raise TypeError(node)


def initialiser(node: c.Expression | c.InitialiserList) -> str:
    """The text of an initialiser."""
    if isinstance(node, c.Expression):
        return grouped(node)
    items = ["".join(map(designator, path)) + " = " * bool(path) + initialiser(value) for path, value in node.items]
    return f"{{{', '.join(items)}}}"


def designator(node: c.FieldDesignator | c.IndexDesignator) -> str:
    """The text of a designator."""
    if isinstance(node, c.FieldDesignator):
        return f".{node.name}"
    return f"[{grouped(node.index)}{' ... ' + grouped(node.last) if node.last else ''}]"


def read(node: c.TypeName | c.ParameterDeclaration | c.InitDeclarator, specifiers: c.Specifiers | None = None) -> str:
    """A type as one reads its declaration: ``array[3] of pointer to int``."""
    if isinstance(node, (c.TypeName, c.ParameterDeclaration)):
        specifiers = node.specifiers
    shown = []
    for each in node.declarator.derivations:
        if isinstance(each, c.PointerTo):
            shown.append(f"{' '.join([*sorted(each.qualifiers), 'pointer'])} to")
        elif isinstance(each, c.ArrayOf):
            shown.append(f"array[{'*' if each.is_variable else grouped(each.length) if each.length else ''}] of")
        else:
            parameters = [f"{parameter.declarator.name or '-'}: {read(parameter)}" for parameter in each.parameters]
            shown.append(f"function({', '.join(parameters + ['...'] * each.is_variadic)}) returning")
    return " ".join([*shown, specified(specifiers) if specifiers else "?"])


def specified(node: c.Specifiers) -> str:
    """The text of specifiers."""
    match node.type:
        case c.TypedefName(name=name):
            type = name
        case c.RecordSpecifier(keyword=keyword, tag=tag, members=members):
            shown = ["assert" if isinstance(each, c.StaticAssert) else member(each) for each in members or ()]
            type = f"{keyword} {tag or '-'}{{{'; '.join(shown)}}}" if members is not None else f"{keyword} {tag}"
        case c.EnumSpecifier(tag=tag, enumerators=enumerators):
            names = [each.name + (f" = {grouped(each.value)}" if each.value else "") for each in enumerators or ()]
            type = f"enum {tag or '-'}{{{', '.join(names)}}}" if enumerators is not None else f"enum {tag}"
        case c.TypeOf(operand=operand):
            inner = "" if operand is None else read(operand) if isinstance(operand, c.TypeName) else grouped(operand)
            type = f"typeof({inner})"
        case _:
            type = str(node.type)
    return " ".join([*sorted(node.qualifiers), type])


def member(node: c.MemberDeclaration) -> str:
    """The text of a declaration in a struct."""
    shown = []
    for declarator, width in node.members:
        type = read(c.TypeName(node.span, node.specifiers, declarator)) if declarator else specified(node.specifiers)
        shown.append(f"{declarator.name if declarator else '-'}: {type}" + (f" : {grouped(width)}" if width else ""))
    return ", ".join(shown) or specified(node.specifiers)


def words(span: Span) -> str:
    return span.source.text[span.start : span.end]


def shown(diagnostics: list[Diagnostic]) -> str:
    """A line for each diagnostic with its rule, for its notes and for its help.

    Each begins with the line, the column and the marked text of the span.
    """
    lines = []
    for found in diagnostics:
        kind = "" if found.severity == "error" else f"{found.severity}: "
        lines.append(f"{_place(found.span)}{kind}{found.message}{f' [{found.rule}]' if found.rule else ''}\n")
        lines += [f"  note {_place(span)}{message}\n" for message, span in found.notes]
        lines += [f"  help: {found.help}\n"] if found.help else []
    return "".join(lines)


def _place(span: Span | None) -> str:
    return f"{':'.join(str(span).split(':')[1:])} {words(span)}".rstrip() + ": " if span else ""

"""The parser of CPS text: syntax tree, name resolution, elaboration to a program."""

from __future__ import annotations

from cpsconv.grammar import Rejected
from cpsconv.ir import Program
from cpsconv.source import Diagnostic, DiagnosticError, Source, Span, error, in_source_order
from cpsconv.text.elaborate import elaborate
from cpsconv.text.reader import TypeTooDeep, new_parser, tokens
from cpsconv.text.scope import resolve
from cpsconv.text.syntax import FunctionNode


def parse(source: Source, warnings: list[Diagnostic] | None = None) -> Program:
    """The program of a CPS text, nested or flat, in Unicode or ASCII. Warnings are added to `warnings`.

    Raises `DiagnosticError` with every error found. (`cpsconv.check` finds the errors of the program as a whole.)
    """
    return program_of(parse_syntax(source), source, warnings)


def parse_syntax(source: Source) -> list[FunctionNode]:
    """The syntax trees of the functions of a text. Raises `DiagnosticError` with every syntax error found."""
    parser = new_parser(len(source.text))
    try:
        parser.read(tokens(source.text))
    except Rejected:
        from cpsconv.text.recovery import syntax_errors  # imported late: most texts have no errors

        raise DiagnosticError(syntax_errors(source)) from None
    except TypeTooDeep as failure:
        raise DiagnosticError([error("this type is nested too deeply", Span(source, *failure.args))]) from None
    functions: list[FunctionNode] = parser.result()
    return functions


def program_of(functions: list[FunctionNode], source: Source, warnings: list[Diagnostic] | None = None) -> Program:
    """The program of the syntax trees, whose nodes get their values. Warnings and errors are those of `parse`."""
    diagnostics = resolve(functions, source)
    program, found = elaborate(functions, source)
    diagnostics += found
    if errors := [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]:
        raise DiagnosticError(errors)  # no warnings: an unused continuation may be misspelled where it is used
    if warnings is not None:
        warnings += in_source_order(diagnostics)
    return program

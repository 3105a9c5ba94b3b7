"""From C text to a syntax tree."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from threading import Lock
from typing import Any

from cpsconv.frontends.c.faults import Faults, TooManyFaultsError
from cpsconv.frontends.c.pushdown import Pushdown
from cpsconv.frontends.c.recovery import Reader
from cpsconv.frontends.c.rules_declarations import DeclarationRules
from cpsconv.frontends.c.rules_expressions import ExpressionRules
from cpsconv.frontends.c.rules_statements import StatementRules
from cpsconv.frontends.c.syntax import FunctionDeclaration, TranslationUnit
from cpsconv.frontends.c.tokens import Scanner, Vocabulary
from cpsconv.grammar import read_grammar
from cpsconv.source import DiagnosticError, Source, error


class TreeRules(DeclarationRules, StatementRules, ExpressionRules):
    """Makes the syntax tree, a rule at a time, as the parser recognises the rules."""


class Machine:
    """The parser of the grammar ``c``, which takes a while to make. It parses one text at a time."""

    def __init__(self) -> None:
        from lark import Lark  # imported late: it takes longer than most commands that do without it

        self.rules = TreeRules()
        # Everything is kept, and positions are taken from the tokens: propagating them would halve the speed.
        options: dict[str, Any] = {"keep_all_tokens": True, "maybe_placeholders": False, "transformer": self.rules}
        self.lark = Lark(read_grammar("c"), parser="lalr", lexer="basic", **options)
        self.vocabulary = Vocabulary(self.lark.terminals)
        self.lock = Lock()


@cache
def _machine() -> Machine:
    return Machine()


def parse(source: Source) -> TranslationUnit:
    """The syntax tree of a C source file.

    Raises `DiagnosticError` with what is wrong in it, or not supported yet.
    """
    machine = _machine()
    faults = Faults()
    scanner = Scanner(source, machine.vocabulary, faults)
    functions: list[FunctionDeclaration] = []
    with machine.lock:
        rules = machine.rules
        rules.faults, rules.words, rules.defined, rules.declared = faults, scanner.words, scanner.defined, set()
        with suppress(TooManyFaultsError):
            parser = Pushdown(machine.lark, machine.vocabulary.shown)
            functions = Reader(parser, scanner, faults, rules.declared).read()
    if not faults.found and not any(function.body for function in functions):
        faults.found.append(error(f"{source.name}: contains no function"))
    if faults.found:
        raise DiagnosticError(faults.found)
    return TranslationUnit(source, functions, scanner.headers)

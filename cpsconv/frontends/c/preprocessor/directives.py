"""Directives (C17 6.10): the preprocessor reads files, obeys their directives, and expands the macros between them."""

from __future__ import annotations

import os
import posixpath
import re
import time
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from cpsconv.frontends.c.diagnostics import Errors, TooManyErrors
from cpsconv.frontends.c.preprocessor.ahead import FileAhead
from cpsconv.frontends.c.preprocessor.conditions import holds
from cpsconv.frontends.c.preprocessor.expansion import Expander
from cpsconv.frontends.c.preprocessor.files import Folders
from cpsconv.frontends.c.preprocessor.known import constants
from cpsconv.frontends.c.preprocessor.macros import COMPUTED, Macro, MacroError, predefined
from cpsconv.frontends.c.preprocessor.output import Output, PreprocessedSource, inclusion_notes
from cpsconv.frontends.c.preprocessor.settings import Settings
from cpsconv.frontends.c.preprocessor.table import MacroTable
from cpsconv.frontends.c.preprocessor.tokens import (
    COMMENT,
    DIRECTIVE,
    END_OF_DIRECTIVE,
    NAME,
    TEXT,
    File,
    Files,
    Token,
    lexed,
    like,
    open_comment,
    placed,
    trimmed,
)
from cpsconv.frontends.c.syntax.headers import HEADERS, TypeName
from cpsconv.frontends.c.syntax.literals import is_name
from cpsconv.frontends.c.syntax.tokens import has_attribute
from cpsconv.source import Diagnostic, DiagnosticError, Note, Source, Span, max_errors, nearest, too_many_errors

MAX_DEPTH = 200
"""The maximal depth of nested inclusions, as in gcc."""

_LINE_MARKER = re.compile(r'[ \t]*(?:[0-9]+)[ \t]*(?:"|\r?$)')
_DIRECTIVES = [
    "define",
    "undef",
    "include",
    "include_next",
    "import",
    "if",
    "ifdef",
    "ifndef",
    "elif",
    "elifdef",
    "elifndef",
    "else",
    "endif",
    "line",
    "error",
    "warning",
    "pragma",
    "ident",
]


_SPACE = rf"(?:[ \t\r\f\v]|{COMMENT.pattern})*"
_DEFINITION = re.compile(rf"{_SPACE}({NAME.pattern})(\([^()/\n]*\)|\()?{_SPACE}")
"""The name and the parameters of a macro, if they contain no comments, or else an opening parenthesis."""

_SPACES = re.compile(_SPACE)
_BRACKETED = re.compile(r"[ \t]*<([^>\n]+)>")
"""The operand of ``#include``, in which ``//`` is no comment."""

_WORD = re.compile(r"(?:\s|/\*[^*]*\*+(?:[^*/][^*]*\*+)*/)*(\w*)")


class Conditional(NamedTuple):
    """An open ``#if``: whether one of its groups was chosen, and the token of its last directive."""

    was_chosen: bool
    directive: Token


class Preprocessor:
    """One run of the preprocessor."""

    def __init__(self, source: Source, settings: Settings, warnings: list[Diagnostic]) -> None:
        self._source = source
        self._settings = settings
        self._errors = Errors()
        self._warnings = warnings
        self._folders = Folders(settings.folders, is_extended=settings.is_extended)
        self._files = Files()
        self._open: list[File] = []
        self._conditionals: list[Conditional] = []
        self._macros = MacroTable()
        self._words: set[str] = set()  # of known headers
        self._constants = MacroTable()
        self._output = Output(self._files, self._macros, self._constants)
        self._expander = Expander(self._macros, self._constants, self._computed)
        self._pushed: dict[str, list[Macro | None]] = {}
        self._counter = 0
        epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
        self._start = time.gmtime(int(epoch)) if epoch.isdecimal() else time.localtime()

    def run(self) -> PreprocessedSource:
        """The preprocessed text. Raises `DiagnosticError` with all errors."""
        with suppress(TooManyErrors):
            self._process()
        self._errors.raise_if_any()
        self._warnings += self._errors.warnings
        return self._output.source(self._source)

    def _process(self) -> None:
        self._predefine()
        self._enter(self._source, None, 0)
        commands = Source("<command line>", self._settings.as_directives())
        if commands.text:
            self._enter(commands, None, 0)
        while self._open:
            file = self._open[-1]
            if self._read(file):
                self._leave(file)

    def _predefine(self) -> None:
        for name, body in predefined().items():
            self._macros.define(Macro(name, body))
        for name in COMPUTED:
            self._macros.define(Macro(name, "", is_computed=True))

    def _enter(self, source: Source, included_at: int | None, folder: int) -> None:
        file = self._files.add(source, self._folders.spliced(source), included_at, folder)
        file.conditions = len(self._conditionals)
        self._open.append(file)
        opening = open_comment(file.text)
        if opening is not None:
            comment = Token("/*", file.base + opening)
            self._report("unterminated comment", comment, rule="unterminated", help="end it with `*/`")

    def _leave(self, file: File) -> None:
        while len(self._conditionals) > file.conditions:
            directive = self._conditionals.pop().directive
            self._report(f"`#{directive}` has no `#endif`", directive)
        self._output.end_file()
        self._open.pop()

    def _read(self, file: File) -> bool:
        """Process a file from its position up to its end, or up to a directive that includes another file.

        Returns whether the end is reached.
        """
        text, macros, output = file.text, self._macros, self._output
        ahead = FileAhead(file, placed=False)
        begin = file.position
        found = True
        while found:
            found = False
            for match in TEXT.finditer(text, file.position):
                kind = match.lastgroup
                if kind is None or (kind != "directive" and match[kind] not in macros and match[kind] != "_Pragma"):
                    continue
                found = True
                output.copy(file, begin, match.start(kind))
                if kind != "directive":
                    self._expand(ahead, file, match.start(kind), match.end())
                else:
                    depth = len(self._open)
                    self.obey(file, match.end())
                    if len(self._open) > depth:
                        return False
                begin = file.position
                break
        output.copy(file, begin, len(text))
        return True

    def _expand(self, ahead: FileAhead, file: File, start: int, end: int) -> None:
        """Append the expansion of the name at a range of the file."""
        name = file.text[start:end]
        file.position = end
        try:
            tokens = self._expander.expand(name, ahead)
        except MacroError:
            tokens = ["_Pragma"]
        if "_Pragma" in tokens:
            self._expand_placed(file, Token(name, file.base + start), end)
        else:
            self._output.expansion(tokens, name, file.base + start)

    def _expand_placed(self, file: File, name: Token, end: int) -> None:
        """Append the expansion of the name, by `Token`s with places, for errors, ``_Pragma`` and computed macros."""
        file.position = end
        ahead = FileAhead(file, placed=True, obey=partial(self.obey, in_arguments=True))
        try:
            is_pragma = name == "_Pragma"
            tokens = [name, *ahead.rest(0)] if is_pragma and ahead.is_call() else self._expander.expand(name, ahead)
            self._output.placed_expansion(tokens, name)
        except MacroError as failure:
            self._fail(failure, name)

    # ------------------------------------------------------------------------------------------------- directives

    def obey(self, file: File, start: int, *, in_arguments: bool = False) -> None:
        """Obey the directive whose ``#`` ends at `start`. Sets the file's position to the end of its line.

        After a condition that does not hold, this is the end of the group that is skipped.
        """
        file.position = end = self._end(file, start)
        match = _WORD.match(file.text, start, end)
        word = Token(match[1], file.base + match.start(1))  # type: ignore[index,union-attr]
        if in_arguments and word in ("include", "include_next", "import"):
            self._report(f"`#{word}` within the arguments of a macro", word)
            return
        try:
            if perform := getattr(self, f"_obey_{word}", None):
                perform(file, word)
            elif word.isdigit():
                self._line_marker(file, start, end, word)
            elif words := [word] if word else self._operands(file, word):
                near = nearest(words[0], _DIRECTIVES)
                help = f"did you mean `#{near}`?" if near else None
                self._report(f"unknown directive `#{words[0]}`", words[0], help=help)
        except MacroError as failure:
            self._fail(failure, word)

    def _end(self, file: File, start: int) -> int:
        match = END_OF_DIRECTIVE.match(file.text, start)
        assert match
        return match.end()

    def _operands(self, file: File, word: Token) -> list[str]:
        """The tokens that follow the first word of the directive that ends at the position of the file."""
        start = word.place - file.base + len(word)
        return trimmed(placed(file.text, start, file.position, file.base))

    def _obey_define(self, file: File, word: Token) -> None:
        text, end = file.text, file.position
        match = _DEFINITION.match(text, word.place - file.base + len(word), end)
        if not match or match[1] == "defined":
            defined = _name(word, self._operands(file, word))
            raise MacroError(f"`{defined}` cannot be the name of a macro", defined)
        name, start = match[1], match.end()
        parameters, variadic = None, False
        if match[2]:
            tokens = placed(text, match.start(2), end if match[2] == "(" else match.end(2), file.base)
            parameters, variadic, closing = _parameters(_words(tokens))
            start = _SPACES.match(text, _place(closing) - file.base + 1, end).end()  # type: ignore[union-attr]
        macro = Macro(name, text[start:end], file.base + start, parameters, variadic)
        if "#" in macro.body or "%:" in macro.body:
            macro.placed_parts  # noqa: B018 -- reports misplaced operators
        known = self._macros.get(name)
        if known is not None and (known.is_computed or not known.same_as(macro)):
            notes: list[Note] = [("the other definition", self._files.span(known.place, 1))] if known.place >= 0 else []
            span = self._files.span(file.base + match.start(1), len(name))
            self._errors.warn("macro-redefined", f"`{name}` is redefined", span, notes=notes)
        self._macros.define(macro)

    def _obey_undef(self, file: File, word: Token) -> None:
        name = _name(word, self._operands(file, word))
        self._macros.remove(name)
        self._constants.remove(name)
        if name in self._words:
            self._words.remove(name)
            self._output.directive(f"#undef {name}", word)

    def _obey_error(self, file: File, word: Token) -> None:
        self._report(f"#error {''.join(self._operands(file, word))}".rstrip(), word, rule="error-directive")

    def _obey_warning(self, file: File, word: Token) -> None:
        message = f"#warning {''.join(self._operands(file, word))}".rstrip()
        self._errors.warn("cpp", message, self._span(word), notes=self._notes(word))

    def _obey_ident(self, file: File, word: Token) -> None:
        """Ignore a comment for the object file."""

    def _obey_pragma(self, file: File, word: Token) -> None:
        operands = self._operands(file, word)
        match _words(operands):
            case ["once"]:
                self._folders.read_once(file.source)
            case ["push_macro", "(", name, ")"]:
                self._pushed.setdefault(name, []).append(self._macros.get(name[1:-1]))
            case ["pop_macro", "(", name, ")"]:
                if self._pushed.get(name):
                    self._macros.remove(name[1:-1])
                    if macro := self._pushed[name].pop():
                        self._macros.define(macro)
            case _:
                self._output.directive(f"#pragma {''.join(operands)}", word)

    def _obey_line(self, file: File, word: Token) -> None:
        self._number_lines(file, word, self._expander.operands(self._operands(file, word)))

    def _number_lines(self, file: File, word: Token, operands: list[str]) -> None:
        """Give numbers to the lines after the directive, and perhaps a name to the file."""
        number, *rest = _words(operands) or [""]
        if not re.fullmatch("[0-9]{1,10}", number) or (rest and rest[0][0] != '"'):
            raise MacroError("expected a line number, as in `#line 3`", operands[0] if operands else word)
        name = rest[0][1:-1] if rest else file.source.origin(0)[0]
        file.source.mark(file.span(file.position - 1, file.position).line + 1, name.replace("\\\\", "\\"), int(number))

    def _line_marker(self, file: File, start: int, end: int, word: Token) -> None:
        """A line marker of preprocessed text. The scanner skips the text of system headers."""
        if not _LINE_MARKER.match(file.text, start, end):
            raise MacroError(f"unknown directive `#{word}`", word)
        operands = [word, *placed(file.text, word.place - file.base + len(word), end, file.base)]
        self._number_lines(file, word, _words(operands)[:2])
        if {"2", "3"} & {*_words(operands)[2:]}:
            self._output.directive(f"# {''.join(operands)}", word)

    # ------------------------------------------------------------------------------------------------ conditionals

    def _obey_if(self, file: File, word: Token) -> None:
        holding = self._holds(file, word)
        self._conditionals.append(Conditional(holding, word))
        if not holding:
            self._skip(file)

    _obey_ifdef = _obey_ifndef = _obey_if

    def _obey_elif(self, file: File, word: Token) -> None:
        """The end of a chosen group."""
        self._require_conditional(file, word)
        self._conditionals[-1] = Conditional(True, word)
        self._skip(file)

    _obey_elifdef = _obey_elifndef = _obey_else = _obey_elif

    def _obey_endif(self, file: File, word: Token) -> None:
        self._require_conditional(file, word)
        self._conditionals.pop()

    def _require_conditional(self, file: File, word: Token) -> None:
        if len(self._conditionals) <= file.conditions:
            raise MacroError(f"`#{word}` has no `#if`", word)
        if word != "endif" and self._conditionals[-1].directive == "else":
            raise MacroError(f"`#{word}` after `#else`", word)

    def _skip(self, file: File) -> None:
        """Skip groups of the innermost conditional up to the one that is chosen, or to its end."""
        depth = 0
        while match := DIRECTIVE.search(file.text, file.position):
            file.position = match.end()
            if match.lastgroup is None:
                continue
            start, file.position = match.end(), self._end(file, match.end())
            match = _WORD.match(file.text, start, file.position)
            assert match
            word = match[1]
            if word in ("if", "ifdef", "ifndef"):
                depth += 1
            elif word == "endif" and depth:
                depth -= 1
            elif word in ("else", "elif", "elifdef", "elifndef", "endif") and not depth:
                directive = Token(word, file.base + match.start(1))
                self._require_conditional(file, directive)
                if word == "endif":
                    self._conditionals.pop()
                    return
                was_chosen = self._conditionals[-1].was_chosen
                chosen = not was_chosen and (word == "else" or self._holds(file, directive))
                self._conditionals[-1] = Conditional(was_chosen or chosen, directive)
                if chosen:
                    return
        file.position = len(file.text)

    def _is_defined(self, name: str) -> bool:
        return name in self._macros or name in self._words or name in _OPERATORS

    def _holds(self, file: File, word: Token) -> bool:
        """Whether the condition of ``#if``, ``#elif``, ``#ifdef`` or ``#ifndef`` holds. A malformed one does not."""
        start = word.place - file.base + len(word)
        try:
            if word.endswith("def"):
                return self._is_defined(_name(word, self._operands(file, word))) == (word in ("ifdef", "elifdef"))
            try:
                return self._is_true(lexed(file.text, start, file.position), word)
            except MacroError:  # without a position
                return self._is_true(placed(file.text, start, file.position, file.base), word)
        except MacroError as failure:
            self._fail(failure, word)
            return False

    def _is_true(self, tokens: list[str], word: Token) -> bool:
        """Whether a controlling expression is not zero. Raises `MacroError` if it is malformed."""
        if _HEADER_OPERATORS.isdisjoint(tokens):
            tokens = _words(tokens)
        tokens = self._expander.operands(self._without_operators(tokens))
        return holds(_words(self._without_operators(tokens)), word)

    def _without_operators(self, tokens: list[str]) -> list[str]:
        """The tokens with 0 or 1 in the place of ``defined X``, ``__has_include(…)`` and similar operators."""
        if _OPERATORS.isdisjoint(tokens):
            return tokens
        result: list[str] = []
        position = 0
        while position < len(tokens):
            token = tokens[position]
            position += 1
            if token not in _OPERATORS:
                result.append(token)
                continue
            while tokens[position : position + 1] == [" "]:
                position += 1
            opening = tokens[position : position + 1] == ["("]
            end = tokens.index(")", position) if opening and ")" in tokens[position:] else position
            operand = trimmed(tokens[position + opening : end + (not opening)])
            if not operand or (token == "defined" and len(operand) > 1):
                raise MacroError(f"`{token}` needs an operand", token)
            position = end + 1
            value = self._is_defined(_name(token, operand)) if token == "defined" else self._has(token, operand)
            result.append(like(str(int(value)), token))
        return result

    def _has(self, token: str, operand: list[str]) -> bool:
        """Whether ``__has_include(operand)`` or a similar operator holds."""
        if token == "__has_attribute":
            return has_attribute("".join(_words(operand)))
        if token == "__has_builtin":
            from cpsconv.frontends.c.meaning.builtins import has_builtin  # late: few programs need it

            return has_builtin(operand[0])
        name, is_quoted = self._header(token, operand)
        found = self._folders.find(name, self._open[-1], is_quoted, is_next="next" in token)
        return found is not None or posixpath.normpath(name) in HEADERS

    # --------------------------------------------------------------------------------------------------- inclusion

    def _obey_include(self, file: File, word: Token) -> None:
        operands = self._operands(file, word)
        bracketed = _BRACKETED.match(file.text, word.place - file.base + len(word))
        name, is_quoted = (bracketed[1], False) if bracketed else self._header(word, operands)
        found = self._folders.find(name, file, is_quoted, is_next=word == "include_next")
        if found is None and posixpath.normpath(name) in HEADERS:
            self._include_known(posixpath.normpath(name), word)
        elif found is None:
            self._missing(name, is_quoted, operands)
        elif len(self._open) > MAX_DEPTH:
            raise MacroError(f"more than {MAX_DEPTH} nested inclusions", word)
        else:
            path, folder = found
            guard = self._folders.guard(path)
            is_import = word == "import"
            if is_import or guard is None or guard not in self._macros:
                self._enter_file(path, folder, word, is_import=is_import)
                for before, number in self._folders.before(folder):
                    self._enter_file(before, number, word)

    _obey_include_next = _obey_import = _obey_include

    def _enter_file(self, path: str, folder: int, word: Token, *, is_import: bool = False) -> None:
        """Open a file, which is read next. Raises `MacroError` if it cannot be read."""
        try:
            source = self._folders.source(path, is_import=is_import)
        except DiagnosticError as failure:
            [problem] = failure.diagnostics
            raise MacroError(problem.message, word) from None
        if source is not None:
            self._enter(source, word.place, folder)

    def _missing(self, name: str, is_quoted: bool, operands: list[str]) -> None:
        near = nearest(name, HEADERS, 0.75)
        help = f"did you mean `<{near}>`?" if near else "name the folder that has the file with `-I FOLDER`"
        shown = f'"{name}"' if is_quoted else f"<{name}>"
        span = self._span(operands[0]).to(self._span(operands[-1]))
        if is_quoted:
            self._report_at("no-include-file", f"there is no file `{shown}`", span, operands[0], help)
        else:
            self._report_at("unknown-header", f"`{shown}` is not a header of standard C", span, operands[0], help)

    def _include_known(self, name: str, word: Token) -> None:
        """Include a header by its name: its macros are known here, and the rest to the scanner."""
        if name == "assert.h":
            self._macros.remove("assert")
            if "NDEBUG" in self._macros:
                self._macros.define(Macro("assert", "((void)0)", parameters=["condition"], variadic=True))
        self._words |= {each for each, definition in HEADERS[name].items() if not isinstance(definition, TypeName)}
        for constant in constants(name):
            self._constants.define(constant)
        self._output.directive(f"#include <{name}>", word)

    def _header(self, word: str, operands: list[str]) -> tuple[str, bool]:
        """The name of a header in ``"name"`` or ``<name>``, and whether it is in quotes. Raises `MacroError`."""
        if operands and operands[0][0] != '"' and (operands[0] != "<" or _closing(operands) < 0):
            operands = self._expander.operands(operands)
        if operands and operands[0][0] == '"' and operands[0][-1] == '"' and len(operands[0]) > 2:
            return operands[0][1:-1], True
        if operands and operands[0] == "<" and (end := _closing(operands)) > 1:
            return "".join(trimmed(operands[1:end])), False
        raise MacroError("expected the name of a header, as in `#include <stdio.h>`", operands[0] if operands else word)

    # ---------------------------------------------------------------------------------------------------- the rest

    def _computed(self, name: str, place: int) -> str:
        """The text of one of the macros `COMPUTED` at a place."""
        file, offset = self._files.at(place)
        match name:
            case "__LINE__":
                return str(file.line(offset))
            case "__FILE__":
                span = file.span(offset, offset + 1)
                return _quoted(span.source.origin(span.start)[0])
            case "__COUNTER__":
                self._counter += 1
                return str(self._counter - 1)
            case "__INCLUDE_LEVEL__":
                return str(len(self._open) - 1)
            case "__BASE_FILE__":
                return _quoted(self._source.name)
        return time.strftime('"%b %e %Y"' if name == "__DATE__" else '"%H:%M:%S"', self._start)

    def _fail(self, failure: MacroError, default: str) -> None:
        self._report(failure.message, failure.token or default)

    def _report(self, message: str, token: str, *, rule: str = "directive", help: str | None = None) -> None:
        self._report_at(rule, message, self._span(token), token, help)

    def _report_at(self, rule: str, message: str, span: Span, token: str, help: str | None) -> None:
        """Report an error. Raises `TooManyErrors` if the limit is exceeded."""
        if len(self._errors.found) == max_errors():
            self._errors.found.append(too_many_errors(span))
            raise TooManyErrors
        self._errors.report(rule, message, span, help=help, notes=self._notes(token))

    def _span(self, token: str) -> Span:
        return self._files.span(_place(token), len(token))

    def _notes(self, token: str) -> list[Note]:
        return inclusion_notes(self._files, _place(token))


_HEADER_OPERATORS = frozenset(["__has_include", "__has_include_next"])
"""Operators of ``#if`` whose operands may contain white space."""

_OPERATORS = frozenset(["defined", "__has_attribute", "__has_builtin", *_HEADER_OPERATORS])
"""Operators of ``#if``."""


def _place(token: str) -> int:
    """The place of a token that an error concerns."""
    assert isinstance(token, Token)
    return token.place


def _words(tokens: list[str]) -> list[str]:
    """The tokens without white space."""
    return [token for token in tokens if token != " "]


def _closing(tokens: list[str]) -> int:
    """The index of the first ``>``, or -1."""
    return next((at for at, each in enumerate(tokens) if each == ">"), -1)


def _name(word: str, operands: list[str]) -> str:
    """The name that is the first operand of a directive. Raises `MacroError`."""
    if not operands or not is_name(operands[0]):
        raise MacroError(f"expected a name after `{word}`", operands[0] if operands else word)
    return operands[0]


def _parameters(tokens: list[str]) -> tuple[list[str], bool, str]:
    """The parameters of a macro, whether the last one is variadic, and the closing parenthesis. Raises `MacroError`."""
    names: list[str] = []
    known: set[str] = set()
    variadic = False
    position = 1
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token == ")" and (not names or tokens[position - 2] != ","):
            return names, variadic, token
        if variadic or (names and tokens[position - 2] != "," and token not in (",", "...")):
            break
        if token == "...":
            variadic = True
            if not names or tokens[position - 2] == ",":
                names.append("__VA_ARGS__")
        elif token == ",":
            if not names or tokens[position - 2] == ",":
                break
        elif is_name(token) and token not in known:
            names.append(str(token))
            known.add(token)
        else:
            raise MacroError(f"`{token}` cannot be a parameter of a macro", token)
    raise MacroError("expected `)` at the end of the parameters of a macro", tokens[min(position, len(tokens)) - 1])


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'

"""Directives (C17 6.10): the preprocessor reads files, obeys their directives, and expands the macros between them."""

from __future__ import annotations

import os
import posixpath
import re
import time
from contextlib import suppress
from typing import NamedTuple

from cpsconv.core.source import (
    Diagnostic,
    DiagnosticError,
    Note,
    Source,
    Span,
    max_errors,
    nearest,
    setting,
    too_many_errors,
)
from cpsconv.languages.c.diagnostics import Errors, TooManyErrors
from cpsconv.languages.c.preprocessor.conditions import holds
from cpsconv.languages.c.preprocessor.expansion import Ahead, Expander
from cpsconv.languages.c.preprocessor.files import Folders
from cpsconv.languages.c.preprocessor.known import constants
from cpsconv.languages.c.preprocessor.macros import Macro, MacroError, predefined
from cpsconv.languages.c.preprocessor.output import Output, PreprocessedSource, inclusion_notes
from cpsconv.languages.c.preprocessor.settings import Settings
from cpsconv.languages.c.preprocessor.tokens import (
    COMMENT,
    DIRECTIVE,
    END_OF_DIRECTIVE,
    OPENING,
    TEXT,
    TOKEN,
    File,
    Files,
    Token,
    Traced,
    lexed,
    open_comment,
    spelling,
)
from cpsconv.languages.c.syntax.headers import HEADERS, TypeName
from cpsconv.languages.c.syntax.literals import is_name
from cpsconv.languages.c.syntax.tokens import has_attribute
from cpsconv.languages.permissions import NotPermitted, current_permissions, permission

MAX_DEPTH = 200
"""The maximal depth of nested inclusions, as in gcc."""

_LINE_MARKER = re.compile(r'[ \t]*(?:[0-9]+)[ \t]*(?:"|\r?$)')
_DEFINITION = re.compile(r"define[ \t]+[^\W\d]\w*(?:\([^()/\n]*\))?(?=[ \t])[ \t]*[^ \t/\n]")
"""A definition without comments up to the first character of the body; the rest is divided into tokens on use."""

_BRACKETED = re.compile(r"[ \t]*<([^>\n]+)>")
"""The operand of ``#include``, in which ``//`` is no comment."""

_WORD = re.compile(r"(?:\s|/\*[^*]*\*+(?:[^*/][^*]*\*+)*/)*(\w*)")


class Conditional(NamedTuple):
    """An open ``#if``: whether one of its groups was chosen, and the token of its last directive."""

    was_chosen: bool
    directive: Token


class FileAhead(Ahead):
    """The tokens that follow a name in its file. Directives between them are obeyed (C leaves that undefined)."""

    def __init__(self, preprocessor: Preprocessor, file: File) -> None:
        self._preprocessor, self._file = preprocessor, file

    def is_call(self) -> bool:
        """Whether the next token is an opening parenthesis."""
        return OPENING.match(self._file.text, self._file.position) is not None

    def rest(self, depth: int) -> list[Traced]:
        """The tokens up to the parenthesis that closes `depth` open ones, or up to the end of the file."""
        file = self._file
        tokens: list[Traced] = []
        while match := TOKEN.match(file.text, file.position):
            space, text = match.groups()
            start, file.position = match.span(2)
            if not text:
                break
            if text in ("#", "%:") and "\n" in COMMENT.sub("", space):
                self._preprocessor.obey(file, file.position, in_arguments=True)
            else:
                tokens.append((Token(text, space != "", file.base + start), None))
                depth += (text == "(") - (text == ")")
                if depth == 0:
                    break
        return tokens


class Preprocessor:
    """One run of the preprocessor."""

    def __init__(self, source: Source, settings: Settings, warnings: list[Diagnostic]) -> None:
        self._source = source
        self._settings = settings
        self._errors = Errors()
        self._warnings = warnings
        self._folders = Folders(source, settings)
        self._files = Files()
        self._open: list[File] = []
        self._conditionals: list[Conditional] = []
        self._output = Output(self._files)
        self._macros: dict[str, Macro] = {}
        self._words: set[str] = set()  # of known headers
        self._constants: dict[str, Macro] = {}
        self._expander = Expander(self._macros, self._constants)
        self._pushed: dict[str, list[Macro | None]] = {}
        self._counter = 0
        self._start = _time()

    def run(self) -> PreprocessedSource:
        """The preprocessed text. Raises `DiagnosticError` with all errors."""
        with suppress(TooManyErrors):
            self._process()
        self._errors.raise_if_any()
        self._warnings += self._errors.warnings
        return self._output.source(self._source)

    def _process(self) -> None:
        self._predefine()
        self._expander.allow(len(self._source.text))
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
            self._macros[name] = Macro(name, body)
        computed = {"__LINE__": self._line_number, "__FILE__": self._file_name, "__COUNTER__": self._count}
        computed |= {"__INCLUDE_LEVEL__": lambda token: str(len(self._open) - 1)}
        computed |= {"__BASE_FILE__": lambda token: _quoted(self._source.name)}
        computed |= {"__DATE__": lambda token: self._date("%b %e %Y"), "__TIME__": lambda token: self._date("%H:%M:%S")}
        computed |= {"__TIMESTAMP__": lambda token: self._date("%a %b %e %H:%M:%S %Y")}
        for name, compute in computed.items():
            self._macros[name] = Macro(name, "", compute=compute)

    def _enter(self, source: Source, included_at: int | None, folder: int) -> None:
        file = self._files.add(source, self._folders.spliced(source), included_at, folder)
        file.conditions = len(self._conditionals)
        self._open.append(file)
        opening = open_comment(file.text)
        if opening is not None:
            comment = Token("/*", False, file.base + opening)
            self._report("unterminated comment", comment, rule="unterminated", help="end it with `*/`")

    def _leave(self, file: File) -> None:
        while len(self._conditionals) > file.conditions:
            directive = self._conditionals.pop().directive
            self._report(f"`#{directive.text}` has no `#endif`", directive)
        self._output.end_file()
        self._open.pop()

    def _read(self, file: File) -> bool:
        """Process a file from its position up to its end, or up to a directive that includes another file.

        Returns whether the end is reached.
        """
        text, macros, output = file.text, self._macros, self._output
        begin = file.position
        found = True
        while found:
            found = False
            for match in TEXT.finditer(text, file.position):
                kind = match.lastgroup
                if kind is None or (kind == "name" and match[0] not in macros and match[0] != "_Pragma"):
                    continue
                found = True
                output.copy(file, begin, match.start())
                if kind == "name":
                    self._expand(file, match.start(), match.end())
                else:
                    depth = len(self._open)
                    self.obey(file, match.end())
                    if len(self._open) > depth:
                        return False
                begin = file.position
                break
        output.copy(file, begin, len(text))
        return True

    def _expand(self, file: File, start: int, end: int) -> None:
        """Append the expansion of the name at a range of the file."""
        name = Token(file.text[start:end], file.text[start - 1 : start].isspace(), file.base + start)
        file.position = end
        ahead = FileAhead(self, file)
        try:
            if name.text != "_Pragma":
                tokens = self._expander.expand(name, ahead)
            else:
                tokens = [(name, None), *(ahead.rest(0) if ahead.is_call() else [])]
            self._output.expansion(tokens, name)
        except MacroError as failure:
            self._fail(failure, name)

    # ------------------------------------------------------------------------------------------------- directives

    def obey(self, file: File, start: int, *, in_arguments: bool = False) -> None:
        """Obey the directive whose ``#`` ends at `start`. Sets the file's position to the end of its line.

        After a condition that does not hold, this is the end of the group that is skipped.
        """
        end = self._end(file, start)
        head = _DEFINITION.match(file.text, start, end) if file.text.startswith("define", start) else None
        tokens = lexed(file.text, start, head.end() if head else end, file.base)
        file.position = end
        if not tokens:
            return
        word, *operands = tokens
        if in_arguments and word.text in ("include", "include_next", "import"):
            self._report(f"`#{word.text}` within the arguments of a macro", word)
            return
        try:
            if word.text[0].isdigit():
                self._line_marker(file, start, end, word)
            elif perform := getattr(self, f"_obey_{word.text}", None):
                perform(file, word, operands)
            else:
                known = [each.removeprefix("_obey_") for each in vars(Preprocessor) if each.startswith("_obey_")]
                near = nearest(word.text, known)
                help = f"did you mean `#{near}`?" if near else None
                self._report(f"unknown directive `#{word.text}`", word, help=help)
        except MacroError as failure:
            self._fail(failure, word)

    def _end(self, file: File, start: int) -> int:
        match = END_OF_DIRECTIVE.match(file.text, start)
        assert match
        return match.end()

    def _obey_define(self, file: File, word: Token, operands: list[Token]) -> None:
        name = _name(word, operands)
        if name.text == "defined":
            raise MacroError("`defined` cannot be the name of a macro", name)
        parameters, variadic, rest = None, False, operands[1:]
        if rest and rest[0].text == "(" and not rest[0].space:
            parameters, variadic, rest = _parameters(rest)
        start = rest[0].place - file.base if rest else file.position
        macro = Macro(name.text, file.text[start : file.position], file.base + start, parameters, variadic)
        if "#" in macro.body or "%:" in macro.body:
            macro.parts  # noqa: B018 -- reports misplaced operators
        known = self._macros.get(name.text)
        if known is not None and (known.compute or not known.same_as(macro)):
            notes: list[Note] = [("the other definition", self._files.span(known.place, 1))] if known.place >= 0 else []
            self._errors.warn("macro-redefined", f"`{name.text}` is redefined", self._span(name), notes=notes)
        self._macros[name.text] = macro

    def _obey_undef(self, file: File, word: Token, operands: list[Token]) -> None:
        name = _name(word, operands).text
        self._macros.pop(name, None)
        self._constants.pop(name, None)
        if name in self._words:
            self._words.remove(name)
            self._output.directive(f"#undef {name}", word)

    def _obey_error(self, file: File, word: Token, operands: list[Token]) -> None:
        self._report(f"#error {spelling(operands)}".rstrip(), word, rule="error-directive")

    def _obey_warning(self, file: File, word: Token, operands: list[Token]) -> None:
        self._errors.warn("cpp", f"#warning {spelling(operands)}".rstrip(), self._span(word), notes=self._notes(word))

    def _obey_ident(self, file: File, word: Token, operands: list[Token]) -> None:
        """Ignore a comment for the object file."""

    def _obey_pragma(self, file: File, word: Token, operands: list[Token]) -> None:
        match [each.text for each in operands]:
            case ["once"]:
                self._folders.read_once(file.source)
            case ["push_macro", "(", name, ")"]:
                self._pushed.setdefault(name, []).append(self._macros.get(name[1:-1]))
            case ["pop_macro", "(", name, ")"]:
                if self._pushed.get(name):
                    self._macros.pop(name[1:-1], None)
                    if macro := self._pushed[name].pop():
                        self._macros[name[1:-1]] = macro
            case _:
                self._output.directive(f"#pragma {spelling(operands)}", word)

    def _obey_line(self, file: File, word: Token, operands: list[Token]) -> None:
        operands = self._expander.operands(operands)
        number = operands[0].text if operands else ""
        if not re.fullmatch("[0-9]{1,10}", number) or (len(operands) > 1 and operands[1].text[0] != '"'):
            raise MacroError("expected a line number, as in `#line 3`", operands[0] if operands else word)
        name = operands[1].text[1:-1] if len(operands) > 1 else file.source.origin(0)[0]
        file.source.mark(file.span(file.position - 1, file.position).line + 1, name.replace("\\\\", "\\"), int(number))

    def _line_marker(self, file: File, start: int, end: int, word: Token) -> None:
        """A line marker of preprocessed text. The scanner skips the text of system headers."""
        if not _LINE_MARKER.match(file.text, start, end):
            raise MacroError(f"unknown directive `#{word.text}`", word)
        operands = lexed(file.text, start, end, file.base)
        self._obey_line(file, word, operands[:2])
        if {"2", "3"} & {each.text for each in operands[2:]}:
            self._output.directive(f"# {spelling(operands)}", word)

    # ------------------------------------------------------------------------------------------------ conditionals

    def _obey_if(self, file: File, word: Token, operands: list[Token]) -> None:
        holding = self._holds(word, operands)
        self._conditionals.append(Conditional(holding, word))
        if not holding:
            self._skip(file)

    _obey_ifdef = _obey_ifndef = _obey_if

    def _obey_elif(self, file: File, word: Token, operands: list[Token]) -> None:
        """The end of a chosen group."""
        self._require_conditional(file, word)
        self._conditionals[-1] = Conditional(True, word)
        self._skip(file)

    _obey_elifdef = _obey_elifndef = _obey_else = _obey_elif

    def _obey_endif(self, file: File, word: Token, operands: list[Token]) -> None:
        self._require_conditional(file, word)
        self._conditionals.pop()

    def _require_conditional(self, file: File, word: Token) -> None:
        if len(self._conditionals) <= file.conditions:
            raise MacroError(f"`#{word.text}` has no `#if`", word)
        if word.text != "endif" and self._conditionals[-1].directive.text == "else":
            raise MacroError(f"`#{word.text}` after `#else`", word)

    def _skip(self, file: File) -> None:
        """Skip groups of the innermost conditional up to the one that is chosen, or to its end."""
        depth = 0
        while match := DIRECTIVE.search(file.text, file.position):
            file.position = match.end()
            if match.lastgroup is None:
                continue
            start, end = match.end(), self._end(file, match.end())
            file.position = end
            word = _WORD.match(file.text, start, end)[1]  # type: ignore[index]
            if word in ("if", "ifdef", "ifndef"):
                depth += 1
            elif word == "endif" and depth:
                depth -= 1
            elif word in ("else", "elif", "elifdef", "elifndef", "endif") and not depth:
                tokens = lexed(file.text, start, end, file.base)
                self._require_conditional(file, tokens[0])
                if word == "endif":
                    self._conditionals.pop()
                    return
                was_chosen = self._conditionals[-1].was_chosen
                chosen = not was_chosen and (word == "else" or self._holds(tokens[0], tokens[1:]))
                self._conditionals[-1] = Conditional(was_chosen or chosen, tokens[0])
                if chosen:
                    return
        file.position = len(file.text)

    def _is_defined(self, name: Token) -> bool:
        return name.text in self._macros or name.text in self._words or name.text in _OPERATORS

    def _holds(self, word: Token, operands: list[Token]) -> bool:
        """Whether the condition of ``#if``, ``#elif``, ``#ifdef`` or ``#ifndef`` holds. A malformed one does not."""
        try:
            if word.text.endswith("def"):
                return self._is_defined(_name(word, operands)) == (word.text in ("ifdef", "elifdef"))
            tokens = self._expander.operands(self._without_operators(operands))
            return holds(self._without_operators(tokens), word)
        except MacroError as failure:
            self._fail(failure, word)
            return False

    def _without_operators(self, tokens: list[Token]) -> list[Token]:
        """The tokens with 0 or 1 in the place of ``defined X``, ``__has_include(…)`` and similar operators."""
        if _OPERATORS.isdisjoint([token.text for token in tokens]):
            return tokens
        result: list[Token] = []
        position = 0
        while position < len(tokens):
            token = tokens[position]
            position += 1
            if token.text not in _OPERATORS:
                result.append(token)
                continue
            opening = position < len(tokens) and tokens[position].text == "("
            end = (
                next((at for at in range(position, len(tokens)) if tokens[at].text == ")"), -1) if opening else position
            )
            operand = tokens[position + opening : end + (not opening)]
            if end < 0 or not operand or (token.text == "defined" and len(operand) > 1):
                raise MacroError(f"`{token.text}` needs an operand", token)
            position = end + 1
            value = self._is_defined(_name(token, operand)) if token.text == "defined" else self._has(token, operand)
            result.append(Token(str(int(value)), token.space, token.place))
        return result

    def _has(self, token: Token, operand: list[Token]) -> bool:
        """Whether ``__has_include(operand)`` or a similar operator holds."""
        if token.text == "__has_attribute":
            return has_attribute("".join(each.text for each in operand))
        if token.text == "__has_builtin":
            from cpsconv.languages.c.meaning.builtins import has_builtin  # late: few programs need it

            return has_builtin(operand[0].text)
        name, is_quoted = self._header(token, operand)
        try:
            found = self._folders.find(name, self._open[-1], is_quoted, is_next=self._is_next(token))
        except NotPermitted:
            return False
        return found is not None or posixpath.normpath(name) in HEADERS

    # --------------------------------------------------------------------------------------------------- inclusion

    def _is_next(self, word: Token) -> bool:
        """Whether ``#include_next`` or ``__has_include_next`` searches the further folders; in the main file, all."""
        return word.text.endswith("include_next") and len(self._open) > 1

    def _obey_include(self, file: File, word: Token, operands: list[Token]) -> None:
        bracketed = _BRACKETED.match(file.text, word.place - file.base + len(word.text))
        name, is_quoted = (bracketed[1], False) if bracketed else self._header(word, operands)
        try:
            found = self._folders.find(name, file, is_quoted, is_next=self._is_next(word))
        except NotPermitted as refused:
            self._report_at("no-include-file", str(refused), self._span_of(operands), word, permission())
            return
        if found is None and posixpath.normpath(name) in HEADERS:
            self._include_known(posixpath.normpath(name), word)
        elif found is None:
            self._missing(name, is_quoted, operands)
        elif len(self._open) > MAX_DEPTH:
            raise MacroError(f"more than {MAX_DEPTH} nested inclusions", word)
        else:
            path, folder = found
            guard = self._folders.guard(path)
            is_import = word.text == "import"
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
            if self._folders.is_new(source):
                self._expander.allow(len(source.text))
            else:
                self._expander.repeat(len(source.text), word)
            self._enter(source, word.place, folder)

    def _missing(self, name: str, is_quoted: bool, operands: list[Token]) -> None:
        near = nearest(name, HEADERS, 0.75)
        folder = setting("`-I FOLDER`", "`preprocessing(Settings(folders=[FOLDER]))`")
        help = f"did you mean `<{near}>`?" if near else f"name the folder that has the file with {folder}"
        shown = f'"{name}"' if is_quoted else f"<{name}>"
        span = self._span_of(operands)
        if is_quoted:
            self._report_at("no-include-file", f"there is no file `{shown}`", span, operands[0], help)
        else:
            self._report_at("unknown-header", f"`{shown}` is not a header of standard C", span, operands[0], help)

    def _include_known(self, name: str, word: Token) -> None:
        """Include a header by its name: its macros are known here, and the rest to the scanner."""
        if name == "assert.h":
            self._macros.pop("assert", None)
            if "NDEBUG" in self._macros:
                self._macros["assert"] = Macro("assert", "((void)0)", parameters=["condition"], variadic=True)
        self._words |= {each for each, definition in HEADERS[name].items() if not isinstance(definition, TypeName)}
        self._constants |= constants(name)
        self._output.directive(f"#include <{name}>", word)

    def _header(self, word: Token, operands: list[Token]) -> tuple[str, bool]:
        """The name of a header in ``"name"`` or ``<name>``, and whether it is in quotes. Raises `MacroError`."""
        if operands and operands[0].text[0] != '"' and (operands[0].text != "<" or _closing(operands) < 0):
            operands = self._expander.operands(operands)
        if operands and operands[0].text[0] == '"' and operands[0].text[-1] == '"' and len(operands[0].text) > 2:
            return operands[0].text[1:-1], True
        if operands and operands[0].text == "<" and (end := _closing(operands)) > 1:
            return spelling(operands[1:end]), False
        raise MacroError("expected the name of a header, as in `#include <stdio.h>`", operands[0] if operands else word)

    # ---------------------------------------------------------------------------------------------------- the rest

    def _line_number(self, token: Token) -> str:
        file, offset = self._files.at(token.place)
        return str(file.line(offset))

    def _file_name(self, token: Token) -> str:
        file, offset = self._files.at(token.place)
        return _quoted(file.span(offset, offset + 1).source.origin(file.span(offset, offset + 1).start)[0])

    def _count(self, token: Token) -> str:
        self._counter += 1
        return str(self._counter - 1)

    def _date(self, form: str) -> str:
        return f'"{time.strftime(form, self._start)}"'

    def _fail(self, failure: MacroError, default: Token) -> None:
        self._report(failure.message, failure.token or default)

    def _report(self, message: str, token: Token, *, rule: str = "directive", help: str | None = None) -> None:
        self._report_at(rule, message, self._span(token), token, help)

    def _report_at(self, rule: str, message: str, span: Span, token: Token, help: str | None) -> None:
        """Report an error. Raises `TooManyErrors` if the limit is exceeded."""
        if len(self._errors.found) == max_errors():
            self._errors.found.append(too_many_errors(span))
            raise TooManyErrors
        self._errors.report(rule, message, span, help=help, notes=self._notes(token))

    def _span(self, token: Token) -> Span:
        return self._files.span(token.place, len(token.text))

    def _span_of(self, tokens: list[Token]) -> Span:
        return self._span(tokens[0]).to(self._span(tokens[-1]))

    def _notes(self, token: Token) -> list[Note]:
        return inclusion_notes(self._files, token.place)


def _time() -> time.struct_time:
    """The time of ``__DATE__`` and similar macros: that of the environment, or the current one if it is permitted."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isdecimal() and len(epoch) < 12:
        return time.gmtime(int(epoch))
    return time.localtime() if current_permissions().clock else time.gmtime(0)


_OPERATORS = frozenset(["defined", "__has_include", "__has_include_next", "__has_attribute", "__has_builtin"])
"""Operators of ``#if``."""


def _closing(tokens: list[Token]) -> int:
    """The index of the first ``>``, or -1."""
    return next((at for at, each in enumerate(tokens) if each.text == ">"), -1)


def _name(word: Token, operands: list[Token]) -> Token:
    """The name that is the first operand of a directive. Raises `MacroError`."""
    if not operands or not is_name(operands[0].text):
        raise MacroError(f"expected a name after `{word.text}`", operands[0] if operands else word)
    return operands[0]


def _parameters(tokens: list[Token]) -> tuple[list[str], bool, list[Token]]:
    """The parameters of a macro, whether the last one is variadic, and the tokens after them. Raises `MacroError`."""
    names: list[str] = []
    known: set[str] = set()
    variadic = False
    position = 1
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.text == ")" and (not names or tokens[position - 2].text != ","):
            return names, variadic, tokens[position:]
        if variadic or (names and tokens[position - 2].text != "," and token.text not in (",", "...")):
            break
        if token.text == "...":
            variadic = True
            if not names or tokens[position - 2].text == ",":
                names.append("__VA_ARGS__")
        elif token.text == ",":
            if not names or tokens[position - 2].text == ",":
                break
        elif is_name(token.text) and token.text not in known:
            names.append(token.text)
            known.add(token.text)
        else:
            raise MacroError(f"`{token.text}` cannot be a parameter of a macro", token)
    raise MacroError("expected `)` at the end of the parameters of a macro", tokens[min(position, len(tokens)) - 1])


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'

"""The expansion of macros (C17 6.10.3.1 to 6.10.3.4), as in gcc.

The replacement of a macro is scanned again together with the tokens that follow it. Up to its end, the macro is
*active*: its name is not expanded, and if it occurs, it is painted, so that it is never expanded later. Arguments are
expanded before they are substituted.
"""

from __future__ import annotations

from collections.abc import Mapping

from cpsconv.core.source import counted
from cpsconv.core.trampoline import Computation, run
from cpsconv.languages.c.preprocessor.macros import Macro, MacroError, Part
from cpsconv.languages.c.preprocessor.tokens import TOKEN, Expansion, Token, Traced

MAX_TOKENS = 1_000_000
"""The maximal number of tokens that the expansion of one name may process, and the maximal number of tokens that
replace all names, besides `TOKENS_OF_CHARACTER` for each character of the files."""

TOKENS_OF_CHARACTER = 20

MAX_PROCESSED = 20_000_000
"""The maximal number of tokens that all expansions may process, besides those for the characters of the files."""

MAX_CHARACTERS = 32 << 20
"""The maximal number of characters of all tokens that replace names, besides ten for each token that is allowed for the
characters of the files."""

MAX_TOKEN = 1 << 20
"""The maximal number of characters of a token that ``#`` or ``##`` makes."""

MAX_ARGUMENTS = 30_000_000
"""The maximal number of tokens in all arguments of calls, besides `ARGUMENTS_OF_NAME` for each name."""

ARGUMENTS_OF_NAME = 10_000

_ABSENT: list[Traced] = []
"""The variable arguments of a call without them, which is not the same as one empty argument."""

_END = Token("", False, 0)
"""The end of the replacement of a macro, whose expansion is paired with it."""


class Ahead:
    """The tokens that follow a name in its file. This class has none, for an expansion within a list of tokens."""

    def is_call(self) -> bool:
        """Whether the next token is an opening parenthesis."""
        return False

    def rest(self, depth: int) -> list[Traced]:
        """The tokens up to the parenthesis that closes `depth` open ones, or up to the end. They are removed."""
        return []


class Expander:
    """Expands names by a table of macros, and in arguments by a table of `constants` of known headers, too."""

    def __init__(self, macros: Mapping[str, Macro], constants: Mapping[str, Macro]) -> None:
        self._macros = macros
        self._constants = constants
        self._active: set[str] = set()
        self._in_directive = False
        self._collected = 0
        self._processed, self._tokens, self._characters = MAX_PROCESSED, MAX_TOKENS, MAX_CHARACTERS  # left
        self._of_name = MAX_TOKENS  # tokens to process that are left for the current name

    def expand(self, name: Token, ahead: Ahead) -> list[Traced]:
        """The tokens that replace a name; its arguments, and those of its replacement, may be `ahead`.

        Raises `MacroError`.
        """
        replaced = self._run([(name, None)], ahead, False)
        if not self._allows(len(replaced), sum(len(token.text) for token, _ in replaced)):
            raise _exploding(Expansion(name.text, name.place, None))
        return replaced

    def allow(self, characters: int) -> None:
        """Allow larger expansions, since a file of so many characters is read."""
        tokens = characters * TOKENS_OF_CHARACTER
        self._processed += tokens
        self._tokens += tokens
        self._characters += 10 * tokens

    def repeat(self, characters: int, word: Token) -> None:
        """Count a further inclusion of a file as an expansion to the tokens that so many characters may be.

        Raises `MacroError`.
        """
        if not self._allows(100 + characters // 4, characters):
            raise MacroError("files are included repeatedly, with too much text in all", word)

    def _allows(self, tokens: int, characters: int) -> bool:
        """Whether so much may replace a name; it is counted."""
        self._tokens -= tokens
        self._characters -= characters
        return self._tokens >= 0 and self._characters >= 0

    def operands(self, tokens: list[Token]) -> list[Token]:
        """The operands of a directive after the expansion of all macros and constants, except in ``defined``.

        The tokens of an expansion are at the place of the name. Raises `MacroError`.
        """
        traced: list[Traced] = [(token, None) for token in tokens]
        if not self._has_macro(traced):
            return tokens
        return [at_name(each) if each[1] else each[0] for each in self._run(traced, Ahead(), True)]

    def _run(self, tokens: list[Traced], ahead: Ahead, constants: bool) -> list[Traced]:
        self._collected = max(0, self._collected - ARGUMENTS_OF_NAME)
        self._processed = max(0, self._processed)
        self._of_name = min(MAX_TOKENS, self._processed)
        self._processed -= self._of_name
        self._in_directive = constants
        self._active.clear()
        result: list[Traced] = run(self._expanded(tokens, ahead, constants))
        self._processed += self._of_name
        return result

    def _expanded(self, tokens: list[Traced], ahead: Ahead, constants: bool) -> Computation[list[Traced]]:
        done: list[Traced] = []
        waiting = tokens[::-1]
        active = self._active
        follows_space = False  # before a name that was replaced by nothing
        while waiting:
            token, by = traced = waiting.pop()
            if follows_space and token is not _END:
                token, by = traced = _spaced(traced, True)
                follows_space = False
            text = token.text
            macro = self._macros.get(text)
            if macro is None:
                if token is _END:
                    active.discard(by.name)  # type: ignore[union-attr]
                    continue
                if constants:
                    macro = self._constants.get(text)
                if macro is None:
                    done.append(traced)
                    if self._in_directive and text == "defined":
                        self._move_operand(waiting, done)
                    continue
            if token.painted or text in active:
                done.append((_painted(token), by))
                continue
            if macro.compute:
                done.append((Token(macro.compute(at_name(traced)), token.space, token.place), by))
                continue
            expansion = Expansion(text, token.place, by)
            if macro.parameters is None:
                replaced = _substituted(macro, [], [], expansion)
            elif _is_call(waiting, ahead):
                arguments = self._arguments(macro, traced, waiting, ahead)
                expanded = list(arguments)
                for number in macro.expanded:
                    if self._has_macro(arguments[number]):
                        expanded[number] = yield self._expanded(arguments[number], Ahead(), True)
                replaced = _substituted(macro, arguments, expanded, expansion)
            else:
                done.append(traced)
                continue
            self._of_name -= len(replaced) + 1
            if self._of_name < 0:
                raise _exploding(expansion)
            if replaced:
                replaced[0] = _spaced(replaced[0], token.space)
            else:
                follows_space = token.space
            if self._in_directive or self._has_macro(replaced):
                active.add(text)
                waiting.append((_END, expansion))
                waiting += replaced[::-1]
            else:
                done += replaced
        return done

    def _move_operand(self, waiting: list[Traced], done: list[Traced]) -> None:
        """Move the operand of ``defined``, in parentheses or not."""
        remaining = 1
        while waiting and remaining:
            token, by = waiting.pop()
            if token is _END:
                self._active.discard(by.name)  # type: ignore[union-attr]
            else:
                remaining += 1 if token.text == "(" else -1
                done.append((token, by))

    def _has_macro(self, tokens: list[Traced]) -> bool:
        texts = [token.text for token, _ in tokens]
        return not (self._macros.keys().isdisjoint(texts) and self._constants.keys().isdisjoint(texts))

    def _arguments(self, macro: Macro, name: Traced, waiting: list[Traced], ahead: Ahead) -> list[list[Traced]]:
        """The arguments of a call, which is removed up to its closing parenthesis."""
        parameters = macro.parameters or []
        active = self._active
        arguments: list[list[Traced]] = [[]]
        depth = 0
        while True:
            waiting = waiting or ahead.rest(depth)[::-1]
            if not waiting:
                raise MacroError(f"the call of the macro `{macro.name}` has no `)`", at_name(name))
            token, by = traced = waiting.pop()
            text = token.text
            if token is _END:
                active.discard(by.name)  # type: ignore[union-attr]
                continue
            if text == "(":
                depth += 1
                if depth == 1:
                    continue
            elif text == ")":
                depth -= 1
                if depth == 0:
                    break
            elif text == "," and depth == 1 and not (macro.variadic and len(arguments) == len(parameters)):
                arguments.append([])
                continue
            arguments[-1].append((_painted(token), by) if text in active else traced)
        self._collected += sum(map(len, arguments))
        if self._collected > MAX_ARGUMENTS:
            raise MacroError(f"the calls of the macro `{macro.name}` are nested too deeply", at_name(name))
        if not parameters and arguments == [[]]:
            arguments = []
        if macro.variadic and len(arguments) == len(parameters) - 1:
            arguments.append(_ABSENT)
        elif macro.variadic and arguments == [[]]:
            arguments = [_ABSENT]
        if len(arguments) != len(parameters):
            expected = counted(len(parameters), "argument", "no")
            given = f"{len(arguments) or 'none'} {'was' if len(arguments) == 1 else 'were'}"
            raise MacroError(f"the macro `{macro.name}` takes {expected}, but {given} given", at_name(name))
        return arguments


def at_name(traced: Traced) -> Token:
    """The token at the place of the name in a file whose expansion has the token."""
    token, expansion = traced
    if expansion is None:
        return token
    while expansion.outer is not None:
        expansion = expansion.outer
    return Token(token.text, token.space, expansion.place)


def _is_call(waiting: list[Traced], ahead: Ahead) -> bool:
    """Whether the next token is an opening parenthesis."""
    for token, _ in reversed(waiting):
        if token is not _END:
            return token.text == "("
    return ahead.is_call()


def _painted(token: Token) -> Token:
    return Token(token.text, token.space, token.place, painted=True)


def _spaced(traced: Traced, space: bool) -> Traced:
    """The token, after white space or not."""
    token, by = traced
    return traced if token.space == space else (Token(token.text, space, token.place, token.painted), by)


def _exploding(expansion: Expansion) -> MacroError:
    """The error at the name in the file whose replacement, perhaps together with those before, is too large."""
    while expansion.outer is not None:
        expansion = expansion.outer
    name = Token(expansion.name, False, expansion.place)
    return MacroError(f"the expansion of the macro `{name.text}` is too large", name)


def _checked(text: str, at: Traced) -> str:
    """The text of a token that ``#`` or ``##`` makes. Raises `MacroError` if it is too long."""
    if len(text) > MAX_TOKEN:
        raise MacroError(f"a macro makes a token of more than {MAX_TOKEN} characters", at_name(at))
    return text


def _substituted(
    macro: Macro, arguments: list[list[Traced]], expanded: list[list[Traced]], by: Expansion
) -> list[Traced]:
    """The body of the macro with its arguments. Raises `MacroError`."""
    if macro.plain is not None:
        return [(token, by) for token in macro.plain]
    result = _joined(macro, macro.parts, arguments, expanded, by)
    return [each for each in result if each[0].text]


def _joined(
    macro: Macro, parts: list[Part], arguments: list[list[Traced]], expanded: list[list[Traced]], by: Expansion
) -> list[Traced]:
    """Some parts of the body with the arguments, and with an empty token for each operand of ``##`` without tokens.

    (Recursive: the parts in ``__VA_OPT__`` contain no further ones.)
    """
    result: list[Traced] = []
    follows_space = False  # before parameters whose arguments are empty
    for tokens, number, is_string, is_raw, is_pasted, optional in parts:
        token = tokens[0]
        if optional is not None:
            found = _joined(macro, optional, arguments, expanded, by) if expanded[-1] else []
            if is_string:
                string = _string([each for each in found if each[0].text], (token, by))
                found = [(Token(string, token.space, token.place), by)]
            found = (
                [_spaced(found[0], token.space), *found[1:]] if found else [(Token("", token.space, token.place), by)]
            )
        elif number is None:
            found = [(token, by) for token in tokens]
        elif is_string:
            found = [(Token(_string(arguments[number], (token, by)), token.space, token.place), by)]
        elif found := arguments[number] if is_raw else expanded[number]:
            if found[0][0].space != token.space:
                found = [_spaced(found[0], token.space), *found[1:]]
        elif is_raw:
            found = [(Token("", token.space, token.place), by)]
        if not found:
            follows_space = follows_space or token.space
        elif follows_space:
            found = [_spaced(found[0], True), *found[1:]]
            follows_space = False
        if len(result) + len(found) > MAX_TOKENS:
            raise _exploding(by)
        if not is_pasted:
            result += found
        elif number is not None and _is_optional(number, macro, result):
            if arguments[number] is _ABSENT:
                result.pop()
            else:
                result += found
        elif result:
            result[-1] = _pasted(result[-1], found[0], by)
            result += found[1:]
    return result


def _is_optional(number: int, macro: Macro, before: list[Traced]) -> bool:
    """Whether the parameter is the last one in ``, ## __VA_ARGS__``: without arguments, the comma disappears."""
    last = len(macro.parameters or ()) - 1
    return macro.variadic and number == last and bool(before) and before[-1][0].text == ","


def _pasted(left: Traced, right: Traced, by: Expansion) -> Traced:
    """The result of ``left ## right``. Raises `MacroError` if it is not one token."""
    first, second = left[0].text, right[0].text
    if first and second:
        _checked(first + second, left)
        match = TOKEN.fullmatch(first + second)
        if not match or match[1]:
            raise MacroError(f"`{first}` and `{second}`, joined by `##`, are not one token", at_name(left))
    token, origin = left if first else right
    return Token(first + second, left[0].space, token.place), origin or by


def _string(tokens: list[Traced], at: Traced) -> str:
    """The string literal for ``#`` and an argument (C17 6.10.3.2). A backslash before its end is omitted, as in gcc."""
    parts = []
    for number, (token, _) in enumerate(tokens):
        text = token.text
        if text[-1] in "\"'" and len(text) > 1:
            text = text.replace("\\", "\\\\").replace('"', '\\"')
        elif text == '"':
            text = '\\"'
        parts.append(f" {text}" if token.space and number else text)
    string = _checked("".join(parts), at)
    backslashes = len(string) - len(string.rstrip("\\"))
    return f'"{string[:-1] if backslashes % 2 else string}"'

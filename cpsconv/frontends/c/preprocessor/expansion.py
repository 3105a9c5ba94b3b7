"""The expansion of macros (C17 6.10.3.1 to 6.10.3.4), as in gcc.

The replacement of a macro is scanned again together with the tokens that follow it. Up to its end, the macro is
*active*: its name is not expanded, and if it occurs, it is painted, so that it is never expanded later. Arguments are
expanded before they are substituted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cpsconv.frontends.c.preprocessor.macros import Macro, MacroError, Part
from cpsconv.frontends.c.preprocessor.tokens import TOKEN, Expansion, Token
from cpsconv.trampoline import Computation, run

MAX_TOKENS = 1_000_000
"""The maximal number of tokens that the expansion of one name may process."""


_ABSENT: list[Token] = []
"""The variable arguments of a call without them, which is not the same as one empty argument."""


class Ahead:
    """The tokens that follow a name in its file. This class has none, for an expansion within a list of tokens."""

    def is_call(self) -> bool:
        """Whether the next token is an opening parenthesis."""
        return False

    def next(self) -> Token | None:
        """The next token, which is removed; None at the end."""
        return None


class Expander:
    """Expands names by a table of macros, and in arguments by a table of `constants` of known headers, too."""

    def __init__(self, macros: Mapping[str, Macro], constants: Mapping[str, Macro]) -> None:
        self._macros = macros
        self._constants = constants
        self._active: set[str] = set()
        self._processed = 0

    def expand(self, tokens: list[Token], ahead: Ahead | None = None, *, constants: bool = False) -> list[Token]:
        """The tokens after the expansion of all macros in them; the last call may go on in the tokens `ahead`.

        With `constants`, those are expanded, too, and operands of ``defined`` are not. Raises `MacroError`.
        """
        self._processed = 0
        self._active.clear()
        result: list[Token] = run(self._expanded(tokens, ahead or Ahead(), constants))
        return result

    def _expanded(self, tokens: list[Token], ahead: Ahead, constants: bool) -> Computation[list[Token]]:
        done: list[Token] = []
        waiting: list[Token | str] = [*reversed(tokens)]  # a name among them is the end of the macro's replacement
        active = self._active
        while waiting:
            token = waiting.pop()
            if isinstance(token, str):
                active.discard(token)
                continue
            macro = self._macros.get(token.text)
            if macro is None and constants:
                macro = self._constants.get(token.text)
                if token.text == "defined":
                    done.append(token)
                    _move_operand(waiting, done)
                    continue
            if macro is None or token.painted or token.text in active:
                token.painted = macro is not None
                done.append(token)
                continue
            if macro.compute:
                done.append(Token(macro.compute(token), token.space, token.place, token.expansion))
                continue
            if macro.parameters is None:
                replaced = _substituted(macro, [], [], token)
            elif _is_call(waiting, ahead):
                arguments = self._arguments(macro, token, waiting, ahead)
                self._require_small(macro, arguments, token)
                expanded = list(arguments)
                for number in macro.expanded:
                    if self._has_macro(arguments[number]):
                        copies = [replace(each) for each in arguments[number]]
                        expanded[number] = yield self._expanded(copies, Ahead(), True)
                self._require_small(macro, expanded, token)
                replaced = _substituted(macro, arguments, expanded, token)
            else:
                done.append(token)
                continue
            self._processed += len(replaced) + 1
            if self._processed > MAX_TOKENS:
                raise _exploding(macro, token)
            if replaced:
                replaced[0].space = token.space
            elif waiting and isinstance(following := waiting[-1], Token):
                following.space = following.space or token.space
            active.add(macro.name)
            waiting.append(macro.name)
            waiting += replaced[::-1]
        return done

    def _has_macro(self, tokens: list[Token]) -> bool:
        macros, constants = self._macros, self._constants
        return any(token.text in macros or token.text in constants for token in tokens)

    def _require_small(self, macro: Macro, arguments: list[list[Token]], token: Token) -> None:
        """Raise `MacroError` if the replacement with these arguments is too large."""
        size = sum(len(arguments[part.parameter]) for part in macro.parts if part.parameter is not None)
        if self._processed + size > MAX_TOKENS:
            raise _exploding(macro, token)

    def _arguments(self, macro: Macro, name: Token, waiting: list[Token | str], ahead: Ahead) -> list[list[Token]]:
        """The arguments of a call, which is removed up to its closing parenthesis."""
        parameters = macro.parameters or []
        arguments: list[list[Token]] = [[]]
        depth = 0
        while True:
            token = waiting.pop() if waiting else ahead.next()
            if isinstance(token, str):
                self._active.discard(token)
                continue
            if token is None:
                raise MacroError(f"the call of the macro `{macro.name}` has no `)`", name)
            if token.text == "(":
                depth += 1
                if depth == 1:
                    continue
            elif token.text == ")":
                depth -= 1
                if depth == 0:
                    break
            elif token.text == "," and depth == 1 and not (macro.variadic and len(arguments) == len(parameters)):
                arguments.append([])
                continue
            token.painted = token.painted or token.text in self._active
            arguments[-1].append(token)
        if not parameters and arguments == [[]]:
            arguments = []
        if macro.variadic and len(arguments) == len(parameters) - 1:
            arguments.append(_ABSENT)
        elif macro.variadic and arguments == [[]]:
            arguments = [_ABSENT]
        if len(arguments) != len(parameters):
            expected = f"{len(parameters) or 'no'} argument{'' if len(parameters) == 1 else 's'}"
            given = f"{len(arguments) or 'none'} {'was' if len(arguments) == 1 else 'were'}"
            raise MacroError(f"the macro `{macro.name}` takes {expected}, but {given} given", name)
        return arguments


def _is_call(waiting: list[Token | str], ahead: Ahead) -> bool:
    """Whether the next token is an opening parenthesis."""
    for token in reversed(waiting):
        if isinstance(token, Token):
            return token.text == "("
    return ahead.is_call()


def _move_operand(waiting: list[Token | str], done: list[Token]) -> None:
    """Move the operand of ``defined``, in parentheses or not."""
    size = 3 if waiting and isinstance(first := waiting[-1], Token) and first.text == "(" else 1
    for _ in range(min(size, len(waiting))):
        token = waiting.pop()
        if isinstance(token, Token):
            done.append(token)


def _exploding(macro: Macro, token: Token) -> MacroError:
    return MacroError(f"the expansion of the macro `{macro.name}` is too large", token)


def _substituted(macro: Macro, arguments: list[list[Token]], expanded: list[list[Token]], name: Token) -> list[Token]:
    """The body of the macro with its arguments; `name` is the macro's name, which is replaced."""
    by = Expansion(macro.name, name.place, name.expansion)
    if macro.is_plain:
        return [Token(token.text, token.space, token.place, by) for token, *_ in macro.parts]
    result: list[Token] = []
    has_placemarkers = False
    for part in macro.parts:
        token, number = part.token, part.parameter
        if number is None:
            found = [Token(token.text, token.space, token.place, by)]
        elif part.is_string:
            found = [Token(_string(arguments[number]), token.space, token.place, by)]
        else:
            given = arguments[number] if part.is_raw else expanded[number]
            found = [Token(each.text, each.space, each.place, each.expansion, each.painted) for each in given]
            if found:
                found[0].space = token.space
            elif part.is_raw:
                has_placemarkers = True
                found = [Token("", token.space, token.place, by)]
        if not part.is_pasted:
            result += found
        elif _is_optional(part, macro, result):
            if number is not None and arguments[number] is _ABSENT:
                result.pop()
            else:
                result += found
        elif result:
            result[-1] = _pasted(result[-1], found[0], by)
            result += found[1:]
    return [token for token in result if token.text] if has_placemarkers else result


def _is_optional(part: Part, macro: Macro, before: list[Token]) -> bool:
    """Whether the part is the variable arguments in ``, ## __VA_ARGS__``: without them, the comma disappears."""
    last = len(macro.parameters or ()) - 1
    return macro.variadic and part.parameter == last and bool(before) and before[-1].text == ","


def _pasted(left: Token, right: Token, by: Expansion) -> Token:
    """The result of ``left ## right``. Raises `MacroError` if it is not one token."""
    text = left.text + right.text
    if left.text and right.text:
        match = TOKEN.fullmatch(text)
        if not match or match.lastgroup == "space":
            raise MacroError(f"`{left.text}` and `{right.text}`, joined by `##`, are not one token", left)
    origin = left if left.text else right
    return Token(text, left.space, origin.place, origin.expansion or by)


def _string(tokens: list[Token]) -> str:
    """The string literal for ``#`` and an argument (C17 6.10.3.2)."""
    parts = []
    for number, token in enumerate(tokens):
        text = token.text
        if text[-1] in "\"'" and len(text) > 1:
            text = text.replace("\\", "\\\\").replace('"', '\\"')
        elif text == '"':
            text = '\\"'
        parts.append(f" {text}" if token.space and number else text)
    return f'"{"".join(parts)}"'

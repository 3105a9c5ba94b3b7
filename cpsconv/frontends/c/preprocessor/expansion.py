"""The expansion of macros (C17 6.10.3.1 to 6.10.3.4), as in gcc.

The replacement of a macro is scanned again together with the tokens that follow it. Up to its end, the macro is
*active*: its name is not expanded, and if it occurs, it is painted, so that it is never expanded later. Arguments are
expanded before they are substituted.

If the tokens to be expanded are `Token`s, those of the result are, too. Otherwise all are plain strings, which takes
less time, but any `MacroError` then only tells that the expansion must be done with `Token`s: it has no position, and
macros such as ``__LINE__``, which need one, raise it.
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.frontends.c.preprocessor.ahead import Ahead
from cpsconv.frontends.c.preprocessor.macros import Macro, MacroError
from cpsconv.frontends.c.preprocessor.table import Definitions
from cpsconv.frontends.c.preprocessor.tokens import PAINT, TOKEN, Expansion, Token, like, trimmed
from cpsconv.trampoline import Computation, run

MAX_TOKENS = 2_000_000
"""The maximal number of tokens, with white space, that the expansion of one name may process."""

MAX_ARGUMENTS = 30_000_000
"""The maximal number of tokens in all arguments during the expansion of one name; nested calls repeat them."""

_ABSENT: list[str] = []
"""The variable arguments of a call without them, which is not the same as one empty argument."""

_END = "\ud801"
"""The first character of the end of a replacement in a list of tokens; the name of the macro follows."""


class Expander:
    """Expands names by a table of macros, and in arguments by a table of `constants` of known headers, too.

    `compute` gives the text of the macro of that name, such as ``__LINE__``, for a place.
    """

    def __init__(
        self, macros: Definitions, constants: Definitions, compute: Callable[[str, int], str] | None = None
    ) -> None:
        self._macros = macros
        self._constants = constants
        self._compute = compute
        self._active: set[str] = set()
        self._in_directive = False
        self._has_painted = False
        self._processed = self._collected = 0

    def expand(self, name: str, ahead: Ahead) -> list[str]:
        """The tokens that replace a name; its arguments, and those of its replacement, may be `ahead`.

        Raises `MacroError`.
        """
        return self._run([name], ahead, False)

    def operands(self, tokens: list[str]) -> list[str]:
        """The operands of a directive after the expansion of all macros and constants, except in ``defined``.

        The tokens of an expansion are at the place of the name. Raises `MacroError`.
        """
        if not self._has_macro(tokens):
            return tokens
        expanded = self._run(tokens, Ahead(), True)
        return [at_name(each) for each in expanded] if isinstance(tokens[0], Token) else expanded

    def _run(self, tokens: list[str], ahead: Ahead, constants: bool) -> list[str]:
        self._processed = self._collected = 0
        self._in_directive = constants
        self._has_painted = False
        self._active.clear()
        result: list[str] = run(self._expanded(tokens, ahead, constants))
        return [like(each.rstrip(PAINT), each) for each in result] if self._has_painted else result

    def _expanded(self, tokens: list[str], ahead: Ahead, constants: bool) -> Computation[list[str]]:
        done: list[str] = []
        waiting = tokens[::-1]
        active, macros = self._active, self._macros
        while waiting:
            token = waiting.pop()
            macro = macros.get(token)
            if macro is None:
                if token[0] == _END:
                    active.discard(token[1:])
                    continue
                if constants:
                    macro = self._constants.get(token)
                if macro is None:
                    done.append(token)
                    if self._in_directive and token == "defined":
                        self._move_operand(waiting, done)
                    continue
            if token in active:
                done.append(self._painted(token))
                continue
            if macro.is_computed:
                done.append(self._computed(token))
                continue
            by = Expansion(token, token.place, token.by) if isinstance(token, Token) else None
            if macro.parameters is None:
                replaced = _substituted(macro, [], [], by)
            elif _is_call(waiting, ahead):
                arguments = self._arguments(macro, token, waiting, ahead)
                expanded = list(arguments)
                for number in macro.expanded:
                    if self._has_macro(arguments[number]):
                        expanded[number] = trimmed((yield self._expanded(arguments[number], Ahead(), True)))
                replaced = _substituted(macro, arguments, expanded, by)
            else:
                done.append(token)
                continue
            self._processed += len(replaced) + 1
            if self._processed > MAX_TOKENS:
                raise _exploding(macro, by)
            if self._has_macro(replaced) or (self._in_directive and "defined" in replaced):
                active.add(token)
                waiting.append(_END + token)
                waiting += replaced[::-1]
            else:
                done += replaced
        return done

    def _computed(self, token: str) -> str:
        """The text of a macro such as ``__LINE__``."""
        at = at_name(token)
        if self._compute is None or not isinstance(at, Token):
            raise MacroError(f"the place of `{token}` is not known", token)
        return like(self._compute(token, at.place), token)

    def _painted(self, token: str) -> str:
        self._has_painted = True
        return like(token + PAINT, token)

    def _move_operand(self, waiting: list[str], done: list[str]) -> None:
        """Move the operand of ``defined``, in parentheses or not."""
        remaining = 1
        while waiting and remaining:
            token = waiting.pop()
            if token[0] == _END:
                self._active.discard(token[1:])
            elif token != " ":
                remaining += 1 if token == "(" else -1
                done.append(token)

    def _has_macro(self, tokens: list[str]) -> bool:
        return self._macros.has_any(tokens) or self._constants.has_any(tokens)

    def _arguments(self, macro: Macro, name: str, waiting: list[str], ahead: Ahead) -> list[list[str]]:
        """The arguments of a call, which is removed up to its closing parenthesis."""
        parameters = macro.parameters or []
        active = self._active
        argument: list[str] = []
        arguments = [argument]
        depth = 0
        while True:
            waiting = waiting or ahead.rest(depth)[::-1]
            if not waiting:
                raise MacroError(f"the call of the macro `{macro.name}` has no `)`", at_name(name))
            token = waiting.pop()
            if token[0] == _END:
                active.discard(token[1:])
                continue
            if token == "(":
                depth += 1
                if depth == 1:
                    continue
            elif token == ")":
                depth -= 1
                if depth == 0:
                    break
            elif token == "," and depth == 1 and not (macro.variadic and len(arguments) == len(parameters)):
                argument = []
                arguments.append(argument)
                continue
            argument.append(self._painted(token) if token in active else token)
        self._collected += sum(map(len, arguments))
        if self._collected > MAX_ARGUMENTS:
            raise MacroError(f"the calls of the macro `{macro.name}` are nested too deeply", at_name(name))
        arguments = [trimmed(each) for each in arguments]
        if not parameters and arguments == [[]]:
            arguments = []
        if macro.variadic and len(arguments) == len(parameters) - 1:
            arguments.append(_ABSENT)
        elif macro.variadic and arguments == [[]]:
            arguments = [_ABSENT]
        if len(arguments) != len(parameters):
            expected = f"{len(parameters) or 'no'} argument{'' if len(parameters) == 1 else 's'}"
            given = f"{len(arguments) or 'none'} {'was' if len(arguments) == 1 else 'were'}"
            raise MacroError(f"the macro `{macro.name}` takes {expected}, but {given} given", at_name(name))
        return arguments


def at_name(token: str) -> str:
    """The token at the place of the name in a file whose expansion has the token, if the place is known."""
    if not isinstance(token, Token) or token.by is None:
        return token
    expansion = token.by
    while expansion.outer is not None:
        expansion = expansion.outer
    return Token(token, expansion.place)


def _is_call(waiting: list[str], ahead: Ahead) -> bool:
    """Whether the next token is an opening parenthesis."""
    for token in reversed(waiting):
        if token != " " and token[0] != _END:
            return token == "("
    return ahead.is_call()


def _exploding(macro: Macro, by: Expansion | None) -> MacroError:
    name = at_name(Token(by.name, by.place, by.outer)) if by else None
    return MacroError(f"the expansion of the macro `{macro.name}` is too large", name)


def _substituted(
    macro: Macro, arguments: list[list[str]], expanded: list[list[str]], by: Expansion | None
) -> list[str]:
    """The body of the macro with its arguments. Raises `MacroError`."""
    if macro.plain is not None and by is None:
        return macro.plain
    result: list[str] = []
    has_placemarkers = False
    for tokens, number, is_string, is_raw, is_pasted in macro.placed_parts if by else macro.parts:
        if number is None:
            found = [like(each, each, by) for each in tokens] if by else tokens
        elif is_string:
            found = [like(_string(arguments[number]), tokens[0], by)]
        elif not (found := arguments[number] if is_raw else expanded[number]) and is_raw:
            has_placemarkers = True
            found = [like("", tokens[0], by)]
        if len(result) + len(found) > MAX_TOKENS:
            raise _exploding(macro, by)
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
    return trimmed([each for each in result if each] if has_placemarkers else result)


def _is_optional(number: int, macro: Macro, before: list[str]) -> bool:
    """Whether the parameter is the last one in ``, ## __VA_ARGS__``: without arguments, the comma disappears."""
    last = len(macro.parameters or ()) - 1
    return macro.variadic and number == last and bool(before) and before[-1] == ","


def _pasted(left: str, right: str, by: Expansion | None) -> str:
    """The result of ``left ## right``. Raises `MacroError` if it is not one token."""
    first, second = left.rstrip(PAINT), right.rstrip(PAINT)
    if first and second:
        match = TOKEN.fullmatch(first + second)
        if not match or match[1]:
            raise MacroError(f"`{first}` and `{second}`, joined by `##`, are not one token", at_name(left))
    return like(first + second, left if first else right, by)


def _string(tokens: list[str]) -> str:
    """The string literal for ``#`` and an argument (C17 6.10.3.2). A backslash before its end is omitted, as in gcc."""
    parts: list[str] = []
    for token in tokens:
        text = token.rstrip(PAINT)
        if text[-1] in "\"'" and len(text) > 1:
            text = text.replace("\\", "\\\\").replace('"', '\\"')
        elif text == '"':
            text = '\\"'
        if text != " " or parts[-1] != " ":
            parts.append(text)
    string = "".join(parts)
    backslashes = len(string) - len(string.rstrip("\\"))
    return f'"{string[:-1] if backslashes % 2 else string}"'

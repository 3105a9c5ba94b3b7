"""The tokens of a source in the order in which the parser reads them, with lookahead and replacement for repairs."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any

from cpsconv.core.grammar import END, Parser
from cpsconv.languages.c.diagnostics import SyntaxErrors
from cpsconv.languages.c.syntax.declaration_rules import SpecifierList
from cpsconv.languages.c.syntax.headers import ASSEMBLY, TypeName
from cpsconv.languages.c.syntax.rules import just_after
from cpsconv.languages.c.syntax.tokens import UNSUPPORTED, Scanner, Token
from cpsconv.languages.c.syntax.tree import Attribute, Declarator, FunctionDefinition, Node
from cpsconv.languages.c.type_specifiers import TYPE_SPECIFIERS

_BEFORE_STATEMENTS = frozenset(["{", "}", ";", ":", ")", "else", "do"])
_ADAPTED = frozenset(["TYPE", "ATTRIBUTE", UNSUPPORTED])
_NOTED = frozenset(["LBRACE", "RBRACE", "LPAR", "RPAR", "SEMICOLON", "EQUAL"])
_NAMED = ["LPAR", "STRING"]
_DEFINING = frozenset(["struct", "union", "enum"])
_LEADING = frozenset(["return", "if", "while", "for", "do", "switch", "break", "continue", "goto", "case", "default"])
_MODIFIERS = frozenset(["const", "volatile", "static", "extern", "inline", "register", "auto", "typedef"])
"""The keywords before a type that may also follow one."""

_MAX_WORDS = 6
_BEGINS_ASSEMBLY = re.compile(
    r'volatile|inline|\(|"(?:nop|pause|rep|cpuid|[lms]fence|\.(?:p2align|balign|align) *[\d, ]+|[;\s]|\\[nt])*"'
)
"""What precedes the operands of inline assembly. Its instructions have no effect on one thread, except for `cpuid`."""
_WITHOUT_CODE = frozenset(["unused", "noreturn", "always_inline", "weak"])  # attributes that may be ignored


class TokenStream:
    """The tokens of one source. `previous` is the last token that the parser has accepted."""

    def __init__(self, scanner: Scanner, parser: Parser, errors: SyntaxErrors) -> None:
        self.previous: Token | None = None
        self._parser = parser
        self._scanner = scanner
        self._errors = errors
        self._names = scanner.names
        self._scopes = scanner.scopes
        self._scopes.values = parser.values
        self._tokens = scanner.tokens()
        self._ahead: deque[Token] = deque()

    def for_parser(self) -> Iterator[Token]:
        """The tokens for the parser up to `END`. The parser requests none after a token that it rejects."""
        ahead, tokens, loops = self._ahead, self._tokens, self._scopes.loops
        type = ""
        while type != END:
            token = self._renewed(ahead.popleft()) if ahead else next(tokens)
            if loops:
                token = self._after_loops(token)
            type = token.type
            if type in _ADAPTED:
                adapted = self._adapted(token)
                if adapted is None:
                    continue
                token = adapted
            yield token
            if type in _NOTED:
                self._note(token)
            self.previous = token

    def _adapted(self, token: Token) -> Token | None:
        """The token with the type that it has at this position, or None if it is ignored."""
        match token.type:
            case "TYPE":
                return Token("NAME", token.text, token.span) if self._is_declared() or self._is_label(token) else token
            case "ATTRIBUTE":
                return self._attribute(token)
            case _:
                return self._assembly(token) if token.value is ASSEMBLY else token

    def _note(self, token: Token) -> None:
        """Note the scopes that begin or end with a token that the parser has accepted, and the end of a definition."""
        parser, values, scopes = self._parser, self._parser.values, self._scopes
        match token.type:
            case "SEMICOLON":
                pass  # after the declaration of a parameter, too, which is in the scope of its function
            case "EQUAL":
                if isinstance(declared := values[-2], Declarator) and declared.name:
                    scopes.hide(declared.name)  # a name is in scope in its initialiser
            case "LPAR":
                if self.previous is not None and self.previous.type in ("FOR", "IF", "WHILE", "SWITCH"):
                    scopes.begin_statement(len(values) - 2)
                elif parser.has_action("INT") and not parser.has_action("NUMBER"):  # parameters may follow
                    scopes.enter(len(values) - 1)
            case "LBRACE":
                if parser.has_action("RETURN"):
                    self._begin_compound(len(values) - 1)
            case _:
                if scopes.places and len(values) <= scopes.places[-1] + 3:
                    token.value = scopes.leave()
                elif token.type == "RBRACE" and self._ends_specifier(token):
                    self._end_definition(token)

    def _begin_compound(self, place: int) -> None:
        """Begin a scope at a brace. The body of a function continues the scope of its parameters."""
        places = self._scopes.places
        if places and isinstance(self._parser.values[places[-1]], FunctionDefinition):
            places[-1] = place
        else:
            self._scopes.enter(place)

    def _after_loops(self, token: Token) -> Token:
        """The token, after the scopes of the loops that end before it."""
        loops = self._scopes.loops
        while loops and self._parser.size_after(token.type) <= loops[-1] + 2:
            self._scopes.leave()
            token = self._renewed(token)
        return token

    def _renewed(self, token: Token) -> Token:
        """The token as the scanner reads it now: scopes may have begun or ended since it was read."""
        meaning = self._names.get(token.text)
        if token.type == "NAME" and isinstance(meaning, TypeName) and token.span.start < token.span.end:
            return Token("TYPE", token.text, token.span, meaning.type)
        if token.type == "TYPE" and meaning is None and token.value is None:
            return Token("NAME", token.text, token.span)
        return token

    def _attribute(self, token: Token) -> Token | None:
        """The attributes: those of a label, those of a declaration, or none, if they may be ignored here."""
        if self._parser.fitting(["LABEL_ATTRIBUTE"]):
            return Token("LABEL_ATTRIBUTE", token.text, token.span, token.value)
        is_ignored = all(each.name in _WITHOUT_CODE for each in token.value)
        return None if is_ignored and not self._parser.fitting(["ATTRIBUTE"]) else token

    def _assembly(self, token: Token) -> Token:
        """``asm("name")`` after a declarator is an attribute. Inline assembly is supported without effects."""
        size, words = 3, self.window(token, 3)[1:]
        previous = self.previous
        ends_declarator = previous and (previous.type == "NAME" or previous.text in (")", "]"))
        if ends_declarator and [each.type for each in words] == _NAMED and self._parser.fitting(["ATTRIBUTE"]):
            span = token.span.to(self._skip_to(")").span)
            name = "".join(re.findall('"([^"]*)"', span.source.text[span.start : span.end]))
            return Token("ATTRIBUTE", "asm", span, [Attribute(span, "asm", text=name)])
        while _BEGINS_ASSEMBLY.fullmatch(words[-1].text):
            size += 1
            words = self.window(token, size)[1:]
        if words[-1].text not in (":", ")") or words[-2].text[0] != '"' or not self._parser.fitting(["ASSEMBLY"]):
            return token
        return Token("ASSEMBLY", "".join([self.next().text for _ in words[:-1]]), token.span)

    def _skip_to(self, text: str) -> Token:
        """Remove the tokens up to the next one with that text, or to the end. Returns the last one."""
        while (token := self.next()).text not in (text, ""):
            pass
        return token

    def _is_declared(self) -> bool:
        """Whether a name of a type is a plain name at this position: a declared name, a member, a tag, a label.

        It declares a name if it follows a complete type.
        """
        previous, parser = self.previous, self._parser
        if previous is None:
            return False
        if _is_type(previous) or self._ends_specifier(previous):
            return True
        if previous.text in _MODIFIERS or previous.type == "ATTRIBUTE":  # perhaps not in the list yet
            specifiers = next((each for each in parser.values[:-3:-1] if isinstance(each, SpecifierList)), ())
            return any(map(_is_type, specifiers))
        return not parser.fitting(["TYPE"]) and parser.fitting(["NAME"]) > parser.fitting(["NUMBER"])

    def _is_label(self, token: Token) -> bool:
        """Whether the name of a type, the next token, is a label: where a statement begins, before a colon."""
        if self.previous is None or self.previous.text not in _BEFORE_STATEMENTS:
            return False
        fitting = self._parser.fitting
        if fitting(["NAME", "COLON"]) < 2 or fitting(["TYPE", "COLON"]) == 2:
            return False
        return self.window(token, 2)[-1].type == "COLON"

    def _ends_specifier(self, previous: Token) -> bool:
        """Whether `previous` ends the specifier of a struct, union or enumeration: it is its tag or its brace."""
        values = self._parser.values
        end = len(values) - 1
        if previous.text == "}":  # before it are the brace, the list of members or enumerators, and perhaps a comma
            end -= 4 if isinstance(values[-2], Token) else 3
            if end >= 0 and not _begins_specifier(values[end]):
                end -= 1  # the tag
        elif previous.type == "NAME":
            end -= 1
        return end >= 0 and _begins_specifier(values[end])

    def _end_definition(self, brace: Token) -> None:
        """Insert a missing ``;`` after a struct, union or enumeration: before a declaration, a statement or an end."""
        if self._begins_declaration(brace):
            (keyword, _), tag = self._definition_at_end()
            name = f"`{keyword.text} {tag}`" if tag else f"this `{keyword.text}`"
            self._errors.report("syntax", f"expected `;` after the definition of {name}", brace.span)
            self._errors.damage.pop()  # the tree is the intended one
            self.put_back(self._scanner.substitute(";", just_after(brace.span)))

    def _begins_declaration(self, brace: Token) -> bool:
        """Whether a declaration, with another type, a statement, or the end of the members or the file follows."""
        size, words = 2, self.window(brace, 2)
        while words[-1].text in _MODIFIERS and len(words) == size < _MAX_WORDS:
            size += 1
            words = self.window(brace, size)
        last = words[-1]
        if last.text in TYPE_SPECIFIERS or last.text in _DEFINING or last.text in _LEADING:
            return True
        if last.text == "}" or last.type == END:
            return True
        following = self.window(brace, size + 1)[-1]
        if last.type == "TYPE":
            return following.type == "NAME" or following.text == "*"
        return last.text == "main" and following.text == "("

    def _definition_at_end(self) -> tuple[Any, str | None]:
        """The keyword of the definition that ends before the next token, with its attributes, and its tag."""
        values = self._parser.values
        end = next(index for index in reversed(range(len(values))) if _begins_specifier(values[index]))
        tag = values[end + 1]
        return values[end], tag.text if tag.type == "NAME" else None

    def next(self) -> Token:
        """The next token, which is removed from the stream."""
        return self._ahead.popleft() if self._ahead else next(self._tokens)

    def window(self, token: Token, size: int) -> list[Token]:
        """`token` and the tokens after it up to `END`, at most `size` in all. They stay in the stream."""
        while len(self._ahead) < size - 1 and not (self._ahead and self._ahead[-1].type == END):
            self._ahead.append(next(self._tokens))
        return [token, *islice(self._ahead, size - 1)]

    def put_back(self, *tokens: Token) -> None:
        """Put the tokens before the next one."""
        self._ahead.extendleft(reversed(tokens))


def _is_type(specifier: Token | Node) -> bool:
    """Whether a specifier is a type or a part of its name."""
    return not isinstance(specifier, Token) or specifier.type == "TYPE" or specifier.text in TYPE_SPECIFIERS


def _begins_specifier(value: Any) -> bool:
    """Whether a value of the parser is the keyword of a struct, union or enumeration, with its attributes."""
    return isinstance(value, tuple) and isinstance(value[0], Token) and value[0].text in _DEFINING

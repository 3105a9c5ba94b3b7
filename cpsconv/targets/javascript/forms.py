"""The forms of statements: declarations, assignments, conditions and loops, as lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Union

from cpsconv.core.trampoline import Walk, flattened
from cpsconv.targets.javascript.names import reads
from cpsconv.targets.javascript.terms import LOW, Term, assigned, choice, named, negation

Lines = list[Union[str, "Lines"]]
"""Lines; those in an inner list are indented."""

MAX_WIDTH = 100
"""The width of a conditional expression in place of two statements, and of an element of JSX on one line."""


class Line(str):
    """A statement with the parts that another form of it consists of: a word or variable, and an expression.

    It replaces a `number` of statements.
    """

    head: str
    term: Term
    number: int

    @classmethod
    def of(cls, text: str, head: str, term: Term, number: int = 1) -> Line:
        """The line."""
        line = cls(text)
        line.head, line.term, line.number = head, term, number
        return line


def assignment(name: str, term: Term) -> Line:
    """``x = y;``"""
    return Line.of(f"{assigned(name, term)};", f"{name} =", term)


def returned(term: Term) -> Line:
    """``return x;``"""
    return Line.of(f"return {term.within(LOW)};", "return", term)


def declaration(word: str, name: str, term: Term) -> str:
    """``const x = y;``, or the declaration of a function or class."""
    head = re.match(r"class(?= )|(?:async )?function\*?(?= )", term.bare)
    if head and term.function_name == name:
        rest = term.bare[head.end() :].removeprefix(f" {name}")
        return f"{head[0]} {name}{rest if rest[:1] == '(' else f' {rest.lstrip()}'}".replace(f"{name} (", f"{name}(", 1)
    return f"let {name};" if word == "let" and term.text == "undefined" else f"{word} {name} = {named(term, name)};"


def arrow(head: str, body: Lines) -> str:
    """An arrow function, whose body is an expression if it only returns one."""
    if len(body) == 1 and isinstance(body[0], Line) and body[0].head == "return":
        text = body[0].term.within(LOW)
        return f"{head} ({text})" if text.startswith("{") else f"{head} {text}"
    return "\n".join([f"{head} {{", *flat(body, "  "), "}"])


def statement_of(term: Term) -> str:
    """An expression as a statement."""
    is_ambiguous = re.match(r"\{|function\b|class\b|async function\b", term.text) and not term.is_statement
    end = "" if term.is_statement and term.text.endswith("}") else ";"
    return f"({term.text});" if is_ambiguous else f"{term.text}{end}"


def conditional(condition: Term, then: Lines, otherwise: Lines, is_expression: bool = False) -> Lines:
    """``if`` with its arms: ``x = c ? y : z;`` of two assignments, and ``return c ? y : z;`` of an *expression*."""
    if not then or (otherwise == ["break;"] and not ends(then)):
        condition, then, otherwise = negation(condition), otherwise, then
    if len(otherwise) == 1 and ends(otherwise) and not ends(then):
        condition, then, otherwise = negation(condition), otherwise, then
    folded = _folded(condition, then, otherwise)
    if folded and (is_expression or folded.head != "return"):
        return [folded]
    lines: Lines = [Line.of(f"if ({condition.text}) {{", "if", condition), then, "}"]
    if otherwise and ends(then):
        lines += otherwise
    elif _is_if(otherwise):  # one line for both: chains are not nested
        lines[-1] = f"}} else {otherwise[0]}"
        lines += otherwise[1:]
    elif otherwise:
        lines[-1] = "} else {"
        lines += [otherwise, "}"]
    return lines


def _folded(condition: Term, then: Lines, otherwise: Lines) -> Line | None:
    if len(then) != 1 or len(otherwise) != 1:
        return None
    one, two = then[0], otherwise[0]
    if not isinstance(one, Line) or not isinstance(two, Line) or one.head != two.head or one.term.bare or two.term.bare:
        return None
    term = choice(condition, one.term, two.term)
    line = Line.of(f"{one.head} {term.text};", one.head, term, one.number + two.number)
    return line if len(line) <= MAX_WIDTH and "\n" not in line else None


def loop(label: str, body: Lines) -> Lines:
    """A loop: one that begins or ends with an exit is a ``while`` or ``do``."""
    head, arm, after = body[:1], body[1:3], body[-3:]
    if arm[1:] == ["}"] and isinstance(head[0], Line) and len(arm[0]) == 1:
        leaving = [each for each in arm[0] if each != "break;"]
        lines = [f"{label}while ({negation(head[0].term).text}) {{", body[3:], "}", *leaving]
        is_own = leaving[:1] in (["continue;"], [f"continue {label.removesuffix(': ')};"])
        if not leaving or (ends(leaving) and not is_own and not _has(body[3:], "break;")):
            return lines
    if after[1:] == [["break;"], "}"] and isinstance(after[0], Line) and not _has(body, "continue"):
        condition = negation(after[0].term).text
        if not any(reads(condition, name) for name in _declared(body)):
            return [f"{label}do {{", body[:-3], f"}} while ({condition});"]
    return [f"{label}for (;;) {{", body, "}"]


def _declared(body: Lines) -> Iterator[str]:
    """The names that are declared in a block, and not in others inside it."""
    for line in body:
        if isinstance(line, str) and (match := re.match(r"(?:const|let|class|(?:async )?function\*?) ([\w$]+)", line)):
            yield match[1]


def _has(body: Lines, word: str) -> bool:
    return any(line.lstrip().startswith(word) for line in flat(body, ""))


def _is_if(lines: Lines) -> bool:
    """Whether the lines are one ``if``, perhaps with ``else``."""
    rest = (isinstance(each, list) or each.startswith("}") for each in lines[1:])
    return bool(lines) and str(lines[0]).startswith("if (") and all(rest)


def ends(lines: Lines) -> bool:
    """Whether control does not reach the end of a block."""
    return bool(lines) and re.match(r"(return|throw|break|continue)\b", str(lines[-1])) is not None


def flat(lines: Lines, indentation: str) -> Iterator[str]:
    """The lines, indented, and inner lists by two columns more."""
    return flattened(_flat(lines, indentation))


def _flat(lines: Lines, indentation: str) -> Walk[str]:
    for line in lines:
        if isinstance(line, str):
            yield from (f"{indentation}{each}" for each in line.split("\n"))
        else:
            yield _flat(line, f"{indentation}  ")

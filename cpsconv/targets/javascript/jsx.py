"""The text of elements of JSX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cpsconv.targets.javascript.forms import MAX_WIDTH
from cpsconv.targets.javascript.terms import LOW, Term, named

OPERATIONS = ("jsx", "jsx_component", "jsx_fragment")
"""The operations that create elements."""

COMPONENT = re.compile(r"[A-Z_$][\w$]*|(?:[\w$]+\.)+[\w$]+", re.ASCII)
"""The text of a value that can be the name of an element."""

_PLAIN_TEXT = re.compile(r"[^{}<>&\n\r\u2028\u2029\\\"]+")


def element(name: str, operand: str, terms: Sequence[Term]) -> Term:
    """The expression of an element, whose component is the text of a name."""
    words, values = operand.split(), iter(terms)
    tag = words.pop(0) if name == "jsx" else next(values).text if name == "jsx_component" else ""
    head = tag
    for word in words:
        head += f" {_attribute(word, next(values)) if word != '...' else _spread(next(values))}"
    children = [*_children([*values])]
    if not children:
        return Term(f"<{head} />" if tag else "<></>", LOW)
    line = f"<{head}>{''.join(children)}</{tag}>"
    if len(line) <= MAX_WIDTH and "\n" not in line:
        return Term(line, LOW)
    lines = [f"  {line}" for child in children for line in _whole(child).split("\n")]
    return Term("\n".join([f"<{head}>", *lines, f"</{tag}>"]), LOW)


def _attribute(name: str, value: Term) -> str:
    if value.text == "true":
        return name
    if value.text.startswith('"') and _PLAIN_TEXT.fullmatch(value.text[1:-1]):
        return f"{name}={value.text}"
    return f"{name}={{{named(value, name)}}}"


def _spread(object: Term) -> str:
    """The properties of an object as attributes: of the copy of another object, those of this one."""
    copied = len(object.members) == 1 and object.members[0].startswith("...")
    return f"{{{object.members[0]}}}" if copied else f"{{...{object.within(LOW)}}}"


def _children(terms: Sequence[Term]) -> Iterator[str]:
    """The children as written; of two texts, the second is an expression, for they would become one."""
    follows_text = False
    for each in terms:
        is_text = each.text.startswith('"') and _PLAIN_TEXT.fullmatch(each.text[1:-1]) is not None and not follows_text
        is_element = each.text.startswith("<") and each.text.endswith(">")
        yield each.text[1:-1] if is_text else each.text if is_element else f"{{{each.text}}}"
        follows_text = is_text


def _whole(child: str) -> str:
    """A child on a line of its own, around which spaces would be trimmed."""
    return child if child.strip() == child else f'{{"{child}"}}'

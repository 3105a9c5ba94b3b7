"""The checks that a language has the functions which its operations and its prelude call, when the language is loaded.

The functions are those of the prelude, or known to the language itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from cpsconv.core import ir
from cpsconv.core.operations.completeness import OPERANDS, IncompleteTable, primitives_on
from cpsconv.core.operations.types import is_data
from cpsconv.core.text.layout import on_one_line
from cpsconv.core.transform.expansion import steps
from cpsconv.targets.functional.file import Language
from cpsconv.targets.functional.prelude import PREFIX, Prelude
from cpsconv.targets.functional.terms import Term

_NO_NAME = re.compile(r"\.\w+|\b[0-9]\w*")
"""Members of modules and objects, and numbers."""


def require_functions(
    language: Language[Any, Any],
    write: Callable[[Any, Sequence[Any]], Any],
    known: Collection[str],
    text: Callable[[Any], str] = lambda term: on_one_line(term.piece),
    name: Callable[[str], Any] = Term,
) -> None:
    """Raise `IncompleteTable` if a primitive uses a name that is neither in the prelude nor `known`.

    `write` gives the expression for a primitive with these operands, `text` its text, and `name` an operand.
    """
    types = [*filter(is_data, ir.SCALARS.values()), ir.INTEGER]
    primitives = primitives_on([type for type in types if type not in language.lacking_types], [ir.INT, ir.LONG])
    operands, texts = [*map(name, OPERANDS)], set[str]()
    for step in (step for each in primitives for step in steps(each, language.unspelled)):
        texts.add(_NO_NAME.sub("", text(write(step, operands[: len(step.operands)]))))
    names = {match[1] for each in texts for match in language.prelude.words.finditer(each)}
    if missing := names.difference(language.prelude.pieces, known, OPERANDS, [None]):
        raise IncompleteTable(f"{language.name}: missing function {', '.join(sorted(f'`{name}`' for name in missing))}")


def require_calls(owner: str, prelude: Prelude, generated: Mapping[str, str] | None = None) -> None:
    """Raise `IncompleteTable` if a piece of the prelude uses a function that does not exist.

    Without the `generated` pieces, functions with their prefix are not checked.
    """
    missing = prelude.missing_in({**prelude.own_pieces, **(generated or {})})
    if missing := {name for name in missing if generated is not None or not name.startswith(PREFIX)}:
        raise IncompleteTable(f"{owner}: missing function {', '.join(sorted(f'`{name}`' for name in missing))}")

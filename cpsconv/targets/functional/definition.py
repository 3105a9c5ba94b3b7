"""The definition of checked memory (`cpsconv.abi.memory`) in a language: functions for the prelude of the language.

The prelude has the records of objects and their bytes, and fast paths. Its functions with the prefix `PREFIX` replace
those of the definition. The others are generated: ``python -m cpsconv.targets.functional.definition NAME…``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, TypeVar

from cpsconv.abi.memory.definition import CHECKED_CALLS, definition_over_records
from cpsconv.core import ir
from cpsconv.core.analysis.undefined import may_be_undefined
from cpsconv.core.generated import Generator, generated, print_files
from cpsconv.core.grammar import TABLES
from cpsconv.core.operations.names import CREATE_ZEROED, RELEASE
from cpsconv.core.operations.table import ELEMENT, LOAD, STORE
from cpsconv.core.transform.expansion import expanded
from cpsconv.targets.functional.completeness import require_calls
from cpsconv.targets.functional.file import Language
from cpsconv.targets.functional.nesting_plan import global_names, nesting_plans
from cpsconv.targets.functional.prelude import PREFIX, Prelude
from cpsconv.targets.functional.writer import ProgramFacts, Writer

Term = TypeVar("Term")
Code = TypeVar("Code")

MEMORY = Generator(
    "memory",
    "cpsconv.targets.functional.definition",
    (*TABLES.sources, "cpsconv/core", "cpsconv/abi", "cpsconv/targets/functional"),
)
"""The generator of the functions of the definition in a language, by the name of its folder."""

LANGUAGES = ("javascript", "python", "scheme")
"""The languages for which the definition is generated."""

_WIDTH = 88
"""The width of generated functions: that of the formatters of Python."""

_NAMES = {inner: name for name, inner in CHECKED_CALLS.items()}
"""The names in programs of functions of the definition."""


class OnRecords(Writer[Term, Code]):
    """A writer of functions of the definition, a base besides the writer of the language."""

    def computed(self, statement: ir.Statement) -> Term:
        """``tell("text")`` for text on standard error; other expressions as in programs."""
        if statement.op == "eprint":
            return self.terms.call(("tell",), [self.used(statement.operands[0])])
        return super().computed(statement)  # type: ignore[safe-super]

    def on_memory(self, statement: ir.Statement) -> Term:
        """The access to a field, or the call of the prelude for records, constant parts and pointers to bytes."""
        *others, last = statement.operands
        if statement.op == ELEMENT:
            if isinstance(statement.of, ir.Struct):
                return self.terms.call(("record", "at"), [self.used(last)])
            return self.terms.call(("place", "at"), [*map(self.used, statement.operands)])
        if statement.op == CREATE_ZEROED:
            return self.terms.call(("new", "part"), [])
        if statement.op == RELEASE:
            return self.terms.call(("release", "bytes"), [self.used(last)])
        if statement.op == LOAD and isinstance(last, ir.Data):
            return self.terms.call(("object", "count"), [])
        assert statement.op in (LOAD, STORE) and isinstance(last, ir.Primitive) and isinstance(last.of, ir.Field)
        record, field = self.used(last.operands[0]), last.of
        if field.name == "bytes":
            return self.terms.call(("place", "of"), [record])
        return self.changed(record, field, self.used(others[0])) if others else self.field(record, field)

    def field(self, record: Term, field: ir.Field) -> Term:
        """The field of a record or of a constant part."""
        raise NotImplementedError

    def changed(self, record: Term, field: ir.Field, value: Term) -> Term:
        """The change of a field of a record or of a constant part."""
        raise NotImplementedError


def definition_of(name: str) -> Mapping[str, str]:
    """The generated functions of the definition by their names, in the language with the name of its folder."""
    found: dict[str, str] = json.loads(generated(MEMORY, name))
    return found


def functions(language: Language[Any, Any], prelude: Prelude) -> Iterator[tuple[str, str]]:
    """The text of each function of the definition that the prelude lacks, by its name."""
    program = definition_over_records()
    for each in [*program.functions, *program.externals]:
        each.name = _NAMES.get(each.name) or f"{PREFIX}{each.name.lstrip('_')}"
    program = expanded(program, language.unspelled)
    provided = {name for file in prelude.files for name in prelude.pieces_of(file)}
    replaced = {each: each.name for each in program.functions if each.name in provided}
    program.functions = [each for each in program.functions if each not in replaced]
    plans = nesting_plans(program, inline=language.inline, max_depth=language.max_depth)
    names: dict[Any, str] = {**global_names(plans), **replaced, **{each: each.name for each in program.externals}}
    names = replace(language.locals, reserved=frozenset()).identifiers(names)
    taken = provided.union(names.values())
    for plan in plans:
        writer = language.writer(plan, ProgramFacts(names, taken, language.locals, may_be_undefined(program), ()))
        for code in writer.code():
            text = language.laid_out(code, _WIDTH)
            match = prelude.definition.search(text)
            assert match
            yield match[1], text


def _generated(name: str) -> str:
    module = import_module(f"cpsconv.targets.functional.{name}")
    prelude = module.DEFINITION.prelude
    found = dict(functions(module.DEFINITION, prelude))
    require_calls(name, prelude, found)
    return json.dumps(found)


if __name__ == "__main__":
    print_files(_generated)

"""The data of the page, as one object for `json.dumps`.

Everything but the evaluation of programs is computed here: the page receives names, texts and numbers. Names identify
the parts of a function: they are unique within it, and the same in CPS text, φ form and the steps of its construction.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import count_uses
from cpsconv.core.analysis.reentry import jumps
from cpsconv.core.construction import events as e
from cpsconv.core.construction.record import Record
from cpsconv.core.construction.strategies import CONSTRUCTIONS
from cpsconv.core.ir import LONG_DOUBLE, Constant, Data, Effect, Field, Function, Primitive, Program, Struct
from cpsconv.core.json import to_json
from cpsconv.core.json.writer import definitions, static_as_json
from cpsconv.core.operations.formats import PrintText, PrintValue, argument_kind, number, print_effects
from cpsconv.core.source import DiagnosticError, Source
from cpsconv.core.text import names
from cpsconv.lab.explain import Narration, Step, algorithm_listing, as_text, explain_parameters
from cpsconv.lab.explain.algorithm_lines import RECONSTRUCTION
from cpsconv.lab.explain.evidence import Convergence
from cpsconv.lab.explain.labels import Labels
from cpsconv.lab.page.look_ups import LookUps
from cpsconv.lab.page.loops import loop_boxes
from cpsconv.lab.page.questions import Questions
from cpsconv.lab.page.replay import Replay, card_names
from cpsconv.lab.page.requests import RequestNumbers
from cpsconv.lab.page.source_variables import Variables
from cpsconv.targets.functional.memory import CALLS, Static, line_of, memory_call
from cpsconv.targets.functional.printing import passed_strings
from cpsconv.targets.unsupported import memory_uses, require_types

Json = dict[str, Any]

_LARGE = "The function is too large for the evidence of all parameters: `cpsconv why FILE:{} {}` prints it.\n"


@dataclass(frozen=True)
class Conversion:
    """The conversion of a source with one strategy, narrated step by step; `minimal` if it ends with Algorithm 5.

    `record` is the record of its construction, or empty.
    """

    strategy: str
    minimal: bool
    program: Program
    narrations: Sequence[Narration]
    record: Record


def page_data(source: Source, conversions: Iterable[Conversion], strategy: str) -> Iterator[str]:
    """The data of a page that shows `strategy` first, as the parts of a JSON text: one for each of the conversions.

    The conversions of a large program would need much memory together, so that one is written before the next is made.
    Those with equal programs share it, and its texts; in most cases, these are all.
    """
    following = iter(conversions)
    first = next(following)
    source = (first.program.source and first.program.source.shown) or source
    programs: dict[str, str] = {}
    requests: defaultdict[str, RequestNumbers] = defaultdict(RequestNumbers)
    yield f'{{"source":{_json({"name": source.name, "text": source.text})},"strategy":{_json(strategy)},"strategies":{{'
    for index, conversion in enumerate(chain([first], following)):
        program = _json(program_data(conversion.program))
        if program not in programs:
            programs[program] = _json(_texts(conversion))
        data = _conversion(source, conversion, [*programs].index(program), requests)
        yield f"{',' if index else ''}{_json(conversion.strategy)}:{_json(data)}"
    yield '},"programs":['
    yield ",".join(f'{{"program":{program},"texts":{texts}}}' for program, texts in programs.items())
    yield "]}"


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _texts(conversion: Conversion) -> Json:
    """The evidence for each parameter of each function that is shown, and the paths of the evidence."""
    return {each.function.name: _evidence(conversion, each) for each in conversion.narrations}


def _conversion(source: Source, conversion: Conversion, program: int, requests: Mapping[str, RequestNumbers]) -> Json:
    """The listing, the number of the program, and the construction of each function; `requests` has its numbers."""
    return {
        "description": CONSTRUCTIONS[conversion.strategy].description,
        "listing": _listing(conversion),
        "program": program,
        "functions": {
            narration.function.name: {
                **_function(source, narration, requests[narration.function.name]),
                "counts": _counts(conversion, narration),
            }
            for narration in conversion.narrations
        },
    }


def _listing(conversion: Conversion) -> list[Json]:
    """The algorithms of a conversion, line by line."""
    listed = algorithm_listing(conversion.strategy)
    if listed and any(isinstance(event, e.Redirect) for each in conversion.narrations for event in each.events):
        listed += RECONSTRUCTION
    by_algorithm = groupby(listed, lambda line: line.algorithm)
    return [
        {
            "source": algorithm.source,
            "heading": algorithm.heading,
            "lines": [
                {
                    "name": line.name,
                    "number": line.number,
                    "text": line.text,
                    "pseudocode": line.pseudocode,
                    "indent": line.indent,
                    "ours": line.ours,
                }
                for line in lines
            ],
        }
        for algorithm, lines in by_algorithm
    ]


def program_data(program: Program) -> Json:
    """The program in the JSON form of `docs/json.md`, without its source, and the name of each numbered definition.

    `around` has the number of the immediate dominator of each continuation, by its number. `formats` has the print
    effects of each string that may be a format of printf. `memory` is that of `_memory`. `refused` is the reason why
    the page cannot evaluate the program, or None.
    """
    data: Json = json.loads(to_json(program))
    taken = program.global_names
    shown = {
        value: name
        for each in program.functions
        for uses in [count_uses(each)]
        for value, name in names(each, taken).items()
        if uses[value] or not isinstance(value, Effect)  # results that nothing uses have no name in the text
    }
    names_of_values = [shown.get(each) for each in definitions(program)]
    formats, memory = _formats(program), _memory(program, data)
    return {
        "functions": data["functions"],
        "names": names_of_values,
        "around": _dominators(program),
        "formats": formats,
        "memory": memory,
        "refused": _refused(program),
    }


def _dominators(program: Program) -> dict[int, int]:
    numbers = {each: number for number, each in enumerate(definitions(program))}
    trees = [DominatorTree(function).parent for function in program.functions]
    return {numbers[below]: numbers[above] for tree in trees for below, above in tree.items()}


def _refused(program: Program) -> str | None:
    """The first part of the program that the page does not express, as an error message."""
    if jumps(program):
        return "the page cannot evaluate programs with `setjmp` and `longjmp`"
    try:
        require_types(program, "JavaScript", frozenset({LONG_DOUBLE}))
    except DiagnosticError as error:
        return error.diagnostics[0].message
    return None


def _memory(program: Program, data: Json) -> Json | None:
    """The parts of a program with memory; None without memory.

    `structs` have their layouts; `data`, with their names in messages, and `externals` are in the JSON form of
    `docs/json.md`. `calls` has, by the
    numbers of statements, the further arguments of operations on memory (see `memory_call`), and `lines` those of data
    and functions.
    """
    if not next(memory_uses(program), None):
        return None
    calls: dict[int, list[Any]] = {}
    lines: dict[int, int | None] = {}
    for index, each in enumerate(definitions(program)):
        if isinstance(each, (Primitive, Effect)) and each.op in CALLS:
            static, is_single, facts = memory_call(each)
            calls[index] = [_static(static), [*[None] * is_single, *facts]]
        elif isinstance(each, (Data, Function)):
            lines[index] = line_of(each.span)
    items = [{**each, "name": item.shown_name} for each, item in zip(data.get("data", []), program.data, strict=True)]
    structs, externals = [*map(_layout, program.structs)], data.get("externals", [])
    return {"structs": structs, "data": items, "externals": externals, "calls": calls, "lines": lines}


def _static(static: Static | None) -> Any:
    if isinstance(static, Field):
        return {"offset": static.offset, "struct": static.struct.name}
    return None if static is None else static_as_json(static)


def _layout(struct: Struct) -> Json:
    fields = [
        {"name": each.name, "type": static_as_json(each.type), "offset": each.offset} for each in struct.fields.values()
    ]
    return {"name": struct.name, "size": struct.size, "fields": fields}


def _formats(program: Program) -> dict[str, list[Json | str]]:
    formats = [each.operands[0] for each in program.statements() if each.op == "printf"]
    constant = [str(each.value) for each in formats if isinstance(each, Constant)]
    passed = passed_strings(program) if len(constant) < len(formats) else []
    return {each: format_data(each) for each in (*constant, *passed)}


def format_data(format: str) -> list[Json | str]:
    """The print effects of a format, each a text or an object; `kind` is None if a directive is not supported."""
    return [each.text if isinstance(each, PrintText) else _directive(each) for each in print_effects(format)]


def _directive(effect: PrintValue) -> Json:
    type = effect.shown_type
    return {
        "directive": effect.directive,
        "conversion": effect.conversion,
        "flags": effect.flags,
        "sizes": [digits if digits == "*" else number(digits) for digits in (effect.width, effect.precision)],
        "kind": type and argument_kind(type),
        "bits": type and type.bits,
        "signed": type and type.signed,
    }


def _counts(conversion: Conversion, narration: Narration) -> Json:
    """The counts of the construction, and the number of parameters left without unused and redundant ones."""
    counts = conversion.program.counts[narration.function]
    unused = sum(len(event.parameters) for event in narration.events if isinstance(event, e.Unused))
    redundant = sum(len(event.replaced) for event in narration.events if isinstance(event, e.Redundant))
    return {**counts._asdict(), "left": counts.kept - unused - redundant if conversion.minimal else None}


def _evidence(conversion: Conversion, narration: Narration) -> Json:
    """The evidence for each parameter: `why`, as text, and `paths`, two paths from definitions, if there are any."""
    function, label = narration.function, narration.labels.name
    explained = explain_parameters(conversion.program, conversion.record, function)
    paths = {
        name: [[*map(label, each.path)] for each in answer.paths]
        for name, explanation in explained.items()
        for answer in (explanation.answers if explanation else ())
        if isinstance(answer, Convergence)
    }
    reasons = {name: as_text(each) if each else _LARGE.format(function.name, name) for name, each in explained.items()}
    return {"why": reasons, "paths": paths}


def _function(source: Source, narration: Narration, requests: RequestNumbers) -> Json:
    variables, cards = Variables(narration, source), [*card_names(narration)]
    events = [*map(id, narration.events)]
    numbers = dict(zip(events, requests.of_events(narration.events), strict=True))
    questions = {
        event: {"question": question}
        for event, question in zip(events, Questions(narration).of_events(), strict=True)
        if question
    }
    replay, look_ups = Replay(narration, variables, cards), LookUps(narration.strategy)
    steps = [
        {
            **_step(source, narration, step, variables, look_ups),
            **edits,
            "request": numbers.get(id(step.event)),
            **questions.get(id(step.event), {}),
        }
        for step, edits in replay.steps()
    ]
    return {
        "cards": cards,
        "loops": loop_boxes(narration, cards),
        "steps": steps,
        "parameters": replay.parameters,
        "values": replay.values,
        **variables.data(),
    }


def _step(source: Source, narration: Narration, step: Step, variables: Variables, look_ups: LookUps) -> Json:
    name, span = narration.labels.name, step.span and step.span.written
    return {
        "event": step.kind,
        "variable": None if step.variable is None else variables.number(step.variable),
        "text": step.text,
        "lines": [line.name for line in step.lines],
        "at": name(step.block.continuation),
        "span": [span.start, span.end] if span and span.source is source else None,
        "within": step.within,
        "path": [name(block.continuation) for block in look_ups.visited(step)],
        "done": [name(block.continuation) for block in look_ups.done(step)],
        **_set(step.event, narration.labels),
    }


def _set(event: e.Event, labels: Labels) -> Json:
    """The set that an event is about: parameters, for Algorithm 5, the joins of a dominance frontier, or a copy."""
    match event:
        case e.RedundancyCheck(_, members) | e.Redundant(_, members):
            return {"members": [*map(labels.name, members)]}
        case e.Frontier(_, _, joins):
            return {"joins": [labels.name(block.continuation) for block in joins]}
        case e.Redirect():
            return {"joins": [labels.name(event.copy)]}
    return {}

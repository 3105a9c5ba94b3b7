"""Counts the parameters placed for Bril's benchmark programs, and the φs of Bril's own construction.

    git clone https://github.com/sampsyo/bril
    python benchmarks/parameters.py --bril bril

All are given the same lists of instructions, without the blocks that nothing leads to: Bril's places φs there too. Its
`to_ssa.py`, after Cytron et al. and without liveness, converts each φ to an instruction `get`; *kept* are those that
any other instruction needs. By our Builder, an instruction becomes an effect with its arguments and result, and a
transfer a transfer; *kept* is what the finished functions have. `nothing` builds the same graph, but places nothing:
see `benchmarks/instructions.py`. Prints a row of a Markdown table for each construction, with the instructions of Bril
that it converts in a second of processor, by the median of the rounds, in each of which all take their turn.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import cache, partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.construction import Preparation, times
from benchmarks.instructions import NOTHING
from benchmarks.instructions import builder as builder_of
from benchmarks.outsiders import is_installed
from cpsconv import Variable
from cpsconv.core.analysis.graph import depth_first
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.ir import BOOL, INT, STRING, VOID, Constant

BRIL = "Bril's `to_ssa.py`"
OURS = (*STRATEGIES, "cytron", NOTHING)

BrilFunction = dict[str, Any]
"""In JSON, as Bril defines it. Each block begins with a label here, and ends with a transfer."""

Counted = tuple[int, int]
"""How many were placed, and how many of them kept."""


def functions(program: str) -> Iterator[BrilFunction]:
    """Those of a program, without the blocks that nothing leads to."""
    from briltxt import parse_bril
    from cfg import add_terminators, block_map, edges, reassemble
    from form_blocks import form_blocks

    for function in json.loads(parse_bril(program))["functions"]:
        blocks = block_map(form_blocks(function["instrs"]))
        add_terminators(blocks)
        _, successors = edges(blocks)
        reached = dict(depth_first([next(iter(blocks))], successors.__getitem__))
        yield function | {"instrs": reassemble({label: blocks[label] for label in blocks if label in reached})}


def construct(function: BrilFunction, strategy: str) -> Counted:
    """By our Builder, instruction after instruction. A block is sealed when the last transfer to it is there."""
    instructions = function["instrs"]
    builder = builder_of(strategy)
    variable = cache(partial(Variable, type=INT))
    parameters = [variable(argument["name"]) for argument in function.get("args", ())]
    builder.function(function["name"], parameters, INT if "type" in function else VOID)
    blocks = {each["label"]: builder.continuation(each["label"]) for each in instructions if "label" in each}
    to_come = Counter(blocks[label] for each in instructions for label in each.get("labels", ()))
    text = Constant(STRING, "")
    first = blocks[instructions[0]["label"]]
    builder.jump(first)
    if first not in to_come:
        builder.seal(first)
    for instruction in instructions:
        values = [builder.read_variable(variable(name)) for name in instruction.get("args", ())]
        targets = [blocks[label] for label in instruction.get("labels", ())]
        match instruction.get("op"):
            case None:
                builder.enter(blocks[instruction["label"]])
            case "jmp":
                builder.jump(targets[0])
            case "br":
                builder.branch(builder.convert(BOOL, values[0]), targets[0], targets[1])
            case "ret":
                builder.ret(values[0] if values else None)
            case _:
                result = builder.effect("printf", text, *values)
                if "dest" in instruction:
                    builder.write_variable(variable(instruction["dest"]), result)
        for target in targets:
            to_come[target] -= 1
            if not to_come[target]:
                builder.seal(target)
    counts = builder.counts[builder.finish()]
    return counts.placed, counts.kept


def count_phis(function: BrilFunction) -> Counted:
    """The φs of a function that Bril's has converted."""
    given: dict[str, list[str]] = {each["dest"]: [] for each in function["instrs"] if each.get("op") == "get"}
    needed = []
    for instruction in function["instrs"]:
        match instruction:
            case {"op": "set", "args": [phi, value]}:
                given[phi].append(value)
            case {"args": values}:
                needed += values
    return len(given), sum(name in given for name, _ in depth_first(needed, lambda name: given.get(name, ())))


def print_table(given: Sequence[BrilFunction], repeat: int) -> None:
    """A row for each construction."""
    from to_ssa import to_ssa

    counted = {BRIL: [count_phis(each) for each in to_ssa({"functions": deepcopy(given)})["functions"]]}
    preparations: dict[str, Preparation] = {BRIL: lambda: [partial(to_ssa, {"functions": deepcopy(given)})]}
    for strategy in OURS:
        works = [partial(construct, each, strategy) for each in given]
        counted[strategy] = [work() for work in works]
        preparations[strategy] = partial(list, works)
    taken = times(preparations, repeat)
    instructions = sum("op" in instruction for function in given for instruction in function["instrs"])
    print("| construction | placed | kept | instructions a second | of Bril's |\n|---|--:|--:|--:|--:|")
    for name, counts in counted.items():
        placed, kept = map(sum, zip(*counts, strict=True))
        speed = f"{instructions / taken[name]:,.0f} | {taken[BRIL] / taken[name]:.2f}"
        print(f"| {name} | {placed:,} | {kept:,} | {speed} |")


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bril", metavar="FOLDER", required=True, help="a checkout of https://github.com/sampsyo/bril")
    parser.add_argument("--repeat", type=int, default=15, help="how many rounds (15)")
    options = parser.parse_args()
    bril = Path(options.bril)
    sys.path += [str(bril / "examples"), str(bril / "bril-txt")]
    if not is_installed("Bril"):
        parser.error(f"not a checkout of Bril: {bril}")
    gc.disable()
    programs = [path.read_text(encoding="utf-8") for path in sorted((bril / "benchmarks").rglob("*.bril"))]
    print_table([function for program in programs for function in functions(program)], options.repeat)


if __name__ == "__main__":
    main()

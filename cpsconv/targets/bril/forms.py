"""The two forms of a function in Bril: SSA form with ``set`` and ``get``, and a form with copies.

Both give the lines of the function in the order of the text, as JSON objects of Bril. Constants are assigned once, in
the block that dominates their uses and is in the fewest loops.

*Out of SSA form.* A parameter of a block and an argument share a variable if they do not interfere: neither is assigned
while the other is live (Chaitin). The copies that remain on an edge are parallel, and are ordered; a cycle needs one
more variable. Copies are only in blocks with one successor: other edges with copies are split first, so that a copy
neither is lost nor overwrites a variable that is live on another path (Briggs et al., 1998).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import reverse_postorder_from
from cpsconv.core.analysis.loops import LoopNest
from cpsconv.targets.bril.blocks import Block, BlockFunction, Edge, Line, Literal, Operand, Variable, predecessors
from cpsconv.targets.structuring.parallel_copies import Copy, sequentialised

Json = dict[str, Any]

MAX_INTERFERENCES = 2_000_000
"""The maximal number of interferences that are recorded. Beyond it, no variables are shared."""


def lines_of(function: BlockFunction, out_of_ssa: bool) -> list[Json]:
    """The labels and instructions of the function."""
    _split(function, all_with_arguments=out_of_ssa)
    if out_of_ssa:
        _share_variables(function)
        for block in function.blocks:
            block.lines += [line for edge in block.edges for line in _copies(function, edge)]
    else:
        for block in function.blocks:
            block.lines[:0] = [Line("get", [], parameter) for parameter in block.parameters]
            block.lines += [
                Line("set", [parameter, argument])
                for edge in block.edges
                for parameter, argument in zip(edge.target.parameters, edge.arguments, strict=True)
            ]
    _bypass_empty_blocks(function)
    _place_constants(function)
    return _flat(function)


def _split(function: BlockFunction, all_with_arguments: bool) -> None:
    """Split the edges of branches with arguments: all of them, or else the second of two to the same block."""
    for block in [*function.blocks]:
        if len(block.edges) < 2:
            continue
        is_double = block.edges[0].target is block.edges[1].target
        for edge in block.edges if all_with_arguments else block.edges[1:] if is_double else ():
            if edge.arguments:
                between = Block(function.names.unique(edge.target.label), edges=[Edge(edge.target, edge.arguments)])
                edge.target, edge.arguments = between, []
                function.blocks.append(between)


def _bypass_empty_blocks(function: BlockFunction) -> None:
    """Let edges to blocks that only jump lead to the targets of the jumps."""
    entry, *others = function.blocks
    empty = {each: each.edges[0] for each in others if not each.lines and len(each.edges) == 1 and not each.parameters}
    for block in function.blocks:
        for edge in block.edges:
            seen = {block}
            while edge.target in empty and edge.target not in seen:
                seen.add(edge.target)
                edge.target = empty[edge.target].target
    function.blocks = reverse_postorder_from(entry, lambda block: block.successors)


# ---------------------------------------------------------------------------------------------- out of SSA form


def _share_variables(function: BlockFunction) -> None:
    """Replace the variables that share one by it, where that makes copies superfluous."""
    interferences = _interferences(function)
    if interferences is None:
        return
    classes: dict[Variable, Variable] = {}

    def shared(variable: Variable) -> Variable:
        while (other := classes.get(variable)) is not None:
            variable = other
        return variable

    for block in function.blocks:
        for edge in block.edges:
            for parameter, argument in zip(edge.target.parameters, edge.arguments, strict=True):
                if isinstance(argument, Variable) and argument.type == parameter.type:
                    one, other = shared(parameter), shared(argument)
                    if one != other and other not in interferences[one]:
                        classes[other] = one
                        for each in interferences[other]:
                            interferences[each].add(one)
                        interferences[one] |= interferences[other]
    _rename(function, lambda operand: shared(operand) if isinstance(operand, Variable) else operand)


def _rename(function: BlockFunction, replace: Any) -> None:
    function.parameters = [replace(each) for each in function.parameters]
    for block in function.blocks:
        block.parameters = [replace(each) for each in block.parameters]
        for line in block.lines:
            line.arguments = [replace(each) for each in line.arguments]
            line.destination = line.destination and replace(line.destination)
        for edge in block.edges:
            edge.arguments = [replace(each) for each in edge.arguments]
        block.condition, block.result = (each and replace(each) for each in (block.condition, block.result))


def _interferences(function: BlockFunction) -> dict[Variable, set[Variable]] | None:
    """The variables that interfere with each variable; None if there are too many."""
    live_out = _live_out(function)
    found: dict[Variable, set[Variable]] = {}
    count = 0

    def define(variable: Variable, live: Iterable[Variable]) -> None:
        found.setdefault(variable, set()).update(each for each in live if each != variable)
        for each in live:
            if each != variable:
                found.setdefault(each, set()).add(variable)

    for block in function.blocks:
        live = {*live_out[block], *_variables(block.used_at_end)}
        for line in reversed(block.lines):
            if line.destination:
                define(line.destination, live)
                live.discard(line.destination)
                count += len(live)
            live |= _variables(line.arguments)
        defined = block.parameters if block is not function.blocks[0] else function.parameters
        for parameter in defined:
            define(parameter, {*live, *defined})
            count += len(live)
        if count > MAX_INTERFERENCES:
            return None
    return found


def _variables(operands: Iterable[Operand]) -> set[Variable]:
    return {each for each in operands if isinstance(each, Variable)}


def _live_out(function: BlockFunction) -> dict[Block, set[Variable]]:
    """The variables that are live at the end of each block, with the arguments of its edges."""
    upward: dict[Block, set[Variable]] = {}
    defined: dict[Block, set[Variable]] = {}
    for block in function.blocks:
        live = _variables(block.used_at_end)
        assigned = {*block.parameters}
        for line in reversed(block.lines):
            if line.destination:
                assigned.add(line.destination)
                live.discard(line.destination)
            live |= _variables(line.arguments)
        upward[block], defined[block] = live - {*block.parameters}, assigned
    out = {block: {each for edge in block.edges for each in _variables(edge.arguments)} for block in function.blocks}
    incoming = predecessors(function.blocks)
    pending = [*function.blocks]
    while pending:
        block = pending.pop()
        live_in = upward[block] | (out[block] - defined[block])
        for source, _ in incoming[block]:
            if not live_in <= out[source]:
                out[source] |= live_in
                pending.append(source)
    return out


def _copies(function: BlockFunction, edge: Edge) -> Iterator[Line]:
    """The copies of the arguments of an edge to its parameters, in an order in which none is overwritten too early."""

    def save(copy: Copy[Variable, Operand]) -> tuple[Variable, Operand]:
        saved = Variable(function.names.unique(f"{copy.target.name}.saved"), copy.target.type)
        return saved, saved

    copies = [
        Copy(parameter, argument, frozenset(_variables([argument])), is_plain=True)
        for parameter, argument in zip(edge.target.parameters, edge.arguments, strict=True)
        if parameter != argument
    ]
    for target, source in sequentialised(copies, save):
        yield Line("id", [source], target) if isinstance(source, Variable) else _assigned(source, target)


def _assigned(literal: Literal, variable: Variable) -> Line:
    """The assignment of a constant."""
    return Line("undef" if literal.value is None else "const", [literal], variable)


# ------------------------------------------------------------------------------------- constants, and the text


def _place_constants(function: BlockFunction) -> None:
    """Replace literals by variables, which are assigned in the block that dominates all uses, outside of loops."""
    tree = Dominance(function.blocks[0], lambda block: block.successors, function.blocks)
    uses: dict[tuple[str, str], tuple[Literal, Block]] = {}
    for block in tree.preorder():
        for literal in _literals(block):
            _, before = uses.get(literal.key, (literal, block))
            uses[literal.key] = literal, _common(tree, before, block)
    if not uses:
        return
    nest = LoopNest(tree, lambda block: block.successors)
    variables = {}
    for key, (literal, block) in uses.items():
        best = _outside_of_loops(tree, nest, block)
        variables[key] = variable = Variable(function.names.unique(_name(literal)), literal.type)
        first_use = next((at for at, line in enumerate(best.lines) if literal in _used(line)), len(best.lines))
        best.lines.insert(first_use, _assigned(literal, variable))
    for block in function.blocks:
        for line in block.lines:
            if line.op not in ("const", "undef"):
                line.arguments = [variables[each.key] if isinstance(each, Literal) else each for each in line.arguments]
        if isinstance(block.condition, Literal):
            block.condition = variables[block.condition.key]
        if isinstance(block.result, Literal):
            block.result = variables[block.result.key]


def _used(line: Line) -> list[Operand]:
    return [] if line.op in ("const", "undef") else line.arguments


def _literals(block: Block) -> list[Literal]:
    operands = [*(each for line in block.lines for each in _used(line)), *block.used_at_end]
    return [each for each in operands if isinstance(each, Literal)]


def _common(tree: Dominance[Block], one: Block, other: Block) -> Block:
    """The closest block that dominates both."""
    while not tree.dominates(one, other):
        one = tree.parent[one]
    return one


def _outside_of_loops(tree: Dominance[Block], nest: LoopNest[Block], block: Block) -> Block:
    """The closest dominator in the fewest loops."""
    best, least = block, _depth(nest, block)
    while least and block in tree.parent:
        block = tree.parent[block]
        depth = _depth(nest, block)
        if depth < least:
            best, least = block, depth
    return best


def _depth(nest: LoopNest[Block], block: Block) -> int:
    depth, loop = 0, nest.innermost.get(block)
    while loop:
        depth, loop = depth + 1, loop.around
    return depth


def _name(literal: Literal) -> str:
    """A name for a constant: ``c5``, ``true``, ``undefined``."""
    value = literal.value
    if value is None:
        return "undefined"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and 0 <= value < 10**6:
        return f"c{value}"
    return {"int": "number", "float": "real", "char": "letter"}[literal.type]


def _flat(function: BlockFunction) -> list[Json]:
    """The blocks in an order in which most jumps lead to the next block, and are omitted."""
    order: list[Block] = []
    placed: set[Block] = set()
    for block in function.blocks:
        chain: Block | None = block
        while chain is not None and chain not in placed:
            placed.add(chain)
            order.append(chain)
            chain = chain.edges[0].target if len(chain.edges) == 1 else None
    following = dict(zip(order, [*order[1:], None], strict=True))
    jumps = {block: block.edges[0].target for block in order if len(block.edges) == 1}
    targets = {target for block, target in jumps.items() if following[block] is not target}
    targets |= {edge.target for block in order if len(block.edges) == 2 for edge in block.edges}
    lines: list[Json] = []
    for block in order:
        lines += [{"label": block.label}] * (block in targets)
        lines += map(_object, block.lines)
        lines += _end(block, following[block])
    return lines


def _object(line: Line) -> Json:
    found: Json = {"op": line.op}
    if line.destination:
        found |= {"dest": line.destination.name, "type": line.destination.type}
    if line.op == "const":
        (literal,) = line.arguments
        assert isinstance(literal, Literal)
        return {**found, "value": literal.value}
    names = [each.name for each in line.arguments if isinstance(each, Variable)]
    return {**found, **({"funcs": [line.function]} if line.function else {}), **({"args": names} if names else {})}


def _end(block: Block, following: Block | None) -> Sequence[Json]:
    if block.condition is not None:
        assert isinstance(block.condition, Variable)
        return [{"op": "br", "args": [block.condition.name], "labels": [each.target.label for each in block.edges]}]
    if block.edges:
        target = block.edges[0].target
        return [] if target is following else [{"op": "jmp", "labels": [target.label]}]
    if block.result is not None:
        assert isinstance(block.result, Variable)
        return [{"op": "ret", "args": [block.result.name]}]
    return [] if following is None else [{"op": "ret"}]

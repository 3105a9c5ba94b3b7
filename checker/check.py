"""A second checker of conversions: one file of standard Python, independent of cpsconv.

    cpsconv convert --emit record FILE.c | python checker/check.py

A document (docs/record.md) has the *record* of a source, as the front end stated it, with blocks that read and write
variables, and the *program* into which cpsconv converted it, with continuations that take parameters. It is accepted
if on every path the program uses, in each statement and transfer, the values that the source has there, and if all
other parts are those of the source. docs/certificate.md states the rules and the theorem. The exit status is 0 if all
documents are accepted, 1 if one is refused, 2 if one is no such document.

*Sets of equal values.* For each variable at the start of each block, the checker computes the set of the values of the
program that certainly equal it. At the entry, a variable is undefined. A write replaces the set. Over an edge, the
values that the target defines leave the set, since they denote other values there; a parameter of the target joins it
if its argument is in the set. Where edges meet, sets are intersected. The sets begin with all values and shrink to the
greatest solution. The result of a read is one more variable, which the read assigns; for nested functions, it flows
from calls to the callee. Each operand of the program must be in the set of the source's operand. Only variables that
operands need, directly or via others, have sets: so it does not matter what pruning and minimisation removed.

*Scope.* No path from the entry of a function to a use of one of its values avoids the definition of the value.
"""

import json
import re
import sys
from collections import defaultdict
from heapq import heappop, heappush

PARTS = ("structs", "external_data", "data", "externals")
EDGES = ("edge", "then", "else", "targets", "default")
OPERANDS = ("condition", "value", "pointer", "arguments", "values")
BODY = ("id", "stated", "nested", "variables", "blocks", "body", "transfer", "continuations", "counts")

ANY = "any value"  # a member of the set of an undefined variable, if defined values may replace undefined ones
UNDEFINED = '"undef": '  # in the text of an undefined value, and of no other: in that of a string, " is \"
MAYBE_UNDEFINED = {"load_or", "foreign", "foreign_value", None}  # operations whose results may be undefined


class Refused(Exception):
    """A difference between the record and the program."""


class Block:
    """A block of a function of the record, with those merged into it, and its continuation in the program.

    `steps` are ``("read", variable, result)``; ``("check", variable, result)`` if the result is known; ``("write",
    variable, value)``; ``("use", value, operand)``; ``("define", number, number)`` for a statement. `edges` are those
    to other blocks, with pairs of parameters and arguments, or None for a call; `sources` are the blocks before.
    `at_end` has the values of variables at the end: known ones, or results and variables at the start.
    """

    def __init__(self, function, head, continuation):
        self.function, self.head, self.continuation, self.id = function, head, continuation, continuation["id"]
        self.name = f"`{continuation['name']}` in `{function['name']}`"
        self.is_entry = head is function["blocks"][0]
        self.steps, self.edges, self.sources, self.callee, self.sets, self.at_end = [], [], [], None, {}, {}

    def source(self, variable):
        """The value of a variable at the end."""
        return self.at_end.get(variable, variable)


def text(data, without=()):
    """A text that only equal data have: 1, 1.0 and true differ. Some keys of an object can be left out."""
    return json.dumps({k: data[k] for k in data if k not in without} if without else data, sort_keys=True)


def key(value):
    """A value as a key: the number of its definition, or the text of a constant, an undefined value or an external."""
    return value if type(value) is int else text(value)


def parts(transfer, names):
    """The values or edges in these slots of a transfer, in order."""
    slots = [transfer[name] for name in names if name in transfer]
    return [each for slot in slots for each in (slot if isinstance(slot, list) else [slot])]


def require(condition, place, message):
    if not condition:
        raise Refused(f"{place}: {message}")


class Checker:
    """The comparison of record and program.

    `values` has the numbers in the program of known values of the record, `owners` the functions of the results of
    reads, and `undefined` the undefined value of each variable. For the program, `homes` has the continuation of each
    definition, `types` its type, and `operations` the operation of each statement, or that a value is never undefined.
    """

    def __init__(self, document):
        self.record, self.program = document["record"], document["program"]
        self.replaces = document["undefined"] == "replace"
        self.values, self.owners, self.undefined, self.homes, self.types, self.operations = ({} for _ in range(6))

    def check(self):
        """Raises `Refused` if there is a difference."""
        self.define()
        functions = self.pair_parts()
        for blocks in functions.values():
            self.pair_blocks(blocks)
        self.compare_parts([(blocks[0].function, blocks[0].continuation) for blocks in functions.values()])
        blocks = [block for each in functions.values() for block in each]
        for block in blocks:
            block.edges += [(each[0], None) for each in [functions.get(block.callee)] if each]
            for target, _ in block.edges:
                target.sources.append(block)
        self.check_scopes(blocks)
        self.demand(blocks)
        self.solve(blocks)
        self.check_uses(blocks)

    def define(self):
        """Collect the definitions of the program. Each number is defined once."""
        data = [each for kind in PARTS[1:] for each in self.program.get(kind, [])]
        numbers = [each["id"] for part in data for each in [part, *part.get("parameters", [])]]
        functions = self.program["functions"]
        for member in [each for function in functions for each in [function, *function["continuations"]]]:
            items = [*member["parameters"], *member["body"]]
            numbers += [member["id"], *(each["id"] for each in items)]
            for each in items:
                self.homes[each["id"]], self.types[each["id"]] = member["id"], text(each["type"])
                self.operations[each["id"]] = "defined" in each.get("attributes", {}) or each.get("op")
        require(len(numbers) == len(set(numbers)), "the program", "a number is defined twice")

    def pair_parts(self):
        """Pair the parts of the record with those of the program, in their order. Returns the entries by number."""
        for kind in PARTS:
            stated, found = self.record[kind], self.program.get(kind, [])
            require(len(stated) == len(found), "the program", f"it has {len(found)} {kind}, not {len(stated)}")
            self.pair(stated, found)
        found = self.program["functions"]
        names = {each["name"] for each in found}  # nested functions that are not called are dropped
        stated = [each for each in self.record["functions"] if each["name"] in names or not each.get("nested")]
        same = [each["name"] for each in stated] == [each["name"] for each in found]
        require(same, "the program", "its functions are not those of the source")
        self.pair(stated, found)
        for function in stated:
            self.undefined.update((each["id"], key(each["undefined"])) for each in function["variables"])
            for step in [step for block in function["blocks"] for step in block["steps"] if "as" in step]:
                self.owners.setdefault(step["as"], function)
        return {other["id"]: [Block(one, one["blocks"][0], other)] for one, other in zip(stated, found, strict=True)}

    def pair(self, stated, found):
        self.values.update((one.get("id"), other.get("id")) for one, other in zip(stated, found, strict=False))

    def compare_parts(self, functions):
        """Compare the fields of all parts, beside the bodies of functions."""
        same = [[text(each.get(name)) for name in ("source", "attributes")] for each in (self.record, self.program)]
        require(same[0] == same[1], "the program", "its text or its attributes are not those of the source")
        pairs = [pair for kind in PARTS for pair in zip(self.record[kind], self.program.get(kind, []), strict=True)]
        pairs += functions
        taken = {(other["name"], "id" in other) for _, other in pairs}
        for one, other in pairs:
            name, stated = one["name"], one.get("stated", one["name"])  # numbered if another part has the name
            is_numbered = (stated, "id" in one) in taken and re.fullmatch(re.escape(stated) + "_?[0-9]+", name)
            require(name == stated or is_numbered, f"`{name}`", f"its name in the source is `{stated}`")
            same = self.fields(one, self.values.get) == self.fields(other, key)
            require(same, f"`{name}`", "differs from the source")

    def fields(self, part, number):
        """The text of the fields of a part, with the `number` of each target of an address."""
        parameters = [text(each, ["id"]) for each in part.get("parameters", [])]
        addresses = [{**each, "target": number(each["target"])} for each in part.get("addresses", [])]
        return text({**part, "parameters": parameters, "addresses": addresses}, BODY)

    def pair_blocks(self, blocks):
        """Walk over record and program from the entry, and append all pairs of blocks and continuations."""
        function, entry, program = blocks[0].function, blocks[0].head, blocks[0].continuation
        stated = {block["id"]: block for block in function["blocks"]}
        incoming, reached = {entry["id"]: 1}, [entry]  # the numbers of edges; control enters the function
        for block in reached:  # grows
            for target in [key(edge["target"]) for edge in parts(block["transfer"], EDGES)]:
                if target in stated and target not in incoming:
                    reached.append(stated[target])
                incoming[target] = incoming.get(target, 0) + 1
        merged = {block for block in incoming if block in stated and incoming[block] == 1}
        continuations = {each["id"]: each for each in program["continuations"]}
        paired = {entry["id"]: blocks[0]}
        for block in blocks:  # grows
            ending, transfer = self.compare_body(block, stated, merged), block.continuation["transfer"]
            self.compare_transfer(block, ending, transfer)
            edges = parts(ending, EDGES), parts(transfer, EDGES)
            require(len(edges[0]) == len(edges[1]), block.name, "has other edges than in the source")
            for edge, found in zip(*edges, strict=True):
                target, reached, arguments = key(edge["target"]), key(found["target"]), found["arguments"]
                if target not in stated:
                    self.add_uses(block, [edge["target"], *edge["arguments"]], [found["target"], *arguments])
                    continue
                if target not in paired and reached in continuations:
                    paired[target] = Block(function, stated[target], continuations[reached])
                    blocks.append(paired[target])
                leads_there = target in paired and paired[target].id == reached and not paired[target].is_entry
                require(leads_there, block.name, f"does not lead to `{stated[target]['name']}` as in the source")
                self.add_edge(block, paired[target], ending["kind"] == "call", arguments)
        once = len({block.id for block in blocks}) == len(blocks) == len(continuations) + 1
        require(once, f"`{function['name']}`", "its continuations are not the blocks of the source")

    def compare_body(self, block, stated, merged):
        """Compare the statements of a block, and of those merged into it by jumps. Returns the last transfer."""
        given = (block.function if block.is_entry else block.head)["parameters"]
        parameters = block.continuation["parameters"]
        same = [each["type"] for each in given] == [each["type"] for each in parameters[: len(given)]]
        known = ["{}", *(text(each, ["id", "undefined"]) for each in block.function["variables"])]
        is_plain = block.is_entry or all(text(each, ["id", "name", "type", "span"]) in known for each in parameters)
        require(same and is_plain, block.name, "its parameters are not those of the source, and placed ones")
        self.pair(given, parameters)
        chain, body = [block.head], iter(block.continuation["body"])
        while chain[-1]["transfer"]["kind"] == "jump" and key(chain[-1]["transfer"]["edge"]["target"]) in merged:
            chain.append(stated[chain[-1]["transfer"]["edge"]["target"]])
        for step in [step for each in chain for step in each["steps"]]:
            if "statement" in step:
                statement, found = step["statement"], next(body, {})
                same = text(statement, ["id", "operands"]) == text(found, ["id", "operands"])
                require(same, block.name, f"has no statement `{statement['op']}` as in the source")
                self.add_uses(block, statement["operands"], found["operands"])
                self.values[statement["id"]] = found["id"]
                block.steps.append(("define", statement["id"], found["id"]))
            else:
                kind = "write" if "write" in step else "read" if "as" in step else "check"
                block.steps.append((kind, step.get("write", step.get("read")), key(step.get("as", step.get("value")))))
        require(next(body, None) is None, block.name, "has a statement that the source lacks")
        return chain[-1]["transfer"]

    def compare_transfer(self, block, stated, found):
        block.callee, slots = key(found.get("callee")), ("callee", *OPERANDS, *EDGES)
        same = self.known(key(stated.get("callee"))) == block.callee and stated.keys() == found.keys()
        same = same and text(stated, slots) == text(found, slots)
        require(same, block.name, "does not end as in the source")
        self.add_uses(block, parts(stated, OPERANDS), parts(found, OPERANDS))

    def add_edge(self, block, target, is_call, arguments):
        """Add an edge between blocks. Only a call gives results, which are the parameters; it passes no arguments."""
        parameters, results = [each["id"] for each in target.continuation["parameters"]], target.head["parameters"]
        passed = len(results) if is_call else len(arguments)
        fits = len(parameters) == passed and not (arguments if is_call else results)
        require(fits, block.name, f"passes {len(arguments)} arguments to {target.name}")
        for parameter, argument in zip(parameters, arguments, strict=False):
            type = self.types.get(argument, '"ptr"') if key(argument) == argument else text(argument.get("type"))
            require(type == self.types[parameter], block.name, f"passes another type than that of number {parameter}")
        block.edges.append((target, [*zip(parameters, map(key, arguments), strict=False)]))

    def add_uses(self, block, stated, found):
        require(len(stated) == len(found), block.name, f"uses {len(found)} values, but in the source {len(stated)}")
        block.steps += [("use", key(value), key(operand)) for value, operand in zip(stated, found, strict=True)]

    def known(self, value):
        """The value of the program that a value of the record denotes; None for the result of a read."""
        return self.values.get(value) if type(value) is int else value

    def check_scopes(self, blocks):
        """Each value is defined on every path to its uses; one of another function, on every path to a call."""
        functions = {block.id: block.function for block in blocks}
        live = {}  # the values used in each block, and not defined before in it
        for block in blocks:
            defined = {each["id"] for each in block.continuation["parameters"]}
            passed = [("use", *pair) for _, pairs in block.edges for pair in pairs or ()]
            for kind, _, value in block.steps + passed:
                if kind == "define":
                    defined.add(value)
                elif kind == "use" and value in self.homes and value not in defined:
                    live[block, value] = None
        pending = [*live]
        for block, value in pending:  # grows
            is_free = block.sources and functions[self.homes[value]] is not block.function
            require(is_free or not block.is_entry, block.name, f"{value} is not computed on every path to its use")
            before = {(each, value): None for each in block.sources if self.homes[value] != each.id}
            pending += [each for each in before if each not in live]
            live.update(before)

    def demand(self, blocks):
        """Find the variables at the starts of blocks that determine operands, backwards from these."""
        used = {one for block in blocks for kind, one, _ in block.steps if kind == "use"}
        pending = []
        for block in blocks:
            for kind, one, other in block.steps:
                if kind in ("use", "check") or (kind == "read" and other in used):
                    pending.append((block, block.source(one)))
                if kind == "write":
                    block.at_end[one] = block.source(other)
                elif kind == "read":
                    block.at_end[other] = block.source(one)
        for block, variable in pending:  # grows
            if self.known(variable) is None and variable not in block.sets:
                if block.is_entry and not self.is_foreign(block, variable):  # undefined, or not read yet
                    undefined = self.undefined.get(variable)
                    block.sets[variable] = self.set_of(undefined, {}) if undefined else set()
                else:
                    block.sets[variable] = None  # all values
                    pending += [(each, each.source(variable)) for each in block.sources]

    def is_foreign(self, block, variable):
        """Whether a variable is the result of a read in another function."""
        return self.owners.get(variable, block.function) is not block.function

    def solve(self, blocks):
        """Shrink the sets to the greatest solution, in reverse postorder."""
        seen, order, stack = set(), [], [(None, iter([(block, None) for block in blocks]))]
        while stack:
            target = next((target for target, _ in stack[-1][1] if target not in seen), None)
            if target:
                seen.add(target)
                stack.append((target, iter(target.edges)))
            else:
                order.append(stack.pop()[0])
        blocks = order[-2::-1]
        ranks = {block: rank for rank, block in enumerate(blocks)}
        pending, queued = [*ranks.values()], set(blocks)  # a heap
        while pending:
            block = blocks[heappop(pending)]
            queued.remove(block)
            for target, passed in block.edges:
                if self.flow(block, target, passed) and target not in queued:
                    queued.add(target)
                    heappush(pending, ranks[target])

    def flow(self, block, target, passed):
        """Intersect the sets of the target with those that arrive over an edge. Whether one has changed."""
        changed, receivers = False, defaultdict(set)
        for parameter, argument in passed or ():
            receivers[argument].add(parameter)
            if self.may_replace(argument):
                receivers[ANY].add(parameter)
        for variable, before in target.sets.items():
            arriving = self.set_of(block.source(variable), block.sets)
            if arriving is None or (passed is None and not self.is_foreign(target, variable)):
                continue
            found = {each for each in arriving if self.homes.get(each) != target.id}
            found.update(*(receivers[each] for each in arriving & receivers.keys()))
            if before is not None:
                found = {each for each in before | found if self.has(before, each) and self.has(found, each)}
            changed, target.sets[variable] = changed or found != before, found
        return changed

    def set_of(self, value, sets):
        """The set for a value of the record; `sets` has those of results. None stands for all values."""
        known = self.known(value)
        if known is None:
            return sets.get(value)
        return {ANY} if self.replaces and UNDEFINED in str(known) else {known}

    def has(self, found, value):
        """Whether a value of the program is in a set, or may replace an undefined value in it."""
        return found is not None and (value in found or (ANY in found and self.may_replace(value)))

    def may_replace(self, value):
        """Whether a value is never undefined: no parameter, and not the result of certain operations, or it says so."""
        return value not in self.homes or self.operations[value] not in MAYBE_UNDEFINED

    def check_uses(self, blocks):
        """Each operand is in the set of the source's value; for the result of several reads, in that of each."""
        operands, reads = defaultdict(set), []
        for block in blocks:
            sets = {**block.sets}
            for kind, one, other in block.steps:
                if kind == "use":
                    operands[one].add(other)
                    require(self.has(self.set_of(one, sets), other), block.name, f"the source may not use {other} here")
                elif kind == "write":
                    sets[one] = self.set_of(other, sets)
                elif kind == "read":
                    sets[other] = sets.get(one)
                    reads.append((block, other, sets[other]))
                elif kind == "check":
                    known = self.known(other)
                    require(self.has(sets.get(one), known), block.name, f"a read may not return {known} here")
        for block, found, operand in [(block, found, each) for block, one, found in reads for each in operands[one]]:
            require(self.has(found, operand), block.name, f"{operand} is used for a read that may differ from it")


def fault(document):
    """The first difference in a document, None if it is accepted. Raises `ValueError` for other data."""
    try:
        if (document["format"], document["version"]) != ("cpsconv record", 1):
            raise ValueError("not a record of cpsconv, version 1")
        Checker(document).check()
    except Refused as refused:
        return str(refused)
    except (AttributeError, IndexError, KeyError, TypeError) as failure:
        raise ValueError(f"not a record of cpsconv: {failure!r}") from failure
    return None


def main(paths):
    """Check the documents, and print the results. Returns the exit status."""
    status = 0
    for path in paths:
        try:
            with sys.stdin if path == "-" else open(path, encoding="utf-8") as file:
                found = fault(json.load(file))
            print(f"{path}: refused: {found}" if found else f"{path}: accepted")
            status = max(status, int(found is not None))
        except (OSError, ValueError, RecursionError) as failure:
            print(f"{path}: {failure}", file=sys.stderr)
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["-"]))

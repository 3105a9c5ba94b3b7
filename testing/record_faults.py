"""Faults of many kinds, planted in the program of a document (docs/record.md), which may change what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Json = Any

FAULTS: dict[str, Callable[[Ground], Any]] = {}
"""The function that plants each kind of fault. It returns False, or raises `IndexError`, if there is no place."""

ALWAYS: set[str] = set()
"""The kinds that change a program by construction: a part that other programs refer to, or the program itself."""


def fault(title: str, always: bool = False) -> Callable[[Callable[[Ground], Any]], Callable[[Ground], Any]]:
    """A decorator that adds a kind of fault."""

    def add(plant: Callable[[Ground], Any]) -> Callable[[Ground], Any]:
        FAULTS[title] = plant
        if always:
            ALWAYS.add(title)
        return plant

    return add


def plant(program: Json, kind: str, random: Random) -> bool:
    """Plant a fault in a program in JSON. Whether there is a place for it."""
    try:
        return FAULTS[kind](Ground(program, random)) is not False
    except IndexError:
        return False


class Ground:
    """A program, and the choices that decide where the fault goes. `types` are those of the definitions."""

    def __init__(self, program: Json, random: Random) -> None:
        self.program = program
        self.random = random
        sizes = [1 + len(each["continuations"]) for each in program["functions"]]
        (self.function,) = random.choices(program["functions"], sizes)
        self.members = [self.function, *self.function["continuations"]]
        self.statements = [each for member in self.members for each in member["body"]]
        self.edges = [edge for member in self.members for edge in edges_of(member["transfer"])]
        self.by_id = {each["id"]: each for each in self.function["continuations"]}
        self.local = [edge for edge in self.edges if isinstance(edge["target"], int) and edge["target"] in self.by_id]
        definitions = [each for member in self.members for each in [*member["parameters"], *member["body"]]]
        self.types = {each["id"]: each["type"] for each in definitions}

    def pick(self, options: Any) -> Any:
        """One of the options. Raises `IndexError` if there are none."""
        return self.random.choice([*options])

    def type_of(self, value: Json) -> Json:
        """The type of a value; None for that of a global part."""
        return value.get("type") if isinstance(value, dict) else self.types.get(value)

    def other(self, value: Json) -> Json:
        """Another value of the same type, which occurs in the function."""
        found = [*self.types, *(each for slots, at in self.slots() if isinstance(each := slots[at], dict))]
        return self.pick(each for each in found if each != value and self.type_of(each) == self.type_of(value))

    def slots(self) -> Iterator[tuple[Any, Any]]:
        """The places of all operands and arguments: a list or an object, and the index or the key."""
        for statement in self.statements:
            yield from ((statement["operands"], at) for at in range(len(statement["operands"])))
        for member in self.members:
            transfer = member["transfer"]
            yield from ((transfer, key) for key in ("condition", "value", "pointer") if key in transfer)
            yield from ((transfer["arguments"], at) for at in range(len(transfer.get("arguments", ()))))
        for edge in self.edges:
            yield from ((edge["arguments"], at) for at in range(len(edge["arguments"])))

    def passed(self) -> list[tuple[list[Json], int]]:
        """The places of the arguments of edges between continuations."""
        return [(edge["arguments"], at) for edge in self.local for at in range(len(edge["arguments"]))]

    def replace(self, old: int, new: Json) -> None:
        """Use `new` wherever the value `old` is used."""
        for slots, at in [*self.slots()]:
            if slots[at] == old and not isinstance(slots[at], bool):
                slots[at] = new

    def transfers(self, kind: str) -> list[Json]:
        return [member["transfer"] for member in self.members if member["transfer"]["kind"] == kind]

    def parameters(self) -> list[tuple[Json, int]]:
        """The continuations with their parameters that receive arguments, as positions."""
        targets = {edge["target"] for edge in self.local if edge["arguments"]}
        return [(self.by_id[each], at) for each in sorted(targets) for at in range(len(self.by_id[each]["parameters"]))]

    def received(self, member: Json, at: int) -> list[Json]:
        return [edge["arguments"][at] for edge in self.local if edge["target"] == member["id"] and edge["arguments"]]


def edges_of(transfer: Json) -> list[Json]:
    """The edges of a transfer."""
    found = [transfer[key] for key in ("edge", "then", "else", "default") if key in transfer]
    return [*transfer.get("targets", ()), *found]


def exchange(values: list[Json], one: int, other: int) -> bool:
    """Exchange two values. Whether they differ."""
    values[one], values[other] = values[other], values[one]
    return values[one] != values[other]


def different(ground: Ground, constant: Json) -> Json:
    """Another constant of the same type."""
    value = constant["value"]
    if isinstance(value, bool):
        return {**constant, "value": not value}
    if isinstance(value, str):
        return {**constant, "value": value + "x"} if constant["type"] == "string" else ground.pick([])
    return {**constant, "value": value + 1 if value < 100 else value - 1}


# ----------------------------------------------------------------------------------------------------- arguments


@fault("an argument is another value")
def _(ground: Ground) -> None:
    arguments, at = ground.pick(ground.passed())
    arguments[at] = ground.other(arguments[at])


@fault("two arguments are exchanged")
def _(ground: Ground) -> bool:
    edge = ground.pick(edge for edge in ground.local if len(edge["arguments"]) > 1)
    one, other = ground.random.sample(range(len(edge["arguments"])), 2)
    same = ground.type_of(edge["arguments"][one]) == ground.type_of(edge["arguments"][other])
    return same and exchange(edge["arguments"], one, other)


@fault("an argument is the parameter itself")
def _(ground: Ground) -> bool:
    edge = ground.pick(edge for edge in ground.local if edge["arguments"])
    at = ground.random.randrange(len(edge["arguments"]))
    before, edge["arguments"][at] = edge["arguments"][at], ground.by_id[edge["target"]]["parameters"][at]["id"]
    return edge["arguments"][at] != before


@fault("an argument is undefined")
def _(ground: Ground) -> bool:
    arguments, at = ground.pick(ground.passed())
    if isinstance(arguments[at], dict) and "undef" in arguments[at]:
        return False
    type = ground.type_of(arguments[at]) or "ptr"
    arguments[at] = {"type": type, "undef": "nothing"}
    return isinstance(type, str) and type != "memory"


@fault("a constant argument is another constant")
def _(ground: Ground) -> None:
    slots = [(a, at) for a, at in ground.passed() if isinstance(a[at], dict) and "value" in a[at]]
    arguments, at = ground.pick(slots)
    arguments[at] = different(ground, arguments[at])


@fault("a call passes another value")
def _(ground: Ground) -> None:
    call = ground.pick(each for each in ground.transfers("call") if each["arguments"])
    at = ground.random.randrange(len(call["arguments"]))
    call["arguments"][at] = ground.other(call["arguments"][at])


@fault("a call passes its arguments in another order")
def _(ground: Ground) -> bool:
    call = ground.pick(each for each in ground.transfers("call") if len(each["arguments"]) > 1)
    one, other = ground.random.sample(range(len(call["arguments"])), 2)
    return exchange(call["arguments"], one, other)


@fault("a function returns another value")
def _(ground: Ground) -> None:
    last = ground.function["parameters"][-1]["id"]
    edge = ground.pick(edge for edge in ground.edges if edge["target"] == last and edge["arguments"])
    at = ground.random.randrange(len(edge["arguments"]))
    edge["arguments"][at] = ground.other(edge["arguments"][at])


# ---------------------------------------------------------------------------------------------------- parameters


@fault("a parameter is replaced by one of its arguments")
def _(ground: Ground) -> None:
    member, at = ground.pick(ground.parameters())
    ground.replace(member["parameters"][at]["id"], ground.pick(ground.received(member, at)))


@fault("a parameter is replaced by another one")
def _(ground: Ground) -> None:
    member, at = ground.pick(ground.parameters())
    parameter = member["parameters"][at]
    others = [each["id"] for each in member["parameters"] if each["type"] == parameter["type"] and each != parameter]
    ground.replace(parameter["id"], ground.pick(others))


@fault("a parameter is dropped, with its arguments")
def _(ground: Ground) -> None:
    member, at = ground.pick(ground.parameters())
    first = ground.received(member, at)[0]
    for edge in ground.local:
        if edge["target"] == member["id"] and edge["arguments"]:
            del edge["arguments"][at]
    ground.replace(member["parameters"].pop(at)["id"], first)


@fault("two parameters are exchanged")
def _(ground: Ground) -> None:
    member, _ = ground.pick(each for each in ground.parameters() if len(each[0]["parameters"]) > 1)
    one, other = ground.random.sample(range(len(member["parameters"])), 2)
    exchange(member["parameters"], one, other)


@fault("a parameter has another type", always=True)
def _(ground: Ground) -> None:
    member, at = ground.pick(ground.parameters())
    member["parameters"][at]["type"] = "short" if member["parameters"][at]["type"] != "short" else "int"


# ------------------------------------------------------------------------------------------------------- targets


@fault("an edge leads to another continuation")
def _(ground: Ground) -> None:
    edge = ground.pick(ground.local)
    types = [each["type"] for each in ground.by_id[edge["target"]]["parameters"]]
    edge["target"] = ground.pick(
        each["id"]
        for each in ground.function["continuations"]
        if [parameter["type"] for parameter in each["parameters"]] == types and each["id"] != edge["target"]
    )


@fault("the edges of a branch are exchanged")
def _(ground: Ground) -> None:
    branch = ground.pick(ground.transfers("branch"))
    branch["then"], branch["else"] = branch["else"], branch["then"]


@fault("two edges of a switch are exchanged")
def _(ground: Ground) -> bool:
    switch = ground.pick(each for each in ground.transfers("switch") if len(each["targets"]) > 1)
    return exchange(switch["targets"], *ground.random.sample(range(len(switch["targets"])), 2))


@fault("a case has another number")
def _(ground: Ground) -> None:
    switch = ground.pick(each for each in ground.transfers("switch") if each["cases"])
    numbers = [int(each) for each in switch["cases"]]
    switch["cases"][ground.random.randrange(len(numbers))] = max(numbers) + 1


@fault("a case is dropped")
def _(ground: Ground) -> None:
    switch = ground.pick(each for each in ground.transfers("switch") if each["cases"])
    at = ground.random.randrange(len(switch["cases"]))
    del switch["cases"][at], switch["targets"][at]


@fault("a branch is always taken")
def _(ground: Ground) -> None:
    branch = ground.pick(ground.transfers("branch"))
    branch["condition"] = {"type": "bool", "value": ground.random.random() < 0.5}


@fault("a transfer ends the program")
def _(ground: Ground) -> bool:
    member = ground.pick(ground.members)
    before, member["transfer"] = member["transfer"], {"kind": "jump", "edge": {"target": {"external": "abort"}}}
    member["transfer"]["edge"]["arguments"] = []
    return before["kind"] != "jump" or before["edge"] != member["transfer"]["edge"]


@fault("a call calls another function")
def _(ground: Ground) -> None:
    call = ground.pick(each for each in ground.transfers("call") if isinstance(each["callee"], int))
    functions = {each["id"]: each for each in [*ground.program["functions"], *ground.program.get("externals", ())]}
    types = [each["type"] for each in functions[call["callee"]]["parameters"]]
    others = [n for n, each in functions.items() if [p["type"] for p in each["parameters"]] == types]
    call["callee"] = ground.pick(each for each in others if each != call["callee"])


# ---------------------------------------------------------------------------------------------------- statements


def bodies(ground: Ground, least: int = 1) -> Json:
    """The body of a continuation with so many statements."""
    return ground.pick(member["body"] for member in ground.members if len(member["body"]) >= least)


@fault("a statement without a result is dropped")
def _(ground: Ground) -> None:
    found = [(m["body"], each) for m in ground.members for each in m["body"] if each["type"] in ("void", "memory")]
    body, statement = ground.pick(found)
    body.remove(statement)


@fault("a statement is dropped, and another value used for its result")
def _(ground: Ground) -> None:
    body = bodies(ground)
    statement = ground.pick(each for each in body if each["type"] != "void")
    ground.replace(statement["id"], ground.other(statement["id"]))
    body.remove(statement)


@fault("an effect is repeated")
def _(ground: Ground) -> None:
    body = bodies(ground)
    at = ground.pick(at for at, each in enumerate(body) if each["kind"] == "effect")
    body.insert(at, {**body[at], "id": 1_000_000})


@fault("two statements are exchanged")
def _(ground: Ground) -> None:
    body = bodies(ground, 2)
    at = ground.random.randrange(len(body) - 1)
    exchange(body, at, at + 1)


@fault("a statement is moved to another continuation")
def _(ground: Ground) -> bool:
    body, other = bodies(ground), ground.pick(ground.members)["body"]
    other.insert(0, body.pop(ground.random.randrange(len(body))))
    return body is not other


@fault("an operand is another value")
def _(ground: Ground) -> None:
    operands = ground.pick(each["operands"] for each in ground.statements if each["operands"])
    at = ground.random.randrange(len(operands))
    operands[at] = ground.other(operands[at])


@fault("two operands are exchanged")
def _(ground: Ground) -> bool:
    statement = ground.pick(each for each in ground.statements if len(each["operands"]) > 1)
    return exchange(statement["operands"], *ground.random.sample(range(len(statement["operands"])), 2))


@fault("a constant operand is another constant")
def _(ground: Ground) -> None:
    slots = [(s["operands"], at) for s in ground.statements for at in range(len(s["operands"]))]
    operands, at = ground.pick((o, at) for o, at in slots if isinstance(o[at], dict) and "value" in o[at])
    operands[at] = different(ground, operands[at])


OPERATORS = [["+", "-", "*", "&", "|", "^"], ["/", "%"], ["<", ">", "<=", ">=", "==", "!="], ["<<", ">>"]]


@fault("an operation is another one")
def _(ground: Ground) -> None:
    groups = [(each, group) for each in ground.statements for group in OPERATORS if each["op"] in group]
    statement, group = ground.pick(groups)
    statement["op"] = ground.pick(each for each in group if each != statement["op"])


@fault("a conversion has another type")
def _(ground: Ground) -> None:
    statement = ground.pick(each for each in ground.statements if each["op"] == "convert")
    statement["type"] = ground.pick(each for each in ("char", "short", "long", "double") if each != statement["type"])


@fault("a static operand is another one")
def _(ground: Ground) -> bool:
    statement = ground.pick(each for each in ground.statements if "of" in each)
    before, statement["of"] = statement["of"], ground.pick(each["of"] for each in ground.statements if "of" in each)
    return statement["of"] != before


@fault("a statement has an attribute, an alignment or a lifetime of its own", always=True)
def _(ground: Ground) -> None:
    statement = ground.pick(each for each in ground.statements if each["kind"] == "effect")
    key = ground.pick(["attributes", "alignment", "on_stack"])
    changed = {"attributes": {"llvm.other": True}, "alignment": statement.get("alignment", 1) * 2}
    statement[key] = changed.get(key, not statement.get("on_stack", False))


# --------------------------------------------------------------------------------------------------------- parts


@fault("a byte of data is another one", always=True)
def _(ground: Ground) -> None:
    data = ground.pick(each for each in ground.program.get("data", ()) if each["content"])
    at = ground.random.randrange(len(data["content"]))
    data["content"] = data["content"][:at] + chr(ord(data["content"][at]) ^ 1) + data["content"][at + 1 :]


@fault("an address in data is another one", always=True)
def _(ground: Ground) -> None:
    data = ground.pick(each for each in ground.program.get("data", ()) if each["addresses"])
    ground.pick(data["addresses"])["offset"] += 1


@fault("data have another type, or can be written", always=True)
def _(ground: Ground) -> None:
    data = ground.pick(ground.program.get("data", ()))
    if ground.random.random() < 0.5:
        data["constant"] = not data["constant"]
    else:
        data["type"] = {"array": data["type"], "length": 2}


@fault("an external part has another name or type", always=True)
def _(ground: Ground) -> None:
    parts = [*ground.program.get("externals", ()), *ground.program.get("external_data", ())]
    part = ground.pick(parts)
    if "parameters" in part and len(part["parameters"]) > 1 and ground.random.random() < 0.5:
        part["parameters"][0]["type"] = "int" if part["parameters"][0]["type"] != "int" else "long"
    else:
        part["name"] += "_other"


@fault("a struct has other fields", always=True)
def _(ground: Ground) -> None:
    struct = ground.pick(ground.program.get("structs", ()))
    if len(struct["fields"]) > 1 and struct["fields"][0]["type"] != struct["fields"][1]["type"]:
        struct["fields"][:2] = struct["fields"][1::-1]
    else:
        struct["union"] = not struct["union"]


@fault("a part is dropped", always=True)
def _(ground: Ground) -> None:
    parts = ground.program.get(ground.pick(["data", "externals", "structs", "functions"]), [])
    parts.remove(ground.pick(parts))


@fault("a function or data have another name or linkage", always=True)
def _(ground: Ground) -> None:
    part = ground.pick([*ground.program["functions"], *ground.program.get("data", ())])
    if ground.random.random() < 0.5:
        part["name"] += "_other"
    else:
        part["attributes"] = {**part.get("attributes", {}), "c.section": ".other"}

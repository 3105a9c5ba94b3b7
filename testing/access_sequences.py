"""Sequences of accesses to memory, right and wrong ones, as programs: to compare implementations of checked memory."""

from __future__ import annotations

from hypothesis import strategies as st

from cpsconv.core.ir import SCALARS, Scalar
from cpsconv.core.operations.types import is_data
from testing.memory_programs import LIBRARY

_TYPES = [type for type in SCALARS.values() if is_data(type)]

_OFFSETS = [*[0] * 6, *[8] * 4, 1, 4, 12, 16, -1, 40, 2**31 - 1, -(2**31)]

_CREATIONS = {
    "variable": "allocate char[{size}]",
    "shorts": "allocate short[{size}]",
    "single": "allocate part",
    "heap": "malloc({size}ul)",
    "zeroed": "calloc({size}ul, 1ul)",
}

_ITEMS = f"""{LIBRARY}
struct part {{ a : int, b : double }}
const fixed := int[4] {{ 1, 2, 3, 4 }}
@constant_bytes("3-5 12-15") data partly := int[8] {{ 1, 2, 3, 4 }}
"""


@st.composite
def access_sequences(draw: st.DrawFn, lacking: frozenset[Scalar] = frozenset()) -> str:
    """The CPS text of a program with a sequence of accesses, of types that are not `lacking`."""
    names, lines, closing = ["fixed", "partly", "null"], list[str](), ""
    types = [type for type in _TYPES if type not in lacking]

    def place() -> str:
        return f"char.at({draw(st.sampled_from(names))}, {draw(st.sampled_from(_OFFSETS))})"

    for number in range(draw(st.integers(4, 14))):
        action = draw(st.sampled_from(_ACTIONS)) if len(names) > 3 else "create"
        type, name = draw(st.sampled_from(types)), f"x{number}"
        if action == "create":
            creation = draw(st.sampled_from([*_CREATIONS.values()]))
            lines.append(f"{name} := {creation.format(size=draw(st.sampled_from([0, 8, 24, 32])))};")
            names += [name] * 8  # more often than constants and null
        elif action == "store":
            lines.append(f"{type}[{place()}] := {_value(type, draw(st.integers(0, 100)))};")
        elif action == "load":
            lines.append(f'{name} := {type}[{place()}]; printf("%d ", int({name}));')
        elif action == "default":
            lines.append(f'{name} := load_or({place()}, {_value(type, 77)}); printf("%d ", int({name}));')
        elif action == "transfer":
            lines.append(f"{type}[{place()}] := load_or({place()}, undef(v : {type}));")
        elif action == "copy":
            lines.append(f"part[{place()}] := part[{place()}];")
        elif action in _CALLS:
            size = draw(st.sampled_from([0, 1, 7, 8, 16, 17]))
            lines.append(_CALLS[action].format(to=place(), source=place(), size=size, name=name))
            closing += ")"
        elif action == "make_bytes_constant":
            lines.append(f"{action}({place()}, {draw(st.sampled_from([0, 1, 4, 16]))}ul);")
        else:
            lines.append(f"{action}({draw(st.sampled_from(names))});")
    return f"{_ITEMS}main(ret : int → ⊥) → ⊥ {{\n  " + "\n  ".join([*lines, f"ret(0){closing}"]) + "\n}\n"


@st.composite
def comparisons(draw: st.DrawFn) -> str:
    """The CPS text of a program that compares bytes and strings: right calls, then one that may be wrong."""
    texts = [*draw(st.lists(st.text("ab?", max_size=9), min_size=1, max_size=3)), "", "a"]
    texts = [f"{text * draw(st.sampled_from([1, 1, 40]))}\0" for text in texts]
    data, lines = "", ["freed := malloc(4ul); free(freed);"]
    for number, text in enumerate(texts):
        content = text.replace("b", "\\xe9").replace("\0", "\\0")
        data += f'data x{number} := "{content}"\ndata open{number} := "{content[:-2]}a"\n'
        lines.append(f"y{number} := malloc({len(text)}ul);")  # a question mark stands for a byte that is not written
        lines += [f"char[y{number}, {at}] := char({ord(each)});" for at, each in enumerate(text) if each != "?"]
    indices = st.integers(0, len(texts) - 1)
    for last in [False] * 7 + [True]:
        one, other = draw(indices), draw(indices)
        places = [f"x{one}", f"x{other}"]
        size = draw(st.integers(0, min(len(texts[one]), len(texts[other]))))
        if last:
            names = [
                "null",
                "ptr(main)",
                "freed",
                *(f"{name}{number}" for name in ("x", "y", "y", "open") for number in (one, other)),
            ]
            offset = st.sampled_from([0, 0, 0, 1, 3, -1, 2**31 - 1])
            places = [f"char.at({draw(st.sampled_from(names))}, {draw(offset)})" for _ in places]
            size = draw(st.sampled_from([0, 1, 2, 4, 9, 100, 2**64 - 1]))
        call = _CALLS[draw(st.sampled_from(["memcmp", "memcmp", "strcmp", "strlen"]))]
        lines.append(call.format(to=places[0], source=places[1], size=size, name=f"r{len(lines)}"))
    return f"{LIBRARY}{data}main(ret : int → ⊥) → ⊥ {{\n  " + "\n  ".join([*lines, "ret(0)" + ")" * 8]) + "\n}\n"


_CALLS = {
    "memset": "memset({to}, 353, {size}ul, λ({name} : ptr).",
    "memmove": "memmove({to}, {source}, {size}ul, λ({name} : ptr).",
    "memcpy": "memcpy({to}, {source}, {size}ul, λ({name} : ptr).",
    "memcmp": 'memcmp({to}, {source}, {size}ul, λ({name} : int). printf("%d ", {name});',
    "strlen": 'strlen({to}, λ({name} : unsigned long). printf("%d ", int({name}));',
    "strcpy": "strcpy({to}, {source}, λ({name} : ptr).",
    "strcmp": 'strcmp({to}, {source}, λ({name} : int). printf("%d ", {name});',
}

_ACTIONS = [
    "create",
    *["store"] * 12,
    *["load"] * 4,
    *["default", "transfer", "copy"],
    *_CALLS,
    *["free", "deallocate", "make_constant", "make_bytes_constant"],
]


def _value(type: Scalar, number: int) -> str:
    return f"{type}({number})"

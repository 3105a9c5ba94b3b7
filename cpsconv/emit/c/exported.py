"""Functions that other C files call with structs by value, or with variable arguments.

The functions of the program take pointers to structs and to variable arguments. Other files call a definition of the
name in C, which passes these pointers::

    struct point moved(struct point p, int n, ...) {
        struct point result;
        va_list arguments;
        va_start(arguments, n);
        moved_by_pointers(&result, &p, n, arguments);
        va_end(arguments);
        return result;
    }
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cpsconv.emit.c.items import Items
from cpsconv.emit.c.names import assembler_name
from cpsconv.ir import VOID, Function, Program
from cpsconv.linking import is_complete, is_visible
from cpsconv.text.plan import UniqueNames


def exported_functions(program: Program) -> list[Function]:
    """The functions of an incomplete program that other files call with a signature in C."""
    if is_complete(program):
        return []
    return [each for each in program.functions if each.c_signature and is_visible(each)]


def inner_names(names: Mapping[str, str], functions: Collection[Function], reserved: Collection[str]) -> dict[str, str]:
    """The names of the functions that take pointers, by the names of the exported functions."""
    unique = UniqueNames({*reserved, *names.values()}).unique
    return {each.name: unique(f"{names[each.name]}_by_pointers") for each in functions}


def exported(function: Function, name: str, items: Items) -> str:
    """The definition of an exported function with that name."""
    signature, passed, listed = function.c_signature, list[str](), list[str]()
    assert signature
    before, after = list[str](), list[str]()
    result = items.result_pattern(function)
    parameters = items.parameter_patterns(function)
    if signature.is_variadic:
        parameters.pop()
    for number, pattern in enumerate(parameters):
        own = f"p{number}"
        if number in signature.structs:
            tag = items.tags[signature.structs[number]]
            passed.append(f"({pattern.format('').strip()})&{own}")
            if signature.returns_struct and number == 0:
                result, before, after = f"{tag} {{}}", [f"{tag} {own};"], [f"return {own};"]
                continue
            pattern = f"{tag} {{}}"
        else:
            passed.append(own)
        listed.append(pattern.format(own))
    if signature.is_variadic:
        items.headers.add("stdarg.h")
        before += ["va_list arguments;", f"va_start(arguments, p{len(parameters) - 1});"]
        after[:0] = ["va_end(arguments);"]
        passed.append("(void *)arguments")
        listed.append("...")
    call = f"{items.functions[function.name]}({', '.join(passed)});"
    if function.result is not VOID:
        before.append(f"{items.result_pattern(function).format('returned')};")
        call, after = f"returned = {call}", [*after, "return returned;"]
    header = result.format(f"{name}({', '.join(listed) or 'void'})")
    lines = [f"{header} {{", *(f"    {line}" for line in (*before, call, *after)), "}\n"]
    if end := assembler_name(name, function.name):
        lines.insert(0, f"{header}{end};")
    return "\n".join(lines)

"""Functions that adapt calls: through pointers with structs, and from other C files with variable arguments.

The functions of the program take and return structs by value. The types of pointers to functions have no structs, so
such a pointer points to a function that takes pointers to the structs::

    static void moved_by_pointers(struct point *result, struct point *p, int n) {
        *result = moved(*p, n);
    }

The functions of the program take a pointer to their variable arguments. Other files call a definition of the name in C,
which passes this pointer::

    int sum(int n, ...) {
        va_list arguments;
        va_start(arguments, n);
        int returned = sum_of_list(n, arguments);
        va_end(arguments);
        return returned;
    }
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cpsconv.core.ir import VOID, Function, Parameter, Program
from cpsconv.core.text.plan import UniqueNames
from cpsconv.platform.linking import is_complete, is_visible
from cpsconv.targets.c.items import Items, returns_struct
from cpsconv.targets.c.names import assembler_name


def variadic_functions(program: Program) -> list[Function]:
    """The functions of an incomplete program that other files call with variable arguments."""
    if is_complete(program):
        return []
    return [
        each for each in program.functions if each.c_signature and each.c_signature.is_variadic and is_visible(each)
    ]


def inner_names(names: Mapping[str, str], functions: Collection[Function], reserved: Collection[str]) -> dict[str, str]:
    """The names of the functions that take a pointer to their variable arguments."""
    unique = UniqueNames({*reserved, *names.values()}).unique
    return {each.name: unique(f"{names[each.name]}_of_list") for each in functions}


def variadic(function: Function, name: str, items: Items) -> str:
    """The definition, with that name, of a function with variable arguments."""
    *parameters, _ = items.parameter_patterns(function)[returns_struct(function) :]
    names = [f"p{number}" for number in range(len(parameters))]
    items.headers.add("stdarg.h")
    listed = [pattern.format(own) for pattern, own in zip(parameters, names, strict=True)]
    result = items.result_pattern(function)
    header = result.format(f"{name}({', '.join([*listed, '...'])})")
    call = f"{items.names.functions[function.name]}({', '.join([*names, '(void *)arguments'])})"
    has_result = function.result is not VOID or returns_struct(function)
    lines = [
        *(f"{header}{end};" for end in [assembler_name(name, function.name)] if end),
        f"{header} {{",
        "    va_list arguments;",
        f"    va_start(arguments, {names[-1]});",
        f"    {result.format('returned')} = {call};" if has_result else f"    {call};",
        "    va_end(arguments);",
        *["    return returned;"] * has_result,
        "}\n",
    ]
    return "\n".join(lines)


def by_pointers(function: Function, items: Items, symbol: str | None) -> tuple[str, str]:
    """The declaration and the definition of the function that pointers to the function point to.

    Other files define the same function if it has a `symbol`.
    """
    listed, passed = list[str](), list[str]()
    for number, (parameter, pattern) in enumerate(
        zip(function.parameters, items.pointer_patterns(function), strict=False)
    ):
        own = f"p{number}"
        listed.append(pattern.format(own))
        passed.append(_loaded(own, parameter, items))
    result = "void {}" if returns_struct(function) else items.result_pattern(function)
    signature = result.format(f"{items.names.by_pointers[function]}({', '.join(listed)})")
    declaration = f'{signature} __asm__("{symbol}") __attribute__((weak));' if symbol else f"static {signature};"
    call = f"{items.names.functions[function.name]}({', '.join(passed[returns_struct(function) :])})"
    if returns_struct(function):
        call = _stored("p0", function.parameters[0], call, items)
    elif function.result is not VOID:
        call = f"return {call}"
    return declaration, f"{'' if symbol else 'static '}{signature} {{\n    {call};\n}}\n"


def _loaded(name: str, parameter: Parameter, items: Items) -> str:
    """The parameter of that name, or the struct that it points to."""
    struct = items.by_value.get(parameter)
    if struct is None:
        return name
    return f"*{name}" if items.types.is_direct(parameter, struct) else f"{items.helper('load', struct)}({name})"


def _stored(name: str, parameter: Parameter, value: str, items: Items) -> str:
    """The statement that stores the struct that the parameter of that name points to."""
    struct = items.by_value[parameter]
    if items.types.is_direct(parameter, struct):
        return f"*{name} = {value}"
    return f"{items.helper('store', struct)}({name}, {value})"

"""The symbols of several programs: one definition of each name, with which all declarations agree."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cpsconv.abi.attributes import LAZILY_BOUND, c_signature, is_thread_local, is_variadic, symbol_of
from cpsconv.abi.libraries import library_of
from cpsconv.abi.linking.lazy_binding import bind_lazily
from cpsconv.abi.linking.references import Global, is_visible, references, replace_by_null
from cpsconv.abi.linking.unused_results import is_result_unused
from cpsconv.abi.prototypes import PROVIDED
from cpsconv.core import ir
from cpsconv.core.analysis.graph import addressed_functions, depth_first, functions_used
from cpsconv.core.attributes import REPLACEABLE, with_flag
from cpsconv.core.source import Diagnostic, DiagnosticError, Note, error, warning
from cpsconv.core.text.items import object_type_text

RULES = {
    "duplicate-symbol": "a function or variable that two linked programs define",
    "symbol-type": "a declaration that does not agree with that in another linked program",
    "undefined-symbol": "a use of a function or variable that no linked program defines, nor C's library",
}
"""The rules that diagnostics of linking name."""


class Symbols:
    """The definitions of the names in `programs`, and the declaration or definition that each declaration stands for.

    `found` has the definitions by name, that in object files if it is another one. `targets` has the definition of each
    declared function or data, of each weak definition that another one replaces, and of each function `external.f` that
    pointers to `f` point to; without a definition, the first declaration of the name. `errors` has what is wrong, and
    `warnings` what only works because no call uses a result.
    """

    def __init__(self, programs: Sequence[ir.Program]) -> None:
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self.found: dict[str, Global] = {}
        self.targets: dict[Global, Global] = {}
        definitions: list[tuple[Global, str, ir.Program]] = []
        for program in programs:
            own: list[Global] = [*program.data, *program.functions]
            definitions += [(each, symbol_of(each), program) for each in own if is_visible(each)]
        definitions.sort(key=lambda found: found[0].is_replaceable)  # those that are not weak first
        for definition, name, program in definitions:
            self._define(definition, name, program)
        for program in programs:
            declarations: list[Global] = [*program.external_data, *program.externals]
            for declared in declarations:
                target = self.targets[declared] = self.found.setdefault(declared.name, declared)
                if target is not declared:
                    self._compare(declared, target, program)
                    self._point_to(target, program.function(f"external.{declared.name}"))
                    if _is_external(target):
                        for flag in {REPLACEABLE, LAZILY_BOUND} - declared.attributes.keys():
                            target.attributes = with_flag(target.attributes, flag, False)

    def _point_to(self, definition: Global, caller: ir.Function | None) -> None:
        """Let pointers to a function point to its definition, and not to the function of a program that calls it."""
        if caller and caller.is_local and isinstance(definition, ir.Function) and definition.type == caller.type:
            self.targets[caller] = definition

    def _define(self, definition: Global, name: str, program: ir.Program) -> None:
        first = self.found.setdefault(name, definition)
        if first is definition:
            return
        if definition.is_replaceable:
            self.targets[definition] = first
            self._compare(definition, first, program)
            return
        notes: list[Note] = [("it is first defined here", first.span)]
        message = f"`{definition.name}` is defined in two files"
        help = "the definition in one of them can be `static`, or a declaration with `extern`"
        self.errors.append(error(message, definition.span, help=help, notes=notes, rule="duplicate-symbol"))

    def _compare(self, declared: Global, other: Global, program: ir.Program) -> None:
        """Report a declaration, in a program, that does not agree with the definition, or the first declaration."""
        if _agree(declared, other):
            return
        verb = "declared" if _is_external(other) else "defined"
        notes: list[Note] = [(f"it is {verb} here", other.span)]
        message = f"`{declared.name}` is declared as {_shown(declared)}, but {verb} elsewhere as {_shown(other)}"
        if is_result_unused(program, declared, other):
            self.warnings.append(warning(message, declared.span, notes=notes, rule="lto-type-mismatch"))
        else:
            self.errors.append(error(message, declared.span, notes=notes, rule="symbol-type"))


def _is_external(symbol: Global) -> bool:
    """Whether a function or data is declared, but not defined."""
    return symbol.transfer is None if isinstance(symbol, ir.Function) else isinstance(symbol, ir.ExternalData)


def _shown(symbol: Global) -> str:
    if isinstance(symbol, ir.Function):
        return f"a function of the type `{symbol.type}`"
    kind = "thread-local variable" if is_thread_local(symbol) else "variable"
    return f"a {kind} of the type `{object_type_text(symbol.object_type)}`"


# ------------------------------------------------------------------------------------------------ agreement of types


def _agree(declared: Global, other: Global) -> bool:
    """Whether a declaration agrees with a definition or another declaration."""
    if isinstance(declared, ir.Data) and isinstance(other, ir.Data):
        is_alike = is_thread_local(declared) is is_thread_local(other)
        one, another = declared.object_type, other.object_type
        if isinstance(one, ir.Array) and declared.is_replaceable and not _is_external(declared):
            one = ir.Array(one.element, 0)  # the definition that replaces it has its own length
        return is_alike and _same(one, another)
    if not isinstance(declared, ir.Function) or not isinstance(other, ir.Function):
        return False
    return declared.type == other.type or takes_variable_arguments(declared, other)


def takes_variable_arguments(declared: ir.Function, defined: ir.Function) -> bool:
    """Whether a function that is declared with variable arguments is defined with the pointer to them."""
    if not is_variadic(declared) or defined.transfer is None:
        return False
    types = declared.type.parameters
    end = types.index(ir.MEMORY) if ir.MEMORY in types else len(types) - 1
    return defined.type == ir.ContinuationType((*types[:end], ir.PTR, *types[end:]))


def _same(declared: ir.ObjectType, defined: ir.ObjectType) -> bool:
    """Whether the types are the same, except that an array may be open, and a struct may end with an open array.

    (Recursive: types are nested at most `MAX_TYPE_DEPTH` deep.)
    """
    if isinstance(declared, ir.Scalar) or isinstance(defined, ir.Scalar):
        return declared is defined
    if isinstance(declared, ir.Array) and isinstance(defined, ir.Array):
        return declared.length in (0, defined.length) and _same(declared.element, defined.element)
    if isinstance(declared, ir.Struct) and isinstance(defined, ir.Struct) and declared.name == defined.name:
        fields = zip(declared.fields.values(), defined.fields.values(), strict=False)
        same_number = len(declared.fields) == len(defined.fields)
        return same_number and all(a.offset == b.offset and _same(a.type, b.type) for a, b in fields)
    return declared.size in (0, defined.size)


# --------------------------------------------------------------------------------------------------------- undefined


def is_complete(program: ir.Program) -> bool:
    """Whether the program has a `main`, and it or C's library defines all its names, of which none is weak."""
    has_weak = any(each.is_replaceable for each in program.globals)
    return program.function("main") is not None and not has_weak and not _without_definition(program)


def _without_definition(program: ir.Program) -> set[Global]:
    declared: list[Global] = [*program.external_data, *program.externals]
    return {each for each in declared if each.name not in PROVIDED and not library_of(each.name)}


def require_defined(program: ir.Program, start: str = "main") -> None:
    """Require that the program or C's library defines all names that the program uses.

    Weak names without a definition are replaced by null, in place, and `bind_lazily` defines others. Static functions
    that nothing uses do not count, as in C, except the function `start`. If they use names without a definition, they
    are removed, in place. Raises `DiagnosticError` with the other uses of such names.
    """
    missing = _without_definition(program)
    if not missing:
        return
    replace_by_null(program, {each for each in missing if each.is_replaceable})
    program.functions = _linked_functions(program, start)
    if found := _missing(program, bind_lazily(program, missing)):
        raise DiagnosticError(found)
    program.external_data = [each for each in program.external_data if each not in missing]
    program.externals = [each for each in program.externals if each not in missing]


def _missing(program: ir.Program, missing: Collection[Global]) -> list[Diagnostic]:
    """An error for each of the `missing` names that the program uses."""
    found: dict[Global, Diagnostic] = {}
    for used, span in references(program, program.functions):
        if used in missing and used not in found:
            is_declared = used.span is not None and (span is None or used.span.start != span.start)
            notes: list[Note] = [("it is declared here", used.span)] if is_declared else []
            message = f"`{used.name}` is {'declared and ' * is_declared}used, but not defined"
            found[used] = error(message, span or used.span, notes=notes, rule="undefined-symbol")
    return [*found.values()]


def _linked_functions(program: ir.Program, start: str) -> list[ir.Function]:
    """The functions that are not static, the function `start`, and those that they or the data use."""
    roots = [each for each in program.functions if is_visible(each) or each.name == start]
    roots += [
        target for data in program.data for target, _ in data.addresses.values() if isinstance(target, ir.Function)
    ]
    reached = {function for function, _ in depth_first(roots, functions_used)}
    return [function for function in program.functions if function in reached]


# ----------------------------------------------------------------------------------------------- pointers to functions


def shared_functions(program: ir.Program) -> dict[ir.Function, str]:
    """The functions that pointers to functions of C with structs point to, with their symbols.

    They take pointers to the structs. Each file that takes the address of the function of C has such a function, of
    which the linker keeps one for each symbol: so pointers to the same function are equal in all files of a program.
    """
    if is_complete(program):
        return {}
    external = {f"external.{each.name}": each.name for each in program.externals}
    named = {each: external[each.name] for each in program.functions if each.name in external}
    named |= {each: symbol_of(each) for each in program.functions if is_visible(each)}
    return {
        each: f"cpsconv.by_pointers.{named[each]}"
        for each in addressed_functions(program)
        if each in named and (signature := c_signature(each)) and signature.structs
    }

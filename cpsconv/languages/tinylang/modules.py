"""The modules of a program: the file, and the modules that it imports, from files in the same folder."""

from __future__ import annotations

from os.path import dirname

from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, error
from cpsconv.languages.permissions import Confinement, imported_path, imported_source
from cpsconv.languages.tinylang.scopes import IN_OUT
from cpsconv.languages.tinylang.text import parse
from cpsconv.languages.tinylang.tree import Module, Word

SUFFIX = ".mod"


def modules_of(source: Source) -> list[Module]:
    """The modules of the program, each after those that it imports; the last one is that of the source.

    Raises `DiagnosticError` for a syntax error, a file that cannot be read, and modules that import each other.
    """
    main = parse(source)
    modules = {main.name.text: main}
    errors: list[Diagnostic] = []
    pending = [main]
    confinement = Confinement(source)
    for module in pending:
        for name in (each for each in imported(module) if each.text not in modules):
            try:
                found = _read(name, dirname(source.name), confinement)
            except DiagnosticError as failure:
                errors += failure.diagnostics
                continue
            if found:
                modules[name.text] = found
                pending.append(found)
    if errors:
        raise DiagnosticError(errors)
    return _in_order(main, modules)


def imported(module: Module) -> list[Word]:
    """The names of the modules that the module imports."""
    return [name for each in module.imports for name in ([each.module] if each.module else each.names)]


def _read(name: Word, folder: str, confinement: Confinement) -> Module | None:
    """The imported module; None if it is that of output. Raises `DiagnosticError`."""
    path = imported_path(name.text + SUFFIX, [folder], confinement, name.span)
    if path is None:
        if name.text != IN_OUT:
            help = f"a module is imported from a file of its name in the same folder, `{name.text}{SUFFIX}`"
            raise DiagnosticError([error(f"there is no module `{name.text}`", name.span, help=help, rule="import")])
        return None
    module = parse(imported_source(path, name.span))
    if module.name.text != name.text:
        message = f"the file `{name.text}{SUFFIX}` contains the module `{module.name.text}`"
        notes = [(f"`{name.text}` is imported here", name.span)]
        raise DiagnosticError([error(message, module.name.span, notes=notes, rule="import")])
    return module


def _in_order(main: Module, modules: dict[str, Module]) -> list[Module]:
    """The modules, each after those that it imports."""

    def imports(name: str) -> list[str]:
        return [each.text for each in imported(modules[name]) if each.text in modules]

    order = [*strongly_connected_components([main.name.text], imports)]
    for group in order:
        for name in (each for each in imported(modules[group[0]]) if each.text in group):
            message = f"module `{name.text}` imports itself{'' if len(group) == 1 else ', by the modules it imports'}"
            raise DiagnosticError([error(message, name.span, rule="import")])
    return [modules[name] for (name,) in order]

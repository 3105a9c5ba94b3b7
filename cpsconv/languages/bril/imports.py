"""The modules of a program: the file, and the files that it imports functions from."""

from __future__ import annotations

import os
from os.path import dirname, realpath

from cpsconv.core.source import STANDARD_INPUT, Diagnostic, DiagnosticError, Source, Span, did_you_mean, error
from cpsconv.languages.bril.json_text import parse_json
from cpsconv.languages.bril.text import parse_text
from cpsconv.languages.bril.tree import Function, Import, Module, Word
from cpsconv.languages.permissions import Confinement, imported_path, imported_source

LIBRARIES = "BRIL_PATH"
"""The environment variable with further folders in which imported files are searched."""


def functions_of(source: Source, errors: list[Diagnostic]) -> list[Function]:
    """The functions of the program: those of the source, then those of the modules that it imports, with their scopes.

    Adds syntax errors, files that cannot be read, and wrong or duplicate names to `errors`.
    """
    main = _parse(source, errors)
    modules, pending = {_key(source.name): main}, [(source.name, main)]
    imported: dict[Import, Module] = {}
    confinement = Confinement(source, _libraries())
    for path, module in pending:
        for each in module.imports:
            try:
                found = _found(each.path, path, confinement)
                if _key(found) not in modules:
                    modules[_key(found)] = _parse(imported_source(found, each.path.span), errors)
                    pending.append((found, modules[_key(found)]))
            except DiagnosticError as failure:
                errors += failure.diagnostics
                continue
            imported[each] = modules[_key(found)]
    for module in modules.values():
        _resolve(module, imported, errors)
    return [function for module in modules.values() for function in module.functions]


def _parse(source: Source, errors: list[Diagnostic]) -> Module:
    """The module. JSON begins with a brace or bracket; no text does."""
    parse = parse_json if source.text.lstrip()[:1] in ("{", "[") else parse_text
    return parse(source, errors)


def _key(path: str) -> str:
    return path if path == STANDARD_INPUT else realpath(path)


def _libraries() -> list[str]:
    return [*filter(None, os.environ.get(LIBRARIES, "").split(os.pathsep))]


def _found(path: Word, importer: str, confinement: Confinement) -> str:
    """The file: beside the importing one, or else in one of the libraries. Raises `DiagnosticError`."""
    found = imported_path(path.text, [dirname(importer), *_libraries()], confinement, path.span)
    if found is None:
        help = f"`{LIBRARIES}` can name further folders with imported files"
        raise DiagnosticError([error(f"there is no file `{path.text}`", path.span, help=help, rule="import")])
    return found


def _resolve(module: Module, imported: dict[Import, Module], errors: list[Diagnostic]) -> None:
    """Give the functions of the module their scope: themselves, and the imported functions."""
    scope: dict[str, Function] = {}
    for function in module.functions:
        _define(scope, function.name.text, function, function.name.span, errors)
    for each in filter(imported.get, module.imports):
        known = {function.name.text: function for function in imported[each].functions}
        for name, alias in each.names:
            if name.text in known:
                _define(scope, alias.text, known[name.text], alias.span, errors)
            else:
                message = f"`{each.path.text}` has no function `{name.text}`"
                errors.append(error(message, name.span, help=did_you_mean(name.text, known), rule="undeclared"))
    for function in module.functions:
        function.scope = scope


def _define(scope: dict[str, Function], name: str, function: Function, span: Span, errors: list[Diagnostic]) -> None:
    if name in scope:
        errors.append(error(f"there are multiple functions of name `{name}`", span, rule="redefined"))
    scope[name] = function

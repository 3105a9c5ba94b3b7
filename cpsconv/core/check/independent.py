"""The second checker, `checker/check.py`, which shares no code with this package (docs/certificate.md)."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from os.path import join
from types import ModuleType

from cpsconv.core.generated import data_folder
from cpsconv.core.source import Diagnostic, error

CHECKER = join(data_folder("checker"), "check.py")
"""The file of the checker."""


def independent_faults(document: str) -> list[str]:
    """The reasons why the second checker refuses a document (docs/record.md): none, or the first difference.

    Raises `ValueError` if the text is no such document, and `OSError` if the file of the checker is missing.
    """
    found: str | None = checker().fault(json.loads(document))
    return [] if found is None else [found]


def certify_independently(document: str) -> list[Diagnostic]:
    """The same as errors."""
    help = "this is a fault of cpsconv or of its second checker, not of its input; please report it"
    faults = independent_faults(document)
    return [error(f"second checker: {fault}", help=help, rule="certificate") for fault in faults]


@cache
def checker() -> ModuleType:
    """The second checker as a module. Raises `OSError` if its file is missing."""
    specification = spec_from_file_location("cpsconv_second_checker", CHECKER)
    assert specification and specification.loader
    module = module_from_spec(specification)
    specification.loader.exec_module(module)
    return module

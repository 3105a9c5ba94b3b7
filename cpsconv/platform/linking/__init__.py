"""The linking of programs to one: names, declarations and definitions across files, as in C.

`link` joins programs: each declaration refers to the definition of the same name, and what is static stays separate.
`require_defined` reports the names that no program defines. `replace_references` changes what the references of a
program refer to; libraries are linked with it, too (`cpsconv.platform.library`).
"""

from __future__ import annotations

from cpsconv.platform.linking.linker import link
from cpsconv.platform.linking.references import Global, is_visible, replace_references
from cpsconv.platform.linking.symbols import RULES, is_complete, require_defined, shared_functions

__all__ = [
    "RULES",
    "Global",
    "is_complete",
    "is_visible",
    "link",
    "replace_references",
    "require_defined",
    "shared_functions",
]

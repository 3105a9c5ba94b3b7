"""The linking of programs to one: names, declarations and definitions across files, as in C.

`link` joins programs: each declaration refers to the definition of the same name, and what is static stays separate.
`require_defined` reports the names that no program defines.
"""

from __future__ import annotations

from cpsconv.abi.linking.linker import link
from cpsconv.abi.linking.references import Global, is_visible
from cpsconv.abi.linking.symbols import RULES, is_complete, require_defined, shared_functions

__all__ = ["RULES", "Global", "is_complete", "is_visible", "link", "require_defined", "shared_functions"]

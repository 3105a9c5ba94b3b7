"""The front end for LLVM IR, as text or bitcode, and the emitter of such programs (docs/llvm.md).

LLVM parses, verifies and prints the module in one normal form (`normal_form`), in a process of its own (`child`).
`module_text` divides this text into functions, blocks and lines; a line is the text of a foreign operation with holes
for local values (`foreign_text`). `promotion` finds the allocations that become variables; `lowering` constructs the
program. `writer` writes it as a module again. `module_source` locates messages in the user's files (`places`).

All that is not promoted remains as it is. Types are read where values need them (`types`, `forms`).
"""

from __future__ import annotations

from functools import lru_cache

from cpsconv.core.source import Source
from cpsconv.languages import Lowering as AnyLowering
from cpsconv.languages.llvm.debug_info import DebugInfo
from cpsconv.languages.llvm.lowering import Lowering, Module
from cpsconv.languages.llvm.module_source import ModuleSource
from cpsconv.languages.llvm.module_text import divide
from cpsconv.languages.llvm.normal_form import normal_form
from cpsconv.languages.ours import current_choice

PATTERNS = {
    "COMMENT": r";[^\n]*",
    "STRING": r'c?"[^"]*"',
    "LABEL": r"[-\w$.]+:",
    "FUNCTION": r"@[-\w$.]+",
    "ATTRIBUTE": r"[#!][-\w$.]+",
    "VARIABLE": r"%[-\w$.]+",
    "NUMBER": r"-?\d[\w.+]*",
}
"""The tokens that editors show, as those of a grammar; LLVM has its own parser."""

_KEYWORDS = (
    "add alloca and br call constant declare define double fadd fcmp fdiv float fmul fpext fptosi fptrunc fptoui fsub "
    "getelementptr global icmp inttoptr invoke label load lshr mul or phi ptr ptrtoint ret sdiv select sext shl "
    "sitofp srem store sub switch to trunc udiv uitofp unreachable urem void xor zext"
)
KEYWORDS = (*_KEYWORDS.split(),)
"""The words that editors complete."""

RULES = {"syntax": "a text or bitcode that LLVM's parser or verifier rejects"}
"""The rules that diagnostics of LLVM IR name, with the violation that each of them denotes."""


def read(source: Source) -> AnyLowering:
    """Parse and verify the module. Raises `DiagnosticError` if LLVM rejects it, or llvmlite is missing."""
    return _read(source, current_choice("llvm"))


@lru_cache(1)
def _read(source: Source, choice: str) -> AnyLowering:
    """The lowering of a module. The last one is kept: several conversions of a source parse it once."""
    text = normal_form(source)
    debug = DebugInfo(text)
    located = ModuleSource(source.name, text, original=source, debug=debug)
    module = Module(divide(located), located, debug)
    if choice == "none":
        return Lowering(module)
    from cpsconv.languages.llvm.ours.lowering import OursLowering  # the other choice needs none of it

    return OursLowering(module, whole=choice == "all")

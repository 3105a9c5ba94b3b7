"""The method, for any language: programs, construction, analyses, passes, the CPS language, checks and JSON."""

NAMES: dict[str, str] = {}
"""Names by those in `cpsconv.core.operations.names`, which they replace in programs, texts and messages.

They are set before other modules of the core are loaded.
"""

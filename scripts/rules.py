#!/usr/bin/env python3
"""Usage: scripts/rules.py

Updates the table of all rules of diagnostics in docs/diagnostics.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "diagnostics.md"
START, END = "<!-- rules -->\n", "<!-- end -->\n"


def updated(page: str) -> str:
    """The page with the current table."""
    from cpsconv.cli.diagnostics import rules

    before, _, rest = page.partition(START)
    rows = "".join(f"| `{rule}` | {description} |\n" for rule, description in rules().items())
    return f"{before}{START}\n| rule | broken by |\n|---|---|\n{rows}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

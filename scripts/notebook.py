#!/usr/bin/env python3
"""Usage: scripts/notebook.py [OUT]

Executes docs/notebooks/paper.ipynb and writes it back with its new outputs, or to OUT. What differs from one run to the
next is left out, so that nothing changes where no output does. Needs Graphviz, nbclient and ipykernel
(pip install -e .[test]).
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = ROOT / "docs" / "notebooks" / "paper.ipynb"
_PRIVATE = Config({"KernelManager": {"transport": "ipc"}} if os.name == "posix" else {})  # no ports that others see


def main() -> None:
    """Do what the usage says."""
    if not shutil.which("dot"):
        sys.exit("the notebook has pictures, and there is no Graphviz to draw them (https://graphviz.org/download)")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(notebook, config=_PRIVATE, timeout=120, coalesce_streams=True, record_timing=False)
    client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    settle(notebook)
    nbformat.write(notebook, sys.argv[1] if len(sys.argv) > 1 else NOTEBOOK)


def settle(notebook: NotebookNode) -> None:
    """Leave out of an executed notebook what tells of this run only: times, names of cells, versions."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number}"


if __name__ == "__main__":
    main()

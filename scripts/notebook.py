#!/usr/bin/env python3
"""Usage: scripts/notebook.py [OUT]

Executes docs/notebooks/paper.ipynb and writes it back with its new outputs, or to OUT. Data that differ between runs
are removed, so the file changes only if an output does. Requires Graphviz, nbclient and ipykernel
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
_PRIVATE = Config({"KernelManager": {"transport": "ipc"}} if os.name == "posix" else {})  # no visible ports


def main() -> None:
    """Execute the notebook and write it."""
    if not shutil.which("dot"):
        sys.exit("the notebook has pictures, and there is no Graphviz to draw them (https://graphviz.org/download)")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(notebook, config=_PRIVATE, timeout=120, coalesce_streams=True, record_timing=False)
    client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    settle(notebook)
    nbformat.write(notebook, sys.argv[1] if len(sys.argv) > 1 else NOTEBOOK)


def settle(notebook: NotebookNode) -> None:
    """Remove data of this run from an executed notebook: times, names of cells, versions."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number}"


if __name__ == "__main__":
    main()

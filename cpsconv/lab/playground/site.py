"""The files of the page: its parts, the bundle of the editor, and ``facts.js``, which has the tables of the package."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Any

from cpsconv.core.construction import STRATEGIES
from cpsconv.core.generated import data_folder
from cpsconv.core.grammar import tables_of
from cpsconv.core.source import read_source
from cpsconv.engines import ENGINES
from cpsconv.lab.bundles import bundle
from cpsconv.lab.playground.engine import EXERCISES, Engine
from cpsconv.lab.playground.views import VIEWS, Request
from cpsconv.languages import CPS, LANGUAGES, language_of, module_of
from cpsconv.targets import TARGETS

PARTS = Path(__file__).parent / "parts"

_FILES = ("playground.css", "code.css", "playground.js", "state.js", "requests.js", "code.js", "splitter.js")
"""The parts that both deliveries have, besides ``index.html``."""

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "data:",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "frame-src": "blob:",
    "base-uri": "'none'",
    "form-action": "'none'",
}
"""The content security policy: nothing comes from elsewhere. The page of `explain`, in a frame, inherits it."""


def site_files(answer: Engine, delivery: str) -> dict[str, bytes]:
    """The files of the page by name; ``index.html`` is the page.

    `delivery` is the part that asks the engine: ``server.js`` sends requests to the server, ``browser.js`` to a worker.
    """
    policy = _policy(answer({"view": "page", "text": "int f(void) { return 0; }"})["output"])
    page = Template(_part("index.html")).substitute(policy=policy)
    facts = json.dumps(_facts(answer), ensure_ascii=False)
    texts = {name: _part(name) for name in _FILES}
    texts |= {"index.html": page, "engine.js": _part(delivery), "editor.js": bundle("editor")}
    texts["facts.js"] = f"export default {facts};\n"
    return {name: text.encode() for name, text in texts.items()}


def _part(name: str) -> str:
    return (PARTS / name).read_text(encoding="utf-8")


def _policy(explained: str) -> str:
    """The policy, which also allows the script and the style that a page of `explain` contains."""
    hashes = {name: re.findall(rf"{name} ('sha256-[^']+')", explained) for name in ("script-src", "style-src")}
    return "; ".join(" ".join([name, value, *hashes.get(name, [])]) for name, value in _POLICY.items())


def _facts(answer: Engine) -> dict[str, Any]:
    exercises = {path.stem: path.read_text(encoding="utf-8") for path in sorted(Path(EXERCISES).glob("*.c"))}
    return {
        "defaults": Request()._asdict(),
        "views": {name: view.title for name, view in VIEWS.items() if view.title},
        "languages": {name: _tokens(name) for name in LANGUAGES},
        "strategies": {name: strategy.description for name, strategy in STRATEGIES.items()},
        "targets": [*TARGETS],
        "engines": {name: engine.description for name, engine in ENGINES.items()},
        "exercises": exercises,
        "menu": {
            "Figures of the paper": dict(_examples("fig*.c")),
            "Examples": {name: each for name, each in _examples("*.*") if not name.startswith("fig")},
            "Exercises": {name: _exercise(name, text, answer) for name, text in exercises.items()},
        },
    }


def _tokens(language: str) -> dict[str, Any]:
    """The keywords of a language, and the patterns of its other tokens: those of its grammar, or of its module."""
    module = module_of(language) if LANGUAGES[language].module else None
    keywords, patterns = [*getattr(module, "KEYWORDS", ())], getattr(module, "PATTERNS", None)
    if patterns is None:
        tables = tables_of(language)
        patterns = tables.patterns
        keywords = [*(text for text in tables.spellings if re.fullmatch(r"\w\w+", text)), *keywords]
    return {"keywords": keywords, "patterns": patterns}


def _examples(pattern: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The examples, as settings of the page by name; the comment ``run:`` has the arguments."""
    for path in sorted(Path(data_folder("examples")).glob(pattern)):
        if language := language_of(path.name):
            text = read_source(str(path)).text
            arguments = re.search(r"^\W* run: (.*?)(?: \*\))?$", text, re.MULTILINE)
            yield path.name, {"language": language, "text": text, "arguments": arguments[1] if arguments else ""}


def _exercise(name: str, text: str, answer: Engine) -> dict[str, str]:
    """The settings for an exercise: CPS text to complete, with the first line of the solution."""
    signature = answer({"text": text})["output"].partition("\n")[0]
    return {"view": "exercise", "language": CPS, "text": f"{signature}\n  \n}}\n", "exercise": name}

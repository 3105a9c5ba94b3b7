"""The playground: its engine answers with the output of the commands, and its server refuses requests of others."""

from __future__ import annotations

import base64
import http.client
import json
import os
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from cpsconv.cli.playground import answer, answer_text
from cpsconv.lab.playground import VIEWS, Request, link
from cpsconv.lab.playground.server import MAX_BODY
from cpsconv.lab.playground.site import site_files
from cpsconv.languages import LANGUAGES, language_of
from cpsconv.targets import TARGETS
from testing.effort import is_full
from testing.playground import Served, serving
from tests.conftest import Run

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
GCD = (EXAMPLES / "gcd.c").read_text(encoding="utf-8")

posix = pytest.mark.skipif(os.name != "posix", reason="the server requires a POSIX system")


# ----------------------------------------------------------------------------------------------------------- engine

COMMANDS: dict[str, list[str]] = {
    "cps": ["convert", "program.c"],
    "phi": ["convert", "--emit=ssa", "program.c"],
    "page": ["explain", "--html=-", "program.c"],
    "why": ["why", "program.c"],
    "names": ["why", "program.c", "--json"],
    "run": ["run", "program.c"],
    "check": ["check", "--diagnostics=json", "program.c"],
    "exercise": ["check", "--against=maximum.c", "program.c"],
}
"""The views with output that depends on nothing but the program. The times of `compare` do."""


@pytest.mark.parametrize("view", COMMANDS)
def test_a_view_is_what_its_command_prints(cpsconv: Run, view: str) -> None:
    Path("program.c").write_text(GCD, encoding="utf-8")
    Path("maximum.c").write_bytes((ROOT / "docs/course/exercises/maximum.c").read_bytes())
    expected = cpsconv(*COMMANDS[view])
    found = answer({"view": view, "text": GCD})
    assert found["command"] == " ".join(["cpsconv", *COMMANDS[view]])
    assert (found["status"], found["output"], found["errors"]) == expected


@pytest.mark.parametrize("target", TARGETS)
def test_a_program_is_emitted_as_its_command_does(cpsconv: Run, target: str) -> None:
    text = (EXAMPLES / "fig8.c").read_text(encoding="utf-8")
    Path("program.c").write_text(text, encoding="utf-8")
    found = answer({"view": "emit", "target": target, "text": text})
    assert (found["status"], found["output"], found["errors"]) == cpsconv("convert", f"--emit={target}", "program.c")


def test_settings_are_options_of_the_commands() -> None:
    given = {"text": GCD, "strategy": "basic", "optimise": True, "minimal": False, "layout": "flat"}
    given["names"] = "numbered"
    options = {
        "cps": "convert --strategy=basic -O --no-minimal --layout=flat --names=numbered program.c",
        "phi": "convert --strategy=basic -O --no-minimal --emit=ssa --names=numbered program.c",
        "page": "explain --strategy=basic -O --no-minimal --html=- program.c",
        "compare": "compare -O --no-minimal program.c",
        "run": "run --strategy=basic -O --no-minimal program.c",
    }
    for view, words in options.items():
        found = answer({**given, "view": view})
        assert found["command"] == f"cpsconv {words}" and found["status"] == 0, found
    found = answer({"view": "run", "text": GCD, "function": "gcd", "arguments": "12 -18", "engine": "machine"})
    assert found["command"] == "cpsconv run --engine=machine program.c:gcd -- 12 -18" and found["output"] == "-6\n"
    found = answer({"view": "why", "text": GCD, "name": "gcd:while.b1", "strategy": "marker"})
    assert found["command"] == "cpsconv why --strategy=marker program.c:gcd -- while.b1" and found["status"] == 0
    assert "while" in found["output"]


def test_views_of_a_conversion_say_that_they_need_another_language_than_cps() -> None:
    text = "f(x : int, ret : int → ⊥) → ⊥ {\n  ret(x)\n}\n"
    for view, verb in {"page": "explain", "compare": "compare"}.items():
        found = answer({"view": view, "language": "cps", "text": text})
        assert found["status"] == 1 and f"help: {verb} a program in another language" in found["errors"]


def test_a_browser_says_that_it_cannot_parse_javascript(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    for view in ("cps", "run", "why"):
        found = answer(Request(text=f"// {view}\nf();", language="javascript", view=view)._asdict())
        assert found["errors"].startswith("error: a browser has no parser for JavaScript"), found


def test_a_run_reads_its_input_and_has_limits() -> None:
    text = "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c + 1); return 3; }"
    found = answer({"view": "run", "text": text, "input": "HAL"})
    assert (found["output"], found["status"]) == ("IBM", 3)
    endless = "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }"
    found = answer({"view": "run", "text": endless})
    assert found["status"] == 3 and "calls" in found["errors"]


@pytest.mark.parametrize("name", [path.name for path in EXAMPLES.glob("*.*") if language_of(path.name)])
def test_every_example_is_in_the_menu_and_runs(name: str, menu: dict[str, Any]) -> None:
    [given] = [group[name] for group in menu.values() if name in group]
    assert given["language"] in LANGUAGES
    found = answer({**given, "view": "run"})
    assert "error" not in found["errors"]


def test_an_exercise_begins_with_the_first_line_of_its_solution(menu: dict[str, Any]) -> None:
    for name, given in menu["Exercises"].items():
        solution = (ROOT / "docs/course/solutions" / f"{name}.cps").read_text(encoding="utf-8")
        assert solution.startswith(given["text"].splitlines()[0])
    found = answer({**given, "text": solution})
    assert found["status"] == 0 and "the same" in found["output"]


@pytest.mark.parametrize("name", ["fig8.c", "fig6.c", "Gcd.mod", "factorial.while", "sieve.bril"])
def test_a_program_that_is_being_typed_never_shows_a_traceback(name: str, menu: dict[str, Any]) -> None:
    """Each prefix of the program, without its first comments."""
    [given] = [group[name] for group in menu.values() if name in group]
    start = max(given["text"].rfind(sign) for sign in ("// ", "(* ", "# "))
    text = given["text"][given["text"].index("\n", start) + 1 :]
    for end in range(0, len(text) + 1, 1 if is_full() else 9):
        for view in ("check", "cps"):
            found = answer({**given, "text": text[:end], "view": view})
            assert found["status"] in (0, 1), text[:end]
            assert "internal error" not in found["errors"] and "Traceback" not in found["errors"]


@pytest.mark.parametrize(
    "data",
    [
        [],
        {"view": "none"},
        {"language": "none"},
        {"text": 1},
        {"more": ""},
        {"view": "exercise", "exercise": "../../secret"},
        {"view": "why", "name": "/etc/passwd"},
    ],
)
def test_what_is_no_request_is_refused(data: Any) -> None:
    with pytest.raises(ValueError):
        answer(data)


def test_a_program_reaches_no_file_of_the_system(tmp_path: Path) -> None:
    secret = tmp_path / "secret.h"
    secret.write_text("int secret = 4711;")
    for text in (f'#include "{secret}"\nint f(void) {{ return secret; }}', f'#include "../{tmp_path.name}/secret.h"'):
        found = answer({"text": text})
        assert found["status"] == 1 and "4711" not in found["errors"] + found["output"]
    text = "int main(int n, char **words) { return n; }"
    assert answer({"view": "run", "text": text, "arguments": f"{secret} --allow-files"})["status"] == 3
    assert answer({"view": "run", "text": GCD, "arguments": "'open"})["status"] == 2


def test_the_browser_asks_by_texts() -> None:
    assert json.loads(answer_text(json.dumps({"text": GCD}))) == answer({"text": GCD})


# ------------------------------------------------------------------------------------------------------------- page


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return site_files(answer, "server.js")


@pytest.fixture(scope="module")
def menu(files: dict[str, bytes]) -> Any:
    return facts(files)["menu"]


def facts(files: dict[str, bytes]) -> Any:
    return json.loads(files["facts.js"].decode().removeprefix("export default ").rstrip(";\n"))


def test_the_page_has_the_keywords_of_each_grammar_and_all_choices(files: dict[str, bytes]) -> None:
    found = facts(files)
    assert found["languages"].keys() == LANGUAGES.keys() and found["targets"] == [*TARGETS]
    assert {"while", "_Bool"} <= {*found["languages"]["c"]["keywords"]}
    assert "PROCEDURE" in found["languages"]["tinylang"]["keywords"]
    assert "branch" in found["languages"]["cps"]["keywords"] and "ptradd" in found["languages"]["bril"]["keywords"]
    assert found["defaults"] == Request()._asdict()
    assert [*found["views"]] == [name for name, view in VIEWS.items() if view.title]


def test_the_policy_allows_own_files_only(files: dict[str, bytes]) -> None:
    policy = files["index.html"].decode().partition('Content-Security-Policy" content="')[2].partition('"')[0]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    for rule in rules.values():
        assert all(source.startswith(("'self'", "'none'", "'sha256-", "data:", "blob:")) for source in rule.split())


def test_a_link_contains_what_differs_from_the_defaults(cpsconv: Run) -> None:
    address = link("https://example.org/", Request(text=GCD, strategy="marker"))
    site, _, fragment = address.partition("#")
    data = zlib.decompress(base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4)), wbits=-15)
    assert site == "https://example.org/" and json.loads(data) == {"text": GCD, "strategy": "marker"}
    Path("gcd.c").write_text(GCD, encoding="utf-8")
    assert cpsconv("playground", "--strategy=marker", "--link=https://example.org/", "gcd.c") == (0, f"{address}\n", "")


# ----------------------------------------------------------------------------------------------------------- server


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as found:
        yield found


def send(served: Served, method: str, name: str, body: str = "", **changed: str | None) -> tuple[int, bytes]:
    """The status and the body of the response to a request with the headers of a browser, but for the changed ones."""
    url = urlsplit(served.address)
    headers = {"Host": url.netloc, "Origin": f"http://{url.netloc}", "Content-Type": "application/json"}
    headers["Content-Length"] = str(len(body.encode()))
    connection = http.client.HTTPConnection(url.netloc, timeout=60)
    connection.putrequest(method, name if name.startswith("/") else url.path + name, skip_host=True)
    for header, value in {**headers, **{key.replace("_", "-"): value for key, value in changed.items()}}.items():
        if value is not None:
            connection.putheader(header, value)
    connection.endheaders(body.encode())
    response = connection.getresponse()
    try:
        return response.status, response.read()
    finally:
        connection.close()


REQUEST = json.dumps({"text": GCD})


@posix
def test_the_server_sends_the_page_and_answers(served: Served, files: dict[str, bytes]) -> None:
    assert urlsplit(served.address).hostname == "127.0.0.1"
    for name in files:
        assert send(served, "GET", name, Origin=None) == (200, files[name])
    assert send(served, "GET", "", Origin=None) == (200, files["index.html"])
    status, body = send(served, "POST", "answer", REQUEST)
    assert status == 200 and json.loads(body) == answer({"text": GCD})


@posix
@pytest.mark.parametrize(
    ("status", "method", "name", "changed"),
    [
        (421, "POST", "answer", {"Host": "example.org"}),
        (421, "GET", "", {"Host": "example.org", "Origin": None}),
        (421, "GET", "", {"Host": None, "Origin": None}),
        (403, "POST", "answer", {"Origin": "http://example.org"}),
        (403, "POST", "answer", {"Origin": "null"}),
        (403, "POST", "answer", {"Origin": None}),
        (403, "GET", "", {"Origin": "https://example.org"}),
        (404, "POST", "/answer", {}),
        (404, "POST", "/wrong/answer", {}),
        (404, "GET", "/", {"Origin": None}),
        (404, "GET", "none.js", {"Origin": None}),
        (404, "GET", "../index.html", {"Origin": None}),
        (404, "POST", "index.html", {}),
        (413, "POST", "answer", {"Content_Length": str(MAX_BODY + 1)}),
        (411, "POST", "answer", {"Content_Length": None}),
        (415, "POST", "answer", {"Content_Type": "text/plain"}),
        (501, "PUT", "answer", {}),
        (501, "OPTIONS", "answer", {}),
    ],
)
def test_the_server_refuses(
    served: Served, status: int, method: str, name: str, changed: dict[str, str | None]
) -> None:
    assert send(served, method, name, REQUEST, **changed)[0] == status


@posix
def test_the_server_refuses_what_is_no_request(served: Served) -> None:
    for body in ("{", "[]", '{"view": "none"}'):
        assert send(served, "POST", "answer", body)[0] == 400


def children(process: int) -> list[str]:
    return subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True).stdout.split()


@posix
def test_a_closed_connection_ends_the_run_and_nothing_remains(tmp_path: Path) -> None:
    with serving(TMPDIR=str(tmp_path)) as found:
        url = urlsplit(found.address)
        connection = http.client.HTTPConnection(url.netloc, timeout=60)
        body = json.dumps({"view": "run", "text": "int main(void) { for (;;); }"})
        headers = {"Origin": f"http://{url.netloc}", "Content-Type": "application/json"}
        connection.request("POST", f"{url.path}answer", body, headers)
        while not children(found.process.pid) or not [*tmp_path.rglob("program.c")]:
            time.sleep(0.05)
        connection.close()
        while children(found.process.pid):
            time.sleep(0.05)
        assert send(found, "POST", "answer", REQUEST)[0] == 200
        assert found.stop() == 130
        assert [*tmp_path.iterdir()] == []


@posix
def test_an_answer_has_a_limit_of_time() -> None:
    words = "import cpsconv.lab.playground.server as server; server.MAX_SECONDS = 0.2"
    with serving(before=words) as found:
        with pytest.raises(http.client.RemoteDisconnected):
            send(found, "POST", "answer", json.dumps({"view": "run", "text": "int main(void) { for (;;); }"}))
        assert send(found, "POST", "answer", REQUEST)[0] == 200


@posix
def test_an_interrupt_ends_the_server_without_a_message() -> None:
    with serving() as found:
        assert found.stop() == 130
        assert found.process.communicate() == ("", "")


@posix
def test_a_port_in_use_is_an_error(served: Served, cpsconv: Run) -> None:
    port = urlsplit(served.address).port
    status, out, err = cpsconv("playground", "--no-browser", f"--port={port}")
    assert (status, out) == (1, "") and err.startswith(f"error: port {port}: Address already in use\nhelp: ")


@posix
def test_the_page_opens_with_a_file() -> None:
    with serving(str(EXAMPLES / "gcd.c")) as found:
        assert found.address.partition("#")[2] == link("", Request(text=GCD))[1:]

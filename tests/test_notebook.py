"""Notebooks: the display in IPython, the magic `%%cpsconv`, and the notebook about the paper."""

from __future__ import annotations

import html as entities
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from cpsconv import DiagnosticError, Program, Source, convert, graph, load_ipython_extension, parse, pretty
from cpsconv.languages import LANGUAGES, Language
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.highlighting import html, tokens
from testing.expectations import EXAMPLES, ROOT

DOCS = ROOT / "docs" / "notebook.md"
NOTEBOOK = ROOT / "docs" / "notebooks" / "paper.ipynb"
FIG8 = "int f(int x) {\n    int a;\n    if (x == 0) a = 23; else a = 42;\n    return a;\n}\n"

needs_graphviz = pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz, which draws graphs, is not installed")


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InteractiveShell]:
    """An IPython shell in this process, with the extension and without history."""
    folder = str(tmp_path_factory.mktemp("ipython"))
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}), ipython_dir=folder)
    load_ipython_extension(shell)
    yield shell
    shell.restore_sys_module_state()
    InteractiveShell.clear_instance()


class Done:
    """The result of a cell: its text on the standard streams, its displayed objects, and its error."""

    def __init__(self, shell: InteractiveShell, cell: str) -> None:
        with capture_output() as captured:
            self.error = shell.run_cell(cell).error_in_exec
        self.out, self.err = captured.stdout, captured.stderr
        self.shown = [output.data for output in captured.outputs]


def shown(shell: InteractiveShell, value: object) -> dict[str, str]:
    """The display of a value, by media type."""
    data: dict[str, str] = shell.display_formatter.format(value)[0]
    return data


def text_of(hypertext: str) -> str:
    """The text of HTML, without styles and tags."""
    return entities.unescape(re.sub(r"<style>.*?</style>\n|<[^>]*>", "", hypertext, flags=re.DOTALL))


# --------------------------------------------------------------------------------------------- what shows itself


def test_a_program_is_displayed_as_cps_text(shell: InteractiveShell) -> None:
    program = convert(Source("f.c", FIG8))
    data = shown(shell, program)
    assert data["text/plain"] == pretty(program).rstrip("\n")
    assert text_of(data["text/html"]) == pretty(program)


def test_a_function_is_displayed_alone(shell: InteractiveShell) -> None:
    program = convert(Source("f.c", "int g(int x) { return x; } int f(int x) { return g(x) + 1; }"))
    function = program.function("f")
    assert function
    assert shown(shell, function)["text/plain"] == pretty(Program([function])).rstrip("\n")


def in_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8")


def test_in_ipython_the_import_sets_up_the_display() -> None:
    done = in_python(
        "from IPython.core.interactiveshell import InteractiveShell as Shell; from traitlets.config import Config\n"
        "shell = Shell.instance(config=Config({'HistoryManager': {'enabled': False}}))\n"
        "from cpsconv import Source, convert\n"
        "program = convert(Source('f.c', 'int f(int x) { return x; }'))\n"
        "print(*sorted(shell.display_formatter.format(program)[0]))"
    )
    assert (done.stdout, done.returncode) == ("text/html text/plain\n", 0), done.stderr


@pytest.mark.parametrize("before", ["", "import IPython; "])
def test_outside_ipython_the_import_loads_nothing(before: str) -> None:
    code = f"import sys; {before}seen = {{*sys.modules}}; import cpsconv; new = sys.modules.keys() - seen"
    done = in_python(f"{code}; print([*{{name.split('.')[0] for name in new}} & {{'IPython', 'click', 'lark'}}])")
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_tokens_of_a_line_make_up_the_line(path: Path) -> None:
    program = convert(Source(path.name, path.read_text(encoding="utf-8")))
    for line in (pretty(program) + pretty(program, ascii=True)).splitlines():
        assert "".join(text for _, text in tokens(line)) == line


def test_tokens_have_their_classes() -> None:
    line = 'let `in` := printf("a b", x1, unsigned long, 0x1F, 2.5e-3f) → ⊥'
    assert [token for token in tokens(line) if token[0] not in ("space", "symbol")] == [
        ("keyword", "let"),
        ("name", "`in`"),
        ("word", "printf"),
        ("literal", '"a b"'),
        ("name", "x1"),
        ("type", "unsigned"),
        ("type", "long"),
        ("number", "0x1F"),
        ("number", "2.5e-3f"),
    ]


def test_html_shows_names_as_they_are() -> None:
    text = "`a<b>&amp;`(`x  y` : int, ret : int → ⊥) → ⊥ {\n  ret(`x  y`)\n}\n"
    assert text_of(html(pretty(parse(Source("f.cps", text))))) == text
    assert "<b>" not in html(text)
    assert '<span class="type">int</span>' in html(text)


def test_html_shows_unprintable_characters_by_number() -> None:
    text = "f(`a\x0bb\u2028` : int, ret : int → ⊥) → ⊥ {\n  ret(`a\x0bb\u2028`)\n}\n"
    assert text_of(html(text)) == text.replace("\x0b", "\\x0b").replace("\u2028", "\\x2028")


# -------------------------------------------------------------------------------------------------------- graphs


@needs_graphviz
def test_a_graph_is_displayed_as_a_picture(shell: InteractiveShell) -> None:
    drawing = graph(convert(Source("f.c", FIG8)))
    data = shown(shell, drawing)
    assert data == {"image/svg+xml": drawing.svg(), "text/plain": str(drawing)}
    assert data["image/svg+xml"].startswith("<svg ")
    assert data["text/plain"].startswith("flowchart TD\n")


def test_without_graphviz_a_graph_is_a_flowchart(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    drawing = graph(convert(Source("f.c", FIG8)))
    assert shown(shell, drawing) == {
        "text/markdown": "SVG requires Graphviz, whose command `dot` is not installed. The same graph for Mermaid:\n\n"
        f"```mermaid\n{drawing}```\n",
        "text/plain": str(drawing),
    }


def test_a_graph_of_a_function_and_of_dominators() -> None:
    program = convert(Source("f.c", f"{FIG8}int g(int x) {{ return x; }}"))
    assert "subgraph" in str(graph(program))
    assert "subgraph" not in str(graph(program.functions[0]))
    tree = str(graph(program.functions[0], tree=True, bodies=False))
    assert (tree.count("-.-"), tree.count("-->"), tree.count("branch")) == (3, 0, 0)
    assert str(graph(program.functions[0], dominators=True)).count("-.-") == 3
    loop = convert(Source("f.c", "void f(void) { for (;;); }"))
    assert "loop at" in str(graph(loop, loops=True))


# ----------------------------------------------------------------------------------------------------- the magic


def test_the_name_becomes_a_variable_for_later_cells(shell: InteractiveShell) -> None:
    Done(shell, f"%%cpsconv eight\n{FIG8}")
    done = Done(shell, "print(type(eight).__name__, [f.name for f in eight.functions])")
    assert done.out == "Program ['f']\n"


MATRIX = """\
function f(A n)
loop:
  A = multiply A A
  n = ?trace A
  choose positive n: loop done
done:
  return n
"""
LOOP = "int f(int y, int n) {\n    int x = y;\n    while (n-- > 0) { if (n == 3) x = y; }\n    return x + 0;\n}\n"


@pytest.mark.parametrize(
    ("line", "given", "style"),
    [
        ("", {}, {}),
        ("--strategy basic --no-minimal", {"strategy": "basic", "minimal": False}, {}),
        ("-O", {"optimise": ["fold", "arithmetic", "cse", "branches", "memory", "dead", "functions"]}, {}),
        ("--optimise arithmetic", {"optimise": ["arithmetic"]}, {}),
        ("--thread-jumps", {"thread_jumps": True}, {}),
        ("--layout flat --ascii --width 30", {}, {"layout": "flat", "ascii": True, "width": 30}),
    ],
)
def test_a_cell_is_converted_and_shown(
    shell: InteractiveShell, line: str, given: dict[str, Any], style: dict[str, Any]
) -> None:
    done = Done(shell, f"%%cpsconv {line}\n{LOOP}")
    (data,) = done.shown
    assert (done.out, done.err, done.error) == ("", "", None)
    assert data["text/plain"] == pretty(convert(Source("f.c", LOOP), **given), **style).rstrip("\n")
    assert text_of(data["text/html"]).rstrip("\n") == data["text/plain"]


def test_another_target(shell: InteractiveShell) -> None:
    done = Done(shell, f"%%cpsconv --emit ssa\n{FIG8}")
    assert done.out.endswith("next:\n  int a: φ(23 [then], 42 [else])\n  return a\n}\n")
    assert not done.shown
    done = Done(shell, f"%%cpsconv --emit ssa --names numbered --ascii\n{FIG8}")
    assert done.out.endswith("next:\n  int a1: phi(23 [then], 42 [else])\n  return a1\n}\n")


def test_a_language_without_meaning_is_shown_and_drawn(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LANGUAGES, "matrix", Language((".mx",), "tests.matrix_language"))
    done = Done(shell, f"%%cpsconv --lang matrix --emit cps --graph --explain squared\n{MATRIX}")
    picture, text = done.shown
    assert done.error is None and "the foreign operation matrix.positive to `loop` or `done`" in done.out
    assert "matrix.positive" in picture["text/plain"] and '"matrix.positive"(n1) [' in text["text/plain"]
    refused = Done(shell, "from cpsconv import evaluate\nevaluate(squared, arguments=[1, 2])")
    assert isinstance(refused.error, DiagnosticError) and "`matrix.multiply`" in str(refused.error)


def test_the_narration_counts_lines_as_the_cell_does(shell: InteractiveShell) -> None:
    done = Done(shell, f"%%cpsconv --explain --strategy basic\n{FIG8}")
    assert done.out.startswith("f: construction with the strategy basic\n\n   2 │ int f(int x) {\n   1 open `f`")
    assert not done.shown


def test_all_requested_displays_are_shown(shell: InteractiveShell) -> None:
    done = Done(shell, f"%%cpsconv --emit cps --graph --explain --run 7\n{FIG8}")
    assert "construction with" in done.out
    assert done.out.endswith("\n42\n")
    picture, text = done.shown
    assert picture["text/plain"] == str(graph(convert(Source("f.c", FIG8))))
    assert text["text/plain"].startswith("f(x")


PROGRAM = """\
#include <stdio.h>
int twice(int x) { return x + x; }
void nothing(void) { }
_Bool odd(int x) { return x % 2; }
int main(void) { printf("12 \\xc3\\xa9t\\xc3\\xa9\\n"); return 3; }
"""


def ending(statement: str) -> str:
    return f"#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{ {statement} }}"


def test_a_cell_and_the_library_name_settings_in_their_own_words(shell: InteractiveShell) -> None:
    program = "long double f(long double x) { return x; }"
    with pytest.raises(DiagnosticError, match=r"`--emit c` and `llvm` write programs with numbers"):
        shell.run_cell(f"%%cpsconv --emit haskell\n{program}\n").raise_error()
    with pytest.raises(DiagnosticError, match=r"help: `c` and `llvm` write programs with numbers"):
        TARGETS["haskell"](convert(program, language="c"), Style())
    inclusion = '#include "/etc/hostname"\n'
    with pytest.raises(DiagnosticError, match="`-I FOLDER` permits the files in FOLDER"):
        shell.run_cell(f"%%cpsconv\n{inclusion}").raise_error()
    with pytest.raises(DiagnosticError, match=r"`permitting\(FOLDER\)` of `cpsconv.languages.permissions` permits"):
        convert(inclusion, language="c")
    written = '{"format": "cpsconv", "functions": []}'
    with pytest.raises(DiagnosticError, match=r"this is a program of `cpsconv.core.json.to_json`, not Bril"):
        convert(written, language="bril")
    with pytest.raises(DiagnosticError, match=r"this is a program of `--emit json`, not Bril"):
        shell.run_cell(f"%%cpsconv --lang bril\n{written}\n").raise_error()


def test_a_cell_includes_files_of_named_folders(shell: InteractiveShell, tmp_path: Path) -> None:
    (tmp_path / "two.h").write_text("#define TWO 2\n")
    cell = f'%%cpsconv -I {tmp_path} -DONE=1 --run ""\n#include <two.h>\nint main(void) {{ return TWO + ONE; }}\n'
    with capture_output() as captured:
        shell.run_cell(cell).raise_error()
    assert captured.stdout == "exit status 3\n"


def test_a_run_of_a_cell_is_limited(shell: InteractiveShell) -> None:
    endless, waiting = ending('puts("begin"); for (;;) puts("");'), ending('puts("begin"); for (;;);')
    done = Done(shell, f"%%cpsconv --run '' --sandbox --max-output 9\n{endless}")
    assert done.out.startswith("begin\n\n\n\n") and "the program writes more than 9 bytes" in done.out
    done = Done(shell, f"%%cpsconv --run '' --timeout 0.2\n{waiting}")
    assert done.out.startswith("begin\n") and "more than 0.2 seconds of processor time" in done.out


@pytest.mark.parametrize(
    ("line", "cell", "out"),
    [
        ("--run ''", PROGRAM, "12 été\nexit status 3\n"),
        ("--run '-21' --entry twice", PROGRAM, "-42\n"),
        ("--run 21 --entry odd", PROGRAM, "true\n"),
        ("--run '' --entry nothing", PROGRAM, ""),
        ("--run ''", ending("return 0;"), ""),
        ("--run ''", ending("return -1;"), "exit status 255\n"),
        ("--run ''", ending("return 256;"), ""),
        ("--run ''", ending("exit(0);"), ""),
        ("--run ''", ending("exit(300);"), "exit status 44\n"),
        ("--run ''", ending("abort();"), "aborted\n"),
        (
            "--run ''",  # a character written byte by byte
            ending("putchar(0xc3); putchar(0xa9); putchar(0xff); putchar(0xc3); return 0;"),
            "é\\xff\\xc3",
        ),
        ("--lang cps --run '20 22'", "f(x:int,y:int,ret:int->_|_)->_|_{ret(x+y)}", "42\n"),
        ("--lang cps --run ''", 'f(ret : string → ⊥) → ⊥ {\n  ret("\\303\\251\\377")\n}\n', "é\\udcff\n"),
    ],
)
def test_a_cell_is_run(shell: InteractiveShell, line: str, cell: str, out: str) -> None:
    done = Done(shell, f"%%cpsconv {line}\n{cell}")
    assert (done.out, done.err, done.shown, done.error) == (out, "", [], None)


# ---------------------------------------------------------------------------------------------- what may be wrong


def test_wrong_input_is_shown_without_a_traceback(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    done = Done(shell, "%%cpsconv wrong\nint f(int sum) {\n  return summ;\n}\n")
    assert isinstance(done.error, DiagnosticError)
    assert done.out == (
        "<cell>:3:10: error: `summ` is not declared\n"
        "    3 |   return summ;\n"
        "      |          ^^^^\n"
        "help: did you mean `sum`?\n"
    )
    assert "wrong" not in shell.user_ns


def test_wrong_input_is_coloured(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    done = Done(shell, "from cpsconv import Source, convert\nconvert(Source('f.c', 'int f('))")
    assert done.out.startswith("f.c:1:7: \x1b[1;31merror\x1b[0m: ")
    assert "Traceback" not in done.out


def test_a_runtime_error_comes_after_the_output(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = '#include <stdio.h>\nint main(void) { puts("so far"); return 1 / 0; }'
    done = Done(shell, f"%%cpsconv --run ''\n{text}")
    assert isinstance(done.error, DiagnosticError)
    assert done.out.startswith("so far\n<cell>:3:41: runtime error: division by zero\n")


def test_a_warning_does_not_stop(shell: InteractiveShell) -> None:
    done = Done(shell, "%%cpsconv\nint f(int x) {\nlost:\n  return x;\n}")
    assert done.err.startswith("<cell>:3:1: warning: the label `lost` is never used [-Wunused-label]\n")
    assert len(done.shown) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--strateg basic", "No such option"),
        ("--strategy basik", "'basik' is not one of"),
        ("--run '1", 'No closing quotation in "--run \'1"'),
        ("""--run "'1" """, 'No closing quotation in "\'1"'),
        ("two names", "unexpected extra argument"),
        ("a-b", "'a-b' is not a Python identifier"),
        ("while", "'while' is not a Python identifier"),
        ("--explain --lang cps", "CPS text is not converted: there is nothing to explain"),
    ],
)
def test_a_wrong_line_is_reported_in_one_line(shell: InteractiveShell, line: str, message: str) -> None:
    done = Done(shell, f"%%cpsconv {line}\n{FIG8}")
    assert isinstance(done.error, UsageError)
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not done.shown


def test_the_help_lists_the_options(shell: InteractiveShell) -> None:
    done = Done(shell, "%%cpsconv --help\nno program")
    assert done.out.startswith("Usage: %%cpsconv [OPTIONS] [NAME]\n")
    assert "--strategy [paper|basic|marker|scc]" in done.out
    assert done.error is None


def test_the_cells_of_the_docs_show_what_they_say(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    blocks = re.findall(r"^```text\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    for cell, expected in zip(blocks[::2], blocks[1::2], strict=True):
        done = Done(shell, cell)
        assert "".join([done.out, *(f"{data['text/plain']}\n" for data in done.shown)]) == expected


# ------------------------------------------------------------------------------------------- the shipped notebook


def cells(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def without_pictures(cell: dict[str, Any]) -> dict[str, Any]:
    """A cell with its pictures replaced by markers: versions of Graphviz draw differently."""
    outputs = [dict(output) for output in cell.get("outputs", [])]
    for output in outputs:
        if "image/svg+xml" in output.get("data", {}):
            output["data"] = {**output["data"], "image/svg+xml": "drawn"}
    return {**cell, "outputs": outputs}


@needs_graphviz
def test_the_notebook_contains_its_actual_output(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "notebook.py"), str(tmp_path / "paper.ipynb")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    for executed, committed in zip(cells(tmp_path / "paper.ipynb"), cells(NOTEBOOK), strict=True):
        assert without_pictures(executed) == without_pictures(committed)


def code(text: str) -> str:
    """A C program without the comments at its top."""
    return re.sub(r"\A(//.*\n)*", "", text).strip()


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 8])
def test_the_figures_of_the_notebook_are_the_examples(number: int) -> None:
    example = code((ROOT / "examples" / f"fig{number}.c").read_text(encoding="utf-8"))
    shown = [source(cell).partition("\n") for cell in cells(NOTEBOOK)]
    assert [text for line, _, text in shown if re.fullmatch(rf"%%cpsconv .*\bfig{number}", line)] == [example]


def test_the_links_of_the_notebook_are_valid() -> None:
    text = "\n".join(source(cell) for cell in cells(NOTEBOOK) if cell["cell_type"] == "markdown")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    for link in links:
        assert link.startswith("https://") or (NOTEBOOK.parent / link.partition("#")[0]).exists(), link


def numbers(text: str) -> list[str]:
    """The numbers of the items of a list."""
    return re.findall(r"^(\d+)\. ", text, re.MULTILINE)


def test_every_exercise_of_the_notebook_has_an_answer_in_a_file_of_its_own() -> None:
    exercises = [source(cell) for cell in cells(NOTEBOOK) if source(cell).startswith("### Exercises")]
    answers = (NOTEBOOK.parent / "answers.md").read_text(encoding="utf-8").split("\n## ")[1:]
    assert [*map(numbers, exercises)] == [*map(numbers, answers)]
    assert "](answers.md)" in source(cells(NOTEBOOK)[0])

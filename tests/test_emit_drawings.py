"""DOT, Mermaid and LaTeX: Graphviz, Mermaid and LaTeX accept the emitted text."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cpsconv import DiagnosticError, Program, convert, graph
from cpsconv.core.source import read_source
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.dot import dot
from cpsconv.targets.latex import latex
from cpsconv.targets.mermaid import mermaid
from cpsconv.targets.picture import View, picture
from testing.effort import is_full, sample
from testing.expectations import CORPUS, EXAMPLES, ROOT
from testing.ir_programs import random_program
from testing.running import program_of

needs_graphviz = pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz, which draws graphs, is not installed")
needs_latex = pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed")

FIG8 = "int f(int x) { int a; if (x == 0) { a = 23; } else { a = 42; } return a; }"

HOSTILE = r"""
`a"b\c<d>&amp;#quot;\N|{e}`(`x  y` : int, `in` : int, ret : int → ⊥) → ⊥ {
  printf("\\ \"%d\" <b> `&lt;` #35; %%{ $ }\n", `x  y`);
  let
    `\` := (`-->` : int) → ⊥ ret(`-->`)
    `end` := () → ⊥ `\`(`x  y` & `in`)
    `%%x_` := () → ⊥ `\`(`in` % `x  y` - -1)
    `"` := () → ⊥ `é—中`(1)
    `é—中` := (`ret.ret` : int) → ⊥ ret(`ret.ret`)
  in
  switch(`in`, 1 ⇒ `end`, 2 ⇒ `"`, 3 ⇒ λ(). `\`(4), _ ⇒ `%%x_`)
}
"""

VIEWS = (View(), View(loops=True, dominators=True, ascii=True), View(edges=False, dominators=True, bodies=False))


def all_programs(turn: int) -> list[Program]:
    """The examples and the corpus, or a share of them; hostile names, random programs, and none at all."""
    source = random.Random(1)
    return [
        *(convert(read_source(str(path))) for path in sample([*EXAMPLES, *CORPUS], 2 * len(VIEWS), turn)),
        program_of(HOSTILE),
        *(random_program(source, 3, 12) for _ in range(30 if is_full() else 10)),
        Program([]),
    ]


# ------------------------------------------------------------------------------------------------------------ DOT


def layouts(text: str) -> list[dict[str, Any]]:
    """Each graph in the text, as Graphviz has parsed it."""
    done = subprocess.run(["dot", "-Tdot_json"], input=text, capture_output=True, encoding="utf-8", check=True)
    assert not done.stderr, done.stderr
    decoder, graphs, rest = json.JSONDecoder(), [], done.stdout.strip()
    while rest:
        graph, end = decoder.raw_decode(rest)
        graphs.append(graph)
        rest = rest[end:].strip()
    return graphs


def graph_of(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The names of the nodes, and the ends of the edges."""
    (graph,) = layouts(text)
    objects = graph.get("objects", [])
    nodes = [each["name"] for each in objects if "nodes" not in each and "subgraphs" not in each]
    names = {each["_gvid"]: each["name"] for each in objects}
    return nodes, [(names[edge["tail"]], names[edge["head"]]) for edge in graph.get("edges", [])]


def test_dot_nodes_have_the_names_of_their_continuations() -> None:
    lines = dot(picture(program_of(FIG8))).splitlines()
    assert lines[0] == 'digraph "f" {'
    assert '  "f" -> "f.then" [label=" true "];' in lines
    assert '  "f.then" -> "f.next" [label=" 23 "];' in lines
    assert '  "f.next" -> "f.ret" [label=" a "];' in lines


@needs_graphviz
def test_graphviz_reads_the_nodes_and_edges() -> None:
    nodes, edges = graph_of(dot(picture(program_of(FIG8))))
    assert nodes == ["f", "f.then", "f.else", "f.next", "f.ret"]
    expected = "f → f.then, f → f.else, f.then → f.next, f.else → f.next, f.next → f.ret"
    assert sorted(" → ".join(edge) for edge in edges) == sorted(expected.split(", "))


@needs_graphviz
@pytest.mark.parametrize("view", VIEWS)
def test_graphviz_accepts_every_program(view: View) -> None:
    drawings = [picture(program, view) for program in all_programs(VIEWS.index(view))]
    graphs = layouts("".join(map(dot, drawings)))
    assert [len(graph.get("edges", [])) for graph in graphs] == [len(drawing.arrows) for drawing in drawings]


@needs_graphviz
def test_hostile_names_are_shown_as_they_are() -> None:
    program = program_of(HOSTILE)
    tree = ElementTree.fromstring(graph(program, loops=True, dominators=True).svg())
    texts = [element.text or "" for element in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {text.replace("\xa0", " ").strip() for text in texts} >= {
        '`a"b\\c<d>&amp;#quot;\\N|{e}`(',
        "`x  y` : int,",
        '"\\\\ \\"%d\\" <b> `&lt;` #35; %%{ $ }\\n",',
        "`\\`(`-->` : int)",
        "`é—中`(`ret.ret` : int)",
        "`in` % `x  y` - -1",
        "`x  y` & `in`",
        "3 ⇒ 4",
    }
    nodes, edges = graph_of(dot(picture(program)))
    assert len(nodes) == 7
    assert len(edges) == 9


@needs_graphviz
def test_characters_that_xml_does_not_have_are_shown_by_number() -> None:
    program = program_of(
        "f(`a\x01b` : int, `a\\x01b` : int, ret : int → ⊥) → ⊥ { let `\x02` := () → ⊥ ret(1) in `\x02`() }"
    )
    tree = ElementTree.fromstring(graph(program).svg())
    assert any("`a\\x01b` : int" in (element.text or "") for element in tree.iter())


@needs_graphviz
def test_the_library_draws_a_program_and_a_function() -> None:
    program = program_of("int g(int x) { return x; } int f(int x) { return g(x); }")
    assert graph(program).svg().count('class="cluster"') == 2
    function = program.function("f")
    assert function
    alone = graph(function).svg()
    assert 'class="cluster"' not in alone
    assert "<title>f</title>" in alone


@pytest.mark.parametrize(
    ("text", "mode", "message"),
    [
        ("echo 'Error: out of ink' >&2; exit 1", 0o755, "Graphviz' `dot` failed: Error: out of ink"),
        ("exit 3", 0o755, "Graphviz' `dot` failed: exit status 3"),
        ("", 0o644, "cannot run Graphviz' `dot`: Permission denied"),
    ],
)
def test_the_failure_of_graphviz_is_reported(
    text: str, mode: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dot").write_text(f"#!/bin/sh\n{text}\n")
    (tmp_path / "dot").chmod(mode)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DiagnosticError, match=re.escape(message)):
        graph(program_of(FIG8)).svg()


# -------------------------------------------------------------------------------------------------------- Mermaid


def test_a_flowchart_for_mermaid() -> None:
    text = "int f(int n) { do n = n - 2; while (n > 0); return n; }"
    assert TARGETS["mermaid"](program_of(text), Style()) == (
        "flowchart TD\n"
        '  k0(["f(n : int, ret : int → ⊥)"])\n'
        '  k1("do(n1 : int)<br/>n2 := n1 - 2<br/>branch(n2 > 0)")\n'
        '  k2("exit")\n'
        '  k3(("ret"))\n'
        '  k0 -->|"n"| k1\n'
        '  k1 ==>|"true ⇒ n2"| k1\n'
        '  k1 -->|"false"| k2\n'
        '  k2 -->|"n2"| k3\n'
    )


def test_the_flowchart_in_the_documentation_is_that_of_figure_8() -> None:
    document = (ROOT / "docs" / "graph.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```mermaid\n(.*?)^```$", document, re.DOTALL | re.MULTILINE)
    assert shown == mermaid(picture(program_of(FIG8)))


def test_texts_in_a_flowchart_contain_no_markup() -> None:
    for program in all_programs(1):
        for line in mermaid(picture(program, View(loops=True, dominators=True, frontiers=True))).splitlines():
            for quoted in re.findall(r'"([^"]*)"', line):
                text = re.sub(r"#\d+;", "", quoted.replace("<br/>", ""))
                assert not re.search(r'[]["#&`\\;{}|$~^]|%%|<\S|^[-+*] ', text), line
            structure = re.sub(r'"[^"]*"', '""', line)
            assert re.fullmatch(
                r" *(k\d+(\(\[\"\"\]\)|\(\(\"\"\)\)|\(\"\"\))|subgraph s\d+\[\"\"\]|end"
                r"|k\d+ (-->|==>|==o|-\.->|-\.-o|-\.-x?)(\|\"\"\|)? k\d+)|flowchart TD",
                structure,
            ), line


def test_numeric_entities_denote_the_original_characters() -> None:
    (head,) = re.findall(r'k0\(\["(.*?)"\]\)', mermaid(picture(program_of(HOSTILE))))
    shown = re.sub(r"#(\d+);", lambda match: chr(int(match[1])), head).replace("\xa0", " ").split("<br/>")
    assert r"\N" not in shown[0]  # but two characters with one of no width between them
    assert shown[0].replace("\u2060", "") == '`a"b\\c<d>&amp;#quot;\\N|{e}`('
    assert shown[1].strip() == "`x  y` : int,"
    assert shown[-1] == "switch(`in`)"


# ---------------------------------------------------------------------------------------------------------- LaTeX


def test_figure_8_for_latex() -> None:
    lines = [line for line in latex(program_of(FIG8)).splitlines() if line.startswith(r"\cpsline")]
    assert lines[:4] + lines[-5:] == [
        r"\cpsline{0}{\cpsname{f}(\cpsname{x} : \cpstype{int}, "
        r"\cpsname{ret} : \cpstype{int} $\to$ $\bot$) $\to$ $\bot$ \{}",
        r"\cpsline{1}{\cpskeyword{let}}",
        r"\cpsline{2}{\cpsname{then} $:=$ () $\to$ $\bot$}",
        r"\cpsline{3}{\cpsname{next}(23)}",
        r"\cpsline{2}{\cpsname{next} $:=$ (\cpsname{a} : \cpstype{int}) $\to$ $\bot$}",
        r"\cpsline{3}{\cpsname{ret}(\cpsname{a})}",
        r"\cpsline{1}{\cpskeyword{in}}",
        r"\cpsline{1}{branch(\cpsname{x} $==$ 0, \cpsname{then}, \cpsname{else})}",
        r"\cpsline{0}{\}}",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`a_b`", r"\cpsname{a\_b}"),
        ("`a b`", r"\cpsname{\textasciigrave{}a\ b\textasciigrave{}}"),
        ("`in`", r"\cpsname{\textasciigrave{}in\textasciigrave{}}"),
        (
            r"`\{$&#^~%`",
            r"\cpsname{\textasciigrave{}\textbackslash{}\{\$\&\#\textasciicircum{}\textasciitilde{}\%\textasciigrave{}}",
        ),
        ("`λx`", r"\cpsname{\textasciigrave{}λx\textasciigrave{}}"),
        ("`let\x01`", r"\cpsname{\textasciigrave{}let\textbackslash{}x01\textasciigrave{}}"),
    ],
)
def test_names_are_escaped_for_latex(text: str, expected: str) -> None:
    program = program_of(f"f({text} : int, ret : int → ⊥) → ⊥ {{ ret({text}) }}")
    assert rf"\cpsline{{1}}{{\cpsname{{ret}}({expected})}}" in latex(program)


def test_layout_and_width_apply_to_latex() -> None:
    program = program_of(FIG8)
    assert r"\cpsline{3}" in latex(program)
    long = TARGETS["latex"](program, Style(width=20))
    assert long.count(r"\cpsline{") > latex(program).count(r"\cpsline{")
    nested = program_of("int f(int n) { while (n > 0) n--; return n; }")
    assert r"\cpsline{5}" in latex(nested)
    assert r"\cpsline{5}" not in TARGETS["latex"](nested, Style(layout="flat"))


def test_numbers_in_names_are_subscripts_in_latex() -> None:
    program = program_of("int f(int n) { while (n > 9) n = n / 2 + 1; return n; }")
    numbered = TARGETS["latex"](program, Style(names="numbered"))
    assert r"\cpsline{3}{\cpskeyword{let}}" in numbered and r"\cpsline{5}{\cpsname{ret}(\cpsname{n$_2$})}" in numbered
    every = TARGETS["latex"](program_of("int f(int n) { return n * 3 + 2; }"), Style(names="all"))
    assert r"\cpsline{1}{\cpsname{v$_2$} $:=$ \cpsname{n} $*$ \cpsname{v$_1$};}" in every


@needs_latex
@pytest.mark.skipif(not shutil.which("pdftotext"), reason="pdftotext is not installed")
def test_latex_starts_a_paragraph_and_sets_back_quotes(tmp_path: Path) -> None:
    program = program_of("f(`let` : int, ret : int → ⊥) → ⊥ { ret(`let`) }")
    (tmp_path / "text.tex").write_text(
        f"\\documentclass{{article}}\n\\begin{{document}}\nBefore.\n{latex(program)}\\end{{document}}\n",
        encoding="utf-8",
    )
    for command in ["pdflatex", "-interaction=nonstopmode", "text.tex"], ["pdftotext", "-layout", "text.pdf"]:
        subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    before, head, *_ = (tmp_path / "text.txt").read_text(encoding="utf-8").splitlines()
    assert before.strip() == "Before."
    assert "(`let` : int" in head


@needs_latex
def test_latex_accepts_every_program(tmp_path: Path) -> None:
    latin = HOSTILE.replace("中", "ß")
    programs = [*(convert(read_source(str(path))) for path in sample([*EXAMPLES, *CORPUS], 3)), program_of(latin)]
    body = "\n\\newpage\n".join(map(latex, programs))
    (tmp_path / "all.tex").write_text(f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\\end{{document}}\n")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    assert done.returncode == 0, done.stdout[-2000:]

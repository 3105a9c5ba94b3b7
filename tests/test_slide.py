"""`cpsconv explain --at`: one step for a slide, with the sentence and the state that the page shows."""

from __future__ import annotations

import shutil

import pytest

from tests.conftest import Run
from tests.test_page import ROOT, data, shown

GCD = ROOT / "examples" / "gcd.c"


def test_a_step_for_latex_has_the_sentence_and_the_text_of_the_page(cpsconv: Run) -> None:
    view = data(GCD)["strategies"]["scc"]["functions"]["gcd"]
    panes = [*shown(view["steps"])]
    for step in (1, 10, len(panes)):
        done = cpsconv("explain", "--at", str(step), f"{GCD}:gcd")
        assert done.status == 0
        lines = [line for line in done.out.splitlines() if line.startswith((r"\cpsline", r"\cpshere"))]
        current = view["cards"].index(view["steps"][step - 1]["at"])
        assert len(lines) == len(panes[step - 1]["cps"])
        for line, (text, *owners) in zip(lines, panes[step - 1]["cps"], strict=True):
            assert line.startswith(r"\cpshere") == (current in owners)
            assert ("proxy" in line) == ("proxy" in text)
        assert done.out.count(rf"\cpsstep{{{step}}}{{") == 1
    sentence = cpsconv("explain", "--at", "12", f"{GCD}:gcd").out
    assert r"\cpsstep{12}{compute \cpsname{b1} $\neq$ 0}" in sentence


def test_a_step_as_a_graph_has_the_cards_of_the_page(cpsconv: Run) -> None:
    text = cpsconv("explain", "--at", "30", "--emit", "mermaid", "--strategy", "marker", f"{GCD}:gcd").out
    assert text.splitlines() == [
        "flowchart TD",
        '  k0>"gcd, marker, step 30<br/>jump to while: body is filled"]',
        '  k1("gcd(a, b, ret)<br/>a #8614; a<br/>b #8614; b")',
        '  k2("while(proxy b1, proxy a1)<br/>b #8614; b1<br/>a #8614; a1<br/>branch(b1 != 0)")',
        '  k3[["body<br/>a1 % b1<br/>t #8614; a1 % b1<br/>a #8614; b1<br/>b #8614; a1 % b1"]]',
        '  k4("exit")',
        '  k1 -->|"b1 = #8230;<br/>a1 = #8230;"| k2',
        '  k2 -->|"true"| k3',
        '  k2 -->|"false"| k4',
        '  k3 ==>|"b1 = #8230;<br/>a1 = #8230;"| k2',
    ]
    last = cpsconv("explain", "--at", "47", "--emit", "dot", f"{GCD}:gcd").out
    assert '"card exit" -> "card ret" [label=" a1 "];' in last and 'shape="oval"' in last


@pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz is not installed")
def test_a_step_as_svg(cpsconv: Run) -> None:
    assert "jump to while" in cpsconv("explain", "--at", "30", "--emit", "svg", f"{GCD}:gcd").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--at", "3", str(GCD)], "gcd.c has 2 functions, and a step is one of a single function"),
        (["--at", "99", f"{GCD}:gcd"], "there is no step 99: `gcd` has 47"),
        (["--emit", "svg", str(GCD)], "--emit requires --at"),
        (["--at", "3", "--html", "x.html", str(GCD)], "--html and --at exclude each other"),
        (["--at", "3", "--brief", str(GCD)], "--at and --brief exclude each other"),
    ],
)
def test_a_step_that_there_is_not(cpsconv: Run, arguments: list[str], message: str) -> None:
    done = cpsconv("explain", *arguments)
    assert done.status != 0 and message in done.err and done.out == ""

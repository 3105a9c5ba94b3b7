"""Reports on memory beside its errors: leaks, the origins of null pointers, and the objects shown while stepping."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from cpsconv import Source, evaluate, parse
from cpsconv.cli.commands import main
from cpsconv.operations.runtime_errors import ProgramError

LEAKS = """\
data kept := null
main(n : int, ret : int → ⊥) → ⊥ {
  let
    loop := (i : int) → ⊥
      let
        body := () → ⊥
          p := malloc(40ul);
          ptr[kept] := p;
          loop(i + 1)
        exit := () → ⊥
          q := calloc(1ul, 1ul);
          r := realloc(malloc(16ul), 32ul);
          free(q);
          ret(i)
      in
      branch(i < n, body, exit)
  in
  loop(0)
}
"""

CHAIN = """\
struct node { next : ptr, value : int }
data list := node { null, 3 }

get(p : ptr, ret : int → ⊥) → ⊥ {
  ret(int[node.value(p)])
}

outer(q : ptr, ret : int → ⊥) → ⊥ {
  get(q, λ(x : int). ret(x))
}

same(p : ptr, ret : ptr → ⊥) → ⊥ {
  ret(p)
}
"""


def cli(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit status and the output of a command."""
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


# ----------------------------------------------------------------------------------------------------------- leaks


def test_leaks_are_reported_by_place_of_allocation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.cps").write_text(LEAKS)
    status, output, errors = cli(capsys, "eval", "p.cps", "3", "--check-leaks", "--entry", "main")
    assert (status, output) == (3, "")
    assert [line for line in errors.splitlines() if "error" in line] == [
        "p.cps:7:16: runtime error: 3 objects, of 40 bytes each, are allocated here and never freed",
        "p.cps:12:16: runtime error: an object of 32 bytes is allocated here and never freed",
    ]
    *_, found = cli(capsys, "eval", "p.cps", "3", "--check-leaks", "--diagnostics", "json")
    assert [json.loads(line)["rule"] for line in found.splitlines()] == ["leak", "leak"]
    assert cli(capsys, "eval", "p.cps", "3", "--engine", "machine") == (3, "", "")


def test_leaks_of_different_sizes_are_added(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.cps"
    path.write_text(
        LEAKS.replace("malloc(40ul)", "malloc((unsigned long)(i))").replace("(unsigned long)", "unsigned long")
    )
    status, _, errors = cli(capsys, "eval", f"{path}", "3", "--check-leaks")
    assert "3 objects, of 3 bytes in all, are allocated here" in errors
    assert status == 3


@pytest.mark.parametrize(
    ("end", "status"), [("free(p); ret(0)", 0), ("free(p); halt(7)", 7), ("halt(7)", 3), ("abort()", 134)]
)
def test_a_program_without_leaks_keeps_its_exit_status(
    end: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.cps"
    path.write_text(f"main(ret : int → ⊥) → ⊥ {{ p := malloc(1ul); char[p] := 'a'; {end} }}")
    found, _, errors = cli(capsys, "eval", f"{path}", "--check-leaks")
    assert found == status
    assert ("never freed" in errors) == (status == 3)


def test_a_result_is_printed_before_the_leaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.cps"
    path.write_text("f(ret : int → ⊥) → ⊥ { p := malloc(1ul); char[p] := 'a'; ret(5) }")
    assert cli(capsys, "eval", f"{path}", "--check-leaks")[:2] == (3, "5\n")
    assert cli(capsys, "eval", f"{path}", "--check-leaks", "--engine", "python")[0] == 2


# --------------------------------------------------------------------------------------------------- null pointers


GET = "null is passed for `p` of `get` here: get(q, λ(x : int). ret(x))"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("ret(int[null])", []),
        (
            "outer(null, λ(x : int). ret(x))",
            [GET, "null is passed for `q` of `outer` here: outer(null, λ(x : int). ret(x))"],
        ),
        ("outer(null, ret)", [GET]),  # the call in tail position leaves no trace
        (
            "outer(ptr[node.next(list)], ret2)",
            [
                GET,
                "null is passed for `q` of `outer` here: outer(ptr[node.next(list)], ret2)",
                "null is loaded from `list.next` here: ptr[node.next(list)]",
            ],
        ),
        ("p := malloc(3000000000ul); int[p, 2] := 1; ret(0)", ["`malloc` returns null here: malloc(3000000000ul)"]),
        ("same(null, λ(p : ptr). ret(int[p]))", ["`same` returns null here: same(null, λ(p : ptr). ret(int[p]))"]),
        ("f := ptr(same); call(f, null, get2)", ["the called function returns null here: call(f, null, get2)"]),
        ("p := ptr[list]; call(p, ret)", ["null is loaded from `list.next` here: ptr[list]"]),
        ("loop(list)", ["`p` is null from here on: loop(ptr[p])", "null is loaded here: ptr[p]"]),
        ("branch(n == 0, λ(). get2(null), λ(). get2(ptr[list]))", []),
        ("branch(n == 0, λ(). get2(null), λ(). get2(list))", ["`p` is null from here on: n == 0"]),
    ],
)
def test_an_error_of_a_null_pointer_names_its_origin_if_it_is_certain(body: str, expected: list[str]) -> None:
    text = f"""{CHAIN}
main(n : int, ret : int → ⊥) → ⊥ {{
  let
    ret2 := (x : int) → ⊥ ret(x)
    get2 := (p : ptr) → ⊥ ret(int[p])
    loop := (p : ptr) → ⊥ v := int[node.value(p)]; loop(ptr[p])
    start := () → ⊥ {body}
  in start()
}}"""
    with pytest.raises(ProgramError) as raised:
        evaluate(parse(Source("p.cps", text)), "main", [0], output=io.BytesIO(), errors=io.BytesIO())
    notes = raised.value.diagnostic.notes
    assert [f"{message}: {text[span.start : span.end]}" for message, span in notes if span] == expected

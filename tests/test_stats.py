"""Statistics of many files: rows, tables, parts that a second run continues from, and workers that are lost."""

from __future__ import annotations

import csv
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from cpsconv.core.construction import STRATEGIES
from cpsconv.core.source import DiagnosticError, error, read_source
from cpsconv.lab.explain.comparison import compare
from cpsconv.lab.stats import corpus, rows
from cpsconv.lab.stats.corpus import complete, dask, find_files, processes
from cpsconv.lab.stats.parts import Parts
from cpsconv.lab.stats.plots import Axis, fitted, scatter
from cpsconv.lab.stats.rows import Measured, Method, Row, Task, columns, measure
from cpsconv.pipeline import convert
from testing.effort import sample
from testing.expectations import ROOT
from tests.conftest import Run

METHOD = Method([*STRATEGIES])
IRREDUCIBLE = "int f(int n) { if (n) goto b; a: n--; b: if (n > 9) goto a; return n; }\n"
PROGRAMS = {
    "loop.c": "int f(int n) { int i = 0; while (i < n) i = i + 1; return i; }\n"
    "int g(void) { int x, *p = &x; return *p; }\n",
    "wrong.c": "int f(int n) {\n    if (n) ; return m;\n}\n",
    "sub/irreducible.c": IRREDUCIBLE,
    "sub/fact.while": "y := 1; while not (x <= 1) do { y := y * x; x := x - 1 }\n",
    "sub/header.h": "int unused;\n",
    ".hidden/other.c": "int h(void) { return 0; }\n",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the programs in the folder ``tree``."""
    for name, text in PROGRAMS.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def task(path: str) -> Task:
    """A task without options."""
    return Task(path, os.getcwd())


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a table in CSV."""
    with path.open(newline="") as file:
        return [*csv.DictReader(file)]


def without_times(found: list[Row]) -> list[Row]:
    """The rows without times, which differ between runs."""
    return [{name: value for name, value in row.items() if not name.endswith(("seconds", "reading"))} for row in found]


# ---------------------------------------------------------------------------------------------------------- rows


@pytest.mark.parametrize("name", sample(["fig8.c", "fig5.c", "Gcd.mod", "gcd.c"], 2))
def test_rows_have_the_figures_of_a_comparison_and_of_a_conversion(name: str) -> None:
    path = str(ROOT / "examples" / name)
    first, *found = measure(task(path), METHOD).rows
    program = convert(read_source(path))
    assert [row["function"] for row in found] == [function.name for function in program.functions]
    assert (first["file"], first["certificate"], first["lines"]) == (
        path,
        "certified",
        len(Path(path).read_text().splitlines()),
    )
    by_name = {row["function"]: row for row in found}
    for counts in compare(read_source(path), strategies=STRATEGIES, repeat=1):
        for figure in ("placed", "removed", "kept", "minimal", "arguments", "lookups"):
            assert by_name[counts.function][f"{counts.strategy}.{figure}"] == getattr(counts, figure)
    for function in program.functions:
        row = by_name[function.name]
        assert row["continuations"] == len(function.continuations)
        assert row["statements"] == len([*function.statements()])


def test_loops_lines_and_variables_in_memory_are_counted(tree: Path) -> None:
    [_, loop, pointer] = measure(task("tree/loop.c"), METHOD).rows
    assert (loop["loops"], loop["irreducible"], loop["line"], loop["lines"]) == (1, 0, 1, 1)
    assert (pointer["in_memory"], json.loads(pointer["reasons"])) == (1, {"its address is taken": 1})
    [_, both] = measure(task("tree/sub/irreducible.c"), METHOD).rows
    assert (both["loops"], both["irreducible"]) == (1, 1)


def test_a_refused_file_is_a_row_with_the_first_error(tree: Path) -> None:
    [row] = measure(task("tree/wrong.c"), METHOD).rows
    assert (row["rule"], row["line"], row["language"]) == ("undeclared", 2, "c")
    assert "`m`" in row["refusal"]
    [row] = measure(task("tree/missing.c"), METHOD).rows
    assert row["rule"] == "file"
    Path("text.cps").write_text("f(ret : ⊥()) = ret()\n")
    [row] = measure(task("text.cps"), METHOD).rows
    assert row["rule"] == "language"


def test_a_file_that_takes_too_much_is_refused_and_no_other(tree: Path) -> None:
    ifs = "".join(f"if (n > {each}) n += {each};" for each in range(3000))
    Path("tree/large.c").write_text(f"int f(int n) {{ {ifs} return n; }}\n")
    assert measure(task("tree/large.c"), METHOD._replace(seconds=0.3)).rows[0]["rule"] == "time"
    # A process of its own has no free memory that its child inherits.
    command = [sys.executable, "-m", "cpsconv", "stats", "tree", "--max-memory", "24M", "--emit", "jsonl"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=True)
    found = {row["file"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert found["tree/large.c"]["refusal"] == "the conversion takes too much memory"
    assert "refusal" not in found["tree/loop.c"]


def test_a_fault_of_the_certificate_is_stated(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "prune", lambda program: program.functions[0].continuations[0].body.clear())
    [first, *_] = measure(task(str(ROOT / "examples" / "gcd.c")), METHOD).rows
    assert first["certificate"].startswith("certificate: ")


def test_the_second_checker_is_asked(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    independent = METHOD._replace(independent=True)
    assert measure(task("tree/loop.c"), independent).rows[0]["certificate"] == "certified"
    monkeypatch.setattr(rows, "certify_independently", lambda document: [error(f"{len(json.loads(document))} parts")])
    assert measure(task("tree/loop.c"), independent).rows[0]["certificate"].endswith(" parts")
    assert measure(task("tree/loop.c"), METHOD).rows[0]["certificate"] == "certified"


# ---------------------------------------------------------------------------------------------------- the command


def test_the_command_converts_trees_and_names_every_file(tree: Path, cpsconv: Run) -> None:
    result = cpsconv("stats", "tree", "-o", "rows.csv")
    assert (result.status, result.out, result.err) == (0, "", "")
    found = table(tree / "rows.csv")
    names = ["tree/loop.c", "tree/wrong.c", "tree/sub/fact.while", "tree/sub/irreducible.c"]
    assert [row["file"] for row in found if not row["function"]] == names
    assert [*found[0]] == [*columns([*STRATEGIES])]
    assert [row["function"] for row in found if row["function"]] == ["f", "g", "program", "f"]


def test_all_formats_have_the_same_rows(tree: Path, cpsconv: Run) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet

    for name in "rows.csv", "rows.jsonl", "rows.parquet":
        assert cpsconv("stats", "tree", "-o", name, "--parts", "parts").status == 0
    lines = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
    typed = parquet.read_table("rows.parquet").to_pylist()
    assert [{name: value for name, value in row.items() if value is not None} for row in typed] == lines
    assert [[value or None for value in row.values()] for row in table(tree / "rows.csv")] == [
        [None if row.get(name) is None else str(row[name]) for name in columns([*STRATEGIES])] for row in lines
    ]


def test_the_summary_adds_up_the_rows(tree: Path, cpsconv: Run) -> None:
    text = cpsconv("stats", "tree", "--parts", "parts").out
    cpsconv("stats", "tree", "--parts", "parts", "-o", "rows.csv")
    functions = [row for row in table(tree / "rows.csv") if row["function"]]
    assert "4 files: 3 converted, 1 refused" in text
    assert re.search(r"^ +1  undeclared$", text, re.M)
    assert "1 function with irreducible loops" in text
    for strategy in STRATEGIES:
        figures = [sum(int(row[f"{strategy}.{each}"]) for row in functions) for each in ("placed", "removed", "kept")]
        assert re.search(rf"^{strategy} +{' +'.join(map(str, figures))} ", text, re.M)


def test_points_of_the_page_lead_to_functions(tree: Path, cpsconv: Run) -> None:
    assert cpsconv("stats", "tree", "--html", "rows.html", "-q").status == 0
    page = Path("rows.html").read_text()
    leading = set(re.findall(r'<a href="#(f\d+)">', page))
    assert leading == set(re.findall(r'<tr id="(f\d+)">', page))
    assert len(leading) == 4
    assert all(title in page for title in ("exponent", "Causes of refusal", "Variables in memory", "undeclared: "))
    assert "http" not in page.replace("http-equiv", "")


def test_a_name_of_a_file_is_no_markup(tree: Path, cpsconv: Run) -> None:
    Path("tree/<b>&.c").write_text(PROGRAMS["loop.c"])
    cpsconv("stats", "tree", "--html", "rows.html", "-q")
    assert "<b>&" not in Path("rows.html").read_text()


def test_commands_of_compilers_give_the_options(tree: Path, cpsconv: Run) -> None:
    (tree / "build/include").mkdir(parents=True)
    (tree / "build/include/size.h").write_text("#define SIZE 3\n")
    (tree / "a.c").write_text('#include "size.h"\nint f(void) { return SIZE + EXTRA; }\n')
    entries = [
        {
            "directory": str(tree / "build"),
            "file": "../a.c",
            "command": "cc -Iinclude -DEXTRA='1 + 1' -O2 -Wall -c ../a.c",
        },
        {"directory": str(tree), "file": "a.c", "arguments": ["cc", "-m32", "-c", "a.c"]},
        {"directory": str(tree), "file": "a.c", "arguments": ["cc", "-Ibuild/include", "-c", "a.c", "-o", "a.o"]},
    ]
    Path("compile_commands.json").write_text(json.dumps(entries))
    result = cpsconv("stats", "compile_commands.json", "--emit", "jsonl")
    assert result.err == ""
    found = [json.loads(line) for line in result.out.splitlines()]
    assert [row.get("function") or row.get("rule") for row in found] == [None, "f", "command-line", "undeclared"]
    assert {row["file"] for row in found} == {str(tree / "a.c")}


@pytest.mark.parametrize(
    "arguments, status, message",
    [
        (["nothing"], 1, "nothing: has no files to convert"),
        (["tree", "missing.c"], 1, "missing.c: there is no such file"),
        (["tree", "--strategy", "sccc"], 2, "scc"),
        (["tree", "--dask", "tcp://127.0.0.1:9", "-j", "2"], 2, "exclude each other"),
        (["tree", "-o", "missing/rows.csv", "--parts", "parts"], 1, "there is no such folder"),
        (["bad/compile_commands.json"], 1, "is not a list of compile commands"),
    ],
)
def test_wrong_uses_are_errors(tree: Path, cpsconv: Run, arguments: list[str], status: int, message: str) -> None:
    (tree / "nothing").mkdir()
    (tree / "bad").mkdir()
    (tree / "bad/compile_commands.json").write_text('{"a": 1}')
    result = cpsconv("stats", *arguments)
    assert (result.status, message in result.err, result.out) == (status, True, "")


# -------------------------------------------------------------------------------------------------- parts and workers


def times(folder: Path) -> dict[str, int]:
    """When each part was written."""
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


def test_a_second_run_continues(tree: Path, cpsconv: Run) -> None:
    text = Path("tree/wrong.c").read_text()
    Path("tree/wrong.c").write_text("int f(void) { return 0; }\n")
    cpsconv("stats", "tree", "-o", "rows.csv")
    Path("tree/wrong.c").write_text(text)
    first = times(tree / "rows.csv.parts")
    assert len(first) == 4
    cpsconv("stats", "tree", "-o", "rows.csv", "-j", "2")
    second = times(tree / "rows.csv.parts")
    assert len(second) == 5
    assert first.items() <= second.items()
    (tree / "rows.csv.parts" / min(second)).write_text('{"inputs": {')  # damaged, as by a full disk
    cpsconv("stats", "tree", "-o", "rows.csv")
    third = times(tree / "rows.csv.parts")
    assert {name for name in third if third[name] != second[name]} <= {min(second)}


def test_a_part_is_valid_for_the_same_contents_and_options_only(tree: Path) -> None:
    Path("size.h").write_text("#define SIZE 3\n")
    Path("a.c").write_text('#include "size.h"\nint f(void) { return SIZE; }\n')
    Path("parts").mkdir()
    parts = Parts("parts", METHOD)
    parts.write(task("a.c"), measure(task("a.c"), METHOD))
    assert parts.has(task("a.c"))
    assert not parts.has(task("a.c")._replace(language="c"))
    assert not Parts("parts", METHOD._replace(strategies=["scc"])).has(task("a.c"))
    Path("size.h").write_text("#define SIZE 4\n")
    assert not parts.has(task("a.c"))
    Path("size.h").write_text("#define SIZE 3\n")
    assert parts.has(task("a.c"))
    Path("a.c").write_text('#include "size.h"\nint f(void) { return SIZE + 1; }\n')
    assert not parts.has(task("a.c"))


def test_an_interrupt_leaves_complete_parts_and_no_process(tree: Path) -> None:
    for number in range(20):
        Path(f"tree/copy{number}.c").write_text(PROGRAMS["loop.c"])
    command = [sys.executable, "-m", "cpsconv", "stats", "tree", "-j", "2", "-o", "rows.csv"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=environment, start_new_session=True)
    parts = tree / "rows.csv.parts"
    while not parts.is_dir() or len(names(parts)) < 5:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.communicate()[1] == b""
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        for _ in range(1000):
            os.killpg(process.pid, 0)
            time.sleep(0.01)
    complete_parts = times(parts)
    assert 5 <= len(complete_parts) < 20
    assert all(json.loads((parts / name).read_bytes())["rows"] for name in complete_parts)
    subprocess.run([*command, "-q"], check=True, env=environment)
    assert complete_parts.items() <= times(parts).items()
    assert len([row for row in table(tree / "rows.csv") if not row["function"]]) == 24


def names(folder: Path) -> list[str]:
    """The names of complete parts."""
    return [name for name in os.listdir(folder) if name.endswith(".json")]


def fragile(given: Task, method: Method) -> Measured:
    """As `measure`, but some files end the worker: one whenever it is converted, others once."""
    if given.path.endswith("wrong.c"):
        os.kill(os.getpid(), signal.SIGKILL)
    marker = Path(given.path.replace("/", "_"))
    if given.path.endswith("while") and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return measure(given, method)


def test_a_file_whose_worker_is_lost_is_converted_again(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "measure", fragile)
    Path("parts").mkdir()
    parts = Parts("parts", METHOD)
    tasks = [task(path) for path in find_files(["tree"])]
    complete(parts, tasks, METHOD, partial(processes, 1))
    found = {each.path: parts.rows(each) for each in tasks}
    assert found["tree/wrong.c"][0]["refusal"] == "RuntimeError: the worker was lost 3 times"
    assert [len(each) for each in found.values()] == [3, 1, 2, 2]


def new_cluster(**given: Any) -> Any:
    """A Dask cluster of this machine, with two workers, which are started again when they are lost.

    Each worker is a fork of a process that has imported Dask.
    """
    os.environ["DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD"] = "forkserver"  # before the first import
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    distributed.config["distributed"]["comm"]["timeouts"]["connect"] = "5s"  # also to connect again
    given = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 60} | given
    return distributed.LocalCluster(**given)


def complete_by(folder: str, tasks: list[Task], executor: corpus.Cluster) -> tuple[list[str], list[list[Row]]]:
    """The names of the parts that an executor completes in the folder, and their rows without times."""
    Path(folder).mkdir(exist_ok=True)
    parts = Parts(folder, METHOD)
    complete(parts, tasks, METHOD, executor)
    return sorted(os.listdir(folder)), [without_times(parts.rows(each)) for each in tasks]


def test_a_cluster_gives_the_same_parts_though_workers_are_killed(tree: Path, cpsconv: Run) -> None:
    for number in range(10):
        Path(f"tree/copy{number}.c").write_text(PROGRAMS["loop.c"])
    tasks = [task(path) for path in find_files(["tree"])]
    expected = complete_by("local", tasks, partial(processes, 2))
    with new_cluster() as cluster:
        with Ended() as killed:
            Thread(target=kill_workers, args=(cluster, killed), daemon=True).start()
            assert complete_by("remote", tasks, partial(dask, cluster.scheduler_address)) == expected
        result = cpsconv("stats", "tree", "--dask", cluster.scheduler_address, "-o", "rows.csv")
    assert (result.status, result.out, result.err) == (0, "", "")
    assert len([row for row in table(tree / "rows.csv") if not row["function"]]) == len(tasks)


def hungry(given: Task, method: Method) -> Measured:
    """As `measure`, but one file takes more memory than its worker has, once."""
    marker = Path(given.directory, "hungry")
    if given.path.endswith("loop.c") and not marker.exists():
        marker.touch()
        kept = b"x" * 500_000_000
        time.sleep(60)  # the worker is ended before
        del kept
    return measure(given, method)


def test_the_file_of_a_worker_without_memory_is_converted_again(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [task(path) for path in find_files(["tree"])]
    expected = complete_by("local", tasks, partial(processes, 2))
    monkeypatch.setattr(corpus, "measure", hungry)
    with new_cluster(memory_limit=400_000_000) as cluster:
        assert complete_by("remote", tasks, partial(dask, cluster.scheduler_address)) == expected
    assert Path("hungry").exists()


class Ended(Event):
    """An event that is set at the end of a block."""

    def __enter__(self) -> Ended:
        return self

    def __exit__(self, *failure: object) -> None:
        self.set()


def kill_workers(cluster: Any, ended: Event) -> None:
    """Kill five random workers, one when both are there, until the event."""
    order = random.Random(1)
    for _ in range(5):
        while len(workers := [*cluster.scheduler_info["workers"]]) < 2 and not ended.wait(0.1):
            pass
        nannies = {nanny.worker_address: nanny for nanny in cluster.workers.values()}
        killed = order.choice(workers)
        if killed in nannies and nannies[killed].pid:  # not, at the end of the cluster
            os.kill(nannies[killed].pid, signal.SIGKILL)
        while killed in cluster.scheduler_info["workers"] and not ended.wait(0.1):
            pass


def test_a_run_continues_after_its_scheduler_was_stopped(tree: Path) -> None:
    for number in range(10):
        Path(f"tree/copy{number}.c").write_text(PROGRAMS["loop.c"])
    tasks = [task(path) for path in find_files(["tree"])]
    with new_cluster() as cluster, Ended() as done:
        Thread(target=stop_after_parts, args=(cluster, "remote", done), daemon=True).start()
        with pytest.raises(DiagnosticError, match="Dask"):
            complete_by("remote", tasks, partial(dask, cluster.scheduler_address))
    before = times(tree / "remote")
    assert 3 <= len(before) < len(tasks)
    found = complete_by("remote", tasks, partial(processes, 2))
    assert before.items() <= times(tree / "remote").items()
    assert found == complete_by("local", tasks, partial(processes, 2))


def stop_after_parts(cluster: Any, folder: str, done: Event) -> None:
    """Stop the cluster as soon as the folder has three parts."""
    while not done.wait(0.01):
        if os.path.isdir(folder) and len(names(Path(folder))) >= 3:
            cluster.close()
            return


# ------------------------------------------------------------------------------------------------------------- plots


def test_a_line_ends_where_it_leaves_the_axes() -> None:
    plot = scatter([], Axis("x", 1, 1000), Axis("y", 1, 100), (0.1, 1), [])
    [ends] = re.findall('<line class="fit" x1="(.*?)" y1="(.*?)" x2="(.*?)" y2="(.*?)"/>', plot)
    ticks = re.findall('<line x1="(.*?)" y1="20" ', plot)
    assert (ends[0], ends[2]) == (ticks[1], ticks[3])


def test_the_fitted_line_is_that_of_a_power() -> None:
    line = fitted([(x, 3 * x**1.5) for x in (1, 2, 5, 10, 100)])
    assert line is not None
    assert all(map(math.isclose, line, (3, 1.5)))
    assert fitted([(2, 1), (2, 5)]) is None

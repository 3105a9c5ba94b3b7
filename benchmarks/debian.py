"""Converts whole source packages of Debian, and prints what became of their functions.

    python benchmarks/debian.py build FOLDER
    python benchmarks/debian.py build FOLDER zlib bzip2
    python benchmarks/debian.py tables FOLDER --jobs 2

`build` fetches the packages into FOLDER (all of `PACKAGES`, or those named), configures them, and builds them.
Meanwhile, Bear records the command lines of the compiler. It needs Debian with `deb-src` in its sources, and the
programs `dpkg-dev`, `bear`, `autoconf`, `gcc` and `make`. `tables` converts the recorded files with `cpsconv stats`,
every strategy and all baselines, each conversion examined by both checkers, and prints Markdown tables: the packages
with their versions, and the strategies. The rows stay in FOLDER/rows.csv, and a page in FOLDER/rows.html. Both
commands continue after an interrupt.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv.lab.baselines import CONSTRUCTIONS


class Package(NamedTuple):
    """How a source package is built: its folder below the sources, the commands before `make`, and its arguments."""

    folder: str = "."
    before: Sequence[str] = ("./configure",)
    make: str = ""


PACKAGES = {
    "bash": Package(),
    "bzip2": Package(before=()),
    "coreutils": Package(),
    "curl": Package(before=("autoreconf -fi", "./configure --without-ssl")),
    "dash": Package(before=("autoreconf -fi", "./configure")),
    "expat": Package("expat", ("./buildconf.sh", "./configure")),
    "gawk": Package(),
    "jq": Package(before=("autoreconf -fi", "./configure --without-oniguruma")),
    "libpng1.6": Package(),
    "libxml2": Package(before=("autoreconf -fi", "./configure --without-python")),
    "make-dfsg": Package(before=("autoreconf -fi", "./configure")),
    "nginx": Package(before=("./configure --without-http_rewrite_module --without-http_gzip_module",)),
    "redis": Package(before=(), make="MALLOC=libc"),
    "sqlite3": Package(),
    "tcl8.6": Package("unix"),
    "xz-utils": Package(),
    "zlib": Package(),
}
"""The packages, more than a million lines of C."""

FIGURES = ("placed", "removed", "kept", "minimal", "arguments", "lookups")


def build(folder: Path, names: Iterable[str], seconds: int) -> None:
    """Fetch and build the packages that have no recorded command lines yet."""
    for name in names:
        package, sources = PACKAGES[name], folder / name
        recorded = sources / "compile_commands.json"
        if recorded.exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        make = f"bear --output {recorded.resolve()} -- make -k {package.make}"
        try:
            run("apt-get source --download-only", name, at=folder)
            shutil.rmtree(sources, ignore_errors=True)  # what an interrupted build left
            [description] = folder.glob(f"{name}_*.dsc")
            run("dpkg-source --no-check -x", description.name, name, at=folder)
            for command in (*package.before, make):
                run(command, at=sources / package.folder, seconds=seconds)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failure:
            print(f"{name}: the build is not complete: {failure}", file=sys.stderr)


def run(command: str, *words: str, at: Path, seconds: int | None = None) -> None:
    """Run a command in a folder; warnings and optimisation of the compiler are turned off."""
    settings = {"CFLAGS": "-O0 -w", "FORCE_UNSAFE_CONFIGURE": "1"}
    given = [*(f"{name}={value}" for name, value in settings.items()), *command.split(), *words]
    subprocess.run(["env", *given], cwd=at, check=True, stdout=subprocess.DEVNULL, timeout=seconds)


def convert(folder: Path, jobs: int) -> list[dict[str, str]]:
    """The rows of all files whose command lines are recorded; of several command lines for a file, the first counts."""
    recorded = sorted(map(str, folder.glob("*/compile_commands.json")))
    strategies = ",".join(name for name in CONSTRUCTIONS if name != "llvm")
    options = ["--strategy", strategies, "--independent", "-j", str(jobs), "--timeout", "3600"]
    options += ["--html", str(folder / "rows.html")]
    out = folder / "rows.csv"
    subprocess.run([sys.executable, "-m", "cpsconv", "stats", *recorded, *options, "-o", str(out)], check=True)
    with out.open(newline="") as file:
        return [*{(row["file"], row["function"]): row for row in reversed([*csv.DictReader(file)])}.values()][::-1]


def package_table(folder: Path, rows: Iterable[dict[str, str]]) -> Iterator[str]:
    """A line for each package: its version, files, files refused, lines, functions, irreducible ones, and seconds."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        name = Path(row["file"]).relative_to(folder.resolve()).parts[0]
        count = counts.setdefault(name, Counter())
        if row["function"]:
            count["functions"] += 1
            count["irreducible"] += int(row["irreducible"]) > 0
        else:
            count["files"] += 1
            count["refused"] += bool(row["refusal"])
            count["certified"] += row["certificate"] == "certified"
            count["lines"] += int(row["lines"] or 0)
            count["seconds"] += float(row["seconds"] or 0)  # type: ignore[assignment]
    columns = ("files", "refused", "certified", "lines", "functions", "irreducible", "seconds")
    yield from head(["package", "version", *columns])
    counts["all"] = sum(counts.values(), Counter())
    for name, count in counts.items():
        described = next(folder.glob(f"{name}_*.dsc"), None)
        version = described.stem.partition("_")[2] if described else ""
        yield line([name, version, *(f"{count[column]:,.0f}" for column in columns)])


def strategy_table(rows: Sequence[dict[str, str]]) -> Iterator[str]:
    """A line for each strategy: the sums of its figures, the functions from which it removes parameters again, those in
    which it keeps more than is minimal, and the time of its constructions.
    """
    yield from head(["strategy", *FIGURES, "functions with removed", "with more than minimal", "seconds"])
    functions = [row for row in rows if row["function"]]
    for name in CONSTRUCTIONS:
        known = [row for row in functions if row.get(f"{name}.kept")]
        if known:
            sums = [sum(int(row[f"{name}.{figure}"] or 0) for row in known) for figure in FIGURES]
            removing = sum(int(row[f"{name}.removed"]) > 0 for row in known)
            more = sum(int(row[f"{name}.kept"]) > int(row[f"{name}.minimal"]) for row in known)
            seconds = sum(float(row[f"{name}.seconds"]) for row in known)
            yield line([name, *(f"{number:,}" for number in (*sums, removing, more)), f"{seconds:.1f}"])


def head(titles: Sequence[str]) -> list[str]:
    """The first two lines of a table."""
    return [line(titles), f"|---|{'--:|' * (len(titles) - 1)}"]


def line(cells: Iterable[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["build", "tables"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("packages", nargs="*", choices=[[], *PACKAGES], default=[], metavar="PACKAGE")
    parser.add_argument("--jobs", type=int, default=2, help="files that are converted at the same time (2)")
    parser.add_argument("--seconds", type=int, default=1800, help="time of the build of a package (1800)")
    given = parser.parse_args()
    if given.action == "build":
        build(given.folder, given.packages or PACKAGES, given.seconds)
    else:
        rows = convert(given.folder, given.jobs)
        print(*package_table(given.folder, rows), "", *strategy_table(rows), sep="\n")


if __name__ == "__main__":
    main()

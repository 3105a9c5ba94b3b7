"""Rebuilds projects of Debian from the LLVM IR that cpsconv writes, and runs their own tests.

    python benchmarks/rebuild.py FOLDER
    python benchmarks/rebuild.py FOLDER zlib smallvec
    python benchmarks/mem2reg.py FOLDER/modules/*

Fetches the projects into FOLDER (all of `PROJECTS`, or those named), and builds each twice: in the folder `plain` by
clang or rustc; in `rebuilt` with the same commands, but a module of cpsconv replaces each source file: clang or rustc
compiles it without optimisation, ``cpsconv convert --emit llvm`` converts it, and clang compiles the result with -O2.
The table has the number of modules, and what the project's tests report in both ways. The modules stay in FOLDER, those
of the compilers as `.bc`, and those of cpsconv as `.ll`. Of a file that is compiled more than once, such as for two
libraries, it is the last. It needs Debian with `deb-src` in its sources, and the programs `dpkg-dev`, `clang-22`,
`cmake`, `make` and `rustc`.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv.languages import BITCODE

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ".c", ".cc", ".cpp"


class Project(NamedTuple):
    """The package, and the commands that build and test it, below the folder of its sources."""

    package: str
    commands: Sequence[str]


def cmake(package: str, *options: str, folder: str = ".") -> Project:
    """A project in C or C++ that CMake builds."""
    configure = f"cmake -S {folder} -B build -DCMAKE_BUILD_TYPE=None -Wno-dev $CMAKE {' '.join(options)}"
    return Project(package, [configure, "cmake --build build", "ctest --test-dir build"])


def crate(name: str, *tests: str, edition: int = 2018, options: str = "", library: str = "src/lib.rs") -> Project:
    """A crate of Rust without dependencies, with the files of its tests."""
    rustc = f"$RUSTC --edition {edition} {options}"
    commands = [f"{rustc} --crate-name {name} --crate-type rlib {library} -o lib{name}.rlib"]
    for number, test in enumerate(tests):
        commands.append(f"{rustc} --test {test} --extern {name}=lib{name}.rlib -o test{number}")
    commands += [f"./test{number}" for number in range(len(tests))]
    return Project(f"librust-{name.replace('_', '-')}-dev", commands)


EXPAT = cmake("expat", "-DEXPAT_BUILD_DOCS=OFF", folder="expat")

PROJECTS = {
    "zlib": Project("zlib", ["CC=clang-22 ./configure", 'make CC="$CC" test']),
    "bzip2": Project("bzip2", ['make CC="$CC" CFLAGS= libbz2.a bzip2', "make CC=false test"]),
    "expat": Project("expat", ["sed -i 's/define XML_DTD/define01 XML_DTD/' expat/*.cmake", *EXPAT.commands]),
    "jansson": cmake("jansson", "-DJANSSON_BUILD_DOCS=OFF"),
    "cjson": cmake("cjson", "-DENABLE_CJSON_UTILS=ON"),
    "tinyxml2": cmake("tinyxml2"),
    "xz": cmake("xz-utils"),
    "jsoncpp": cmake("libjsoncpp"),
    "fnv": crate("fnv", "lib.rs", library="lib.rs", options="--cfg 'feature=\"std\"'"),
    "itoa": crate("itoa", "tests/test.rs"),
    "smallvec": crate("smallvec", "src/lib.rs"),
    "regex-syntax": crate("regex_syntax", "src/lib.rs"),
    "semver": crate("semver", "tests/test_version.rs", "tests/test_version_req.rs", options="--cfg 'feature=\"std\"'"),
}
"""The projects of C, C++ and Rust."""


# ------------------------------------------------------------------------------------------------------- the projects


def rebuild(name: str, folder: Path, options: str, passes: str) -> str:
    """Build and test a project in both ways. Returns its row of the table."""
    project, results, modules = PROJECTS[name], list[str](), folder / "modules" / name
    version = fetch(project.package, folder / "sources" / name)
    shutil.rmtree(modules, ignore_errors=True)
    modules.mkdir(parents=True)
    for way in ("plain", "rebuilt"):
        built = folder / way / name
        shutil.rmtree(built, ignore_errors=True)
        shutil.copytree(folder / "sources" / name / "tree", built, symlinks=True)
        settings = os.environ | environment(built, options, *((modules, passes) if way == "rebuilt" else ()))
        with built.with_suffix(".log").open("w+") as log:
            for command in project.commands:
                ended = subprocess.run(command, shell=True, cwd=built, env=settings, stdout=log, stderr=log)
                if ended.returncode:
                    break
            log.seek(0)
            results.append("; ".join([*reported(log.read()), f"status {ended.returncode}"]))
    return f"| {name} | {version} | {len([*modules.glob('*.ll')])} | {' | '.join(results)} |"


def fetch(package: str, folder: Path) -> str:
    """Fetch the sources of a package into the folder `tree`, unless they are there. Returns the version."""
    if not (folder / "tree").exists():
        folder.mkdir(parents=True, exist_ok=True)
        if package.startswith("librust-"):
            run("apt-get download", package, at=folder)
            run("dpkg-deb -x", *(each.name for each in folder.glob("*.deb")), "package", at=folder)
            [sources] = folder.glob("package/usr/share/cargo/registry/*")
            sources.rename(folder / "tree")
        else:
            run("apt-get source --download-only", package, at=folder)
            run("dpkg-source --no-check -x", *(each.name for each in folder.glob("*.dsc")), "tree", at=folder)
    [described] = [*folder.glob("*.dsc"), *folder.glob("*.deb")]
    return described.stem.split("_")[1].replace("%3a", ":")


def run(command: str, *words: str, at: Path) -> None:
    """Run a command in a folder, silently."""
    subprocess.run([*command.split(), *words], cwd=at, check=True, capture_output=True)


def environment(built: Path, options: str, modules: Path | None = None, passes: str = "") -> dict[str, str]:
    """The compilers, as the commands of projects name them; those that convert, if there is a folder for modules."""
    cmake = [f"-DCMAKE_{language}_FLAGS={shlex.quote(options)}" for language in ("C", "CXX")]
    cmake += ["-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22"]
    rustc = ["rustc", "-A", "warnings"]
    tool = built.with_suffix(".compiler")
    if modules:
        converting = [sys.executable, str(Path(__file__).resolve()), "--convert", str(modules), passes]
        tool.write_text(f'#!/bin/sh\nexec {shlex.join(converting)} "$@"\n')
        linker = built.with_suffix(".linker")
        linker.write_text(f'#!/bin/sh\nexec {tool} clang-22 "$@"\n')
        for each in (tool, linker):
            each.chmod(0o755)
        cmake += [f"-DCMAKE_{language}_COMPILER_LAUNCHER={tool}" for language in ("C", "CXX")]
        rustc += shlex.split("-C opt-level=0 -C no-prepopulate-passes -C codegen-units=1 -C linker-plugin-lto")
        rustc += ["-C", f"linker={linker}"]
    clang = f"{tool if modules else ''} clang-22 {options}"
    return {"CC": clang.strip(), "CMAKE": " ".join(cmake), "RUSTC": " ".join(rustc)}


def reported(log: str) -> list[str]:
    """What tests report: lines with the number of those that passed, without times."""
    return re.findall(r"(?m)^.*?(\d+% tests passed, .*|\d+ passed; \d+ failed|\w+ test OK)", log)


# ------------------------------------------------------------------------------------------------------ the conversion


def convert(modules: Path, passes: str, command: Sequence[str]) -> int:
    """Run a compiler or linker. Modules of cpsconv replace its source files, and objects that are bitcode."""
    replaced = [command[0], "-O2", "-Qunused-arguments"]
    for before, word in pairwise(command):
        found: Iterable[Path] = ()
        if "-E" not in command and before not in ("-o", "-MF", "-MT", "-MQ", "-include"):
            found = modules_of(Path(word), command, modules)
        written = [str(converted(module, passes)) for module in found]
        if written:
            replaced += written
            if "-c" in command and "-o" not in command:
                replaced += ["-o", f"{Path(word).stem}.o"]
        elif not word.startswith(("-Wl,-plugin-opt", "-O")):
            replaced.append(word)
    return subprocess.run(replaced, check=False).returncode


def modules_of(path: Path, command: Sequence[str], folder: Path) -> Iterable[Path]:
    """The modules of an argument of the compiler: of a source file, an object, or a library of Rust that has some."""
    if path.suffix in SOURCES:
        return [compiled(path, command, folder)]
    if path.suffix == ".rlib" and path.is_relative_to(folder.parent.parent):
        members = subprocess.run(["ar", "t", path], check=True, capture_output=True, text=True).stdout.split()
        objects = [each for each in members if each.endswith(".o")]
        run("ar x", str(path.resolve()), *objects, at=folder)
        moved = [(folder / each).rename(folder / f"{each}.bc") for each in objects]
    elif path.suffix == ".o":
        moved = [Path(shutil.copy(path, folder / f"{path.name}.bc"))]
    else:
        return []
    starts = {each: each.read_bytes()[:4].decode(errors="surrogateescape") for each in moved}
    others = [each for each, start in starts.items() if not re.match(BITCODE, start)]
    for each in others:
        each.unlink()
    return [each for each in moved if each not in others]


def compiled(source: Path, command: Sequence[str], modules: Path) -> Path:
    """The module of a source file, compiled with the options of the command."""
    module = modules / f"{source.stem}-{zlib.crc32(bytes(source.resolve())):08x}.bc"
    words = iter(command)
    options = []
    for word in words:
        if word == "-o":
            next(words)
        elif Path(word).suffix not in SOURCES or word == str(source):
            options.append(word)
    promotable = ["-O0", "-Xclang", "-disable-O0-optnone", "-Qunused-arguments", "-c", "-emit-llvm"]
    subprocess.run([*options, *promotable, "-o", str(module)], check=True)
    return module


def converted(module: Path, passes: str) -> Path:
    """The module that cpsconv writes for a module, after passes of LLVM."""
    if passes:
        subprocess.run(["opt-22", f"-passes={passes}", str(module), "-o", str(module)], check=True)
    written = module.with_suffix(".ll")
    command = [sys.executable, "-m", "cpsconv", "convert", "-w", "--emit", "llvm", str(module), "-o", str(written)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    return written


def main() -> int:
    """Run the command. Returns the exit status."""
    assert __doc__
    if sys.argv[1:2] == ["--convert"]:
        try:
            return convert(Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
        except subprocess.CalledProcessError as failure:
            return failure.returncode
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("projects", nargs="*", choices=[[], *PROJECTS], default=[], metavar="PROJECT")
    parser.add_argument("--options", default="", help="further options of clang, such as -g")
    parser.add_argument("--passes", default="", help="passes of opt on each module before the conversion")
    given = parser.parse_intermixed_args()
    print("| project | version | modules | tests | tests, rebuilt |\n|---|---|--:|---|---|")
    for name in given.projects or PROJECTS:
        print(rebuild(name, given.folder.resolve(), given.options, given.passes), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

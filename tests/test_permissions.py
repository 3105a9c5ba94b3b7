"""What a conversion may use of the system: files that an input names, in all languages, and the clock."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import pytest

from cpsconv import DiagnosticError, Source, convert
from cpsconv.languages.permissions import permitting
from tests.conftest import Run

MAIN = "int main(void) { return N; }\n"


@pytest.fixture
def folders(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line, in the folder ``project``, beside which ``outside`` has files with a secret."""
    for name in ("project/source", "project/inc", "outside"):
        Path(name).mkdir(parents=True)
    Path("outside/s.h").write_text("secret = ;\n")
    Path("outside/S.mod").write_text("secret")
    Path("outside/s.bril").write_text("secret")
    Path("link").symlink_to("project")
    monkeypatch.chdir("project")
    Path("inc/n.h").write_text("#define N 3\n")
    Path("to_file.h").symlink_to("../outside/s.h")
    Path("to_nothing.h").symlink_to("../outside/none.h")
    Path("to_folder").symlink_to("../outside")
    Path("source/up").symlink_to("../inc")
    Path("a.h").symlink_to("b.h")
    Path("b.h").symlink_to("a.h")
    os.mkfifo("pipe.h")
    return cpsconv


OUTSIDE = [
    *('"/etc/passwd"', "</etc/passwd>", '"//etc/passwd"', '"/etc/no_such_file"', '"/proc/self/environ"', '"/dev/zero"'),
    *('"../../outside/s.h"', '"../../outside/none.h"', '"../../../outside"', '"/"'),
    *('"../to_file.h"', '"../to_nothing.h"', '"../to_folder/s.h"', '"../to_folder/none.h"', '"../a.h"'),
    *(
        '"/etc/../usr/include/stdio.h"',
        '"/no_such_folder/../usr/include/stdio.h"',
        '"/proc/self/root/usr/include/math.h"',
    ),
    *('"../../outside/../project/inc/n.h"', '"../../none/../project/inc/n.h"', '"../to_folder/../project/inc/n.h"'),
]


def test_files_outside_of_the_permitted_folders_are_not_read(folders: Run) -> None:
    """The message is the same whether the file exists or not."""
    for name, word in product(OUTSIDE, ["include", "include_next", "import"]):
        Path("source/m.c").write_text(f"#{word} {name}\n{MAIN}")
        assert folders("convert", "source/m.c") == (
            1,
            "",
            f"source/m.c:1:{len(word) + 3}: error: the file `{name[1:-1]}` is not in a permitted folder\n"
            f"    1 | #{word} {name}\n      | {' ' * (len(word) + 2)}{'^' * len(name)}\n"
            "help: `-I FOLDER` permits the files in FOLDER, besides those of the working directory and the sources' "
            "folders\n",
        )


def test_conditions_do_not_tell_whether_a_file_outside_exists(folders: Run) -> None:
    tests = [f"{has}({name})" for name in OUTSIDE for has in ("__has_include", "__has_include_next")]
    Path("source/m.c").write_text(f"#if {' || '.join(tests)}\n#error found\n#endif\nint main(void) {{ return 0; }}\n")
    assert folders("run", "source/m.c") == (0, "", "")


@pytest.mark.parametrize(
    "name", ["../inc/n.h", "up/n.h", "../source/../inc/n.h", "{here}/inc/n.h", "{here}/../link/inc/n.h"]
)
def test_files_below_the_working_directory_are_included_by_any_path(folders: Run, name: str) -> None:
    name = name.format(here=os.getcwd())
    Path("source/m.c").write_text(f'#if __has_include("{name}")\n#include "{name}"\n#endif\n{MAIN}')
    assert folders("run", "source/m.c").status == 3


def test_files_in_the_folders_of_sources_and_options_are_permitted(
    folders: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the working directory is another one, or the path of a folder contains links."""
    Path("source/m.c").write_text(f'#include "../inc/n.h"\n{MAIN}')
    Path("inc/other.c").write_text("int f(void) { return 1; }\n")
    Path("../elsewhere").mkdir()
    monkeypatch.chdir("../elsewhere")
    assert "is not in a permitted folder" in folders("run", "../project/source/m.c").err
    assert folders("run", "../project/source/m.c", "../project/inc/other.c").status == 3
    for option in (["-I", "../project/inc"], ["-I../link"], ["-iquote", ".."], ["-isystem", "../link/inc"]):
        assert folders("run", *option, "../link/source/m.c").status == 3
    Path("../link/source/beside.c").write_text(f'#include "{Path("../link/source/up/n.h").absolute()}"\n{MAIN}')
    assert folders("run", "-I", "../link/inc", "../link/source/beside.c").status == 3


def test_the_sandbox_forbids_the_working_directory(folders: Run) -> None:
    Path("source/m.c").write_text(f'#include "../inc/n.h"\n{MAIN}')
    assert folders("run", "source/m.c").status == 3
    done = folders("run", "source/m.c", "--sandbox")
    assert (done.status, done.err.splitlines()[0]) == (
        1,
        "source/m.c:1:10: error: the file `../inc/n.h` is not in a permitted folder",
    )
    assert folders("run", "source/m.c", "--sandbox", "-I", "inc").status == 3


def test_a_file_that_an_option_includes_is_permitted_but_not_its_folder(folders: Run) -> None:
    Path("m.c").write_text(MAIN)
    Path("../outside/n.h").write_text("#define N 4\n")
    assert folders("run", "-include", "../outside/n.h", "m.c").status == 4
    Path("../outside/n.h").write_text('#include "s.h"\n')
    assert '1:10: error: there is no file `"s.h"`' in folders("run", "-include", "../outside/n.h", "m.c").err


def test_pipes_and_folders_are_no_files(folders: Run) -> None:
    for name in ("pipe.h", "inc", ".", "no\0ne.h"):
        Path("m.c").write_text(f'#if __has_include("{name}")\n#error\n#endif\n#include "{name}"\n{MAIN}')
        assert f'error: there is no file `"{name}"`'[:25] in folders("convert", "m.c").err


def test_without_the_working_directory_other_folders_remain(folders: Run) -> None:
    def fails(name: str, text: str) -> bool:
        try:
            convert(Source(name, text), language="c")
        except DiagnosticError:
            return True
        return False

    with permitting(working_directory=False):
        assert fails("source/m.c", f'#include "../inc/n.h"\n{MAIN}')
        assert fails("<stdin>", f'#include "inc/n.h"\n{MAIN}')
        assert not fails("<stdin>", '#include "stdio.h"\nint main(void) { return 0; }\n')
        assert not fails("inc/m.c", f'#include "n.h"\n{MAIN}')
        assert not fails("m.c", f'#include "inc/n.h"\n{MAIN}')
        with permitting("inc"):
            assert not fails("source/m.c", f'#include "../inc/n.h"\n{MAIN}')


@pytest.mark.parametrize("file", ["../outside/s.bril", "../outside/none.bril", "/etc/passwd", "to_folder/s.bril"])
def test_imports_of_bril_are_confined(folders: Run, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    Path("m.bril").write_text(f'from "{file}" import @f;\n@main {{ call @f; }}\n')
    start = f"m.bril:1:6: error: the file `{file}` is not in a permitted folder\n    1 | from"
    status, _, err = folders("convert", "m.bril")
    assert (status, err.startswith(start), "`-I FOLDER` permits" in err) == (1, True, True)
    Path("../outside/s.bril").write_text("@f { print 7; }\n".replace("print 7", "x: int = const 7; print x"))
    if file.endswith("s.bril"):
        assert folders("run", "-I", "../outside", "m.bril").out == "7\n"
        monkeypatch.setenv("BRIL_PATH", "../outside")
        assert folders("run", "m.bril").out == "7\n"


def test_imports_of_pipes_do_not_wait(folders: Run) -> None:
    os.mkfifo("P.mod")
    Path("M.mod").write_text("MODULE M; IMPORT P; END M.")
    Path("m.bril").write_text('from "pipe.h" import @f;\n@main { call @f; }\n')
    assert "there is no module `P`" in folders("check", "M.mod").err
    assert "there is no file `pipe.h`" in folders("check", "m.bril").err


def test_imports_of_tinylang_are_confined(folders: Run) -> None:
    Path("S.mod").symlink_to("../outside/S.mod")
    Path("T.mod").symlink_to("../outside/T.mod")
    for name in "ST":
        Path("M.mod").write_text(f"MODULE M; IMPORT {name}; END M.")
        assert f"error: the file `{name}.mod` is not in a permitted folder" in folders("check", "M.mod").err
    Path("../outside/T.mod").write_text("MODULE T; END T.")
    assert folders("check", "-I", "../outside", "M.mod").status == 0


def test_date_and_time_are_fixed_without_permission(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("d.c").write_text(
        "#include <stdio.h>\nint main(void) { puts(__DATE__); puts(__TIME__); puts(__TIMESTAMP__); return 0; }\n"
    )
    assert cpsconv("run", "d.c").out == "Jan  1 1970\n00:00:00\nThu Jan  1 00:00:00 1970\n"
    for command in (["run"], ["convert", "--emit", "scheme"]):
        assert "Jan  1 1970" not in cpsconv(*command, "--allow-clock", "d.c").out
    assert "Jan  1 1970" in cpsconv("convert", "d.c").out
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "9" * 50)
    assert "Jan  1 1970" in cpsconv("convert", "d.c").out

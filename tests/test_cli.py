"""The command line, called in this process: the output and the exit status of each command."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import click
import pytest

from cpsconv.cli.commands import COMMANDS, commands
from cpsconv.core.ir import Branch, Program
from cpsconv.languages import LANGUAGES
from testing.effort import sample
from testing.expectations import FIGURE_8, documented
from tests.conftest import Done, Run

EXAMPLES = Path(__file__).parent.parent / "examples"
FIG8 = str(EXAMPLES / "fig8.c")

FIGURE_8_ASCII = FIGURE_8.replace("→", "->").replace("⊥", "_|_")

FIGURE_8B = documented("cpsconv.targets.ssa")


# -------------------------------------------------------------------------------------------------------- convert


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ([], FIGURE_8),
        (["--ascii"], FIGURE_8_ASCII),
        (["--emit", "ssa"], FIGURE_8B),
        (["--emit", "ssa", "--ascii"], FIGURE_8B.replace("φ", "phi")),
        (["-o", "-"], FIGURE_8),
        (["--certify", "--strategy", "basic", "--no-minimal"], FIGURE_8),
    ],
)
def test_convert_prints_figure_8_to_the_letter(cpsconv: Run, options: list[str], text: str) -> None:
    assert cpsconv("convert", *options, FIG8) == (0, text, "")


def test_convert_reads_standard_input_in_the_given_language(cpsconv: Run) -> None:
    source = Path(FIG8).read_text(encoding="utf-8")
    assert cpsconv("convert", "--lang", "c", "-", stdin=source) == (0, FIGURE_8, "")


def test_convert_to_json(cpsconv: Run) -> None:
    program = json.loads(cpsconv("convert", "--emit", "json", FIG8).out)
    assert [function["name"] for function in program["functions"]] == ["f"]


def test_the_options_of_layout_apply(cpsconv: Run) -> None:
    example = str(EXAMPLES / "bisection.c")
    assert "    let\n" in cpsconv("convert", example).out
    assert "    let\n" not in cpsconv("convert", "--layout", "flat", example).out
    narrow = cpsconv("convert", "--width", "40", example).out
    assert narrow.count("\n") > cpsconv("convert", example).out.count("\n")


def test_convert_prints_redundant_parameters_on_request(cpsconv: Run) -> None:
    Path("loop.c").write_text("int f(int x, int n) { while (n > 0) n = n - 1; return x; }")
    minimal = cpsconv("convert", "--strategy", "basic", "loop.c").out
    assert minimal == cpsconv("convert", "loop.c").out
    assert minimal.count(" : ") <= cpsconv("convert", "--strategy", "basic", "--no-minimal", "loop.c").out.count(" : ")


def test_convert_keeps_cps_text(cpsconv: Run) -> None:
    Path("f.cps").write_text(FIGURE_8, encoding="utf-8")
    assert cpsconv("convert", "f.cps") == (0, FIGURE_8, "")
    assert cpsconv("convert", "--emit", "ssa", "f.cps") == (0, FIGURE_8B, "")


# ------------------------------------------------------------------------------------------------------------ -o


def test_output_goes_to_a_file(cpsconv: Run) -> None:
    assert cpsconv("convert", FIG8, "-o", "fig8.cps") == (0, "", "")
    assert Path("fig8.cps").read_text(encoding="utf-8") == FIGURE_8
    assert [path.name for path in Path().iterdir()] == ["fig8.cps"]


def test_wrong_input_leaves_the_output_file_alone(cpsconv: Run) -> None:
    Path("out.cps").write_text("precious")
    Path("bad.c").write_text("int f(")
    assert cpsconv("convert", "bad.c", "-o", "out.cps").status == 1
    assert Path("out.cps").read_text() == "precious"


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("missing/out.cps", "missing/out.cps: cannot be written: there is no such folder"),
        ("folder", "folder/fig8.cps: is a directory, not a file"),
    ],
)
def test_an_output_that_cannot_be_written_is_diagnosed(cpsconv: Run, output: str, message: str) -> None:
    Path("folder/fig8.cps").mkdir(parents=True)
    assert cpsconv("convert", FIG8, "-o", output) == (1, "", f"error: {message}\n")


def test_the_output_file_keeps_its_permissions_and_a_link_stays_a_link(cpsconv: Run) -> None:
    Path("real.cps").write_text("old")
    Path("real.cps").chmod(0o640)
    Path("link.cps").symlink_to("real.cps")
    assert cpsconv("convert", FIG8, "-o", "link.cps").status == 0
    assert Path("link.cps").is_symlink()
    assert Path("real.cps").read_text(encoding="utf-8") == FIGURE_8
    assert Path("real.cps").stat().st_mode & 0o777 == 0o640


def test_the_output_may_be_the_input(cpsconv: Run) -> None:
    Path("f.cps").write_text(FIGURE_8_ASCII)
    assert cpsconv("fmt", "f.cps", "-o", "f.cps") == (0, "", "")
    assert Path("f.cps").read_text(encoding="utf-8") == FIGURE_8


# ------------------------------------------------------------------------------------------------------ run, eval


@pytest.mark.parametrize(("argument", "answer"), [("0", "23\n"), ("7", "42\n"), ("-5", "42\n")])
def test_run_prints_the_value_of_a_function_that_is_not_main(cpsconv: Run, argument: str, answer: str) -> None:
    for arguments in ([argument], ["--", argument], ["--strategy", "marker", argument, "--no-minimal"]):
        assert cpsconv("run", FIG8, *arguments) == (0, answer, "")


def test_run_starts_with_main_or_the_chosen_entry(cpsconv: Run) -> None:
    gcd = str(EXAMPLES / "gcd.c")
    output = "gcd(48, 36) = 12\ngcd(17, 5) = 1\ngcd(1071, 462) = 21\ngcd(0, 9) = 9\n"
    assert cpsconv("run", gcd) == (0, output, "")
    assert cpsconv("run", gcd, "--entry", "gcd", "12", "18") == (0, "6\n", "")


def test_run_reports_a_jump_to_no_label_in_a_file_with_any_name(cpsconv: Run) -> None:
    Path("файл.c").write_text("int main(void) { void *p = &&a; goto *(void *)((char *)p + 9); a: return 0; }\n")
    done = cpsconv("run", "файл.c")
    assert (done.status, done.out) == (134, "")
    assert "файл.c:1:33: runtime error: this pointer is not the address of a label" in done.err


@pytest.mark.parametrize(
    ("program", "arguments", "end"),
    [
        ("int main(void) { return 7; }", [], (7, "", "")),
        ("int main(void) { return -1; }", [], (255, "", "")),
        ("int main(void) { return 256; }", [], (0, "", "")),
        ("#include <stdlib.h>\nint main(void) { exit(3); return 4; }", [], (3, "", "")),
        ("#include <stdlib.h>\nint main(void) { exit(-1); return 4; }", [], (255, "", "")),
        ("#include <stdlib.h>\nint main(void) { abort(); return 4; }", [], (134, "", "")),
        ("void f(void) { }", [], (0, "", "")),
        ("_Bool f(int x) { return x; }", ["2"], (0, "true\n", "")),
        ("double f(double x) { return x / 2; }", ["-3"], (0, "-1.5\n", "")),
        ("double f(double x) { return x; }", ["-inf"], (0, "-inf\n", "")),
        ("unsigned long f(int x) { return x; }", ["-1"], (0, "18446744073709551615\n", "")),
    ],
)
def test_the_end_of_a_run_is_its_exit_status_or_its_printed_value(
    cpsconv: Run, program: str, arguments: list[str], end: tuple[int, str, str]
) -> None:
    Path("p.c").write_text(program)
    assert cpsconv("run", "p.c", *arguments) == end


@pytest.mark.parametrize("text", ["€", "", "a\nb", "\udcff"])
def test_a_string_is_the_bytes_of_the_command_line(cpsconv: Run, text: str) -> None:
    Path("s.cps").write_text('f(s : string, ret : string → ⊥) → ⊥ { printf("%s\\n", s); ret(s) }', encoding="utf-8")
    assert cpsconv("eval", "s.cps", text) == (0, f"{text}\n{text}\n", "")


def test_output_that_is_not_text_is_unchanged(cpsconv: Run) -> None:
    Path("p.c").write_text('#include <stdio.h>\nint main(void) { putchar(255); putchar(0); puts("\\377"); return 0; }')
    assert cpsconv("run", "p.c").out.encode("utf-8", "surrogateescape") == b"\xff\0\xff\n"


@pytest.mark.parametrize(
    "arguments", [["--trace", FIG8, "3"], [FIG8, "--trace", "3"], [FIG8, "3", "--trace"], ["--trace=text", FIG8, "3"]]
)
def test_trace_goes_to_standard_error_and_takes_no_argument_of_the_program(cpsconv: Run, arguments: list[str]) -> None:
    done = cpsconv("run", *arguments)
    assert (done.status, done.out) == (0, "42\n")
    assert [line.split("  ")[-1] for line in done.err.splitlines()][2:] == ["next(a = 42)", "ret(42) → end"]


def test_words_after_two_dashes_are_arguments(cpsconv: Run) -> None:
    Path("f.cps").write_text("f(s : string, ret : string → ⊥) → ⊥ { ret(s) }", encoding="utf-8")
    assert cpsconv("eval", "f.cps", "--", "--trace") == (0, "--trace\n", "")
    assert cpsconv("run", FIG8, "--trace", "-3").out == "42\n"
    assert cpsconv("run", FIG8, "--trace", "--", "-3").out == "42\n"


def test_trace_as_json_is_a_line_for_each_transfer(cpsconv: Run) -> None:
    done = cpsconv("run", FIG8, "0", "--trace=json")
    assert [json.loads(line)["step"] for line in done.err.splitlines()] == [1, 2, 3]
    assert cpsconv("run", FIG8, "0", "--trace", "--trace=json").err == done.err


@pytest.mark.parametrize("option", ["--trace=", "--trace=xml", "--trace=JSON "])
def test_another_trace_is_a_wrong_command_line(cpsconv: Run, option: str) -> None:
    done = cpsconv("run", FIG8, "0", option)
    assert (done.status, done.out) == (2, "")
    assert "'text', 'json'" in done.err


def test_a_trace_without_standard_error_is_no_error(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert cpsconv("run", FIG8, "0", "--trace") == (0, "23\n", "")


def test_a_step_limit_ends_the_run(cpsconv: Run) -> None:
    Path("p.c").write_text("int main(void) { for (;;) ; }")
    done = cpsconv("run", "--max-steps", "100", "p.c")
    assert done.status == 3
    assert "the program is not done after 100 steps" in done.err


def test_a_runtime_error_comes_after_the_output_so_far(cpsconv: Run) -> None:
    Path("p.c").write_text(
        '#include <stdio.h>\nint main(void) {\n  puts("so far");\n  int z = 0;\n  return 1 / z;\n}\n'
    )
    assert cpsconv("run", "p.c") == (
        3,
        "so far\n",
        "p.c:5:10: runtime error: division by zero\n    5 |   return 1 / z;\n      |          ^^^^^\n",
    )


def test_eval_runs_cps_text_from_standard_input(cpsconv: Run) -> None:
    assert cpsconv("eval", "-", "7", stdin=FIGURE_8) == (0, "42\n", "")
    assert cpsconv("eval", "-", "-7", stdin=FIGURE_8_ASCII) == (0, "42\n", "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "`f` takes 1 argument (x : int), but none were given"),
        (["1", "2"], "`f` takes 1 argument (x : int), but 2 were given"),
        (["one"], "argument `x` of `f`: `one` is not an integer"),
        (["9" * 5000], "is out of the range of `int`, -2147483648 to 2147483647"),
        (["--entry", "g", "1"], "there is no function `g`"),
    ],
)
def test_arguments_that_do_not_fit_are_wrong_input(cpsconv: Run, arguments: list[str], complaint: str) -> None:
    done = cpsconv("run", FIG8, *arguments)
    assert (done.status, done.out) == (1, "")
    assert complaint in done.err


# ----------------------------------------------------------------------------------------------------- check, fmt


def test_check_reports_success(cpsconv: Run) -> None:
    assert cpsconv("check", FIG8) == (0, f"{FIG8}: ok, certified: 3 continuations, 1 parameter\n", "")
    assert cpsconv("check", "-", "--lang", "cps", stdin=FIGURE_8) == (0, "<stdin>: ok\n", "")


TURNED = "".join(
    f"""\
{{file}}:11:9: error: certificate: `f` leads to `{found}`, but in the source to `{told}`
   11 |     if (x == 0) {{{{
      |         ^^^^^^
help: this is a fault of cpsconv, not of its input; please report it
"""
    for found, told in (("else", "then"), ("then", "else"))
)


def _turn_branches(program: Program, *_: object, **__: object) -> None:
    """A faulty transformation that swaps the targets of each branch."""
    for function in program.functions:
        for member in function.members():
            if isinstance(member.transfer, Branch):
                member.transfer.then, member.transfer.otherwise = member.transfer.otherwise, member.transfer.then


def test_convert_writes_nothing_without_a_certificate(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.pipeline.minimise", _turn_branches)
    done = cpsconv("convert", "--certify", FIG8, "-o", "out.cps")
    assert done == (1, "", TURNED.format(file=FIG8))
    assert not Path("out.cps").exists()
    assert cpsconv("convert", FIG8).status == 0


def test_cps_text_cannot_be_certified(cpsconv: Run) -> None:
    complaint = "error: <stdin>: CPS text is not converted: there is nothing to certify\n"
    assert cpsconv("convert", "--certify", "--lang", "cps", "-", stdin=FIGURE_8) == (1, "", complaint)


def test_only_the_first_of_many_warnings_are_shown(cpsconv: Run, tmp_path: Path) -> None:
    program = tmp_path / "labels.c"
    for count, last in ((20, "      | ^^^"), (21, "… and 1 more warning"), (1000, "… and 980 more warnings")):
        labels = "".join(f"l{number}:\n" for number in range(count))
        program.write_text(f"int main(void) {{\n{labels}    return 0;\n}}\n")
        done = cpsconv("check", str(program))
        assert done.status == 0
        assert done.err.count("warning:") == 20
        assert done.err.splitlines()[-1] == last


IN_C = "int main(void) {{\n{}    return 0;\n}}\n"
IN_CPS = "f(x : int, ret : int → ⊥) → ⊥ {{\n{}  ret(x)\n}}\n"
STOPPED = "error: too many errors; the rest was not checked"


@pytest.mark.parametrize(
    ("name", "text", "wrong", "said"),
    [
        ("names.c", IN_C, "    x{};\n", "… and 980 more errors"),
        ("names.cps", IN_CPS, "  y{0} := x{0};\n", "… and 980 more errors"),
        ("syntax.c", IN_C, "    = {};\n", STOPPED),
        ("syntax.cps", IN_CPS, "  v{} := ;\n", STOPPED),
        ("characters.cps", IN_CPS, "  v{} := x # 2;\n", STOPPED),
    ],
)
def test_only_the_first_of_many_errors_are_shown(
    cpsconv: Run, tmp_path: Path, name: str, text: str, wrong: str, said: str
) -> None:
    program = tmp_path / name
    program.write_text(text.format("".join(wrong.format(number) for number in range(1000))))
    done = cpsconv("check", str(program))
    assert done.status == 1
    assert done.err.count("error:") == 20 + (said == STOPPED)
    assert [line.endswith(said) for line in done.err.splitlines()].count(True) == 1


def test_the_limit_of_errors_is_an_option(cpsconv: Run) -> None:
    Path("p.c").write_text("int main(void) { x1; x2; x3; }")
    assert cpsconv("check", "p.c", "--max-errors", "1").err.splitlines()[-1] == "… and 2 more errors"
    assert cpsconv("--max-errors", "0", "check", "p.c").err.count("error:") == 3
    assert cpsconv("check", "p.c").err.count("error:") == 3
    assert cpsconv("check", "p.c", "--max-errors", "-1").status == 2


def test_check_prints_warnings_and_succeeds(cpsconv: Run) -> None:
    Path("p.c").write_text("int f(int x) {\n  int a;\n  if (x) a = 1;\n  return a;\n}\n")
    done = cpsconv("check", "p.c")
    assert (done.status, done.out) == (0, "p.c: 1 warning, certified: 2 continuations, 1 parameter\n")
    assert done.err.count("warning:") == 1
    assert "`a` may be used uninitialised" in done.err


def test_check_finds_a_wrong_type_in_cps_text(cpsconv: Run) -> None:
    done = cpsconv("check", "--lang", "cps", "-", stdin="f(x : bool, ret : int → ⊥) → ⊥ {\n  ret(x)\n}\n")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("<stdin>:2:")


def test_check_reports_several_errors_in_source_order(cpsconv: Run) -> None:
    Path("p.c").write_text("int f(void) { return a; }\nint g(void) { return b; }\n")
    done = cpsconv("check", "p.c")
    assert (done.status, done.out) == (1, "")
    assert done.err.index("p.c:1:22: error:") < done.err.index("p.c:2:22: error:")


def test_fmt_formats(cpsconv: Run) -> None:
    squeezed = " ".join(FIGURE_8.split())
    assert cpsconv("fmt", "-", stdin=squeezed) == (0, FIGURE_8, "")
    assert cpsconv("fmt", "--ascii", "-", stdin=squeezed) == (0, FIGURE_8_ASCII, "")


def test_fmt_check_writes_nothing(cpsconv: Run) -> None:
    assert cpsconv("fmt", "--check", "-", stdin=FIGURE_8) == (0, "", "")
    assert cpsconv("fmt", "--check", "-", stdin=FIGURE_8 + "\n") == (1, "", "error: <stdin>: would be reformatted\n")


@pytest.mark.parametrize("also", [(), ("--check",)])
def test_fmt_diff_prints_the_changes_of_each_file(cpsconv: Run, also: tuple[str, ...]) -> None:
    Path("a.cps").write_text("f(ret : () → ⊥) → ⊥ {\n\tret( )\n}\n", encoding="utf-8")
    Path("b.cps").write_text(FIGURE_8, encoding="utf-8")
    Path("c.cps").write_text("g(ret : () → ⊥) → ⊥ {\n  ret()\n}", encoding="utf-8")
    status, out, err = cpsconv("fmt", "--diff", *also, "a.cps", "b.cps", "c.cps")
    assert (status, err.count("would be reformatted")) == (1, 2 * len(also))
    assert out == (
        "--- a.cps\n+++ a.cps\n@@ -1,3 +1,3 @@\n f(ret : () → ⊥) → ⊥ {\n-\tret( )\n+  ret()\n }\n"
        "--- c.cps\n+++ c.cps\n@@ -1,3 +1,3 @@\n g(ret : () → ⊥) → ⊥ {\n   ret()\n"
        "-}\n\\ No newline at end of file\n+}\n"
    )
    assert cpsconv("fmt", "--diff", "b.cps") == (0, "", "")


def test_fmt_keeps_comments(cpsconv: Run) -> None:
    text = FIGURE_8.replace("next(23)\n", "next(23) // then\n").replace("  branch", "  // if\n  branch")
    assert cpsconv("fmt", "--check", "-", stdin=text) == (0, "", "")
    assert cpsconv("fmt", "-", stdin=text.replace("  ", "    ")) == (0, text, "")


def test_fmt_does_not_write_a_file_from_which_code_would_be_lost(cpsconv: Run) -> None:
    text = "f(ret : () → ⊥) → ⊥ {\n  let k := () → ⊥ ret()\n  in ret()\n}\n"
    Path("f.cps").write_text(text, encoding="utf-8")
    assert cpsconv("fmt", "f.cps", "-o", "f.cps") == (
        1,
        "",
        "f.cps:2:7: error: the continuation `k` is never used, and would be lost\n"
        "    2 |   let k := () → ⊥ ret()\n"
        "      |       ^\n"
        "help: use it, delete it, or make it a comment\n",
    )
    assert Path("f.cps").read_text(encoding="utf-8") == text


# ---------------------------------------------------------------------------------------------------- wrong input


@pytest.mark.parametrize("command", ["convert", "run", "eval", "check", "fmt"])
def test_files_that_cannot_be_read(cpsconv: Run, command: str) -> None:
    Path("folder.cps").mkdir()
    assert cpsconv(command, "folder.cps") == (1, "", "error: folder.cps: is a directory, not a file\n")
    assert cpsconv(command, "no.cps") == (1, "", "error: no.cps: there is no such file\n")


def test_a_binary_file(cpsconv: Run) -> None:
    Path("p.c").write_bytes("\ufeffint x; // ä\n é".encode() + b"\x7fELF\xff\0\nint y;")
    complaint = """\
p.c:2:7: error: this is not UTF-8 text (byte 0xff)
    2 |  é\ufffdELF\ufffd\ufffd
      |       ^
"""
    assert cpsconv("convert", "p.c") == (1, "", complaint)


@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("suffix", [".c", ".cps", ".while", ".bril", ".json", ".mod"])
def test_text_in_another_encoding_is_named(cpsconv: Run, encoding: str, mark: str, suffix: str) -> None:
    name = f"p{suffix}"
    Path(name).write_bytes(f"{mark}x // ä".encode(encoding))
    complaint = f"error: {name}: is {encoding} text, not UTF-8\nhelp: convert it with `iconv -f {encoding} -t UTF-8`\n"
    assert cpsconv("check", name) == (1, "", complaint)


def test_an_included_file_in_another_encoding_is_named(cpsconv: Run) -> None:
    Path("p.h").write_bytes("int x;".encode("UTF-16"))
    Path("p.c").write_text('#include "p.h"\n')
    assert "p.h: is UTF-16LE text, not UTF-8" in cpsconv("check", "p.c").err


@pytest.mark.parametrize(
    ("command", "headings"),
    [
        (
            "convert",
            [
                "Options",
                "Construction",
                "Warnings",
                "Layout of CPS text",
                "Preprocessor of C",
                "Options of C compilers",
            ],
        ),
        ("check", ["Options", "Construction", "Warnings", "Preprocessor of C", "Options of C compilers"]),
        ("run", ["Options", "Construction", "Warnings", "Limits", "Access to the system", "Preprocessor of C"]),
    ],
)
def test_the_help_groups_the_options(cpsconv: Run, command: str, headings: list[str]) -> None:
    help = cpsconv(command, "--help").out
    assert [line[:-1] for line in help.splitlines() if re.match(r"\w.*:$", line)] == [*headings, "Examples"]


EMPTY = {
    # a command, then its error for a program without functions; "" if it succeeds
    "check": "",
    "convert": "",
    "graph": "",
    "compare": "",
    "explain": "there is no function to explain",
    "run": "there is no function `main`",
    "step": "there is no function `main`",
    "why": "there is no function to explain",
}
CONSTRUCTIVE = ["compare", "explain"]  # not for CPS text


@pytest.mark.parametrize("text", ["", "\n \t\n"])
@pytest.mark.parametrize("suffix", [".c", ".cps", ".while", ".bril", ".json", ".mod"])
def test_an_empty_file_is_a_program_without_functions(cpsconv: Run, suffix: str, text: str) -> None:
    name = f"empty{suffix}"
    Path(name).write_text(text)
    for command, complaint in EMPTY.items():
        if suffix == ".cps" and command in CONSTRUCTIVE:
            continue
        done = cpsconv(command, name)
        failure = 2 if command == "run" and suffix in LANGUAGES["bril"].suffixes else 1  # as Bril's interpreter
        assert done.status == (failure if complaint else 0), command
        assert complaint in done.err if complaint else not done.err.startswith("error"), command
    assert cpsconv("convert", name) == (0, "", "")


def test_a_program_without_functions_may_have_data(cpsconv: Run) -> None:
    Path("d.c").write_text("int x = 3;\n")
    assert cpsconv("convert", "d.c").out == "data x := 3\n"
    assert "@x = global i32 3" in cpsconv("convert", "--emit", "llvm", "d.c").out
    assert "llvm.mlir.global @x" in cpsconv("convert", "--emit", "mlir", "d.c").out


def test_an_empty_file_is_empty_cps_text(cpsconv: Run) -> None:
    Path("empty.cps").touch()
    assert cpsconv("fmt", "empty.cps") == (0, "", "")
    assert cpsconv("eval", "empty.cps") == (1, "", "error: there is no function `main`\n")


@pytest.mark.parametrize("file", ["prog.txt", "prog"])
def test_a_suffix_that_denotes_no_language(cpsconv: Run, file: str) -> None:
    Path(file).touch()
    *others, last = LANGUAGES
    known = f"{', '.join(others)} or {last}"
    assert cpsconv("convert", file) == (
        1,
        "",
        f"error: {file}: unknown language\nhelp: choose a language with --lang ({known})\n",
    )


@pytest.mark.parametrize("command", ["check", "compare", "convert", "explain", "graph", "run", "why"])
def test_standard_input_is_in_c_by_default(cpsconv: Run, command: str) -> None:
    done = cpsconv(command, "-", stdin="int main(void) { return 0; }\n")
    assert (done.status, done.err) == (0, "")
    assert "main" in done.out or command in ("check", "run")


COUNTED = """\
int total(int n) { int t = 0; for (int i = 1; i <= n; i++) t += i; return t; }
int main(void) { return total(5); }
"""


@pytest.mark.parametrize("name", sample(["p.cps", "p.json", "-", "p.data"], 2))
def test_a_program_in_json_is_read_wherever_cps_text_is(cpsconv: Run, name: str) -> None:
    """Its content denotes the language, not the name of the file; indentation and the order of keys do not matter."""
    Path("p.c").write_text(COUNTED)
    data = json.loads(cpsconv("convert", "--emit", "json", "p.c").out)
    text = json.dumps({key: data[key] for key in sorted(data)}, indent=4)
    Path("p.json" if name == "-" else name).write_text(text)
    flat = cpsconv("convert", "--layout", "flat", "p.c").out
    for command in ("convert", "fmt", "link"):
        assert cpsconv(command, "--layout", "flat", name, stdin=text) == (0, flat, "")
    for command in ("run", "eval"):
        assert cpsconv(command, name, stdin=text).status == 15
        assert cpsconv(command, f"{name}:total", "4", stdin=text).out == "10\n"
    assert cpsconv("check", name, stdin=text).out.endswith(": ok\n")
    assert cpsconv("check", name, "--tests", "9", "--against", "p.c", stdin=text).status == 0
    assert "total" in cpsconv("graph", name, stdin=text).out
    assert "there is nothing to explain" in cpsconv("explain", name, stdin=text).err
    assert cpsconv("convert", "--lang", "c", name, stdin=text).status == 1
    if name != "-":
        assert cpsconv("check", "p.c", "--tests", "9", "--against", name).status == 0
        assert "total" in cpsconv("step", name, stdin="n\nq\n").out


def test_eval_chooses_warnings(cpsconv: Run) -> None:
    Path("w.cps").write_text("main(ret : int → ⊥) → ⊥ {\n  let\n    k := () → ⊥\n      ret(0)\n  in\n  ret(1)\n}\n")
    assert "[-Wunused-continuation]" in cpsconv("eval", "w.cps").err
    for option in ("-w", "-Wno-unused", "-q"):
        assert cpsconv("eval", option, "w.cps") == (1, "", "")
    assert cpsconv("eval", "-Werror", "w.cps").status == 1


def test_a_program_in_json_can_be_wrong(cpsconv: Run) -> None:
    Path("p.json").write_text('{"format": "cpsconv", "version": 1}')
    assert cpsconv("run", "p.json") == (1, "", 'error: p.json: not a program in JSON: it has no "source"\n')
    Path("p.json").write_bytes(b'{"format": "cpsconv", "\xff": 1}')
    assert "this is not UTF-8 text" in cpsconv("check", "p.json").err
    Path("p.json").write_text('{"format": "cpsconv", "functions": []}')
    assert "this is a program of `--emit json`, not Bril" in cpsconv("check", "--lang", "bril", "p.json").err


def test_deep_nesting_is_accepted(cpsconv: Run) -> None:
    Path("p.c").write_text(f"int f(int x) {{ return {'(' * 1_500}x{' + 1)' * 1_500}; }}")
    assert cpsconv("run", "p.c", "5") == (0, "1505\n", "")


def test_enormous_numbers_are_wrong_input(cpsconv: Run) -> None:
    Path("p.c").write_text(f"int f(void) {{ return {'9' * 10_000}; }}")
    done = cpsconv("convert", "p.c")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("p.c:1:22: error: ")
    assert len(done.err) < 1000


@pytest.mark.parametrize("command", ["eval", "fmt"])
@pytest.mark.parametrize(
    ("file", "complaint", "cure"),
    [
        (FIG8, "is not CPS text", "`cpsconv convert` converts it to CPS text, and `cpsconv run` runs it"),
        (
            "out.txt",
            "the suffix is not that of CPS text",
            "choose the language with `--lang cps`, or rename the file to `….cps`",
        ),
    ],
)
def test_files_that_are_not_cps_text(cpsconv: Run, command: str, file: str, complaint: str, cure: str) -> None:
    Path("out.txt").write_text("{}")
    assert cpsconv(command, file) == (1, "", f"error: {file}: {complaint}\nhelp: {cure}\n")


def test_cps_text_in_a_file_without_a_suffix(cpsconv: Run) -> None:
    assert cpsconv("convert", FIG8, "-o", "out").status == 0
    assert cpsconv("eval", "out", "0") == (0, "23\n", "")
    assert cpsconv("fmt", "--check", "out") == (0, "", "")


# ------------------------------------------------------------------------------------------- wrong command lines


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert"],
        ["nonsense"],
        ["convert", "--strategy", "magic", FIG8],
        ["convert", "--emit", "wasm", FIG8],
        ["convert", "--width", "many", FIG8],
        ["convert", FIG8, "-o", ""],
        ["fmt", "-", "-o", ""],
        ["run", FIG8, "--max-step", "3"],
        ["run", FIG8, "-x"],
        ["eval", "--strategy", "scc", FIG8],
        ["check", "--lang", "cobol", FIG8],
    ],
)
def test_a_wrong_command_line_ends_with_2(cpsconv: Run, arguments: list[str]) -> None:
    done = cpsconv(*arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("Usage: cpsconv")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["convert", FIG8, "--certify", "-O"], "--certify and -O exclude each other"),
        (["convert", FIG8, "--certify", "--optimize=cse"], "--certify and --optimize exclude each other"),
        (["explain", FIG8, "--html", "f.html", "--brief"], "--html and --brief exclude each other"),
        (["explain", FIG8, "--at", "1", "--thread-jumps"], "--at and --thread-jumps exclude each other"),
        (["graph", FIG8, "-o", "f.svg", "--split", "."], "--split and -o exclude each other"),
        (["graph", FIG8, "-of.svg", "--split", "."], "--split and --output exclude each other"),
        (["check", FIG8, "--max-steps", "3"], "--max-steps requires --against"),
        (["convert", FIG8, "--functional"], "--functional requires --emit javascript"),
        (["convert", FIG8, "--emit", "llvm", "--locations"], "--locations requires --emit mlir"),
        (["convert", FIG8, "--emit", "c", "--out-of-ssa"], "--out-of-ssa requires --emit bril or --emit bril-json"),
        (["run", FIG8, "1", "--engine", "llvm", "--max-steps", "0"], "--max-steps requires --engine machine"),
    ],
)
def test_options_that_exclude_each_other_are_a_wrong_command_line(
    cpsconv: Run, arguments: list[str], message: str
) -> None:
    done = cpsconv(*arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(f"Error: {message}\n")
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_quotes_the_help_of_each(name: str) -> None:
    command = commands.get_command(click.Context(commands), name)
    assert command and command.help
    assert command.help.replace("\n", " ").startswith(COMMANDS[name][1])


CPS_ONLY = {"eval", "fmt"}
"""The commands with files that read only CPS programs; the others read every language."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_the_options_that_the_documents_state_of_all_commands(name: str) -> None:
    command = commands.get_command(click.Context(commands), name)
    assert command
    options = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
    takes_files = name not in ("completion", "playground")
    assert {"--quiet", "--color", "--max-errors", "--diagnostics"} <= options
    assert takes_files == any(each.name == "files" and each.nargs == -1 for each in command.params)
    assert ("--jobs" in options) == (takes_files and name != "step")
    assert ({"-I", "-D", "-U", "-include"} <= options) == (takes_files and name not in CPS_ONLY)
    if name in ("convert", "run", "step", "check", "graph"):
        assert {"--strategy", "--no-minimal", "-O", "--optimise", "--thread-jumps"} <= options


# ------------------------------------------------------------------------------------------------ robustness


@pytest.mark.parametrize(
    ("failure", "status", "complaint"),
    [
        (MemoryError(), 3, "error: out of memory\n"),
        (
            RecursionError("too deep\nreally"),
            70,
            "error: internal error: RecursionError: too deep\n"
            "help: CPSCONV_DEBUG=1 prints the traceback; please report it\n",
        ),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_no_traceback_reaches_a_user(
    cpsconv: Run, monkeypatch: pytest.MonkeyPatch, failure: BaseException, status: int, complaint: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr("cpsconv.cli.files.convert", fail)
    assert cpsconv("convert", FIG8) == (status, "", complaint)
    if status == 70:  # one of several files
        assert f"error: {FIG8}: internal error" in cpsconv("check", FIG8, FIG8).err
    monkeypatch.setenv("CPSCONV_DEBUG", "1")
    assert "Traceback" in cpsconv("convert", FIG8).err


@pytest.mark.parametrize("command", [["why", "PLACE", "a@then"], ["explain", "PLACE"], ["graph", "--loops", "PLACE"]])
def test_a_function_of_standard_input(cpsconv: Run, command: list[str]) -> None:
    text = "int g(int a) { return a; }\nint o(int a) { if (a) a = 1; return a; }\n"
    Path("f.c").write_text(text)

    def done(place: str, stdin: str = "") -> Done:
        given = [place if word == "PLACE" else word for word in command]
        return cpsconv(*given, "--lang", "c", stdin=stdin)

    of_file = done("f.c:o")
    assert (of_file.status, of_file.err) == (0, "")
    assert done("-:o", text) == of_file
    assert done("-:p", text).status == 1
    assert done("-", text).out.replace("<stdin>", "f.c") == done("f.c").out
    assert done("-x", text).status == 2


def test_optimisation_keeps_the_function_that_the_command_line_names(cpsconv: Run) -> None:
    Path("p.c").write_text("int f(int x) { return x + 1; }\nint main(void) { return 0; }\n")
    assert cpsconv("run", "-O", "p.c:f", "3") == (0, "4\n", "")
    assert cpsconv("convert", "-O", "p.c:f").out == "f(x : int, ret : int → ⊥) → ⊥ {\n  ret(x + 1)\n}\n"

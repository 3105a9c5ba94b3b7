"""Debug information of modules of LLVM IR: values of promoted variables, their names, and positions in the source."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Run

pytest.importorskip("llvmlite", reason="LLVM IR is read with llvmlite")

from cpsconv.languages.ours import expressing

C = "int g(int);\nint h(int c) {\n  int x;\n  if (c)\n    x = g(c);\n  return x;\n}\n"
"""The program that `MODULE` was compiled from."""

MODULE = """\
declare i32 @g(i32)
define i32 @h(i32 %0) !dbg !5 {
  %2 = alloca i32
  %3 = alloca i32
  store i32 %0, ptr %2
    #dbg_declare(ptr %2, !8, !DIExpression(), !10)
    #dbg_declare(ptr %3, !9, !DIExpression(), !11)
  %4 = load i32, ptr %2, !dbg !12
  %5 = icmp ne i32 %4, 0, !dbg !12
  br i1 %5, label %6, label %9, !dbg !12
6:
  %7 = load i32, ptr %2, !dbg !13
  %8 = call i32 @g(i32 %7), !dbg !14
  store i32 %8, ptr %3, !dbg !15
  br label %9, !dbg !16
9:
  %10 = load i32, ptr %3, !dbg !17
  ret i32 %10, !dbg !18
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "h.c", directory: "FOLDER")
!3 = !DISubroutineType(types: !4)
!4 = !{!7, !7}
!5 = distinct !DISubprogram(name: "h", file: !2, line: 2, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "c", arg: 1, scope: !5, file: !2, line: 2, type: !7)
!9 = !DILocalVariable(name: "x", scope: !5, file: !2, line: 3, type: !7)
!10 = !DILocation(line: 2, column: 11, scope: !5)
!11 = !DILocation(line: 3, column: 7, scope: !5)
!12 = !DILocation(line: 4, column: 7, scope: !5)
!13 = !DILocation(line: 5, column: 11, scope: !5)
!14 = !DILocation(line: 5, column: 9, scope: !5)
!15 = !DILocation(line: 5, column: 7, scope: !5)
!16 = !DILocation(line: 5, column: 5, scope: !5)
!17 = !DILocation(line: 6, column: 10, scope: !5)
!18 = !DILocation(line: 6, column: 3, scope: !5)
"""


@pytest.fixture(autouse=True)
def _kept() -> Iterator[None]:
    """Every instruction stays as it is."""
    with expressing("none"):
        yield


@pytest.fixture(autouse=True)
def _module(cpsconv: Run) -> None:
    Path("h.ll").write_text(MODULE.replace("FOLDER", os.getcwd()))
    Path("h.c").write_text(C)


def test_declarations_of_promoted_variables_become_values(cpsconv: Run) -> None:
    text = cpsconv("convert", "-w", "--emit", "llvm", "h.ll").out
    assert "#dbg_declare" not in text
    body = text[text.index("define") : text.index("\n}")]
    assert (
        re.sub(r"!\d+", "!", body)
        == """\
define i32 @h(i32 %c) !dbg ! {
    #dbg_value(i32 %c, !, !DIExpression(), !)
  %v5 = icmp ne i32 %c, 0, !dbg !
  br i1 %v5, label %block6, label %block9, !dbg !

block6:                                           ; preds = %0
  %x = call i32 @g(i32 %c), !dbg !
    #dbg_value(i32 %x, !, !DIExpression(), !)
  br label %block9, !dbg !

block9:                                           ; preds = %block6, %0
  %x1 = phi i32 [ undef, %0 ], [ %x, %block6 ]
    #dbg_value(i32 %x1, !, !DIExpression(), !)
  ret i32 %x1, !dbg !"""
    )
    x = re.findall(r"dbg_value\(i32 %x1?, (!\d+), .*, (!\d+)\)", body)
    assert x[0] == x[1]
    assert f'{x[0][0]} = !DILocalVariable(name: "x"' in text
    again = cpsconv("convert", "-w", "--emit", "llvm", "--lang", "llvm", "-", stdin=text).out
    assert again == text


def test_a_parameter_has_the_name_of_its_variable(cpsconv: Run) -> None:
    stored = Path("h.ll").read_text()
    body = """\
    #dbg_value(i32 %0, !20, !DIExpression(), !21)
    #dbg_value(i32 %0, !8, !DIExpression(), !10)
  ret i32 %0, !dbg !18
}
"""
    inlined = """\
!19 = distinct !DISubprogram(name: "k", file: !2, line: 1, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!20 = !DILocalVariable(name: "d", arg: 1, scope: !19, file: !2, line: 1, type: !7)
!21 = !DILocation(line: 1, column: 1, scope: !19, inlinedAt: !18)
"""
    start, end = stored.index("  %2 = "), stored.index("!llvm.module")
    Path("described.ll").write_text(f"{stored[:start]}{body}{stored[end:]}{inlined}")
    for file in "h.ll", "described.ll":
        for choice in "some", "none":
            text = cpsconv("convert", "-w", "--ours", choice, file).out
            assert re.search(r"\bh\(\s*(@defined )?c : int,", text), (file, choice)


def test_cps_text_keeps_the_debug_information_of_variables(cpsconv: Run) -> None:
    cpsconv("convert", "-w", "h.ll", "-o", "h.cps")
    assert re.search(r'\(@llvm.variable\("!\d+, !DIExpression\(\), !\d+"\) x1 : int\)', Path("h.cps").read_text())
    one, other = (cpsconv("convert", "-w", "--emit", "llvm", file).out for file in ("h.ll", "h.cps"))
    assert one == other


def test_each_conversion_with_debug_information_is_certified(cpsconv: Run) -> None:
    assert cpsconv("check", "-w", "--independent", "h.ll").status == 0
    assert cpsconv("convert", "-w", "--thread-jumps", "--certify", "h.ll").status == 0


def test_records_name_values_that_are_not_defined_on_every_path(cpsconv: Run) -> None:
    record = "    #dbg_value(i32 %8, !9, !DIExpression(), !11)\n"
    text = (
        Path("h.ll").read_text().replace("9:\n", f"9:\n{record}").replace("  store i32 %8", f"{record}  store i32 %8")
    )
    Path("h.ll").write_text(text)
    assert cpsconv("check", "-w", "--independent", "h.ll").status == 0
    out = cpsconv("convert", "-w", "--emit", "llvm", "h.ll").out
    assert out.count("#dbg_value(i32 poison, ") == 1


def test_messages_are_about_the_source_that_was_compiled(cpsconv: Run) -> None:
    assert (
        cpsconv("check", "h.ll").err
        == """\
h.c:6:3: warning: `x` may be used uninitialised [-Wmaybe-uninitialized]
    6 |   return x;
      |   ^^^^^^
h.c:3:7: note: declared here
    3 |   int x;
      |       ^
h.c:4:7: note: on a path without an assignment to `x`, this condition is false
    4 |   if (c)
      |       ^
"""
    )


def test_explanations_and_pages_show_the_source_that_was_compiled(cpsconv: Run) -> None:
    assert "   5 │     x = g(c);\n" in cpsconv("explain", "h.ll").out
    assert "line 5: x = g(c);\n" in cpsconv("why", "h.ll:h", "x").out
    assert cpsconv("explain", "--html", "page.html", "h.ll").status == 0
    assert '"source":{"name":"h.c","text":"int g(int);' in Path("page.html").read_text()


@pytest.mark.parametrize("reason", ["missing", "changed", "not permitted"])
def test_a_source_that_cannot_be_read_is_named_beside_the_line_of_the_module(cpsconv: Run, reason: str) -> None:
    if reason == "missing":
        Path("h.c").unlink()
    elif reason == "changed":
        text = Path("h.ll").read_text()
        checksum = 'checksumkind: CSK_MD5, checksum: "00112233445566778899aabbccddeeff"'
        Path("h.ll").write_text(text.replace('!DIFile(filename: "h.c",', f'!DIFile({checksum}, filename: "h.c",'))
    else:
        text = Path("h.ll").read_text()
        Path("h.ll").write_text(
            text.replace(f'directory: "{os.getcwd()}"', 'directory: "/etc"').replace("h.c", "passwd")
        )
    name = "passwd" if reason == "not permitted" else "h.c"
    err = cpsconv("check", "h.ll").err
    assert err.startswith(f"{name}:6:3: warning: `x` may be used uninitialised")
    assert "\n      |   ret i32 %10, !dbg !" in err, "the line of another file has no number"


def test_without_debug_information_messages_are_about_the_text_of_the_module(cpsconv: Run) -> None:
    text = Path("h.ll").read_text().split("!llvm.module.flags")[0]
    lines = [line.partition(", !dbg")[0].replace(" !dbg !5", "") for line in text.split("\n") if "#dbg" not in line]
    Path("h.ll").write_text("\n\n; a comment\n".join(lines))
    err = cpsconv("check", "h.ll").err
    number = 1 + Path("h.ll").read_text().split("\n").index("  ret i32 %10")
    assert err.startswith(f"h.ll:{number}:3: warning: `v3` may be used uninitialised")
    assert f"{number} |   ret i32 %10\n" in err

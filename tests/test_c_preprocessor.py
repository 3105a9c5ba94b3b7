"""The preprocessor of C: expansion as by gcc, inclusion, conditions, errors, and positions in the files as written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import convert
from cpsconv.core.source import DiagnosticError, Source
from cpsconv.core.text import pretty
from cpsconv.languages.c.preprocessor import expansion, files, preprocessed
from cpsconv.languages.c.preprocessor.tokens import TOKEN
from testing.effort import examples, is_full, size
from tests.conftest import Run
from tests.tables import table


def tokens(text: str) -> list[str]:
    return [match[2] for match in TOKEN.finditer(text) if match[2]]


def expanded(text: str, name: str = "test.c") -> list[str]:
    found = preprocessed(Source(name, text), []).text
    return tokens(found)


def by_gcc(text: str) -> tuple[list[str], bool]:
    """The tokens that gcc gives, and whether it reports errors."""
    command = ["gcc", "-E", "-P", "-w", "-Ulinux", "-Uunix", "-x", "c", "-"]
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return tokens(result.stdout), result.returncode != 0


@pytest.mark.parametrize("body", ["__VA_OPT__(a __VA_OPT__(b))", "__VA_OPT__(a", "__VA_OPT__", "__VA_OPT__(## a)"])
def test_malformed_optional_tokens_are_errors(body: str) -> None:
    with pytest.raises(DiagnosticError, match=r"must be between two tokens|`__VA_OPT__` must"):
        expanded(f"#define F(...) {body}\nF(1)\n")


@pytest.mark.parametrize("text", [pytest.param(text, id=title) for title, text in table("c_macros").items()])
def test_programs_expand_as_by_gcc(text: str) -> None:
    assert expanded(text, "<stdin>") == by_gcc(text)[0]


@pytest.mark.parametrize(
    "text",
    [
        "#if 18446744073709551615 > 1 && 9223372036854775808 - 1 > 0\nyes\n#endif\n",
        "#if 1 ? 1 ? 2 : 3 : 4\nyes\n#endif\n",
        "#if 0 ? 1 : 0 ? 2 : 1 ? 0 : 1\nyes\n#else\nno\n#endif\n",
        "#if 0 ? 0, 1 : 2\nyes\n#endif\n",
        "/* c */ #define N 3\nint x = N;\n",
        "# /* c */ define N 3\nint x = N;\n",
        "int x = __x86_64 + _LP64;\n",
        "#if __LDBL_DIG__ == 18 && __LDBL_MAX_10_EXP__ == 4932 && __LDBL_MIN_EXP__ < 0\nyes\n#endif\n",
        "#if defined(__has_attribute) && !__has_attribute(no_such)\nyes\n#endif\n",
        "#if __has_attribute(noreturn) && __has_attribute(__packed__)\nyes\n#endif\n",
        "#if __has_builtin(__builtin_expect) && __has_builtin(__sync_synchronize)\nyes\n#endif\n",
        "#if __has_builtin(no_such) || __has_builtin(__builtin_no_such) || !__has_builtin(abs)\nno\n#endif\n",
        "#if __has_include(<stdio.h>) && __has_include(<./stdio.h>) && !__has_include(<no.h>)\nyes\n#endif\n",
        "#if 0\n#\nendif\n#\nelse\n#endif\nyes\n",
        "#if (1, 0) || (1U, -1) < 0\nyes\n#endif\n",
        "#ifdef X\n#elifdef Y\n#elifndef Z\nyes\n#endif\n",
        "#define D defined\n#define Z\n#if D Z && D (Z) && !D Y\nyes\n#endif\n",
        "#define f(x) x\nf(1\n%: define N 3\n/* c */ # undef M\nN) f(defined N) N\n",
        "#define E\n#define s(x) #x\n#define x(x) s(x)\nx(| E|) x(|E |) x(|E|) s(\\)\n",
        '#define A 1\n#pragma push_macro("A")\n#undef A\nA\n#pragma pop_macro("A")\nA\n',
        "#define X 1 \\ \n + 2\nX\n",
        "#define h h>\n#if __has_include(<stddef.h)\nyes\n#endif\n",
    ],
)
def test_few_directives_are_obeyed_as_by_gcc(text: str) -> None:
    assert expanded(text) == by_gcc(text)[0]


NAMES = ["a", "b", "c", "f", "g", "h"]
_TOKENS = [*NAMES, *NAMES, "x", "1", "2", "+", "-", ",", "(", ")", "()", "(x)", "(a,b)", '"s"', ".", "##x", "#"]


@st.composite
def definitions_and_calls(draw: st.DrawFn) -> str:
    """Definitions of macros that use each other, and text that uses them."""
    lines = []
    for name in NAMES:
        parameters = draw(st.sampled_from([None, [], ["x"], ["x", "y"], ["x", "..."], ["x", "r..."]]))
        words = [draw(st.sampled_from([*_TOKENS, "x", "y"])) for _ in range(draw(st.integers(0, 7)))]
        if parameters:
            used = [each.replace("r...", "r").replace("...", "__VA_ARGS__") for each in parameters]
            extra = [draw(st.sampled_from(used)) for _ in range(draw(st.integers(0, 3)))]
            words = [word for word in words if word not in ("#", "##x")]
            for each in extra:
                words.insert(
                    draw(st.integers(0, len(words))),
                    draw(st.sampled_from([each, each, f"#{each}", f"z##{each}", f"{each}##{each}"])),
                )
        else:
            words = [word for word in words if word not in ("#", "##x")]
        shown = "" if parameters is None else f"({','.join(parameters)})"
        lines.append(f"#define {name}{shown} {' '.join(words)}")
    for _ in range(draw(st.integers(1, 5))):
        words = [draw(st.sampled_from(_TOKENS[:-2])) for _ in range(draw(st.integers(1, 8)))]
        lines.append(draw(st.sampled_from(["", " "])).join(words) + ";")
    return "\n".join(lines) + "\n"


@settings(max_examples=examples(60))
@given(definitions_and_calls())
def test_generated_macros_expand_as_by_gcc(text: str) -> None:
    theirs, is_wrong = by_gcc(text)
    try:
        ours = expanded(text)
    except DiagnosticError:
        assert is_wrong
        return
    assert not is_wrong
    assert ours == theirs


# -------------------------------------------------------------------------------------------- files, options, positions

LIST = """\
#ifndef LIST_H
#define LIST_H
#include <stdio.h>
#define SHOW(x) printf("%s = %d\\n", #x, x)
static int one(void) { return 1; }
#endif
"""


def test_folders_of_options_are_searched_in_the_order_of_gcc(cpsconv: Run) -> None:
    for number, folder in enumerate(["quoted", "first", "last"], 1):
        Path(folder).mkdir()
        Path(folder, "own.h").write_text(f"#define N {number}\n#include_next <limits.h>\n")
    Path("quotes.c").write_text('#include "own.h"\nint main(void) { return N; }\n')
    Path("brackets.c").write_text("#include <own.h>\nint main(void) { return N; }\n")
    folders = ["-isystem", "last", "-I", "first", "-iquote", "quoted"]
    for shown, option in enumerate([folders[4:], folders[2:4], folders[:2]], 1):
        assert cpsconv("run", *option, "quotes.c") == (shown, "", "")
    assert cpsconv("run", *folders, "quotes.c") == (1, "", "")
    assert cpsconv("run", *folders, "brackets.c") == (2, "", "")
    assert cpsconv("run", *folders[4:], "brackets.c")[0] == 1
    assert "`<own.h>` is not a header of standard C" in cpsconv("run", *folders[4:], "brackets.c")[2]


def test_the_next_header_of_the_main_file_is_the_first(cpsconv: Run) -> None:
    Path("own.h").write_text("#define OWN 4\n")
    condition = '#if __has_include_next("own.h") && !__has_include_next("other.h")'
    Path("a.c").write_text(f'{condition}\n#include_next "own.h"\n#endif\nint main(void) {{ return OWN; }}\n')
    assert cpsconv("run", "a.c").status == 4


def test_errno_is_a_macro_that_old_programs_also_declare(cpsconv: Run) -> None:
    Path("a.c").write_text(
        "#include <errno.h>\n#include <stdlib.h>\n#ifndef errno\n#error no macro\n#endif\nextern int errno;\n"
        'int main(void) { errno = 0; return strtol("99999999999999999999", 0, 10) > 0 ? errno : 0; }'
    )
    assert cpsconv("run", "a.c").status == 34


OF_COMPILERS = "-std=gnu99 -O2 -Os -g -g3 -fPIC -fno-builtin -march=native -m64 -pthread -pipe -ansi -pedantic -c"


OF_LINKERS = "-lm -l c -L/usr/lib -L lib -MMD -MP -MFf.d -MF f.d -MT f.o -MM -M --std=c11 -static -no-pie -s"
NOTED = "-lm -lc -L/usr/lib -Llib -MMD -MP -MFf.d -MM -MTf.o -static -no-pie -s"


def test_options_of_compilers_are_accepted(cpsconv: Run) -> None:
    Path("f.c").write_text("int f(int x) { return x + 1; }\n")
    for command in ("convert", "check"):
        plain = cpsconv(command, "f.c", "-O")
        assert plain[0] == 0 and cpsconv(command, *OF_COMPILERS.split(), "f.c") == plain
    for command in ("convert", "check", "link", "graph", "compare", "explain"):
        done = cpsconv(command, *OF_COMPILERS.split(), "-Wall", "-Werror", "-Wno-unused", "-w", "f.c")
        assert (done.status, done.err) == (0, "note: without effect here: -O2 -Os\n" if command == "link" else "")
        assert cpsconv(command, "-Wal", "f.c").status == 2
        done = cpsconv(command, *OF_LINKERS.split(), "f.c")
        assert (done.status, done.err) == (0, f"note: without effect here: {NOTED}\n")
        assert cpsconv(command, "-q", *OF_LINKERS.split(), "f.c").err == ""
    for option in ("-m32", "-funsigned-char"):
        status, _, message = cpsconv("convert", option, "f.c")
        assert status == 2 and f"{option} is not supported: the types of C are those of x86-64 Linux" in message


@pytest.fixture
def project(cpsconv: Run) -> Run:
    """The command line in a folder with ``include/list.h`` and ``main.c``, which includes it twice."""
    Path("include").mkdir()
    Path("include/list.h").write_text(LIST)
    Path("main.c").write_text(
        '#include "list.h"\n#include "list.h"\n#ifndef N\n#define N one() + \\\n  one()\n#endif\n'
        "int main(void) { SHOW(N); return __LINE__; }\n"
    )
    return cpsconv


def test_files_are_found_in_the_folders_of_options(project: Run) -> None:
    assert project("run", "-I", "include", "main.c") == (7, "N = 2\n", "")
    assert project("run", "-Iinclude", "-DN=5", "main.c") == (7, "N = 5\n", "")
    assert project("run", "-Iinclude", "-D", "N", "main.c") == (7, "N = 1\n", "")
    assert project("run", "-Iinclude", "-DN=5", "-UN", "main.c") == (7, "N = 2\n", "")
    assert project("run", "-UN", "-Iinclude", "-DN=5", "main.c") == (7, "N = 5\n", "")
    assert project("run", "-DN=5", "-Iinclude", "-U", "N", "-D", "N=6", "main.c") == (7, "N = 6\n", "")
    Path("more.h").write_text("#define N 3\n")
    assert project("run", "-Iinclude", "-include", "more.h", "main.c") == (7, "N = 3\n", "")
    assert project("run", "-std=c99", "-iquote", "include", "main.c") == (7, "N = 2\n", "")
    assert project("run", "-isystem", "include", "main.c") == (7, "N = 2\n", "")
    assert project("check", "-q", "main.c") == (
        1,
        "",
        'main.c:1:10: error: there is no file `"list.h"`\n    1 | #include "list.h"\n      |          ^^^^^^^^\n'
        "help: name the folder that has the file with `-I FOLDER`\n"
        'main.c:2:10: error: there is no file `"list.h"`\n    2 | #include "list.h"\n      |          ^^^^^^^^\n'
        "help: name the folder that has the file with `-I FOLDER`\n",
    )


def test_the_preprocessed_text_converts_to_the_same_program(project: Run) -> None:
    text = project("convert", "-E", "-Iinclude", "main.c").out
    assert text.startswith('# 3 "include/list.h"\n#include <stdio.h>\n')
    assert project("convert", "-", "--lang", "c", stdin=text).out == project("convert", "-Iinclude", "main.c").out
    assert project("convert", "-E", "p.cps").status == 2


def test_errors_are_at_their_places_in_the_files_as_written(project: Run) -> None:
    Path("include/list.h").write_text(LIST.replace("return 1", "return missing"))
    errors = project("check", "-Iinclude", "main.c").err
    assert errors == (
        "include/list.h:5:31: error: `missing` is not declared\n"
        "    5 | static int one(void) { return missing; }\n"
        "      |                               ^^^^^^^\n"
        'main.c:1:2: note: included here\n    1 | #include "list.h"\n      |  ^^^^^^^^^^^^^^^^\n'
    )


def test_files_are_imported_once(cpsconv: Run) -> None:
    Path("a.h").write_text("int a(void);\n")
    Path("m.c").write_text('#import "a.h"\n#import "a.h"\n#include "a.h"\n#ident "m"\nint b;\n')
    assert cpsconv("convert", "-E", "m.c").out.count("int a(void);") == 1


def test_constants_of_headers_are_spelt_as_in_gcc() -> None:
    names = "INT_MIN INT_MAX UINT_MAX LONG_MIN ULONG_MAX CHAR_MIN UCHAR_MAX LLONG_MIN ULLONG_MAX CHAR_BIT MB_LEN_MAX"
    names += " INT8_MIN INT16_MIN INT32_MAX INT64_MIN UINT64_MAX SIZE_MAX WCHAR_MIN EOF NULL RAND_MAX BUFSIZ SEEK_END"
    headers = "".join(f"#include <{name}.h>\n" for name in ("limits", "stdint", "stdio", "stdlib"))
    text = f"{headers}#define S(x) #x\n#define X(x) S(x)\n" + "".join(f"X({name})\n" for name in names.split())
    assert expanded(text)[-len(names.split()) :] == by_gcc(text)[0][-len(names.split()) :]


def test_names_of_headers_can_be_undefined(cpsconv: Run) -> None:
    Path("u.c").write_text(
        "#include <stdio.h>\n#undef EOF\n#ifndef EOF\nint EOF = 3;\n#endif\n#undef NULL\n#define NULL 4\n"
        "int main(void) { return EOF + NULL; }\n"
    )
    assert cpsconv("run", "u.c").status == 7
    Path("e.c").write_text(cpsconv("convert", "-E", "u.c").out)
    assert cpsconv("run", "e.c").status == 7


def test_names_of_headers_are_normalised() -> None:
    assert expanded("#include <sys//../stdio.h>\n#if 1\nEOF\n#endif\n") == tokens("#include <stdio.h>\nEOF\n")


def test_the_date_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert expanded("__DATE__ __TIME__") == by_gcc("__DATE__ __TIME__")[0] == ['"Sep  9 2001"', '"01:46:40"']


def test_runtime_errors_name_the_macro(cpsconv: Run) -> None:
    Path("d.c").write_text("#define HALF(x) (4 / (x))\nint main(void) {\n    int z = 0;\n    return HALF(z);\n}\n")
    ends = {cpsconv("run", "--engine", engine, "d.c").err.partition("\n")[0] for engine in ("machine", "python")}
    assert ends == {"d.c:4:12: runtime error: division by zero"}
    assert "note: in the expansion of `HALF`" in cpsconv("run", "d.c").err


def test_commands_show_the_source_as_written(project: Run) -> None:
    for command in ("explain", "run --trace", "step", "why"):
        assert project(*command.split(), "-Iinclude", "main.c").status in (0, 7)
    assert "   5 │ static int one(void) { return 1; }" in project("explain", "-Iinclude", "main.c").out
    assert "int main(void) { SHOW(N); return" in project("run", "--trace", "-Iinclude", "main.c").err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('#include "self.c"\n', "more than 200 nested inclusions"),
        ("#if 1\n", "`#if` has no `#endif`"),
        ("#endif\n", "`#endif` has no `#if`"),
        ("#if 1\n#else\n#elif 1\n#endif\n", "`#elif` after `#else`"),
        ("#if 1 / 0\n#endif\n", "division by zero"),
        ("#if (\n#endif\n", "expected"),
        ("#error read the manual\n", "#error read the manual"),
        ("#define F(x) #y\n", "`#`"),
        ("#define F(x) x ##\n", "`##`"),
        ("#define F(x, x) x\n", "`x` cannot be a parameter of a macro"),
        ("#define defined 1\n", "`defined` cannot be the name of a macro"),
        ("#define F(x, y) x y\nint z = F(1);\n", "`F`"),
        ("#define F(x) x\nint z = F(1;\n", "`F`"),
        ("#defin X\n#define Y\n", "unknown directive `#defin`"),
        ("#include\n#define X\n", "expected the name of a header"),
        ("#include <stdoi.h>\n#define X\n", "`<stdoi.h>` is not a header of standard C"),
        ("#line x\n#define X\n", "expected a line number"),
        ("#define X /* 1\nint y;\n", "self.c:1:11: error: unterminated comment"),
        ("#if 0\n'/* 1\n#endif\n", "self.c:2:2: error: unterminated comment"),
        ("_Pragma(x)\n", "`_Pragma` needs a string literal in parentheses"),
    ],
)
def test_wrong_directives_are_reported(cpsconv: Run, text: str, message: str) -> None:
    Path("self.c").write_text(text)
    status, out, err = cpsconv("check", "self.c")
    assert (status, out) == (1, "")
    assert message in err


def test_other_headers_of_the_system_are_files(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in [
        ("system/other.h", "#include <stdio.h>\n#define OTHER 1\n"),
        ("system/stdio.h", "#error not this file\n"),
        ("system/own.h", "#error not this file\n"),
        ("folder/own.h", "#define OWN 2\n"),
        (
            "test.c",
            "#if __has_include(<other.h>)\n#include <other.h>\n#include <own.h>\n#endif\nint x = OTHER + OWN;\n",
        ),
    ]:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    monkeypatch.setattr(files, "SYSTEM_FOLDERS", ("system",))
    assert cpsconv("check", "-I", "folder", "test.c")[0] == 0
    assert cpsconv("check", "test.c")[0] == 1


def test_an_exploding_expansion_is_an_error(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansion, "MAX_PROCESSED", 60_000)
    levels = "".join(f"#define M{n + 1} M{n} M{n} M{n} M{n}\n" for n in range(40))
    Path("e.c").write_text(f"#define M0 1 +\n{levels}int x = M40 0;\n")
    status, _, err = cpsconv("check", "e.c")
    assert status == 1
    assert "M40" in err


def test_macros_may_be_nested_deeply() -> None:
    depth = size(3000)
    levels = "".join(f"#define M{n + 1}(x) M{n}(x)\n" for n in range(depth))
    assert expanded(f"#define M0(x) x\n{levels}M{depth}(7)") == ["7"]
    assert expanded(f"#define ID(x) x\n{'ID(' * depth}7{')' * depth}") == ["7"]
    nested = "#if 1\n" * depth + "7\n" + "#endif\n" * depth
    assert expanded(f"#define X\n{nested}") == ["7"]


def test_a_chain_of_macros_may_be_long() -> None:
    length = size(20_000)
    chain = "".join(f"#define M{n + 1} M{n}\n" for n in range(length))
    assert expanded(f"{chain}M{length}") == ["M0"]


def test_calls_in_very_many_calls_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.languages.c.preprocessor.expansion.MAX_ARGUMENTS", 10_000)
    with pytest.raises(DiagnosticError, match="nested too deeply"):
        expanded(f"#define ID(x) x\n{'ID(' * 300}7{')' * 300}")


@pytest.mark.parametrize("after", ["/* c */" * 20_000, "// " * 20_000, "\n" * 20_000])
def test_white_space_after_a_name_is_searched_once(after: str) -> None:
    assert expanded(f"#define ID(x) x\nID{after}\nx") == ["ID", "x"]


@pytest.mark.skipif(not Path("/usr/include/x86_64-linux-gnu/sys/mman.h").exists(), reason="needs glibc's headers")
def test_headers_of_the_platform_that_are_not_known_are_read() -> None:
    text = """
    #include <sys/mman.h>
    #include <sys/socket.h>
    #include <sys/resource.h>
    #include <unistd.h>
    #include <time.h>
    int f(void) { struct timespec now = { 1, 2 }; return PROT_READ + (int)now.tv_nsec + (int)sizeof(socklen_t); }
    int g(void) { return getppid() + _SC_PAGESIZE; }
    """
    shown = pretty(convert(Source("f.c", text)))
    assert shown.startswith("extern getppid(ret : int → ⊥) → ⊥\n")
    assert "ret(1 + 2 + 4)" in shown and "ret(v + 30)" in shown


@pytest.mark.skipif(not Path("/usr/include/netinet/tcp.h").exists(), reason="needs glibc's headers")
@pytest.mark.parametrize(
    "header", ["netinet/tcp.h", "net/ethernet.h", "sys/epoll.h", "sys/quota.h", "argp.h", "netdb.h", "semaphore.h"]
)
def test_headers_that_rely_on_macros_of_others_are_read(header: str) -> None:
    text = f"#define _GNU_SOURCE\n#include <{header}>\nint f(void) {{ return __CHAR_BIT__; }}"
    convert(Source("f.c", text))


def test_an_assembler_name_is_the_name_of_the_external_function() -> None:
    shown = pretty(convert(Source("f.c", 'int f(int) __asm__("" "f64"); int g(int x) { return f(x); }')))
    assert "extern f64(p0 : int, ret : int → ⊥) → ⊥" in shown and "f64(x, " in shown


LIMITS_OF_MACROS = {
    "a name that is replaced by very many tokens": (
        "".join(f"#define M{n + 1} M{n} M{n} M{n} M{n}\n" for n in range(40)) + "#define M0 1 +\nint x = M40 0;\n",
        "a.c:42:9: error: the expansion of the macro `M40` is too large",
    ),
    "many names that are replaced by many tokens": (
        "".join(f"#define M{n + 1} M{n} M{n} M{n} M{n}\n" for n in range(8)) + "#define M0\n" + "int x = M8 0;\n" * 50,
        ":9: error: the expansion of the macro `M8` is too large",
    ),
    "strings of strings": (
        "#define S(x) #x\n#define T(x) S(x)\nchar *p = T(" + "T(" * 30 + '"\\"' + ")" * 31 + ";\n",
        "error: a macro makes a token of more than 1048576 characters",
    ),
    "a name of names": (
        "#define C(a, b) a ## b\n#define D(a) C(a, a)\nint " + "D(" * 30 + "x" + ")" * 30 + ";\n",
        "error: a macro makes a token of more than 1048576 characters",
    ),
    "many long strings": (
        f'#define A "{"x" * 1000}"\n#define B {"A " * 100}\n#define C {"B " * 100}\n{"char *p = C;" * 20}\n',
        "a.c:4:47: error: the expansion of the macro `C` is too large",
    ),
}


@pytest.mark.parametrize("case", LIMITS_OF_MACROS)
def test_macros_that_make_much_of_little_are_an_error_at_the_name(
    cpsconv: Run, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expansion, "MAX_PROCESSED", 60_000)
    text, message = LIMITS_OF_MACROS[case]
    Path("a.c").write_text(text)
    status, out, err = cpsconv("convert", "-E", "a.c")
    assert (status, out) == (1, "")
    assert message in err


def test_files_that_are_included_again_and_again_are_an_error_in_the_end(cpsconv: Run) -> None:
    Path("a.c").write_text('#if __INCLUDE_LEVEL__ < 30\n#include "a.c"\n#include "a.c"\n#endif\nint x;\n')
    status, _, err = cpsconv("convert", "-E", "a.c")
    assert status == 1
    assert "a.c:2:2: error: files are included repeatedly, with too much text in all" in err
    Path("row.def").write_text("ROW(a)\nROW(b)\n")
    Path("b.c").write_text("#define ROW(x) int x;\n" + '#include "row.def"\n' * 1000)
    assert cpsconv("convert", "-E", "b.c")[0] == 0


def test_a_long_file_may_have_more_expansions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansion, "MAX_TOKENS", 1_000)
    monkeypatch.setattr(expansion, "MAX_CHARACTERS", 1_000)
    assert len(expanded(f"#define ROW(a, b) {'{ a, b },' * 25}\n" + "ROW(1, x)\n" * 100)) == 15_000


def test_expansions_to_many_tokens_are_no_error(cpsconv: Run) -> None:
    """By default to 20,000, with ``--full`` to 200,000."""
    levels = 5 if is_full() else 4
    tens = "".join(f"#define M{n + 1} {f'M{n} ' * 10}\n" for n in range(levels))
    Path("a.c").write_text(f"{tens}#define M0\nint x = M{levels} M{levels} 0;\n")
    status, out, err = cpsconv("convert", "-E", "a.c")
    assert (status, err) == (0, "") and "int x = 0;" in " ".join(out.split())

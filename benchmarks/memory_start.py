"""Measures the time until large programs with memory start under the engine `llvm`, beside gcc with checks.

    python benchmarks/memory_start.py
    python benchmarks/memory_start.py --shapes star,chain --functions 60,120,240,600 --rounds 3

The programs are generated: functions of 20 to 30 lines on arrays, structs, lists and strings, each called by `main`
(*star*) or by the function after it (*chain*), and a *project*, in which groups of functions call each other and `main`
calls each group in a loop. The program ends at once, so that its run takes no time. The table has the time of `gcc -O1
-fsanitize=address`, and that of the whole command `cpsconv run --engine llvm`, as a multiple of it. Time is that of the
processor; the ways are run in turn, and the fastest run of each counts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names, numbers
from benchmarks.engines import Way, fastest  # type: ignore[attr-defined]  # mypy finds the folder

_START = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int key, weight; double value; char name[16]; struct item *next; };
"""

_MAIN = """
volatile int steps = 0;

int main(void) {
    int sum = 0, given[8] = {0};
    if (!steps)
        return 0;
"""

_ARRAYS = """
static int table{i}[64];

int f{i}(int n, int *given) {{
    int sum = n, local[16];
    for (int j = 0; j < 16; j++)
        local[j] = j * {k} + n;
    for (int j = 0; j < 64; j++) {{
        table{i}[j] = local[j & 15] + sum;
        if (table{i}[j] > 1000)
            sum -= table{i}[j] & 255;
        else
            sum += table{i}[(j * 3) & 63];
    }}
    for (int k = 0; k < 8; k++) {{
        given[k] += sum ^ table{i}[k * 7];
        sum = given[k] & 1 ? sum * 3 + {k} : sum / 2;
        local[k] = given[(k + {k}) & 7];
    }}
    switch (sum & 3) {{
    case 0:
        sum += local[1];
        break;
    case 1:
        sum -= local[2];
        break;
    default:
        sum ^= given[0];
    }}
    {call}
    return sum & 0xffff;
}}
"""

_LISTS = """
static struct item *list{i};

int f{i}(int n, int *given) {{
    int sum = 0;
    for (int j = 0; j < {k} + 3; j++) {{
        struct item *new = malloc(sizeof *new);
        if (!new)
            return -1;
        new->key = (n + j) * 7 % 31;
        new->weight = given[j & 7];
        new->value = 0.5 * j;
        strcpy(new->name, "item");
        new->next = list{i};
        list{i} = new;
    }}
    for (struct item *each = list{i}; each; each = each->next) {{
        if (each->key > {k} && each->value < 9.5)
            each->weight += {k};
        sum += each->weight + (int)strlen(each->name);
    }}
    {call}
    while (list{i}) {{
        struct item *next = list{i}->next;
        free(list{i});
        list{i} = next;
    }}
    return sum & 0xffff;
}}
"""

_MATRICES = """
static double grid{i}[12][12];

int f{i}(int n, int *given) {{
    double best = 0;
    for (int r = 0; r < 12; r++)
        for (int c = 0; c < 12; c++)
            grid{i}[r][c] = (r * {k} + c + n) % 17;
    for (int r = 1; r < 11; r++)
        for (int c = 1; c < 11; c++) {{
            double around = grid{i}[r - 1][c] + grid{i}[r + 1][c] + grid{i}[r][c - 1] + grid{i}[r][c + 1];
            grid{i}[r][c] = around > {k} ? around / 4 : grid{i}[r][c];
            if (grid{i}[r][c] > best)
                best = grid{i}[r][c];
        }}
    int sum = (int)best;
    {call}
    given[n & 7] = sum;
    return sum & 0xffff;
}}
"""

_STRINGS = """
int f{i}(int n, int *given) {{
    char text[32] = "a text with words", word[16];
    int sum = 0, length = 0;
    for (int j = 0; text[j]; j++) {{
        if (text[j] == ' ') {{
            word[length] = 0;
            sum += length * {k} + (strcmp(word, "with") == 0);
            length = 0;
        }} else if (length < 15) {{
            word[length++] = text[j] >= 'a' && text[j] <= 'z' ? text[j] - 32 : text[j];
        }}
    }}
    {call}
    struct item found = {{n, {k}, 1.5, "found", 0}};
    found.weight += given[2] + found.name[n & 3];
    given[3] = found.weight + (found.key > 2 ? sum : -sum);
    return (sum + given[3]) & 0xffff;
}}
"""

_KINDS = (_ARRAYS, _LISTS, _MATRICES, _STRINGS)


def _program(functions: int, calls: Callable[[int], Sequence[int]], main: str) -> str:
    """The program with so many functions, of which each calls the functions that `calls` returns."""
    text = [_START]
    for i in range(functions):
        call = "\n    ".join(f"sum += f{each}(sum & 255, given);" for each in calls(i))
        text.append(_KINDS[i % len(_KINDS)].format(i=i, k=i % 7 + 1, call=call))
    return "".join([*text, _MAIN, main, '    printf("%d\\n", sum);\n    return 0;\n}\n'])


def _called(numbers: Sequence[int], indent: str = "    ") -> str:
    return "".join(f"{indent}sum += f{number}(sum & 255, given);\n" for number in numbers)


def star(n: int) -> str:
    """`n` functions that `main` calls."""
    return _program(n, lambda i: (), _called(range(n)))


def chain(n: int) -> str:
    """`n` functions, each of which calls the one before it."""
    return _program(n, lambda i: range(i)[-1:], _called([n - 1]))


def project(n: int) -> str:
    """`n` functions in groups of ten, of which the last one is called in a loop, and calls two others, and so on."""
    calls = _called(range(9, n, 10), " " * 8)
    loop = f"    for (int step = 0; step < steps; step++) {{\n{calls}    }}\n"
    return _program(n, lambda i: [each for each in (i - 1, i - 3) if each >= i - i % 10], loop)


SHAPES = {each.__name__: each for each in (star, chain, project)}

DEFAULT_SIZES = {"star": (60, 240, 600), "chain": (60, 240, 600), "project": (400,)}
"""The numbers of functions of each shape."""


def by_gcc(source: Path) -> Way:
    """The compilation with gcc's checks."""
    command = ["gcc", "-O1", "-fsanitize=address", "-o", str(source.with_suffix("")), str(source)]
    return Way("gcc", lambda: subprocess.run(command, check=True).returncode)


def by_llvm(source: Path) -> Way:
    """The whole command, with the engine `llvm`."""
    command = [sys.executable, "-m", "cpsconv", "run", "--engine", "llvm", str(source)]
    return Way("llvm", lambda: subprocess.run(command, check=True).returncode)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", type=names(SHAPES), default=",".join(SHAPES), help="some of the shapes")
    parser.add_argument("--functions", type=numbers, help="the numbers of functions (of each shape its own)")
    parser.add_argument("--rounds", type=int, default=3, help="the number of runs (3)")
    given = parser.parse_args()
    print("| program | functions | lines | `gcc -O1 -fsanitize=address` | `run --engine llvm` |")
    print("|---|--:|--:|--:|--:|", flush=True)
    for shape in given.shapes:
        for functions in given.functions or DEFAULT_SIZES[shape]:
            text = SHAPES[shape](functions)
            with tempfile.TemporaryDirectory() as folder:
                source = Path(folder) / f"{shape}.c"
                source.write_text(text)
                times = fastest([by_gcc(source), by_llvm(source)], given.rounds)
            cells = f"{times['gcc']:.2f} s | {times['llvm'] / times['gcc']:.2f} ×"
            print(f"| {shape} | {functions} | {text.count(chr(10)):,} | {cells} |", flush=True)


if __name__ == "__main__":
    main()

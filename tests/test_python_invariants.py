"""The engine `python` computes before a loop what no iteration changes, if that cannot be observed."""

from __future__ import annotations

import pytest

from cpsconv.core.entry import entry_of
from cpsconv.engines.python import source
from cpsconv.engines.python.loop_invariants import with_invariants_before_loops
from testing.engines import seen
from testing.running import program_of

GRID = """
static int grid[9][9];

int main(void) {
    int n = 9, sum = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < n; j++)
            grid[i][j] = grid[i - 1][j] + i * j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += grid[i][j] * grid[i][j];
    return sum % 100;
}
"""


def text_of(text: str) -> str:
    """The Python text of the program's functions, with invariants before loops."""
    program = with_invariants_before_loops(program_of(text))
    return source(program, entry_of(program))[0]


def test_rows_are_computed_before_the_inner_loop_and_equal_indices_once() -> None:
    text = text_of(GRID)
    assert text.count("* 9") == 3
    assert all(line.startswith(" " * 8) and not line.startswith(" " * 9) for line in text.splitlines() if "* 9" in line)
    assert len([line for line in text.splitlines() if line.strip().startswith("for ")]) == 4
    assert text.count("= grid_list[") == 3


def test_the_program_is_not_changed() -> None:
    program = program_of(GRID)
    bodies = [list(member.body) for member in program.members()]
    with_invariants_before_loops(program)
    assert bodies == [member.body for member in program.members()]


@pytest.mark.parametrize(
    "body",
    [
        "int unset; for (int i = 0; i < n; i++) sum += unset * 3; return sum;",
        "int zero = n; for (int i = 0; i < n; i++) sum += 7 / zero; return sum;",
        "int big = 2147483647 - n; for (int i = 0; i < 3; i++) if (n) sum ^= big + big; return sum;",
        "for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) sum += i * 5 + j * 7 + i * 5; return sum;",
        "int k = n; while (k < 9) { int next = k + 2; sum += k + 2; k = next; } return sum;",
        "int i = 0; if (n) goto in; do { i++; in: sum += n * 3; } while (i < 4); return sum;",
        "for (int i = 0; i < 4; i++) { double d = n * 0.5; sum += d * 2; n++; } return sum;",
    ],
)
@pytest.mark.parametrize("given", [0, 1, 5])
def test_loops_do_the_same_as_in_the_machine(body: str, given: int) -> None:
    program = program_of(f"int f(int n) {{ int sum = 0; {body} }}\nint main(void) {{ return f({given}) & 255; }}")
    assert seen(program, [], "python") == seen(program, [], "machine")

"""What is claimed of the constructions, tried on every C program at hand and on some generated ones.

`benchmarks/claims.py` tries it on many more. For each claim that turned out false, a small program is here;
`docs/construction.md` shows them.
"""

from __future__ import annotations

import pytest

from benchmarks.claims import CLAIMS, Claim, Tally, judge, subjects, total
from cpsconv.core.source import Source
from cpsconv.lab.baselines import BASELINES
from cpsconv.lab.explain.comparison import compare
from testing.c_programs import random_program
from testing.effort import is_full, sample
from testing.expectations import CORPUS, EXAMPLES

GENERATED = 25 if is_full() else 4
every_claim = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)


@pytest.fixture(scope="module")
def tallies() -> dict[Claim, Tally]:
    texts = [path.read_text(encoding="utf-8") for path in (*sample(EXAMPLES, 2), *sample(CORPUS, 8))]
    return total(map(judge, [*texts, *map(random_program, range(GENERATED)), *FALSE_FOR.values()]))


@every_claim
def test_a_claim_holds_for_all_programs_or_is_known_to_be_false(claim: Claim, tallies: dict[Claim, Tally]) -> None:
    tally = tallies[claim]
    if "llvm" in claim.name and "llvm" not in BASELINES:
        pytest.skip("the package llvmlite is not installed")
    assert tally.applied > 75
    assert (tally.failed == 0) == claim.holds, tally.shortest


# ---------------------------------------------------------------------------------------------- what is false, and why

COPY_IN_A_LOOP = """\
int f(int y, int n) {
    int x = y;
    while (n-- > 0) {
        if (n == 3) x = y;
    }
    return x;
}
"""

TWO_LOOPS_THROUGH_ONE_LABEL = """\
int f(int c, int x) {
    goto l0;
l2: goto l1;
l0: c = c - x;
    if (c > 5) goto l2;
l1: if (c > 3) goto l2;
    goto l0;
}
"""

COPY_THAT_NOBODY_READS = """\
int f(int n) {
    int x = 0, y = 0;
    while (n-- > 0) {
        y = x;
        x = 1;
    }
    return n;
}
"""

ASSIGNED_ON_THE_WAY_OUT = """\
int f(int n, int x) {
    while (n-- > x) {
        if (n == 3) { x = 1; break; }
    }
    return x;
}
"""

FALSE_FOR = {
    "cytron keeps exactly the minimum": COPY_IN_A_LOOP,
    "in reducible functions no strategy needs Algorithm 5": COPY_IN_A_LOOP,
    "scc removes no more than marker, and marker no more than basic": TWO_LOOPS_THROUGH_ONE_LABEL,
    "the result is pruned": COPY_THAT_NOBODY_READS,
    "where every loop tells what it may assign, scc removes no parameter": ASSIGNED_ON_THE_WAY_OUT,
}


@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if not claim.holds], ids=lambda claim: claim.name)
def test_each_false_claim_is_false_for_its_program(claim: Claim) -> None:
    (subject,) = subjects(FALSE_FOR[claim.name])
    assert claim.applies(subject)
    assert not claim.says(subject)


def counted(text: str, strategy: str) -> tuple[int | None, ...]:
    (row,) = compare(Source("f.c", text), strategies=[strategy], repeat=1)
    return row.placed, row.removed, row.kept, row.minimal


def test_a_copy_in_a_loop_leaves_a_redundant_set_to_basic_and_marker_and_cytron() -> None:
    # `x` is always `y`. Only scc sees that at once: the one parameter left is that for `n`.
    assert counted(COPY_IN_A_LOOP, "basic") == (4, 1, 3, 1)
    assert counted(COPY_IN_A_LOOP, "marker") == (3, 0, 3, 1)
    assert counted(COPY_IN_A_LOOP, "cytron") == (3, 0, 3, 1)
    assert counted(COPY_IN_A_LOOP, "scc") == (1, 0, 1, 1)


def test_scc_removes_a_proxy_where_marker_keeps_three_redundant_parameters() -> None:
    # The proxy for `x` at `l0` turns out trivial for scc. For marker it is one of a redundant set of three.
    assert counted(TWO_LOOPS_THROUGH_ONE_LABEL, "marker") == (6, 0, 6, 1)
    assert counted(TWO_LOOPS_THROUGH_ONE_LABEL, "scc") == (4, 1, 3, 1)


HEADS = {
    "nothing leads back to the loop": "while (n > x) { x = 1; break; }",
    "the variable is assigned on the way out only": "while (n-- > x) { if (n == 3) { x = 1; break; } }",
    "the variable is assigned to itself": "while (n-- > x) { x = x; }",
    "the same value comes back through another variable": "while (n-- > x) { int t = x; x = 1; n = n - x; x = t; }",
}


@pytest.mark.parametrize("loop", HEADS.values(), ids=HEADS.keys())
def test_scc_removes_a_parameter_from_a_loop_that_tells_what_it_may_assign_if(loop: str) -> None:
    assert counted(f"int f(int n, int x) {{ {loop} return x; }}", "scc")[1] == 1


def test_a_loop_that_assigns_to_a_variable_of_the_same_name_gets_no_proxy() -> None:
    loop = "while (n-- > x) { int x; x = 1; n = n - x; }"
    assert counted(f"int f(int n, int x) {{ {loop} return x; }}", "scc")[:2] == (1, 0)

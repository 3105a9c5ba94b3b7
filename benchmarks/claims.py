"""Tests claims about the constructions on all C programs of the repository, and on generated programs.

    python benchmarks/claims.py                      examples, corpus and 1,000 generated programs
    python benchmarks/claims.py --programs 20000
    python benchmarks/claims.py --seed 7 --programs 500 --show

Prints a row of a Markdown table for each claim: of how many functions it says something, and for how many it is false.
If a claim fails that `docs/construction.md` says holds, the shortest program with such a function follows, and the exit
status is 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import numbered
from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import successors
from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.construction import STRATEGIES, Block, Builder, Variable
from cpsconv.core.construction.block import Placed, resolve
from cpsconv.core.ir import Call, Continuation, Counts, Function, Parameter, Value
from cpsconv.core.source import Source, Span
from cpsconv.core.transform import minimise
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages import read
from testing.c_programs import random_program
from testing.expectations import CORPUS, EXAMPLES

Places = list[tuple[int, str]]
"""Where parameters are: the number of the continuation in its function, and the variable."""


# ------------------------------------------------------------------------------------------------- what is observed


@dataclass
class Construction:
    """The construction of a function by a strategy: counts, and places of parameters before and after Algorithm 5.

    `read` are those places before it whose parameters reach something that was read, `used` those after it whose
    parameters are of use to something that is no parameter. What is read need not be used. `operations` is the number
    of statements.
    """

    counts: Counts
    operations: int
    kept: Places
    read: Places
    minimal: Places = field(default_factory=list)
    used: Places = field(default_factory=list)


@dataclass
class Subject:
    """One function, constructed with every strategy.

    `copies`: a variable is given the value that another one has or had, be it a constant. `open_ended`: a continuation
    is entered before all of its predecessors are known, and nothing says what they may assign. `removed` are the
    parameters that scc removes.
    """

    constructions: dict[str, Construction]
    reducible: bool
    copies: bool
    open_ended: bool
    removed: list[Placed]

    def __getitem__(self, strategy: str) -> Construction:
        return self.constructions[strategy]

    @property
    def same_operations(self) -> bool:
        """Whether all constructions have as many operations.

        The front end converts a constant at once. A baseline tells it too late that a variable is a constant.
        """
        return len({construction.operations for construction in self.constructions.values()}) == 1


class _Watcher(Builder):
    """A Builder that sees copies, open ends, and which parameters go away again, function by function."""

    def __init__(self, strategy: str) -> None:
        super().__init__(strategy)
        self.copies: dict[str, bool] = {}
        self.open_ended: dict[str, bool] = {}
        self.reads: dict[str, list[Value]] = {}
        self.gone: dict[str, list[Placed]] = {}
        self._forget()

    def _forget(self) -> None:
        self._made: list[Block] = []
        self._written: set[Value] = set()
        self._read: list[Value] = []
        self._copied = self._is_open = False

    def continuation(self, *args: object, **kwargs: object) -> Block:
        block = super().continuation(*args, **kwargs)  # type: ignore[arg-type]
        self._made.append(block)
        return block

    def enter(self, block: Block) -> None:
        self._is_open |= not block.sealed and block.may_assign is None
        super().enter(block)

    def read_variable(self, variable: Variable, span: Span | None = None) -> Value:
        self._read.append(super().read_variable(variable, span))
        return self._read[-1]

    def write_variable(self, variable: Variable, value: Value, span: Span | None = None) -> None:
        super().write_variable(variable, value, span)
        if self.current is not None:
            written = self.current.definitions[variable]
            self._copied |= written in self._written or type(written) is Placed
            self._written.add(written)

    def finish(self) -> Function:
        placed = [parameter for block in self._made for parameter in block.placed]
        function = super().finish()
        kept = {parameter for block in self._made for parameter in block.placed}
        self.gone[function.name] = [parameter for parameter in placed if parameter not in kept]
        self.reads[function.name] = [resolve(value) for value in self._read]
        self.copies[function.name], self.open_ended[function.name] = self._copied, self._is_open
        self._forget()
        return function


def subjects(text: str) -> list[Subject]:
    """The functions of a C program."""
    lowering = read("c", Source("program.c", text))
    found: dict[str, dict[str, Construction]] = {}
    watchers = {}
    for strategy in CONSTRUCTIONS:
        watcher = watchers[strategy] = _Watcher(strategy)
        program = lowering(watcher, [])
        made = {
            function: Construction(
                watcher.counts[function],
                sum(len(member.body) for member in function.members()),
                _places(function),
                _places(function, _live(function, watcher.reads[function.name])),
            )
            for function in program.functions
        }
        minimise(program)
        for function, construction in made.items():
            construction.minimal = _places(function)
            construction.used = _places(function, _live(function))
            found.setdefault(function.name, {})[strategy] = construction
    scc, deferred = watchers["scc"], watchers["cytron"]
    return [
        Subject(
            found[function.name],
            _is_reducible(function),
            deferred.copies[function.name],
            scc.open_ended[function.name],
            scc.gone[function.name],
        )
        for function in scc.counts
    ]


def _places(function: Function, among: set[Parameter] | None = None) -> Places:
    """Where placed parameters are. What takes the result of a call has a parameter that nobody placed."""
    results = {m.transfer.then.target for m in function.members() if isinstance(m.transfer, Call)}
    return sorted(
        (number, parameter.name)
        for number, continuation in enumerate(function.continuations)
        if continuation not in results
        for parameter in continuation.parameters
        if among is None or parameter in among
    )


def _live(function: Function, read: Iterable[Value] = ()) -> set[Parameter]:
    """The parameters that reach a use which is no parameter, by the definition of pruned, or one of those `read`."""
    received: dict[Parameter, list[Value]] = {}
    pending: list[Value] = [*read]
    for member in function.members():
        assert member.transfer
        pending += [*member.transfer.operands, *(value for statement in member.body for value in statement.operands)]
        for edge in member.transfer.edges:
            if isinstance(edge.target, Continuation):
                for parameter, argument in zip(edge.target.parameters, edge.arguments, strict=False):
                    received.setdefault(parameter, []).append(argument)
            else:
                pending += edge.arguments
    live: set[Parameter] = set()
    while pending:
        value = pending.pop()
        if isinstance(value, Parameter) and value not in live:
            live.add(value)
            pending += received.get(value, ())
    return live


def _is_reducible(function: Function) -> bool:
    """Whether no cycle is left without the edges that lead back to a dominator."""
    members: list[Continuation] = [*function.members()]
    tree = Dominance(members[0], successors, members)

    def forward(member: Continuation) -> list[Continuation]:
        return [to for to in successors(member) if not tree.dominates(to, member)]

    return all(len(component) == 1 for component in strongly_connected_components(members, forward))


# ----------------------------------------------------------------------------------------------------- the claims


@dataclass(frozen=True)
class Claim:
    """A claim about each function to which it `applies`; `holds` is whether it is known to be always true."""

    name: str
    says: Callable[[Subject], bool]
    applies: Callable[[Subject], bool] = lambda subject: True
    holds: bool = True


def _all_agree(subject: Subject) -> bool:
    """After Algorithm 5 all have the same parameters, but for those that Aycock and Horspool keep for nobody."""
    scc = subject["scc"]
    others = [made for name, made in subject.constructions.items() if name != "aycock-horspool"]
    return all(made.minimal == scc.minimal for made in others) and subject["aycock-horspool"].used == scc.used


def _no_more(figure: str) -> Callable[[Subject], bool]:
    """Of that figure scc has no more than marker, and marker no more than basic."""

    def says(subject: Subject) -> bool:
        scc, marker, basic = (getattr(subject[strategy].counts, figure) for strategy in ("scc", "marker", "basic"))
        return bool(scc <= marker <= basic)

    return says


def _removed_at_loop_heads_only(subject: Subject) -> bool:
    """Each parameter that scc removes is at the head of a loop that says what it may assign, for such a variable."""
    heads = [(parameter.block.may_assign, parameter.variable) for parameter in subject.removed]
    return all(may_assign is not None and variable in may_assign for may_assign, variable in heads)


CLAIMS = (
    Claim(
        "after Algorithm 5 all constructions with the same operations have the same parameters",
        _all_agree,
        lambda s: s.same_operations,
    ),
    Claim(
        "without copies, cytron keeps exactly the minimum",
        lambda s: s["cytron"].kept == s["scc"].minimal,
        lambda s: s.same_operations and not s.copies,
    ),
    Claim("cytron keeps no fewer than the minimum", lambda s: len(s["cytron"].kept) >= len(s["scc"].minimal)),
    Claim(
        "llvm keeps no fewer than the minimum, and no more than cytron",
        lambda s: len(s["scc"].minimal) <= len(s["llvm"].kept) <= len(s["cytron"].kept),
        lambda s: "llvm" in s.constructions,
    ),
    Claim("cytron keeps exactly the minimum", lambda s: s["cytron"].kept == s["scc"].minimal, holds=False),
    Claim("scc places no more than marker, and marker no more than basic", _no_more("placed")),
    Claim("scc keeps no more than marker, and marker no more than basic", _no_more("kept")),
    Claim(
        "in reducible functions scc removes no more than marker, and marker no more than basic",
        _no_more("removed"),
        lambda s: s.reducible,
    ),
    Claim("scc removes no more than marker, and marker no more than basic", _no_more("removed"), holds=False),
    Claim(
        "in reducible functions without copies no strategy needs Algorithm 5",
        lambda s: all(s[strategy].kept == s[strategy].minimal for strategy in STRATEGIES),
        lambda s: s.reducible and not s.copies,
    ),
    Claim(
        "in reducible functions no strategy needs Algorithm 5",
        lambda s: all(s[strategy].kept == s[strategy].minimal for strategy in STRATEGIES),
        lambda s: s.reducible,
        holds=False,
    ),
    Claim(
        "every parameter that basic, marker or scc keeps reaches something that was read",
        lambda s: all(s[strategy].kept == s[strategy].read for strategy in STRATEGIES),
    ),
    Claim("the result is pruned", lambda s: s["scc"].used == s["scc"].minimal, holds=False),
    Claim(
        "where every loop tells what it may assign, scc removes parameters of such variables at heads of loops only",
        _removed_at_loop_heads_only,
        lambda s: not s.open_ended,
    ),
    Claim(
        "where every loop tells what it may assign, scc removes no parameter",
        lambda s: s["scc"].counts.removed == 0,
        lambda s: not s.open_ended,
        holds=False,
    ),
)


@dataclass
class Tally:
    """The result for one claim. `shortest` is the shortest program with a function for which it is false."""

    applied: int = 0
    failed: int = 0
    shortest: str | None = None

    def __add__(self, other: Tally) -> Tally:
        shortest = min(filter(None, (self.shortest, other.shortest)), key=len, default=None)
        return Tally(self.applied + other.applied, self.failed + other.failed, shortest)


def judge(text: str, claims: Iterable[Claim] = CLAIMS) -> list[Tally]:
    """Test the claims on every function of a program: a tally for each claim."""
    found = subjects(text)
    tallies = []
    for claim in claims:
        concerned = [subject for subject in found if claim.applies(subject)]
        failed = sum(not claim.says(subject) for subject in concerned)
        tallies.append(Tally(len(concerned), failed, text if failed else None))
    return tallies


def judge_generated(numbers: list[int]) -> list[list[Tally]]:
    """Test the claims on the generated programs of these numbers."""
    return [judge(random_program(number)) for number in numbers]


def judge_files() -> Iterator[list[Tally]]:
    """Test the claims on the examples and the corpus."""
    for path in (*EXAMPLES, *CORPUS):
        yield judge(path.read_text(encoding="utf-8"))


def total(judged: Iterable[list[Tally]]) -> dict[Claim, Tally]:
    """The tallies of several programs, added up."""
    sums = [Tally() for _ in CLAIMS]
    for tallies in judged:
        sums = [sum + tally for sum, tally in zip(sums, tallies, strict=True)]
    return dict(zip(CLAIMS, sums, strict=True))


def main() -> int:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbered.add_options(parser, "programs", 1000)
    parser.add_argument("--show", action="store_true", help="print the shortest program for which a claim is false")
    options = parser.parse_args()
    generated = chain.from_iterable(numbered.results(judge_generated, options))
    tallies = total(chain(judge_files(), generated))
    print("| claim | functions | false for |\n|---|--:|--:|")
    for claim, tally in tallies.items():
        print(f"| {claim.name} | {tally.applied:,} | {tally.failed:,} |")
    for claim, tally in tallies.items():
        if tally.shortest and (options.show or claim.holds):
            print(f"\n{claim.name}: false for\n\n{tally.shortest}")
    return int(any(claim.holds and tally.failed for claim, tally in tallies.items()))


if __name__ == "__main__":
    sys.exit(main())

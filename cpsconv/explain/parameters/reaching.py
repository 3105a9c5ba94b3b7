"""Why a variable has no parameter at a continuation: which definitions reach it."""

from __future__ import annotations

from cpsconv.construction.block import Variable
from cpsconv.explain.parameters.def_use import Story
from cpsconv.explain.parameters.evidence import Assignment, Reaching
from cpsconv.ir import Continuation


def reaching(story: Story, home: Continuation, variable: Variable) -> Reaching:
    """The assignments and the parameters from which `variable` comes to the start of `home` unchanged."""
    facts = story.facts[variable]
    assignments = [Assignment(home, None)] if home is story.function else []
    parameters = []
    seen: set[Continuation] = set()
    pending = [home]
    for member in pending:  # grows underway
        for predecessor in story.predecessors(member):
            if predecessor in seen:
                continue
            seen.add(predecessor)
            if story.is_assigned_in(variable, predecessor):
                assignments.append(Assignment(predecessor, facts.assigned.get(predecessor)))
            elif predecessor in facts.parameters:
                parameters.append((predecessor, facts.parameters[predecessor]))
            else:
                pending.append(predecessor)
    return Reaching(home, variable, assignments, parameters, story.is_live(variable, home))

"""Programs of JavaScript and TypeScript with a change in one or two tokens."""

from __future__ import annotations

import random
import re

TOKEN = re.compile(r"[\w$\\#]+|\s+|=>|\?\.|\.\.\.|\*\*|\?\?|&&|\|\||\+\+|--|[^\w\s]")
"""The tokens of a program, approximately."""


def mutant(numbers: random.Random, tokens: list[tuple[list[str], bool]]) -> tuple[str, bool]:
    """A program of which one token or two are removed, exchanged, repeated or replaced."""
    chosen, is_module = numbers.choice(tokens)
    mutated = [*chosen]
    for _ in range(numbers.choice([1, 1, 2])):
        index, other = numbers.randrange(len(mutated)), numbers.randrange(len(mutated))
        replacement = numbers.choice(
            [[], [mutated[other]], [mutated[index]] * 2, [numbers.choice(numbers.choice(tokens)[0])]]
        )
        mutated[other : other + 1] = [mutated[index]] if numbers.randrange(2) else [mutated[other]]
        mutated[index : index + 1] = replacement or [""]
    return "".join(mutated), is_module

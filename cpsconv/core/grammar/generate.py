"""Generation of tables: ``python -m cpsconv.core.grammar.generate NAME…`` prints the tables of the grammars.

The tables are deterministic: they differ only if the grammars differ.
"""

from __future__ import annotations

from typing import Any

from lark import Lark
from lark.parsers.lalr_analysis import ParseTable, Shift

from cpsconv.core.generated import print_files
from cpsconv.core.grammar.parser import END
from cpsconv.core.grammar.tables import Rule, States, Tables, dumped, encoded, read_grammar


def make_tables(grammar: str) -> Tables:
    """The tables of a grammar. Raises `lark.exceptions.GrammarError` if the grammar is not LALR(1)."""
    lark = Lark(grammar, parser="lalr", lexer="basic", keep_all_tokens=True, maybe_placeholders=False)
    terminals = sorted(lark.terminals, key=lambda terminal: -terminal.priority)
    patterns = {each.name: each.pattern.value for each in terminals if each.pattern.type == "re"}
    spellings = {each.pattern.value: each.name for each in terminals if each.pattern.type == "str"}
    found = [*dict.fromkeys(lark.rules)]
    rules = [_rule(rule) for rule in found]
    return Tables(patterns, spellings, rules, States(_states(lark.parser.parser._parse_table, found), rules))


def _rule(rule: Any) -> Rule:
    """The rule of a table. A rule that begins with `?` and has no alias passes its only part on."""
    origin, size = str(rule.origin.name), len(rule.expansion)
    if rule.options.expand1 and not rule.alias and size == 1:
        return Rule(origin, size, None)
    return Rule(origin, size, str(rule.alias or origin))


def _states(table: ParseTable, rules: list[Any]) -> list[dict[str, str]]:
    """The encoded states, numbered in the order in which they are reached from the initial state."""
    numbers = {rule: number for number, rule in enumerate(rules)}
    (start,), (end,) = table.start_states.values(), table.end_states.values()
    order, numbered = [start], {start: 0}
    states = []
    for state in order:
        actions = {END: numbered[end]} if state == end else {}
        for symbol, (action, argument) in sorted(table.states[state].items()):
            if action is not Shift:
                actions[str(symbol)] = ~numbers[argument]
                continue
            if argument not in numbered:
                numbered[argument] = len(order)
                order.append(argument)
            actions[str(symbol)] = numbered[argument]
        states.append(encoded(actions))
    return states


if __name__ == "__main__":
    print_files(lambda name: dumped(make_tables(read_grammar(name))))

"""The groups of warnings, named as in gcc or clang, and their choice by options such as ``-Wall`` and ``-Wno-format``.

The rule of a warning (`Diagnostic.rule`) is the name of its group.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from os.path import dirname, join
from typing import NamedTuple

from cpsconv.core.source import Diagnostic, did_you_mean


class Group(NamedTuple):
    """A group of warnings: the option that enables it (``default`` if it is always enabled, ``check``
    if by this command), and its description.
    """

    enabled_by: str
    description: str


GROUPS: dict[str, Group] = {
    "absolute-value": Group("-Wextra", "a call of `abs` or a similar function with an argument of an unsuitable type"),
    "aggressive-loop-optimizations": Group("default", "a loop that counts beyond an array"),
    "address": Group("default", "a comparison with a string literal, or of an address that is never null"),
    "array-bounds": Group("default", "a constant index outside of its array"),
    "array-compare": Group("-Wall", "a comparison of two arrays, which compares their addresses"),
    "bool-compare": Group("-Wall", "a comparison of a truth value with a number that is always true or always false"),
    "bool-operation": Group("-Wall", "`~`, `++` or `--` of a truth value"),
    "builtin-declaration-mismatch": Group(
        "default", "a declaration of a library function with another type than in its header"
    ),
    "comment": Group("-Wall", "`/*` within a comment, or a `//` comment that includes the next line"),
    "compare-distinct-pointer-types": Group("default", "a comparison of pointers to different types"),
    "const-assign": Group("default", "in JavaScript, an assignment to a constant, which throws an error"),
    "cpp": Group("default", "a `#warning`"),
    "dangling-else": Group("default", "an `else` that could belong to either of two `if`s"),
    "dangling-pointer": Group("-Wall", "the address of a variable that is left in memory after the variable's end"),
    "definite-assignment": Group("check", "in While, a use of a variable that some path does not assign"),
    "deprecated-non-prototype": Group("default", "arguments that a function without a prototype ignores, or misses"),
    "discarded-qualifiers": Group("default", "a conversion of a pointer to `const` data to one that is not"),
    "div-by-zero": Group("default", "a division by a constant zero"),
    "dropped-content": Group("default", "in LLVM IR, data that are empty, since no data of a program have the content"),
    "dropped-handlers": Group("default", "in LLVM IR, an `invoke`, whose exceptions reach no handler"),
    "empty-body": Group("default", "a `;` that is the whole body of an `if`, `else` or `do`"),
    "enum-compare": Group("-Wall", "a comparison of constants of two enumerations"),
    "enum-conversion": Group("-Wextra", "a conversion from one enumeration to another"),
    "excess-initializers": Group("default", "more initial values than the object has parts"),
    "format": Group("default", "a `printf` or `scanf` format that is unsupported, or does not fit its arguments"),
    "format-extra-args": Group("default", "an argument that the `printf` or `scanf` format does not use"),
    "format-overflow": Group("-Wall", "a `printf` format, or a `scanf` format, whose text does not fit in its array"),
    "format-security": Group("default", "a text that is not constant as the whole format of `printf`"),
    "format-zero-length": Group("-Wall", "an empty `printf` format"),
    "free-nonheap-object": Group("default", "a `free` or `realloc` of a variable, a constant or a function"),
    "ignored-qualifiers": Group("-Wextra", "`const` or `volatile` before the type of a function's result"),
    "implicit-fallthrough": Group("-Wextra", "statements of a `case` that continue with the next `case`"),
    "implicit-function-declaration": Group("default", "a call of a function that is not declared"),
    "implicit-int": Group("default", "a function, variable or parameter that is declared without a type"),
    "incompatible-pointer-types": Group("default", "a conversion between pointers to different types without a cast"),
    "infinite-recursion": Group("default", "a function that can only return after a call of itself"),
    "int-conversion": Group("default", "a conversion between pointers and integers without a cast"),
    "int-in-bool-context": Group("-Wall", "`*`, `<<` or a `?:` of numbers as a truth value"),
    "int-to-pointer-cast": Group("default", "a cast from an integer of another size to a pointer"),
    "invalid-noreturn": Group("default", "a return from a function that is declared `_Noreturn`"),
    "literal-conversion": Group("default", "a conversion of a constant with a fraction to an integer"),
    "logical-not-parentheses": Group("default", "`!a == b`, which compares `!a`"),
    "lto-type-mismatch": Group(
        "default", "a function that another file defines with another result, which no call uses"
    ),
    "macro-redefined": Group("default", "a second, different definition of a macro"),
    "main": Group("-Wall", "a `main` with other parameters than `int argc, char *argv[]`"),
    "main-return-type": Group("default", "a `main` that returns nothing"),
    "maybe-uninitialized": Group("default", "a use of a variable that is not assigned on every path to the use"),
    "memset-elt-size": Group("-Wall", "a `memset` of an array with its length instead of its size"),
    "memset-transposed-args": Group("default", "a `memset` of zero bytes, with exchanged arguments"),
    "misleading-indentation": Group("default", "a statement after an `if` or a loop, indented like its body"),
    "missing-braces": Group("-Wall", "an initialiser without braces for an inner array or struct"),
    "missing-declarations": Group("default", "a declaration that declares nothing"),
    "missing-field-initializers": Group("-Wextra", "an initialiser without values for the last members of a struct"),
    "multichar": Group("default", "a character constant of several characters"),
    "not-compound-assign": Group("default", "`=+` or `=-`, which assigns a number with a sign"),
    "other-layout": Group("default", "in LLVM IR, a target that is big-endian, or whose pointers do not have 64 bits"),
    "overflow": Group("default", "a constant that is too large for its type"),
    "parentheses": Group("default", "an assignment as a condition; operators whose precedence is easily mistaken"),
    "phi-order": Group("default", "in Bril, a φ function that reads another one of its block"),
    "pointer-sign": Group("-Wall", "a conversion between pointers to a signed and an unsigned type without a cast"),
    "pointer-to-int-cast": Group("default", "a cast from a pointer to an integer of another size"),
    "return-local-addr": Group("default", "a function that returns the address of one of its variables"),
    "return-type": Group("default", "a function that may return without a value"),
    "self-assign": Group("default", "an assignment of a variable to itself"),
    "sequence-point": Group("default", "a variable that is changed and used in one expression, in no defined order"),
    "shadowed-name": Group("check", "a definition within the scope of another one with the same name"),
    "shift-count-negative": Group("default", "a shift by a negative number"),
    "shift-count-overflow": Group("default", "a shift by the width of the type, or more"),
    "shift-negative-value": Group("-Wextra", "a shift of a negative constant to the left"),
    "shift-overflow": Group("default", "a shift of a constant that loses bits"),
    "sign-compare": Group("-Wextra", "a comparison or `?:` of a signed and an unsigned number"),
    "sizeof-array-argument": Group("default", "`sizeof` of a parameter that is declared as an array"),
    "sizeof-array-div": Group("-Wall", "the size of an array, divided by that of another type than its elements have"),
    "sizeof-pointer-div": Group("-Wall", "the size of a pointer, divided by that of its target"),
    "sizeof-pointer-memaccess": Group("default", "a call of `memset` or a similar function with the size of a pointer"),
    "stringop-overflow": Group(
        "default", "a call of `strcpy`, `memset` or a similar function that writes more than the array holds"
    ),
    "switch": Group("-Wall", "a `switch` on an enumeration without a `case` for each constant"),
    "switch-outside-range": Group("default", "a `case` outside of the range of the type of the `switch`"),
    "switch-unreachable": Group("default", "a statement in a `switch` before the first `case`"),
    "tautological-compare": Group("default", "a comparison that has the same outcome for all values"),
    "type-limits": Group("-Wextra", "a comparison that is always true or always false, because of the type"),
    "uninitialized": Group("default", "a use of a variable that is not assigned on any path to the use"),
    "unknown-escape": Group("default", "an escape sequence without a meaning in C"),
    "unreachable-code": Group("default", "a statement that is never executed"),
    "unused-but-set-parameter": Group("-Wextra", "a parameter that is assigned to, but never read"),
    "unused-but-set-variable": Group("-Wall", "a variable that is assigned to, but never read"),
    "unused-continuation": Group("default", "a continuation without references"),
    "unused-function": Group("-Wall", "a `static` function that nothing calls"),
    "unused-label": Group("default", "a label without a `goto`"),
    "unused-parameter": Group("-Wextra", "a parameter that is never used"),
    "unused-value": Group("default", "a statement without effect, or a result that nothing uses"),
    "unused-variable": Group("-Wall", "a variable that is never used after its declaration"),
    "visibility": Group("default", "a struct or enumeration that a parameter list declares"),
}
"""Every group of warnings, by name."""

_FAMILIES = {
    "all": [name for name, group in GROUPS.items() if group.enabled_by in ("default", "-Wall")],
    "extra": [name for name, group in GROUPS.items() if group.enabled_by == "-Wextra"],
    "check": [name for name, group in GROUPS.items() if group.enabled_by == "check"],
    "format": [name for name in GROUPS if name.startswith("format")],
    "parentheses": ["parentheses", "dangling-else", "logical-not-parentheses"],
    "unused": [name for name in GROUPS if name.startswith("unused-")],
    "everything": [*GROUPS],
    "": [*GROUPS],
}
"""The names that denote several groups. The empty name is that of ``-Werror``."""


class Warnings:
    """A choice of groups: the groups `enabled`, and those whose warnings are `errors`."""

    def __init__(self, options: Iterable[str] = ()) -> None:
        """Apply `options`, each without its leading ``-W``: ``all``, ``no-overflow``, ``error``, ``error=overflow``.

        A choice of a group has precedence over a choice of a family, otherwise the last one. Raises `ValueError` for an
        unknown group.
        """
        enabled = {name: group.enabled_by == "default" for name, group in GROUPS.items()}
        errors = dict.fromkeys(GROUPS, False)
        settings = [_setting(option) for option in options]
        for name, on, as_error in sorted(settings, key=lambda setting: setting[0] not in _FAMILIES):
            for group in _FAMILIES.get(name, [name]):
                if as_error:
                    errors[group] = on
                if not as_error or (on and name):
                    enabled[group] = on
        self.enabled = frozenset(name for name, on in enabled.items() if on)
        self.errors = frozenset(name for name, on in errors.items() if on)

    def chosen(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The diagnostics without the warnings of disabled groups, and with errors for warnings that are errors."""
        return [self._chosen(each) for each in found if self._is_enabled(each)]

    def _is_enabled(self, found: Diagnostic) -> bool:
        return found.severity != "warning" or found.rule in self.enabled or found.rule not in GROUPS

    def _chosen(self, found: Diagnostic) -> Diagnostic:
        if found.severity != "warning" or found.rule not in GROUPS:
            return found
        if found.rule in self.errors:
            return replace(found, severity="error", option=f"-Werror={found.rule}")
        return replace(found, option=f"-W{found.rule}")


def is_foreign(option: str) -> bool:
    """Whether an option, without its leading ``-W``, is one of gcc or clang that has no meaning here.

    Foreign are groups of other warnings, and options for the preprocessor, assembler or linker (``-Wl,-s``).
    """
    group = _group(option)
    if group in GROUPS or group in _FAMILIES:
        return False
    return re.match("[alp],", option) is not None or group in _foreign_groups()


@cache
def _foreign_groups() -> frozenset[str]:
    with open(join(dirname(__file__), "warning_names.txt"), encoding="utf-8") as names:
        return frozenset(names.read().split())


def _group(option: str) -> str:
    """The group or family that the option names, which may not exist. Empty: all groups."""
    name = option.removeprefix("no-")
    word, equals, group = name.partition("=")
    if word != "error":
        return word  # gcc's levels, as in `implicit-fallthrough=3`, are not distinguished
    return name if equals and not group else group


def _setting(option: str) -> tuple[str, bool, bool]:
    """The group or family that the option sets, whether it is enabled, and whether as errors."""
    group, name = _group(option), option.removeprefix("no-")
    if group not in GROUPS and group not in _FAMILIES:
        help = did_you_mean(group, [*GROUPS, *_FAMILIES, "error"])
        raise ValueError(f"there is no group of warnings {group!r}{f'; {help}' if help else ''}")
    return group, name == option, name.partition("=")[0] == "error"


DEFAULT = Warnings()
"""The groups that are enabled by default."""

_chosen: ContextVar[Warnings] = ContextVar("chosen_warnings", default=DEFAULT)


def chosen_warnings() -> Warnings:
    """The choice of warnings in the current context."""
    return _chosen.get()


@contextmanager
def choosing(warnings: Warnings) -> Iterator[None]:
    """Report the chosen warnings within the block."""
    token = _chosen.set(warnings)
    try:
        yield
    finally:
        _chosen.reset(token)

"""The names of procedures and module variables in the program, and in object files."""

from __future__ import annotations

from cpsconv.frontends.tinylang.typed_tree import Module, Procedure

MAIN = "main"
"""The name of the function that executes the bodies of the modules."""


class Names:
    """Gives each name once. Procedures of the main module keep their names; others get those of what encloses them.

    If the modules have bodies, `started` is the procedure with the name `entry`, and the name is free for the function
    that executes the bodies before this procedure.
    """

    def __init__(self, modules: list[Module], entry: str | None = None) -> None:
        self._main = modules[-1].name
        self._taken = {MAIN}
        procedures = [procedure for module in modules for procedure in module.procedures]
        plain = {each: each.name for each in procedures if self._is_plain(each)}
        self._taken |= {*plain.values()}
        self.of = {each: plain.get(each) or self.fresh(self._qualified(each)) for each in procedures}
        startable = [each for each in procedures if self.of[each] == entry and not each.captured]
        self.started = startable[0] if startable and any(module.body for module in modules) else None
        if self.started:
            self.of[self.started] = self.fresh(f"{self._main}_{entry}")

    def _is_plain(self, procedure: Procedure) -> bool:
        return procedure.module == self._main and procedure.enclosing is None and procedure.name != MAIN

    def _qualified(self, procedure: Procedure) -> str:
        is_own = procedure.module == self._main and procedure.name != MAIN
        return "_".join([*([] if is_own else [procedure.module]), *procedure.path[-3:]])

    def variable(self, module: str, name: str) -> str:
        """The name of the variable of a module."""
        return name if module == self._main else f"{module}_{name}"

    def fresh(self, hint: str) -> str:
        """A name that no function has."""
        name, number = hint, 0
        while name in self._taken:
            number += 1
            name = f"{hint}_{number}"
        self._taken.add(name)
        return name


def mangled(*path: str) -> str:
    """The symbol of a declaration, by the names from its module's to its own: ``_t3Gcd3GCD``.

    (Nacke and Kwan, *Learn LLVM 17*, chapter 4.)
    """
    return "_t" + "".join(f"{len(name)}{name}" for name in path)

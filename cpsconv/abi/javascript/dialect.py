"""The foreign operations of JavaScript in a run: variables of the module, calls, exceptions.

`operations` has those that need no state. What neither has, such as literals of objects, has no meaning in a run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from cpsconv.abi.javascript import CELL, PREFIX, VALUE
from cpsconv.abi.javascript.environment import BUILTINS, MISSING
from cpsconv.abi.javascript.facts import facts_of
from cpsconv.abi.javascript.operations import OPERATIONS, initialised
from cpsconv.abi.javascript.texts import inspected, shown
from cpsconv.abi.javascript.values import UNINITIALISED, Builtin, Closure, Object, Thrown, thrown, written
from cpsconv.core.ir import Foreign, Function
from cpsconv.core.operations.dialects import Host
from cpsconv.core.operations.runtime_errors import DepthLimit

MAX_CALLS = 3_000 if sys.version_info >= (3, 11) else 500
"""The calls of closures that can be nested. Each takes C stack, and so does each of its calls before Python 3.11."""

_FRAMES = 40
"""The calls of Python that a call of a closure takes, at most."""

"""What functions cannot be called that have it among the `Facts`."""

_INITIALISE = f"{PREFIX}initialise "


class JavaScript:
    """The dialect: the state of one run, and the operations on it."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._depth = 0
        self._result: Any = None
        self._exception: Any = None
        texts = (str(each.of) for each in host.program.statements() if isinstance(each.of, Foreign))
        declared = [text.removeprefix(_INITIALISE) for text in texts if text.startswith(_INITIALISE)]
        self._variables: dict[str, Any] = dict.fromkeys(declared, UNINITIALISED)
        self._globals: dict[str, Any] = {**BUILTINS, "console": Object("console", {"log": Builtin("log", self._log)})}
        self._operations: Mapping[str, Callable[[str], Callable[..., Any]]] = {
            **OPERATIONS,
            "result": lambda _: lambda: self._result,
            "exception": lambda _: lambda: self._exception,
            "variable": self._variable,
            "set_variable": self._set_variable,
            "initialise": lambda name: partial(self._variables.__setitem__, name),
            "global": self._global,
            "typeof_variable": partial(self._global, is_typeof=True),
            "set_global": partial(self._set_global, is_strict=True),
            "set_global_sloppy": self._set_global,
            "closure": lambda _: self._closure,
            "call": lambda _: self._call,
        }

    def operation(self, text: str) -> Callable[..., Any]:
        """The function of an operation; `Dialect` states the exceptions."""
        name, _, operand = text.removeprefix(PREFIX).partition(" ")
        try:
            return self._operations[name](operand)
        except (KeyError, ValueError):  # the text may be written by hand
            return _missing

    def transfer(self, text: str, targets: int) -> Callable[..., int]:
        """The function of an operation that may throw: its last target, if it has one, is the handler."""
        compute = self.operation(text)

        def transfer(*operands: Any) -> int:
            try:
                self._result = compute(*operands)
            except Thrown as exception:
                if not targets:
                    raise
                self._exception = exception.value
                return targets - 1
            return 0

        return transfer

    def shown(self, value: Any) -> str:
        """The text of a value or cell; strings are in quotes."""
        return shown(value)

    # -------------------------------------------------------------------------------------------------- variables

    def _variable(self, name: str) -> Callable[[], Any]:
        def read() -> Any:
            return initialised(name, self._variables.get(name))

        return read

    def _set_variable(self, name: str) -> Callable[[Any], None]:
        def assign(value: Any) -> None:
            initialised(name, self._variables.get(name))
            self._variables[name] = value

        return assign

    def _global(self, name: str, is_typeof: bool = False) -> Callable[[], Any]:
        def read() -> Any:
            if name in MISSING:
                raise NotImplementedError
            if name not in self._globals and not is_typeof:
                raise thrown("ReferenceError", f"{name} is not defined")
            return self._globals.get(name)

        return read

    def _set_global(self, name: str, is_strict: bool = False) -> Callable[[Any], None]:
        def assign(value: Any) -> None:
            if name in MISSING or name in ("NaN", "Infinity", "undefined"):
                raise NotImplementedError
            if is_strict and name not in self._globals:
                raise thrown("ReferenceError", f"{name} is not defined")
            self._globals[name] = value

        return assign

    # ------------------------------------------------------------------------------------------------------ calls

    def _closure(self, pointer: int, *captured: Any) -> Closure:
        function = self._host.function_at(pointer)
        if not function or not {each.type for each in function.parameters[:-1]} <= {CELL, VALUE}:
            raise TypeError
        return Closure(function, captured)

    def _call(self, function: Any, this: Any, *arguments: Any) -> Any:
        if isinstance(function, Builtin):
            return function.compute(*arguments)
        if not isinstance(function, Closure):
            raise thrown("TypeError", "the called value is not a function", is_exact=False)
        passed = [*function.captured, *_implicit(function, this)]
        count = len(function.function.parameters) - 1 - len(passed)
        passed += arguments[:count]
        passed += [None] * (count - len(arguments))
        return self._entered(function.function, passed)

    def _entered(self, function: Function, passed: Sequence[Any]) -> Any:
        """The result of a call of a function of the program."""
        limit = sys.getrecursionlimit()
        self._depth += 1
        try:
            if self._depth == 1:
                sys.setrecursionlimit(max(limit, _FRAMES * MAX_CALLS))
            if self._depth > MAX_CALLS:
                raise RecursionError
            return self._host.call(function, passed)
        except (RecursionError, DepthLimit):
            raise thrown("RangeError", "Maximum call stack size exceeded") from None
        finally:
            self._depth -= 1
            if not self._depth:
                sys.setrecursionlimit(limit)

    def _log(self, *values: Any) -> None:
        if len(values) > 1 and isinstance(values[0], str) and "%" in values[0]:
            raise NotImplementedError("with a format")
        self._host.write(written(" ".join(map(inspected, values)) + "\n"))


def _missing(*_: Any) -> Any:
    raise NotImplementedError


def _implicit(closure: Closure, this: Any) -> Iterator[Any]:
    """The arguments for parameters without a declaration."""
    facts = facts_of(closure.function)
    found = {"async": facts.is_async, "generator": facts.is_generator, "rest": facts.has_rest}
    found["arguments"] = "arguments" in facts.implicit
    unsupported = [word for word, is_found in found.items() if is_found]
    if unsupported:
        raise NotImplementedError(f"of a function with `{unsupported[0]}`")
    values = {"self": closure, "this": this, "new.target": None}
    return (values[name] for name in facts.implicit)

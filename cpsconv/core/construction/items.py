"""The items of a program under construction: structs, data, and the declarations of functions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cpsconv.core import ir
from cpsconv.core.attributes import implied
from cpsconv.core.construction import events
from cpsconv.core.construction.block import BuildError, Variable
from cpsconv.core.construction.events import Observer
from cpsconv.core.source import Source, Span

if TYPE_CHECKING:
    from cpsconv.core.construction.explicit_memory import ExplicitMemory


class ProgramItems:
    """The parts of a program beside the function that is being built.

    `counts` has the statistics of each finished function. A front end may add to `variables` which variables of a
    function are in memory, and set the `attributes` of the program (`ir.Program`). `memory` describes the explicit
    memories, if memory is explicit. The `observer` is called when the program is complete.

    `program` collects the structs, data and external functions, with all finished functions. Data can contain the
    addresses of functions that are declared, and of data that follow::

        struct point { int x, y; } origin = {0, 7};
        int twice(int n) { return 2 * n; }
        int (*operation)(int) = twice;
        const char text[] = "done";
        int main() { int sum[1]; sum[0] = operation(origin.y); return sum[0]; }

    >>> from cpsconv.core.construction import Builder, Variable
    >>> from cpsconv.core.ir import CHAR, INT, PTR, UNSIGNED_LONG, Array, Constant
    >>> from cpsconv.core.text import pretty
    >>> b = Builder()
    >>> point = b.struct("point", [("x", INT), ("y", INT)])
    >>> twice = b.declare("twice", [("n", INT)], INT)
    >>> length = b.external("length", [("s", PTR)], UNSIGNED_LONG)  # called like a function of the program
    >>> origin = b.data("origin", point, (0).to_bytes(4, "little") + (7).to_bytes(4, "little"))
    >>> operation = b.data("operation", PTR, addresses={0: (twice, 0)})
    >>> text = b.data("text", Array(CHAR, 5), b"done\\0", is_constant=True)
    >>> main = b.function("main", [], INT)
    >>> sum = b.effect("allocate", Constant(INT, 1), of=INT, name="sum")  # its lifetime starts: one element
    >>> pointer = b.effect("load", operation, type=PTR)
    >>> y = b.effect("load", b.primitive("field", origin, of=point.fields["y"]), type=INT)
    >>> doubled = b.call_through(pointer, [y], INT)
    >>> element = b.primitive("element", sum, Constant(INT, 0), of=INT)
    >>> _ = b.effect("store", doubled, element)  # the value, then the address
    >>> address = b.convert(PTR, twice)  # the address of a function as a value
    >>> result = b.effect("load", element, type=INT, name="result")
    >>> _ = b.effect("deallocate", sum)  # the end of its lifetime
    >>> b.ret(result)
    >>> main = b.finish()
    >>> n = Variable("n", INT)
    >>> _ = b.function("twice", [n], INT)
    >>> b.ret(b.primitive("*", Constant(INT, 2), b.read_variable(n)))
    >>> _ = b.finish()
    >>> print(pretty(b.program()), end="")
    struct point { x : int, y : int }
    data origin := point { 0, 7 }
    data operation := twice
    const text := "done\\0"
    extern length(s : ptr, ret : unsigned long → ⊥) → ⊥
    <BLANKLINE>
    main(ret : int → ⊥) → ⊥ {
      sum := allocate int[1];
      v := ptr[operation];
      v1 := int[point.y(origin)];
      call(v, v1, λ(v2 : int).
      v3 := int.at(sum, 0);
      int[v3] := v2;
      v4 := ptr(twice);
      result := int[v3];
      deallocate(sum);
      ret(result))
    }
    <BLANKLINE>
    twice(n : int, ret : int → ⊥) → ⊥ {
      ret(2 * n)
    }
    """

    def __init__(self, memory: ExplicitMemory | None, observer: Observer | None = None) -> None:
        self.memory = memory
        self.observer = observer
        self.counts: dict[ir.Function, ir.Counts] = {}
        self.variables: dict[ir.Function, ir.SourceVariables] = {}
        self.attributes = ir.NO_ATTRIBUTES
        self._structs: list[ir.Struct] = []
        self._data: list[ir.Data] = []
        self._externals: list[ir.Function] = []
        self._external_data: list[ir.ExternalData] = []
        self._declared: dict[str, ir.Function] = {}
        self._last_numbers: dict[str, int] = {}
        self._is_nested = False  # whether a function has free values

    def declare(
        self,
        name: str,
        parameters: Sequence[Variable | tuple[str, ir.Scalar]],
        result: ir.Scalar,
        span: Span | None = None,
        attributes: ir.Attributes = ir.NO_ATTRIBUTES,
    ) -> ir.Function:
        """A function that can be called before it is built by `function` with the same name.

        `result` is `VOID` for a function without a result. Raises `BuildError` if the name is already declared.
        """
        if name in self._declared:
            raise BuildError(f"function {name} is declared twice")
        variables = [as_variable(parameter) for parameter in parameters]
        function = ir.Function(name, [ir.Parameter(v.type, v.name, v.span, v.attributes) for v in variables], span=span)
        function.attributes = attributes
        if self.memory is not None:
            function.parameters.append(ir.Parameter(ir.MEMORY, self.memory.rest.name, span))
        function.parameters.append(ir.Parameter(self.returning(result), "ret", span))
        self._declared[name] = function
        return function

    def struct(
        self,
        name: str,
        members: Sequence[tuple[str, ir.ObjectType]],
        is_union: bool = False,
        span: Span | None = None,
        alignment: int = 1,
    ) -> ir.Struct:
        """A struct or union with these members, laid out as on x86-64. The structs that it contains precede it.

        Its alignment is at least `alignment`, a power of two.
        """
        from cpsconv.core.layout import laid_out  # few programs have structs

        struct = laid_out(name, members, is_union, span, alignment)
        self._structs.append(struct)
        return struct

    def data(
        self,
        name: str,
        type: ir.ObjectType,
        content: bytes = b"",
        addresses: Mapping[int, tuple[ir.Data | ir.Function, int]] | None = None,
        is_constant: bool = False,
        span: Span | None = None,
        alignment: int = 0,
        attributes: ir.Attributes = ir.NO_ATTRIBUTES,
    ) -> ir.Data:
        """An object that exists from the start, see `ir.Data`. Its value is the pointer to it.

        `content` and `addresses` of the result may be changed until `program` is called: data may refer to each other.
        """
        data = ir.Data(name, type, content, {**(addresses or {})}, is_constant, span, alignment, attributes)
        self._data.append(data)
        return data

    def external_data(
        self, name: str, type: ir.ObjectType, span: Span | None = None, attributes: ir.Attributes = ir.NO_ATTRIBUTES
    ) -> ir.ExternalData:
        """Data that another program defines, as `ir.ExternalData` describes."""
        data = ir.ExternalData(name, type, span=span, attributes=attributes)
        self._external_data.append(data)
        return data

    def external(
        self,
        name: str,
        parameters: Sequence[Variable | tuple[str, ir.Scalar]],
        result: ir.Scalar,
        span: Span | None = None,
        attributes: ir.Attributes = ir.NO_ATTRIBUTES,
    ) -> ir.Function:
        """A function without a body, provided by the environment. Raises `BuildError` if the name is declared."""
        function = self.declare(name, parameters, result, span, implied(name, attributes))
        self._externals.append(function)
        return function

    def declared(self, name: str) -> ir.Function | None:
        """The function or external function of that name, if it is declared."""
        return self._declared.get(name)

    def unused_name(self, hint: str) -> str:
        """A name of no declared function: `hint`, or else `hint` with a number."""
        return _numbered(hint, self._declared, self._last_numbers)

    def program(self, source: Source | None = None) -> ir.Program:
        """The finished functions, in their order, with all structs, data and external functions, and the `attributes`.

        Structs and data whose names are taken get a number: ``text``, ``text1``, … Nested functions that are not called
        are omitted. Raises `BuildError` if a function is declared but not built, or if `main` or a function whose
        address is used needs values of another function.
        """
        for name, function in self._declared.items():
            if function not in self.counts and function not in self._externals:
                raise BuildError(f"function {name} is declared, but not built")
        items = self._structs, self._data, self._externals
        described = self.variables, self._external_data
        program = ir.Program([*self.counts], source, self.counts, *items, *described, attributes=self.attributes)
        if self.observer is not None:
            self.observer(events.Assemble(program))
        _rename(self._structs, [])
        _rename(self._data, [*self._declared, *(each.name for each in self._external_data)])
        if self._is_nested:
            from cpsconv.core.analysis.nesting import drop_uncalled  # imported late: few programs need it

            drop_uncalled(program)
            self._check_nested()
        return program

    def _check_nested(self) -> None:
        """Raises `BuildError` if `main`, or a function whose address is used, needs values of another function."""
        nested = {function for function in self.counts if function.free}
        for statement in (each for function in self.counts for member in function.members() for each in member.body):
            for operand in nested.intersection(statement.operands):
                raise BuildError(f"{operand.name} {_NESTED}")
        for data in self._data:
            for target, _ in data.addresses.values():
                if target in nested:
                    raise BuildError(f"{target.name}, in {data.name}, {_NESTED}")
        if self.declared("main") in nested:
            raise BuildError(f"main {_NESTED} in the scope of these values")

    def returning(self, result: ir.Scalar) -> ir.ContinuationType:
        """The type of the return continuation of a function with that result."""
        memory = () if self.memory is None else (ir.MEMORY,)
        return ir.ContinuationType((*(() if result is ir.VOID else (result,)), *memory))


_NESTED = "uses values of another function, so it can only be called"


def _rename(items: Sequence[ir.Struct | ir.Data], taken: Iterable[str]) -> None:
    """Add a number to the name of each item whose name is taken, by an earlier item or otherwise."""
    names, last = {*taken}, dict[str, int]()
    for item in items:
        item.name = _numbered(item.name, names, last)
        names.add(item.name)


def _numbered(hint: str, taken: Container[str], last: dict[str, int]) -> str:
    """The name, with a number if it is taken. `last` has the last numbers that were added to names."""
    name = hint
    while name in taken:
        last[hint] = last.get(hint, 0) + 1
        name = f"{hint}{'_' * hint[-1:].isdigit()}{last[hint]}"
    return name


def as_variable(parameter: Variable | tuple[str, ir.Scalar]) -> Variable:
    """The variable of a parameter that is given as a variable, or by its name and type."""
    return parameter if isinstance(parameter, Variable) else Variable(*parameter)

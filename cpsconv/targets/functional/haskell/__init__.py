"""The program in Haskell: a continuation is a local function to `IO Void`, a transfer the last action of its body.

::

    f :: Int32 -> (Int32 -> IO Void) -> IO Void
    f !x ret = do
      let
        then' :: IO Void
        then' = next 23
        else' :: IO Void
        else' = next 42
        next :: Int32 -> IO Void
        next !a = ret a
      if x == 0 then then' else else'

`IO Void` is Haskell's type for ⊥: an action that never returns a value. Bindings are strict (``!``), so that a value is
computed where it is bound. Only values that may be undefined are lazy: an undefined value is an error when evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby, repeat
from typing import Any

from cpsconv.core import ir
from cpsconv.core.operations.mathematics import for_each_function
from cpsconv.core.operations.names import CREATE_ZEROED, RELEASE
from cpsconv.core.operations.table import LOADS, OPERATIONS, OUTPUTS, STORE
from cpsconv.core.text.layout import Group, Piece, wrapped
from cpsconv.core.text.plan import UniqueNames
from cpsconv.targets.functional.completeness import require_calls, require_functions
from cpsconv.targets.functional.file import Language, Start
from cpsconv.targets.functional.haskell.operations import (
    BOTTOM,
    CHECKED,
    PRINTING,
    TYPES,
    UNSPELLED,
    computed,
    operand_type,
    type_text,
    typed,
)
from cpsconv.targets.functional.identifiers import Spelling, camel_case
from cpsconv.targets.functional.nesting_plan import LiftedGroup
from cpsconv.targets.functional.prelude import Facts, Prelude, prelude_text
from cpsconv.targets.functional.terms import (
    APPLICATION,
    OPEN,
    Line,
    Term,
    application,
    atom,
    bracketed,
    indented,
    row,
    text_of,
)
from cpsconv.targets.functional.writer import Layer, Writer

# ---------------------------------------------------------------------------------------------------------- words


def _facts(type: ir.Scalar) -> Facts:
    return {"TYPE": TYPES[type]} if type in TYPES else {}


def _imported(name: str, count: int, type: ir.Scalar) -> str:
    types = " -> ".join([TYPES[type]] * (count + 1))
    return f'foreign import ccall unsafe "math.h {name}" c_{name} :: {types}'


_WRITTEN = {**{f"c_{name}": text for name, text in for_each_function(_imported).items()}, **CHECKED}

_IMPORTS = {
    "IORef": "import Data.IORef (IORef, modifyIORef, newIORef, readIORef)",
    "Map": "import qualified Data.Map.Strict as Map",
}
"""The modules that pieces of the prelude import, by the names of types."""

_IMPORTED = frozenset("as empty insert modifyIORef newIORef qualified readIORef".split())  # noqa: SIM905

_MEMORY = "haskell/memory.hs"

_HEADER = prelude_text("haskell/header.hs").rstrip()

_CONVERSIONS = {f"{convert}{type}" for type in TYPES.values() for convert in ("to", "nearest")}

_KEYWORDS = frozenset(
    """case class data default deriving do else foreign if import in infix infixl infixr instance let module newtype of
    then type where""".split()  # noqa: SIM905
)

_USED = frozenset(
    """abs both cString character complement double2Float float2Double fromEnum infinity misfit nan negate not oneOf
    quot rem selectFormat shl show shownCharacter shownFloat shownInteger
    shownString shr size timesInteger truncateToInt32 truncateToInt64 undef unused xor _""".split()  # noqa: SIM905
).union(_KEYWORDS, _CONVERSIONS, _WRITTEN, OUTPUTS, ir.EXTERNALS)
"""The names and keywords that the code of functions uses."""

_BOUND = frozenset(
    """abs acos acosh all and any appendFile asTypeOf asin asinh atan atan2 atanh break ceiling compare concat
    concatMap const cos cosh curry cycle decodeFloat div divMod drop dropWhile either elem encodeFloat enumFrom
    enumFromThen enumFromThenTo enumFromTo error errorWithoutStackTrace even exp exponent fail filter flip
    floatDigits floatRadix floatRange floor fmap foldMap foldl foldl1 foldr foldr1 fromEnum fromInteger fromIntegral
    fromRational fst gcd getChar getContents getLine head id init interact ioError isDenormalized isIEEE isInfinite
    isNaN isNegativeZero iterate last lcm length lex liftA2 lines log logBase lookup main map mapM mapM_ mappend max
    maxBound maximum maybe mconcat mempty min minBound minimum mod negate not notElem null odd or otherwise pi pred
    print product properFraction pure putChar putStr putStrLn quot quotRem read readFile readIO readList readLn
    readParen reads readsPrec realToFrac recip rem repeat replicate return reverse round scaleFloat scanl scanl1
    scanr scanr1 seq sequence sequenceA sequence_ show showChar showList showParen showString shows showsPrec
    significand signum sin sinh snd span splitAt sqrt subtract succ sum tail take takeWhile tan tanh toEnum
    toInteger toRational traverse truncate uncurry undefined unlines until unwords unzip unzip3 userError words
    writeFile zip zip3 zipWith zipWith3""".split()  # noqa: SIM905 - as a list, it would be a page
).union(re.findall(r"\b[a-z]\w*", _HEADER.partition("where")[2]))
"""The names that Haskell's Prelude and the imports bind. A function of the same name would be ambiguous."""

_PRELUDE = Prelude(
    ("haskell/haskell.hs", _MEMORY),
    definition=re.compile(r"^(?:data (?=\w+ =)|(?=\w+ ::))(\w+)", re.MULTILINE),
    words=re.compile(r"""--.*|"[^"]*"|(?<!\w)([A-Za-z_][\w']*)|'[^']+'"""),
    facts=_facts,
    written=_WRITTEN | _IMPORTS,
    binding=re.compile(r"(?m)(?:^(?! *\|)|\\|; |let )([^=|]*?(?:::.*| =(?=\s)|<-|->|\n(?= *\|)))"),
    known=_BOUND | _KEYWORDS | _IMPORTED,
)

_ILLEGAL = re.compile(r"[^A-Za-z0-9_]|^(?=[A-Z0-9])")
_LOCALS = Spelling(_USED.union(_PRELUDE.pieces_of(_MEMORY)), "'", _ILLEGAL)


# ----------------------------------------------------------------------------------------------------------- types


def _signature(name: str, types: Iterable[ir.Type], result: Piece = BOTTOM) -> Line:
    """``f :: Int32 -> IO Void``"""
    first, *rest = [*map(operand_type, types), result]
    return Line(row([wrapped(f"{name} :: ", first), *(wrapped("-> ", part) for part in rest)]))


_MAX_TUPLE = 60  # GHC's tuples have at most 64 parts


def _tuple(parts: Sequence[Piece]) -> Piece:
    """``(k1, k2)`` as a type, a pattern or an expression; a tuple of tuples for many parts."""
    while len(parts) > _MAX_TUPLE:
        starts = range(0, len(parts), _MAX_TUPLE)
        parts = [_tuple(parts[start : start + _MAX_TUPLE]) for start in starts]
    return parts[0] if len(parts) == 1 else Group("(", [*parts], ")", bracketed=False)


# ---------------------------------------------------------------------------------------------------------- layout


def _followed(head: Piece, body: list[Line]) -> list[Line]:
    """``head body``; or ``head do`` followed by a body of several lines."""
    if len(body) == 1:
        return [Line(row([head, body[0].piece]))]
    return [Line(wrapped("", head, " do")), *indented(body)]


# ------------------------------------------------------------------------------------------------------- functions


class _HaskellWriter(Writer[Term, list[Line]]):
    """Writes one function. A body is a sequence of actions."""

    terms = PRINTING

    # ------------------------------------------------------------------------------------------------ definitions

    def definition(self, member: ir.Continuation, body: list[Line]) -> list[Line]:
        """``k :: Int32 -> IO Void`` and ``k !a = body``"""
        name = self.names[member]
        signature = _signature(name, member.type.parameters)
        return [signature, *_followed(row([name, *self._patterns(member), "="]), body)]

    def _patterns(self, member: ir.Continuation) -> list[str]:
        """The parameters: ``!a`` if strict, ``a`` if lazy."""
        return [f"{'' if self._is_lazy(each) else '!'}{self.names[each]}" for each in member.parameters]

    def _is_lazy(self, parameter: ir.Parameter) -> bool:
        """Whether the parameter is a continuation, or may be undefined."""
        return isinstance(parameter.type, ir.ContinuationType) or parameter in self.may_be_undefined

    def lifted(self, group: LiftedGroup, inside: Sequence[list[Line]]) -> list[Line]:
        """``f_k x ret = (k1, k2) where …``"""
        name, free = self.names[group], group.free
        result = _tuple([type_text(member.type) for member in group.members])
        body = wrapped("= ", _tuple(self.named(group.members)))
        head = [_signature(name, [each.type for each in free], result), Line(row([name, *self.named(free), body]))]
        return [*head, Line("where", 1), *indented(indented(chain(*inside)))]

    def lifted_call(self, group: LiftedGroup) -> list[Line]:
        """``(k1, k2) = f_k x ret``"""
        members = wrapped("", _tuple(self.named(group.members)), " =")
        return [Line(row([members, self.names[group], *self.named(group.free)]))]

    # ------------------------------------------------------------------------------------------------------ bodies

    def body(self, layers: list[Layer], inside: Sequence[list[Line]], transfer: ir.Transfer) -> list[Line]:
        """Actions: ``let`` with bindings and definitions, ``v <- effect``, ``effect``, and finally the transfer."""
        statements = [statement for layer in layers for statement in (*layer.bindings, *layer.effects)]
        definitions = [*chain(*inside)]
        let = [Line("let"), *indented(definitions)] if definitions else []
        return [*self._actions(statements), *let, *self._transfer(transfer)]

    def _actions(self, statements: Iterable[ir.Statement]) -> Iterator[Line]:
        for is_effect, group in groupby(statements, lambda statement: isinstance(statement, ir.Effect)):
            if is_effect:
                yield from map(self._action, group)
            else:
                bindings = [wrapped(f"!{self.names[each]} = ", self.operation(each).piece) for each in group]
                single = len(bindings) == 1
                yield from [Line(row(["let", *bindings]))] if single else [Line("let"), *indented(map(Line, bindings))]

    def _action(self, effect: ir.Statement) -> Line:
        """``printf [show v]``, ``v <- putchar 65``"""
        piece = self.operation(effect).piece
        return Line(wrapped(f"{self.names[effect]} <- ", piece) if self.text_plan.used[effect] else piece)

    # ------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, transfer: ir.Transfer) -> list[Line]:
        if isinstance(transfer, ir.Jump):
            return [Line(self._step(transfer.edge).piece)]
        if isinstance(transfer, ir.Call):
            return self._call(transfer)
        if isinstance(transfer, ir.Branch):
            terms = self.used(transfer.condition), *map(self._step, transfer.edges)
            words = zip(("if ", "then ", "else "), terms, strict=True)
            return [Line(row([wrapped(word, term.piece) for word, term in words]))]
        assert isinstance(transfer, ir.Switch)
        return self._switch(transfer)

    def _switch(self, switch: ir.Switch) -> list[Line]:
        """``case v of``, ``1 -> k``, …, ``_ -> k``"""
        default = "_" if switch.cases else "!_"  # evaluates the value in any case
        alternatives = [*((case.value, edge) for case, edge in switch.arms), (default, switch.default)]
        head = Line(wrapped("case ", self.used(switch.value).piece, " of"))
        return [head, *(Line(wrapped(f"{case} -> ", self._step(edge).piece), 1) for case, edge in alternatives)]

    def _step(self, edge: ir.Edge) -> Term:
        return self._applied(edge.target, edge.arguments)

    def _call(self, call: ir.Call) -> list[Line]:
        """``f a k``, ``f a $ \\ !v -> …``"""
        then = call.then.target
        if then not in self.inlined:
            return [Line(self._applied(call.callee, [*call.arguments, then]).piece)]
        assert isinstance(then, ir.Continuation)
        applied = self._applied(call.callee, call.arguments)
        head = ["$", *(["\\", *self._patterns(then), "->"] if then.parameters else [])]
        return _followed(wrapped("", _closed(applied).piece, f" {' '.join(head)}"), self.inlined[then])

    def _applied(self, function: ir.Value, arguments: Sequence[ir.Value]) -> Term:
        """``k a b``; or ``k $! a + b`` if the parameter of `k` may be lazy. The last arguments may be missing."""
        parameters = function.parameters if isinstance(function, ir.Continuation) else repeat(None)
        applied, pending = self.value(function), list[Term]()
        for argument, parameter in zip(arguments, parameters, strict=False):
            may_be_lazy = self._is_lazy(parameter) if parameter else bool(self.may_be_undefined)
            term = self.value(argument)
            if argument in self.text_plan.in_place and may_be_lazy:
                called = _closed(_application(applied, pending))
                applied = Term(row([wrapped("", called.piece, " $!"), term.piece]), OPEN)
                pending = []
            else:
                pending.append(term)
        return _application(applied, pending)

    def computed(self, statement: ir.Statement) -> Term:
        """``a + b``, ``putchar a``"""
        operands = [*map(self.used, statement.operands)]
        operation = OPERATIONS[statement.op]
        same_type = statement.operands[:1] if operation.kind == "shift" else statement.operands
        if not operation.is_effect and all(isinstance(operand, ir.Constant) for operand in same_type):
            operands[0] = typed(operands[0], same_type[0].type)  # literals do not determine their types
        return computed(statement, operands)

    def puts(self, effect: ir.Statement, place: Sequence[Term]) -> Term:
        """``stringAt p (-1) >>= puts``"""
        return Term(row([application("stringAt", place).piece, ">>= puts"]), OPEN)

    def on_memory(self, statement: ir.Statement) -> Term:
        """``loadInt32 p``, ``storeInt32 v p``, ``release p``"""
        operands = [*map(self.used, statement.operands)]
        if statement.op in LOADS:
            return application(f"load{TYPES[statement.type]}", operands[:1])
        if statement.op != STORE:
            return application({CREATE_ZEROED: "create", RELEASE: "release"}[statement.op], operands)
        value = statement.operands[0]
        store = f"store{type_text(value.type)}"
        if isinstance(value, ir.Undef) or value in self.may_be_undefined:
            return application("storeIfDefined", [Term(store), *operands])
        return application(store, operands)

    def printf(self, effect: ir.Statement, operands: Sequence[Term]) -> Term:
        """``printf [show a]``; strings in memory are read before: ``stringAt p 5 >>= \\ text'1 -> printf [text'1]``"""
        read: list[Term] = []

        def call(words: Sequence[str], arguments: Sequence[Term]) -> Term:
            if words != ("string", "at"):
                return PRINTING.call(words, arguments)
            read.append(PRINTING.call(words, arguments))
            return Term(f"text'{len(read)}")

        printed = replace(PRINTING, call=call)(effect, operands, self.strings)
        for number, each in reversed([*enumerate(read, 1)]):
            printed = Term(row([each.piece, f">>= \\ text'{number} ->", printed.piece]), OPEN)
        return printed


def _application(function: Term, arguments: Sequence[Term]) -> Term:
    """``k a b``"""
    return Term(row([atom(term).piece for term in (function, *arguments)]), APPLICATION) if arguments else function


def _closed(term: Term) -> Term:
    """The term in a form that can be followed by an operator."""
    return bracketed(term) if term.op == OPEN else term


# ----------------------------------------------------------------------------------------------------------- start


def _start(start: Start) -> list[Line]:
    """``main = run (f halt)``; or ``main = run $ do`` with actions that parse the command line."""
    end = start.end_names(camel_case)
    signature = Line(f"main :: {BOTTOM}")
    if not start.types:
        return [signature, Line(f"main = run ({' '.join([start.name, *end])})")]
    inventor = UniqueNames({start.name})
    words, values = ([inventor.unique(hint) for _ in start.types] for hint in ("word", "value"))
    taken = Group("[", [*words], f"] <- commandLine {len(words)}", bracketed=False)
    read = [f"{value} <- {_reader(type)} {word}" for value, type, word in zip(values, start.types, words, strict=True)]
    actions = [taken, *read, row([start.name, *values, *end])]
    return [signature, Line("main = run $ do"), *indented(map(Line, actions))]


def _reader(type: ir.Scalar) -> str:
    """The function that parses an argument of the command line."""
    if type.kind == "integer":
        return "readCharacter" if type.bits == 8 else "readInteger"
    return f"read{TYPES[type]}"


def _data(data: Sequence[ir.Data], names: Mapping[Any, str]) -> list[Line]:
    """``x = dataOf 8 "text" [(0, y)]``"""
    lines = []
    for each in data:
        content = PRINTING.literal(ir.Constant(ir.STRING, each.content.rstrip(b"\0").decode("latin-1")))
        places: list[Piece] = [f"({offset}, {names[target]})" for offset, (target, _) in each.addresses.items()]
        pointers = Group("[", places, "]", bracketed=False) if places else "[]"
        value = application("dataOf", [Term(str(each.object_type.size)), content, Term(pointers)])
        name = names[each]
        lines += [Line(f"{name} :: {TYPES[ir.PTR]}"), Line(wrapped(f"{name} = ", value.piece))]
        lines.append(Line(f"{{-# NOINLINE {name} #-}}"))
    return lines


haskell = Language(
    name="Haskell",
    header=_HEADER,
    prelude=_PRELUDE,
    locals=_LOCALS,
    writer=_HaskellWriter,
    laid_out=text_of,
    start=_start,
    bound=_BOUND,
    lacking_types=frozenset({ir.LONG_DOUBLE, *ir.WIDE_INTEGERS}),
    unspelled=UNSPELLED,
    data=_data,
    max_depth=10,  # each level indents lines twice
)

require_functions(haskell, computed, _BOUND)
require_calls("Haskell", _PRELUDE)

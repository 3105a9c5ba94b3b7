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

`IO Void` is what Haskell has for ⊥: an action that does something and never gives a value. A value is computed where
it is bound (the ``!``), as everywhere but in Haskell. Only what may be undefined is left as it is: it is lazy, and an
error when somebody needs it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from cpsconv.emit.functional.file import Language, Start
from cpsconv.emit.functional.identifiers import Spelling
from cpsconv.emit.functional.nesting_plan import Outline
from cpsconv.emit.functional.prelude import Facts, Prelude
from cpsconv.emit.functional.terms import (
    APPLICATION,
    OPEN,
    Line,
    Term,
    application,
    atom,
    bracketed,
    indented,
    infix,
    quoted,
    text_of,
)
from cpsconv.emit.functional.writer import Layer, Writer
from cpsconv.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    EXTERNALS,
    FLOAT,
    INT,
    LONG,
    SHORT,
    SIGNED_CHAR,
    STRING,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    Branch,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Edge,
    Effect,
    Jump,
    Parameter,
    Program,
    Scalar,
    Statement,
    Switch,
    Transfer,
    Type,
    Undef,
    Value,
)
from cpsconv.operations.semantics import normalised
from cpsconv.operations.table import CONVERT, EFFECTS
from cpsconv.text.layout import Group, Piece, wrapped
from cpsconv.text.plan import UniqueNames

# ---------------------------------------------------------------------------------------------------------- words

_TYPES = {
    BOOL: "Bool",
    CHAR: "Int8",
    SIGNED_CHAR: "Int8",
    UNSIGNED_CHAR: "Word8",
    SHORT: "Int16",
    UNSIGNED_SHORT: "Word16",
    INT: "Int32",
    UNSIGNED: "Word32",
    LONG: "Int64",
    UNSIGNED_LONG: "Word64",
    FLOAT: "Float",
    DOUBLE: "Double",
    STRING: "String",
}


def _facts(type: Scalar) -> Facts:
    """How a floating number becomes one of the type: by instructions with an answer of so many bits."""
    if type is UNSIGNED_LONG:
        return {"TYPE": _TYPES[type], "TRUNCATED": "truncatedUnsigned"}
    is_long = type.bits == 64 or type is UNSIGNED
    return {"TYPE": _TYPES[type], "TRUNCATED": f"truncated {64 if is_long else 32}"}


_PRELUDE = Prelude(
    ("haskell/haskell.hs",),
    definition=re.compile(r"^(?:data (?=\w+ =)|(?=\w+ ::))(\w+)", re.MULTILINE),
    words=re.compile(r"""--.*|"(?:[^"\\]|\\.)*"|([A-Za-z_][\w']*)|'(?:[^'\\]|\\.)+'"""),
    facts=_facts,
)

_HEADER = """\
-- Made by cpsconv. To run it: runghc FILE; or compile it: ghc FILE
{-# LANGUAGE BangPatterns #-}
{-# OPTIONS_GHC -Wno-overlapping-patterns #-}
module Main (main) where

import Control.Exception (ErrorCall (..), catch)
import Data.Bits (FiniteBits, complement, finiteBitSize, unsafeShiftL, unsafeShiftR, xor, (.&.), (.|.))
import Data.Char (chr, isDigit, isHexDigit, isUpper, ord, toLower, toUpper)
import Data.Int (Int16, Int32, Int64, Int8)
import Data.List (dropWhileEnd)
import Data.Void (Void)
import Data.Word (Word16, Word32, Word64, Word8)
import GHC.Float (castDoubleToWord64, castWord64ToDouble, double2Float, float2Double)
import GHC.IO.Encoding (char8, setFileSystemEncoding)
import Numeric (showHex, showOct)
import System.Environment (getArgs)
import System.Exit (ExitCode (..), exitSuccess, exitWith)
import System.IO (hFlush, hPutStr, hSetBinaryMode, stderr, stdout)"""

_CONVERSIONS = {f"{convert}{type}" for type in _TYPES.values() for convert in ("to", "nearest", "truncateTo")}

_USED = frozenset(
    """abs both complement double double2Float float2Double fromEnum infinity int nan negate not oneOf quotient
    remainder shl shr string undef xor _ case class data default deriving do else foreign if import in infix infixl
    infixr instance let module newtype of then type where""".split()  # noqa: SIM905 - as a list, it would be a page
).union(_CONVERSIONS, EFFECTS, EXTERNALS)
"""What the code of functions uses, and no identifier of ours can be."""

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
    writeFile zip zip3 zipWith zipWith3""".split()  # noqa: SIM905
).union(re.findall(r"\b[a-z]\w*", _HEADER.partition("where")[2]))
"""What Haskell's own Prelude and our imports bind. A function of that name would be taken for it."""

_ILLEGAL = re.compile(r"[^A-Za-z0-9_]|^(?=[A-Z0-9])")
_LOCALS = Spelling(_ILLEGAL, _USED, "'")
_GLOBALS = Spelling(_ILLEGAL, _LOCALS.reserved.union(_PRELUDE.pieces, _BOUND), "'")


def haskell(program: Program, *, width: int = 80) -> str:
    """The program as a Haskell file: see `Language.text_of`."""
    return _HASKELL.text_of(program, width)


# ----------------------------------------------------------------------------------------------------------- types


def _type(type: Type) -> str:
    """``Int32``, ``Int32 -> IO Void``. (How deep types are nested has a bound.)"""
    return _TYPES[type] if isinstance(type, Scalar) else " -> ".join([*map(_operand_type, type.parameters), _BOTTOM])


def _operand_type(type: Type) -> str:
    return f"({_type(type)})" if isinstance(type, ContinuationType) and type.parameters else _type(type)


_BOTTOM = "IO Void"


def _signature(name: str, types: Iterable[Type], result: Piece = _BOTTOM) -> Line:
    """``f :: Int32 -> IO Void``"""
    first, *rest = [*map(_operand_type, types), result]
    return Line(_row([wrapped(f"{name} :: ", first), *(wrapped("-> ", part) for part in rest)]))


_LARGEST_TUPLE = 60
"""GHC has tuples of up to 64 parts."""


def _tuple(parts: Sequence[Piece]) -> Piece:
    """``(k1, k2)``, as a type, a pattern or an expression; of many parts, a tuple of tuples."""
    while len(parts) > _LARGEST_TUPLE:
        starts = range(0, len(parts), _LARGEST_TUPLE)
        parts = [_tuple(parts[start : start + _LARGEST_TUPLE]) for start in starts]
    return parts[0] if len(parts) == 1 else Group("(", [*parts], ")", bracketed=False)


# ---------------------------------------------------------------------------------------------------------- layout


def _row(items: list[Piece]) -> Piece:
    """Pieces on one line; or all but the first on lines of their own, further to the right, as layout demands."""
    return Group("", items, "", separator="", bracketed=False)


def _followed(head: Piece, body: list[Line]) -> list[Line]:
    """``head body``; or, if the body is more than a line, ``head do`` and the body below."""
    if len(body) == 1:
        return [Line(_row([head, body[0].piece]))]
    return [Line(wrapped("", head, " do")), *indented(body)]


# ------------------------------------------------------------------------------------------------------- functions


class _HaskellWriter(Writer[Term, list[Line]]):
    """Writes one function. A body is a row of actions."""

    # ------------------------------------------------------------------------------------------------ definitions

    def definition(self, member: Continuation, body: list[Line]) -> list[Line]:
        """``k :: Int32 -> IO Void`` and ``k !a = body``"""
        name = self.names[member]
        signature = _signature(name, member.type.parameters)
        return [signature, *_followed(_row([name, *self._patterns(member), "="]), body)]

    def _patterns(self, member: Continuation) -> list[str]:
        """The parameters: ``!a``, a value that is computed when it is passed; or ``a``, which is something else."""
        return [f"{'' if self._is_lazy(each) else '!'}{self.names[each]}" for each in member.parameters]

    def _is_lazy(self, parameter: Parameter) -> bool:
        """Whether the parameter is a continuation, or may be undefined."""
        return isinstance(parameter.type, ContinuationType) or parameter in self.may_be_undefined

    def outlined(self, outline: Outline, inside: Sequence[list[Line]]) -> list[Line]:
        """``f_k x ret = (k1, k2)``, and where these are defined."""
        name, free = self.outlines[outline], outline.free
        result = _tuple([_type(member.type) for member in outline.made])
        made = wrapped("= ", _tuple(self.named(outline.made)))
        head = [_signature(name, [each.type for each in free], result), Line(_row([name, *self.named(free), made]))]
        return [*head, Line("where", 1), *indented(indented(chain(*inside)))]

    def made(self, outline: Outline) -> list[Line]:
        """``(k1, k2) = f_k x ret``"""
        made = wrapped("", _tuple(self.named(outline.made)), " =")
        return [Line(_row([made, self.outlines[outline], *self.named(outline.free)]))]

    # ------------------------------------------------------------------------------------------------------ bodies

    def body(self, layers: list[Layer], inside: Sequence[list[Line]], transfer: Transfer) -> list[Line]:
        """Actions: ``let`` with what is computed or defined, ``v <- effect``, ``effect``, and last the transfer."""
        statements = [statement for layer in layers for statement in (*layer.bindings, *layer.effects)]
        definitions = [*chain(*inside)]
        let = [Line("let"), *indented(definitions)] if definitions else []
        return [*self._actions(statements), *let, *self._transfer(transfer)]

    def _actions(self, statements: Iterable[Statement]) -> Iterator[Line]:
        for is_effect, group in groupby(statements, lambda statement: isinstance(statement, Effect)):
            if is_effect:
                yield from map(Line, map(self._action, group))
            else:
                yield from _let([*map(self._binding, group)])

    def _binding(self, statement: Statement) -> Piece:
        """``!v = e``: it is computed here."""
        return wrapped(f"!{self.names[statement]} = ", self.operation(statement).piece)

    def _action(self, statement: Statement) -> Piece:
        """``printf "%d" [int v]``, ``v <- putchar 65``"""
        piece = self.operation(statement).piece
        return wrapped(f"{self.names[statement]} <- ", piece) if self.text_plan.used[statement] else piece

    # ------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, transfer: Transfer) -> list[Line]:
        if isinstance(transfer, Jump):
            return [Line(self._step(transfer.edge).piece)]
        if isinstance(transfer, Call):
            return self._call(transfer)
        if isinstance(transfer, Branch):
            terms = self.used(transfer.condition), self._step(transfer.then), self._step(transfer.otherwise)
            words = zip(("if ", "then ", "else "), terms, strict=True)
            return [Line(_row([wrapped(word, term.piece) for word, term in words]))]
        return self._switch(transfer)

    def _switch(self, switch: Switch) -> list[Line]:
        """``case v of``, and below ``1 -> k``, …, ``_ -> k``"""
        default = "_" if switch.cases else "!_"  # in any case there must be a value
        ways = zip([*map(str, switch.cases), default], switch.edges, strict=True)
        head = Line(wrapped("case ", self.used(switch.value).piece, " of"))
        return [head, *(Line(wrapped(f"{case} -> ", self._step(edge).piece), 1) for case, edge in ways)]

    def _step(self, edge: Edge) -> Term:
        """``k a``"""
        known = edge.target.parameters if isinstance(edge.target, Continuation) else [None] * len(edge.arguments)
        return self._applied(edge.target, edge.arguments, known)

    def _call(self, call: Call) -> list[Line]:
        """``f a k``, ``f a $ \\ !v -> …``"""
        then, parameters = call.then.target, call.callee.parameters
        if then not in self.inlined:
            return [Line(self._applied(call.callee, [*call.arguments, then], parameters).piece)]
        assert isinstance(then, Continuation)
        applied = self._applied(call.callee, call.arguments, parameters[:-1])
        head = ["$", *(["\\", *self._patterns(then), "->"] if then.parameters else [])]
        return _followed(wrapped("", _closed(applied).piece, f" {' '.join(head)}"), self.inlined[then])

    def _applied(self, function: Value, arguments: Sequence[Value], parameters: Sequence[Parameter | None]) -> Term:
        """``k a b``; or ``k $! a + b``, where `k` may leave it undone otherwise. Not all parameters may be known."""
        applied, waiting = self.value(function), list[Term]()
        for argument, parameter in zip(arguments, parameters, strict=True):
            term = self.value(argument)
            if argument in self.text_plan.in_place and self._may_be_left(parameter):
                called = _closed(_application(applied, waiting))
                applied = Term(_row([wrapped("", called.piece, " $!"), term.piece]), OPEN)
                waiting = []
            else:
                waiting.append(term)
        return _application(applied, waiting)

    def _may_be_left(self, parameter: Parameter | None) -> bool:
        return self._is_lazy(parameter) if parameter else bool(self.may_be_undefined)

    # ---------------------------------------------------------------------------------------------------- values

    def literal(self, constant: Constant) -> Term:
        """``5``, ``(-0.5)``, ``True``, ``"text"``"""
        return Term(_literal(constant))

    def undefined(self, value: Undef) -> Term:
        """``(undef :: Int32)``: it is an error to need it."""
        return _typed(Term("undef"), value.type)

    def name(self, name: str) -> Term:
        """A name by itself."""
        return Term(name)

    def guarded(self, term: Term) -> Term:
        """The term: what is undefined says so itself."""
        return term

    def operation(self, statement: Statement) -> Term:
        """``a + b``, ``printf "%d" [int a]``"""
        operands = [*map(self.used, statement.operands)]
        if isinstance(statement, Effect):
            return _effect(statement, operands)
        type = statement.operands[0].type
        assert isinstance(type, Scalar)
        telling = statement.operands[:1] if statement.op in _SHIFTS else statement.operands
        if all(isinstance(operand, Constant) for operand in telling):
            operands[0] = _typed(operands[0], type)  # nothing else tells the type of a literal
        if statement.op == CONVERT:
            return _converted(type, statement.type, *operands)
        return _computed(statement.op, type, operands)


def _application(function: Term, arguments: Sequence[Term]) -> Term:
    """``k a b``"""
    return Term(_row([atom(term).piece for term in (function, *arguments)]), APPLICATION) if arguments else function


def _closed(term: Term) -> Term:
    """The term, which something follows."""
    return bracketed(term) if term.op == OPEN else term


def _typed(term: Term, type: Type) -> Term:
    """``(5 :: Int32)``"""
    return Term(wrapped("(", term.piece, f" :: {_type(type)})"))


def _let(bindings: Sequence[Piece]) -> list[Line]:
    """``let !v = e``, or one below the other."""
    if len(bindings) == 1:
        return [Line(_row(["let", *bindings]))]
    return [Line("let"), *indented(map(Line, bindings))]


# ------------------------------------------------------------------------------------------------------ operations

_SYMBOLS = {
    "%": "`remainder`",
    "&": ".&.",
    "|": ".|.",
    "^": "`xor`",
    "<<": "`shl`",
    ">>": "`shr`",
    "!=": "/=",
}
_SHIFTS = ("<<", ">>")
_ON_BOOLS = {"&": "`both`", "|": "`oneOf`"}
_WORDS = {"neg": "negate", "~": "complement", "!": "not", "abs": "abs"}


def _computed(op: str, type: Scalar, operands: list[Term]) -> Term:
    if op in _WORDS:
        return application(_WORDS[op], operands)
    if op == "^" and type is BOOL:
        op = "!="
    symbol = "`quotient`" if op == "/" and type.kind == "integer" else _SYMBOLS.get(op)
    return infix(op, operands, _ON_BOOLS.get(op, symbol) if type is BOOL else symbol)


def _converted(source: Scalar, target: Scalar, operand: Term) -> Term:
    if _TYPES[source] == _TYPES[target]:
        return operand
    if target is BOOL:
        return infix("!=", [operand, Term("0")], "/=")
    if source is BOOL:
        source, operand = LONG, application("fromEnum", [operand])
    return application(_conversion(source, target), [operand])


def _conversion(source: Scalar, target: Scalar) -> str:
    """The function that converts numbers."""
    if source.kind == "float":
        return f"truncateTo{_TYPES[target]}" if target.kind == "integer" else _BETWEEN_FLOATS[target]
    if target.kind == "float" and source.bits == 64 and not (source.signed and target is DOUBLE):
        return f"nearest{_TYPES[target]}"
    return f"to{_TYPES[target]}"


_BETWEEN_FLOATS = {FLOAT: "double2Float", DOUBLE: "float2Double"}


def _effect(effect: Effect, operands: list[Term]) -> Term:
    if effect.op != "printf":
        return application(effect.op, operands)
    format, *rest = operands
    shown = [_shown(value, term).piece for value, term in zip(effect.operands[1:], rest, strict=True)]
    return application("printf", [format, Term(Group("[", [*shown], "]", bracketed=False))])


def _shown(value: Value, term: Term) -> Term:
    """An argument of printf, for which a `bool` is an integer: ``int a``, ``double x``, ``string s``"""
    if value.type is BOOL:
        term = application("fromEnum", [term])
    if value.type is FLOAT:
        term = application("float2Double", [term])
    return application(_KINDS.get(value.type, "int"), [term])


_KINDS: dict[Type, str] = {FLOAT: "double", DOUBLE: "double", STRING: "string"}


# -------------------------------------------------------------------------------------------------------- literals


def _literal(constant: Constant) -> str:
    value = normalised(constant.type, constant.value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        magnitude = "nan" if math.isnan(value) else "infinity"
        text = magnitude if math.copysign(1, value) > 0 else f"(negate {magnitude})"
        return text if constant.type is DOUBLE else f"(double2Float {text})"
    # Of a `float`, too, all digits: GHC may compute with these, and not with what they are rounded to.
    text = repr(value)
    return f"({text})" if text.startswith("-") else text


def _string(text: str) -> str:
    """The text in quotes. After the number of a character, ``\\&`` keeps a digit from being part of it."""
    return re.sub(r"(\\[0-9]+)\\&(?![0-9])", r"\1", quoted(text, r"\{}\&"))


# ----------------------------------------------------------------------------------------------------------- start


def _start(start: Start) -> list[Line]:
    """``main = run (f halt)``; or ``main = run $ do``, where the words of the command line are read."""
    end = [_ENDINGS.get(start.ending, f"report{start.ending.title()}")] if start.ending else []
    signature = Line(f"main :: {_BOTTOM}")
    if not start.types:
        return [signature, Line(f"main = run ({' '.join([start.name, *end])})")]
    inventor = UniqueNames({start.name})
    words, values = ([inventor.unique(hint) for _ in start.types] for hint in ("word", "value"))
    taken = Group("[", [*words], f"] <- commandLine {len(words)}", bracketed=False)
    read = [f"{value} <- {_reader(type)} {word}" for value, type, word in zip(values, start.types, words, strict=True)]
    actions = [taken, *read, _row([start.name, *values, *end])]
    return [signature, Line("main = run $ do"), *indented(map(Line, actions))]


def _reader(type: Scalar) -> str:
    """The function that makes a value of a word of the command line."""
    if type.kind == "integer":
        return "readCharacter" if type.bits == 8 else "readInteger"
    return f"read{_TYPES[type]}"


_ENDINGS = {"status": "halt", "truth": "haltWithTruth"}

_HASKELL = Language(
    header=_HEADER,
    prelude=_PRELUDE,
    locals=_LOCALS,
    globals=_GLOBALS,
    writer=_HaskellWriter,
    laid_out=text_of,
    start=_start,
    deepest=10,  # each level is two levels of lines
)

"""The program in Scheme (R7RS): a continuation is a local procedure, a transfer a tail call.

::

    (define (f x ret)
      (define (then) (next 23))
      (define (else*) (next 42))
      (define (next a) (ret a))
      (if (= x 0) (then) (else*)))

Scheme has procedures as values, closures and tail calls, so it expresses every program. The prelude (``scheme.scm``)
defines the operations of C.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from cpsconv.core import ir
from cpsconv.core.operations.completeness import Unspelled, for_every_operation
from cpsconv.core.operations.expansions import on_bool, spelled, widened
from cpsconv.core.operations.mathematics import MATHEMATICS, for_each_function, platform_name
from cpsconv.core.operations.table import CONVERT, OPERATIONS, OUTPUTS, PRIMITIVES, wraps
from cpsconv.core.operations.types import contains
from cpsconv.core.transform.expansion import faults
from cpsconv.targets.functional.completeness import require_calls, require_functions
from cpsconv.targets.functional.definition import OnRecords, definition_of
from cpsconv.targets.functional.faults import Expressions, Function, checked
from cpsconv.targets.functional.file import Language, Start
from cpsconv.targets.functional.identifiers import Spelling, type_name
from cpsconv.targets.functional.memory import Definitions, MemoryPlan
from cpsconv.targets.functional.nesting_plan import LiftedGroup
from cpsconv.targets.functional.prelude import Facts, Prelude, prelude_text, usual_facts
from cpsconv.targets.functional.printing import EXCEPT_PRINTF, Printing
from cpsconv.targets.functional.scheme.lisp import Expression, Form, Wrapped, laid_out
from cpsconv.targets.functional.terms import converted_types, literal, operand_type
from cpsconv.targets.functional.writer import Layer, Writer


def _hyphenated(type: ir.Type) -> str:
    return type_name(type, "-")


def _facts(type: ir.Scalar) -> Facts:
    return usual_facts(type, _hyphenated(type))


def _function_of_c(name: str, count: int, type: ir.Scalar) -> str:
    return f'(define c-{name} (c-function "{name}" {count} {type.bits}))'


_BOUND = frozenset(
    """_ abs acos and append apply asin assoc assq assv atan begin bytevector caar cadr car case cdar cddr cdr ceiling
    cond cons cos define denominator display do else error exact exit exp expt features floor gcd guard if import
    include inexact lambda lcm length let letrec letrec* list log map max member memq memv min modulo newline not
    numerator or parameterize quasiquote quote quotient raise rationalize remainder reverse round sin sqrt square string
    substring tan truncate unless unquote values vector when write
    defmacro delay export library load quasisyntax syntax unsyntax""".split()  # noqa: SIM905 - as a list, it would be a page
)
"""The C identifiers that the imported libraries bind, or that Guile defines as syntax.

A function of the same name would replace the binding, and Guile expands its syntax in calls before the definition."""

_PROCEDURES = _BOUND.union(
    """bool bytevector-copy! bytevector-length bytevector-u8-ref bytevector-u8-set! char->integer char-downcase
    char-upper-case? char=? command-line cond-expand current-error-port current-input-port current-output-port
    dynamic-func dynamic-link emergency-exit eof-object eof-object? eq? equal? eqv? finite? float floor-quotient
    flush-output-port guile infinite? integer->char let* let-values list->string list-ref make-bytevector make-list
    make-string make-vector nan? null? number->string number? pair? read read-char rnrs set! set-cdr!
    set-port-encoding! signed string->list string->number string->utf8 string-append string-ci=? string-copy
    string-downcase string-length string-ref string-upcase string<? string=? string? system truncate-quotient
    truncate-remainder vector-append vector-length vector-ref vector-set! vector?
    write-char write-string zero?""".split()  # noqa: SIM905
)
"""The procedures and keywords that the prelude uses, of the imported libraries and of Guile."""

_USED = frozenset("define define-values values lambda let* if case else not inexact abs defined undefined".split())  # noqa: SIM905
"""The names that the code of functions uses, except effects, externals, and names that are not C identifiers."""

_LOCALS = Spelling(_USED.union(OUTPUTS, ir.EXTERNALS), "*")

_HEADER = prelude_text("scheme/header.scm").rstrip()


_WORDS = {"True": "#t", "False": "#f", "nan": "+nan.0", "-nan": "(- +nan.0)", "inf": "+inf.0", "-inf": "-inf.0"}


# ----------------------------------------------------------------------------------------------------- operations

_Operation = Callable[[ir.Statement, Sequence[Expression]], Expression]
"""The function that writes an operation, given the statement and its operands."""


def _procedure(procedure: str, **others: str) -> _Operation:
    """A procedure, or one of the `others` by the kind of the operands; ``TYPE`` is replaced by the name of their type.

    The result is wrapped to the type, or rounded, if it may leave the type. The operands of a sum need not be wrapped.
    """

    def write(statement: ir.Statement, operands: Sequence[Expression]) -> Expression:
        type, row = operand_type(statement), OPERATIONS[statement.op]
        name = others.get(type.kind, procedure).replace("TYPE", _hyphenated(type))
        if type is ir.FLOAT and row.form == "infix" and row.kind != "comparison":
            return Form("->float", Form(name, *operands))
        if row.is_effect or not wraps(statement.op, type):
            return Form(name, *operands)
        if row.modular:
            operands = [_congruent(each, type) for each in operands]
        return Wrapped(f"->{_hyphenated(type)}", Form(name, *operands), type.bits)

    return write


def _division(statement: ir.Statement, operands: Sequence[Expression]) -> Expression:
    """``(int/ a b)``, ``(truncate-quotient a 2)``"""
    return Form(_name_of_division(statement), *operands) if faults(statement) else _unchecked(statement, operands)


def _name_of_division(statement: ir.Statement) -> str:
    return f"{_hyphenated(statement.type)}{statement.op}"


def _unchecked(division: ir.Statement, operands: Sequence[Expression]) -> Expression:
    if division.type.kind == "float":
        return _procedure("/")(division, operands)
    return Form("truncate-quotient" if division.op == "/" else "truncate-remainder", *operands)


def _congruent(operand: Expression, type: ir.Scalar) -> Expression:
    """The expression, or a simpler one that has the same lowest bits, as many as the type has."""
    return operand.exact if isinstance(operand, Wrapped) and operand.bits >= type.bits else operand


def _mathematics(statement: ir.Statement, operands: Sequence[Expression]) -> Expression:
    return Form(f"c-{platform_name(statement.op, statement.type)}", *operands)


def _conversion(statement: ir.Statement, operands: Sequence[Expression]) -> Expression:
    source, target = converted_types(statement)
    operand = operands[0]
    if source is target:
        return operand
    if source is ir.BOOL:
        source, operand = ir.INT, Form("boolean->integer", operand)
    if source.kind == "float" and target is ir.DOUBLE:
        return operand
    if target.kind == "float":
        return Form("inexact" if target is ir.DOUBLE else "->float", operand)
    if source.kind == "float":
        return Form(f"truncate->{_hyphenated(target)}", operand)
    if target is ir.INTEGER or (source is not ir.INTEGER and contains(target, source)):
        return operand
    return Form(f"->{_hyphenated(target)}", operand)


_OPERATIONS = for_every_operation(
    "cpsconv.targets.functional.scheme",
    {
        **{op: _procedure(op) for op in ("+", "-", "<", "<=", ">", ">=")},
        "*": _procedure("*", unbounded="integer*"),
        "/": _division,
        "%": _division,
        "&": _procedure("bitwise-and", bool="boolean-and"),
        "|": _procedure("bitwise-or", bool="boolean-or"),
        "^": _procedure("bitwise-xor"),
        "<<": _procedure("shift-left"),
        ">>": _procedure("shift-right"),
        "==": _procedure("="),
        "!=": lambda _, operands: Form("not", Form("=", *operands)),
        "neg": _procedure("-"),
        "!": _procedure("not"),
        "abs": _procedure("abs"),
        **dict.fromkeys(MATHEMATICS, _mathematics),
        CONVERT: _conversion,
        **{effect: _procedure(effect) for effect in ("puts", "putchar", "eprint")},
    },
    EXCEPT_PRINTF,
    expanded=True,
)


_COMPARISONS = [op for op, row in PRIMITIVES.items() if row.kind == "comparison"]
_UNSPELLED = Unspelled(_OPERATIONS, {"abs": spelled, **{op: on_bool(widened(op, ir.INT)) for op in _COMPARISONS}})


def _literal(constant: ir.Constant) -> Expression:
    return literal(constant, _WORDS, r"\x{:x};")


def _computed(statement: ir.Statement, operands: Sequence[Expression]) -> Expression:
    return _OPERATIONS[statement.op](statement, operands)


def _on_one_line(expression: Expression) -> str:
    return " ".join(laid_out(expression, 80))


_PRELUDE = Prelude(
    ("scheme/scheme.scm",),
    definition=re.compile(r"^\(define \(?([^\s()]+)", re.MULTILINE),
    words=re.compile(r';.*|#\\.|"[^"]*"|([^\s()"\';]+)'),
    facts=_facts,
    boundary=r"\n\n+|(?<=\))\n(?=\(define )",
    written={
        **{f"c-{name}": text for name, text in for_each_function(_function_of_c).items()},
        **checked(
            dict.fromkeys(ir.SCALARS.values()),
            Expressions(_computed, _literal, str, _on_one_line, _UNSPELLED),
            Function(
                "(define ({name} a b)\n  (cond",
                '    ({condition} (runtime-error "{message}"))',
                "    (else {result})))",
                lambda all: f"(and {' '.join(all)})" if all[1:] else all[0],
            ),
            _name_of_division,
            _unchecked,
        ),
    },
    called=re.compile(r"""(?<!\(define )(?<!\(lambda )\(([^\s()"'`#0-9@+*/<=>-][^\s()"]*)"""),
    known=_PROCEDURES,
)

_MEMORY_FILE = "scheme/memory.scm"

_PRELUDE_WITH_MEMORY = replace(
    _PRELUDE, files=(*_PRELUDE.files, _MEMORY_FILE), generated=lambda: definition_of("scheme")
)


def _selected(format: Expression, printed: Sequence[tuple[Expression, Expression]]) -> Expression:
    """``(select-format format "%d" (lambda () (printf …)) …)``"""
    return Form("select-format", format, *chain(*((each, Form("lambda", Form(), code)) for each, code in printed)))


_RENAMED = {"load": "load-value"}
"""The procedures of the prelude whose own names Guile defines as syntax."""

_PRINTING = Printing(
    call=lambda words, operands: Form(_RENAMED.get("-".join(words), "-".join(words)), *operands),
    literal=_literal,
    undefined=lambda _: "undefined",
    name=str,
    checked=lambda term: Form("defined", term),
    converted=_conversion,
    decimal=lambda _, operand: Form("number->string", operand),
    printed=lambda texts: Form("printf", *texts),
    selected=_selected,
    absent="#f",
)


# ------------------------------------------------------------------------------------------------------ functions


class _SchemeWriter(Writer[Expression, list[Expression]]):
    """Writes one function. Code is a list of expressions; a definition is a list of one."""

    terms = _PRINTING

    # ------------------------------------------------------------------------------------------------ procedures

    def definition(self, member: ir.Continuation, body: list[Expression]) -> list[Expression]:
        """``(define (k a) body)``"""
        return [Form("define", Form(self.names[member], *self.named(member.parameters)), *body)]

    def lifted(self, group: LiftedGroup, inside: Sequence[list[Expression]]) -> list[Expression]:
        """``(define (f-k x) (define (k1) …) … (values k1 k2))``"""
        head = Form(self.names[group], *self.named(group.free))
        return [Form("define", head, *chain(*inside), Form("values", *self.named(group.members)))]

    def lifted_call(self, group: LiftedGroup) -> list[Expression]:
        """``(define-values (k1 k2) (f-k x))``"""
        call = Form(self.names[group], *self.named(group.free))
        return [Form("define-values", Form(*self.named(group.members)), call)]

    def body(self, layers: list[Layer], inside: Sequence[list[Expression]], transfer: ir.Transfer) -> list[Expression]:
        """``(let* ((v e)) (define (k) …) effect … transfer)``: in Scheme, definitions precede effects."""
        code = [self._transfer(transfer)]
        definitions = [*chain(*inside)]
        for layer in reversed(layers):
            code = [*definitions, *map(self.operation, layer.effects), *code]
            if layer.bindings:
                bindings = [Form(self.names[statement], self.operation(statement)) for statement in layer.bindings]
                code = [Form("let*", Form(*bindings), *code)]
            definitions = []
        return code

    # ------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, transfer: ir.Transfer) -> Expression:
        if isinstance(transfer, ir.Jump):
            return self._step(transfer.edge)
        if isinstance(transfer, ir.Call):
            return Form(self.callee(transfer), *self.arguments(transfer), self._then(transfer.then.target))
        if isinstance(transfer, ir.Branch):
            return Form("if", self.used(transfer.condition), *map(self._step, transfer.edges))
        assert isinstance(transfer, ir.Switch)
        clauses = [Form(Form(str(case.value)), self._step(edge)) for case, edge in transfer.arms]
        return Form("case", self.used(transfer.value), *clauses, Form("else", self._step(transfer.default)))

    def _then(self, target: ir.Target) -> Expression:
        """``(lambda (a) body)``"""
        if target not in self.inlined:
            return self.value(target)
        assert isinstance(target, ir.Continuation)
        return Form("lambda", Form(*self.named(target.parameters)), *self.inlined[target])

    def _step(self, edge: ir.Edge) -> Expression:
        """``(k a)``"""
        return Form(*map(self.value, [edge.target, *edge.arguments]))

    def computed(self, statement: ir.Statement) -> Expression:
        """``(->int (+ a b))``, ``(putchar a)``"""
        return _computed(statement, [self.used(operand) for operand in statement.operands])


# --------------------------------------------------------------------------------------------------------- memory


def _type(type: ir.ObjectType) -> Expression:
    """``(type "int" 4 'signed)``: the kind is ``#f`` for types other than scalars."""
    kind = "#f"
    if isinstance(type, ir.Scalar):
        kind = f"'{type.kind}" if type.kind in ("bool", "float") else "'signed" if type.signed else "'unsigned"
    return Form("type", _PRINTING.fact(str(type)), _PRINTING.fact(type.size), kind)


_MEMORY = Definitions(_PRINTING, _type, lambda values: Form("quote", Form(*values)))


def _definitions(plan: MemoryPlan, names: Mapping[Any, str]) -> list[Expression]:
    """``(define int (type "int" 4 'signed))``, ``(define a (data int 3 "a" 5 (quote (2 3 5)) #f))`` and so on"""
    return [Form("define", name, value) if name else value for name, value in _MEMORY(plan, names)]


# ---------------------------------------------------------------------------------------------------------- start


def _start(start: Start) -> list[Expression]:
    """``(main halt)``, or ``(start f (list argument->int) (list report-integer))``."""
    end = start.end_names("-".join)
    if not start.types:
        return [Form(start.name, *end)]
    return [Form("start", start.name, Form("list", *map(_reader, start.types)), Form("list", *end))]


def _reader(type: ir.Scalar) -> str:
    """The procedure that parses an argument of the command line."""
    if type is ir.INTEGER:
        return "argument->unbounded"
    is_character = type.bits == 8 and type is not ir.BOOL
    return f"{'character' if is_character else 'argument'}->{_hyphenated(type)}"


scheme = Language(
    name="Scheme",
    header=_HEADER,
    prelude=_PRELUDE,
    locals=_LOCALS,
    writer=_SchemeWriter,
    laid_out=lambda code, width: "\n".join(line for expression in code for line in laid_out(expression, width)),
    start=_start,
    bound=_BOUND,
    unspelled=_UNSPELLED,
).supporting_memory(_PRELUDE_WITH_MEMORY, _PRELUDE_WITH_MEMORY.pieces_of(_MEMORY_FILE), _definitions)


class _OnRecords(OnRecords[Expression, list[Expression]], _SchemeWriter):
    """Writes the functions of the definition of memory."""

    def computed(self, statement: ir.Statement) -> Expression:
        """``(eqv? c 0)`` for pointers, which may be constant parts of objects; other expressions as in programs."""
        operands = statement.operands
        if statement.op in ("==", "!=") and operands[0].type is ir.PTR:
            equal = Form("eqv?", *map(self.used, operands))
            return equal if statement.op == "==" else Form("not", equal)
        return super().computed(statement)

    def field(self, record: Expression, field: ir.Field) -> Expression:
        """``(object-size r)``; for a text, ``(text-number (object-end r))``"""
        value = Form(_accessor(field), record)
        return (
            Form("text-number", value)
            if field.struct.name == "record" and field.type is ir.INT and field.name != "origin"
            else value
        )

    def changed(self, record: Expression, field: ir.Field, value: Expression) -> Expression:
        """``(set-object-end! r line)``"""
        return Form(f"set-{_accessor(field)}!", record, value)


def _accessor(field: ir.Field) -> str:
    kind = "object" if field.struct.name == "record" else field.struct.name
    return f"{kind}-{field.name.replace('_', '-')}"


DEFINITION = replace(scheme, writer=_OnRecords, prelude=_PRELUDE_WITH_MEMORY)
"""The language for the functions of the definition of memory."""

require_functions(scheme, _computed, _BOUND.union("+-*/=<>", ["<=", ">="]), _on_one_line, str)
require_calls("Scheme", _PRELUDE_WITH_MEMORY)

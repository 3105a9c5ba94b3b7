"""The types and conversions of expressions (C17 6.5): from the syntax tree to the typed tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.core.ir import SETJMP
from cpsconv.core.long_double import Real
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step, after, run
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.diagnostics import Errors, misspelt_keyword
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.complex_numbers import PARTS, is_complex_operation
from cpsconv.languages.c.meaning.declarations import Declarations
from cpsconv.languages.c.meaning.initialisers import Initialisers
from cpsconv.languages.c.meaning.library import LIBRARY, LibraryFunction
from cpsconv.languages.c.meaning.places import Operand, is_place
from cpsconv.languages.c.meaning.scopes import Typedef
from cpsconv.languages.c.meaning.tree_warnings import has_effect
from cpsconv.languages.c.meaning.value_warnings import SILENT_ON_VARIABLES, Operands
from cpsconv.languages.c.records import Field, Record, is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    BOOL,
    CHAR,
    DOUBLE,
    INT,
    LONG,
    TRUTH,
    UNKNOWN,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    VOID,
    WCHAR,
    Arithmetic,
    Array,
    CType,
    FunctionType,
    Pointer,
    VariableArray,
    array_of,
    element_of,
    is_floating_type,
    is_truth_value,
    operation_types,
    pointer_to,
    promoted,
    qualified,
    wrapped,
)
from cpsconv.languages.c.vector_types import Vector
from cpsconv.platform.prototypes import OBJECTS, PROTOTYPES


class Expressions(Initialisers):
    """Types the expressions of functions."""

    def __init__(self, functions: Declarations, errors: Errors) -> None:
        super().__init__(functions, errors)
        self._operands[c.Generic] = self.generic
        self._operands[c.CompoundLiteral] = self.compound_literal
        self._operands[c.Unary] = self._part_or_value
        self._leaves: dict[type, Callable[[Any], t.Expression]] = {c.Literal: self._literal, c.Name: self._name}
        self._rules: dict[type, Callable[[Any], Step[t.Expression]]] = {
            **self._leaves,
            c.StringLiteral: self.place_value,
            c.Dereference: self.place_value,
            c.Subscript: self.place_value,
            c.Member: self.place_value,
            c.AddressOf: self.address,
            c.Erroneous: self._erroneous,
            c.Unary: self._unary,
            c.Increment: self._increment,
            c.Binary: self._binary,
            c.Logical: self._logical,
            c.Conditional: self._conditional,
            c.Assign: self._assign,
            c.Comma: self._comma,
            c.Cast: self._cast,
            c.SizeOf: self._size_of,
            c.AlignOf: self._align_of,
            c.VaArg: self.va_arg,
            c.ConvertVector: self.convert_vector,
            c.Generic: self.place_value,
            c.CompoundLiteral: self.place_value,
            c.OffsetOf: self.offset_of,
            c.TypesCompatible: self.types_compatible,
            c.CallExpression: self.call,
            c.StatementExpression: self._statement_expression,
            c.LabelAddress: self._label_address,
        }
        self.statements: Any = None  # set by `StatementTyping`
        self.external_pointer: Callable[[t.Function, Span], t.Expression]  # likewise
        self.library_value: Callable[[str, LibraryFunction, Span], t.Function | None]  # set by `FunctionTyping`

    # ---------------------------------------------------------------------------------------------- entry points

    def whole(self, node: c.Expression, *, discarded: bool = False) -> t.Expression:
        """A whole expression, whose value is not used if it is `discarded`."""
        if discarded:
            self.discarded = node
        value: t.Expression = run(self._rules[type(node)](node))
        if self.has_inner_change:
            self.check_sequence(node)
        return self.with_warnings(value) if self._pending.warnings else value

    def initial(self, type: CType, node: c.Expression) -> t.Expression:
        """A whole expression, converted as if by assignment to a variable of that type."""
        return self.assigned(type, self.whole(node), node)

    def part(self, node: c.Expression) -> Step[t.Expression]:
        """The typed subexpression, or its computation."""
        return self._rules[type(node)](node)

    def unevaluated(self, node: c.Expression) -> Computation[t.Expression]:
        """The value of an expression that is only typed. Its errors are reported, its warnings are not."""
        operand = yield self.unevaluated_operand(node)
        return self.value_of(operand, node)

    def unevaluated_operand(self, node: c.Expression) -> Computation[Operand]:
        """As `unevaluated`, the place or value."""
        warnings, pending = len(self.errors.warnings), len(self._pending.warnings)
        was_evaluated = self._is_evaluated
        self._is_evaluated = False
        value: Operand = yield self.operand(node)
        if is_place(value):
            self.note_use(value)
        self._is_evaluated = was_evaluated
        del self.errors.warnings[warnings:], self._pending.warnings[pending:]
        return value

    # ------------------------------------------------------------------------------------------- literals and names

    def _literal(self, node: c.Literal) -> t.Expression:
        if isinstance(node.type, Complex):
            return self.imaginary(node)
        if node.value and isinstance(node.type, Pointer):  # `SIG_IGN`
            return t.Cast(node.span, node.type, t.Literal(node.span, LONG, node.value))
        return t.Literal(node.span, node.type, node.value)

    def string(self, node: c.StringLiteral) -> t.String:
        """The array of a string literal."""
        element = STRING_ELEMENTS[node.prefix]
        return t.String(node.span, array_of(element, len(node.value) // element.size + 1), node.value)

    def _name(self, node: c.Name) -> t.Expression:
        variable = self.scopes.find(node.name)
        if type(variable) is t.Local and variable.type.kind != "void":  # a scalar, the frequent case
            variable.is_used = True
            return t.Read(node.span, variable.type.unqualified, variable)
        return self.value_of(self.operand(node), node)

    def named_value(self, found: Any, node: c.Name) -> Operand:
        """The function, as a place, or the value of the enumerator that a name denotes; reported if there is none."""
        if isinstance(found, t.Enumerator):
            self.checks.record(node, found.type, found.value)
            return t.Constant(node.span, found.type, found.value)
        if found is None and node.name in _NAMES_OF_FUNCTION:
            name = self.function.name.encode("utf-8", "surrogateescape").decode("latin-1")
            return t.String(node.span, array_of(qualified(CHAR, ["const"]), len(name) + 1), name)
        if found is None and node.name == "errno" and "errno.h" in self.functions.headers:
            place = self.functions.external("__errno_location", node.span)
            return t.Dereference(node.span, INT, t.Call(node.span, place.result, place, [], True, []))
        is_defined = node.name in self.functions.definitions or not self._is_evaluated
        if isinstance(found, t.Function) and found.type and (is_defined or found.enclosing):
            self.functions.called.add(found.name)
            return self.designator(found, found.type, node.span)
        library = self.functions.library(node.name)
        is_value = library and not library.type.variadic and not library.has_complex_numbers
        if library and node.name in PROTOTYPES and node.name != SETJMP and is_value:
            return self.designator(self.functions.external(node.name, node.span), library.type, node.span)
        if library and node.name not in self.functions.definitions and not isinstance(found, (t.Local, t.Global)):
            function = self.library_value(node.name, library, node.span)
            if function:
                return self.designator(function, library.type, node.span)
        if not library and isinstance(found, t.Function) and found.type and self.functions.may_be_external(found):
            return t.Dereference(node.span, found.type, self.external_pointer(found, node.span))
        return self._no_variable(node)

    def type_of(self, node: c.Expression) -> CType:
        """The type of an expression that is not evaluated, as for ``typeof``: that of its place, if it denotes one."""
        type: CType = run(self.unevaluated_operand(node)).type
        return INT if type is TRUTH else type

    def record_assignment(self, variable: t.Local, span: Span) -> None:
        """Record an assignment to a variable that is no assignment in the source, at that span."""
        self.function.assignments.setdefault(variable, []).append(span.start)

    def designator(self, function: t.Function, type: FunctionType, span: Span) -> t.Dereference:
        """A function as a place of function type."""
        return t.Dereference(span, type, t.FunctionAddress(span, pointer_to(type), function))

    def _no_variable(self, node: c.Name) -> t.Expression:
        """Report a name that denotes no variable, once for each name."""
        name = node.name
        if name not in self.scopes.undeclared and not self.functions.may_be_declared(name):
            self.scopes.undeclared.add(name)
            self._report_undeclared(node)
        return t.Erroneous(node.span)

    def _report_undeclared(self, node: c.Name) -> None:
        name = node.name
        declared = self.scopes.find(name)
        if isinstance(declared, t.Function) and name not in LIBRARY:
            note = ("it is declared here", declared.span)
            message = f"`{name}` is declared but never defined"
            self.errors.report("undefined-function", message, node.span, notes=[note])
            return
        if self.functions.library(name):
            message = f"the library function `{name}` as a value is not supported yet"
            self.errors.report("unsupported", message, node.span, help=f"to call it, write `{name}(…)`")
            return
        if isinstance(declared, Typedef):
            note = ("it is declared here", declared.span)
            self.errors.report("type-mismatch", f"`{name}` is a type, not a value", node.span, notes=[note])
            return
        from cpsconv.languages.c.syntax.headers import header_defining  # late: few names are undeclared

        header = header_defining(name) or (OBJECTS[name].header if name in OBJECTS else {"errno": "errno.h"}.get(name))
        help = f"add `#include <{header}>`" if header else self.errors.suggestion(name, self.scopes.names())
        if not help and (near := misspelt_keyword(name)):
            help = f"did you mean `{near}`?"
        self.errors.report("undeclared", f"`{name}` is not declared", node.span, help=help)

    def _erroneous(self, node: c.Erroneous) -> Computation[t.Expression]:
        parts = []
        for part in node.parts:
            parts.append((yield self.part(part)))
        return t.Erroneous(node.span, *parts)

    # ------------------------------------------------------------------------------------------------------ sizes

    def _size_of(self, node: c.SizeOf) -> Computation[t.Expression]:
        """The value of `sizeof`. The operand is not evaluated; an array does not decay."""
        operand = node.operand
        if isinstance(operand, c.Expression):
            place = yield self.unevaluated_operand(operand)
            if isinstance(place, t.Member) and place.field.bits is not None:
                self.errors.report("type-mismatch", "a bit-field has no size in bytes", operand.span)
                return t.Erroneous(node.span)
            type = place.type
            if isinstance(place, t.Local) and place.is_array:
                message = f"`{place.name}` is a parameter, a pointer of type `{type}`: this is its size, not an array's"
                note = ("it is declared here", place.span)
                self.errors.warn("sizeof-array-argument", message, node.span, notes=[note])
            else:
                self.checks.measure(node, type)
            if isinstance(type, VariableArray) and has_effect(operand):
                return t.Comma(node.span, UNSIGNED_LONG, (yield self.part(operand)), self._size(type, node))
        else:
            type = self.type_named(operand)
            self.checks.measure(node, type)
        return self._size(type, node)

    def _size(self, type: CType, node: c.SizeOf) -> t.Expression:
        if type is UNKNOWN:
            return t.Erroneous(node.span)
        if type.unqualified is VOID:
            self.errors.report("void", "`void` has no size", node.span)
            return t.Erroneous(node.span)
        if isinstance(type, VariableArray):
            return self.with_lengths(variable_size(type, node.span))
        if not is_complete(type) and not isinstance(type, FunctionType):
            self.report_incomplete(type, node.span)
            return t.Erroneous(node.span)
        return self.constant_number(node, UNSIGNED_LONG, type.size or isinstance(type, FunctionType))

    def _align_of(self, node: c.AlignOf) -> Computation[t.Expression]:
        """The value of `_Alignof`."""
        operand = node.operand
        alignment = 0
        if isinstance(operand, c.Expression):
            place = yield self.unevaluated_operand(operand)
            type = place.type
            if isinstance(place, (t.Local, t.Global)):
                alignment = place.alignment
            elif isinstance(place, t.Member) and place.field.bits is not None:
                self.errors.report("type-mismatch", "a bit-field has no alignment", operand.span)
                return t.Erroneous(node.span)
            elif isinstance(place, t.Member):
                alignment = place.field.alignment
            elif isinstance(place, t.Dereference):
                alignment = _best_alignment(place.pointer)
        else:
            type = self.type_named(operand)
        if type is UNKNOWN:
            return t.Erroneous(node.span)
        if not is_complete(element := element_of(type)) and not (
            element.unqualified is VOID or isinstance(element, FunctionType)
        ):
            self.report_incomplete(type, node.span)
            return t.Erroneous(node.span)
        return self.constant_number(node, UNSIGNED_LONG, alignment or type.alignment)

    # --------------------------------------------------------------------------------------------------- statements

    def _statement_expression(self, node: c.StatementExpression) -> Computation[t.Expression]:
        if not self.statements.is_in_body:
            self.errors.report("misplaced", "a statement expression outside of a function", node.span)
            return t.Erroneous(node.span)
        value: t.Expression = yield self.statements.expression(node)
        return value

    def _label_address(self, node: c.LabelAddress) -> t.Expression:
        if not self.statements.is_in_body:
            self.errors.report("misplaced", "the address of a label outside of a function", node.span)
            return t.Erroneous(node.span)
        address: t.Expression = self.statements.label_address(node)
        return address

    # -------------------------------------------------------------------------------------------------- arithmetic

    def _unary(self, node: c.Unary) -> Computation[t.Expression]:
        op = node.op
        if op in PARTS:
            return self.value_of((yield self.part_of(node)), node)
        given = yield self.part(node.operand)
        if isinstance(given.type, Vector) and op != "!":
            return self.unary_of_vector(op, given, node)
        operand = self.scalar(given, node.operand) if op == "!" else self.data(given, node.operand)
        if operand.type is UNKNOWN:
            return t.Erroneous(node.span, operand)
        if isinstance(operand.type, Complex):
            if op != "!":
                return self.complex_unary(op, operand, node.span)
            operand = self.converted(BOOL, operand)
        if op == "!":
            return t.Unary(node.span, TRUTH, op, operand)
        type = promoted(operand.type)
        if op == "~":
            if is_floating_type(type):
                self.errors.report("type-mismatch", f"`~` needs an integer, not `{type}`", node.span)
                return t.Erroneous(node.span, operand)
            if is_truth_value(operand.type):
                message = "`~` of a truth value is never zero"
                self.errors.warn("bool-operation", message, node.span, help="did you mean `!`?")
        self.checks.unary(node, type)
        if op == "-" and isinstance(node.operand, c.Literal):
            return self.with_warnings(t.Constant(node.span, type, _negated(type, node.operand.value)))
        return self.with_warnings(t.Unary(node.span, type, op, self.converted(type, operand)))

    def _part_or_value(self, node: c.Unary) -> Step[Operand]:
        """The place that ``__real__`` or ``__imag__`` denotes; the value of another operator."""
        return self.part_of(node) if node.op in PARTS else self._unary(node)

    def _binary(self, node: c.Binary) -> Step[t.Expression]:
        """The operation itself if both operands are names or literals, the frequent case; else its computation."""
        left, right = self._leaves.get(type(node.left)), self._leaves.get(type(node.right))
        if left and right:
            return self.arithmetic(node.op, left(node.left), right(node.right), node, (node.left, node.right))
        return self._nested_binary(node)

    def _nested_binary(self, node: c.Binary) -> Computation[t.Expression]:
        self.tree.binary(node)
        left, leaf = (yield self.part(node.left)), self._leaves.get(type(node.right))
        right = leaf(node.right) if leaf else (yield self.part(node.right))
        if type(node.left) is c.Unary:
            self.checks.negated_operand(node, left, right)
        return self.arithmetic(node.op, left, right, node, (node.left, node.right))

    def arithmetic(
        self, op: str, left: t.Expression, right: t.Expression, node: c.Expression, nodes: Operands | None = None
    ) -> t.Expression:
        """The operation of `node` on both operands, after C's conversions of operands. `nodes` are the operands."""
        one, other = left.type, right.type
        types = operation_types(op, one, other)
        if types is None:
            if isinstance(one, Vector) or isinstance(other, Vector):
                return self.on_vectors(op, left, right, node)
            if is_complex_operation(one, other):
                return self.on_complex(op, left, right, node)
            return self.on_pointers(op, left, right, node, nodes)
        first, second, result = types
        if nodes and (type(nodes[0]) is not c.Name or op not in SILENT_ON_VARIABLES):
            self.checks.operation(op, nodes, left, right, first, node)
        if one is not first:
            left = t.Convert(left.span, first, left)
        if other is not second:
            right = t.Convert(right.span, second, right)
        value = t.Binary(node.span, result, op, left, right)
        return self.with_warnings(value) if self._pending.warnings else value

    def _logical(self, node: c.Logical) -> Computation[t.Expression]:
        """``&&`` or ``||`` as a value: the left operand is a condition that skips the right one."""
        self.tree.logical(node)
        left = yield self.condition(node.left)
        right = self.as_condition((yield self.part(node.right)), node.right)
        self.checks.logical(node, left, right)
        return self.with_warnings(t.Logical(node.span, TRUTH, node.op, left, right))

    # -------------------------------------------------------------------------------------------------- assignments

    def _assign(self, node: c.Assign) -> Step[t.Expression]:
        if node is not self.discarded or type(node.value) in (c.Assign, c.Increment):
            self.has_inner_change = True
        target = node.target
        if type(target) is not c.Name:
            return self._assign_to_place(node)
        place = self._target(self._named(target), target, node.op is not None or node is not self.discarded)
        if place is None:
            return self._erroneous_assignment(node)
        if type(node.value) is c.Name and node.op is None and node.value.name == target.name:
            self.errors.warn("self-assign", f"`{target.name}` is assigned to itself", node.span)
        value = self._later(node.value) if type(node.value) is c.Assign else self.part(node.value)
        return after(value, self._assignment, node, place)

    def _assign_to_place(self, node: c.Assign) -> Computation[t.Expression]:
        is_used = node.op is not None or node is not self.discarded
        place = self._target((yield self.operand(node.target)), node.target, is_used)
        value = yield self.part(node.value)
        return t.Erroneous(node.span, value) if place is None else self._assignment(value, node, place)

    def _assignment(self, value: t.Expression, node: c.Assign, place: t.Place) -> t.Expression:
        type = place.type.unqualified
        if node.op is None:
            self.tree.assignment(node)
            if type.kind == "void":
                self.function.has_objects = True
            return self._changed(t.Assign(node.span, type, place, self.stored(place, value, node.value)), place, node)
        old = t.Old(node.target.span, type, place)
        computed = t.Computed(value.span, value.type) if has_effect(node.value) else None
        right = computed or value
        new = self.arithmetic(node.op, self.promoted_bits(old, place), right, node, (node.target, node.value))
        if new.type is UNKNOWN:
            return t.Erroneous(node.span, value)
        updated = self._updated(type, new, node)
        return self._changed(t.Update(node.span, type, old, updated, False, computed and value, computed), place, node)

    def _updated(self, type: CType, new: t.Expression, node: c.Expression) -> t.Expression:
        """The new value of an object of that type."""
        is_number = isinstance(type, Arithmetic) and isinstance(new.type, Arithmetic)
        return self.converted(type, new) if is_number else self.assigned(type, new, node)

    def _erroneous_assignment(self, node: c.Assign) -> Computation[t.Expression]:
        return t.Erroneous(node.span, (yield self.part(node.value)))

    def _later(self, node: c.Expression) -> Computation[t.Expression]:
        """The computation of a subexpression, not begun yet, since it may contain another one."""
        value: t.Expression = yield self.part(node)
        return value

    def _increment(self, node: c.Increment) -> Step[t.Expression]:
        if node is not self.discarded:
            self.has_inner_change = True
        if type(node.operand) is c.Name:
            return self._incremented(self._named(node.operand), node)
        return after(self.operand(node.operand), self._incremented, node)

    def _incremented(self, operand: Operand, node: c.Increment) -> t.Expression:
        place = self._target(operand, node.operand)
        if place is None:
            return t.Erroneous(node.span, *([operand] if isinstance(operand, t.Erroneous) else []))
        type = place.type.unqualified
        if type is BOOL:
            self.errors.warn("bool-operation", f"`{node.op}` of a truth value", node.span)
        old = t.Old(node.operand.span, type, place)
        one = t.Constant(node.span, INT, 1)
        new = self.arithmetic(node.op[0], self.promoted_bits(old, place), one, node)
        if new.type is UNKNOWN:
            return t.Erroneous(node.span)
        update = t.Update(node.span, type, old, self._updated(type, new, node), not node.prefix)
        return self._changed(update, place, node)

    def _changed(self, change: t.Assign | t.Update, place: t.Place, node: c.Expression) -> t.Expression:
        """An assignment to the place, or an update of it. The value of a bit-field, if it is used, is promoted."""
        return change if node is self.discarded else self.promoted_bits(change, place)

    def _target(self, place: Operand, node: c.Expression, is_used: bool = True) -> t.Place | None:
        """The place, if it can be assigned to; None if not, which is reported.

        The variable of which the place is a part counts as used, or else as assigned.
        """
        if type(place) is t.Local and place.type in ARITHMETIC and not place.is_constant:  # the frequent case
            place.is_assigned = True
            place.is_used = place.is_used or is_used
            if self._is_evaluated:
                self.function.assignments.setdefault(place, []).append(node.span.start)
            return place
        if not is_place(place) or t.is_value(place):
            if place.type is not UNKNOWN:
                message = "only an object can be assigned to: a variable, `*p`, `a[i]` or `s.x`"
                self.errors.report("not-assignable", message, node.span)
            return None
        root = t.root_of(place)
        if isinstance(root, (t.Local, t.Global)):
            root.is_assigned = True
            root.is_used = root.is_used or is_used
        if not self._is_modifiable(place, root, node):
            return None
        if type(place) is t.Local and self._is_evaluated:
            self.function.assignments.setdefault(place, []).append(node.span.start)
        return place

    def _is_modifiable(self, place: t.Place, root: t.Place, node: c.Expression) -> bool:
        """Whether objects of the type of the place can be assigned to. Reports if not, and if the place is `const`."""
        type: CType = place.type
        if type is UNKNOWN:
            return False
        if isinstance(type, (Array, FunctionType)):
            kind = "an array" if isinstance(type, Array) else "a function"
            self.errors.report("not-assignable", f"{kind} cannot be assigned to", node.span)
            return False
        if type.kind == "void" and not is_complete(type):
            self.report_incomplete(type, node.span)
            return False
        is_variable = isinstance(root, (t.Local, t.Global))
        fixed = "" if is_variable and root.is_constant else constant_part(type)
        if fixed is not None:
            name = self.text_of(node)
            notes = [("it is declared here", root.span)] if is_variable else []
            what = f"`{name}` is `const`" if fixed == "" else f"`{name}` has the `const` field `{fixed}`"
            self.errors.report("const", f"{what} and cannot be assigned to", node.span, notes=notes)
        return True

    # ------------------------------------------------------------------------------------------------ other operators

    def _comma(self, node: c.Comma) -> Computation[t.Expression]:
        self.tree.unused(node.left, "the left operand of `,`")
        is_discarded = node is self.discarded
        self.discarded = node.left
        left = yield self.part(node.left)
        self.discarded = node.right if is_discarded else None
        right = yield self.part(node.right)
        return t.Comma(node.span, right.type, left, right)

    def _conditional(self, node: c.Conditional) -> Computation[t.Expression]:
        if node.then is None:
            value: t.Expression = yield self._or_else(node)
            return value
        self.tree.condition(node.condition)
        condition = yield self.condition(node.condition)
        then, otherwise = (yield self.part(node.then)), (yield self.part(node.otherwise))
        type = self.type_of_both(then, otherwise, node)
        otherwise = self.with_warnings(otherwise)
        if type is UNKNOWN:
            return t.Erroneous(node.span, t.Conditional(node.span, VOID, condition, then, otherwise))
        then, otherwise = self.arm(type, then), self.arm(type, otherwise)
        return t.Conditional(node.span, type, condition, then, otherwise)

    def _or_else(self, node: c.Conditional) -> Computation[t.Expression]:
        """``value ?: otherwise`` of GNU C."""
        value = self.scalar((yield self.part(node.condition)), node.condition)
        otherwise = yield self.part(node.otherwise)
        type = self.type_of_both(value, otherwise, node)
        if type is UNKNOWN or type is VOID:
            return t.Erroneous(node.span, value, otherwise)
        return self.with_warnings(t.OrElse(node.span, type, self.arm(type, value), self.arm(type, otherwise)))

    def _cast(self, node: c.Cast) -> Computation[t.Expression]:
        operand = yield self.part(node.operand)
        type = self.type_named(node.type).unqualified
        if type is UNKNOWN or not self.is_supported(type, node.span):
            return t.Erroneous(node.span, operand)
        if type is VOID or operand.type is type:
            return self.with_lengths(t.Cast(node.span, type, operand))
        if isinstance(type, Record) and type.is_union and (field := _field_of_type(type, operand.type)):
            return self.union_with(type, field, operand, node.span)
        if isinstance(type, Vector) or isinstance(operand.type, Vector):
            return self.with_lengths(self.cast_of_vector(type, operand, node))
        operand = self.scalar(operand, node.operand)
        if not self.can_cast(type, operand, node):
            return t.Erroneous(node.span, operand)
        if is_complex_operation(type, operand.type):
            return self.converted(type, operand)
        self.checks.cast(node, type)
        return self.with_lengths(t.Cast(node.span, type, operand))

    def union_with(self, type: Record, field: Field, value: t.Expression, span: Span) -> t.Expression:
        """A union whose field has the value: that of ``(union u) value`` of GNU C."""
        self.function.has_objects = True
        result = t.Local("result", type, span, is_constant=False, is_used=True)
        part = t.Part(t.Member(span, field.type, result, field), value)
        items: list[t.Statement] = [t.Declaration(span, [t.Declare(result, None, [part])])]
        return t.StatementExpression(span, type, items, t.Read(span, type, result))


def _field_of_type(union: Record, type: CType) -> Field | None:
    """The first field of a union that has the type, and a name."""
    return next((each for each in union.named_fields if each.name and each.type.unqualified is type.unqualified), None)


_NAMES_OF_FUNCTION = frozenset(["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"])
"""The names that denote the name of the current function, as an array."""

ARITHMETIC = frozenset([BOOL, CHAR, INT, UNSIGNED, LONG, UNSIGNED_LONG, DOUBLE])
"""The frequent types of variables, without qualifiers."""

STRING_ELEMENTS = {"": CHAR, "u8": CHAR, "L": WCHAR, "u": UNSIGNED_SHORT, "U": UNSIGNED}
"""The types of the characters of string literals, by their prefixes."""


def constant_part(type: CType) -> str | None:
    """The path to the part of an object of the type that is `const`: empty for the object itself, None if none is."""
    pending = [("", type)]
    for path, each in pending:  # appended to during iteration
        if "const" in each.qualifiers:
            return path[1:]
        if isinstance(each, Record):
            fields = each.fields or []
            pending += [(f"{path}.{field.name}" if field.name else path, element_of(field.type)) for field in fields]
    return None


def _best_alignment(pointer: t.Expression) -> int:
    """The largest alignment of the types that the pointer had before its conversions, as gcc's `__alignof__`."""
    best = 0
    while isinstance(pointer.type, Pointer):
        best = max(best, pointer.type.target.alignment)
        if not isinstance(pointer, t.Convert):
            break
        pointer = pointer.operand
    return best


def variable_size(type: CType, span: Span) -> t.Expression:
    """The size of an array of variable length, computed at run time."""
    size: t.Expression = t.Constant(span, UNSIGNED_LONG, element_of(type).size)
    while isinstance(type, Array):
        count = type.count if isinstance(type, VariableArray) else type.length
        known = count is None or isinstance(count, int)
        factor = t.Constant(span, UNSIGNED_LONG, count or 0) if known else t.Read(span, UNSIGNED_LONG, count)
        size = t.Binary(span, UNSIGNED_LONG, "*", size, factor)
        type = type.element
    return size


def _negated(type: CType, value: Real) -> Real:
    return wrapped(type, -value) if isinstance(value, int) else -value

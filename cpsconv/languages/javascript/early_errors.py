"""Early errors: programs that the grammar of tree-sitter accepts, and JavaScript does not.

`declarations` finds names that are declared twice, `literal_errors` malformed literals; here are the errors of
statements, `class_errors` has those of functions and classes, `name_errors` those of names and targets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from cpsconv.core.source import Diagnostic, Span, error, in_source_order
from cpsconv.languages.javascript import class_errors, jsx, literal_errors, name_errors
from cpsconv.languages.javascript.contexts import Context, nodes_with_contexts
from cpsconv.languages.javascript.declarations import Declarations, export_errors
from cpsconv.languages.javascript.scopes import CLASSES, DECLARED_FUNCTIONS, FUNCTIONS, LOOPS, Program
from cpsconv.languages.javascript.syntax import Node, has_line_end, unparenthesised

Check = Callable[[Node, Node, Context], Iterator[Diagnostic]]


def early_errors(root: Node, program: Program) -> list[Diagnostic]:
    """The early errors of a program, and the constructs that are refused as they make names dynamic.

    These are ``with``, and a call of `eval` by this name.
    """
    found = Declarations(program).errors()
    if program.is_module:
        found += export_errors(program)
    for node, parent, context in nodes_with_contexts(program):
        for check in _CHECKS.get(node.kind, ()):
            found += check(node, parent, context)
        if node.kind == "call_expression" and node["function"].text == "eval":
            reference = program.references.get(node["function"].start)
            if reference and reference.binding is None:
                message = "a direct call of `eval` is not read: it can assign to any variable"
                help = "call it by another name, as in `(0, eval)(text)`, to evaluate the text in the global scope"
                found.append(error(message, node["function"].span, help=help, rule="unsupported"))
    return in_source_order(found)


# ---------------------------------------------------------------------------------------------------------- statements


_NO_EXPRESSION = re.compile(
    r"(?:function|class|async[^\S\n]+function)\b(?!\\)|\{|let\s*(?:\[|[\n\r]\s*(?!in\b|instanceof\b)[\w$])"
)


def _expression(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    found = _NO_EXPRESSION.match(node.source.text, node.start)
    if found:
        span = Span(node.source, *found.span())
        yield error(f"an expression as a statement does not begin with `{found[0]}`", span, rule="syntax")


def _commas(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for commas without an element before them."""
    for before, each in zip(node.parts, node.parts[1:], strict=False):
        if each.kind == "," and before.kind in (",", "(", "{"):
            yield error("unexpected `,`", each.span, rule="syntax")


def _with(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    if context.is_strict:
        yield error("strict mode has no `with`", node.span, rule="strict-mode")
    else:
        message = "`with` is not read: which variables a name denotes is known at run time only"
        yield error(message, node.span, rule="unsupported")


def _without_values(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for constants and patterns that have no initial value."""
    kind = node["kind"].kind if node.kind == "lexical_declaration" else "var"
    for each in node.children:
        if each.get("value") is None and (kind == "const" or each["name"].kind != "identifier"):
            what = "constant" if each["name"].kind == "identifier" else "pattern"
            yield error(f"this {what} has no initial value", each.span, rule="syntax")


def _jump(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    label, word = node.get("label"), node.words[0]
    if label is None:
        if not (context.in_loop or (context.in_switch and word == "break")):
            belongs = "a loop or `switch`" if word == "break" else "a loop"
            yield error(f"this `{word}` is not in {belongs}", node.span, rule="misplaced")
    elif label.text not in context.labels:
        yield error(f"no statement around this `{word}` has the label `{label.text}`", label.span, rule="undeclared")
    elif word == "continue" and label.text not in context.loops:
        yield error(f"`{label.text}` is not the label of a loop", label.span, rule="misplaced")


def _label(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    label = node["label"]
    if label.text in context.labels:
        yield error(f"the label `{label.text}` repeats that of a statement around it", label.span, rule="redefined")
    is_function_allowed = parent.kind in ("program", "statement_block", "switch_case", "switch_default", node.kind)
    yield from _embedded(node["body"], context, is_function_allowed)


def _bodies(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for declarations as the bodies of statements."""
    if node.kind == "else_clause":
        yield from _embedded(node.children[0], context, is_function_allowed=True)
    elif node.kind == "if_statement":
        yield from _embedded(node["consequence"], context, is_function_allowed=True)
    else:
        yield from _embedded(node["body"], context, is_function_allowed=False)


def _embedded(body: Node, context: Context, is_function_allowed: bool) -> Iterator[Diagnostic]:
    is_function = body.kind == "function_declaration" and "async" not in body.words
    if is_function and is_function_allowed and not context.is_strict:
        return
    if body.kind in ("lexical_declaration", "class_declaration", *DECLARED_FUNCTIONS):
        rule = "strict-mode" if is_function and is_function_allowed else "misplaced"
        yield error("a declaration is not allowed here: enclose it in a block", body.span, rule=rule)


def _return(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    if not context.returns:
        yield error("this `return` is not in a function", node.span, rule="misplaced")


def _at_top(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    if parent.kind != "program" or not context.is_module:
        word = node.words[0]
        yield error(f"`{word}` is allowed only at the top level of a module", node.span, rule="misplaced")


def _try(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    if node.get("handler") is None and node.get("finalizer") is None:
        yield error("this `try` has neither `catch` nor `finally`", node.span, rule="syntax")


def _switch(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    for each in [each for each in node.children if each.kind == "switch_default"][1:]:
        yield error("a second `default`", each.span, rule="redefined")


def _throw(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    if node.children and has_line_end(node.source.text[node.start : node.children[0].start]):
        yield error("the value of `throw` is on another line", node.span, rule="syntax")


def _for_in(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    kind, value, left, right = node.get("kind"), node.get("value"), node["left"], node["right"]
    is_of = node["operator"].kind == "of"
    if value and (is_of or context.is_strict or not kind or kind.kind != "var" or left.kind != "identifier"):
        yield error("the variable of this loop has an initial value", value.span, rule="syntax")
    if is_of and right.kind == "sequence_expression":
        yield error("expected one expression after `of`", right.span, rule="syntax")
    if "await" in node.words and not is_of:
        yield error("expected `of` in this `for await`", node["operator"].span, rule="syntax")
    if "await" in node.words and not context.is_async:
        yield error("`for await` is not in an asynchronous function", node.span, rule="misplaced")
    if is_of and kind is None and left.text in ("async", "let") and "await" not in node.words:
        yield error(f"`{left.text}` is not allowed here", left.span, rule="reserved-name")


# --------------------------------------------------------------------------------------------------------- expressions


_ASSIGNMENTS = ("assignment_expression", "augmented_assignment_expression", "arrow_function", "yield_expression")
_OPERATIONS = ("update_expression", "unary_expression", "await_expression", "binary_expression", "ternary_expression")
_BELOW_IN = ("==", "!=", "===", "!==", "&", "^", "|", "&&", "||", "??")


def _operands(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for operands of lower precedence than their operator, which the grammar accepts."""
    for each in [node["condition"]] if node.kind == "ternary_expression" else node.children:
        is_lower = each.kind == "binary_expression" and node.kind in ("unary_expression", "await_expression")
        if each.kind in _ASSIGNMENTS or is_lower:
            yield error("this operand requires parentheses", each.span, rule="syntax")


def _callee(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for operators before a call, property or template, which the grammar accepts."""
    first = node.children[0]
    if first.kind in (*_ASSIGNMENTS, *_OPERATIONS):
        yield error("this operand requires parentheses", first.span, rule="syntax")


def _binary(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    operator, left = node["operator"].kind, node["left"]
    if operator == "<" and node.source.text.startswith("<!--", node["operator"].start):
        yield error("a comment of this form is not allowed here", node["operator"].span, rule="syntax")
    if operator == "**" and left.kind in ("unary_expression", "await_expression"):
        yield error("the left operand of `**` requires parentheses", left.span, rule="syntax")
    right = node["right"]
    if (
        right.kind == "binary_expression"
        and right["left"].kind == "private_property_identifier"
        and operator not in _BELOW_IN
    ):
        yield error("this operand requires parentheses", right.span, rule="syntax")
    others = ("||", "&&") if operator == "??" else ("??",) if operator in ("||", "&&") else ()
    for each in (left, right):
        if each.kind == "binary_expression" and each["operator"].kind in others:
            yield error("`??` with `||` or `&&` requires parentheses", each.span, rule="syntax")


def _unary(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    if node["operator"].kind != "delete":
        return
    operand = unparenthesised(node["argument"])
    if operand.kind == "identifier" and context.is_strict:
        yield error("strict mode has no `delete` of a variable", operand.span, rule="strict-mode")
    if operand.kind == "member_expression" and operand["property"].kind == "private_property_identifier":
        yield error("a private property cannot be deleted", operand.span, rule="syntax")


def _call(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    callee, arguments = node["function"], node["arguments"]
    if arguments.kind == "template_string" and name_errors.has_optional_link(callee):
        yield error("a template cannot follow `?.`", arguments.span, rule="syntax")
    if callee.kind == "import" and not 1 <= len(arguments.children) <= 2:
        yield error("expected a module as the argument of `import`", arguments.span, rule="syntax")


def _new(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    callee = node["constructor"]
    is_import = callee.kind == "call_expression" and callee["function"].kind == "import"
    if name_errors.has_optional_link(callee) or is_import:
        yield error("this cannot be called by `new`", callee.span, rule="syntax")


def _super(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    if parent.kind == "call_expression" and parent["function"] is node:
        if not context.has_super_call:
            yield error("`super()` is allowed only in the constructor of a derived class", node.span, rule="misplaced")
    elif parent.kind not in ("member_expression", "subscript_expression") or parent["object"] is not node:
        yield error("`super` is neither called nor has a property here", node.span, rule="syntax")
    elif not context.has_super:
        yield error("`super` is not in a method", node.span, rule="misplaced")
    if parent.get("optional_chain") and parent.children[0] is node:
        yield error("`super` cannot be followed by `?.`", node.span, rule="syntax")


def _meta(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    if node.words[0] == "new" and not context.has_new_target:
        yield error("`new.target` is not in a function", node.span, rule="misplaced")
    if node.words[0] == "import" and not context.is_module:
        yield error("`import.meta` is not in a module", node.span, rule="misplaced")


def _element(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for an end tag of another name than the start tag, and for attributes with empty braces."""
    end = node.get("close_tag")
    if end and _tag(end) != _tag(node["open_tag"]):
        yield error(f"expected `</{_tag(node['open_tag'])}>`", end.span, rule="syntax")
    for each in jsx.opening(node).all("attribute"):
        value = jsx.attribute_value(each) if each.kind == "jsx_attribute" else None
        if value and value.kind in ("jsx_expression", "spread_element"):
            yield error("expected an expression in the braces", value.span, rule="syntax")
        if each.kind == "jsx_expression" and [part.kind for part in each.children] != ["spread_element"]:
            yield error("expected `...` and an object in the braces", each.span, rule="syntax")


def _tag(node: Node) -> str:
    name = node.get("name")
    return "".join(name.text.split()) if name else ""


def _suspension(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    word = node.words[0] if node.words else "await"
    is_known = context.is_async if word == "await" else context.is_generator
    if node.kind == "yield_expression" and len(node.parts) == 1 and not is_known:
        yield from name_errors.reserved(node, context)
    elif not is_known:
        where = "an asynchronous function" if word == "await" else "a generator"
        yield error(f"this `{word}` is not in {where}", node.span, rule="misplaced")
    elif context.in_parameters:
        yield error(f"`{word}` is not allowed in parameters", node.span, rule="misplaced")


_CHECKS: dict[str, tuple[Check, ...]] = {
    "expression_statement": (_expression,),
    **dict.fromkeys(("arguments", "named_imports", "export_clause"), (_commas,)),
    "with_statement": (_with,),
    "lexical_declaration": (_without_values, name_errors.declaration_errors),
    "variable_declaration": (_without_values, name_errors.declaration_errors),
    **dict.fromkeys(("break_statement", "continue_statement"), (_jump,)),
    "labeled_statement": (_label,),
    **dict.fromkeys(("if_statement", "else_clause", *LOOPS), (_bodies,)),
    "for_in_statement": (_bodies, _for_in, name_errors.loop_errors),
    "return_statement": (_return,),
    **dict.fromkeys(("import_statement", "export_statement"), (_at_top, name_errors.import_errors)),
    "try_statement": (_try,),
    "catch_clause": (name_errors.catch_errors,),
    "switch_body": (_switch,),
    "throw_statement": (_throw,),
    "binary_expression": (_operands, _binary),
    "unary_expression": (_operands, _unary),
    "ternary_expression": (_operands,),
    **dict.fromkeys(("member_expression", "subscript_expression"), (_callee,)),
    "call_expression": (_callee, _call),
    "new_expression": (_callee, _new),
    "super": (_super,),
    "meta_property": (_meta,),
    "await_expression": (_operands, _suspension),
    "yield_expression": (_suspension,),
    **dict.fromkeys(jsx.ELEMENTS, (_element,)),
    **dict.fromkeys(("assignment_expression", "augmented_assignment_expression"), (name_errors.assignment_errors,)),
    "update_expression": (name_errors.update_errors,),
    **dict.fromkeys(
        ("identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"),
        (name_errors.name_errors,),
    ),
    "statement_identifier": (name_errors.name_errors,),
    "property_identifier": (name_errors.malformed,),
    "private_property_identifier": (name_errors.malformed, class_errors.private_errors),
    **dict.fromkeys(("array_pattern", "formal_parameters"), (name_errors.rest_errors,)),
    **dict.fromkeys(FUNCTIONS, (class_errors.function_errors,)),
    "method_definition": (class_errors.function_errors, class_errors.method_errors),
    **dict.fromkeys(CLASSES, (class_errors.class_errors,)),
    "object_pattern": (_commas, name_errors.rest_errors),
    "object": (_commas, class_errors.object_errors),
    "number": (literal_errors.number_errors,),
    "string": (literal_errors.string_errors,),
    "template_string": (literal_errors.template_errors,),
    "regex": (literal_errors.regex_errors,),
}
"""The checks of each kind of node."""

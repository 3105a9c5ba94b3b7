"""The rules that diagnostics of CPS text name, with the violation that each of them denotes."""

from __future__ import annotations

RULES = {
    "attribute": "an attribute that a part of a program cannot have, or with an unsuitable value",
    "ambiguous": "a name with several definitions elsewhere in the function, none of which is in scope",
    "argument-count": "a call with another number of arguments than its target has parameters",
    "duplicate-case": "two equal cases, or two `default`s, in a `switch`",
    "literal": "a malformed number, character or string",
    "nesting": "a type that is nested too deeply, or an object that is too large",
    "redefined": "a second definition of a name in its scope",
    "scope": "a use of a value that is not computed on every path to the use",
    "stray-character": "a character that is not part of the language",
    "syntax": "tokens that do not form a program",
    "too-large": "data that skip too many bytes",
    "type-mismatch": "an operand, argument or decision of an unsuitable type",
    "undeclared": "a name that is not declared or defined",
    "unknown-operation": "a call in an expression that names no operation",
    "unterminated": "a comment, string, character or quoted name without its end",
    # warnings
    "shadowed-name": "a definition within the scope of another one with the same name",
    "unused-continuation": "a continuation without references",
}

"""Simplification of primitives while they are constructed (Braun et al., section 3.1).

Construction makes a program in its final form from the first moment. So whatever can be said of an operation by a look
at its operands can be said when it is made, and need not be made at all: it may have a constant value (*folding*), be
the same as a simpler one (*arithmetic*, a table of rules), or have been computed before (*common subexpressions*).
A branch on a known condition leads one way only, and what is on the other is not built; then variables have fewer
values, and there are fewer parameters. Copies, ``x = y``, are no operations at all: construction records the value.

`rules` is the table, in the language of `terms`; `matching` applies a rule, `numbering` knows what has been computed
where, and the `simplifier` puts them to use. What it takes is imported only when it is asked for.
"""

SIMPLIFICATIONS = {
    "fold": "compute operations on constants",
    "arithmetic": "apply the rules of arithmetic",
    "cse": "compute common subexpressions once",
    "branches": "go straight on where the way is known",
}
"""The switches of a `Simplifier`, and what each of them does."""

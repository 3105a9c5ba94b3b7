"""Programs in functional languages: one room a language, with what it means in a prelude.

A CPS program is a functional program already: continuations are local functions, nested as in our text, and transfers
are tail calls. What is left to a language is how it spells these (`cpsconv.emit.functional.scheme`, for one), and a
prelude with the meaning of our operations. Common to all are the order of writing (`writer`), names that are legal
(`identifiers`) and preludes cut down to what a program uses (`prelude`).
"""

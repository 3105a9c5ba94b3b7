"""Functional languages as targets: one package for each language, with a prelude that defines C's operations.

A CPS program is a functional program: its continuations become local functions, nested as in the CPS text, and its
transfers become tail calls. A language consists of a `writer.Writer`, which writes each part of a function, a prelude
(`prelude`), and a `file.Language`, which writes the whole file. All languages share the nesting of continuations
(`nesting_plan`), legal names (`identifiers`), and literals and expressions with infix operators (`terms`).
"""

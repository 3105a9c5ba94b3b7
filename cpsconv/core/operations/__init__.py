"""The operations of a CPS program, each described once.

All modules of this room are public: `table` has one row for each operation, and the check that a back end writes all of
them; `types` the properties of types; `intervals` interval arithmetic; `semantics` the functions that compute
primitives; `formats` the formats of text, and `printing` what the output operations write; `objects` the objects of a
run in memory, with the checks of each access; `runtime_errors` and `memory_errors` the errors of a running program.

`python_arithmetic` and `python_formats` are C's operations as Python functions: `semantics` and `printing` call them,
and emitted Python has copies of them. `python_text` has the rules by which Python code computes an operation, for both
back ends that generate Python: an emitter and an engine.
"""

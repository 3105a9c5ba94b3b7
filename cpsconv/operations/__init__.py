"""The operations of a CPS program, each described once.

All modules of this room are public: `table` has one row for each operation, and the check that a back end writes all of
them; `types` the properties of types; `intervals` interval arithmetic; `semantics` the functions that compute
primitives; `formats` the formats of printf; `runtime_errors` the errors of a running program.
"""

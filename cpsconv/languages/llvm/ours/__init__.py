"""The meaning of LLVM IR: instructions, data and calls as operations, data and calls of the program.

`lowering` replaces the foreign operations of `cpsconv.languages.llvm.lowering` by operations of the program, where
these express an instruction exactly. `instructions` has a row for each instruction; `arithmetic` has the operations
that compute it, `memory` those on memory. `calls` has calls, and `intrinsics`, `library_symbols` and `assembler_text`
those that become operations. `items` has functions and data, `object_types` the types of objects, and `operands` the
values that a text denotes.

A value of a struct, array or vector type is an `Aggregate` of the values of all scalars in it, since no operation of
the program has such a value; functions return it in a place that the caller provides, as C's functions return structs.
"""

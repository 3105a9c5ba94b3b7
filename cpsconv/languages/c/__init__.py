"""The front end for C: a subset of C17, from text to a CPS program.

Three stages, each of which imports only from those before it:

1. **Syntax** (`syntax`): text → tokens → *tree* (`syntax.tree`). The scanner replaces what headers define, the LALR
   parser calls a rule for each production, and recovery repairs syntax errors. The tree has the form of the source:
   names are words, and nothing is converted.
2. **Meaning** (`meaning`): tree → *typed tree*, the same nodes, typed in place. Names get the declarations that they
   denote, expressions their C types, each conversion that C inserts becomes a node around its operand, `case` labels
   become numbers, and a `goto` refers to its label. All errors are found here, and all warnings that do not depend on
   reachability. The rules are functions, one for each class of nodes, of the state of a function (`meaning.context`).
3. **Lowering** (`lowering`): typed tree → program, through the `Builder`. It decides no question of C's types, but
   chooses continuations and operations. It warns of unreachable code, of missing returns and of falling into a
   `case`, since the Builder knows which code control can reach.

For example, with ``char c; long n;``, the assignment ``n = c + 1`` is `Assign(Name, Binary(Name, Literal))` in the
syntax tree. Typed, it is ::

    Assign(long, Name(n), Convert(long, Binary(int, "+", Convert(int, Read(char, Name(c))), Literal(int, 1))))

*The invariants of the typed tree* are listed in `meaning.typed_tree`. In short: the operands of an operation have the
types that it computes with; a `Read` is the conversion of a variable to its value; a condition is an expression of a
truth type, down to the comparisons that decide; what is erroneous is an `Erroneous` node, so that the rest of a
function is still checked.

*C's types* (`types`, and `records` for structs and unions) are not those of the program. A `CType` has a size and the
type of its values in the program; equal types are identical objects, and each set of qualifiers makes another type. The
type `TRUTH` of comparisons is an `int` for C and a `bool` in the program. All pointers are of the type `ptr` there; the
structs of the program (`lowering.object_types`) have the layout of gcc on x86-64.

*Declarations.* The parser reads a declarator as a list of derivations, from the name outwards; `meaning.declared_types`
makes the type of it. The scanner distinguishes the names of types from other names by scopes of its own, and
`meaning.scopes` has what each name and tag denotes. `meaning.declarations` has the functions and objects with linkage.

*Places.* An assignment changes a *place*, an lvalue of C: the name of a variable, or an expression such as
``Member(Dereference(p), x)`` for ``p->x``. In the lowering (`lowering.places`), a place is a variable of the
construction, an address with the fields and elements that lead to it, a bit-field, or a part of a split object. Its
operands are computed once; its address is written out at each access, so that ``a[i].x += 1`` is ::

    p := point.at(a, i);
    x := int[point.x(p)];
    int[point.x(p)] := x + 1;

*Variables and objects.* `lowering.promotion` decides which variables of a function become variables of the construction
and which are objects in memory: those whose address is taken, and the arrays and structs that cannot be split into
their scalars. An object is allocated at its declaration, and deallocated on each path out of its scope; if a jump may
enter the scope in the middle, it exists during the whole call. Globals and strings are data of the program. Strings
that are only printed remain constants.

*Records, and variable arguments.* A struct is passed as a pointer to a copy, which the caller makes, and returned
through a pointer that the caller passes first. Variable arguments are in slots of 8 bytes, to which the last argument
points. So the functions of the program take and return scalars only.

*The order of computation.* The operands of an operation are computed from left to right. Their implicit conversions are
computed after all of them, next to the operation; casts are computed together with their operands.

*Deep nesting.* 10,000 nested parentheses are legal input. Methods that may call themselves are generators for
`cpsconv.core.trampoline`; frequent small cases return results directly.

`diagnostics` has the errors and warnings, `nodes` the classes of tree nodes.
"""

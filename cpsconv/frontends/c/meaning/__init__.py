"""The meaning of C, apart from any program: constant expressions, and the declarations that names denote."""

"""The binary interface of programs in any language: linking, start and end, libraries, C's calling convention."""

NAMES = {
    "print": "printf",
    "print_line": "puts",
    "print_character": "putchar",
    "create": "malloc",
    "create_zeroed": "calloc",
    "resize": "realloc",
    "release": "free",
}
"""The names of operations, which are those of C: `cpsconv.core.NAMES`."""

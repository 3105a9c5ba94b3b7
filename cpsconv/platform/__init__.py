"""The platform of programs in any language: linking, start and end, C's library and calling convention, x86-64."""

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

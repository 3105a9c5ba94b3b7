"""The binary interface of programs in any language: linking, start and end, libraries, C's calling convention."""

NAMES = {
    "print": "printf",
    "print_line": "puts",
    "print_character": "putchar",
    "create": "malloc",
    "create_zeroed": "calloc",
    "resize": "realloc",
    "release": "free",
    "release-nonheap-object": "free-nonheap-object",
}
"""The names of operations and of a rule, which are those of C and gcc: `cpsconv.core.NAMES`."""

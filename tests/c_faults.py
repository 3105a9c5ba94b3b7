"""Faults of memory for generated C programs: lines to plant, one of which accesses memory in a wrong way.

The comment ``/* fault */`` marks the line at which the program must be stopped.
"""

from __future__ import annotations

MARK = "/* fault */"

FAULTS: dict[str, list[list[str]]] = {
    "bounds": [
        ["int box[3] = {1, 2, 3}, at = 3;", f"box[at] = 4; {MARK}"],
        ["int box[3] = {1, 2, 3}, *p = box;", "p += 3;", f'printf("%d", *p); {MARK}'],
        ["int at = -1;", f'printf("%d", numbers[at]); {MARK}'],
        ["char *h = malloc(3);", f"h[3] = 1; {MARK}"],
        ["char text[4] = \"abc\";", f"memset(text, 'x', 5); {MARK}"],
        ["struct { int first, second[2]; } s = {1, {2, 3}}, *p = &s + 1;", f"p->first = 5; {MARK}"],
        ["const char *word = words[2];", f"putchar(word[3]); {MARK}"],
    ],
    "lifetime": [
        ["int *p;", "{", "int x = 1;", "p = &x;", "}", f"*p = 2; {MARK}"],
        ["int *p = 0;", "for (int k = 0; k < 3; k++) {", "int box[2] = {k, k};", "if (k == 1) p = box;", "}",
         f'printf("%d", p[1]); {MARK}'],
        ["int *h = malloc(8);", "h[0] = 1;", "free(h);", f"h[0] = 2; {MARK}"],
        ["int *h = malloc(8);", "free(h);", f"free(h); {MARK}"],
        ["int *h = calloc(2, 4), *old = h;", "h = realloc(h, 4000);", f'printf("%d", old[0]); {MARK}'],
    ],
    "null": [
        ["int *p = 0;", f"*p = 1; {MARK}"],
        ["struct { int first, second; } *p = 0;", f'printf("%d", p->second); {MARK}'],
        ["int **pp = calloc(1, 8);", f"**pp = 3; {MARK}"],
        ["int (*call)(int, int) = 0;", f"call(1, 2); {MARK}"],
    ],
    "uninitialised": [
        ["int box[2], at = 1;", "box[0] = 1;", f'printf("%d", box[at]); {MARK}'],
        ["int x, *p = &x;", f"if (*p) puts(\"no\"); {MARK}"],
        ["struct { int first, second; } s, *p = &s;", "p->first = 1;", f"p->second++; {MARK}"],
        ["char *h = malloc(4);", "h[0] = 'a';", f'printf("%s", h); {MARK}'],
    ],
}  # fmt: skip
"""For each kind of fault, blocks of lines with it."""


def planted(text: str, kind: str, number: int) -> tuple[str, int]:
    """The program with one of the faults at the end of its `main`, and the line of the fault."""
    choices = FAULTS[kind]
    block = ["    {", *(f"        {line}" for line in choices[number % len(choices)]), "    }"]
    lines = text.splitlines()
    end = max(index for index, line in enumerate(lines) if line == "}")
    at = max(index for index in range(end) if lines[index].startswith("    return"))
    lines[at:at] = block
    fault = next(index for index, line in enumerate(lines, 1) if MARK in line)
    return "\n".join(lines) + "\n", fault

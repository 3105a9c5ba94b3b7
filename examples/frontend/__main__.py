"""A front end to copy from: a small imperative language, registered by one row. Every command takes the language::

    python examples/frontend convert examples/frontend/gcd.tiny
    python examples/frontend run examples/frontend/gcd.tiny --entry gcd 48 36

``tiny.py`` parses a source by the grammar in ``tiny.lark``, and ``lowering.py`` constructs the program.
"""

import sys

from cpsconv.languages import LANGUAGES, Language

LANGUAGES["tiny"] = Language((".tiny",), "tiny")  # the suffixes, and the module with the function `read`

if __name__ == "__main__":
    from cpsconv.cli import main

    sys.exit(main())

"""``python -m cpsconv``: the command line."""

import sys

from cpsconv.cli import main

if __name__ == "__main__":
    sys.exit(main())

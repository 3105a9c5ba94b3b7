"""The command line: arguments in, a library call, text out.

`commands` says what there is to type, `streams` reads and writes, `status` turns what happens into an exit status.
What only one command needs is imported where it is used: ``cpsconv --help`` is to be quick.
"""

from cpsconv.cli.commands import main

__all__ = ["main"]

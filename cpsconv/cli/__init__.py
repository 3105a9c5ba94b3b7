"""The command line: arguments in, a library call, text out.

`commands` has the class and the table of the commands, each in the module of its name; `options` has the options of
several commands, `batch` runs a command on several files, `streams` writes results and diagnostics, `terminal` has the
settings of all output, `status` maps every outcome to an exit status.
"""

from cpsconv.cli.commands import main

__all__ = ["main"]

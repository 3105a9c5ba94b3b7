"""The command line: arguments in, a library call, text out.

`commands` lists the commands, each in the module of its name; `options` declares what several commands share,
`streams` writes results and diagnostics, `terminal` has the settings of all output, `status` maps every outcome to an
exit status.
"""

from cpsconv.cli.commands import main

__all__ = ["main"]

"""The command line: arguments in, a library call, text out.

`commands` has the class and the table of the commands, and the exit status of every outcome; `options` has the options
of several commands, `files` the processing of FILE..., `parallel` that in several processes; `streams` has the settings
of all output, and writes results, diagnostics and progress. The other modules are the commands.
"""

from cpsconv.cli.commands import main

__all__ = ["main"]

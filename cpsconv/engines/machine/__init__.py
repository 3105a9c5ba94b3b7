"""The engine `machine`: evaluates a program with traces, limits and system calls.

`machine` is the abstract machine; its docstring is an essay on frames and closures. `link` prepares a program for it,
from the run-time objects in `values` and the `effects`. `trace` creates a record of each transfer; `trace_text` and
`trace_json` show it; `stepper` moves through a run in both directions.
"""

"""Structuring: from a graph of continuations to loops and ``if``s, for emitters and engines of imperative languages.

A function in CPS is a control-flow graph: its continuations are the basic blocks, and its jumps pass arguments. A
language with structured statements requires a tree of statements, and variables instead of parameters. The steps:

1. `inline_calls` finds the calls that can be written in place, inside an expression.
2. `decisions` merges branches into conditions with ``&&`` and ``||``. The result is the `DecisionGraph` of the
   function: its continuations, each with a terminator (`Decision`, `Choice`, jump or call).
3. `irreducible` (only for targets without ``goto``) adds dispatch blocks, so that each loop has one entry and
   statements are not nested too deeply. The result is a `DispatchGraph`, which is a decision graph.
4. `variables` assigns variables to the values that are not written in place.
5. `structurer` translates the graph to a tree of statements (`tree`), along the dominator tree.
6. `goto_elimination` (only for targets without ``goto``) replaces the remaining jumps by a variable that controls
   ``if``s.
7. `parallel_copies` orders the assignments that pass the arguments of an edge.

The emitter of C uses steps 1, 2, 4, 5 and 7; the engine `python` uses all of them. Nothing here depends on a target
language.
"""

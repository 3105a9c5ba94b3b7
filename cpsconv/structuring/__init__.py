"""From a graph of continuations to loops and ``if``s, for engines and emitters of imperative code."""

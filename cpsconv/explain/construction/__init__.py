"""How a function came about: the construction told step by step, from the events that it reported."""

"""The construction of a function step by step, narrated from the events that the Builder reported."""

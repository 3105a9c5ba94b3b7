"""The evidence for a parameter of a continuation, or for its absence, as text and as data."""

"""Simplification of primitives while they are constructed (Braun et al., section 3.1)."""

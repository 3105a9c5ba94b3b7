"""Why a continuation has a parameter for a variable, or has none: the evidence, in words and as data."""

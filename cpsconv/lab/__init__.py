"""Explanations, comparisons and experiments on conversions."""

"""Helpers of tests and benchmarks: generated and collected programs, and their runs by engines, compilers, targets."""

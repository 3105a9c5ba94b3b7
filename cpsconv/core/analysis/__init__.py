"""Analyses of programs: dominance, loops, ranges, value flow; small, iterative and without side effects."""

"""Answers: constructions that students implement, compared with the algorithms as printed, step by step.

An answer is a Python file with the functions ``write_variable(variable, block, value)``,
``read_variable(variable, block)`` and ``seal_block(block)`` of Algorithms 1 to 4 (docs/course/11-implement.md).
"""

from cpsconv.lab.answers.comparison import Construction, Report, compare_answer, constructed

__all__ = ["Construction", "Report", "compare_answer", "constructed"]

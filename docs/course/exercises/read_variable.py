"""Exercise 21: Algorithms 1 to 4. Complete the functions; lesson 11 describes blocks and φs."""

current_def = {}  # (variable, block) → value
incomplete_phis = {}  # block → {variable: φ}


def write_variable(variable, block, value):
    """Algorithm 1."""
    current_def[variable, block] = value


def read_variable(variable, block):
    """Algorithm 1."""
    if (variable, block) in current_def:
        return current_def[variable, block]
    raise NotImplementedError("the search in the predecessors: Algorithm 2")


def seal_block(block):
    """Algorithm 4. The block is sealed when the function returns."""
    if incomplete_phis.get(block):
        raise NotImplementedError("the operands of the incomplete φs")

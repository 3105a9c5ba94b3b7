"""An answer to exercise 21: Algorithms 1 to 4 of the paper."""

current_def = {}  # (variable, block) → value
incomplete_phis = {}  # block → {variable: φ}


def write_variable(variable, block, value):
    """Algorithm 1."""
    current_def[variable, block] = value


def read_variable(variable, block):
    """Algorithm 1."""
    if (variable, block) in current_def:
        return current_def[variable, block]
    return read_variable_recursive(variable, block)


def read_variable_recursive(variable, block):
    """Algorithm 2."""
    if not block.sealed:
        value = block.new_phi(variable)
        incomplete_phis.setdefault(block, {})[variable] = value
    elif len(block.predecessors) == 1:
        value = read_variable(variable, block.predecessors[0])
    else:
        phi = block.new_phi(variable)
        write_variable(variable, block, phi)
        value = add_phi_operands(variable, phi)
    write_variable(variable, block, value)
    return value


def add_phi_operands(variable, phi):
    """Algorithm 2."""
    for predecessor in phi.block.predecessors:
        phi.append_operand(read_variable(variable, predecessor))
    return try_remove_trivial_phi(phi)


def try_remove_trivial_phi(phi):
    """Algorithm 3."""
    same = None
    for operand in phi.operands:
        if operand is same or operand is phi:
            continue
        if same is not None:
            return phi
        same = operand
    if same is None:
        same = phi.undefined
    users = [user for user in phi.users if user is not phi]
    phi.replace_by(same)
    for user in users:
        try_remove_trivial_phi(user)
    return same


def seal_block(block):
    """Algorithm 4. The block is sealed when the function returns."""
    for variable, phi in incomplete_phis.get(block, {}).items():
        add_phi_operands(variable, phi)

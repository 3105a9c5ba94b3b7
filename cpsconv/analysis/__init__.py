"""What can be computed about a program's graph: small, iterative, pure. Enter through the modules."""

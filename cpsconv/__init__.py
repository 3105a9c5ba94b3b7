"""cpsconv: imperative programs, converted directly to continuation-passing style."""

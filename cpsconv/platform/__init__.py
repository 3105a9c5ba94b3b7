"""The platform of programs in any language: linking, start and end, C's library and calling convention, x86-64."""

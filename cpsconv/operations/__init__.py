"""The operations of a CPS program, each described once: its types, its meaning, its run-time errors."""

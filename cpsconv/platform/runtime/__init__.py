"""What C requires of a program around its functions, as passes over the program, so that no engine and target knows it.

Each pass returns a copy of the program, or the program itself if it needs nothing: a `main` with the words of the
command line, calls of the functions that `atexit` registered, the activations that `longjmp` can enter, and loads that
allow bytes that were never written.
"""

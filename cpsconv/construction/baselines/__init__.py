"""Other ways to the same program, to compare the paper's strategies with.

Each file holds one construction, as close to its source as the shared house allows. All of them work on the complete
graph (`deferred` says what they find there); none is needed to convert anything. What they place is theirs: Algorithm
5 (`cpsconv.transform.minimise`) can be applied to their programs as to any other.
"""

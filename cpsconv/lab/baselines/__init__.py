"""Baselines: other constructions of the same programs, with which the strategies of the paper are compared.

Each file has one method, as close to its source as the shared interfaces allow. All methods work on the complete graph
(see `deferred`). No conversion needs them. Algorithm 5 (`cpsconv.core.transform.minimise`) applies to their programs,
too.
"""

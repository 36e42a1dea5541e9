"""Checks: whether a file keeps what it claims, and how fast it is.

In: rules and claims. Out: what does not hold, each with its shortest game; faults put in on
purpose (`mutate.py`); rates beside programs in C (`bench/`).

Read first: `run.py`, `claims.py`, `properties_of_rules.py`.
"""

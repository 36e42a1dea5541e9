"""Faults put into copies of the bundled rules, to see whether they are found.

`python -m tests.tools.mutants` tries all of `mutants.toml` and says which are found by what, and
how long the shown game is beside the shortest that is known.
"""

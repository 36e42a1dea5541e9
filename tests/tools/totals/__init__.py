"""Totals that grow from run to run, kept in `totals.json`.

`python -m tests.tools.totals --help` says more.
"""

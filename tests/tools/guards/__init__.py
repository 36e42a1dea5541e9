"""Machine code in arrays that end at a page nobody may touch.

`python -m tests.tools.guards --help` says more.
"""

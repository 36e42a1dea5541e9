"""Random small games solved by force, against everything that claims a proof.

`python -m tests.tools.proofs --help` says more.
"""

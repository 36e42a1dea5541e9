"""Reference, kernels in Python, machine code: side by side.

`python -m tests.tools.agreement --help` says more.
"""

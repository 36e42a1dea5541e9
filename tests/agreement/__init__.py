"""Reference, kernels in Python, machine code: side by side.  `python -m tests.agreement --help`."""

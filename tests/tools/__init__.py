"""Commands for more of the same: `python -m tests.tools.NAME --help`."""

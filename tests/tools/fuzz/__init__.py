"""Damaged and random texts for everything that reads.  `python -m tests.tools.fuzz --help`."""

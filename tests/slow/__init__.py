"""Processes, terminals, matches and long searches: `make test-slow`."""

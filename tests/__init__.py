"""The tests: a package, so that they can share strategies and be run as modules."""

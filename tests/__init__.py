"""The tests: a package, so that they can share modules and be run as commands."""

"""Executions against each other: reference, kernels in Python, machine code, oracles."""

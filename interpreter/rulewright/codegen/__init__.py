"""Kernels: games as text in a small subset of Python, run as Python or as machine code."""

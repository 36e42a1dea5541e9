"""The typed representation of kernels, its text, and what checks and rewrites it."""

"""The search in kernel Python: written once, linked to the kernels of any game by name."""

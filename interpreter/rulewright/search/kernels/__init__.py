"""The search itself, in kernel Python: written once for every game, linked to a game's kernels by name."""

"""Engines to take away: a game, and who judges it, as a file that needs nothing else."""

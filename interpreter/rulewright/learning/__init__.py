"""Learning: thousands of games at once, for those who train players.

In: a game, how many, a seed.  Out: `Batch`, games that are stepped in machine code on all cores:
arrays of observations, masks of legal actions, rewards and ends; a fixed number for every action.

Read first: `batch.py`, `actions.py`, `kernels.py`.
"""

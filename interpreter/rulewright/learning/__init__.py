"""Learning: thousands of games at once, for those who train players; factors and patterns.

In: a game, how many, a seed.  Out: `Batch`, games that are stepped in machine code on all cores:
arrays of observations, masks of legal actions, rewards and ends; a fixed number for every action.
In: recorded games.  Out: factors fitted to their results (`fit.py`), patterns of what was played
(`mining.py`), personalities that learn in rounds (`rounds.py`).
In: a batch and a network.  Out: what a tree search says of each lane (`tree_search.py`).
In: a game.  Out: what other projects ask of one: environments (`gym.py`, `zoo.py`), a game in
OpenSpiel's registry (`spiel.py`), functions of states as pgx and mctx have (`functional.py`).

Read first: `batch.py`, `actions.py`, `kernels.py`; for patterns `mining.py`, `growing.py`.
"""

"""Files of games: what kinds there are, and how a name, a path or a text becomes a model.

`kinds.py` says what a kind is, and does what is alike for all; `games.py` has the kind of rules,
from which games come; `catalog.py` lists all kinds, a row for each; `positions.py` reads what
people draw; models that were read before are kept by `model_cache.py` of `games/engine/`.
"""

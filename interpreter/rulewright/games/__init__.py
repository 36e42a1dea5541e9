"""Games: what the library shows, from the name of a file to states and moves.

In: names, texts, the kernels or the reference. Out: `Game`, `State` and `Move` (`engine/`), found
by name, from the package or from shelves beside it (`files/`), and positions as scenes, text that
reads back and pictures (`render/`).

Read first: `engine/game.py`, `files/games.py`, `files/catalog.py`.
"""

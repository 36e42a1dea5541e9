"""Matches: fair games between players, counted, recorded, resumed, rated.

In: players, of our own or programs of others (`protocols/`). Out: records, results with their
intervals, ratings, pages.

Read first: `arena.py`, `referee.py`, `protocols/contestant.py`.
"""

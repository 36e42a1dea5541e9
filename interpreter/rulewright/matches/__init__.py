"""Matches and tournaments: fair games between players, counted, recorded, resumed, rated."""

"""Players: personalities at work, and why they decide as they do.

In: a personality's model, a state. Out: decisions with their reasons: values taken apart, heat
maps, what patterns propose, recorded games judged.

Read first: `player.py` (what plays, as a referee sees it), `machine.py`, `explain.py`.
"""

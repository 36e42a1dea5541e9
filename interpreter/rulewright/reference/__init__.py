"""The reference: the oracle that says what every text means, slowly and plainly.

In: the model. Out: values, decisions, positions that never change. It walks the model with no
cleverness; every faster execution must agree with it, and does its work where it refuses.

Read first: `evaluate.py` (the value of an expression), `play.py` (decisions and ends).
"""

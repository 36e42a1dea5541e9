"""The model: what the texts mean, as records that are right by construction.

In: nothing but numbers and names that `language/resolve` has checked. Out: boards, expressions,
rules, evaluators, personalities, patterns. It knows nothing of text or of play.

Read first: `expressions.py` (few kinds of nodes and one table of operations), then `rules.py`.
"""

"""The reference: walks the model directly, over immutable positions, with no cleverness.

It defines what the languages mean; every faster execution must agree with it.
"""

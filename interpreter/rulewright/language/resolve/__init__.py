"""From syntax to the model: names, types, ranges, sizes; all errors of meaning are found here.

This stage stands after the reference because the value of a constant expression (a board's size,
its `where`, a label) is found by the one evaluator there is.
"""

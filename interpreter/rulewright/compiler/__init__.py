"""The compiler: kernels, in a small typed subset of Python, for one game or one evaluator.

In: the model. Out: positions as words (`layout.py`), kernels as typed nodes (`ir/`), made by
`lower/` after what `passes/` have proven of the rules, and run as plain Python, machine code,
WebAssembly or C (`backend/`). What it cannot do it refuses as `Unsupported`, and the reference
plays.

Read first: `lower/game.py`, `ir/nodes.py`, `engine.py`.
"""

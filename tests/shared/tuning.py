"""An evaluator of tic-tac-toe with a factor to tune, and its personality."""

from __future__ import annotations

EVALUATOR = """format 1
evaluator lines for tictactoe
# One factor that should be large, and one that changes nothing.
factor own_rows = 0 points in -5..5 "for each row that the other player has no mark in"
factor bias = 0.5 points in 0.0..1.0 "added to everything"
let rows = count(l in lines(run) : no (l enemy))
value of position for cross = bias + own_rows * (rows - rows for enemy)
"""
PERSONALITY = """format 1
personality plain for tictactoe
use lines
search one_ply
pick best
"""

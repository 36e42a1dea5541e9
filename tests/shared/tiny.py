"""The rules of games that are read and played at once."""

RULES = """format 1
game tiny
players red blue
board square 3 by 1
pieces stone
move place
  choose at in empty
  put stone at those(s in empty : s = at)
turn place
lose when stuck
"""
ROWS_FOR_THREE = """format 1
game rows
players red blue green
board square 4 by 3
pieces man
move place
  choose a in empty
  put man at a
turn place
win when some(l in lines(3) : l in own)
draw when stuck
"""
DICE_FOR_THREE = """format 1
game market
players red blue green
board square 4 by 1
pieces stall
state goods each = 0 in 0..20
move open
  choose a in empty
  put stall at a
  goods := goods + x(a)
move sell
  chance n in 0..2 by n + 1
  goods := goods + n * (1 + count own)
  write "{n}"
turn open sell
score goods when no empty
"""
"""Whoever opens the best stalls has the most to hope for."""

FAULTY = """format 1
game short
players red blue
board square 2 by 2
pieces stone "RB"
state spent = 0 in 0..1
move place
  choose cell in empty
  put stone at cell
  spent := spent + 1
turn place
draw when stuck
"""
"""Its second turn leaves the range of a state."""

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

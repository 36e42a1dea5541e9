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

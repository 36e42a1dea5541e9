"""The rules of a game that is read and played at once."""

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

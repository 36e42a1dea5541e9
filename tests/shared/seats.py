"""Games of four players and the ways in which these go out: their head, and the rest of each."""

HEAD = """format 1
game seats
players red blue green white
board square 4 by 3
pieces man
"""
WALK = """
setup
  put red man at a1 or b1
  put blue man at a3 or b3
  put green man at d2 or d1
  put white man at d3 or c3
move step
  choose a in own
  choose b in near(a) and not own
  move a to b
turn step
"""
GAMES = {
    "who has no piece is out, and so is who is stuck": f"""{WALK}
lose when stuck
win when no enemy
draw when repeats >= 2
""",
    "who decides and loses is out; later is better": f"""{WALK}
lose when own meets c2
lose when count own = 1
draw when ply > 30
""",
    "who is left is stuck, which decides before what else would": """
move place
  choose a in empty
  put man at a
turn place
lose when stuck
lose when count empty < 3
""",
    "who does not take the first part goes on with the second": """
move place
  choose a in empty
  put man at a
move take
  choose a in enemy
  clear a
  write "x{a}"
turn take? place
lose when count enemy > 7
lose when stuck
""",
    "places by a number of each, of who is still in": f"""{WALK}
lose when own meets b2
score count own - sum(p in others : count(s in own for p : near(s) meets own)) when ply > 9
draw when stuck
""",
    "the next player, all others, and each of them": """
state hand each = 3 in -20..20
state seen each player, k in 0..2 = 0 in 0..9
setup
  each p in players
    put p man at a1 if p = red else b1 if p = blue else c1 if p = green else d1
move place
  choose a in empty
  put man at a
  hand for next := hand - 1
  each p in others
    if any near(a) (own for p)
      hand for p := hand + 1
      seen(1) for p := (seen(1) + 1) mod 9
move give
  choose a in empty top
  put next man at a
  write "+{a}"
turn place or give
win when max(p in others : hand for p) > 6 and not mover = white
win when hand > sum(p in others : hand for p)
score hand + 2 * count(p in others, s in own : near(s) meets (own for p)) when no empty
""",
}

"""What tests of drawings draw: games of sizes that show everything, frames of small texts."""

from __future__ import annotations

SMALL = {
    "connect5": {"size": 7},
    "havannah": {"size": 4},
    "hex": {"size": 5},
    "pente": {"size": 7},
    "spanit": {"size": 3},
    "twixt": {"size": 8},
}
HEAD = "format 1\ngame drawn\nplayers first second\n"
TAIL = """
move place
  choose s in empty
  put stone at s
turn place
draw when no empty sites
"""
STARS = "board graph\n  line one two three\n" + 'pieces stone "XO"'

"""What people who know other languages and programs write, and how to say it here.

In: the words of a line that cannot be read, or a name that stands for nothing.  Out: a hint, or an
empty text.  One table for lines and one for names; the tests read every example of both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.language.build import Lexeme
from rulewright.records import Record, record


@record
class Habit(Record):
    """A line as it is written elsewhere (a pattern over its words, one blank apart) and here.

    `here` is what to write, with groups of the pattern in it; it is empty where there is no such
    thing.  `example` is a line that the pattern fits.
    """

    pattern: str
    told: str
    here: str
    example: str


_NAME = r"([a-z_]\w*)"
_FACTOR = r'factor \1 = \2 in 0..100 "what it is for"'
_SET = "a state is set to a new value"
_VALUE = "a value says what it is of and whom it is for"
_END = "an end of the game is told with `when`"
_NUMBER = r"(-? ?[\d.]+%?)"

# fmt: off
LINES: dict[tuple[str, str], tuple[Habit, ...]] = {
    ("rules", "item"): (
        Habit(r"players?:? (\d|two)", "name both players", "players red blue", "players 2"),
        Habit(rf"players {_NAME} {_NAME} [a-z]", "there are always two players", r"players \1 \2",
              "players red blue green"),
        Habit(rf"players:? {_NAME} ?(?:,|and|vs) ?{_NAME}", "names stand side by side",
              r"players \1 \2", "players red, blue"),
        Habit(r"board (?:size )?(\d+) ?(?:x|by|\*|,)? ?(\d+)", "say the shape first",
              r"board square \1 by \2", "board 5 by 5"),
        Habit(r"board square (\d+) (\d+)", "two sizes are joined by `by`", r"board square \1 by \2",
              "board square 5 5"),
        Habit(r"(win|lose|draw) if", _END, r"\1 when stuck", "lose if stuck"),
        Habit(r"(win|lose|draw) ?[:=]", _END, r"\1 when stuck", "draw = stuck"),
        Habit(r"(?:tie|stalemate|gameover|end)\b", "an end of the game is `win`, `lose` or `draw`",
              "draw when stuck", "tie when stuck"),
        Habit(rf"turn {_NAME} ?(?:,|->|- >|;|and|\+ (?=[a-z])) ?{_NAME}",
              "moves of a turn stand side by side", r"turn \1 \2", "turn place, take"),
        Habit(rf"turn {_NAME} ?\| ?{_NAME}", "one of two moves is told with `or`", r"turn \1 or \2",
              "turn place | take"),
        Habit(r"(?:dice|die|random|shuffle|deck|cards?)\b",
              "games here have no chance and nothing hidden", "", "dice 2"),
        Habit(r"(?:function|func|fn|macro) (\w+\( ?\w+ ?\))", "a definition begins with `let`",
              r"let \1 = own", "function around_it(a) = own"),
    ),
    ("rules", "effect"): (
        Habit(rf"put {_NAME} (?:on|to|in|into|onto|upon) (\w+)", "a piece is put `at` a site",
              r"put \1 at \2", "put stone on cell"),
        Habit(r"(?:move|carry|go|slide) (\w+) ?(?:-> ?|- > ?|,|into|onto|at|on)? ?(?!to\b)"
              r"([a-z]\w*)$",
              "a piece is moved `to` a site", r"move \1 to \2", "move cell -> a1"),
        Habit(r"choose (\w+) (?:from|of|on|at|=|:|within) ?([a-z]\w*)",
              "a site is chosen `in` a set", r"choose \1 in \2", "choose spot from empty"),
        Habit(r"(?:for|foreach|forall|each|every|loop)\b", "an effect acts on a whole set at once",
              "clear near(cell)", "for s in near(cell)"),
        Habit(r"(?:while|until|repeat|do)\b",
              "there are no loops: a turn repeats a move, `turn take+`, or a move gives another "
              "turn",
              "again", "while stuck"),
        Habit(rf"{_NAME} ?(\+|-) (?:=|: =|:=) ?(\w+)", _SET, r"\1 := \1 \2 \3", "tally += 1"),
        Habit(rf"{_NAME} (\+|-) \2", _SET, r"\1 := \1 \2 1", "tally++"),
        Habit(rf"(?:increment|inc|increase|raise) {_NAME}", _SET, r"\1 := \1 + 1",
              "increment tally"),
        Habit(rf"(?:decrement|dec|decrease|lower) {_NAME}", _SET, r"\1 := \1 - 1",
              "decrement tally"),
        Habit(rf"{_NAME} = = ?(\w+)", "a condition stands behind `need` or `if`, with one `=`",
              r"need \1 = \2", "tally == 1"),
        Habit(r"(?:roll|dice|random|shuffle|throw|toss|deal)\b",
              "games here have no chance: what happens is chosen by a player", "", "roll dice"),
        Habit(r"(?:stack|push|pop|pile)\b",
              "one piece stands on a site; a stack is a kind of its own, or a number in a state",
              "", "stack stone at cell"),
        Habit(r"(?:promote|transform|replace|become|turn) (\w+) (?:to|into|with|by|as) ([a-z]\w*)",
              "a piece is put in the place of another", r"put \2 at \1", "promote cell to king"),
        Habit(r"(?:flip|convert|turn) (\w+)$",
              "a piece is turned over by putting another in its place", r"put stone at \1",
              "flip cell"),
        Habit(r"(?:print|log|say|notate|name) (\".*\")", "how the decision is written is told with",
              r"write \1", 'print "a"'),
        Habit(r"(?:end|next|finish|pass|endturn|end_turn)\b",
              "a turn ends by itself when its course does; a move without effects is a pass", "",
              "end turn"),
    ),
    ("an evaluator", "item"): (
        Habit(rf"factors? {_NAME} =? ?{_NUMBER}$", "a factor has a range and says what it is for",
              _FACTOR, "factor corner = 40"),
        Habit(rf"factors? {_NAME} =? ?{_NUMBER} (?:in|points)\b.*(?:\d)$",
              "a factor says what it is for", _FACTOR, "factor corner = 40 in 0..100"),
        Habit(rf"factors? {_NAME} {_NUMBER}", "a factor is set with `=`", _FACTOR,
              'factor corner 40 in 0..100 "it"'),
        Habit(r"(?:factors|weights|parameters)", "each factor is a statement at the margin",
              'factor corner = 40 in 0..100 "what it is for"', "factors"),
        Habit(rf"(?!value|factor|let|table|path|scan){_NAME} (?:= |: ?)?{_NUMBER}$",
              "a number with a name is a factor", _FACTOR, "corner 40"),
        Habit(r"value (?:for|=|of position =|of the|for mover|: )", _VALUE,
              "value of position for mover = count own", "value for mover = count own"),
        Habit(rf"value {_NAME} (?:for|=)", _VALUE, r"value \1 of position for mover = count own",
              "value good = count own"),
    ),
    ("an evaluator", "table_row"): (
        Habit(rf"{_NAME} (?:= |: )?{_NUMBER}$",
              "a row of a table has a number for each site; a number with a name is a factor",
              _FACTOR, "corner 40"),
    ),
    ("a personality", "item"): (
        Habit(r"(?:search|algorithm) (\w+) (\d+)$", "what limits a search has a name",
              r"search \1, depth \2", "search minimax 3"),
        Habit(r"(?:depth|ply|plies|level) ?[=:]? ?(\d+)",
              "how deep a search looks stands in its line", r"search minimax, depth \1", "depth 3"),
        Habit(r"(?:time|seconds) ?[=:]? ?(\d+)", "how long a search may think stands in its line",
              r"search alphabeta, depth 9, time \1 s", "time 5"),
        Habit(rf"(?:(?:factors?|set|let|weight|option) )?{_NAME} ?(?:=|:|:=)? ?{_NUMBER}",
              "a factor is set with `=`", r"\1 = \2", "one 40"),
        Habit(r"(?:factors|weights|parameters)", "a factor is set in a line of its own", "one = 40",
              "factors"),
    ),
}
# fmt: on
"""Lines, by language and block; of several that fit the first is meant."""

WORDS = {
    "rules": {
        "capture": "clear", "remove": "clear", "delete": "clear", "kill": "clear",
        "place": "put", "add": "put", "set": "put", "require": "need", "assert": "need",
        "when": "need", "check": "need", "select": "choose", "pick": "choose",
        "elif": "else if", "elseif": "else if", "var": "let", "define": "let", "def": "let",
        "const": "let", "size": "option", "goal": "win", "rule": "move",
    },
    "an evaluator": {
        "weight": "factor", "parameter": "factor", "const": "let", "var": "let",
        "define": "let", "def": "let", "eval": "value", "score": "value", "return": "give",
        "start": "from", "when": "if", "elif": "else if", "end": "stop", "option": "factor",
    },
    "a personality": {
        "inherit": "extends", "base": "extends", "evaluator": "use", "choose": "pick",
        "select": "pick", "tie": "ties", "order": "prefer", "algorithm": "search",
        "book": "opening",
    },
}  # fmt: skip
"""Words that begin a line elsewhere, and the statement here, by language."""

NAMES = {
    "none": "the empty set is `nowhere`; `no ...` asks whether a set is empty",
    "nothing": "the empty set is `nowhere`",
    "null": "the empty set is `nowhere`",
    "nil": "the empty set is `nowhere`",
    "opponent": "the other player's pieces are `enemy`",
    "opponents": "the other player's pieces are `enemy`",
    "their": "the other player's pieces are `enemy`",
    "theirs": "the other player's pieces are `enemy`",
    "mine": "the pieces of whoever moves are `own`",
    "my": "the pieces of whoever moves are `own`",
    "me": "the pieces of whoever moves are `own`",
    "self": "the pieces of whoever moves are `own`",
    "occupied": "the sites with a piece are `full`",
    "vacant": "the sites without a piece are `empty`",
    "blank": "the sites without a piece are `empty`",
    "free": "the sites without a piece are `empty`",
    "cells": "all sites of the board are `sites`",
    "squares": "all sites of the board are `sites`",
    "everywhere": "all sites of the board are `sites`",
    "edge": "the sites at the edge are `border`",
    "edges": "the sites at the edge are `border`",
    "up": "the direction is `north`",
    "down": "the direction is `south`",
    "vertical": "both directions are `north or south`",
    "horizontal": "both directions are `east or west`",
    "turn_number": "the number of turns that are finished is `ply`",
    "move_number": "the number of turns that are finished is `ply`",
    "len": "the number of members is `count own`",
    "size": "the number of members is `count own`",
    "length": "the number of members is `count own`",
    "number": "the number of members is `count own`",
    "all": "for all members of a set one writes `every(s in own : s in border)`",
    "exists": "for a member of a set one writes `some(s in own : s in border)`",
    "forall": "for all members of a set one writes `every(s in own : s in border)`",
    "neighbours": "the sites next to some are `near(own)`",
    "neighbors": "the sites next to some are `near(own)`",
    "adjacent": "the sites next to some are `near(own)`",
    "then": "a condition ends with its line; what is done stands indented below",
    "connected": "whether sites are joined by pieces is `reach(own, top) meets bottom`",
}
"""Names that mean nothing here, unless a file defines them."""

JOINING = frozenset({"then", "next", "followed", "and", "after"})
"""Names in the course of a turn that join moves elsewhere."""


def of_line(line: Sequence[Lexeme], language: str, block: str) -> str:
    """A hint for a line that cannot be read."""
    words = " ".join(t.value.strip() for t in line if t.type not in ("NEWLINE", "$END"))
    for habit in LINES.get((language, block), ()):
        found = re.match(habit.pattern, words, re.IGNORECASE)
        if found:
            here = found.expand(habit.here).replace(" (", "(") if habit.here else ""
            return f"{habit.told}: `{here}`" if here else habit.told
    return ""


def of_word(word: str, language: str) -> str:
    """The statement here that a word from elsewhere stands for, or an empty text."""
    return WORDS[language].get(word.casefold(), "")


def of_name(name: str) -> str:
    """A hint for a name that stands for nothing."""
    return NAMES.get(name.casefold(), "")

"""What a game's kernels give to the search: linked by name, never run from here."""

from __future__ import annotations

from rulewright.compiler.runtime import GameArrays, StateWords, f64, floats, i64, ints


def decisions(g: GameArrays, n: i64) -> i64:
    """Write the decisions of the position from row n on; the row behind the last one."""
    raise NotImplementedError


def how_many(g: GameArrays, n: i64) -> i64:
    """How many decisions the position has; rows from n on are free."""
    raise NotImplementedError


def play(g: GameArrays, at: i64, top: i64) -> None:
    """Play the decision in the row at word `at`; rows from `top` on are free."""
    raise NotImplementedError


def stuck(g: GameArrays) -> i64:
    """The result for a player without a decision; RUNNING when no rule says one."""
    raise NotImplementedError


def position_key(s: StateWords) -> i64:
    """A hash of 62 bits, of all that determines the future but the earlier positions."""
    raise NotImplementedError


def result_key(s: StateWords) -> i64:
    """A hash of 62 bits, of all that determines who wins but the earlier positions."""
    raise NotImplementedError


def perft(g: GameArrays, saved: ints, counts: ints, depth: i64, level: i64, top: i64) -> i64:
    """Sequences of so many decisions; rows from `top` on are free."""
    raise NotImplementedError


def playouts(g: GameArrays, saved: ints, chance: ints, counts: ints, games: i64, most: i64) -> i64:
    """Random games from the position, each at most so many decisions; how many in all."""
    raise NotImplementedError


def begin_incremental(g: GameArrays) -> i64:
    """Set up what a random game keeps up to date; gives what `playout_on` is told."""
    raise NotImplementedError


def playout_on(g: GameArrays, chance: ints, most: i64, fast: i64) -> i64:
    """Go on with a random game that was broken off, with what is kept up to date as it stands."""
    raise NotImplementedError


def value(g: GameArrays, factors: floats) -> f64:
    """The value of a position by the evaluator: bigger is better for the first colour."""
    raise NotImplementedError


def judges(rows: ints, at: i64) -> i64:
    """Whether an evaluator's value of moves judges the decision in the row at word `at`."""
    raise NotImplementedError


def look(g: GameArrays, factors: floats) -> None:
    """Evaluate once the terms that all decisions of the position share."""
    raise NotImplementedError


def worth(g: GameArrays, factors: floats, at: i64) -> f64:
    """Return the value of that decision; bigger is better for the first colour."""
    raise NotImplementedError


def parts(g: GameArrays, factors: floats, parts: ints, at: i64) -> None:
    """Write all parts of that value, or of the position's value; floats as their bits."""
    raise NotImplementedError


def judged_by(g: GameArrays, which: i64, at: i64) -> i64:
    """As `judges`, of the value with the number *which*."""
    raise NotImplementedError


def look_by(g: GameArrays, factors: floats, which: i64) -> None:
    """As `look`, for the value with the number *which*."""
    raise NotImplementedError


def parts_by(g: GameArrays, factors: floats, parts: ints, which: i64, at: i64) -> None:
    """As `parts`, of the value with the number *which*."""
    raise NotImplementedError


def opens(g: GameArrays, factors: floats, last: ints, line: i64) -> i64:
    """Whether a line of an opening applies after the sites of the last decisions."""
    raise NotImplementedError


def wanted_by(g: GameArrays, factors: floats, last: ints, line: i64, number: i64, site: i64) -> i64:
    """Whether a line of an opening wants a site, in the set of that number."""
    raise NotImplementedError


def look_guided(g: GameArrays, factors: floats, role: i64) -> None:
    """Work out what `guided` asks for in all decisions of the position."""
    raise NotImplementedError


def guided(g: GameArrays, factors: floats, role: i64, at: i64) -> f64:
    """What the value in a role (`thread.FORCES` ...) says of the decision in the row at word `at`.

    Above 0 where the role is its own; of `ORDER` bigger ones go first.
    """
    raise NotImplementedError


def draw(g: GameArrays, chance: ints, n: i64) -> i64:
    """Write a random decision as a row, from n on; -1 if there is none, -2 to list them all."""
    raise NotImplementedError


def attempt(g: GameArrays, at: i64, n: i64) -> i64:
    """Play the decision in a row that was drawn; 0 if needs refuse it.  Rows from n are free."""
    raise NotImplementedError


def passes(g: GameArrays, factors: floats) -> f64:
    """Whether passing is harmless for who is at move, as the text of a player has it: above 0."""
    raise NotImplementedError


def lifeless(g: GameArrays, factors: floats) -> f64:
    """Whether the text of a player calls the position drawn: not 0."""
    raise NotImplementedError


def decides(g: GameArrays, factors: floats) -> f64:
    """Who has won by the text of a player: above 0 the first colour, below 0 the other."""
    raise NotImplementedError


def barred(g: GameArrays, factors: floats) -> f64:
    """Who cannot win any more by the text: above 0 the first colour, below 0 the other one."""
    raise NotImplementedError


def narrow(g: GameArrays, top: i64, n: i64) -> i64:
    """Keep those decisions in the rows from top to n that are worth a look; the new end."""
    raise NotImplementedError


def pattern_table() -> i64:
    """Where in the tables the description of the patterns begins."""
    raise NotImplementedError


def by_sets(g: GameArrays, at: i64) -> i64:
    """Match patterns around all points at once, into words from `at` on; how many hold, or -1.

    Of each that holds: the set of points where, the step to its move, its number and its rank.
    -1 where patterns are tried around one point after the other.
    """
    raise NotImplementedError


def path_ends(g: GameArrays, player: i64, at: i64) -> None:
    """Write a player's reference points: where paths leave ahead, then where they leave back."""
    raise NotImplementedError


def answer(g: GameArrays, factors: floats, last: ints, chance: ints, line: i64, n: i64) -> i64:
    """Draw a decision that a line of replies says, and write it as row n: its place, or -1.

    `last` are the sites of the last decisions, the last one first, -1 where there are fewer.
    """
    raise NotImplementedError


def site_chosen(g: GameArrays, at: i64) -> i64:
    """The site that the decision in a row chose, of several the last one; -1 for none."""
    raise NotImplementedError

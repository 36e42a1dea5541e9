"""`book`: an opening book from recorded games, as a personality that plays it."""

from __future__ import annotations

from argparse import Namespace

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, load_game, new_path
from rulewright.ground.printable import amount
from rulewright.learning.book_making import DEPTH, LEAST, BookTerms, make_book, write_book
from rulewright.players.personality import Personality


def write_opening_book(arguments: Namespace) -> int:
    """Make a book from recorded games, and write a personality that plays it."""
    game, out = load_game(arguments), new_path(arguments.out)
    personality = Personality.load(arguments.personality, game)
    terms = BookTerms(arguments.least, arguments.depth)
    lines, games = make_book(game, arguments.games, terms)
    write_book(personality, lines, out, arguments.personality)
    decisions = sum(len(entry.scores) for entry in lines)
    summary = f"{amount(len(lines), 'line')} with {amount(decisions, 'decision')}"
    data = {
        "file": str(out), "games": games,
        "lines": [
            {
                "after": entry.line.after,
                "decisions": [
                    {"move": text, "weight": weight, "points": points, "games": number}
                    for (text, weight), (points, number) in zip(
                        entry.line.choices, entry.scores, strict=True
                    )
                ],
            }
            for entry in lines
        ],
    }  # fmt: skip
    answer(arguments, data, [f"{summary} from {amount(games, 'game')}: {out}"])
    return 0


COMMANDS: dict[str, a.Command] = {
    "book": (write_opening_book, [
        *a.GAME, a.value("personality", "P", "the player that gets the book: a name, or a path"),
        a.value(
            "--games", "FILE", "records of matches, or recorded games", nargs="+", required=True
        ),
        a.value("--out", "FILE", "the new NAME.personality", required=True),
        a.value(
            "--least", "N", f"games in which a decision was played (default {LEAST})",
            type=a.whole, default=LEAST,
        ),
        a.value(
            "--depth", "N", f"how far the book goes (default {DEPTH})", type=a.whole,
            default=DEPTH,
        ),
        a.FORM,
    ]),
}  # fmt: skip

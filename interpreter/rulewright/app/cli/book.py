"""`book`: an opening book from recorded games or by search, as a personality that plays it."""

from __future__ import annotations

from argparse import Namespace

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, load_game, new_path
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.ground.printable import amount
from rulewright.learning.book_making import (
    DEPTH,
    LEAST,
    BookTerms,
    MadeLine,
    make_book,
    write_book,
)
from rulewright.learning.book_search import BookSearch, SearchTerms
from rulewright.players.analyze import judge_of
from rulewright.players.personality import Personality
from rulewright.players.player import GameLimits
from rulewright.search.driver import DEEPEST


def write_opening_book(arguments: Namespace) -> int:
    """Make a book from recorded games or by search, and write a personality that plays it."""
    game, out = load_game(arguments), new_path(arguments.out)
    personality = Personality.load(arguments.personality, game)
    lines, games = _book_lines(arguments, game, personality)
    write_book(personality, lines, out, arguments.personality)
    decisions = sum(len(book_line.reasons) for book_line in lines)
    summary = f"{amount(len(lines), 'line')} with {amount(decisions, 'decision')}"
    data = {"file": str(out), "games": games, "lines": list(map(_as_data, lines))}
    source = "by search" if games is None else f"from {amount(games, 'game')}"
    answer(arguments, data, [f"{summary} {source}: {out}"])
    return 0


def _book_lines(
    arguments: Namespace, game: Game, personality: Personality
) -> tuple[list[MadeLine], int | None]:
    """Return the lines of the book, and of how many games; None for a book by search."""
    if bool(arguments.games) == bool(arguments.search):
        raise RulewrightError("say where the book comes from: --games FILE..., or --search N")
    if arguments.games and arguments.nodes:
        raise RulewrightError("--nodes is for --search: records are not judged")
    if arguments.games:
        terms = BookTerms(arguments.least, arguments.depth)
        return make_book(game, arguments.games, terms)
    deeper = arguments.nodes and personality.model.number("depth")
    limits = GameLimits(nodes=arguments.nodes, depth=DEEPEST if deeper else None)
    judge = judge_of(game, arguments.personality, limits)
    return BookSearch(game, judge, SearchTerms(arguments.search, arguments.depth)).run(), None


def _as_data(book_line: MadeLine) -> dict[str, object]:
    """A line of a book, as JSON data."""
    pairs = zip(book_line.line.choices, book_line.facts, strict=True)
    decisions = [{"move": text, "weight": weight, **facts} for (text, weight), facts in pairs]
    return {"after": book_line.line.after, "decisions": decisions}


COMMANDS: dict[str, a.Command] = {
    "book": (write_opening_book, [
        *a.GAME, a.value("personality", "P", "the player that gets the book: a name, or a path"),
        a.value("--games", "FILE", "records of matches, or recorded games", nargs="+"),
        a.value(
            "--search", "N", "instead of games: how many positions the player judges",
            type=a.whole,
        ),
        a.nodes("nodes of the player in each of these positions, in place of its limits"),
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

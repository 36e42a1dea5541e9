"""`games` lists the known games, `show` draws a position, `moves` lists its decisions."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from typing import Any

from attrs import frozen

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, load_state, say, write_text
from rulewright.errors import RulewrightError
from rulewright.games.engine.sight import ALL, sight
from rulewright.games.files.games import bundled_games, known_games, load
from rulewright.games.files.kinds import summary
from rulewright.games.files.shelves import hidden_games, missing, place_of
from rulewright.ground.disk import read_text
from rulewright.ground.printable import amount, printable_name, shown_option
from rulewright.ground.translation import translate


def games(arguments: Namespace) -> int:
    """List the games that have a name, a line each, with the place of those not bundled."""
    bundled_names, rows = bundled_games(), list[_Listed]()
    for name, path in known_games().items():
        place = "" if name in bundled_names else place_of(path)
        try:
            about = summary(read_text(path, "replace"))
            rows.append(_Listed(name, about, dict(load(path).options), place, str(path)))
        except RulewrightError as error:
            reason = str(error).splitlines()[0]
            say(f"rulewright: {printable_name(path)} cannot be used: {reason}")
    for message in (*missing(), *hidden_games(bundled_names)):
        say(f"rulewright: {message}")
    width = max((len(game.name) for game in rows), default=0) + 2
    lines = [game.line(width) for game in rows]
    answer(arguments, {"games": [game.as_data() for game in rows]}, lines)
    return 0


@frozen
class _Listed:
    """A game of the list; `place` is empty for bundled games."""

    name: str
    about: str
    options: dict[str, Any]
    place: str
    path: str

    def line(self, width: int) -> str:
        """Write the game, its name in a column of *width* characters."""
        text = " ".join(f"{name}={shown_option(value)}" for name, value in self.options.items())
        options = f"  [{text}]" if text else ""
        place = f"  ({self.place})" * bool(self.place)
        return f"{self.name:<{width}}{translate(self.about)}{options}{place}"

    def as_data(self) -> dict[str, Any]:
        place = {"place": self.place, "path": self.path} if self.place else {}
        return {"name": self.name, "about": self.about, "options": self.options, **place}


def show(arguments: Namespace) -> int:
    """Print the position with the last turn and what won, or write it as SVG."""
    state = load_state(arguments)
    seat = None if arguments.seat == ALL else arguments.seat or state.mover
    part = sight(state, seat)
    if arguments.svg is not None:
        write_text(arguments.svg, part.svg())
        return 0
    from rulewright.games.render.board_text import (  # not needed for the other commands
        board_lines,
        plain,
    )

    board = plain(board_lines(part.scene, _width()))
    print(board + part.text().removeprefix(part.board()), end="")
    if state.result:
        print(f"# {state.result}")
    return 0


def _width() -> int | None:
    """The width of the terminal; None for a file or a pipe, which get the whole board."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def moves(arguments: Namespace) -> int:
    """List the legal decisions, whose turn it is, and the result."""
    state = load_state(arguments)
    result, texts = state.result, state.moves.texts
    ending = result and {"winner": result.winner, "rule": result.rule, "place": result.place}
    data = {"mover": state.mover, "moves": texts, "result": ending, "over": state.over}
    head = f"{state.mover} to move, {amount(len(texts), 'decision')}:"
    if chances := state.probabilities():
        head = f"chance decides for {state.mover}, {amount(len(texts), 'outcome')}:"
        data["chances"] = {text: str(chance) for text, chance in chances.items()}
        texts = [f"{text} ({chance})" for text, chance in chances.items()]
    answer(arguments, data, [head, " ".join(texts)] if result is None else [result])
    return 0


COMMANDS: dict[str, a.Command] = {
    "games": (games, [a.FORM]),
    "show": (show, [
        *a.GAME, *a.position(),
        a.value("--seat", "PLAYER", f"the player whose view it is, or {ALL} (default: the mover)"),
        a.value("--svg", "FILE", "write the board as SVG; - writes it to the output"),
    ]),
    "moves": (moves, [*a.GAME, *a.position(), a.FORM]),
}  # fmt: skip

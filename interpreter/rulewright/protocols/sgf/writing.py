"""From a recorded game to SGF."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright._version import __version__
from rulewright.errors import RulewrightError
from rulewright.protocols.formats import Sgf, formats
from rulewright.protocols.points import Points
from rulewright.protocols.recorded import Recorded, untold
from rulewright.protocols.sgf.grammar import HOW, NOTES, OPTIONS, grammar

_PROPERTY = re.compile("[A-Z]{1,64}")
"""The name of a property: the FF4 that other programs read has capital letters alone."""
_LETTER = {how: letter for letter, how in HOW.items()}


def write(recorded: Recorded) -> bytes:
    """The game as SGF; reading it gives the same game again."""
    game, sgf = recorded.game, grammar()
    style = formats(game).sgf
    if style.game is None:
        raise RulewrightError(
            f"{game.name} has no number in SGF; say it in {game.name}.toml beside the rules"
        )
    tree = sgf.Coarse_game_tree()
    root = _root(recorded, style)
    tree.sequence = [root, *_moves(recorded, style)]
    _comment(root, recorded.comments.get(0, ""))
    raw = [
        {name: [_escaped(v) for v in values] for name, values in node.items()}
        for node in tree.sequence
    ]
    tree.sequence = raw
    return bytes(sgf.serialise_game_tree(tree))


def _escaped(text: str) -> bytes:
    return bytes(grammar().escape_text(text.encode("utf-8")))


def _root(recorded: Recorded, style: Sgf) -> dict[str, list[str]]:
    board = recorded.game.rules.board
    square = board.width == board.height
    size = str(board.width) if square else f"{board.width}:{board.height}"
    known: dict[str, list[str]] = {
        "FF": ["4"], "GM": [str(style.game)], "CA": ["UTF-8"], "SZ": [size],
        "AP": [f"rulewright:{__version__}"],
    }  # fmt: skip
    for colour, name in zip(style.colours, recorded.names, strict=True):
        if name:
            known[f"P{colour}"] = [name]
    result = _result(recorded, style)
    if result:
        known["RE"] = [result]
    known |= _told_options(recorded, style)
    return _noted(recorded) | known


def _noted(recorded: Recorded) -> dict[str, list[str]]:
    """What files have told besides: properties of SGF, and what other formats say."""
    notes = recorded.notes.items()
    own = {name: list(values) for name, values in notes if _PROPERTY.fullmatch(name)}
    others = [f"{n}={v}" for n, values in notes if n not in own for v in values]
    return own | ({NOTES: others} if others else {})


def _told_options(recorded: Recorded, style: Sgf) -> dict[str, list[str]]:
    """The properties that tell the options in which a game differs from what SGF takes for it."""
    game, changed = recorded.game, untold(recorded)
    told = {name: [str(game.options[option])] for name, option in style.options.items()}
    changed = {n: v for n, v in changed.items() if n not in style.options.values()}
    for rule, options in style.rules.items():
        if options and all(changed.get(n) == v for n, v in options.items()):
            told["RU"] = [rule]
            changed = {n: v for n, v in changed.items() if n not in options}
            break
    if changed:
        told[OPTIONS] = [f"{name}={str(value).lower()}" for name, value in changed.items()]
    return told


def _result(recorded: Recorded, style: Sgf) -> str:
    end, ending = recorded.end, recorded.ending
    colours = dict(zip(recorded.game.players, style.colours, strict=True))
    if end.result is not None:
        return f"{colours[end.result.winner]}+" if end.result.winner else "0"
    if ending is None:
        return ""
    if ending.loser is None:
        return "Draw"
    winner = next(c for name, c in colours.items() if name != ending.loser)
    return f"{winner}+{_LETTER[ending.how]}"


def _moves(recorded: Recorded, style: Sgf) -> Iterator[dict[str, list[str]]]:
    points = Points(recorded.game, style.points, words=style.words)
    for number, state in enumerate(recorded.end.states()[1:], 1):
        assert state.before is not None
        colour = style.colours[state.before.situation.position.mover]
        node = {colour: [points.write(state.move)]}
        _comment(node, recorded.comments.get(number, ""))
        yield node


def _comment(node: dict[str, list[str]], text: str) -> None:
    if text:
        node["C"] = [text]

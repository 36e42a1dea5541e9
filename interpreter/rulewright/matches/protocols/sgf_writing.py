"""Writing games as SGF: the tree, with set-up, names, result, comments, marks and variations.

In: a recorded game.  Out: the bytes of a file, which `sgf.py` reads back.  Refuses games without a
number in SGF, and positions to begin with that SGF has no words for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from rulewright import __version__
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.matches.protocols.format_settings import Sgf, formats
from rulewright.matches.protocols.points import Points
from rulewright.matches.protocols.recorded import Ending, Recorded, Variation
from rulewright.matches.protocols.sgf_text import grammar
from rulewright.matches.protocols.turn_sites import turn_at, whole_branch
from rulewright.model.board import bits
from rulewright.search.results import refuse_seats

OPTIONS = "RWOPT"
"""The property of this program for options that SGF has no property for."""
NOTES = "RWNOTE"
"""The property of this program for notes from another format, `kind 2=C`."""
HOW = {"R": "resigned", "T": "time", "F": "forfeit"}
"""Kinds of `Ending`, by the letter behind `B+`."""


_PROPERTY = re.compile("[A-Z]{1,64}")
"""Matches the name of a property: capital letters alone, as FF[4] has it."""
_LETTER = {how: letter for letter, how in HOW.items()}


def write(recorded: Recorded) -> bytes:
    """Write the game as SGF; reading it gives the same game again."""
    game, sgf = recorded.game, grammar()
    refuse_seats(game.rules, "SGF")
    style = formats(game).sgf
    if style.game is None and not style.ending:
        raise RulewrightError(
            f"{game.name} has no number in SGF; say it in {game.name}.toml beside the rules"
        )
    tree = sgf.Coarse_game_tree()
    root = _root(recorded, style) | _set_up_properties(recorded, style)
    _comment(root, recorded.comments.get(0, ""))
    tree.sequence = [_escaped(root)]
    points = Points(game, style.points, words=style.words)
    line = Variation(0, (), recorded.comments, recorded.marks, recorded.variations)
    _Writer(points, style).grow(tree, recorded.end.states(), line)
    return bytes(sgf.serialise_game_tree(tree))


def _escaped(node: Mapping[str, list[str]]) -> dict[str, list[bytes]]:
    escape = grammar().escape_text
    return {name: [escape(v.encode()) for v in values] for name, values in node.items()}


@frozen
class _Writer:
    points: Points
    style: Sgf

    def grow(self, tree: Any, states: list[State], line: Variation) -> None:
        """Add a line of play to a tree, whose first state is that in which it begins."""
        number = 0
        while number + 1 < len(states):
            text, count = self._move_at(states, number)
            inside = range(line.at + number, line.at + number + count)
            branches = [
                whole_branch(v, states, line.at, inside[0])
                for v in line.variations
                if v.at in inside
            ]
            if branches:
                tree = self._branch(tree, states[number], branches)
            node = {self.style.colours[states[number].situation.position.mover]: [text]}
            for at in inside:
                self._annotate(node, line, at + 1)
            tree.sequence.append(_escaped(node))
            number += count
        behind = [v for v in line.variations if v.at == line.at + number]
        if behind:
            tree = self._branch(tree, states[number], behind)
            tree.sequence.append({})  # the line itself ends here

    def _branch(self, tree: Any, start: State, branches: list[Variation]) -> Any:
        """Let a tree part from a state on; returns the part that goes on with the line."""
        tree.children = [grammar().Coarse_game_tree() for _ in range(len(branches) + 1)]
        for child, branch in zip(tree.children[1:], branches, strict=True):
            inside = [start]
            for decision in branch.decisions:
                inside.append(inside[-1].play_decision(decision))
            child.sequence = []
            self.grow(child, inside, branch)
        tree.children[0].sequence = []
        return tree.children[0]

    def _move_at(self, states: list[State], number: int) -> tuple[str, int]:
        """The text of the move that begins in a state, and how many decisions it has."""
        if not self.style.turns:
            return self.points.write(states[number + 1].move), 1
        turn = turn_at(states, number)
        if turn is None:
            raise RulewrightError(
                "SGF holds whole turns of this game, and the last is not finished"
            )
        plain = "".join(state.move for state in turn.states)
        return self.points.join(turn.way, plain), len(turn.states)

    def _annotate(self, node: dict[str, list[str]], line: Variation, number: int) -> None:
        """Add the marks and the comment of a board to a node."""
        for name, values in line.marks.get(number, {}).items():
            node.setdefault(name, list(values))
        before = "".join(node.get("C", []))
        _comment(node, f"{before}\n{line.comments.get(number, '')}".strip("\n"))


def _root(recorded: Recorded, style: Sgf) -> dict[str, list[str]]:
    board = recorded.game.rules.board
    square = board.width == board.height
    width = recorded.game.options.get("size", board.width)  # hexagons count the sites of a side
    size = str(width) if square else f"{board.width}:{board.height}"
    properties: dict[str, list[str]] = {
        "FF": ["4"], "GM": [str(style.game or recorded.game.name)], "CA": ["UTF-8"], "SZ": [size],
        "AP": [f"rulewright:{__version__}"],
    }  # fmt: skip
    for colour, name in zip(style.colours, recorded.names, strict=True):
        if name:
            properties[f"P{colour}"] = [name]
    result = result_text(recorded.end, recorded.ending, style)
    if result and "RE" not in recorded.notes:
        properties["RE"] = [result]
    properties |= _option_properties(recorded, style)
    return _note_properties(recorded) | properties


def _set_up_properties(recorded: Recorded, style: Sgf) -> dict[str, list[str]]:
    """The properties that set up the position with which a game begins, if it is not the start."""
    if not recorded.is_set_up:
        return {}
    game, first = recorded.game, recorded.first.situation.position
    points, start = Points(game, style.points, words=style.words), game.start().situation.position
    names = game.rules.board.names
    position, properties = start, dict[str, list[str]]()
    for owner, colour in enumerate(style.colours):
        stones = first.owned[owner]
        if stones != start.owned[owner]:
            properties[f"A{colour}"] = [points.write(names[site]) for site in bits(stones)]
            position = position.put(owner, 0, stones)
    empty = start.full & ~first.full
    if empty:
        properties["AE"] = [points.write(names[site]) for site in bits(empty)]
    if evolve(position.without(empty), mover=first.mover) != first or len(first.kinds) != 1:
        raise RulewrightError("this game begins from a position that SGF has no words for")
    return properties | {"PL": [style.colours[first.mover]]}


def _note_properties(recorded: Recorded) -> dict[str, list[str]]:
    """The notes of a recorded game: properties of SGF, and notes of other formats."""
    notes = recorded.notes.items()
    own = {name: list(values) for name, values in notes if _PROPERTY.fullmatch(name)}
    lines = [f"{n}={v}" for n, values in notes if n not in own for v in values]
    return own | ({NOTES: lines} if lines else {})


def _option_properties(recorded: Recorded, style: Sgf) -> dict[str, list[str]]:
    """The properties of the options in which a game differs from SGF's defaults."""
    game, changes = recorded.game, recorded.changed_options()
    chosen_options = {n: o for n, o in style.options.items() if o not in recorded.default_options}
    numbers = {name: float(game.options[option]) for name, option in chosen_options.items()}
    properties = {name: [repr(number).removesuffix(".0")] for name, number in numbers.items()}
    changes = {n: v for n, v in changes.items() if n not in style.options.values()}
    for rule, options in style.rules.items():
        if options and all(changes.get(n) == v for n, v in options.items()):
            properties["RU"] = [rule]
            changes = {n: v for n, v in changes.items() if n not in options}
            break
    if changes:
        properties[OPTIONS] = [f"{name}={str(value).lower()}" for name, value in changes.items()]
    return properties


def result_text(end: State, ending: Ending | None, style: Sgf) -> str:
    """What `RE` says of a game by the rules, or else by its ending; empty if it goes on."""
    colours = dict(zip(end.game.players, style.colours, strict=True))
    if end.result is not None:
        return f"{colours[end.result.winner]}+" if end.result.winner else "0"
    if ending is None:
        return ""
    if ending.loser is None:
        return "Draw"
    winner = next(c for name, c in colours.items() if name != ending.loser)
    return f"{winner}+{_LETTER.get(ending.how, '')}"


def _comment(node: dict[str, list[str]], text: str) -> None:
    if text:
        node["C"] = [text]

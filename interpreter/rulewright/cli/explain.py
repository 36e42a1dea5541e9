"""`rulewright explain`."""

from __future__ import annotations

from argparse import Namespace
from typing import TypeAlias

from attrs import evolve

from rulewright.cli.common import load_state, print_json, thinking, write_text
from rulewright.cli.explained import print_explanation
from rulewright.errors import GameOver
from rulewright.players.difference import Difference, difference, partings
from rulewright.players.explain import explain
from rulewright.players.heat import heat
from rulewright.players.personality import Personality
from rulewright.protocols.contestant import Contestant
from rulewright.render.svg import scene_svg
from rulewright.search.beside import in_time

_Pair: TypeAlias = tuple[Personality, Personality]
_TRIED = 20
"""Positions that are looked at where two personalities agree."""
_LISTED = 3
"""Of those where they part, how many are told."""
_SECONDS = 10.0
"""How long that may take."""


def run(arguments: Namespace) -> int:
    """Show what a personality thinks of the decisions of a position, and what decides."""
    state = load_state(arguments)
    if state.over:
        raise GameOver(f"there is nothing to explain: the game is over ({state.result})")
    if arguments.move:
        state.play_decision(arguments.move)  # says what is wrong with it before anyone thinks
    personality = Contestant.parse(arguments.personality).alone(state.game)
    with thinking(f"{personality.name} thinks about {len(state.moves)} decisions"):
        found = in_time(lambda: explain(state, personality, arguments.seed))
    shown = (found.judged(arguments.move),) if arguments.move else found.moves
    other, second = None, personality
    if arguments.versus:
        second = Contestant.parse(arguments.versus).alone(state.game)
        other = in_time(lambda: difference(state, personality, second, arguments.seed))
    if arguments.svg:
        map_ = heat(state, found)
        drawn = scene_svg(state.scene, map_.texts, map_.shares, map_.chosen, map_.notes)
        write_text(arguments.svg, drawn)
        if arguments.svg == "-":
            return 0
    if arguments.format == "json":
        data = evolve(found, moves=shown).as_data()
        if other is not None:
            versus = {"personality": arguments.versus, "chosen": other.second}
            data["versus"] = {**versus, "factors": list(other.factors)}
        print_json(data)
        return 0
    print_explanation(found, shown, arguments.most if not arguments.move else 1)
    if other is not None:
        _print_difference(arguments, (personality, second), other)
    return 0


def _print_difference(arguments: Namespace, pair: _Pair, found: Difference) -> None:
    first, second = (one.name for one in pair)
    if first == second:  # one personality, changed behind @: only what was typed tells them apart
        first, second = arguments.personality, arguments.versus
    if found.first != found.second:
        print(f"{second} plays {found.second}{_because(found, first, second)}")
        return
    print(f"{second} plays {found.second} too")
    with thinking("other positions"):
        others, looked = partings(*pair, _TRIED, arguments.seed, _SECONDS)
    print(f"they part in {len(others)} of {looked} positions of random games", end="")
    print(":" if others else "")
    for one in others[:_LISTED]:
        told = f"{first} {one.found.first}, {second} {one.found.second}"
        moves = " ".join(one.moves)
        print(f'  --moves "{moves}"\n    {told}{_because(one.found, first, second)}')


def _because(found: Difference, first: str, second: str) -> str:
    if not found.factors:
        return ""
    return f" (with only {' or '.join(found.factors)} of {second}, {first} would too)"

"""`rulewright explain`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli.common import load_state, print_json, thinking, write_text
from rulewright.cli.explained import print_explanation
from rulewright.errors import GameOver
from rulewright.picture.svg import position_svg
from rulewright.players.difference import Difference, difference
from rulewright.players.explain import explain
from rulewright.players.heat import heat
from rulewright.protocols.contestant import Contestant
from rulewright.search.beside import in_time


def run(arguments: Namespace) -> int:
    """Show what a personality thinks of the decisions of a position, and what decides."""
    state = load_state(arguments)
    if state.over:
        raise GameOver(f"there is nothing to explain: the game is over ({state.result})")
    if arguments.move:
        state.play_decision(arguments.move)  # says what is wrong with it before anyone thinks
    personality = Contestant.parse(arguments.personality).alone(state.game)
    with thinking(f"{personality.name} thinks about {len(state.moves())} decisions"):
        found = in_time(lambda: explain(state, personality, arguments.seed))
    shown = (found.judged(arguments.move),) if arguments.move else found.moves
    other: Difference | None = None
    if arguments.versus:
        second = Contestant.parse(arguments.versus).alone(state.game)
        other = in_time(lambda: difference(state, personality, second, arguments.seed))
    if arguments.svg:
        shares = heat(state, found)
        play, position = state.game.play, state.situation.position
        write_text(arguments.svg, position_svg(play, position, shares.texts, shares.shares))
        if arguments.svg == "-":
            return 0
    if arguments.format == "json":
        data = found.as_data()
        if arguments.move:
            data["moves"] = [m for m in data["moves"] if m["move"] == arguments.move]  # type: ignore[attr-defined]
        if other is not None:
            versus = {"personality": arguments.versus, "chosen": other.second}
            data["versus"] = {**versus, "factors": list(other.factors)}
        print_json(data)
        return 0
    print_explanation(found, shown, arguments.most if not arguments.move else 1)
    if other is not None:
        _print_difference(found.personality, arguments.versus, other)
    return 0


def _print_difference(first: str, second: str, found: Difference) -> None:
    if found.first == found.second:
        print(f"{second} plays {found.second} too")
        return
    print(f"{second} plays {found.second}")
    if found.factors:
        print(f"with only {' or '.join(found.factors)} of {second}, {first} would play it too")

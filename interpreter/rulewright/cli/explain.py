"""Why: `explain` asks a personality, `why` and `why-not` ask the rules."""

from __future__ import annotations

from argparse import Namespace
from typing import TypeAlias

from attrs import evolve

from rulewright.checks.reasons import Reason, why_not
from rulewright.cli import arguments as a
from rulewright.cli.common import load_state, print_json, thinking, write_text
from rulewright.cli.explained import print_explanation
from rulewright.errors import GameOver
from rulewright.players.explain import explain
from rulewright.players.heat import heat
from rulewright.players.lint import Difference, difference, partings
from rulewright.players.personality import Personality
from rulewright.printable import amount
from rulewright.protocols.contestant import Contestant
from rulewright.render.svg import scene_svg
from rulewright.search.beside import in_time

# --- explain ---


_Pair: TypeAlias = tuple[Personality, Personality]
_TRIED = 20
"""Positions that are looked at where two personalities agree."""
_LISTED = 3
"""Of those where they part, how many are told."""
_SECONDS = 10.0
"""How long that may take."""


def explain_position(arguments: Namespace) -> int:
    """Show what a personality thinks of the decisions of a position, and what decides."""
    state = load_state(arguments)
    if state.over:
        raise GameOver(f"there is nothing to explain: the game is over ({state.result})")
    if arguments.move:
        state.play_decision(arguments.move)  # says what is wrong with it before anyone thinks
    personality = Contestant.parse(arguments.personality).alone(state.game)
    with thinking(f"{personality.name} thinks about {amount(len(state.moves), 'decision')}"):
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
    print(f"they part in {len(others)} of {amount(looked, 'position')} of random games", end="")
    print(":" if others else "")
    for one in others[:_LISTED]:
        told = f"{first} {one.found.first}, {second} {one.found.second}"
        moves = " ".join(one.moves)
        print(f'  --moves "{moves}"\n    {told}{_because(one.found, first, second)}')


def _because(found: Difference, first: str, second: str) -> str:
    if not found.factors:
        return ""
    return f" (with only {' or '.join(found.factors)} of {second}, {first} would too)"


# --- why, why-not ---


def why_illegal(arguments: Namespace) -> int:
    """Say which clause forbids a decision; 1 when it is legal."""
    return int(_answer(arguments).legal)


def _answer(arguments: Namespace) -> Reason:
    """The reason, which is printed."""
    reason = why_not(load_state(arguments), arguments.move)
    if arguments.format == "json":
        print_json(reason.as_data())
    else:
        print(reason)
    return reason


def why_legal(arguments: Namespace) -> int:
    """Say what makes a decision legal; 1 when it is not, with the clause that forbids it."""
    return int(not _answer(arguments).legal)


_DECISION = a.value("move", "MOVE", "a decision")
COMMANDS: dict[str, a.Command] = {
    "explain": (explain_position, [
        *a.GAME,
        a.value("move", "MOVE", "explain this decision only", nargs="?", default=""),
        a.value("--personality", "P", "its name, a path, or NAME@depth=2", required=True),
        a.value("--versus", "P2", "what makes this personality decide otherwise"),
        *a.position(),
        a.value("--most", "N", "decisions shown as text (default 8)", type=a.whole, default=8),
        a.value("--svg", "FILE", "draw the values on the board; - writes it to the output"),
        a.whole_time(), a.seed(), a.FORM,
    ]),
    "why-not": (why_illegal, [*a.GAME, _DECISION, *a.position(), a.FORM]),
    "why": (why_legal, [*a.GAME, _DECISION, *a.position(), a.FORM]),
}  # fmt: skip

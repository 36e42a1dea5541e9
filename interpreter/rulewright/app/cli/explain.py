"""Why: `explain` asks a personality, `why` and `why-not` ask the rules."""

from __future__ import annotations

from argparse import Namespace
from typing import TypeAlias

from attrs import evolve

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, load_state, print_json, tell, thinking, write_text
from rulewright.app.cli.explained import print_explanation
from rulewright.checks.reasons import Reason, why_not
from rulewright.checks.seen_reasons import why_not_seen
from rulewright.errors import GameOver, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.engine.sight import ALL
from rulewright.games.files.catalog import PERSONALITY
from rulewright.games.files.kinds import files_of
from rulewright.games.render.svg import Annotations, scene_svg
from rulewright.ground.printable import amount
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.protocols.format_settings import formats
from rulewright.players.explain import explain
from rulewright.players.heat import heat
from rulewright.players.lint import Difference, difference, partings
from rulewright.players.personality import Personality
from rulewright.search.background import in_time

# --- explain ---


_Pair: TypeAlias = tuple[Personality, Personality]
_TRIED = 20
"""Positions of random games in which two personalities are compared if they agree."""
_LISTED = 3
"""Positions with different decisions that are listed at most."""
_SECONDS = 10.0
"""Seconds for that comparison."""


def explain_position(arguments: Namespace) -> int:
    """Show what a personality thinks of the decisions of a position, and what decides."""
    state = load_state(arguments)
    if state.over:
        raise GameOver(f"there is nothing to explain: the game is over ({state.result})")
    if arguments.move:
        state.play_decision(arguments.move)  # an illegal move is reported before any search
    arguments.personality = arguments.personality or _best_personality(state.game)
    personality = Contestant.parse(arguments.personality).alone(state.game)
    with thinking(f"{personality.name} thinks about {amount(len(state.moves), 'decision')}"):
        explanation = in_time(lambda: explain(state, personality, arguments.seed))
    moves = (explanation.judged(arguments.move),) if arguments.move else explanation.moves
    contrast, second = None, personality
    if arguments.versus:
        second = Contestant.parse(arguments.versus).alone(state.game)
        contrast = in_time(lambda: difference(state, personality, second, arguments.seed))
    if arguments.svg:
        map_ = heat(state, explanation)
        drawing = scene_svg(
            state.scene, Annotations(map_.texts, map_.shares, map_.decision_site, map_.notes)
        )
        write_text(arguments.svg, drawing)
        if arguments.svg == "-":
            return 0
    if arguments.format == "json":
        data = evolve(explanation, moves=moves).as_data()
        if contrast is not None:
            versus = {"personality": arguments.versus, "chosen": contrast.second}
            data["versus"] = {**versus, "factors": list(contrast.factors)}
        print_json(data)
        return 0
    print_explanation(explanation, moves, arguments.most if not arguments.move else 1)
    if contrast is not None:
        _print_difference(arguments, (personality, second), contrast)
    return 0


def _best_personality(game: Game) -> str:
    """Return the player that the text names best, or the only one; raises `RulewrightError`."""
    names = sorted(files_of(PERSONALITY, game))
    best = formats(game).play.best or (names[0] if len(names) == 1 else "")
    if not best:
        choice = ", ".join(names) or "the game has none"
        raise RulewrightError(f"`{game.name}` names no best player: say --personality P ({choice})")
    return best


def _print_difference(arguments: Namespace, pair: _Pair, difference: Difference) -> None:
    first, second = (personality.name for personality in pair)
    if first == second:  # the same personality with factors behind @: name them as they were typed
        first, second = arguments.personality, arguments.versus
    if difference.first != difference.second:
        tell(f"{second} plays {difference.second}{_because(difference, first, second)}")
        return
    tell(f"{second} plays {difference.second} too")
    with thinking("other positions"):
        positions, count = partings(*pair, _TRIED, arguments.seed, _SECONDS)
    apart = f"they decide differently in {len(positions)} of {amount(count, 'position')}"
    tell(f"{apart} of random games{':' if positions else ''}")
    for position in positions[:_LISTED]:
        decisions = f"{first} {position.difference.first}, {second} {position.difference.second}"
        moves = " ".join(position.moves)
        print(f'  --moves "{moves}"\n    {decisions}{_because(position.difference, first, second)}')


def _because(difference: Difference, first: str, second: str) -> str:
    if not difference.factors:
        return ""
    return f" (with only {' or '.join(difference.factors)} of {second}, {first} would too)"


# --- why, why-not ---


def why_illegal(arguments: Namespace) -> int:
    """Say which clause forbids a decision; 1 if it is legal."""
    return int(_answer(arguments).legal)


def _answer(arguments: Namespace) -> Reason:
    """Print why a decision is legal or not, and return the reason."""
    answering = why_not if arguments.seat == ALL else why_not_seen
    reason = answering(load_state(arguments), arguments.move)
    answer(arguments, reason.as_data(), [reason])
    return reason


def why_legal(arguments: Namespace) -> int:
    """Say what makes a decision legal; 1 if it is not, with the clause that forbids it."""
    return int(not _answer(arguments).legal)


_DECISION = a.value("move", "MOVE", "a decision")
_SEAT = a.choice("--seat", [ALL], None, "tell also what the player to move does not see")
COMMANDS: dict[str, a.Command] = {
    "explain": (explain_position, [
        *a.GAME,
        a.value("move", "MOVE", "explain this decision only", nargs="?", default=""),
        a.value("--personality", "P", "its name, a path, or NAME@depth=2 (default: the best)",
                default=""),
        a.value("--versus", "P2", "a second personality: show why it decides differently"),
        *a.position(),
        a.value("--most", "N", "decisions shown as text (default 8)", type=a.whole, default=8),
        a.value("--svg", "FILE", "draw the values on the board; - writes it to the output"),
        a.whole_time(), a.seed(), a.FORM,
    ]),
    "why-not": (why_illegal, [*a.GAME, _DECISION, *a.position(), _SEAT, a.FORM]),
    "why": (why_legal, [*a.GAME, _DECISION, *a.position(), _SEAT, a.FORM]),
}  # fmt: skip

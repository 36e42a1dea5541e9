"""`rulewright factors`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli.common import load_game, print_json
from rulewright.game import Game
from rulewright.knowledge import evaluators, load_evaluator, summary
from rulewright.model.evaluation import Evaluator, Factor, Value
from rulewright.model.expressions import MOVER
from rulewright.model.personality import Personality
from rulewright.personality_files import load_personality, personalities


def run(arguments: Namespace) -> int:
    """List the evaluators of a game with their factors, and its personalities."""
    game = load_game(arguments)
    judges = [load_evaluator(game, name) for name in evaluators(game)]
    players = [load_personality(game, name) for name in personalities(game)]
    about = {name: summary(path.read_text("utf-8")) for name, path in evaluators(game).items()}
    if arguments.format == "json":
        print_json({
            "game": game.name,
            "evaluators": [_evaluator(e, about[e.name], game) for e in judges],
            "personalities": [_personality(p) for p in players],
        })  # fmt: skip
        return 0
    for judge in judges:
        print(f"evaluator {judge.name}: {about[judge.name]}")
        for value in judge.values:
            print(f"  value {value.name}: {_of(value, game)}")
        width = max((len(f.name) for f in judge.factors), default=0)
        for factor in judge.factors:
            print(f"  {factor.name:<{width}}  {shown(factor)}  {factor.meaning}")
    for player in players:
        print(f"personality {player.name}: {player.about}")
    if not judges and not players:
        print(f"{game.name} has no evaluators and no personalities")
    return 0


def shown(factor: Factor) -> str:
    """The default and the range of a factor, with its unit."""
    numbers = [factor.default, factor.low, factor.high]
    default, low, high = (_number(n * 100) + "%" if factor.percent else _number(n) for n in numbers)
    unit = f" {factor.unit}" if factor.unit and not factor.percent else ""
    return f"{default} in {low}..{high}{unit}"


def _number(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else f"{number:g}"


def _of(value: Value, game: Game) -> str:
    side = "whoever moves" if value.player == MOVER else game.players[value.player]
    moves = " or ".join(game.rules.moves[m].name for m in value.moves)
    what = f"the move {moves}" if value.moves else "a position"
    return f"of {what}, bigger is better for {side}"


def _evaluator(judge: Evaluator, about: str, game: Game) -> dict[str, object]:
    return {
        "name": judge.name,
        "about": about,
        "values": [
            {
                "name": v.name,
                "of": [game.rules.moves[m].name for m in v.moves] or "position",
                "side": "mover" if v.player == MOVER else game.players[v.player],
            }
            for v in judge.values
        ],
        "factors": [
            {
                "name": f.name, "meaning": f.meaning, "low": f.low, "high": f.high,
                "default": f.default, "unit": f.unit or None, "for_search": f.for_search,
                "evaluator": f.evaluator,
            }
            for f in judge.factors
        ],
    }  # fmt: skip


def _personality(player: Personality) -> dict[str, object]:
    return {
        "name": player.name,
        "about": player.about,
        "evaluator": player.evaluator.name if player.evaluator else None,
        "search": player.search.kind,
        "factors": dict(player.given),
    }

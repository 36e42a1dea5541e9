"""Factors: `factors` lists those of a game's files, `lint` says which never change a decision."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from attrs import field, frozen

from rulewright import budget
from rulewright.cli import arguments as a
from rulewright.cli.common import load_game, print_json, settings, thinking
from rulewright.disk import read_text
from rulewright.engine.game import Game
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.files.catalog import EVALUATOR, PERSONALITY, by_suffix, load_personality
from rulewright.files.kinds import FileContext, Report, check_path, files_of, summary
from rulewright.files.kinds import shown as shown_path
from rulewright.model import personality as m
from rulewright.model.evaluation import Evaluator, Factor, ValueOf
from rulewright.model.expressions import MOVER
from rulewright.model.personality import Number
from rulewright.players.lint import FactorUse, each_position, lint
from rulewright.players.personality import Personality
from rulewright.printable import amount, named
from rulewright.search.beside import in_time

# --- factors ---


@frozen
class _Listed:
    """What is listed of a game; `about` is the first sentence of each evaluator's text."""

    game: Game
    judges: tuple[Evaluator, ...]
    players: tuple[m.Personality, ...]
    about: Mapping[str, str]
    faulty: tuple[str, ...] = ()
    """Files that have mistakes."""
    values: Mapping[str, Number] = field(factory=dict)
    """Values of factors, where a personality is asked about."""


def factors(arguments: Namespace) -> int:
    """List the evaluators of a game with their factors, and its personalities; or one of these."""
    listed = _asked_for(arguments)
    if arguments.format == "json":
        print_json(_data(listed))
    else:
        print("\n".join(_lines(listed)))
    for file in listed.faulty:
        print(
            f"{named(file)} has mistakes; `rulewright check {named(file)}` shows them",
            file=sys.stderr,
        )
    return 1 if listed.faulty else 0


def _asked_for(arguments: Namespace) -> _Listed:
    kind = by_suffix().get(Path(arguments.game).suffix)
    if kind in (EVALUATOR, PERSONALITY):
        if arguments.personality is not None:
            raise RulewrightError("name a game before the personality, or a file alone")
        told: dict[str, Any] = settings(arguments.set)
        path = Path(arguments.game)
        return _alone(path, check_path(kind, path, FileContext(None, path.parent, told)))
    game = load_game(arguments)
    if arguments.personality is None:
        return _all(game)
    return _personal(game, load_personality(game, arguments.personality), None)


def _all(game: Game) -> _Listed:
    judges, players, about, faulty = [], [], {}, []
    for path in files_of(EVALUATOR, game).values():
        judged = check_path(EVALUATOR, path, FileContext(game, path.parent))
        if judged.model is None or judged.source is None:
            faulty.append(shown_path(path))
        else:
            judges.append(judged.model)
            about[judged.model.name] = summary(judged.source.text)
    for path in files_of(PERSONALITY, game).values():
        read = check_path(PERSONALITY, path, FileContext(game, path.parent))
        players.append(read.model) if read.model else faulty.append(shown_path(path))
    return _Listed(game, tuple(judges), tuple(players), about, tuple(faulty))


def _alone(path: Path, report: Report[Any]) -> _Listed:
    """What stands in a file of its own: an evaluator, or a personality."""
    model: Evaluator | m.Personality = report.loaded()
    assert report.game is not None
    assert report.source is not None
    if isinstance(model, Evaluator):
        return _Listed(report.game, (model,), (), {model.name: summary(report.source.text)})
    return _personal(report.game, model, path.parent)


def _personal(game: Game, player: m.Personality, folder: Path | None) -> _Listed:
    """A personality, and its evaluator with the values that it gives factors."""
    judge = player.evaluator
    if judge is None:
        return _Listed(game, (), (player,), {})
    values = dict(zip((f.name for f in judge.factors), player.factors, strict=True))
    file = files_of(EVALUATOR, game, folder).get(judge.name)
    about = {judge.name: summary(read_text(file))} if file else {}
    return _Listed(game, (judge,), (player,), about, values=values)


def _lines(listed: _Listed) -> Iterator[str]:
    if not listed.judges and not listed.players:
        yield f"{listed.game.name} has no evaluators and no personalities"
    for judge in listed.judges:
        yield f"evaluator {judge.name}: {listed.about.get(judge.name, '')}".rstrip()
        yield from (f"  value {value.name}: {_of(value, listed.game)}" for value in judge.values)
        width = max((len(f.name) for f in judge.factors), default=0)
        for factor in judge.factors:
            told = shown(factor, listed.values.get(factor.name))
            yield f"  {factor.name:<{width}}  {told}  {factor.meaning}"
    for player in listed.players:
        yield f"personality {player.name}: {player.about}".rstrip()


def shown(factor: Factor, value: Number | None = None) -> str:
    """The value of a factor (unsaid: its default) and its range, with its unit."""
    told = factor.written(factor.default if value is None else value)
    unit = f" {factor.unit}" if factor.unit and not factor.percent else ""
    changed = value is not None and value != factor.default
    instead = f" (default {shown(factor).partition(' in ')[0]})" if changed else ""
    return f"{told}{instead} in {factor.range}{unit}"


def _of(value: ValueOf, game: Game) -> str:
    side = "whoever moves" if value.player == MOVER else game.players[value.player]
    moves = " or ".join(game.rules.moves[m].name for m in value.moves)
    what = f"the move {moves}" if value.moves else "a position"
    return f"of {what}, bigger is better for {side}"


def _data(listed: _Listed) -> dict[str, object]:
    game = listed.game
    return {
        "game": game.name,
        "evaluators": [_evaluator(e, listed.about.get(e.name, ""), game) for e in listed.judges],
        "personalities": [_personality(p) for p in listed.players],
        **({"values": dict(listed.values)} if listed.values else {}),
    }


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


def _personality(player: m.Personality) -> dict[str, object]:
    return {
        "name": player.name,
        "about": player.about,
        "evaluator": player.evaluator.name if player.evaluator else None,
        "search": player.search.kind,
        "factors": dict(player.given),
    }


# --- lint ---


def lint_personality(arguments: Namespace) -> int:
    """Say which factors never change a decision; 1 when there are some."""
    game = load_game(arguments)
    personality = Personality.load(arguments.personality, game)
    with thinking(f"{personality.name} decides in {amount(arguments.positions, 'position')}"):
        found, looked = _in_time(personality, arguments.positions, arguments.seed)
    if looked < arguments.positions:
        told = f"the time was over after {looked} of {amount(arguments.positions, 'position')}"
        print(f"rulewright: {told}; give more with --time", file=sys.stderr)
    idle = [one.factor for one in found if not one.changed]
    if arguments.format == "json":
        factors = [{"name": one.factor, "changed": one.changed} for one in found]
        data = {"personality": personality.name, "positions": looked}
        print_json({**data, "factors": factors, "idle": idle})
        return 1 if idle else 0
    width = max((len(one.factor) for one in found), default=0)
    for one in found:
        told = f"changed {one.changed} of {amount(one.positions, 'decision')}"
        print(f"{one.factor:<{width}}  {told if one.changed else 'never changed a decision'}")
    return 1 if idle else 0


def _in_time(personality: Personality, positions: int, seed: int) -> tuple[list[FactorUse], int]:
    """How often each factor changed a decision, in as many positions as there is time for."""
    found, looked = dict[str, FactorUse](), 0
    states = each_position(personality.game, positions, Random(seed))
    try:
        while state := in_time(partial(next, states, None)):
            for use in in_time(partial(lint, personality, 1, seed, (state,))):
                before = found.get(use.factor, FactorUse(use.factor, 0, 0))
                changed, number = before.changed + use.changed, before.positions + use.positions
                found[use.factor] = FactorUse(use.factor, changed, number)
            looked += 1
            if budget.over():
                break
    except OutOfBudget:
        if not looked:
            raise
    return list(found.values()), looked


COMMANDS: dict[str, a.Command] = {
    "factors": (factors, [
        *a.GAME,
        a.value("personality", "P", "only this personality's, with its values", nargs="?"),
        a.FORM,
    ]),
    "lint": (lint_personality, [
        *a.GAME, a.value("personality", "P", "its name, or a path"),
        a.value("--positions", "N", "positions tried (default 20)", type=a.whole, default=20),
        a.whole_time(), a.seed(), a.FORM,
    ]),
}  # fmt: skip

"""Factors: `factors` lists those of a game's files, `lint` says which never change a decision."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from attrs import field, frozen

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, load_game, say, settings, thinking
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.catalog import EVALUATOR, PERSONALITY, by_suffix, load_personality
from rulewright.games.files.kinds import FileContext, Report, base_of, check_path, files_of, summary
from rulewright.games.files.kinds import message_name as shown_path
from rulewright.ground import budget
from rulewright.ground.disk import read_text
from rulewright.ground.printable import amount, printable_name
from rulewright.ground.records import fields_as_json
from rulewright.ground.translation import translate
from rulewright.model import personality as m
from rulewright.model.evaluation import Evaluator, Factor, ValueOf
from rulewright.model.expressions import MOVER
from rulewright.model.personality import Number
from rulewright.players.lint import FactorUse, each_position, lint
from rulewright.players.personality import Personality
from rulewright.search.background import in_time

# --- factors ---


@frozen
class _Listed:
    """The contents of a list; `about` is the first sentence of each evaluator's file."""

    game: Game
    judges: tuple[Evaluator, ...]
    players: tuple[m.Personality, ...]
    about: Mapping[str, str]
    faulty: tuple[str, ...] = ()
    """Files that have mistakes."""
    values: Mapping[str, Number] = field(factory=dict)
    """Values of factors, if the list is about a personality."""


def factors(arguments: Namespace) -> int:
    """List the evaluators of a game with their factors, and its personalities; or one of these."""
    listing = _list_requested(arguments)
    answer(arguments, _data(listing), _lines(listing))
    for file in listing.faulty:
        name = printable_name(file)
        say(f"{name} has mistakes; `rulewright check {name}` shows them")
    return 1 if listing.faulty else 0


def _list_requested(arguments: Namespace) -> _Listed:
    kind = by_suffix().get(Path(arguments.game).suffix)
    if kind in (EVALUATOR, PERSONALITY):
        if arguments.personality is not None:
            raise RulewrightError("name a game before the personality, or a file alone")
        options: dict[str, Any] = settings(arguments.set)
        path = Path(arguments.game)
        return _list_file(path, check_path(kind, path, FileContext(None, path.parent, options)))
    game = load_game(arguments)
    if arguments.personality is None:
        return _list_game(game)
    return _list_personality(game, load_personality(game, arguments.personality), None)


def _list_game(game: Game) -> _Listed:
    judges, players, about, failed = [], [], {}, []
    for path in files_of(EVALUATOR, game).values():
        judged = check_path(EVALUATOR, path, FileContext(game, path.parent))
        if judged.model is None or judged.source is None:
            failed.append(path)
        else:
            judges.append(judged.model)
            about[judged.model.name] = summary(judged.source.text)
    for path in files_of(PERSONALITY, game).values():
        player_file = check_path(PERSONALITY, path, FileContext(game, path.parent))
        players.append(player_file.model) if player_file.model else failed.append(path)
    # A file of the game's base need not fit the game; it has no mistake for that.
    faulty = tuple(shown_path(path) for path in failed if not base_of(game, path))
    return _Listed(game, tuple(judges), tuple(players), about, faulty)


def _list_file(path: Path, report: Report[Any]) -> _Listed:
    """List the evaluator or the personality in a file."""
    model: Evaluator | m.Personality = report.loaded()
    assert report.game is not None
    assert report.source is not None
    if isinstance(model, Evaluator):
        return _Listed(report.game, (model,), (), {model.name: summary(report.source.text)})
    return _list_personality(report.game, model, path.parent)


def _list_personality(game: Game, player: m.Personality, folder: Path | None) -> _Listed:
    """List a personality, and its evaluator with the personality's values of factors."""
    judge = player.evaluator
    if judge is None:
        return _Listed(game, (), (player,), {})
    values = dict(zip((f.name for f in judge.factors), player.factors, strict=True))
    file = files_of(EVALUATOR, game, folder).get(judge.name)
    about = {judge.name: summary(read_text(file))} if file else {}
    return _Listed(game, (judge,), (player,), about, values=values)


def _lines(listing: _Listed) -> Iterator[str]:
    if not listing.judges and not listing.players:
        yield f"{listing.game.name} has no evaluators and no personalities"
    for judge in listing.judges:
        yield f"evaluator {judge.name}: {listing.about.get(judge.name, '')}".rstrip()
        yield from (f"  value `{v.name}`: {_value_text(v, listing.game)}" for v in judge.values)
        width = max((len(f.name) for f in judge.factors), default=0)
        for factor in judge.factors:
            text = factor_text(factor, listing.values.get(factor.name))
            yield f"  {factor.name:<{width}}  {text}  {translate(factor.meaning)}"
    for player in listing.players:
        yield f"personality {player.name}: {player.about}".rstrip()


def factor_text(factor: Factor, value: Number | None = None) -> str:
    """Write the value of a factor (by default its default) and its range, with its unit."""
    text = factor.value_text(factor.default if value is None else value)
    unit = f" {factor.unit}" if factor.unit and not factor.percent else ""
    is_changed = value is not None and value != factor.default
    instead = f" (default {factor_text(factor).partition(' in ')[0]})" if is_changed else ""
    return f"{text}{instead} in {factor.range}{unit}"


def _value_text(value: ValueOf, game: Game) -> str:
    side = "the player to move" if value.player == MOVER else game.players[value.player]
    moves = " or ".join(game.rules.moves[m].name for m in value.moves)
    subject = f"the move `{moves}`" if value.moves else "a position"
    return f"of {subject}, bigger is better for {side}"


def _data(listing: _Listed) -> dict[str, object]:
    game = listing.game
    return {
        "game": game.name,
        "evaluators": [_evaluator(e, listing.about.get(e.name, ""), game) for e in listing.judges],
        "personalities": [_personality(p) for p in listing.players],
        **({"values": dict(listing.values)} if listing.values else {}),
    }


def _evaluator(judge: Evaluator, about: str, game: Game) -> dict[str, object]:
    return {
        "name": judge.name, "about": about,
        "values": [
            {
                "name": v.name, "of": [game.rules.moves[m].name for m in v.moves] or "position",
                "side": "mover" if v.player == MOVER else game.players[v.player],
            }
            for v in judge.values
        ],
        "factors": [
            fields_as_json(f, "name meaning low high default unit? for_search evaluator")
            for f in judge.factors
        ],
    }  # fmt: skip


def _personality(player: m.Personality) -> dict[str, object]:
    judge = player.evaluator.name if player.evaluator else None
    return {
        "name": player.name, "about": player.about, "evaluator": judge,
        "search": player.search.kind, "factors": dict(player.factor_settings),
    }  # fmt: skip


# --- lint ---


def lint_personality(arguments: Namespace) -> int:
    """Say which factors never change a decision; 1 if there are some."""
    game = load_game(arguments)
    personality = Personality.load(arguments.personality, game)
    with thinking(f"{personality.name} decides in {amount(arguments.positions, 'position')}"):
        uses, count = _in_time(personality, arguments.positions, arguments.seed)
    if count < arguments.positions:
        text = f"the time was over after {count} of {amount(arguments.positions, 'position')}"
        say(f"rulewright: {text}; give more with --time")
    idle = [use.factor for use in uses if not use.changed]
    factors = [{"name": use.factor, "changed": use.changed} for use in uses]
    data = {"personality": personality.name, "positions": count}
    if uses or arguments.format == "json":
        answer(arguments, {**data, "factors": factors, "idle": idle}, _use_lines(uses))
    return 1 if idle else 0


def _use_lines(uses: list[FactorUse]) -> Iterator[str]:
    width = max(len(use.factor) for use in uses)
    for use in uses:
        text = f"changed {use.changed} of {amount(use.positions, 'decision')}"
        yield f"{use.factor:<{width}}  {text if use.changed else 'never changed a decision'}"


def _in_time(personality: Personality, positions: int, seed: int) -> tuple[list[FactorUse], int]:
    """Count how often each factor changes a decision, in as many positions as there is time for."""
    uses, count = dict[str, FactorUse](), 0
    states = each_position(personality.game, positions, Random(seed))
    try:
        while state := in_time(partial(next, states, None)):
            for use in in_time(partial(lint, personality, 1, seed, (state,))):
                before = uses.get(use.factor, FactorUse(use.factor, 0, 0))
                changed, number = before.changed + use.changed, before.positions + use.positions
                uses[use.factor] = FactorUse(use.factor, changed, number)
            count += 1
            if budget.over():
                break
    except OutOfBudget:
        if not count:
            raise
    return list(uses.values()), count


COMMANDS: dict[str, a.Command] = {
    "factors": (factors, [
        *a.GAME,
        a.value("personality", "P", "a personality: its factors, and their values", nargs="?"),
        a.FORM,
    ]),
    "lint": (lint_personality, [
        *a.GAME, a.value("personality", "P", "its name, or a path"),
        a.value("--positions", "N", "positions tried (default 20)", type=a.whole, default=20),
        a.whole_time(), a.seed(), a.FORM,
    ]),
}  # fmt: skip

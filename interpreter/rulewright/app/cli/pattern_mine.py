"""`rulewright patterns mine`: patterns from recorded games."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import PurePath

from attrs import asdict

from rulewright.app.cli.common import answer, load_game, new_path
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.kinds import FileContext, check_file, load_file
from rulewright.ground.disk import write_whole
from rulewright.ground.printable import amount
from rulewright.learning.mining import Mined, MiningTerms, judge, mine
from rulewright.learning.pattern_writing import patterns_text
from rulewright.learning.placements import ReadingTerms, read_placements
from rulewright.learning.strengths import Prediction
from rulewright.players.pattern_use import Workbench


def mine_patterns(arguments: Namespace) -> int:
    """Mine patterns, write them, and say how well they tell the moves of games held out."""
    game, out = load_game(arguments), new_path(arguments.out)
    like = load_file(PATTERNS, game, arguments.like) if arguments.like else None
    others = {name: load_file(PATTERNS, game, name) for name in arguments.beside}
    terms = MiningTerms(
        arguments.reach, arguments.near, arguments.least, arguments.most, arguments.held_out,
        arguments.seed,
    )  # fmt: skip
    reading = ReadingTerms(arguments.skip, arguments.winners)
    decisions = read_placements(game, arguments.games, reading)
    mined = mine(game, decisions, like, terms)
    predictions = {out.stem: mined.prediction}
    predictions |= {
        name: judge(Workbench(game, file), mined.train, mined.test) for name, file in others.items()
    }
    about = [f"Mined from {_sources(arguments)}:", *_summary(mined)]
    text = patterns_text(mined.bench, mined.patterns, terms.near, about)
    check_file(PATTERNS, out.name, text.encode(), FileContext(game, out.parent)).loaded()
    write_whole(out, text.encode())
    answer(arguments, _data(mined, predictions), [*_summary(mined), *_table(predictions)])
    return 0


def _sources(arguments: Namespace) -> str:
    return ", ".join(PurePath(name).name for name in arguments.games)


def _summary(mined: Mined) -> Iterator[str]:
    games = len({d.game for d in mined.train})
    held = len({d.game for d in mined.test})
    yield (
        f"{amount(len(mined.patterns), 'pattern')} of {amount(len(mined.train), 'decision')} in "
        f"{amount(games, 'game')}; judged by {amount(len(mined.test), 'decision')} in {held} others"
    )


def _table(predictions: dict[str, Prediction]) -> Iterator[str]:
    width = max(map(len, predictions))
    yield f"{'':{width}}  proposed  mean rank  first  among ten  loss in bits"
    for name, p in predictions.items():
        yield (
            f"{name:{width}}  {p.proposed:8.1%}  {p.rank:9.1f}  {p.first:5.1%}  {p.ten:9.1%}"
            f"  {p.loss:12.3f}"
        )


def _data(mined: Mined, predictions: dict[str, Prediction]) -> dict[str, object]:
    patterns = [
        {
            "name": entry.pattern.name, "kind": entry.pattern.kind,
            "priority": entry.pattern.priority, "strength": entry.strength,
            "played": entry.played, "proposed": entry.proposed,
        }
        for entry in mined.patterns
    ]  # fmt: skip
    return {"patterns": patterns, "predictions": {n: asdict(p) for n, p in predictions.items()}}

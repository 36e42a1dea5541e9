"""Games on record, played again: whether files and games are as the record says.

In: a match on record, or its players.  Out: the hashes of the files behind players, none for those
that come from no file; what is not as the record says, in sentences; the states of a game.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rulewright.errors import Fault, MoveError, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import EVALUATOR, PATTERNS, PERSONALITY
from rulewright.games.files.games import find, load_named
from rulewright.games.files.kinds import FileKind, find_file
from rulewright.ground.disk import read_bytes, read_text
from rulewright.ground.printable import amount
from rulewright.language.diagnostics import TextError
from rulewright.matches.game_record import ORDINALS, GameRecord
from rulewright.matches.plan import Adjudication, MatchPlan
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.record_files import Match
from rulewright.matches.referee import Places, seat_places
from rulewright.players.player import Decision
from rulewright.search.results import person

# --- hashes of files ---


_BUILDS = re.compile(r"^(use|extends|consider\s+patterns)\s+([\w-]+)", re.MULTILINE | re.IGNORECASE)
"""What builds upon another file: in pattern files words begin with capitals."""


def rules_hash(name_or_path: str) -> str:
    """The hash of a rules file."""
    return _digest([find(name_or_path)])


def file_hashes(contestant: Contestant, game: Game) -> dict[str, str]:
    """The hashes of the files that make a player: its personality, evaluators, patterns."""
    if contestant.player_name in ("random", "computer", "search"):
        return {}
    bare = contestant.player_name.removeprefix(f"{game.name}/")
    named_path = Path(contestant.player_name)
    path = named_path if named_path.suffix == ".personality" else find_file(PERSONALITY, game, bare)
    if path is None:
        return {}
    files = _files(game, path)
    kinds = {"personality": "personality", "eval": "evaluator", "patterns": "patterns"}
    return {
        kind: _digest(own_files)
        for suffix, kind in kinds.items()
        if (own_files := sorted(f for f in files if f.suffix == f".{suffix}"))
    }


def _files(game: Game, path: Path, path_chain: tuple[Path, ...] = ()) -> set[Path]:
    """A file and all that it builds upon."""
    files = {path}
    for word, name in _BUILDS.findall(read_text(path)):
        file = _file(game, path, word.lower(), name)
        if file is not None and file not in (*path_chain, path):
            files |= _files(game, file, (*path_chain, path))
    return files


def _file(game: Game, path: Path, word: str, name: str) -> Path | None:
    """The file that a line of another one names."""
    kind: FileKind[Any] = EVALUATOR if word == "use" else PERSONALITY
    if word.startswith("consider") or path.suffix == PATTERNS.suffix:
        kind = PATTERNS
    return find_file(kind, game, name, path.parent)


def _digest(files: list[Path]) -> str:
    """SHA-256 of the texts one after the other, each after its length; the first 16 figures."""
    digest = hashlib.sha256()
    for file in files:
        data = read_bytes(file)
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:16]


# --- playing again ---


def game_of_plan(plan: MatchPlan) -> Game:
    """The game of a plan, with its options."""
    return load_named("the record", plan.game, dict(plan.options))


def recorded_states(game: Game, record: GameRecord) -> list[State]:
    """The states of a game, the first one included; raises `MoveError` where it goes wrong."""
    states = [game.start()]
    for text in record.decisions:
        states.append(states[-1].play_decision(text))
    return states


def verify(match: Match) -> Iterator[str]:
    """Everything in which the games differ from what their record says."""
    yield from match.damaged
    yield from changed_files(match.plan)
    game = game_of_plan(match.plan)
    for record in match.games:
        for complaint in mistakes(game, match.plan, record):
            yield f"game {record.number}: {complaint}"


def changed_files(plan: MatchPlan) -> Iterator[str]:
    """The files that are no longer what they were when the match was begun."""
    hashes_then = plan.hashes
    now: dict[str, Mapping[str, str]] = {"": {"rules": rules_hash(plan.game)}}
    game = game_of_plan(plan)
    for text in plan.players:
        try:
            now[text] = file_hashes(Contestant.parse(text), game)
        except (RulewrightError, OSError) as error:
            why = "it has mistakes" if isinstance(error, TextError) else error  # quotes no lines
            yield f"{text} cannot be read any more: {why}"
            now[text] = hashes_then.get(text, {})
    for name, before in hashes_then.items():
        after = now.get(name, {})
        for kind in sorted({*before, *after}):
            if before.get(kind) != after.get(kind):
                owner = f" of {name}" if name else ""
                digest_then, digest_now = before.get(kind, "none"), after.get(kind, "none")
                yield f"the {kind}{owner} changed since: {digest_then} then, {digest_now} now"


def mistakes(game: Game, plan: MatchPlan, record: GameRecord) -> Iterator[str]:
    """List what is wrong with one game."""
    if record.match != plan.name:
        yield f"this line names the match {record.match}, and the record is of {plan.name}"
    state = game.start()
    for number, move in enumerate(record.moves, 1):
        if not state.over and move.seat != person(state):
            yield f"decision {number}: it was the other seat's turn"
        try:
            state = state.play_decision(move.text) if not state.over else state.play(move.text)
        except (MoveError, Fault) as error:
            yield f"decision {number}: {error}"
            return
    yield from _ending(state, record, plan)


def _ending(state: State, record: GameRecord, plan: MatchPlan) -> Iterator[str]:
    turns = len(state.turns())
    if turns != record.turns:
        yield f"it has {amount(turns, 'turn')}, and the record says {record.turns}"
    if record.reason == "rules":
        yield from _by_rules(state, record)
    elif record.reason == "claimed" and not state.claimable:
        yield "a draw was claimed, and no draw may be claimed here"
    elif state.over:
        yield f"it ended by the rules ({state.result}), and the record says: {record.reason}"
    else:
        yield from _by_others(state, record, plan)


def _by_others(state: State, record: GameRecord, plan: MatchPlan) -> Iterator[str]:
    """List what is wrong with a game that the rules did not end: who failed has lost it."""
    nobody = ("claimed", "long", "fault")
    if record.places:
        yield from _by_failure(state, record, plan)
        return
    if record.reason == "adjudicated":
        agreed = agreed_on(state, record, plan.adjudication)
        if record.winner != agreed:
            yield f"the values of both agree that {_seat(agreed)} won, not {_seat(record.winner)}"
    elif record.reason == "refused" and (record.winner is None) == (plan.refused == "lost"):
        yield f"a refused decision counts as `{plan.refused}`, and {_seat(record.winner)} won"
    elif (record.winner is None) != (record.reason in nobody) and record.reason != "refused":
        yield f"a game that ended by `{record.reason}` cannot have this winner"
    elif record.reason == "long" and record.turns < plan.longest:
        yield f"the game has {record.turns} turns, and only {plan.longest} turns make a game long"
    elif record.winner == person(state) and len(record.moves) > record.opening:
        yield f"{_seat(record.winner)} was to decide when it ended by `{record.reason}`, and won"


def _by_failure(state: State, record: GameRecord, plan: MatchPlan) -> Iterator[str]:
    """List what is wrong with a game of several that the rules did not end: who failed is last."""
    last = [seat for seat, place in enumerate(record.places) if place == plan.seats]
    failed = record.reason not in ("claimed", "long", "adjudicated")
    is_drawn = all(place == 1 for place in record.places)
    may_be_drawn = not failed or (record.reason == "refused" and plan.refused != "lost")
    if not (is_drawn and may_be_drawn) and not (len(last) == 1 and failed):
        yield f"a game that ended by `{record.reason}` cannot have these places"
    elif record.reason == "long" and record.turns < plan.longest:
        yield f"the game has {record.turns} turns, and only {plan.longest} turns make a game long"
    elif last and last != [person(state)] and len(record.moves) > record.opening:
        yield f"{_seat(last[0])} was not to decide when it ended by `{record.reason}`, and is last"


def agreed_on(state: State, record: GameRecord, rule: Adjudication | None) -> int | None:
    """The seat that is ahead by the last values of both; None for nobody."""
    if rule is None:
        return None
    lead = list[float]()
    steps = list(zip(state.states(), record.moves, strict=False))
    for before, move in steps[record.opening :]:
        if before.turn_begins and not before.by_chance:
            value = Decision(move.text, move.value, result=move.result).ahead
            lead.append(value if move.seat == 0 else -value)
    return rule.winner(lead)


def _by_rules(state: State, record: GameRecord) -> Iterator[str]:
    result = state.result
    if result is None:
        yield "it is not over, and the record says that the rules ended it"
        return
    places, rule = seat_places(state, result), f"{result.rule} ({result.place})"
    if record.places and places != record.places:
        yield f"the places are {_numbers(places)}, and the record says: {_numbers(record.places)}"
    winner = places.index(1) if places.count(1) == 1 else None
    if winner != record.winner:
        yield f"{_seat(winner)} won, and the record says: {_seat(record.winner)}"
    if rule != record.detail:
        yield f"it ended by `{rule}`, and the record says: `{record.detail}`"


def _seat(seat: int | None) -> str:
    return "nobody" if seat is None else f"the {ORDINALS[seat]} player"


def _numbers(places: Places) -> str:
    return ", ".join(map(str, places))

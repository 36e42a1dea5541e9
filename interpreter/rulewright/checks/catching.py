"""Claims that catch a difference: true of the rules, and not of what might be in their place.

In: the first position in which two games differ, and how to read both with a claim more.  Out: a
claim as a line of the rules, tried on both; none where the language has no words for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from attrs import evolve

from rulewright.checks.apart import truths_apart
from rulewright.checks.claims import FailedClaim, after, start, wins
from rulewright.checks.compare import GameDifference
from rulewright.checks.subject import Subject
from rulewright.engine.game import Game, State
from rulewright.errors import Fault, OutOfBudget, RulewrightError
from rulewright.resolve.claims import NOBODY

Read = Callable[[str, Mapping[str, object]], Game]
"""The game of a text with options."""
TRIED = 6
"""Claims that are tried for one difference."""


def with_claims(text: str, claims: Iterable[str]) -> str:
    """A text with claims behind its last line."""
    return text.rstrip("\n") + "\n" + "".join(f"{claim}\n" for claim in claims)


def failing_claim(text: str, claims: list[str], read: Read) -> FailedClaim | str | None:
    """The first of *claims*, put behind a text, that does not hold in its game; None if all do.

    Of who wins, what the moves decide is asked, and nothing is searched for.
    """
    longer = with_claims(text, claims)
    try:
        game = read(longer, {})
        alone = evolve(game.rules, claims=game.rules.claims[-len(claims) :])
        subject = Subject(evolve(game, rules=alone), None, lambda options: read(longer, options))
        facts = start(subject), after(subject), wins(subject, ended=True)
        return next(chain.from_iterable(facts), None)
    except Fault as fault:
        return str(fault)


def catching(
    found: GameDifference,
    games: tuple[Game, Game],
    settings: str,
    texts: tuple[str, str],
    read: Read,
) -> str:
    """A claim that holds in the first text and not in the second; empty if none is found."""
    proposed = list(dict.fromkeys(_proposed(found, games, settings)))[:TRIED]
    for claim in proposed:
        try:
            if failing_claim(texts[0], [claim], read) is not None:
                continue
        except OutOfBudget:
            raise
        except RulewrightError:
            continue
        try:
            if failing_claim(texts[1], [claim], read) is not None:
                return claim
        except OutOfBudget:
            raise
        except RulewrightError:
            return claim  # the changed text cannot even be read with it
    return ""


def _proposed(found: GameDifference, games: tuple[Game, Game], settings: str) -> Iterator[str]:
    """Claims about a difference, the plainest first."""
    state, other = (_after(game, found.moves) for game in games)
    if state.over:
        yield _won(state, settings)
    if found.truths:
        yield _true(found.first, settings, found.moves)
    only = found.only_second or (_next(other) if state.over else ())
    for text in sorted(only, key=len)[:2]:
        yield f'claim no "{text}"{_behind(settings, found.moves)}'
    for text in sorted(found.only_first, key=len)[:2] or _next(state):
        following = state.play_decision(text)
        if following.over:
            yield _won(following, settings)
        for truth in _told(following):
            yield _true(truth, settings, (*found.moves, text))
    if not state.over:
        yield _true(f"mover = {state.mover}", settings, found.moves)


def _after(game: Game, moves: tuple[str, ...]) -> State:
    state = game.start()
    for text in moves:
        state = state.play_decision(text)
    return state


def _next(state: State) -> Sequence[str]:
    """Decisions of a game that goes on, where the other one may have ended."""
    try:
        return () if state.over else state.moves.texts[:2]
    except Fault:
        return ()


def _behind(settings: str, moves: tuple[str, ...]) -> str:
    played = f' after "{" ".join(moves)}"' if moves else ""
    return (f" with {settings}" if settings else "") + played


def _won(state: State, settings: str) -> str:
    result = state.result
    winner = (result.winner if result else None) or NOBODY
    return f"claim {winner} wins{_behind(settings, tuple(state.decisions()))}"


def _true(truth: str, settings: str, moves: tuple[str, ...]) -> str:
    if not moves and not settings:
        return f"claim start {truth}"
    behind = _behind(settings, moves)
    return f"claim{behind} {truth}" if moves else f'claim{behind} after "" {truth}'


def _told(state: State) -> Iterator[str]:
    """What the last decision did to a position, as whoever moves now sees it."""
    before = state.before
    if before is None:
        return
    seen = (truth for truth, _ in truths_apart(state, before))
    gained = [truth for truth in seen if not truth.endswith("empty")]
    yield from gained[:1]
    here = state.situation.position
    own, enemy = (here.owned[p].bit_count() for p in (here.mover, 1 - here.mover))
    yield f"count own = {own} and count enemy = {enemy}"

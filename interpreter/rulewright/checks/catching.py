"""Claims that catch a difference: true of the rules, and not of what might be in their place.

In: the first position in which two games differ, and how to read both with a claim more.  Out: a
claim as a line of the rules, tried on both; none where the language has no words for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain

from attrs import evolve

from rulewright.checks.apart import truths_apart
from rulewright.checks.claims import FailedClaim, after, failed_win_claims, start
from rulewright.checks.compare import GameDifference
from rulewright.checks.subject import Subject
from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.ground.budget import suppress_refusals
from rulewright.language.resolve.claims import NOBODY

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
        facts = start(subject), after(subject), failed_win_claims(subject, ended=True)
        return next(chain.from_iterable(facts), None)
    except Fault as fault:
        return str(fault)


def catching(
    difference: GameDifference,
    games: tuple[Game, Game],
    settings: str,
    texts: tuple[str, str],
    read: Read,
) -> str:
    """A claim that holds in the first text and not in the second; empty if none is found."""
    proposed = list(dict.fromkeys(_proposed(difference, games, settings)))[:TRIED]
    return next(
        (c for c in proposed if not _fails(c, texts[0], read) and _fails(c, texts[1], read)), ""
    )


def _fails(claim: str, text: str, read: Read) -> bool:
    """Whether a claim does not hold of a text, or the text cannot even be read with it."""
    with suppress_refusals():
        return failing_claim(text, [claim], read) is not None
    return True


def first_failing(text: str, claims: Iterable[str], read: Read) -> str:
    """The first of *claims*, tried one by one, that a text does not keep; empty if it keeps all."""
    return next((claim for claim in claims if _fails(claim, text, read)), "")


def _proposed(difference: GameDifference, games: tuple[Game, Game], settings: str) -> Iterator[str]:
    """Claims about a difference, the plainest first."""
    state, other = (reduce(State.play_decision, difference.moves, g.start()) for g in games)
    if state.over:
        yield _won(state, settings)
    if difference.truths:
        yield _true(difference.first, settings, difference.moves)
    only = difference.only_second or (_next(other) if state.over else ())
    for text in sorted(only, key=len)[:2]:
        yield f'claim no "{text}"{_behind(settings, difference.moves)}'
    for text in sorted(difference.only_first, key=len)[:2] or _next(state):
        following = state.play_decision(text)
        if following.over:
            yield _won(following, settings)
        for truth in _effects(following):
            yield _true(truth, settings, (*difference.moves, text))
    if not state.over:
        yield _true(f"mover = {state.mover}", settings, difference.moves)


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


def _effects(state: State) -> Iterator[str]:
    """Truths about the effect of the last decision, as the player to move sees it."""
    before = state.before
    if before is None:
        return
    truths = (truth for truth, _ in truths_apart(state, before))
    gained = [truth for truth in truths if not truth.endswith("empty")]
    yield from gained[:1]
    here = state.situation.position
    own, enemy = (here.owned[p].bit_count() for p in (here.mover, 1 - here.mover))
    yield f"count own = {own} and count enemy = {enemy}"

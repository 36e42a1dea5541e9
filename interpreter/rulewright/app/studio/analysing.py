"""Best moves of a position, and explanations of decisions, which agree with each other.

In: a state, seconds, a `Telling`, and the findings of the game (`findings.py`).  Out: decisions
with values, the principal variation as sites to draw arrows between, heat maps.  Who judges the
course of a game (`judging.py`) says what is best; a search that looked further is believed, and the
decision that was made or shown is the one that is explained.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from random import Random
from threading import Lock

from attrs import evolve

from rulewright.app.play.seats import Seat
from rulewright.app.studio import answers as a
from rulewright.app.studio.findings import DecisionMade, Findings, Judgement, way
from rulewright.app.studio.judging import GameJudge, bounded_points, judgement_of
from rulewright.app.studio.thinking import Telling, refuse_endless
from rulewright.errors import MoveError, OutOfBudget, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.engine.kept_lowering import content
from rulewright.ground.printable import amount
from rulewright.players.builtin import within_time
from rulewright.players.choose import ChosenDecision
from rulewright.players.explain import Explanation, explain
from rulewright.players.heat import heat
from rulewright.players.lint import parting_factors
from rulewright.players.machine import SearchResources
from rulewright.players.personality import Personality
from rulewright.players.player import Decision
from rulewright.search.best import best, first_decision
from rulewright.search.kernels.thread import SURE, WIN
from rulewright.search.results import (
    FAR,
    Limits,
    Line,
    Score,
    SearchResult,
    Watch,
    counting_searches,
    told_result,
)

_BRIEF = 0.02
"""Seconds of a search that is there to have its code compiled."""
_SHOWN = 12
"""Candidates of a search that are shown at most."""
_DRAWN = 6
"""Decisions of the expected line that are drawn."""
_PROVEN = {"win": 1.0, "loss": -1.0, "draw": 0.0}


def best_moves(state: State, seconds: float, telling: Telling, findings: Findings) -> a.Analysis:
    """The best decisions with their values, searched unless that was done as long already."""
    refuse_endless(seconds)
    last = findings.analyses.get(way(state))
    if last is None or last[0] < seconds:
        analysis = _searched(state, seconds, telling, findings)
        if analysis.nodes and not state.game.rules.has_secrets:
            _keep(state, analysis, analysis.seconds if telling.ended() else seconds, findings)
    else:
        analysis = last[1]
    return _settled(state, analysis, findings)


def _searched(state: State, seconds: float, telling: Telling, findings: Findings) -> a.Analysis:
    """What the judge of the game says, or a search by the rules alone where there is none."""
    judge = GameJudge.of(state.game)

    def progress(result: SearchResult) -> bool:
        telling.sometimes(lambda: _settled(state, _analysis(state, result, judge), findings))
        return telling.ended()

    watch = Watch(progress, telling.ended, None, _SHOWN, analysing=True)
    if judge is not None:
        result = _by_judge(state, judge, seconds, watch)
    else:
        result = best(
            state, Limits(seconds), 0, roots=True, progress=progress, cancelled=telling.ended
        )
    return _analysis(state, result, judge)


def prepare_players(state: State, seats: Sequence[Seat], seed: int, searching: Lock) -> None:
    """Have all compiled that players ask for; where persons play, who finds the best moves.

    Requests that hold *searching* wait for that, and do not compile the same once more.
    """
    for seat in seats:
        with suppress(RulewrightError):  # whoever asks it to decide will hear of it
            seat.prepare(state, seed)
    judge = GameJudge.of(state.game) if all(seat.human for seat in seats) else None
    if judge is not None and searching.acquire(blocking=False):
        try:
            with suppress(RulewrightError):  # so will who asks for the best moves
                _by_judge(state, judge, _BRIEF, Watch(analysing=True))
        finally:
            searching.release()


def _by_judge(state: State, judge: GameJudge, seconds: float, watch: Watch) -> SearchResult:
    """What a player finds within so many seconds, whatever its file says of time."""
    model = within_time(judge.personality.model, seconds)
    resources = SearchResources(watch=watch)
    player = evolve(judge.personality, model=model, resources=resources)
    begun = time.perf_counter()
    with counting_searches() as spent, suppress(OutOfBudget):
        decision = player.decide(state, Random(0), seconds)
        if decision.line is not None:
            effort = spent.nodes or len(decision.root), spent.depth or 1
            return _result(state, decision, *effort, time.perf_counter() - begun)
    return first_decision(state)


def _result(
    state: State, decision: ChosenDecision, nodes: int, depth: int, seconds: float
) -> SearchResult:
    line = decision.line
    assert line is not None
    root = tuple((text, _value(o.score) if o else None) for text, o in decision.root.items())
    proven = {1: "win", -1: "loss"}.get((line.score[0] > 0) - (line.score[0] < 0))
    return SearchResult(
        decision.move, float(_value(line.score)), str(state.mover), proven, None, line.moves,
        nodes, depth, seconds, root,
    )  # fmt: skip


def _value(score: Score) -> float:
    """A score as a search tells its values: a win is so large that its distance can be read."""
    rank = score[0]
    return float(WIN - (FAR - rank) if rank > 0 else (FAR + rank) - WIN if rank else score[1])


def _points(value: float, judge: GameJudge | None) -> float:
    """A value of a search as points; one that tells the end stays as it is."""
    return value if judge is None or abs(value) > SURE else judge.points(value)


def _analysis(state: State, result: SearchResult, judge: GameJudge | None) -> a.Analysis:
    pairs = [(move, _points(value, judge)) for move, value in result.root if value is not None]
    pairs.sort(key=lambda pair: (-pair[1], pair[0] != result.move))
    sites = _sites(state)
    candidates = tuple(a.Candidate(move, value, sites.get(move)) for move, value in pairs[:_SHOWN])
    return a.Analysis(
        result.side, result.move, _points(result.value, judge), result.proven, result.pv,
        result.depth, result.nodes, result.seconds, candidates,
        tuple(_arrows(state, result.pv)), judge.name if judge else "",
    )  # fmt: skip


def _sites(state: State) -> dict[str, int]:
    """The last site that each decision names, if it names any."""
    moves = (move for move in state.scene.moves if move.clicks and move.clicks[-1])
    return {move.text: move.clicks[-1][-1] for move in moves}


def _arrows(state: State, line: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """The sites of each decision of a line, in the order of their clicks."""
    for text in line[:_DRAWN]:
        clicks = next((move.clicks for move in state.scene.moves if move.text == text), ())
        yield tuple(click[-1] for click in clicks if click)
        try:
            state = state.play_decision(text)
        except MoveError:
            return


# --- what agrees ---


def _keep(state: State, analysis: a.Analysis, seconds: float, findings: Findings) -> None:
    """Keep an analysis; what is proven is not searched again, however long."""
    value = _PROVEN[analysis.proven] if analysis.proven else bounded_points(analysis.value)
    findings.analyses.put(way(state), (inf if analysis.proven else seconds, analysis))
    findings.weigh(state, _judgement(analysis, value))


def _judgement(analysis: a.Analysis, value: float) -> Judgement:
    sure = analysis.proven and f"{analysis.side}: {analysis.proven}"
    effort = analysis.line, analysis.depth, analysis.nodes
    return Judgement(analysis.side, value, sure, analysis.move, *effort)


def _settled(state: State, analysis: a.Analysis, findings: Findings) -> a.Analysis:
    """The analysis, with what another search plays here first, if that looked further.

    It has found that all others are worth no more.
    """
    deeper = findings.furthest(state)
    reach = analysis.proven is not None, analysis.depth, analysis.nodes
    if deeper is None or deeper.move == analysis.move or deeper.reach <= reach:
        return analysis
    rest = tuple(
        evolve(c, value=None if c.value is None else min(c.value, deeper.value))
        for c in analysis.candidates
        if c.move != deeper.move
    )
    first = a.Candidate(deeper.move, deeper.value, _sites(state).get(deeper.move))
    proven = deeper.proven.rpartition(" ")[2] if deeper.proven else None
    line = deeper.line or (deeper.move,)
    return evolve(
        analysis, move=deeper.move, value=deeper.value, proven=proven, line=line,
        depth=deeper.depth, candidates=(first, *rest)[:_SHOWN], arrows=tuple(_arrows(state, line)),
    )  # fmt: skip


def remember_decision(findings: Findings, state: State, seat: Seat, decision: Decision) -> None:
    """Keep what a player has decided in the game: that is what explains it, and may be best."""
    personality = seat.personality
    if not decision.searched or state.game.rules.has_secrets:
        return
    made_of = content(personality.model) if personality else ""
    if personality is not None:
        findings.decisions.put((way(state), made_of), DecisionMade(seat.text, decision.move))
    _weigh_decision(findings, state, made_of, decision)


def _weigh_decision(findings: Findings, state: State, made_of: str, decision: Decision) -> None:
    """Weigh a decision among the best moves, where the player that finds them has made it."""
    judge = GameJudge.of(state.game)
    if state.game.rules.has_secrets or not judge or made_of != content(judge.personality.model):
        return
    judgement = judgement_of(decision, str(state.mover), judge.points)
    if judgement is not None:
        findings.weigh(state, judgement)


def explain_parting(
    state: State, pair: tuple[Personality, Personality], seed: int, findings: Findings
) -> a.Versus:
    """Where two personalities part, by the decisions that are explained of them."""
    first, second = (
        str(explain_state(state, personality, seed, findings).explanation["decision"])
        for personality in pair
    )
    parting = parting_factors(state, *pair, (first, second), seed)
    written = partial(findings.notation.text, state)
    return a.Versus(written(parting.first), written(parting.second), parting.factors)


def explain_state(
    state: State, personality: Personality, seed: int, findings: Findings
) -> a.Explained:
    """Explain the decision of a personality, with a heat map: what it has played, if it has."""
    made_of = content(personality.model)
    decision = findings.decisions.get((way(state), made_of)) or _shown(state, made_of, findings)
    key = way(state), made_of, decision.move if decision else ""
    explained = findings.explained.get(key)
    if explained is None:
        explained = _explained(state, personality, seed, decision, findings)
        for move in {key[2], str(explained.explanation["decision"])}:
            findings.explained.put((*key[:2], move), explained)
    return evolve(explained, notes=(*explained.notes, *_others(state, explained, findings)))


def _shown(state: State, made_of: str, findings: Findings) -> DecisionMade | None:
    """What the best moves say, where the player that finds them is asked."""
    judge, deeper = GameJudge.of(state.game), findings.furthest(state)
    if judge is None or deeper is None or made_of != content(judge.personality.model):
        return None
    return DecisionMade("", deeper.move)


def _explained(
    state: State,
    personality: Personality,
    seed: int,
    decision: DecisionMade | None,
    findings: Findings,
) -> a.Explained:
    """The explanation of a decision; of a new one of the judge the best moves know as well."""
    explanation = explain(state, personality, seed, played=decision.move if decision else "")
    if decision is None and explanation.expected is not None:
        decided = _decided(explanation, explanation.expected)
        _weigh_decision(findings, state, content(personality.model), decided)
    written = partial(findings.notation.text, state)
    warm = heat(state, explanation, written)
    texts = {str(site): text for site, text in warm.texts.items()}
    shares = {str(site): share for site, share in warm.shares.items()}
    notes = [*warm.notes]
    if decision and explanation.again:
        moves = written(decision.move), written(explanation.again)
        notes.append(_other_limits(decision.by, personality.name, *moves))
    shown = a.Explained(explanation.as_data(), texts, shares, warm.decision_site, tuple(notes))
    return findings.notation.explained(state, shown)


def _decided(explanation: Explanation, line: Line) -> Decision:
    """The decision that is explained, as its player tells it."""
    result, spent = told_result(line.score), explanation.spent
    value = None if result else float(line.score[1])
    effort = spent.depth, spent.nodes
    return Decision(explanation.decision, value, *effort, result=result, line=line.moves)


def _other_limits(by: str, name: str, move: str, again: str) -> str:
    """Why another decision is explained than the player would make now."""
    if by:
        return f"{by} has played {move} here; by its own limits {name} would play {again}"
    return f"{move} is what the best moves name; by its own limits {name} would play {again}"


def _others(state: State, explained: a.Explained, findings: Findings) -> Iterator[str]:
    """What the best moves name, where that is another decision than the one that is explained."""
    deeper, decision = findings.furthest(state), explained.explanation["decision"]
    if deeper is not None and deeper.move != decision:
        best = findings.notation.text(state, deeper.move)
        yield f"the best moves name {best}, {amount(deeper.depth, 'move')} ahead"

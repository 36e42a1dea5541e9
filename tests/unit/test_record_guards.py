"""What guards a record, at its edges: values, checksums, and the match that a game belongs to."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import evolve

from rulewright.errors import RulewrightError
from rulewright.matches.game_record import (
    COUNTED,
    SUM,
    GameRecord,
    Head,
    RecordedMove,
    RecordError,
    checksum,
    game_of,
    head_of,
    plan_of,
    refusal_of_game,
)
from rulewright.matches.plan import Adjudication, MatchPlan

PLAN = MatchPlan("tictactoe", {"size": 3}, ("a", "b", "c"), 4, adjudication=Adjudication(50.0, 3))
MOVES = (
    RecordedMove("b2", 0),
    RecordedMove("a1", 1, 0.5, 3, 20, 0.1234567, False, "win in 5"),
)
GAME = GameRecord(
    PLAN.name, 0, 0, "tictactoe", {"size": 3, "half": 0.5, "pie": True}, ("a", "b"), MOVES, 1, 0,
    "rules", "three in a row", 2, 7, {"nodes": 9}, {"rules": "ab"}, "1", "today", True,
)  # fmt: skip


def data(**changes: Any) -> str:
    """The game with other values, sealed anew."""
    known = {**GAME.as_data(), **changes}
    return json.dumps({**known, SUM: checksum(known)})


def decision(**changes: Any) -> str:
    return data(decisions=[{"move": "b2", "seat": 0, **changes}])


# --- what a record tells ---


def test_a_decision_leaves_out_what_is_not_known() -> None:
    first, second = (move.as_data() for move in MOVES)
    assert first == {"move": "b2", "seat": 0}
    assert second == {
        "move": "a1", "seat": 1, "value": 0.5, "depth": 3, "nodes": 20, "seconds": 0.123457,
        "searched": False, "result": "win in 5",
    }  # fmt: skip
    nothing = RecordedMove("b2", 0, 0.0, 0, 0, 0.0).as_data()
    assert nothing == {"move": "b2", "seat": 0, "value": 0, "depth": 0, "nodes": 0, "seconds": 0}


def test_a_decision_is_worth_what_its_player_reported() -> None:
    assert [move.worth for move in MOVES] == ["", "win in 5"]
    assert RecordedMove("b2", 0, 0.5).worth == "value 0.5"
    assert RecordedMove("b2", 0, 0.0).worth == "value 0"


@pytest.mark.parametrize(
    ("winner", "points", "message"),
    [(0, (1, 0), "a wins (x)"), (1, (0, 1), "b wins (x)"), (None, (0.5, 0.5), "draw (x)")],
)
def test_a_game_has_points_and_a_verdict(
    winner: int | None, points: tuple[float, float], message: str
) -> None:
    game = evolve(GAME, winner=winner, detail="x")
    assert (game.points, game.verdict()) == (points, message)


def test_a_game_tells_its_decisions() -> None:
    assert GAME.decisions == ["b2", "a1"]
    assert not GAME.searched
    assert evolve(GAME, moves=MOVES[:1]).searched


def test_a_record_reads_back_whole() -> None:
    rounded = evolve(MOVES[1], seconds=0.123457)
    read = game_of(GAME.line(), "here")
    assert read == evolve(GAME, moves=(MOVES[0], rounded))
    assert (read.checked, GAME.checked, read.fixed) == (True, True, True)
    assert json.loads(GAME.line())["format"] == 1
    assert ": " not in GAME.line()
    assert (
        "drei in einer Reihe: größer" in evolve(GAME, detail="drei in einer Reihe: größer").line()
    )


def test_a_head_reads_back_whole() -> None:
    head = Head.of(PLAN, [["b2", "a1"], []])
    assert (head.match, head.openings, head.lines) == (PLAN.name, ("b2 a1", ""), [["b2", "a1"], []])
    assert head_of(head.line(), "here") == head
    assert plan_of(PLAN.as_data()) == PLAN
    with pytest.raises(RecordError, match="the plan of a match is damaged"):
        plan_of({**PLAN.as_data(), "games": 3})
    with pytest.raises(RecordError, match="here: this is no record of a match"):
        head_of(GAME.line(), "here")
    with pytest.raises(RecordError, match="here: this is no record of a game"):
        game_of(head.line(), "here")


def test_what_an_old_record_does_not_tell_is_not_assumed() -> None:
    old = GAME.as_data()
    for name in ("fixed", "limits", "hashes", "version", "date"):
        del old[name]
    read = game_of(json.dumps(old), "here")
    assert (read.fixed, read.limits, read.hashes) == (False, {}, {})
    assert (read.version, read.date) == ("", "")


# --- checksums and formats ---


def test_a_record_without_a_checksum_is_read_unchecked() -> None:
    read = game_of(json.dumps(GAME.as_data()), "here")
    assert not read.checked
    assert read == game_of(GAME.line(), "here")


@pytest.mark.parametrize("seal", ["", None, "0" * 16, 0])
def test_another_checksum_is_refused(seal: object) -> None:
    with pytest.raises(RecordError, match="here: this record was changed"):
        game_of(json.dumps({**GAME.as_data(), SUM: seal}), "here")


def test_a_checksum_is_of_everything_else_in_any_order() -> None:
    known = GAME.as_data()
    assert checksum(known) == checksum({**dict(reversed(known.items())), SUM: "any"})
    assert len(checksum(known)) == 16
    assert len({checksum({**known, name: "other"}) for name in known}) == len(known)


@pytest.mark.parametrize("other", [0, 2, 1.0, True, "1", None])
def test_another_format_is_refused(other: object) -> None:
    with pytest.raises(RecordError, match="here: the record has the unknown format"):
        game_of(data(format=other), "here")


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, None, b"\xff"])
def test_what_is_no_json_is_reported_so(text: str | bytes | None) -> None:
    with pytest.raises(RecordError, match="here: this is no JSON text"):
        game_of(text, "here")


@pytest.mark.parametrize("other", [[], 1, "game", None, {}, {"kind": "match", "format": 1}])
def test_what_is_no_record_is_reported_so(other: object) -> None:
    with pytest.raises(RecordError, match="here: this is no record of a game"):
        game_of(json.dumps(other), "here")


# --- values ---


@pytest.mark.parametrize(
    "changes",
    [
        {"number": 0}, {"pair": 0}, {"opening": 0}, {"turns": 0}, {"turns": COUNTED - 1},
        {"winner": 1}, {"winner": None}, {"seed": -5}, {"options": {"size": 2**70}},
        {"options": {}}, {"reason": "refused"}, {"fixed": False},
    ],
    ids=str,
)  # fmt: skip
def test_values_within_their_edges_are_read(changes: dict[str, Any]) -> None:
    read = game_of(data(**changes), "here")
    assert {name: getattr(read, name) for name in changes} == changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"number": -1}, "number"), ({"pair": -1}, "pair"), ({"opening": -1}, "opening"),
        ({"turns": -1}, "turns"), ({"turns": COUNTED}, "turns"), ({"winner": 8}, "winner"),
        ({"winner": -1}, "winner"), ({"winner": "0"}, "winner"), ({"reason": "won"}, "reason"),
        ({"seed": 1.0}, "1.0 is no int"), ({"seed": True}, "true is no int"),
        ({"fixed": 1}, "1 is no bool"), ({"detail": 1}, "1 is no str"),
        ({"players": ["a"]}, "and not 1"), ({"players": ["a"] * 9}, "2 to 8 players"),
        ({"players": "ab"}, '"ab" is no list'), ({"decisions": {}}, "{} is no list"),
        ({"options": {"size": "3"}}, '"3" is no number'), ({"options": {"x": None}}, "no number"),
        ({"detail": 10**38}, f"1{'0' * 38} is no str"),  # 39 signs, and then 40, and 41
        ({"detail": 10**39}, f"1{'0' * 39} is no str"),
        ({"detail": 10**40}, f"1{'0' * 39}... is no str"),
    ],
    ids=str,
)  # fmt: skip
def test_values_beyond_their_edges_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as error:
        game_of(data(**changes), "here")
    assert str(error.value).startswith("here: the record of a game is damaged (")
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["depth", "nodes"])
def test_nothing_is_counted_further_than_floats_tell_apart(name: str) -> None:
    read = game_of(decision(**{name: 2**53 - 1}), "here")
    assert getattr(read.moves[0], name) == 2**53 - 1
    with pytest.raises(RecordError, match=name):
        game_of(decision(**{name: 2**53}), "here")


@pytest.mark.parametrize("seat", [-1, 8, "0", True, None])
def test_a_decision_has_a_seat(seat: object) -> None:
    with pytest.raises(RecordError, match="seat"):
        game_of(decision(seat=seat), "here")


@pytest.mark.parametrize("value", [True, "1", 10**400, float("inf"), float("nan")])
def test_a_value_is_a_finite_number(value: object) -> None:
    for name in ("value", "seconds"):
        with pytest.raises(RecordError, match="is no number"):
            game_of(decision(**{name: value}), "here")


@pytest.mark.parametrize("value", [0, 1, -2.5, 1e308])
def test_a_number_keeps_its_type(value: float) -> None:
    """The name of a plan tells 1 from 1.0."""
    read = game_of(decision(value=value), "here").moves[0].value
    assert (read, type(read)) == (value, type(value))


def test_what_is_missing_is_reported() -> None:
    known = GAME.as_data()
    for name in ("seed", "winner", "players"):
        left = {key: value for key, value in known.items() if key != name}
        with pytest.raises(RecordError, match="it is missing"):
            game_of(json.dumps(left), "here")


def test_three_reasons_are_reported_and_no_more() -> None:
    with pytest.raises(RecordError) as error:
        game_of(data(seed="", fixed="", detail=0, version=0, date=0), "here")
    assert str(error.value).count(";") == 2


@pytest.mark.parametrize("part", ["b2", 3, None, [], ["move", "seat"], True])
def test_what_is_no_object_is_reported_so(part: object) -> None:
    """Of a text in place of a decision it was said that its move is no text."""
    told = json.dumps(part)
    with pytest.raises(RecordError) as error:
        game_of(data(decisions=[part]), "here")
    assert f"({told} is no object @ record.moves)" in str(error.value)
    with pytest.raises(RecordError) as error:
        plan_of({**PLAN.as_data(), "openings": part})
    assert f"({told} is no object @ record.openings)" in str(error.value)
    with pytest.raises(RecordError) as error:
        plan_of(part)
    assert str(error.value) == f"the plan of a match is damaged ({told} is no object)"


@pytest.mark.parametrize("name", ["options", "limits", "hashes"])
def test_what_is_no_mapping_is_reported_so(name: str) -> None:
    with pytest.raises(RecordError, match=f"that is no Mapping @ record.{name}"):
        game_of(data(**{name: [1]}), "here")


def test_a_long_reason_is_cut() -> None:
    """After 200 signs, and not before."""

    def told(letters: int) -> str:
        with pytest.raises(RecordError) as error:
            game_of(data(reason="x" * letters), "here")
        return str(error.value).partition("damaged (")[2].rpartition(" @ record")[0]

    fits = 200 - len(told(1)) + 1
    assert len(told(fits)) == 200
    assert told(fits).endswith("x')")
    assert told(fits + 1) == told(fits + 1)[:200] + "..."
    assert len(told(fits + 50)) == 203


@pytest.mark.parametrize("said", [False, "no", None])
def test_no_record_says_itself_that_it_was_checked(said: object) -> None:
    assert game_of(data(checked=said), "here").checked is True
    without = {**GAME.as_data(), "checked": True}
    assert game_of(json.dumps(without), "here").checked is False


# --- the match that a game belongs to ---


def belongs(number: int, **changes: Any) -> str:
    pair = PLAN.pair(number // 2)
    _, (one, two) = pair.games()[number % 2]
    players = (PLAN.players[one], PLAN.players[two])
    known = {"number": number, "pair": pair.number, "players": players, **changes}
    return refusal_of_game(evolve(GAME, **known), PLAN)


def test_every_game_of_a_plan_belongs_to_it() -> None:
    assert PLAN.total == 12
    assert [belongs(number) for number in range(12)] == [""] * 12


def test_games_that_a_plan_has_not_are_refused() -> None:
    assert refusal_of_game(evolve(GAME, number=12), PLAN) == "the match has only 12 games"
    assert belongs(0, players=("a", "z")) == "z is no player of the match"
    for changes in ({"pair": 1}, {"players": ("b", "a")}, {"players": ("a", "c")}):
        assert belongs(0, **changes) == "game 0 of the match is of pair 0, a against b"
    assert belongs(1, players=("a", "b")) == "game 1 of the match is of pair 0, b against a"


def test_seats_that_a_plan_has_not_are_refused() -> None:
    moves = (*MOVES, RecordedMove("c3", 2))
    assert belongs(0, moves=moves) == "a decision in it belongs to none of the 2 players"
    for changes in ({"winner": 2}, {"places": (1, 2)}):
        assert belongs(0, **changes) == "its places do not fit that many players"


def test_a_refusal_is_one_of_ours() -> None:
    assert issubclass(RecordError, RulewrightError)

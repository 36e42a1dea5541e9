"""What stands around explanations: limits of time, heat maps, idle factors, where two part."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import Personality, explain
from rulewright.app.cli import main
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import PERSONALITY
from rulewright.games.files.games import load
from rulewright.games.files.kinds import files_of
from rulewright.games.render.svg import Annotations, scene_svg
from rulewright.ground import budget
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.protocols.recorded import Recorded
from rulewright.model.personality import Opening, Search, Setting
from rulewright.players.analyze import ByPersonality, analyze
from rulewright.players.heat import heat, site_of
from rulewright.players.lint import lint, partings, random_positions
from rulewright.players.machine import SearchTask, full_width
from rulewright.search.results import Lines
from tests.shared.playing import after


@cache
def game(name: str, **options: int) -> Game:
    return load(name, **options)


# --- limits of time ---


def test_every_search_behind_an_explanation_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A personality whose decisions are timed has timed lines, and a timed look at other moves."""
    asked: list[SearchTask] = []

    def spied(state: State, what: SearchTask) -> Lines | None:
        asked.append(what)
        return full_width(state, what)

    monkeypatch.setattr("rulewright.players.machine.full_width", spied)
    monkeypatch.setattr("rulewright.players.terms.full_width", spied)
    board = game("twixt", size=12)
    player = Personality.load("t1", board)
    times = tuple(evolve(s, value=0.05) if s.name == "time" else s for s in _settings(player))
    search = evolve(player.model.search, settings=times)
    player = Personality.of(evolve(player.model, search=search), board)
    state = board.start().play("f6 h7 e8")
    found = explain(state, player)
    assert found.decision in {one.move for one in found.moves}
    unlikely = next(text for text in found.unjudged)  # no pattern proposes it
    assert len(asked) > 2
    list(analyze(Recorded("twixt", state.play(unlikely)), ByPersonality(player), 4))
    assert all(one.limits.seconds is not None for one in asked)
    assert 12 - 1 in {one.limits.depth for one in asked}  # what follows the unlikely one


def _settings(player: Personality) -> tuple[Setting, ...]:
    return player.model.search.settings


# --- heat maps ---


def one_ply(personality: Personality) -> Personality:
    search, opening = Search("one_ply"), Opening()
    return Personality.of(
        evolve(personality.model, search=search, opening=opening), personality.game
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [("othello", {}), ("conniption", {}), ("connect4", {}), ("hex", {"size": 4}),
     ("spanit", {"size": 3}), ("pente", {"size": 5})],
)  # fmt: skip
def test_every_decision_is_on_the_map_or_below_it(name: str, options: dict[str, int]) -> None:
    """Othello turns discs over, Conniption flips the board: nothing is left out."""
    board = game(name, **options)
    known = [
        n for n in files_of(PERSONALITY, board) if Personality.load(n, board).judge is not None
    ]
    player = one_ply(Personality.load(known[0], board))
    state = after(board, 3, 12)
    found = explain(state, player)
    shown = heat(state, found)
    legal = {option.text: option for option in state.situation.options}
    for one in found.moves:
        site = site_of(state, legal[one.move])
        if site is None:
            assert any(re.search(rf"(^|[ >]){re.escape(one.move)}: ", n) for n in shown.notes)
        else:
            assert site in shown.shares
    assert set(shown.shares) == set(shown.texts)
    if shown.decision_site is not None:
        drawn = scene_svg(
            state.scene, Annotations(shown.texts, shown.shares, shown.decision_site, shown.notes)
        )
        assert drawn.count('class="chosen"') == 1
        assert drawn.count('class="heat"') == len(shown.shares)
    else:
        assert any(f"> {found.decision}: " in note for note in shown.notes) or not found.moves


@settings(deadline=None, max_examples=2)
@given(seed=st.integers(0, 10**6))
def test_othellos_map_glows_where_a_disc_is_put(seed: int) -> None:
    board = game("othello")
    state = after(board, seed, 40)
    found = explain(state, one_ply(Personality.load("cornered", board)))
    shown = heat(state, found)
    assert {board.rules.board.names[s] for s in shown.shares} == set(state.moves.texts) - {
        "-",
        "pass",
    }


def test_what_is_lost_by_force_is_cold() -> None:
    board = game("connect4")
    state = board.start().play("1 2 1 3 1")
    found = explain(state, Personality.load("counter", board))
    shown = heat(state, found)
    losing = [one.move for one in found.moves if one.ends == "loss"]
    assert losing
    assert found.decision not in losing
    cold = {site for site, text in shown.texts.items() if text.startswith("loss")}
    assert len(cold) == len(losing)
    assert {shown.shares[site] for site in cold} == {0}
    assert shown.decision_site not in cold


def test_two_decisions_about_one_site_are_both_written_there() -> None:
    board = game("chess")
    state = board.start().play("g1f3 g8f6 d2d3 d7d6")
    found = explain(state, Personality.load("patzer", board))
    text = heat(state, found).texts[board.rules.board.by_name["d2"]]
    *told, more = text.split("\n")
    all_there = {"b1d2", "c1d2", "d1d2", "e1d2", "f3d2"}
    assert len({line.split()[0] for line in told} & all_there) == 3
    assert more == "+2"  # five decisions lead there, and the best three are written
    drawn = scene_svg(state.scene, Annotations({0: text, 1: "7.5"}))
    assert f"<title>{text}</title>" in drawn
    shown = re.findall(r'<g class="mark">.*?>([^<>]*)</text></g>', drawn, re.DOTALL)
    assert shown == [told[0].partition(" ")[2], "7.5"]  # three lines lay on the neighbours


# --- idle factors ---


def test_lint_looks_as_deep_as_the_personality() -> None:
    """A factor for being near a win that only shows after the other player's answer."""
    board = game("connect4")
    counter = Personality.load("counter", board)
    for seed in range(2):
        states = random_positions(board, 4, Random(seed))
        found = {use.factor: use.changed for use in lint(counter, seed=seed, states=states)}
        search = Search("minimax", counter.model.search.settings[:1])
        assert search.settings[0].name == "depth"
        whole = Personality.of(evolve(counter.model, search=search, ties="first"), board)
        for name, count in found.items():
            without = Personality.of(evolve(whole.model, factors=_without(whole, name)), whole.game)
            differ = [s for s in states if without.choose(s) != whole.choose(s)]
            assert count == len(differ)


def _without(player: Personality, name: str) -> tuple[int | float, ...]:
    return tuple(0 if known == name else value for known, value in player.factors.items())


def test_a_shallow_look_differs_from_a_deep_look() -> None:
    board = game("connect4")
    counter = Personality.load("counter", board)
    states = random_positions(board, 8, Random(1))
    deep = [use.changed for use in lint(counter, states=states)]
    assert deep != [use.changed for use in lint(counter, states=states, shallow=True)]


# --- where two part ---


def test_where_two_personalities_part_they_decide_differently() -> None:
    board = game("conniption")
    loose, thrifty = (
        one_ply(Personality.load("flip_steady", board)).with_factors(flip_cost=cost)
        for cost in (0, 100)
    )
    found, looked = partings(loose, thrifty, 12)
    assert looked == 12
    assert found
    for one in found:
        state = board.start().play(" ".join(one.moves))
        assert (
            loose.choose(state)
            == one.difference.first
            != one.difference.second
            == thrifty.choose(state)
        )
        assert one.difference.factors == ("flip_cost",)
    assert partings(loose, loose, 3) == ([], 3)
    assert partings(loose, thrifty, 12, seconds=1e-9)[1] == 1


def test_looking_for_partings_ends_with_the_time_of_the_command() -> None:
    """`explain --versus --time 1` looked for ten seconds all the same."""
    player = one_ply(Personality.load("counter", game("connect4")))
    with budget.within_seconds(0.05, 600, "late"):
        assert partings(player, player, 200, seconds=600)[1] < 200


def test_explain_lists_positions_where_two_part(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", "connect4", "--personality", "counter@depth=1", "--moves", "1 7 1 7 1 6"]
    assert main([*words, "--versus", "eager"]) == 0
    told = capsys.readouterr().out
    assert "eager plays 1 too\n" in told
    assert re.search(r"they decide differently in \d+ of \d+ positions of random games", told)
    assert re.search(r'  --moves "[1-7 ]+"\n    counter \d, eager \d', told)


def test_a_german_explanation_keeps_the_names_of_files(capsys: pytest.CaptureFixture[str]) -> None:
    """The factor `one` was translated, and so was the value `value`."""
    assert (
        main(["--language", "de", "explain", "connect4", "--personality", "counter@depth=1"]) == 0
    )
    german = capsys.readouterr().out
    assert "nach `value`; mehr ist besser" in german
    assert "entschieden durch one (" in german or "entschieden durch middle (" in german


def test_what_is_not_lost_is_warmer_than_what_is() -> None:
    """The only decision that does not lose had the colour of those that do."""
    state = game("connect4").start().play("4 1 3 1 2")
    player = Contestant.parse("counter@depth=4").alone(state.game)
    found = explain(state, player)
    lost = {one.move for one in found.moves if one.ends == "loss"}
    assert lost == set(state.moves.texts) - {"5"}
    shown = heat(state, found)
    assert shown.decision_site is not None
    assert shown.shares[shown.decision_site] == 1
    assert sorted(shown.shares.values()) == [0] * len(lost) + [1]


def test_explain_tells_one_personality_from_itself_with_other_factors(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["explain", "othello", "--personality", "cornered@late=14"]
    assert main([*words, "--versus", "cornered@late=40"]) == 0
    told = capsys.readouterr().out
    assert "cornered@late=40 plays" in told
    assert re.search(r"\n    cornered@late=14 [a-h]\d, cornered@late=40 [a-h]\d", told)


def test_lint_says_at_a_terminal_that_it_is_at_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    main(["lint", "connect4", "counter", "--positions", "2"])
    told = capsys.readouterr()
    assert "counter decides in 2 positions ..." in told.err
    assert "counter decides" not in told.out

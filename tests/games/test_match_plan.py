"""Plans, contestants and openings: what is played follows from the plan, and is fair."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import RulewrightError
from rulewright.games.engine.mirror_images import canonical, symmetries
from rulewright.games.files import games
from rulewright.matches.game_lines import read_openings
from rulewright.matches.game_record import plan_of
from rulewright.matches.openings import generate
from rulewright.matches.plan import Adjudication, MatchPlan, Openings
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.record_files import read_matches
from rulewright.matches.verify import file_hashes, rules_hash
from rulewright.players.builtin import limited
from rulewright.players.personality import Personality
from rulewright.players.player import GameLimits
from tests.shared.effort import tries

NAMES = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=6, unique=True)


@st.composite
def plans(draw: st.DrawFn) -> MatchPlan:
    return MatchPlan(
        draw(st.sampled_from(["tictactoe", "hex"])),
        draw(st.dictionaries(st.sampled_from(["size", "width"]), st.integers(1, 9))),
        tuple(draw(NAMES)),
        2 * draw(st.integers(1, 10)),
        draw(st.sampled_from(["round robin", "gauntlet"])),
        draw(st.booleans()),
        GameLimits(
            nodes=draw(st.none() | st.integers(1, 99)), seconds=draw(st.none() | st.just(0.5))
        ),
        Openings(draw(st.integers(0, 4)), tuple(draw(st.lists(st.just("a1"), max_size=2)))),
        draw(st.integers(0, 9)),
        draw(st.none() | st.just((0.0, 5.0, 0.05, 0.05))),
        draw(st.none() | st.just(Adjudication(5.0, 3))),
        hashes={"": {"rules": "00"}},
    )


@given(plans())
def test_a_plan_reads_back(plan: MatchPlan) -> None:
    again = plan_of(json.loads(json.dumps(plan.as_data())))
    assert again == plan
    assert again.name == plan.name
    assert again.differences(plan) == []


@given(plans(), plans())
def test_different_plans_have_different_names(one: MatchPlan, two: MatchPlan) -> None:
    assert (one == two) == (one.name == two.name) == (not one.differences(two))


@given(plans())
def test_every_pairing_plays_its_games_in_both_seats(plan: MatchPlan) -> None:
    seats: dict[tuple[int, ...], int] = {}
    numbers = []
    for pair in plan.pairs():
        (one, forwards), (two, backwards) = pair.games()
        assert forwards == backwards[::-1]
        numbers += [one, two]
        for seat in (forwards, backwards):
            seats[seat] = seats.get(seat, 0) + 1
    assert numbers == list(range(len(numbers)))
    each = plan.games if plan.both_seats else plan.games // 2
    assert set(seats.values()) == {each}
    players = len(plan.players)
    meets = players - 1 if plan.form == "gauntlet" else players * (players - 1) // 2
    assert len(seats) == 2 * meets + (players if plan.both_seats else 0)
    assert (plan.form == "gauntlet") <= all(0 in s or s[0] == s[1] for s in seats)


@given(plans())
def test_a_pair_is_known_by_its_number(plan: MatchPlan) -> None:
    pairs = plan.pairs()
    assert 2 * len(pairs) == plan.total
    assert [plan.pair(number) for number in range(len(pairs))] == pairs


@given(plans())
def test_pairings_take_turns(plan: MatchPlan) -> None:
    rounds = [pair.round for pair in plan.pairs()]
    assert rounds == sorted(rounds)
    assert max(rounds) + 1 == plan.rounds


@pytest.mark.parametrize(
    ("players", "games", "message"),
    [(("a", "b"), 3, "no even number"), (("a",), 2, "two players"), (("a", "a"), 2, "named twice")],
)
def test_plans_that_make_no_sense(players: tuple[str, ...], games: int, message: str) -> None:
    with pytest.raises(RulewrightError, match=message):
        MatchPlan("tictactoe", {}, players, games)


# --- contestants ---


def test_limits_of_one_player() -> None:
    one = Contestant.parse("dir@1/flip@depth=2,time=0.5")
    assert one.player_name == "dir@1/flip"
    assert one.limits(GameLimits(nodes=9)) == GameLimits(nodes=9, depth=2, seconds=0.5)
    assert Contestant.parse("a@b").player_name == "a@b"


@pytest.mark.parametrize(
    "text", ["", "flip@depth=x", "flip@depth=2.5", "flip@nodes=0", "flip@time=-1", "@depth=2"]
)
def test_contestants_that_cannot_be_read(text: str) -> None:
    with pytest.raises(RulewrightError):
        Contestant.parse(text)


def test_factors_of_one_player() -> None:
    game = rulewright.load("conniption")
    cheap = Contestant.parse("flip@flip_cost=0,depth=1")
    assert cheap.factors == (("flip_cost", 0),)
    assert cheap.personality(game, GameLimits()).factors["flip_cost"] == 0
    assert Contestant.parse("default@GamePredictability=50%").factors == (
        ("GamePredictability", 0.5),
    )
    for text, told in [
        ("flip@flip_cots=3", "no factor `flip_cots`; did you mean `flip_cost`"),
        ("flip@flip_cost=1000", "outside the range 0..100"),
        ("computer@flip_cost=3", "only personalities have factors"),
    ]:
        with pytest.raises(RulewrightError, match=told):
            Contestant.parse(text).open(game, GameLimits())


def test_a_search_refuses_limits_that_mean_nothing_to_it() -> None:
    game = rulewright.load("spanit")
    with pytest.raises(RulewrightError, match="searches by beam, which takes no nodes"):
        Contestant.parse("default").open(game, GameLimits(nodes=100))
    with pytest.raises(RulewrightError, match="takes no nodes"):
        Contestant.parse("default@nodes=3").open(game, GameLimits())
    assert Contestant.parse("default").open(game, GameLimits(depth=1)).name == "default"


def test_hashes_follow_every_file_that_is_built_upon(tmp_path: Path) -> None:
    game = rulewright.load("conniption")
    base, own = tmp_path / "base.personality", tmp_path / "own.personality"
    base.write_text("format 1\npersonality base for conniption\nextends flip\n")
    own.write_text("format 1\npersonality own for conniption\nextends base\nflip_cost = 3\n")
    before = file_hashes(Contestant.parse(str(own)), game)
    assert set(before) == {"personality", "evaluator"}
    base.write_text(base.read_text() + "ties first\n")
    after = file_hashes(Contestant.parse(str(own)), game)
    assert after["personality"] != before["personality"]
    assert after["evaluator"] == before["evaluator"]
    assert file_hashes(Contestant.parse("conniption/flip"), game) == file_hashes(
        Contestant.parse("flip"), game
    )
    assert file_hashes(Contestant.parse("random"), game) == {}
    assert rules_hash("conniption") != rules_hash("hex")


def test_hashes_follow_patterns(tmp_path: Path) -> None:
    game = rulewright.load("twixt")
    known = file_hashes(Contestant.parse("chains"), game)
    assert set(known) == {"personality", "evaluator", "patterns"}
    assert known["patterns"] != file_hashes(Contestant.parse("t1"), game)["patterns"]
    assert "patterns" not in file_hashes(Contestant.parse("t1_alone"), game)


def test_nodes_or_depth_take_the_place_of_time() -> None:
    game = rulewright.load("twixt")
    model = Personality.load("t1", game).model
    timed = limited(model, GameLimits(seconds=0.5))
    assert timed.number("time") == model.number("time") == 1
    counted = limited(model, GameLimits(nodes=300))
    assert (counted.number("nodes"), counted.number("time")) == (300, None)
    assert counted.number("depth") == model.number("depth")
    assert limited(model, GameLimits(depth=2)).number("depth") == 2


# --- openings ---


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "conniption", "hex"])
def test_openings_are_legal_open_and_different(name: str) -> None:
    game = rulewright.load(name)
    lines = generate(game, 12, 2, seed=3)
    assert 3 <= len(lines) <= 12
    ends = [game.start().play(" ".join(line)) for line in lines]
    assert all(not end.over and end.ply == 2 and end.turn_begins for end in ends)
    maps = symmetries(game)
    assert len({repr(canonical(end, maps)) for end in ends}) == len(ends)
    assert generate(game, 12, 2, seed=3) == lines


def test_mirror_images_are_one_opening() -> None:
    game = rulewright.loads(
        (Path(games.find("tictactoe"))).read_text("utf-8")
        + "\nclaim symmetric under quarter\nclaim symmetric under mirror\n"
    )
    assert len(symmetries(game)) == 8
    assert len(generate(game, 100, 1)) == 3  # corner, edge, centre
    assert generate(game, 5, 0) == [()]


@settings(max_examples=tries(20), deadline=None)
@given(st.data())
def test_images_of_one_position_are_alike(data: st.DataObject) -> None:
    game = rulewright.load("connect5", size=9)
    maps = symmetries(game)
    assert len(maps) == 8
    state = game.start()
    sites = data.draw(
        st.lists(st.sampled_from(state.moves.texts), min_size=3, max_size=3, unique=True)
    )
    image = data.draw(st.sampled_from(maps))
    names = game.rules.board.names
    mapped = [names[image[names.index(site)]] for site in sites]
    one, two = (game.start().play(" ".join(moves)) for moves in (sites, mapped))
    assert canonical(one, maps) == canonical(two, maps)


def test_decided_openings_are_left_out() -> None:
    game = rulewright.load("tictactoe")
    for line in generate(game, 50, 4):
        assert rulewright.solve(game.start().play(" ".join(line))).value == "draw"


def test_openings_of_a_file(tmp_path: Path) -> None:
    game = rulewright.load("tictactoe")
    file = tmp_path / "openings.txt"
    file.write_text("# two\nb2 a1\n\nA1 b2  # the other way round\n")
    assert read_openings(file, game) == ["b2 a1", "a1 b2"]
    file.write_text("b2\nb2 b2\n")
    with pytest.raises(RulewrightError, match=r"openings.txt:2: `b2` is not legal"):
        read_openings(file, game)
    file.write_text("a1 a2 b1 b2 c1\n")
    with pytest.raises(RulewrightError, match="game is over after this opening"):
        read_openings(file, game)
    file.write_text("# none\n")
    with pytest.raises(RulewrightError, match="holds no opening"):
        read_openings(file, game)


FAULTY = """format 1
game faulty
players red blue
board square 3 by 3
pieces man
state n = 0 in 0..{most}
move place
  choose p in empty
  put man at p
  n := n + 1
turn place
draw when {end}
"""


@pytest.mark.parametrize(("most", "end", "games"), [(1, "stuck", 0), (4, "ply > 2", 4)])
def test_a_match_plays_what_it_can_where_openings_meet_a_fault(
    run: Any, tmp_path: Path, most: int, end: str, games: int
) -> None:
    """The rules go wrong in every line that is long enough, or only in those that are longer."""
    rules, record = tmp_path / "faulty.rules", tmp_path / "games.db"
    rules.write_text(FAULTY.format(most=most, end=end))
    words = ("random", "search@depth=1", "--games", "4", "--record", str(record))
    status, out, err = run("match", str(rules), *words, "--format", "json")
    told = json.loads(out)
    assert (told["games"], len(read_matches(record)[0].games)) == (games, 4)
    assert (status, "faulty.rules:10" in err) == (int(not games), not games)


@pytest.mark.parametrize(
    ("lines", "played"), [("a1 a2\na3 a1 b3\n", ["a1 a2"]), ("a3 a1 b3\n", [""])]
)
def test_given_openings_that_meet_a_fault_are_left_out(
    run: Any, tmp_path: Path, lines: str, played: list[str]
) -> None:
    """The others are played; where none is left, games begin at the start position."""
    rules, record = tmp_path / "faulty.rules", tmp_path / "games.db"
    text = FAULTY.format(most=4, end="ply > 2")
    rules.write_text(text.replace("n + 1", "n + (5 if count(own top) > 1 else 1)"))
    (tmp_path / "lines.txt").write_text(lines)
    words = ("random", "search@depth=1", "--games", "2", "--record", str(record))
    given = ("--openings", str(tmp_path / "lines.txt"), "--format", "json")
    status, out, err = run("match", str(rules), *words, *given)
    assert "the rules go wrong in openings" in err
    assert "faulty.rules:10" in err
    assert status == 1
    assert [" ".join(line) for line in read_matches(record)[0].openings] == played
    assert json.loads(out)["games"] in range(3)

"""A batch on a card is the batch of the processor: tried by a driver that stands in for a card's.

What is not tried here is the translation of PTX by the real driver, and its card.
"""

from __future__ import annotations

import ctypes.util
import gc
import random
from typing import Any

import numpy as np
import pytest

from rulewright import batch, load, loads
from rulewright.errors import Fault
from rulewright.learning import card_arrays, card_batch
from rulewright.learning.batch import SHOWN, Batch
from rulewright.learning.card_arrays import place_of
from rulewright.learning.card_batch import CardBatch
from rulewright.learning.lane_arrays import LearningError
from tests.shared.backends import needs_llvm
from tests.shared.cards import StandIn, stand_in
from tests.shared.places import ROOT
from tests.shared.sample import chosen, of_the_day
from tests.shared.tiny import FAULTY, ROWS_FOR_THREE

pytestmark = needs_llvm
LANES = 35
"""More than a tile, and not whole tiles."""


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    return stand_in(monkeypatch)


def both(name: str, **settings: Any) -> tuple[Batch, CardBatch]:
    return batch(name, LANES, threads=1, **settings), batch(
        name, LANES, device="cuda", workers=32, **settings
    )


def compare(host: Batch, card: CardBatch) -> None:
    """Compare all that there is to see, byte by byte."""
    for name in ("legal", "counts", "seats", "rewards", "terminated", "truncated"):
        theirs, ours = getattr(host, name), getattr(card, name).numpy()
        assert ours.shape == theirs.shape, name
        assert (ours == theirs).all(), name
    for seat in (None, *range(len(host.game.players))):
        assert (card.observe(seat).numpy() == host.observe(seat)).all()
        assert (card.numbers(seat).numpy() == host.numbers(seat)).all()
    assert (card.probabilities().numpy() == host.probabilities()).all()


def refusal(name: str) -> str:
    try:
        batch(name, 1, device="cuda")
    except LearningError as reason:
        return str(reason)
    return ""


@pytest.mark.parametrize("name", chosen())
def test_every_game_is_played_as_on_the_processor(name: str, driver: StandIn) -> None:
    """Or refused for a reason that the processor has too, or that a card has."""
    if reason := refusal(name):
        assert "numbered" in reason or "calls itself" in reason
        return
    host, card = both(name, seed=5)
    compare(host, card)
    for _ in range(4):
        host.step()
        card.step()
    compare(host, card)
    assert card.roll(30) == host.roll(30)
    compare(host, card)
    card.check()


GAMES = ("connect4", "leduc", "einstein", "chess", "darkhex", "dvonn")
"""A small game, one with secrets and chance, with shown chance, long lists, earlier positions."""


@pytest.mark.parametrize("name", of_the_day(*GAMES))
def test_steps_of_the_same_actions(name: str, driver: StandIn) -> None:
    chance = {"chance": SHOWN} if load(name).rules.has_chance else {}
    (host, card), generator = both(name, longest=9, **chance), random.Random(3)
    ends = 0
    for _ in range(12):
        actions = [int(generator.choice(np.flatnonzero(marks))) for marks in host.legal]
        host.step(actions)
        card.step(actions)
        compare(host, card)
        ends += int(host.over.sum())
    assert ends > 0
    for lane in (0, LANES - 1):
        assert card.state(lane) == host.state(lane)


def test_a_position_is_put_into_a_lane(driver: StandIn) -> None:
    host, card = both("go", longest=20, size=5)
    state = load("go", size=5).start().play("c3 b2 c2")
    assert host.roll(60) == card.roll(60) > 0
    for games in (host, card):
        games.put(33, state)
        games.roll(3)
    compare(host, card)
    assert card.state(33) == host.state(33)
    assert card.state(33).ply == 6


def test_several_seats_share_rewards_on_a_card(driver: StandIn) -> None:
    game = loads(ROWS_FOR_THREE)
    host, card = batch(game, 9), batch(game, 9, device="cuda")
    ends = 0
    for _ in range(60):
        host.step()
        card.step()
        ends += int(host.over.sum())
        assert (card.rewards.numpy() == host.rewards).all()
        assert (card.seats.numpy() == host.seats).all()
    assert ends > 0


def test_what_goes_wrong_is_kept_until_somebody_asks(driver: StandIn) -> None:
    card = batch("tictactoe", 3, device="cuda:0")
    card.step([4, 4, 4])
    card.step([4, 0, -1])
    card.step()
    with pytest.raises(LearningError, match=r"lane 0: action 4 \(b2\) is not legal there"):
        card.check()
    assert card.counts.numpy().tolist() == [7, 6, 6], "the lane stood still once"
    card.reset()
    card.check()


def test_faults_of_rules_are_told(driver: StandIn) -> None:
    host, card = batch(loads(FAULTY), 2, threads=1), batch(loads(FAULTY), 2, device="cuda")
    host.step()
    card.step()
    card.check()
    with pytest.raises(Fault) as expected:
        host.step()
    card.step()
    with pytest.raises(Fault) as fault:
        card.check()
    assert str(fault.value) == str(expected.value)


def test_too_many_decisions_for_the_room_are_told(driver: StandIn) -> None:
    """Nothing is written beyond it: the last word alone shows that there were more."""
    card = batch("go", 2, device="cuda", rows=81)
    with pytest.raises(LearningError, match="lane 0: more than 81 decisions; give more `rows`"):
        card.check()
    batch("go", 2, device="cuda", rows=82).check()


def test_arrays_are_read_where_they_lie(driver: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy takes the arrays of the stand-in, whose memory is the processor's."""
    monkeypatch.setattr(card_batch, "CUDA", 1)
    card = batch("othello", 40, device="cuda")
    legal, seats = np.from_dlpack(card.legal), np.from_dlpack(card.seats)
    assert legal.dtype == np.bool_
    assert legal.ctypes.data == card.legal.place
    assert legal.sum(axis=1).tolist() == [4] * 40
    card.step()
    assert seats.tolist() == [1] * 40, "the same memory, after another step"
    described = card.rewards.__cuda_array_interface__
    assert described["typestr"] == "<f8"
    assert described["shape"] == (40, 2)
    assert described["data"] == (card.rewards.place, False)
    assert len(card_arrays._handed_over) == 2
    del legal, seats
    gc.collect()
    assert not card_arrays._handed_over
    capsule = card.counts.__dlpack__()
    del capsule
    assert not card_arrays._handed_over


class OnCard:
    """An array of NumPy as a library for cards hands it over."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, *, stream: int) -> Any:
        assert stream == 1, "in the order of the batch's own launches"
        return self.array.__dlpack__()


def test_actions_are_read_where_they_lie(driver: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_batch, "CUDA", 1)
    host, card = both("connect4")
    actions = np.arange(LANES) % 7
    host.step(actions)
    driver.calls.clear()
    card.step(OnCard(actions))
    assert {"cuMemcpyDtoDAsync_v2", "cuLaunchKernel"} == {*driver.calls} - {"cuCtxSetCurrent"}
    compare(host, card)
    for wrong in (actions.astype(np.int32), actions[:5], actions[::-1]):
        with pytest.raises(LearningError, match="a whole number of 64 bits is needed"):
            card.step(OnCard(wrong))
    with pytest.raises(LearningError, match="another device"):
        place_of(OnCard(actions), LANES, (1, 3))


def test_steps_that_draw_copy_nothing(driver: StandIn) -> None:
    card = batch("connect4", LANES, device="cuda")
    driver.calls.clear()
    card.step()
    assert {"cuMemsetD8_v2", "cuLaunchKernel"} == {*driver.calls} - {"cuCtxSetCurrent"}


def test_the_benchmark_finds_what_differs(driver: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    gpu = pytest.importorskip("gpu")
    monkeypatch.setattr(gpu, "LANES", 40)
    monkeypatch.setattr(gpu, "MANY", 40)
    monkeypatch.setattr(gpu, "SEEN", 40)
    line = gpu.compared("tictactoe", 50)
    assert line["games_compared"] >= 50
    assert line["differ"] == []
    assert min(gpu.measured("tictactoe", 0.01).values()) > 0
    written = CardBatch.roll
    monkeypatch.setattr(CardBatch, "roll", lambda card, plies: written(card, plies + 1))
    assert set(gpu.compared("tictactoe", 50)["differ"]) >= {"state", "lane"}


@pytest.mark.parametrize("lane", [-1, 3, 32])
def test_lanes_that_are_not_there(lane: int, driver: StandIn) -> None:
    card = batch("tictactoe", 3, device="cuda")
    for use in (lambda: card.state(lane), lambda: card.put(lane, card.state(0))):
        with pytest.raises(LearningError, match=f"lane {lane}; there are 3, from 0 on"):
            use()


@pytest.mark.parametrize("name", ["workers", "rows"])
def test_settings_are_at_least_1(name: str, driver: StandIn) -> None:
    with pytest.raises(LearningError, match=f"{name}=0; it is at least 1"):
        batch("tictactoe", 3, device="cuda", **{name: 0})
    with pytest.raises(LearningError, match="lanes=0; it is at least 1"):
        batch("tictactoe", 0, device="cuda")


def test_memory_is_given_back(driver: StandIn) -> None:
    card = batch("tictactoe", 5, device="cuda")
    legal = card.legal
    del card
    gc.collect()
    assert driver.memory, "an array still reads it"
    del legal
    gc.collect()
    assert not driver.memory
    assert driver.calls.count("cuModuleUnload") == driver.calls.count("cuModuleLoadData") == 1


def test_what_the_driver_refuses_is_said_in_its_words(driver: StandIn) -> None:
    driver.limit = 10_000
    with pytest.raises(LearningError, match="card 0 refuses cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEM"):
        batch("chess", 1000, device="cuda")
    with pytest.raises(LearningError, match="card 3 refuses cuDeviceGet: an unknown error"):
        batch("chess", 1000, device="cuda:3")


def test_machines_without_a_driver_say_so() -> None:
    if ctypes.util.find_library("cuda"):
        pytest.skip("there is a driver")
    with pytest.raises(LearningError, match="this machine cannot play on a card: it has no driver"):
        batch("tictactoe", 1, device="cuda")


@pytest.mark.parametrize("device", ["gpu", "cuda:", "cuda:x", "cpu:1"])
def test_devices_have_names(device: str) -> None:
    with pytest.raises(LearningError, match="it is 'cpu', 'cuda', or 'cuda:1' for another card"):
        batch("tictactoe", 1, device=device)


def test_settings_of_the_processor_are_none_of_a_card() -> None:
    with pytest.raises(TypeError, match="threads"):
        batch(load("tictactoe"), 1, device="cuda", threads=2)

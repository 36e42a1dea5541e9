"""UCI by a strict controller that was written from its text; Stockfish is tried first."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

import pytest

from tests.shared.uci_controller import UciController

STOCKFISH = shutil.which("stockfish", path=f"{os.defpath}:/usr/games")
MIDDLE = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
ENGINES = {
    "stockfish": (STOCKFISH or "",),
    "club": (sys.executable, "-m", "rulewright", "uci", "chess", "--personality", "club"),
    "computer": (sys.executable, "-m", "rulewright", "uci", "chess", "--personality", "computer"),
}


@pytest.fixture(params=ENGINES)
def controller(request: pytest.FixtureRequest) -> Iterator[UciController]:
    if request.param == "stockfish" and STOCKFISH is None:
        pytest.skip("no stockfish here")
    engine = UciController(*ENGINES[request.param])
    for _ in range(60):  # until code is compiled: whoever asks sooner has an answer of less
        engine.position()
        if any("nps" in info.numbers for info in engine.go("movetime 500").infos):
            break
    yield engine
    engine.close()


def test_the_whole_protocol(controller: UciController) -> None:
    engine = controller
    assert {"Hash", "Threads", "MultiPV", "Ponder"} <= engine.options.keys()
    engine.set("Hash", "32")
    engine.say("ucinewgame")
    engine.ready()
    engine.position(moves="e2e4 e7e5 g1f3")
    plain = engine.go("movetime 500")
    assert plain.seconds < 5
    assert engine.name.endswith("computer") or max(len(info.line) for info in plain.infos) > 2
    said = set[str]().union(*(info.numbers for info in plain.infos))
    assert {"depth", "nodes", "nps", "time", "hashfull"} <= said
    assert engine.go("movetime 300 searchmoves a7a6 h7h6").move in ("a7a6", "h7h6")
    assert engine.go("depth 2").infos[-1].numbers["depth"] >= 1
    assert engine.go("nodes 2000").move
    assert engine.go("infinite", stop_after=0.5).seconds >= 0.5
    assert engine.go("wtime 1000 btime 1000 winc 100 binc 100").seconds < 1
    pondered = engine.go("ponder wtime 9000 btime 9000", stop_after=0.6, then="ponderhit")
    assert 0.6 <= pondered.seconds < 8
    assert engine.go("ponder movetime 100", stop_after=0.4).seconds >= 0.4


def test_several_lines(controller: UciController) -> None:
    engine = controller
    engine.set("MultiPV", "3")
    engine.position(MIDDLE)
    infos = [info for info in engine.go("depth 4").infos if info.line]
    numbers = [info.numbers["multipv"] for info in infos]
    assert numbers[: 3 * (len(numbers) // 3)] == [1, 2, 3] * (len(numbers) // 3)
    first = max(at for at in range(len(infos) - 2) if numbers[at : at + 3] == [1, 2, 3])
    last = {info.numbers["multipv"]: info for info in infos[first : first + 3]}
    assert len({info.line[0] for info in last.values()}) == 3
    scores = [last[n].score for n in (1, 2, 3)]
    values = [1000 if s and s[0] == "mate" else s[1] if s else 0 for s in scores]
    assert values[1:] == sorted(values[1:], reverse=True)
    engine.set("MultiPV", "1")
    engine.position(moves="f2f3 e7e5 g2g4")
    assert engine.go("movetime 500").move == "d8h4"


def test_ends_and_chances(controller: UciController) -> None:
    engine = controller
    engine.position(moves="f2f3 e7e5 g2g4 d8h4")
    mated = engine.go("movetime 100")
    assert mated.infos[-1].score == ("mate", 0)
    if "UCI_ShowWDL" in engine.options:
        engine.set("UCI_ShowWDL", "true")
        engine.position(MIDDLE)
        shown = [info.wdl for info in engine.go("movetime 300").infos if info.wdl]
        assert shown
        engine.position("k7/8/8/8/8/8/8/KQ6 w - - 0 1")
        winning = [info.wdl for info in engine.go("movetime 500").infos if info.wdl][-1]
        assert winning[0] > (winning[2] if engine.name.endswith("computer") else 800)

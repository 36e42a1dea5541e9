"""USI and UCCI by strict controllers written from their texts; Fairy-Stockfish is tried first.

What Fairy-Stockfish does otherwise than the texts is named: it keeps UCI's names of options, and
in UCCI UCI's scores and fields.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

import pytest

from tests.shared.dialect_strict import UcciStrict, UsiStrict

FAIRY = shutil.which("fairy-stockfish", path=f"{os.defpath}:/usr/games")
SHOGI = (
    "7g7f 2c2d 5i5h 5a6b 8h5e 4a3b 2h4h 5c5d 5e6f 4c4d 6f4d 6b7b 4d5c+ 3b4b 5c5d 7b6b 5d2a 4b5c"
    " 7i6h 6b5b N*6e 6a7b 6e5c+ 5b5a G*5b"
)
"""A game that ends by mate."""
XIANGQI = "h2h6 i6i5 b2g2 b7b5 g0e2 h7e7 g2i2 e7e3 e2c4 b5e5"
"""The same."""


def ours(*words: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "rulewright", *words)


@pytest.fixture(params=["fairy", "captain", "computer"])
def usi(request: pytest.FixtureRequest) -> Iterator[UsiStrict]:
    if request.param == "fairy":
        if FAIRY is None:
            pytest.skip("no Fairy-Stockfish here")
        engine = UsiStrict(FAIRY, habits=("names", "fields"))
    else:
        engine = UsiStrict(*ours("usi", "shogi", "--personality", request.param))
    yield engine
    engine.end()


@pytest.fixture(params=["fairy", "general"])
def ucci(request: pytest.FixtureRequest) -> Iterator[UcciStrict]:
    if request.param == "fairy":
        if FAIRY is None:
            pytest.skip("no Fairy-Stockfish here")
        engine = UcciStrict(FAIRY, habits=("order", "scores", "fields", "farewell"))
    else:
        engine = UcciStrict(*ours("ucci", "xiangqi", "--personality", request.param))
    yield engine
    engine.end("bye")


def test_usi_by_its_text(usi: UsiStrict) -> None:
    usi.ready()
    usi.say("usinewgame")
    usi.ready()
    usi.begin("7g7f 3c3d 8h2b+ 3a2b")
    assert usi.go("btime 0 wtime 0 byoyomi 800").seconds < 5
    assert usi.go("movetime 300 searchmoves B*5e 2g2f").move in ("B*5e", "2g2f")
    plain = usi.go("depth 2")
    assert {"depth", "score", "nodes", "time", "pv"} <= plain.field_names
    assert usi.go("nodes 2000").move
    assert usi.go("infinite", then="stop", after=0.4).seconds >= 0.4
    pondered = usi.go("ponder btime 9000 wtime 9000 byoyomi 300", then="ponderhit", after=0.4)
    assert 0.4 <= pondered.seconds < 8


def test_usi_ends(usi: UsiStrict) -> None:
    usi.begin(SHOGI.removesuffix(" G*5b"))
    mate = usi.go("movetime 800")
    assert mate.infos[-1]["score"] == "mate 1"  # plies are counted
    usi.begin(SHOGI)
    mated = usi.go("movetime 100")
    assert (mated.move, mated.infos[-1]["score"]) == ("", "mate 0")


def test_usi_proves_a_mate_or_that_there_is_none(usi: UsiStrict) -> None:
    if not usi.name.startswith("rulewright"):
        pytest.skip("what other programs answer to `go mate` was not read in their texts")
    usi.begin(SHOGI.removesuffix(" G*5b"))
    assert usi.mate("mate 9000") == ["G*5b"]
    usi.begin(SHOGI)
    usi.say("go mate 9000")
    assert usi.hear().startswith("info string the game is over")
    assert usi.hear() == "checkmate nomate"
    usi.say("position sfen 8k/9/p7G/9/9/9/9/9/K6RL w - 1")  # mated by the next move
    assert usi.mate("mate 9000") is None
    usi.say("go mate soon")
    assert usi.hear().startswith("info string `mate`")
    assert usi.hear() == "checkmate timeout"


def test_usi_positions_and_options(usi: UsiStrict) -> None:
    if not usi.name.startswith("rulewright"):
        pytest.skip("these options are ours: Fairy-Stockfish has others, by other names")
    assert {"USI_Hash", "USI_Ponder", "USI_MultiPV", "USI_AnalyseMode"} <= usi.options.keys()
    usi.set("USI_Hash", "32")
    usi.set("USI_MultiPV", "3")
    usi.begin("7g7f")
    infos = [info for info in usi.go("depth 2").infos if "multipv" in info]
    assert {info["multipv"] for info in infos} >= {"1", "2", "3"}
    usi.say("gameover win")
    usi.silent()
    usi.say("go mate 100")
    assert usi.hear() == "checkmate timeout"
    usi.say("go mate infinite")
    usi.silent(0.5)
    usi.say("stop")
    assert usi.hear() == "checkmate timeout"
    usi.state = usi.rules.start()
    usi.play("7g7f", "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    assert usi.go("byoyomi 200").move
    usi.say("position sfen 9/9 b - 1")
    assert usi.hear().startswith("info string ")
    usi.say("go byoyomi 100")
    assert usi.hear().startswith("info string there is no position")
    assert usi.hear() == "bestmove resign"


def test_ucci_by_its_text(ucci: UcciStrict) -> None:
    ucci.ready()
    ucci.begin("h2e2 h9g7")
    assert ucci.go("time 600 movestogo 1").seconds < 5
    assert ucci.go("time 9000 increment 100 opptime 9000 oppincrement 100").seconds < 8
    assert {"depth", "score", "pv"} <= ucci.go("depth 2").field_names
    assert ucci.go("nodes 2000").move
    assert ucci.go("depth infinite" if ucci.name.startswith("rule") else "infinite",
                   then="stop", after=0.4).seconds >= 0.4  # fmt: skip
    pondered = ucci.go("ponder time 9000 increment 0", then="ponderhit", after=0.4)
    assert 0.4 <= pondered.seconds < 8


def test_ucci_ends(ucci: UcciStrict) -> None:
    ucci.begin(XIANGQI.removesuffix(" b5e5"))
    assert ucci.go("time 800 movestogo 1").move == "b5e5"
    ucci.begin(XIANGQI)
    ucci.say("go depth 1")
    if ucci.name.startswith("rulewright"):
        assert ucci.hear().startswith("info message the game is over")
        assert ucci.hear() == "info depth 0 score -10000"
        assert ucci.hear() == "nobestmove"
    else:  # Fairy-Stockfish answers in the words of UCI
        while not ucci.hear().startswith("bestmove (none)"):
            pass


def test_ucci_options_and_bans(ucci: UcciStrict) -> None:
    if not ucci.name.startswith("rulewright"):
        pytest.skip("these options are ours: Fairy-Stockfish has others, by other names")
    assert {"hashsize", "threads", "ponder", "usemillisec", "newgame"} <= ucci.options.keys()
    ucci.set("hashsize", "32")
    ucci.set("newgame", "")
    ucci.set("usemillisec", "false")
    ucci.begin("h2e2")
    timed = ucci.go("time 1 movestogo 1")
    assert 0.3 < timed.seconds < 5  # a second, and no millisecond
    banned = " ".join(f"{move[0]}{int(move[1]) - 1}{move[2]}{int(move[3:]) - 1}"
                      if len(move) == 4 else "" for move in ucci.state.moves.texts)  # fmt: skip
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    ucci.say(f"probe fen {start} moves h2e2")
    assert ucci.hear() == f"pophash bestmove {timed.move}"
    ucci.say(f"probe fen {start}")
    assert ucci.hear() == "pophash"
    ucci.say("probe fen 9/9 w")
    assert ucci.hear().startswith("info message ")
    ucci.say(f"banmoves {banned}")
    assert ucci.go("depth 1").move not in banned.split()
    ucci.state = ucci.rules.start()
    ucci.play("h2e2", "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r - - 0 1")
    assert ucci.go("time 200").move

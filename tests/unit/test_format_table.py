"""The tables of docs/formats.md, cell by cell: each has a file, and what is said of it holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.errors import RulewrightError
from rulewright.matches.game_files import (
    FORMATS,
    FileFormat,
    FileHints,
    game_bytes,
    losses,
    read_data,
)
from rulewright.matches.protocols.recorded import Ending, Recorded, Variation
from tests.shared.places import GAME_FILES, ROOT

Says = Callable[[Recorded], object]


def tables() -> list[list[list[str]]]:
    """The rows of each table of the document; that of formats is the first."""
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    parts = [part for part in text.split("\n\n") if part.startswith("|")]
    rows = [re.findall(r"^\|(.*)\|$", part, flags=re.MULTILINE)[2:] for part in parts]
    return [[[cell.strip() for cell in f"{row} ".split(" | ")] for row in part] for part in rows]


def test_the_table_of_formats_is_that_of_the_code() -> None:
    rows = {row[0]: (row[1].split(), row[5], row[6]) for row in tables()[0]}
    for form in FORMATS:
        held = ", ".join(sorted(form.holds))
        writes = "no" if form.write is None else "yes"
        assert rows.pop(form.name) == ([*form.suffixes], writes, held)
    assert not rows


# --- what a format holds ---


def whole(game: Recorded) -> Recorded:
    """The game with something in every part that formats may hold."""
    state = game.first
    played = game.decisions[:2]
    for decision in played:
        state = state.play_decision(decision)
    other = next(m for m in game.first.moves.texts if m != played[0])
    marks = {1: {"NAG": ("1",)}, 2: {"LB": ("aa:1",)}}
    return Recorded(
        game.source, state, ("Ann", "Bob"), Ending("resigned", state.mover), {1: "a word"},
        marks=marks, variations=(Variation(0, (other,)),),
    )  # fmt: skip


PARTS: dict[str, Says] = {
    "names": lambda game: game.names,
    "comments": lambda game: [text.strip() for text in game.comments.values()],
    "marks": lambda game: [marks for marks in game.marks.values() if "LB" in marks],
    "assessments": lambda game: [marks["NAG"] for marks in game.marks.values() if "NAG" in marks],
    "variations": lambda game: [variation.decisions for variation in game.variations],
    "result": lambda game: game.ending and game.ending.loser,
}
WRITTEN = [form for form in FORMATS if form.write is not None and form.name != "FEN"]


UNFIT = ("amazons.sgf", "gb2312.sgf", "handicap.sgf", "ending.pdn", "position.pgn", "handicap.kif",
         "drop.sfen", "late.ggf")  # fmt: skip
"""Files whose games begin elsewhere, are too short, or have turns of several decisions."""


@pytest.mark.parametrize("form", WRITTEN, ids=lambda form: form.name)
def test_each_part_is_kept_or_said_to_be_lost(form: FileFormat) -> None:
    suffix = form.suffixes[0]
    files = [
        path for path in sorted(GAME_FILES.iterdir()) if path.suffix.casefold() in form.suffixes
    ]
    file = next(path for path in files if path.name not in UNFIT)
    game = whole(read_data(file, file.read_bytes(), FileHints()))
    path = Path(f"a{suffix}")
    again = read_data(path, game_bytes(path, game), FileHints(game.source))
    assert again.end.text() == game.end.text()
    lost = " ".join(losses(path, game))
    for part, value in PARTS.items():
        kept = value(again) == value(game)
        comment_only = form.name == "list of moves" and part in ("names", "result")
        assert kept == (part in form.holds and not comment_only), part
        assert (part.removesuffix("s") in lost) == (part not in form.holds), part


# --- oddities ---

KIF = "\u624b\u5408\u5272\uff1a\u5e73\u624b\n   1 \uff17\u516d\u6b69(77)\n"
GO = "(;GM[1]FF[4]SZ[9]{};B[ee];W[cc])"
PGN = '[White "A"]\n{}\n{}\n'


def decisions(game: Recorded) -> str:
    return " ".join(game.decisions)


def said(game: Recorded) -> str:
    """What is said of a file that is read."""
    return " ".join([*game.doubts, *game.left_out])


Try = Callable[[], None]


def read(name: str, text: str | bytes, game: str = "") -> Recorded:
    data = text if isinstance(text, bytes) else text.encode()
    return read_data(Path(name), data, FileHints(game))


def reads(
    name: str, text: str | bytes, value: object, says: Says = decisions, game: str = ""
) -> Try:
    """A file is read, and what is said of it is so."""

    def check() -> None:
        assert says(read(name, text, game)) == value

    return check


def tells(name: str, text: str | bytes, message: str, game: str = "") -> Try:
    """A file is read, and a message says this of it."""

    def check() -> None:
        assert message in said(read(name, text, game))

    return check


def refuses(name: str, text: str | bytes, message: str, game: str = "") -> Try:
    """A file is refused with a message."""

    def check() -> None:
        with pytest.raises(RulewrightError, match=re.escape(message)):
            read(name, text, game)

    return check


def writes(name: str, text: str, out: str, words: str) -> Try:
    """A file is written in another format with these words, or refused with them."""

    def check() -> None:
        game = read(name, text)
        try:
            answer = game_bytes(Path(out), game).decode()
        except RulewrightError as error:
            answer = str(error)
        assert words in answer

    return check


FEN = "8/8/8/8/8/8/8/4K2k w - - 0 1"
ODDITIES: dict[str, list[Try]] = {
    "SGF in GB2312": [
        reads("a.sgf", GO.replace("{}", "CA[GB2312]C[\u4e2d\u6587]").encode("gb2312"),
              "\u4e2d\u6587", lambda game: game.comments[0]),
        refuses("a.sgf", GO.replace("{}", "CA[UTF-8]C[\u4e2d]").encode("gb2312"), "UTF-8"),
    ],
    "SGF without `SZ`": [
        reads("a.sgf", "(;GM[1];B[pd])", 19, lambda game: game.game.rules.board.width),
        reads("a.sgf", "(;FF[4];B[pd])", "go", lambda game: game.source),
        reads("a.tsgf", "(;FF[4]SZ[12];W[f6])", "twixt", lambda game: game.source),
    ],
    "SGF of games whose turns have several steps": [
        reads("a.sgf", "(;GM[18]SZ[10];B[djddgd])", ["d1-d7/g7"],
              lambda game: game.end.turns()),
    ],
    "a pass that is forced": [reads("a.sgf", "(;GM[9];B[e1-e3])", "e1-e3")],
    "GGF's board `BO`": [
        reads("a.ggf", (GAME_FILES / "late.ggf").read_text(), True, lambda game: game.is_set_up)
    ],
    "GGF's and Piskvork's times": [
        tells("a.ggf", (GAME_FILES / "othello.ggf").read_text(), "time"),
        reads("a.psq", (GAME_FILES / "gomoku.psq").read_text(), 3, lambda g: len(g.decisions)),
    ],
    "Piskvork's rule at the end": [
        reads("a.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n0,Nothing\n", {"size": 15},
              lambda game: game.changed_options() | {"size": game.game.options["size"]}),
    ],
    "KIF in UTF-8 or Shift-JIS": [
        reads("a.kif", (GAME_FILES / "shogi.kifu").read_text("utf-8").encode("cp932"), True,
              lambda game: game.decisions == read("a.kifu", (GAME_FILES / "shogi.kifu").read_bytes()
                                                  ).decisions),
        refuses("a.kif", "\u624b\u5408\u5272\uff1a\u305d\u306e\u4ed6\n", ":1:"),
    ],
    "how a game in KIF ended": [
        reads("a.kif", KIF + "\u307e\u30671\u624b\u3067\u5148\u624b\u306e\u52dd\u3061\n",
              "gote lost", lambda game: str(game.ending)),
        writes("a.kif", KIF + "   2 \u6295\u4e86\n", "b.kif", "   2 \u6295\u4e86"),
        refuses("a.kif", KIF + "   2 \u6295\u4e86\n   2 \uff13\u56db\u6b69(33)\n", ":4:"),
    ],
    "a line of USI": [
        reads("a.usi", "position startpos moves 2e3d\n", "minishogi", lambda game: game.source),
    ],
    "set-up, handicap": [
        reads("a.sgf", "(;FF[4]SZ[9]HA[2]AB[cc][gg];W[ee])", "white",
              lambda game: game.first.mover),
        refuses("a.sgf", "(;GM[1]SZ[9];B[ee];AB[cc])", "in the middle of the game"),
    ],
    "`W` begins": [
        reads("a.sgf", "(;GM[1]SZ[9];W[ee])", "white", lambda game: game.first.mover),
        tells("a.sgf", "(;GM[11]SZ[5];W[a3])", "W begins in the file and is read as red"),
        reads("a.hsgf", "(;GM[11]SZ[5];W[a3])", "", said),
    ],
    "Little Golem's Havannah": [
        reads("a.hgf", (GAME_FILES / "havannah.hgf").read_text(), "white resigned",
              lambda game: str(game.ending)),
        reads("a.hgf", "(;FF[4]SZ[4];W[E1];B[D7])", "e1 d7"),
        writes("a.hgf", "(;FF[4]SZ[4];W[E1];B[D7])", "b.sgf", "SZ[4]"),
        refuses("a.hgf", "(;FF[4]SZ[4];W[E1];B[swap];W[F2])", "a.hgf:1:22: `swap`"),
    ],
    "`HA` and fewer": [
        tells("a.sgf", "(;FF[4]SZ[9]HA[3]AB[cc][gg];W[ee])", "HA[3], and 2 stones are set up"),
        tells("a.sgf", "(;FF[4]SZ[9]HA[2];W[ee])", "HA[2], and 0 stones are set up"),
        reads("a.sgf", "(;FF[4]SZ[9]HA[2]AB[cc][gg];W[ee])", "", said),
    ],
    "`KM[6,5]`": [
        reads("a.sgf", GO.replace("{}", "KM[6,5]"), 6.5, lambda game: game.game.options["komi"]),
        tells("a.sgf", GO.replace("{}", "KM[6,5]"), "read as 6.5"),
        reads("a.sgf", GO.replace("{}", "KM[]"), "e5 c7"),
    ],
    "`KM[375]` of the Fox server": [
        reads("a.sgf", GO.replace("{}", "KM[375]"), 7.5, lambda game: game.game.options["komi"]),
        tells("a.sgf", GO.replace("{}", "KM[375]"), "read as 7.5"),
    ],
    "komi of any fraction": [
        reads("a.sgf", GO.replace("{}", "KM[6.5]"), 6.5, lambda game: game.game.options["komi"]),
        reads("a.sgf", "(;GM[1]SZ[9];B[ee];W[tt];B[])", "e5 pass pass"),
        tells("a.sgf", "(;GM[1]SZ[9];B[ee];W[tt];B[];W[])", "pass"),
    ],
    "`RE` or `Result` against the rules": [
        tells("a.pgn", PGN.format('[Result "0-1"]', "1. f3 e5 2. g4 Qh4#").replace("0-1", "1-0"),
              "the file says 1-0"),
    ],
    "a result in other words": [
        tells("a.sgf", GO.replace("{}", "RE[\u9ed1\u4e2d\u76d8\u80dc]"), "cannot be read"),
        writes("a.sgf", GO.replace("{}", "RE[\u9ed1\u80dc]"), "b.sgf", "RE[\u9ed1\u80dc]"),
    ],
    "`RE` against a `resign`": [
        tells("a.sgf", "(;GM[1]SZ[9]RE[W+R];B[ee];W[resign])", "its moves say: white resigned")
    ],
    "marks, labels": [
        writes("a.sgf", "(;GM[1]SZ[9];B[ee]LB[ee:A]XY[odd])", "b.sgf", "LB[ee:A]XY[odd]")
    ],
    "`swap-pieces`, `swap-sides`": [
        reads("a.sgf", "(;GM[11]SZ[5];B[b4];W[swap-pieces];W[b2])", "b4 swap b2"),
        reads("a.sgf", "(;GM[11]SZ[5];B[a3];W[swap-pieces];B[d2])", "a3 swap b4"),
    ],
    "moves without blanks": [reads("a.txt", "game othello\nf5d6c3\n", "f5 d6 c3")],
    "a variation that cannot be played": [
        tells("a.pgn", PGN.format("", "1. e4 (1. -- e5) e5 *"), "a variation in line 3")
    ],
    "`0-0`, `e8Q`": [
        reads("a.pgn", PGN.format("", "1. e4! $1 {x} e5 ; y\n% z\n2. Ng1-f3 Nc6 3.Bc4 Bc5 4. 0-0"),
              "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1"),
        reads("a.pgn", PGN.format("", "1. e4 \u00b1 e5\u221e 2. f4 1/2"), [("16",), ("13",)],
              lambda game: [marks["NAG"] for marks in game.marks.values()]),
        reads("a.pgn", PGN.format("", "1. e4 \u00b1 e5 2. f4 1/2"), Ending("draw"),
              lambda game: game.ending),
    ],
    "letters of pieces in German": [
        reads("a.pgn", PGN.format("", "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. 0-0 Sf6 5. Te1 *"), 9,
              lambda game: len(game.decisions)),
        tells("a.pgn", PGN.format("", "1. e4 e5 2. Dh5 Ke7 3. Dxe5# *"), "pieces are German"),
        tells("a.pgn", PGN.format("", "1. e4 e5 2. Ta1 *").replace("Ta1", "♘f3"), "figurines"),
        tells("a.pgn", PGN.format("", "1. e4 e5 2. \u041af3 \u041ac6 3. \u0421b5 *"), "Russian"),
        refuses("a.pgn", PGN.format("", "1. e4 e5 2. Sf3 Nc6 *"), "a.pgn:3:13: `Sf3` is not legal"),
        refuses("a.pgn", PGN.format("", "1. e4 e5 2. Dh5 Dh4 3. Dxh9 *"), "`Dh5` is not legal"),
    ],
    "`1… e5`": [
        reads("a.pgn", PGN.format("", "1. e4 1… a6 2. e5 d5 3. exd6e.p. *"), 5,
              lambda game: len(game.decisions)),
        reads("a.pgn", PGN.format("", "1. Nf3 a6 2. g3 b6 3. Bg2 c6 4. O\u2013O *"), 7,
              lambda game: len(game.decisions)),
    ],
    "PDN without `GameType`": [
        reads("a.pdn", PGN.format("", "1. 32-28 19-23 *"), "internationaldraughts",
              lambda game: game.source),
    ],
    "PDN's captures": [
        reads("a.pdn", PGN.format('[GameType "20"]', "1. 32-28 19-23 2. 28x19 14x23 *"), 4,
              lambda game: len(game.end.turns())),
    ],
    "PDN's sites": [
        reads("a.pdn", PGN.format('[GameType "25,W,8,8,A0,0"]', "1. c3-d4 *"),
              "russiandraughts", lambda game: game.source),
        reads("a.pdn", PGN.format('[GameType "25,W,8,8,N2,0"]', "1. 22-18 *"), 1,
              lambda game: len(game.decisions)),
    ],
    "byte order marks": [
        reads("a", b"\xef\xbb\xbf" + b'[GameType "20"]\n\n1. 32-28 *', "internationaldraughts",
              lambda game: game.source),
        reads("a.psq", (GAME_FILES / "gomoku.psq").read_bytes().replace(b"\r", b"").replace(
            b"\n", b"\r"), 3, lambda game: len(game.decisions)),
        reads("a.pgn", PGN.format("", "1. e4 *").encode() + b"\x1a", "e2e4"),
        reads("a.pgn", b"\xef\xbb\xbf" * 2 + PGN.format("", "1. e4 *").encode(), "e2e4"),
        reads("a.pgn", b"\xef\xbb\xbf" + PGN.format("", "1. e4 *").encode().replace(b"\n", b"\r\n"),
              "e2e4"),
        reads("a.pgn", PGN.format("", "1. e4 *").replace("A", "\xfc").encode("latin-1"), "\xfc",
              lambda game: game.names[0]),
    ],
    "UTF-16": [refuses("a.pgn", PGN.encode("utf-16"), "UTF-16")],
    "FEN without a king": [
        reads("a.fen", "4k3/8/8/8/8/8/8/R7 w - - 0 1\n", 14, lambda game: len(game.end.moves)),
        reads("a.fen", "4k3/8/8/8/8/8/8/K2Q3K w - - 0 1\n", "chess", lambda game: game.source),
    ],
    "FEN without a game": [
        reads("a.fen", FEN + "\n", "chess", lambda game: game.source),
        reads("a.fen", "2k2/5/5/5/2K2 w - - 0 1\n", "gardner", lambda game: game.source),
    ],
    "states that FEN has no field for": [
        writes("a.txt", "game crazyhouse\ne2e4 d7d5 e4d5\n", "b.fen", "FEN has no words for")
    ],
    "Chess960, by `Variant`": [
        reads("a.pgn", PGN.format('[Variant "Chess960"]\n[FEN "bqrbnkrn/pppppppp/8/8/8/8/PPPPPPPP/'
                                  'BQRBNKRN w GCgc - 0 1"]', "1. O-O *"), "f1g1"),
    ],
    "the same rooks in FEN of chess itself": [
        refuses("a.fen", "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1\n", "for which chess has no rule")
    ],
    "a variant without rules": [
        refuses("a.pgn", PGN.format('[Variant "Duck chess"]', "*"), "a.pgn:2:11: no game")
    ],
}  # fmt: skip


def test_each_oddity_has_a_file() -> None:
    titles = [row[0] for part in tables()[1:] for row in part]
    for title in titles:
        assert sum(title.startswith(start) for start in ODDITIES) == 1, title
    for start in ODDITIES:
        assert sum(title.startswith(start) for title in titles) == 1, start


@pytest.mark.parametrize("title", ODDITIES)
def test_an_oddity_is_as_the_table_says(title: str) -> None:
    for attempt in ODDITIES[title]:
        attempt()

"""Generated games beside independent readers: `python -m tests.tools.readers 1000 [FORMAT ...]`.

In: how many games of each format, a seed.  Out: a line for each format, with the number of games
and of differences, and the first of these.  python-chess judges PGN, FEN and EPD, sgfmill SGF (its
boards play the moves of Go), pydraughts PDN and python-shogi USI and KIF.  All of them come with
`make setup`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import chess
from sgfmill import boards, sgf

from rulewright.games.engine.game import State
from rulewright.games.files.games import load_with
from rulewright.matches.game_files import FileHints, read_data
from rulewright.matches.protocols import epd
from rulewright.matches.protocols import sgf as own_sgf
from rulewright.matches.protocols.fen import Fen, UciNotation
from rulewright.matches.protocols.format_settings import formats
from rulewright.matches.protocols.recorded import Recorded
from rulewright.matches.protocols.sgf_writing import write as write_sgf
from rulewright.model.board import bits
from tests.shared.chess_games import VARIANTS, random_game
from tests.shared.judged import differences as judged_differences
from tests.shared.pgn_checks import check, read_back

SIZES = (5, 9, 13, 19)
KOMI = (0.0, 0.5, 5.5, 6.5, 7.0, -3.5)
Differences = Iterator[str]


# --- chess ---


def pgn(count: int, random: Random) -> Differences:
    """Games of python-chess with comments and variations, read, written and read by it again."""
    for variant in VARIANTS:
        share = -(-count // len(VARIANTS))
        games = [random_game(random, variant, random.choice((9, 40, 80))) for _ in range(share)]
        for number, (game, recorded) in enumerate(zip(games, read_back(games), strict=True)):
            try:
                check(game, variant, recorded)
            except AssertionError as error:
                yield f"{variant or 'Standard'} {number}: {error}"


def fen(count: int, random: Random) -> Differences:
    """Positions of python-chess: the same moves are legal, and they are written alike."""
    game = load_with("chess", {})
    for _ in range(count):
        board = _played_board(random)
        read = read_data(Path("a.fen"), board.fen().encode(), FileHints()).end
        notation = UciNotation(formats(game).uci)
        own = set() if read.over else {notation.write(move) for move in read.moves.texts}
        legal = {move.uci() for move in board.legal_moves} if own else set()
        written = Fen(game).write(read).split()
        if own != legal or written != board.fen().split():
            yield f"{board.fen()}: {own ^ legal} {' '.join(written)}"


def epd_lines(count: int, random: Random) -> Differences:
    """Test positions of python-chess: their best moves and names are read."""
    for number in range(count):
        board = _played_board(random)
        moves = list(board.legal_moves)
        if not moves:
            continue
        best = random.sample(moves, min(len(moves), random.randrange(1, 3)))
        name = random.choice(("WAC.001", 'say; "x"', "a b", "é"))
        line = board.epd(bm=best, id=name.replace('"', ""), acd=number)
        (part,) = epd.parts([line.encode()], "tests.epd")
        notes = part.read().notes
        words = {board.san(move) for move in best}
        if set(notes["bm"]) != words or notes["id"] != (name.replace('"', ""),):
            yield f"{line}: {notes}"


def _played_board(random: Random) -> chess.Board:
    board = chess.Board()
    for _ in range(random.randrange(90)):
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            break
        board.push(random.choice(moves))
    return board


# --- SGF ---


def sgf_games(count: int, random: Random) -> Differences:
    """Games of Go that sgfmill writes are read, and those written are read by sgfmill."""
    for number in range(count):
        size, komi = random.choice(SIZES), random.choice(KOMI)
        state = load_with("go", {"size": size, "komi": komi}).start()
        for _ in range(random.randrange(60)):
            if state.over:
                break
            state = state.play_decision(random.choice(state.moves.texts))
        theirs = _written_by_sgfmill(state, size, komi, random)
        read = own_sgf.read(theirs, "theirs.sgf")
        expected = (state.decisions(), size, komi)
        if (list(read.decisions), *_settings(read)) != (list(expected[0]), *expected[1:]):
            yield f"{number}: {theirs.decode()} is read as {read.decisions} {_settings(read)}"
        text = write_sgf(Recorded("go", state, ("Ann", "Bob]\\")))
        yield from differences_by_sgfmill(text, state, size, komi)


def _settings(read: Recorded) -> tuple[object, object]:
    return read.game.options["size"], float(read.game.options["komi"])


def _written_by_sgfmill(state: State, size: int, komi: float, random: Random) -> bytes:
    game = sgf.Sgf_game(size=size, encoding=random.choice(("UTF-8", "ISO-8859-1")))
    game.root.set("KM", komi)
    game.root.set("PB", "J\u00fcrgen [a]\\")
    for before, after in zip(state.states(), state.states()[1:], strict=False):
        node = game.extend_main_sequence()
        node.set_move("bw"[before.situation.position.mover], _sgfmill_move(after))
        if random.random() < 0.2:
            node.set("C", random.choice(("a ]", "b \\", "c: d\ne", "\u00e4")))
    data: bytes = game.serialise()
    return data


def _sgfmill_move(after: State) -> tuple[int, int] | None:
    """The row from below and the column of the last move; None for a pass."""
    move, board = after.decisions()[-1], after.game.rules.board
    if move not in board.by_name:
        return None
    site = board.by_name[move]
    return board.height - 1 - board.rows[site], board.columns[site]


def differences_by_sgfmill(text: bytes, state: State, size: int, komi: float) -> Differences:
    """Size, komi, names and every move; then sgfmill plays them, and has the same stones."""
    game = sgf.Sgf_game.from_bytes(text)
    head = (game.get_size(), game.get_komi(), game.get_player_name("w"))
    moves = [node.get_move() for node in game.get_main_sequence()[1:]]
    expected = [_sgfmill_move(after) for after in state.states()[1:]]
    board = boards.Board(size)
    for colour, move in moves:
        if move is not None:
            board.play(*move, colour)
    stones = {(colour, place) for colour, place in board.list_occupied_points()}
    if head != (size, komi, "Bob]\\") or [m for _, m in moves] != expected:
        yield f"{text.decode()} is read by sgfmill as {head} {moves}"
    elif stones != set(_stones(state)):
        yield f"{text.decode()} leaves other stones"


def _stones(state: State) -> Iterator[tuple[str, tuple[int, int]]]:
    position, board = state.situation.position, state.game.rules.board
    for colour, owned in zip("bw", position.owned[:2], strict=True):
        for site in bits(owned):
            yield colour, (board.height - 1 - board.rows[site], board.columns[site])


# --- draughts and shogi ---


def pdn(count: int, random: Random) -> Differences:
    """Games of five kinds of draughts by pydraughts end in the same positions."""
    return _judged("pdn", -(-count // 5), random, "random.pdn")


def shogi(count: int, random: Random) -> Differences:
    """Games of Shogi by python-shogi in USI and in KIF end in the same positions."""
    return _judged("shogi", count, random, "shogi.json")


def _judged(kind: str, count: int, random: Random, name: str) -> Differences:
    script = Path(__file__).with_name("judges.py")
    words = [sys.executable, str(script), kind, str(count), str(random.random())]
    module = {"pdn": "draughts", "shogi": "shogi"}[kind]
    if find_spec(module) is None:
        yield f"the module `{module}` is missing, which the extra `dev` brings"
        return
    with TemporaryDirectory() as folder:
        file = Path(folder, name)
        with file.open("wb") as out:
            subprocess.run(words, stdout=out, check=True)
        yield from judged_differences(file)


FORMATS: Mapping[str, Callable[[int, Random], Differences]] = {
    "pgn": pgn, "fen": fen, "epd": epd_lines, "sgf": sgf_games, "pdn": pdn, "shogi": shogi,
}  # fmt: skip


def main() -> None:
    """Compare games of the formats that are named, or of all."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("games", type=int)
    words.add_argument("formats", nargs="*", choices=[*FORMATS, []])
    words.add_argument("--seed", default="0")
    options = words.parse_args()
    for name in options.formats or FORMATS:
        differences = list(FORMATS[name](options.games, Random(f"{name} {options.seed}")))
        print(f"{name}: {options.games} games, {len(differences)} differences", flush=True)
        for difference in differences[:3]:
            print(f"  {difference[:600]}", flush=True)


if __name__ == "__main__":
    main()

"""Everything that reads what people and programs write, with texts to begin with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from rulewright.checks import cases, counts
from rulewright.errors import RulewrightError
from rulewright.games.files.catalog import EVALUATOR, PATTERNS, PERSONALITY
from rulewright.games.files.games import RULES, bundled_games, load
from rulewright.games.files.kinds import check_file
from rulewright.games.files.positions import GameSource, read_drawn, read_listed
from rulewright.ground.disk import root
from rulewright.language.diagnostics import Diagnostic
from rulewright.language.reprint_patterns import plain_form
from rulewright.language.source import Source
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.protocols.format_settings import read as read_formats
from rulewright.model.expressions import Expression, Type
from tests.shared.places import REJECTED
from tests.tools.fuzz import games
from tests.tools.fuzz.files_of_games import TARGETS
from tests.tools.fuzz.mutations import BINARY
from tests.tools.fuzz.reader import Complaint, Reader, Said, codes, located, outline
from tests.tools.fuzz.talk import TALKERS

# --- the languages ---


def gaps(node: Any) -> Iterator[Expression]:
    """Parts of an accepted model that stand in for something wrong: there must be none."""
    if isinstance(node, Expression) and node.type is Type.UNKNOWN:
        yield node
    if isinstance(node, tuple):
        for item in node:
            yield from gaps(item)
    elif hasattr(node, "__attrs_attrs__") and not isinstance(node, Source):
        for attribute in node.__attrs_attrs__:
            if attribute.name != "board":
                yield from gaps(getattr(node, attribute.name))


def _rules(text: bytes) -> Said:
    report = check_file(RULES, "fuzz.rules", text)
    _decided(report.game is not None, report.diagnostics)
    if report.game is not None and next(gaps(report.game.rules), None) is not None:
        raise Complaint("the model of an accepted text has a gap")
    return codes(report.diagnostics)


def _decided(accepted: bool, diagnostics: tuple[Diagnostic, ...]) -> None:
    if accepted == any(one.severity == "error" for one in diagnostics):
        raise Complaint("the text is neither accepted nor refused")


def _eval(text: bytes) -> Said:
    report = check_file(EVALUATOR, "fuzz.eval", text)
    _decided(report.model is not None, report.diagnostics)
    return codes(report.diagnostics)


def _personality(text: bytes) -> Said:
    report = check_file(PERSONALITY, "fuzz.personality", text)
    _decided(report.model is not None, report.diagnostics)
    return codes(report.diagnostics)


def _patterns(text: bytes) -> Said:
    report = check_file(PATTERNS, "fuzz.patterns", text)
    _decided(report.model is not None, report.diagnostics)
    return codes(report.diagnostics)


def _older(text: bytes) -> Said:
    with suppress(UnicodeDecodeError):
        return _patterns(plain_form(text.decode()).encode())
    return set()


def _cases(text: bytes) -> Said:
    try:
        cases.parse(text.decode("utf-8", "replace"), "fuzz.cases")
    except RulewrightError as error:
        return located(error, r"^fuzz\.cases:\d+:")
    return set()


def _perft(text: bytes) -> Said:
    path = games.scratch() / "perft.txt"
    path.write_bytes(text)
    said = set[str]()
    for line in counts.counts_in(path):
        if not isinstance(line, counts.BadLine):
            counts.rules_of(line, path)
        elif re.search(r":\d+$", line.place):
            said.add(outline(line.message))
        else:
            raise Complaint(f"no place: {line}")
    return said


def _formats(text: bytes) -> Said:
    try:
        read_formats(_twixt(), "twixt.toml", text)
    except RulewrightError as error:
        return located(error, r"^twixt\.toml( is no|: )")
    return set()


@cache
def _twixt() -> Any:
    return load("twixt")


# --- positions, players ---


def _position(text: bytes) -> Said:
    """The first line names the game; the rest is a position as it is printed, or a list of rows."""
    head, _, rest = text.decode("utf-8", "replace").partition("\n")
    said = set[str]()
    for read in (read_drawn, read_listed):
        try:
            read(GameSource(head if head in bundled_games() else "othello", {}), rest)
        except RulewrightError as error:
            said |= located(error, r"^(\w+: )?line \d+")
    return said


def _players(text: bytes) -> Said:
    said = set[str]()
    for line in text.decode("utf-8", "replace").splitlines():
        try:
            Contestant.parse(line)
        except RulewrightError as error:
            said.add(outline(str(error)))
    return said


# --- where texts begin ---


def _files(pattern: str) -> Callable[[], list[bytes]]:
    def begin() -> list[bytes]:
        folders = root("rulesets"), root("patterns"), REJECTED
        paths = [path for folder in folders for path in sorted(folder.rglob(pattern))]
        return [path.read_bytes() for path in paths]

    return begin


def _given(*texts: str) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


CASES = """format 1
cases for connect4

# a comment
case exclusive
  set width = 4
  set height = 3
  moves 1 2 1 2
  saw "both rules are true"

case undo
  moves
"""
PLAYERS = """computer@depth=2,nodes=500
flip@flip_cost=30,weight=2.5%
random:0.5
gtp:gnugo --mode gtp
t1@time=0.1
engine:python x.py a=b
"""
OLDER = """; T1's own words
O
R 1 0
E 1 2
P 0 0 1 2
D 4 ; a defence
S 3 -1 x
O
R 1 0
E -1 2
"""
READERS = (
    Reader("rules", _files("*.rules"), _rules),
    Reader("eval", _files("*.eval"), _eval),
    Reader("personality", _files("*.personality"), _personality),
    Reader("patterns", _files("*.patterns"), _patterns),
    Reader("older_patterns", lambda: [OLDER.encode(), *_files("*.patterns")()], _older),
    Reader("cases", _given(CASES), _cases),
    Reader("perft", _files("perft.txt"), _perft),
    Reader("formats", _files("*.toml"), _formats),
    *TARGETS,
    Reader("position", games.positions, _position),
    Reader("saved", games.saved_games, games.read_saved),
    Reader("players", _given(PLAYERS), _players),
    Reader("jsonl", games.records(".jsonl"), games.read_record(".jsonl")),
    Reader("db", games.records(".db"), games.read_record(".db"), BINARY),
    Reader("study", games.studies, games.read_study, BINARY, 5.0),
    *TALKERS,
)

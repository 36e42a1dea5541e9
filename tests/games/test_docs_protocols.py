"""The dialogues in docs/protocols.md are held.

A block `gomocup WHO`, `gtp GAME WHO OPTION=VALUE ...`, `uci ...`, `usi ...`, `ucci ...` or
`engine ...` is a dialogue with that command: lines with `>` are said, the others are the answers;
`...` stands for anything.
"""

from __future__ import annotations

import doctest
import tomllib

import pytest

import rulewright
from rulewright.matches.protocols.contestant import DIALECTS
from rulewright.matches.protocols.format_settings import Formats, read
from rulewright.matches.protocols.gomocup import GomocupBrain
from rulewright.matches.protocols.gtp_engine import GtpEngine
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.serving import Service
from rulewright.matches.protocols.text_protocol import TextEngine
from rulewright.matches.protocols.uci_engine import UciEngine
from tests.shared.documents import Block, blocks
from tests.shared.places import DOCS

TEXT = (DOCS / "protocols.md").read_text("utf-8")
KINDS = ("gomocup", "gtp", *DIALECTS, "engine")
DIALOGUES = [b for b in blocks(TEXT) if b.language.split()[:1] and b.language.split()[0] in KINDS]


def service(language: str) -> Service:
    kind, *words = language.split()
    options: dict[str, object] = dict(w.partition("=")[::2] for w in words if "=" in w)
    names = [word for word in words if "=" not in word]
    if kind == "gomocup":
        return GomocupBrain(GameService("connect5", names[0], options))
    host = GameService(names[0], names[1], options)
    if kind in DIALECTS:
        return UciEngine(host, interface=DIALECTS[kind])
    return GtpEngine(host) if kind == "gtp" else TextEngine(host)


@pytest.mark.parametrize("block", DIALOGUES, ids=lambda block: f"protocols.md:{block.line}")
def test_a_dialogue_is_held(block: Block) -> None:
    other, said, heard = service(block.language), list[str](), ""
    for line in block.text.splitlines():
        if line.startswith("> "):
            said.append(line)
            heard += f"{line}\n{other.answer(line[2:])}"
    checker = doctest.OutputChecker()
    assert said
    assert checker.check_output(block.text, heard, doctest.ELLIPSIS), heard


def test_every_kind_of_dialogue_is_shown() -> None:
    assert {block.language.split()[0] for block in DIALOGUES} == set(KINDS)


def test_the_text_of_formats_is_one() -> None:
    (shown,) = (block.text for block in blocks(TEXT) if block.language == "toml")
    with pytest.raises(rulewright.errors.RulewrightError, match="has no `fold`"):
        read(rulewright.load("hex"), "hex.toml", (shown + "fold = 1\n").encode())
    found = read(rulewright.load("hex"), "hex.toml", shown.encode())
    assert isinstance(found, Formats)
    names = {f"{table}.{key}" for table, of in tomllib.loads(shown).items() for key in of}
    formats = ("sgf", "gtp", "gomocup", "uci", "pgn", "pdn", "ggf", "kif")
    fields = {f"{table}.{a.name}" for table in formats for a in
              type(getattr(found, table)).__attrs_attrs__}  # fmt: skip
    assert (
        fields
        | {"t1.pie", "t1.swap", "ucci.row", "scored.end", "psq.rules", "play.best", "play.seats"}
        == names
    )

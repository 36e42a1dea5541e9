"""Looks in an editor: completion, hover, renaming and declarations."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.app.service import hover
from rulewright.app.service.completion import complete
from rulewright.app.service.documents import Workspace
from rulewright.app.service.navigation import definition, rename

HEAD = "format 1\nlook mine for connect4\n\n"


def labels(tmp_path: Path, line: str) -> set[str]:
    """What can come at the end of a line of a look."""
    workspace = Workspace()
    document = workspace.open(tmp_path / "mine.look", HEAD + line)
    return {item.label for item in complete(workspace, document, len(document.text)).items}


@pytest.mark.parametrize(
    ("line", "some", "others"),
    [
        ("", {"title", "piece", "thumbnail"}, {"move", "win"}),
        ("side ", {"yellow", "red"}, {"disc"}),
        ("side red is ", {"red", "bone"}, {"checkered"}),
        ("board ", {"checkered", "frame"}, {"red"}),
        ("board frame ", {"ash", "felt"}, {"frame_", "disc"}),
        ("piece ", {"disc"}, {"run", "drop"}),
        ("piece disc for ", {"red", "yellow"}, {"drop"}),
        ("piece disc as ", {"disc", "king", "path"}, {"rod"}),
        ("mark ", {"last", "threat"}, {"fill"}),
        ("mark last as ", {"fill", "ring"}, {"last"}),
        ("animate ", {"drop"}, {"disc"}),
        ("animate drop as ", {"fall"}, {"fill"}),
        ("animate drop as fall from ", {"top"}, {"red"}),
        ("click s in column(", {"x", "run", "s"}, {"fall"}),
        ("click s in column(x(s)) means ", {"drop"}, {"disc"}),
        ("ground at ", {"corners", "width"}, {"dot"}),
        ("ground at corners as ", {"dot", "area"}, {"king"}),
        ("show count own as number beside ", {"players", "red"}, {"fall"}),
        ("look other for ", {"connect4", "go"}, {"red"}),
        ("view from ", {"red", "mover"}, {"top"}),
    ],
)  # fmt: skip
def test_completion_offers_what_fits(
    tmp_path: Path, line: str, some: set[str], others: set[str]
) -> None:
    offered = labels(tmp_path, line)
    assert some <= offered
    assert not others & offered


def test_names_lead_to_the_rules_and_to_the_look_itself(tmp_path: Path) -> None:
    text = f"{HEAD}let far(n) = n > 3\nground at s in corners as line from s to north(s)\n"
    text += "ground at those(s in sites : far(x(s))) as dot in moss\n"
    text += 'colour moss = "#112233"\npiece disc as disc\nword drop "disc"\n'
    workspace = Workspace()
    document = workspace.open(tmp_path / "mine.look", text)
    for word, home in (
        ("far(x", "mine.look"),
        ("moss\n", "mine.look"),
        ("disc as", "connect4.rules"),
        ('drop "', "connect4.rules"),
        ("s to", "mine.look"),
    ):
        (place,) = definition(workspace, document, text.index(word))
        assert place.document.path.name == home, word
    edits = rename(workspace, document, text.index("s in corners"), "corner")
    assert [len(edit) for edit in edits.values()] == [3]
    edits = rename(workspace, document, text.index("moss\n"), "leaf")
    assert [len(edit) for edit in edits.values()] == [2]


def test_hover_tells_of_words_and_colours(tmp_path: Path) -> None:
    text = f"{HEAD}board frame ash\npiece disc as disc\n"
    workspace = Workspace()
    document = workspace.open(tmp_path / "mine.look", text)

    def shown(word: str) -> str:
        told = hover.hover(workspace, document, text.index(word))
        assert told is not None
        return told.text

    assert "What the board is made of" in shown("board")
    assert "A frame in which pieces fall" in shown("frame")
    assert "#D2DAD5 in the light theme" in shown("ash")

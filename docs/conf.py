"""How the documentation site is built: `make docs`.

In: the pages of this folder, and README.md, CONTRIBUTING.md and CHANGELOG.md beside it.  Out: HTML
with search.  A link that leads nowhere is an error.
"""

import re
from pathlib import Path

from pygments.lexer import RegexLexer, bygroups, words
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Whitespace
from sphinx.application import Sphinx

from rulewright import __version__

project = "rulewright"
author = "The rulewright authors"
version = release = __version__
html_title = f"rulewright {release}"

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_heading_anchors = 4  # as on the usual hosts: `page.md#a-heading`
nitpicky = True

html_theme = "furo"
pygments_style = "friendly"
pygments_dark_style = "native"
html_copy_source = False
html_show_sphinx = False

GRAMMAR = Path(__file__).parents[1] / "grammar" / "terminals.lark"


class RulewrightLexer(RegexLexer):
    """Texts of rulewright, of every kind: words of the grammar are keywords."""

    name = "rulewright"
    tokens = {  # noqa: RUF012 - as Pygments wants it
        "root": [
            (r"\s+", Whitespace),
            (r"#.*", Comment),
            (r'"[^"\n]*"?', String),
            (r"\d+(\.\d+)?", Number),
            (
                words(
                    re.findall(r'^[A-Z_]+: "([a-z]+)"$', GRAMMAR.read_text("utf-8"), re.MULTILINE),
                    prefix=r"\b",
                    suffix=r"\b",
                ),
                Keyword,
            ),
            (r"^(\s*)([A-Z]\w*)", bygroups(Whitespace, Keyword)),  # patterns
            (r"\w+", Name),
            (r"\W", Operator),
        ]
    }


def setup(app: Sphinx) -> None:
    """Name the languages of the fenced blocks."""
    for kind in ("rules", "evaluator", "personality", "patterns"):
        app.add_lexer(kind, RulewrightLexer)
    for kind in ("messages", "sgf", "gomocup", "gtp", "engine"):
        app.add_lexer(kind, TextLexer)

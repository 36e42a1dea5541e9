"""How the documentation site is built: `make docs`.

In: the pages of this folder, and README.md, CONTRIBUTING.md and CHANGELOG.md beside it.  Out: HTML
with search.  A link that leads nowhere is an error.
"""

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from rulewright import __version__
from rulewright.app.service.pygments_lexers import LEXERS

project = "rulewright"
author = "The rulewright authors"
version = release = __version__
html_title = f"rulewright {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
myst_heading_anchors = 4  # as on the usual hosts: `page.md#a-heading`
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types that are no part of the API have no page
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_extra_path = ["llms.txt", "languages.txt"]  # for readers who are assistants
pygments_style = "friendly"
pygments_dark_style = "native"
html_copy_source = False
html_show_sphinx = False


def setup(app: Sphinx) -> None:
    """Name the languages of the fenced blocks."""
    for kind, lexer in LEXERS.items():
        app.add_lexer(kind, lexer)
    for kind in ("messages", "sgf", "gomocup", "gtp", "uci", "engine"):
        app.add_lexer(kind, TextLexer)

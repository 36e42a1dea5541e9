"""How the documentation site is built: `make docs`.

In: the pages of this folder, and README.md, CONTRIBUTING.md and CHANGELOG.md beside it.  Out: HTML
with search, in the colours of the studio.  A link that leads nowhere is an error.  With
`-D studio_address=../` the pages stand beside an exported studio, and link to it.
"""

import sys
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from rulewright import __version__
from rulewright.app.service.pygments_lexers import LEXERS

sys.path.append(str(Path(__file__).parents[1]))  # the extensions, and what tests know of examples

from docs.extensions.design import site_bar, variables

project = "rulewright"
author = "The rulewright authors"
version = release = __version__
html_title = f"rulewright {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "docs.extensions.boards"]
exclude_patterns = ["_build", "extensions"]
myst_heading_anchors = 4  # as on the usual hosts: `page.md#a-heading`
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types that are no part of the API have no page
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["tables.css", "studio.css"]
html_js_files = [("theme.js", {"priority": 1})]  # before furo's own shows a theme
html_theme_options = {
    "light_css_variables": variables("light"),
    "dark_css_variables": variables("dark"),
}
html_extra_path = ["llms.txt", "languages.txt"]  # for readers who are assistants
pygments_style = "friendly"
pygments_dark_style = "native"
html_copy_source = False
html_show_sphinx = False


def add_site_bar(app: Sphinx) -> None:
    """Put the bar of the whole site above every page that stands beside a studio."""
    if app.config.studio_address:
        app.config.html_theme_options["announcement"] = site_bar(app.config.studio_address)


def setup(app: Sphinx) -> None:
    """Name the languages of the fenced blocks, and lead to the studio."""
    app.connect("builder-inited", add_site_bar, priority=1)
    for kind, lexer in LEXERS.items():
        app.add_lexer(kind, lexer)
    for kind in ("messages", "sgf", "gomocup", "gtp", "uci", "usi", "ucci", "engine"):
        app.add_lexer(kind, TextLexer)

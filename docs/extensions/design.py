"""The documents look as the studio does: its tokens as variables of the theme, and its bar.

In: studio/src/tokens.css, README.md.  Out: CSS variables by theme; the bar above every page, whose
links lead to the games, to a text to begin with, and to the documents.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from docs.extensions.links import examples, link
from tests.shared.documents import blocks
from tests.shared.places import ROOT

_TOKENS = ROOT / "studio" / "src" / "tokens.css"
_ICONS = ROOT / "studio" / "src" / "icons.tsx"
_THEME = {
    "font-stack": "font", "font-stack--monospace": "mono",
    "color-foreground-primary": "ink", "color-foreground-secondary": "ink-2",
    "color-foreground-muted": "ink-3", "color-foreground-border": "line-strong",
    "color-background-primary": "bg", "color-background-secondary": "surface",
    "color-background-hover": "sunken", "color-background-border": "line",
    "color-background-item": "surface", "color-brand-primary": "accent",
    "color-brand-content": "accent-ink", "color-brand-visited": "accent-ink",
    "color-link": "accent-ink", "color-link--hover": "accent-hover",
    "color-link--visited": "accent-ink", "color-link--visited--hover": "accent-hover",
    "color-code-background": "surface", "color-code-foreground": "ink",
    "color-inline-code-background": "sunken", "color-highlight-on-target": "accent-soft",
    "color-announcement-background": "surface", "color-announcement-text": "ink",
}  # fmt: skip
"""The variables of furo with the token that each takes."""


def tokens(theme: str) -> dict[str, str]:
    """Return the values of the studio's tokens in the theme `light` or `dark`, by name."""
    text = re.sub(r"/\*.*?\*/", "", _TOKENS.read_text("utf-8"), flags=re.DOTALL)
    light, dark = re.findall(r":root(?:\S*) \{(.*?)\n\}", text, re.DOTALL)[:2]
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", light if theme == "light" else light + dark))


def variables(theme: str) -> Mapping[str, str]:
    """Return the tokens of a theme, and the variables of furo made of them."""
    values = tokens(theme)
    return values | {name: values[token] for name, token in _THEME.items()}


def site_bar(studio: str) -> str:
    """Return the bar of the site, whose links lead to the studio at an address and its parts."""
    text = (ROOT / "README.md").read_text("utf-8")
    opened = next(o for o in examples([(b.language, b.text) for b in blocks(text)]) if o)
    write = f"{studio}#{link(opened)}"
    return (
        f'<a class="site-mark" href="{studio}">{_mark()}rulewright</a><nav aria-label="Site">'
        f'<a href="{studio}">Games</a><a href="{write}">Write</a>'
        '<a href="index.html" aria-current="page">Documents</a></nav>'
    )


def _mark() -> str:
    """Return the mark of the studio as markup."""
    found = re.search(r'<svg class="mark".*?</svg>', _ICONS.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return " ".join(found[0].split())

"""Where the data folders are: the grammars, the rule sets, the patterns.

A wheel carries them inside the package; in a checkout they stand beside `interpreter/`.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parents[1]


def root(kind: str) -> Path:
    """Return the data folder called *kind*: `grammar`, `rulesets` or `patterns`."""
    for place in (_PACKAGE, _CHECKOUT):
        folder = place / kind
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"no data folder `{kind}` in {_PACKAGE} or {_CHECKOUT}")

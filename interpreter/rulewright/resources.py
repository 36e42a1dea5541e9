"""Where things are: the data folders of the project, and the cache of the user.

A wheel carries the data inside the package; in a checkout it stands beside `interpreter/`.
"""

from __future__ import annotations

import os
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


def cache_folder() -> Path:
    """Where derived files are kept; `RULEWRIGHT_CACHE` names a folder for a folder of our own."""
    named = os.environ.get("RULEWRIGHT_CACHE")
    if named:
        return Path(named) / "rulewright"
    from platformdirs import user_cache_path

    return user_cache_path("rulewright", appauthor=False)


def state_folder() -> Path:
    """Where what belongs to the user and cannot be made again is kept."""
    from platformdirs import user_state_path

    return user_state_path("rulewright", appauthor=False)

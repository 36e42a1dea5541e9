"""Games that are kept by themselves, in the user's data folder.

In: a game after each decision.  Out: a file for each game, which is there whatever happens to the
terminal; the last unfinished one of a game, to go on with.  `RULEWRIGHT_DATA` names another folder.
A folder that cannot be written is told of once, and the game goes on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from attrs import define, frozen

from rulewright.disk import write_whole
from rulewright.errors import RulewrightError
from rulewright.play.saved import Saved, read_saved


def folder() -> Path:
    """Where kept games are."""
    named = os.environ.get("RULEWRIGHT_DATA")
    if named:
        return Path(named) / "games"
    from platformdirs import user_data_path  # noqa: PLC0415 - loaded when it is needed

    return user_data_path("rulewright", appauthor=False) / "games"


@frozen
class Kept:
    """A kept game and its file."""

    path: Path
    saved: Saved

    @property
    def when(self) -> str:
        """When it was played last, in local time."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.path.stat().st_mtime))


@define
class Keeper:
    """Keeps one game under one name."""

    path: Path
    failed: str = ""

    @classmethod
    def fresh(cls, source: str) -> Keeper:
        """A name that no other game has."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        name = Path(source).stem or "game"
        found = folder() / f"{name}-{stamp}-{os.getpid()}.json"
        number = 1
        while found.exists():
            number += 1
            found = folder() / f"{name}-{stamp}-{os.getpid()}-{number}.json"
        return cls(found)

    def keep(self, saved: Saved) -> None:
        """Write the game as it is now; one without a decision is not kept."""
        try:
            if saved.state.before is None and not (saved.resigned or saved.undone):
                self.path.unlink(missing_ok=True)
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, saved.text().encode())
            self.failed = ""
        except (OSError, RulewrightError) as error:
            self.failed = f"this game cannot be kept: {error}"


def kept_games(source: str = "") -> Iterator[Kept]:
    """The kept games of *source* (unsaid: of all), the latest first; damaged files are left out."""
    for path in sorted(_files(), key=_age):
        with suppress(RulewrightError, OSError):
            found = Kept(path, read_saved(path))
            if source in ("", found.saved.source):
                yield found


def unfinished(source: str) -> Kept | None:
    """The last game of *source* that is not over."""
    return next((kept for kept in kept_games(source) if not kept.saved.over), None)


def _files() -> list[Path]:
    with suppress(OSError):
        return list(folder().glob("*.json"))
    return []


def _age(path: Path) -> float:
    with suppress(OSError):
        return -path.stat().st_mtime
    return 0.0

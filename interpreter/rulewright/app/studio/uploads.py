"""Games in files that a page hands over, of any format.

In: the text of a file or its bytes in base64, and the game of the page for files that name none.
Out: the recorded game, and what of it the page does not show.
"""

from __future__ import annotations

from base64 import b64decode
from contextlib import suppress
from pathlib import Path

from rulewright.app.studio import messages as m
from rulewright.app.studio import parcels
from rulewright.app.studio.folder import Folder
from rulewright.errors import RulewrightError
from rulewright.matches.game_files import FileHints, format_of, lost_parts, read_data
from rulewright.matches.protocols import move_list
from rulewright.matches.protocols.recorded import Recorded
from rulewright.matches.record_files import SUFFIXES

_POSITION = Path("position.fen")
"""The name of a file that has room for nothing but a position."""


def uploaded_game(params: m.ReadGame, hints: FileHints, folder: Folder) -> Recorded:
    """The game of a file: what it says itself, else with hints; raises `RulewrightError`.

    The texts of a parcel are written into *folder*; rules that a file names are looked for there.
    """
    name, data = Path(Path(params.name).name), _content(params)
    if name.suffix in SUFFIXES:
        raise RulewrightError(f"{name} is a record of a match, which is opened below Measure")
    if data.startswith(parcels.START):
        return _game_of_parcel(data, folder)
    try:
        return read_data(name, data, FileHints())
    except RulewrightError as error:
        if folder.path is not None:
            with suppress(RulewrightError):
                return read_data(folder.path / name, data, FileHints())
        try:
            return read_data(name, data, hints)
        except RulewrightError:
            if format_of(name, data).name == move_list.NAME:
                raise  # it needs the hints
            raise error from None


def _game_of_parcel(data: bytes, folder: Folder) -> Recorded:
    """The game of a zip, whose texts are in the folder from now on."""
    name, moves, texts = parcels.unpack(data)
    if folder.path is None:
        raise RulewrightError("no folder is open: start the studio with a file of yours")
    place = folder.path / parcels.put(folder, name, texts) if texts else folder.path
    return read_data(place / name, moves.encode(), FileHints())


def _content(params: m.ReadGame) -> bytes:
    if not params.data:
        return params.text.encode("utf-8", "surrogatepass")
    try:
        return b64decode(params.data)
    except ValueError:
        raise RulewrightError(f"{Path(params.name).name} cannot be read") from None


def hidden_parts(recorded: Recorded) -> str:
    """What of a game a page does not show; empty where it shows all."""
    lost = [part for part in lost_parts(_POSITION, recorded) if part not in ("names", "result")]
    parts = [*(f"{part} left out" for part in (*recorded.left_out, *lost)), *recorded.doubts]
    return "; ".join(parts)

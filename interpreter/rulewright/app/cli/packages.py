"""Packages of games: `add` unpacks an archive of texts, and `new --package` begins a project.

In: an archive with the digest from its author, or a name.  Out: a shelf in the user's data folder,
or a folder with everything that a package needs.  An archive with any fault is refused; then
nothing is written, and an installed package of that name stays as it was.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import shutil
import tempfile
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import renamed_rules, say
from rulewright.errors import RulewrightError
from rulewright.games.files.archives import ArchiveError, shelf_texts, unpack_archive
from rulewright.games.files.games import RULES, bundled_games
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.games.files.shelves import NAME, Shelf, hidden_games, packages_folder
from rulewright.ground.disk import LARGEST, held_texts, read_bytes, read_text, root, write_whole
from rulewright.ground.printable import amount, printable_name
from rulewright.language.diagnostics import TextError, errors, offer

_FIRST = "tictactoe"
"""The game that a package starts from by default."""
_RESERVED = ("build", "dist", "docs", "rulewright", "site", "tests")
"""Names that a package cannot have: its project, or the library, has such a folder."""
SECONDS = 30
"""Seconds that a server may be silent."""
ORIGIN = "origin.txt"
"""The file beside the games of a package that says where it came from."""


def add(arguments: Namespace) -> int:
    """Unpack an archive if its digest is right, and print the games in it."""
    source, _, digest = arguments.source.partition("#sha256=")
    if arguments.remove:
        return _remove(source)
    checksum = (arguments.sha256 or digest).strip().lower()
    if not re.fullmatch(r"[0-9a-f]{64}", checksum):
        wrong = "a digest has 64 hexadecimal digits" if checksum else "the digest is missing"
        hint = "give the digest that the author of the package publishes, as `--sha256 DIGEST`"
        raise RulewrightError(f"{wrong}; {hint}")
    name = arguments.name or _name_of(source)
    if not NAME.fullmatch(name):
        raise RulewrightError(
            f"a package's name has letters, digits and `_`, not {name!r}; choose a name with --name"
        )
    data = _fetched(source) if _is_url(source) else read_bytes(source, LARGEST)
    actual = hashlib.sha256(data).hexdigest()
    if not hmac.compare_digest(actual, checksum):
        raise RulewrightError(f"{source} has another digest than --sha256 says: {actual}")
    return _unpack(name, source, actual, data, arguments.force)


def _unpack(name: str, source: str, digest: str, data: bytes, force: bool) -> int:
    place = packages_folder() / name
    if place.exists() and not force:
        raise RulewrightError(f"there is a package {name} already; --force replaces it")
    _refuse_others(place)
    try:
        inside = unpack_archive(data)
        texts = shelf_texts(inside.texts)
    except ArchiveError as error:
        raise RulewrightError(f"{source} is refused: {error}") from None
    texts[PurePosixPath(ORIGIN)] = f"{source}\nsha256 {digest}\n".encode(
        "utf-8", "backslashreplace"
    )
    _refuse_mistakes(source, texts)
    _write_texts(place, texts)
    games = sorted(Shelf(place, name).games())
    summary = f"{amount(len(texts) - 1, 'text')} in {printable_name(place)}"
    say(f"{summary}; games: {', '.join(games) or 'no game, only files for other games'}")
    for message in hidden_games(bundled_games()):
        if str(place) in message or f"added: {name}" in message:
            say(f"rulewright: {message}")
    if inside.left_out:
        say(f"{amount(inside.left_out, 'file')} of other kinds left out")
    return 0


def _refuse_mistakes(source: str, texts: Mapping[PurePosixPath, bytes]) -> None:
    place = Path(source).absolute()
    with held_texts({place / path: data for path, data in texts.items()}):
        _refuse_rules(source, place, texts)


def _refuse_rules(source: str, place: Path, texts: Mapping[PurePosixPath, bytes]) -> None:
    """Refuse rules with mistakes; those that they build on may stand beside them at *place*."""
    for path, data in texts.items():
        if path.suffix == RULES.suffix:
            if path.parent.name not in ("", path.stem):
                reason = (
                    f"`{path}` cannot be loaded by name: a game stands in a folder of the same name"
                )
                raise RulewrightError(f"{source} is refused: {reason}")
            wrong = errors(
                check_file(
                    RULES, str(path), data, FileContext(None, (place / path).parent)
                ).diagnostics
            )
            if wrong:
                say(
                    f"rulewright: {printable_name(source)} is refused, for its rules have mistakes:"
                )
                raise TextError(wrong)


def _write_texts(place: Path, texts: Mapping[PurePosixPath, bytes]) -> None:
    """Write all files to a temporary folder beside the place, then move it there in one step."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".", dir=place.parent) as beside:
        new, old = Path(beside) / "new", Path(beside) / "old"
        new.mkdir()
        for path, data in texts.items():
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            write_whole(new / path, data, new=True)
        if place.exists():
            place.rename(old)
        try:
            new.rename(place)
        except OSError:
            if old.exists():
                old.rename(place)
            raise


def _remove(name: str) -> int:
    place = packages_folder() / name
    if not NAME.fullmatch(name) or not place.is_dir():
        names = sorted(p.name for p in packages_folder().glob("[!.]*"))
        raise RulewrightError(f"no package {name} was added; {offer(name, names)}")
    _refuse_others(place)
    shutil.rmtree(place)
    say(f"{printable_name(place)} removed")
    return 0


def _refuse_others(place: Path) -> None:
    """Refuse to touch a folder that `add` did not write."""
    if place.exists() and not (place / ORIGIN).is_file():
        reason = "was not unpacked by `add`, and stays as it is; remove it by hand"
        raise RulewrightError(f"{place} {reason}")


def _is_url(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))


def _name_of(source: str) -> str:
    """The name of the package in the name of an archive: `boardpack` of `boardpack-1.2.tar.gz`."""
    try:
        path = urlsplit(source).path if _is_url(source) else Path(source).name
    except ValueError as error:
        raise RulewrightError(f"{source} is no address: {error}") from None
    file = PurePosixPath(path).name
    return re.split(r"-\d|\.(?:zip|whl|tar|tgz)\b", file, maxsplit=1)[0].replace("-", "_")


def _fetched(url: str) -> bytes:
    """Fetch an address, up to the size limit of a file; raises `RulewrightError` if that fails."""
    from http.client import HTTPException
    from urllib import request

    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler, request.HTTPHandler, request.HTTPSHandler,
        request.HTTPRedirectHandler, request.HTTPDefaultErrorHandler, request.HTTPErrorProcessor,
    ):  # no other protocols, wherever an answer leads  # fmt: skip
        opener.add_handler(handler())
    try:
        with opener.open(url, timeout=SECONDS) as answer:
            data: bytes = answer.read(LARGEST + 1)
    except (OSError, HTTPException, ValueError) as error:
        raise RulewrightError(f"{url} cannot be fetched: {error}") from None
    if len(data) > LARGEST:
        raise RulewrightError(f"{url} has more than {LARGEST:,} bytes")
    return data


# --- a project ---


def new_package(arguments: Namespace) -> int:
    """Write a project for a package of games: rules, tests, documentation, a build file."""
    folder = Path(arguments.package)
    name = folder.name
    if not NAME.fullmatch(name) or not name.islower():
        raise RulewrightError(f"a package's name has small letters, digits and `_`, not {name!r}")
    if name in _RESERVED:
        raise RulewrightError(f"{name} is a folder of the project itself; choose another name")
    if folder.exists() and any(folder.iterdir()):
        raise RulewrightError(f"{folder} is there already, and not empty")
    game = arguments.name or f"{name}_game"
    if not NAME.fullmatch(game):
        raise RulewrightError(f"a game's name has letters, digits and `_`, not {game!r}")
    for path, text in _project(name, game, arguments.source or _FIRST).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / path, text.encode(), new=True)
    hint = f"`make test` in it tests the game {game}, README.md says what else"
    say(f"{printable_name(folder)} written; {hint}")
    return 0


def _project(name: str, game: str, source: str) -> dict[Path, str]:
    """The texts of a project by their paths, with `NAME` and `GAME` of the templates filled in."""
    templates = root("templates") / "package"
    files = dict[Path, str]()
    for path in sorted(templates.rglob("*")):
        if path.is_file():
            inner = str(path.relative_to(templates)).replace("dot_", ".").removesuffix(".template")
            files[Path(_filled(inner, name, game))] = _filled(read_text(path), name, game)
    rules = Path(f"{game}.rules")
    return files | {Path(name, game) / rules: renamed_rules(source, game, rules)}


def _filled(text: str, name: str, game: str) -> str:
    return text.replace("@NAME@", name).replace("@GAME@", game)


COMMANDS: dict[str, a.Command] = {
    "add": (add, [
        a.value("source", "PATH|URL", "a zip, wheel or tar.gz of texts; for --remove a package"),
        a.value("--sha256", "DIGEST", "the digest of the archive (or PATH#sha256=DIGEST)"),
        a.value("--name", "NAME", "the name of the package on this machine"),
        a.flag("--remove", "remove the package of that name"),
        a.FORCE,
    ]),
}  # fmt: skip

"""Games in PGN: tags, moves in standard notation, comments, assessments and variations.

In: the text of a game, or a recorded game.  Out: the recorded game, or the bytes.  `pgn_text.py`
reads tokens, `move_text.py` lines of play, `san.py` moves; which game a tag `Variant` means, and
what it calls things, stands in the table `[pgn]` of `GAME.toml`.  Refuses, each at its place:
variants without rules, positions that the rules cannot go on from, moves that are not legal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import takewhile

from attrs import evolve

from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.language.diagnostics import TextError
from rulewright.language.source import Span
from rulewright.matches.protocols.fen import Fen
from rulewright.matches.protocols.format_settings import Pgn, bundled_with, formats
from rulewright.matches.protocols.move_text import (
    MoveTextReader,
    MoveTextWriter,
    PlayLine,
    fill_lines,
)
from rulewright.matches.protocols.pgn_text import RESULTS, Token, games, tokens
from rulewright.matches.protocols.recorded import (
    Ending,
    Recorded,
    RecordReading,
    UnreadGame,
    in_a_line,
    unreadable_result,
)
from rulewright.matches.protocols.san import San, languages_of

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""Tags that every game has, in their order."""
OPTIONS = "RulewrightOptions"
"""The tag of this program for options of the rules."""
_UNKNOWN = re.compile(r"[?.*]*")
_SPECIAL = ("White", "Black", "Result", "FEN", "SetUp", "Variant", OPTIONS)
_TAG = re.compile(r"\w{1,255}")
_STANDARD = "Standard"
_HOW = {"time forfeit": "time", "rules infraction": "forfeit", "abandoned": "forfeit"}
_TERMINATION = {"time": "time forfeit", "forfeit": "rules infraction"}


# --- reading ---


def parts(
    lines: Iterable[bytes], name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Iterator[UnreadGame]:
    """The games of a file called *name*, one after another, none of them read yet.

    *source* names the game, else the tag `Variant` does.  Reading raises `TextError` at the place
    of a mistake.
    """
    for reading in games(name, lines):
        yield UnreadGame(partial(_read, reading, source, options), partial(_head, reading))


def _head(reading: RecordReading) -> Mapping[str, str]:
    """The tags of a game, whose moves are not looked at."""
    tags = takewhile(lambda token: token.kind == "tag", tokens(reading))
    return {token.name: token.text for token in tags}


def _read(reading: RecordReading, source: str, options: Mapping[str, object] | None) -> Recorded:
    """Read the text of one game."""
    stream = list(tokens(reading))
    tags = {token.name: token for token in stream if token.kind == "tag"}
    source = source or _source(reading, tags)
    options_there = dict(
        pair.partition("=")[::2] for pair in tag_text(tags, OPTIONS).split(",") if pair
    )
    span = tags[OPTIONS].span if options_there else Span(0, 1)
    game = reading.load(source, {**(options or {}), **options_there}, span)
    style = formats(game).pgn
    if style is None:
        message = f"{game.name} has no games in PGN: {game.name}.toml has no [pgn]"
        reading.fail("bad-record", Span(0, 1), message)
    _check_variant(reading, tags, style, game)
    moves, start = [t for t in stream if t.kind != "tag"], _start(reading, tags, game)

    def read(language: str = "") -> Recorded:
        san = San(game, style, language)
        reader = MoveTextReader(reading, san, [PlayLine(0, [start])])
        return _recorded(source, tags, reader.read(list(moves)), reader)

    try:
        return read()
    except TextError:
        texts = (token.text for token in moves if token.kind == "move")
        game_read = _in_another_language(read, languages_of(style, texts))
        if game_read is None:
            raise
        return game_read


def _in_another_language(
    read: Callable[[str], Recorded], languages: Iterable[str]
) -> Recorded | None:
    """The game as it is read with other letters; None where no language, or several, fit."""
    games = dict[tuple[str, ...], Recorded]()
    for language in languages:
        with suppress(TextError):
            game = read(language)
            doubts = (*game.doubts, f"the letters of its pieces are {language}")
            games.setdefault(game.decisions, evolve(game, doubts=doubts))
    return next(iter(games.values())) if len(games) == 1 else None


def _recorded(
    source: str, tags: Mapping[str, Token], main: PlayLine, reader: MoveTextReader
) -> Recorded:
    """The recorded game of a main line and its tags."""
    end = main.states[-1]
    stated = reader.result if reader.result not in ("", "*") else tag_text(tags, "Result")
    return Recorded(
        source, end, tag_names(tags), _ending(end, stated, tag_text(tags, "Termination")),
        main.comments, tag_notes(tags, _SPECIAL), tuple(reader.left_out), marks=main.marks,
        variations=tuple(main.variations), doubts=tuple(_doubts(end, stated)),
    )  # fmt: skip


def tag_names(tags: Mapping[str, Token]) -> tuple[str, str]:
    """The names of White and Black."""
    first, second = (
        re.sub(r"^\?$", "", in_a_line(tag_text(tags, name))) for name in ("White", "Black")
    )
    return first, second


def tag_notes(tags: Mapping[str, Token], special: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The tags that nothing else of a record holds, and that say something."""
    return {
        name: (token.text,)
        for name, token in tags.items()
        if name not in special and not (name in ROSTER and _UNKNOWN.fullmatch(token.text))
    }


def tag_text(tags: Mapping[str, Token], name: str) -> str:
    """The text of a tag; empty if there is none."""
    return tags[name].text.strip() if name in tags else ""


def _source(reading: RecordReading, tags: Mapping[str, Token]) -> str:
    variant = tag_text(tags, "Variant") or _STANDARD
    names = bundled_with("pgn", "variants", variant)
    if not names:
        message = f"no game that is bundled is the variant `{variant[:40]}`"
        reading.fail("bad-record", tags["Variant"].span, message, "name the game")
    return names[0]


def _check_variant(
    reading: RecordReading, tags: Mapping[str, Token], style: Pgn, game: Game
) -> None:
    variant = tag_text(tags, "Variant")
    if variant and style.variants and variant.casefold() not in map(str.casefold, style.variants):
        message = f"this is a game of the variant `{variant[:40]}`, which {game.name} is not"
        reading.fail("bad-record", tags["Variant"].span, message)


def _start(reading: RecordReading, tags: Mapping[str, Token], game: Game) -> State:
    if "FEN" not in tags:
        return game.start()
    try:
        return Fen(game).read(tags["FEN"].text.split())
    except (RulewrightError, Fault) as error:
        reading.fail("bad-record", tags["FEN"].span, str(error))


def _loser(end: State, stated: str) -> str | None:
    """Who lost by a result; None for a draw, and where there is none."""
    players = end.game.players
    return {"1-0": players[1], "0-1": players[0]}.get(stated)


def _ending(end: State, stated: str, termination: str) -> Ending | None:
    if end.over or stated not in RESULTS[:3]:
        return None
    loser = _loser(end, stated)
    how = _HOW.get(termination.casefold(), "lost")
    return Ending(how, loser) if loser else Ending("draw")


def _doubts(end: State, stated: str) -> Iterator[str]:
    if stated not in ("", "?", *RESULTS):
        yield unreadable_result(stated)
    if end.result is None or stated not in RESULTS[:3]:
        return
    winner = end.result.winner
    if stated != _result_of(end, winner):
        yield f"the file says {stated}, and by the rules it is: {end.result}"


def _result_of(end: State, winner: str | None) -> str:
    return "1/2-1/2" if winner is None else RESULTS[end.game.players.index(winner)]


# --- writing ---


def write(recorded: Recorded) -> bytes:
    """Write the game as PGN; reading it gives the same game again."""
    style = formats(recorded.game).pgn
    if style is None:
        name = recorded.game.name
        raise RulewrightError(f"{name} has no games in PGN: {name}.toml has no [pgn]")
    recorded, result = recorded.behind_chance(), _result(recorded)
    tags = [f'[{name} "{escaped(value)}"]' for name, value in _tags(recorded, style, result)]
    words = [*MoveTextWriter(San(recorded.game, style)).main(recorded), result]
    return ("\n".join(tags) + "\n\n" + fill_lines(words) + "\n").encode()


def escaped(text: str) -> str:
    """A text as it stands in a tag."""
    return in_a_line(text.replace("\\", "\\\\").replace('"', '\\"'))


def _result(recorded: Recorded) -> str:
    end, ending = recorded.end, recorded.ending
    if end.result is not None:
        return _result_of(end, end.result.winner)
    if ending is None:
        return "*"
    winners = [name for name in recorded.game.players if name != ending.loser]
    return _result_of(end, winners[0] if ending.loser else None)


def _tags(recorded: Recorded, style: Pgn, result: str) -> Iterator[tuple[str, str]]:
    notes = {name: "; ".join(v) for name, v in recorded.notes.items() if _TAG.fullmatch(name)}
    unknown = dict.fromkeys(ROSTER, "?") | {"Date": "????.??.??"}
    names = {n: t for n, t in zip(("White", "Black"), recorded.names, strict=True) if t}
    values = {**unknown, **notes, **names, "Result": result}
    yield from ((name, values.pop(name)) for name in ROSTER)
    ending = recorded.ending
    if ending is not None and ending.how in _TERMINATION:
        values["Termination"] = _TERMINATION[ending.how]
    if style.variants and style.variants[0] != _STANDARD:
        values["Variant"] = style.variants[0]
    changed = recorded.changed_options()
    if changed:
        values[OPTIONS] = ",".join(f"{n}={str(v).lower()}" for n, v in changed.items())
    if recorded.is_set_up:
        values |= {"SetUp": "1", "FEN": Fen(recorded.game).write(recorded.first)}
    yield from values.items()

"""Games as plain lists of moves, for any game.

In: a text such as

    game twixt size=12
    # Ann against Bob
    1. f6 g4
    2. c5 e9

Out: the recorded game, or such a text.  The line `game` may be missing where the game is known;
the word `moves` and move numbers are skipped, and `#` begins a comment.  Decisions may stand
together without blanks, as in `f5d6c3` or `44355`.  Refuses the first
word that is no legal decision or whole turn, at its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulewright.errors import Fault, MoveError
from rulewright.games.engine.game import State
from rulewright.ground import limits
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.recorded import Recorded, RecordReading, rules_beside, text_of
from rulewright.matches.protocols.text_protocol import Message, setting

NAME = "list of moves"
"""The name of the format."""
_WORD = re.compile(r"\S+")
_SKIPPED = re.compile(r"\d+\.+|moves|position")


def write(recorded: Recorded) -> str:
    """Write a game as a list of moves, a turn of each player per line; names as comments."""
    recorded.refuse_set_up("a list of moves")
    game = recorded.game
    plain = {o.name: o.default for o in game.rules.options}
    options = "".join(setting(n, v) for n, v in game.options.items() if v != plain[n])
    lines = [f"game {recorded.source}{options}"]
    if any(recorded.names):
        lines.append(f"# {' against '.join(name or '?' for name in recorded.names)}")
    turns = recorded.end.turns()
    if not (recorded.end.over or recorded.end.turn_begins):  # half a turn could read as a whole one
        turns[-1:] = [" ".join(_last_turn(recorded))]
    seats = max(2, len(game.players))
    lines += [
        f"{number // seats + 1}. {' '.join(turns[number : number + seats])}"
        for number in range(0, len(turns), seats)
    ]
    if recorded.verdict:
        lines.append(f"# {recorded.verdict}")
    return "\n".join(lines) + "\n"


def _last_turn(recorded: Recorded) -> list[str]:
    """The decisions of the last turn, which is not finished."""
    decisions = list[str]()
    for state in reversed(recorded.end.states()):
        if state.turn_begins or state.before is None:
            break
        decisions.insert(0, state.move)
    return decisions


def read(
    data: bytes, name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Recorded:
    """Read the game in *data*, a file called *name*; *source* is used if the text names no game.

    Raises `TextError` at the place of a mistake.
    """
    reading = RecordReading(Source(name, text_of(data)))
    text = re.sub("#[^\n]*", lambda match: " " * len(match[0]), reading.source.text)
    head = re.match(r"\s*game[^\n]*", text)
    header = Message.parse(head[0] if head else "")
    source = source or " ".join(header.plain)
    if not source:
        message = "the game is not named: the first line is `game NAME`"
        reading.fail("bad-record", Span(0, 1), message, "name the game")
    span = Span(0, head.end() if head else 1)
    game = reading.load(source, {**(options or {}), **header.pairs}, span, limits.SEATS)
    state = game.start()
    for word in _WORD.finditer(text, head.end() if head else 0):
        if not _SKIPPED.fullmatch(word[0]) or word[0] in state.moves:
            state = _played(reading, state, word)
    return Recorded(rules_beside(name, source), state)


def _played(reading: RecordReading, state: State, word: re.Match[str]) -> State:
    """The state after a word: a decision, a whole turn, or several turns without blanks."""
    try:
        return state.play(word[0])
    except (MoveError, Fault):
        end = state_after_joined(state, word[0])
        return end or reading.play(state, word[0], Span(word.start(), word.end()))


def state_after_joined(state: State, text: str) -> State | None:
    """The state after decisions written together, as in `f5d6c3`; None if they cannot be told.

    A decision that is the only one, and names no site, may be left out: lists hold no passes.
    """
    text = text.casefold()
    while text and not state.over:
        texts = [move for move in state.moves.texts if text.startswith(move.casefold())]
        if not texts and len(state.moves) == 1 and not _names_site(state, state.moves[0].text):
            state = state.follow(0, state.moves[0])
            continue
        if len(texts) != 1:
            return None
        state, text = state.play_decision(texts[0]), text[len(texts[0]) :]
    return None if text else state


def _names_site(state: State, decision: str) -> bool:
    names = state.game.rules.board.by_name
    return any(part in names for part in re.findall(r"[a-z]+\d+|\d+", decision))

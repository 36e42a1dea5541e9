"""Cases: games that once showed a fault, kept as text beside the rules, and played again.

    format 1
    cases for connect4

    case exclusive
      set width = 4
      moves 1 2 1 2
      saw "both rules are true"

In: such a text, or findings.  Out: cases, or such a text; what a case shows now.  Refuses lines of
any other form, with their number, and folders that cannot be written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import evolve, field, frozen

from rulewright.checks.claims import FACTS
from rulewright.checks.findings import Finding
from rulewright.checks.probes import PROBES, finding, violation_of
from rulewright.checks.subject import Subject, option_text
from rulewright.errors import Fault, OptionError, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import by_name, load_with
from rulewright.ground.disk import read_text, write_whole
from rulewright.ground.printable import amount
from rulewright.ground.records import fields_as_json
from rulewright.language.diagnostics import TextError, offer
from rulewright.model.properties import RULES

SUFFIX = ".cases"
MOST = 500
"""Decisions of a game that is kept."""


class CasesError(RulewrightError):
    """A file of cases cannot be read or written; the message names the line."""

    line, reason = 0, ""
    """The line of the mistake, from 1 (0: the whole file), and the message without the place."""


def _wrong(name: str, line: int, reason: str) -> CasesError:
    error = CasesError(f"{name}:{line}: {reason}")
    error.line, error.reason = line, reason
    return error


@frozen
class Case:
    """A property, the options that differ from their defaults, the decisions, what was seen."""

    property: str
    moves: tuple[str, ...]
    options: dict[str, str] = field(factory=dict)
    saw: str = ""
    line: int = field(default=0, eq=False)

    def text(self) -> str:
        """The lines of the case, after an empty one."""
        lines = ["", f"case {self.property}"]
        lines += [f"  set {name} = {value}" for name, value in self.options.items()]
        lines += [f"  moves {' '.join(self.moves)}".rstrip()]
        quoted = self.saw.replace('"', "'").replace("\n", " ")
        lines += [f'  saw "{quoted}"'] if quoted else []
        return "\n".join(lines) + "\n"

    def fits(self, game: Game) -> bool:
        """Whether the game has the options that the case is about."""
        return shown_options(game) == self.options

    def same(self, other: Case) -> bool:
        """Whether both are the same game for the same property."""
        keys = [(case.property, case.moves, case.options) for case in (self, other)]
        return keys[0] == keys[1]


@frozen
class Cases:
    """A file of cases for one game."""

    game: str
    cases: tuple[Case, ...] = ()

    def text(self) -> str:
        """The file, as `read` takes it."""
        lines = ["format 1", f"cases for {self.game}", ""]
        lines += ["# Games that once broke a property; `rulewright test` tries them first."]
        return "\n".join(lines) + "\n" + "".join(case.text() for case in self.cases)


def shown_options(game: Game) -> dict[str, str]:
    """The options of a game that differ from their defaults, as text."""
    return {o.name: option_text(o.value) for o in game.rules.options if o.value != o.default}


def of_finding(finding: Finding, game: Game) -> Case | None:
    """The case that a finding is kept as, if a game shows it."""
    if finding.moves is None or len(finding.moves) > MOST:
        return None
    return Case(finding.name, finding.moves, shown_options(game), finding.message)


# --- files ---


def cases_path(rules: Path) -> Path:
    """The path at which the cases of a rules file are kept."""
    return rules.with_suffix(SUFFIX)


def read(path: Path) -> Cases:
    """The cases of a file; raises `CasesError`."""
    try:
        text = read_text(path)
    except OSError as error:
        raise CasesError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CasesError(f"{path} is not UTF-8 text") from None
    return parse(text, str(path))


def add(path: Path, game: str, cases: Iterable[Case]) -> int:
    """Add the cases that are not in the file yet; how many these are.  Raises `CasesError`.

    What stands in the file stays as it is.
    """
    earlier_cases = read(path) if path.exists() else Cases(game)
    fresh: list[Case] = []
    for case in cases:
        if not any(case.same(other) for other in (*earlier_cases.cases, *fresh)):
            fresh.append(case)
    if fresh:
        try:
            old = read_text(path) if path.exists() else earlier_cases.text()
            old += "" if old.endswith("\n") else "\n"
            write_whole(path, (old + "".join(case.text() for case in fresh)).encode())
        except OSError as error:
            raise CasesError(f"{path} cannot be written: {error.strerror}") from None
    return len(fresh)


def parse(text: str, name: str = "<text>") -> Cases:
    """The cases of a text; raises `CasesError` with the line of the first mistake."""
    lines = [(n, line.rstrip()) for n, line in enumerate(text.splitlines(), 1)]
    lines = [(n, line) for n, line in lines if line and not line.lstrip().startswith("#")]
    if [line for _, line in lines[:1]] != ["format 1"]:
        raise _wrong(name, 1, "a file of cases begins with `format 1`")
    game = lines[1][1].split() if len(lines) > 1 else []
    if len(game) != 3 or game[:2] != ["cases", "for"]:
        raise _wrong(name, 2, "the second line is `cases for GAME`")
    return Cases(game[2], tuple(_cases(lines[2:], name)))


def _cases(lines: Sequence[tuple[int, str]], name: str) -> Iterable[Case]:
    case: Case | None = None
    for number, line in lines:
        words = line.split()
        if words[0] == "case" and not line.startswith(" "):
            if case is not None:
                yield case
            case = _head(words, number, name)
        elif case is None or not line.startswith(" "):
            raise _wrong(name, number, "a case begins with `case PROPERTY`")
        else:
            case = _line(case, line.strip(), number, name)
    if case is not None:
        yield case


def _head(words: list[str], number: int, name: str) -> Case:
    if len(words) != 2 or words[1] not in RULES:
        word = words[1] if len(words) > 1 else ""
        raise _wrong(name, number, f"no property is called `{word}`; {offer(word, RULES)}")
    return Case(words[1], (), line=number)


def _line(case: Case, line: str, number: int, name: str) -> Case:
    word, _, rest = line.partition(" ")
    if word == "moves":
        if case.moves:
            raise _wrong(name, number, "this case has its `moves` already")
        return evolve(case, moves=tuple(rest.split()))
    if word == "saw":
        return evolve(case, saw=rest.strip().strip('"'))
    option, equal, value = (part.strip() for part in rest.partition("="))
    if word != "set" or not equal or not option or not value:
        expected = '`set OPTION = VALUE`, `moves ...` or `saw "..."`'
        raise _wrong(name, number, f"expected {expected}")
    return evolve(case, options={**case.options, option: value})


@frozen
class ReplayedCase:
    """A case with what it shows now; `stopped` is its first decision that is no longer legal."""

    case: Case
    finding: Finding | None
    stopped: str = ""

    @property
    def whole(self) -> bool:
        """Whether all of its decisions are still legal."""
        return not self.stopped

    def as_data(self) -> dict[str, object]:
        """The result as plain data."""
        data = {**fields_as_json(self.case, "property options moves"), "broken": bool(self.finding)}
        return data | fields_as_json(self, "stopped? finding")


def replay_case(case: Case, game: Game) -> ReplayedCase:
    """Play the decisions of a case and try its property at the end of them."""
    subject, state, stopped = Subject(game), game.start(), ""
    for text in case.moves:
        try:
            following = subject.after(state, text)
        except Fault:
            following = None
        if following is None:
            stopped = text
            break
        state = following
    if case.property in PROBES and violation_of(case.property, subject, state):
        return ReplayedCase(case, finding(subject, case.property, state), stopped)
    if case.property == "ends" and not stopped and state.situation.outcome is None:
        message = f"the game goes on after {amount(len(case.moves), 'decision')}"
        return ReplayedCase(case, Finding(case.property, message, case.moves, state.board()))
    if case.property in FACTS:
        for wrong in FACTS[case.property](subject):
            if wrong.moves == case.moves:
                moves, board = wrong.moves, state.board()
                return ReplayedCase(case, Finding(case.property, wrong.message, moves, board))
    return ReplayedCase(case, None, stopped)


def game_of(path: Path, name: str, case: Case) -> Game:
    """The game beside a file of cases, or the one of its name, with the options of a case."""
    beside = path.with_suffix(".rules")
    if not beside.is_file() and by_name(name) is None:
        raise RulewrightError(f"there are no rules of {name} beside {path}")
    try:
        return load_with(beside if beside.is_file() else name, dict(case.options))
    except TextError as error:
        reason = error.diagnostics[0].message
    except OptionError as error:
        reason = str(error)
    raise CasesError(f"{path}:{case.line}: the game of this case cannot be loaded: {reason}")

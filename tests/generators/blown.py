"""Texts of all languages blown up to the largest size that a file may have.

In: chance, and a text to begin with.  Out: a text that is longer, deeper or wider in a few ways at
once: long lines, nested brackets and blocks, towers of definitions, large boards, many moves.  Many
are refused, and not before most of them was read; what is accepted is as dear as a text can be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from rulewright.ground.limits import FILE_BYTES

Growth = Callable[[Random, str], str]
_HUGE = (2**62 - 1, 2**61, 10**9, 40_000, 2500, 1296, 400, 200, 50, 10)
_BOARDS = (
    "square 50 by 50", "square 36 by 36", "square 1 by 2500", "square 24 by 24", "hexagon 25",
    "rhombus 50 by 50", "rhombus 30 by 30", "triangle 49", "square 20 by 20 where not row(7)",
    "square 50 by 50 where those(s in sites : some(b in near(s) : x(b) mod 2 = 0))",
)  # fmt: skip
_EXPRESSION = re.compile(r"^(\s*(?:win|lose|draw|need|claim|choose|let|if|else if|score)\b.*?"
                         r"\b(?:when|need|always|in|if|=) ?)(\S.*)$")  # fmt: skip
_TRUTH = re.compile(r"\s*(win|lose|draw|need|claim|if|else)\b")


def _lines(text: str, pattern: str) -> list[int]:
    return [i for i, line in enumerate(text.split("\n")) if re.match(pattern, line)]


def _deed(chance: Random, text: str, change: Callable[[str, bool], str]) -> str:
    """The text with the expression of one of its lines changed, told whether it is a truth."""
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines) if _EXPRESSION.match(line)]
    if places:
        at = chance.choice(places)
        parts = _EXPRESSION.match(lines[at])
        assert parts is not None
        lines[at] = parts[1] + change(parts[2], bool(_TRUTH.match(lines[at])))
    return "\n".join(lines)


def _added(text: str, before: str, more: list[str]) -> str:
    """The text with lines in front of the first that begins with a word, as many as fit."""
    room, kept = FILE_BYTES - len(text) - 1, list[str]()
    for line in more:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    lines = text.split("\n")
    at = next(iter(_lines(text, before)), len(lines))
    return "\n".join([*lines[:at], *kept, *lines[at:]])


def _ending(text: str, condition: str) -> str:
    """The text with one more end, after the others."""
    return text.rstrip("\n") + f"\nwin when {condition}\n"


# --- expressions ---


def chained(chance: Random, text: str) -> str:
    """One expression many times in its line."""
    number = chance.choice([5, 40, 300, 1500])

    def change(part: str, truth: bool) -> str:
        signs = ["or", "and"] if truth else ["or", "and", "+", "", "*", "-"]
        sign = f" {chance.choice(signs)} "
        form = chance.choice(["{}", "({})", "not ({})", "({} for enemy)"])
        return sign.join([form.format(part)] * max(1, min(number, 1900 // len(part.split()))))

    return _deed(chance, text, change)


_WRAPS = (
    "({})", "not ({})", "near({})", "some(q# in full : {})", "every(q# in near(own) : {})",
    "count(q# in sites : {}) > 0", "({}) if any own else ({})", "those(q# in sites : q# in {})",
    "({} for enemy)", "any those(q# in sites : {})", "1 + ({})", "-({})", "[{}, {}]",
    "some(l# in lines(3) : {})", "sum(q# in own : {})", "max({}, {})", "reach({}, own)",
)  # fmt: skip


def nested(chance: Random, text: str) -> str:
    """One expression within many others."""
    form, depth = chance.sample(_WRAPS, chance.randint(1, 3)), chance.choice([4, 12, 30, 37, 60])

    def change(part: str, _: bool) -> str:
        for level in range(depth):
            wrapped = form[level % len(form)].replace("#", str(level))
            part = wrapped.replace("{}", part) if len(part) < 5000 else f"({part})"
        return part

    return _deed(chance, text, change)


def rayed(chance: Random, text: str) -> str:
    """Long rays, whose parts may each stand for many sites."""
    part = chance.choice(["empty*", "[own+], empty?", "(own | enemy)*", "(empty*, own?)+",
                          "(own* | enemy*)*",
                          "[a#: own*]", "empty{0..40}", "(own?, empty?){9}"])  # fmt: skip
    number = chance.choice([3, 20, 200])
    parts = [part.replace("#", str(i)) for i in range(number)]
    way = chance.choice(["north", "around", "diagonal", "orthogonal"])
    pattern = chance.choice([", ", " | "]).join(parts)
    return _ending(text, f"some(c in own : any ray from c along {way} /{pattern}/)")


# --- definitions ---

_STEPS = (
    "z# or z#", "near(z#) or z#", "near(z#)", "those(q in sites : q in z#)", "z# for enemy or z#",
    "z# and not z#", "z# if any z# else near(z#)", "those(q in z# : near(q) meets z#)",
    "reach(z#, sites)", "ends(z#)",
)  # fmt: skip
_CALLS = (
    "z#(s) or z#(s)", "z#(near(s)) or z#(s)", "those(q in sites : q in z#(q))", "z#(z#(s))",
    "near(z#(s)) or z#(s for enemy)", "z#(s) if any s else z#(near(s))",
    "reach(z#(s), near(z#(s)))",
)  # fmt: skip
_ASKED = (
    "z#(s) or z#(s)", "some(q in near(s) : z#(q))", "some(q in sites : z#(q))",
    "every(q in own : z#(q) or q = s)", "z#(s) and not z#(s)", "count(q in full : z#(q)) > 1",
    "z#(s) for enemy",
)  # fmt: skip


def towers(chance: Random, text: str) -> str:
    """Definitions, each of the one before."""
    height = chance.choice([3, 10, 40, 95, 380])
    forms, first, call, end = chance.choice(
        [(_STEPS, "z0 = own", "z{}", "any {}"), (_CALLS, "z0(s) = near(s)", "z{}(s)", "any {}"),
         (_ASKED, "z0(s) = s in own", "z{}(s)", "some(s in sites : {})")]
    )  # fmt: skip
    chosen = chance.sample(forms, chance.randint(1, 3))
    lines = [f"let {first}"]
    for level in range(1, height):
        body = chosen[level % len(chosen)].replace("#", str(level - 1))
        lines.append(f"let {call.format(level)} = {body}")
    use = end.format(call.format(height - 1))
    if call == "z{}(s)" and end == "any {}":
        use = use.replace("(s)", "(own)")
    return _ending(_added(text, "setup|action|move", lines), use)


def definitions(chance: Random, text: str) -> str:
    """Many definitions, and an end that asks for many of them."""
    parts = [m[2] for line in text.split("\n") if (m := _EXPRESSION.match(line))] or ["own"]
    number = chance.choice([50, 200, 390])
    lines = [f"let z{i} = {chance.choice(parts)}" for i in range(number)]
    asked = " or ".join(f"any z{i}" for i in range(chance.choice([1, number // 2])))
    return _ending(_added(text, "setup|action|move", lines), asked)


def listed(chance: Random, text: str) -> str:
    """Long lists of numbers, or of sets."""
    parts = chance.choice([("1",), ("7", "-2"), ("own", "top"), ("near(own)",), ("row(1)", "a1")])
    number = chance.choice([100, 900])
    lines = [f"let z{i} = [{', '.join([*parts] * (number // len(parts)))}]" for i in range(30)]
    asked = "some(l in z0 : l in own)" if parts[0][-1].isalpha() else "sum(i in 0..90 : z0(i)) > 9"
    return _ending(_added(text, "setup|action|move", lines), asked)


def remembering(chance: Random, text: str) -> str:
    """Many states of wide ranges, set in a move, looked at in ends."""
    number, high = chance.choice([20, 100, 390]), chance.choice(_HUGE)
    each = chance.choice(["", " each"])
    kind = chance.choice([f" = 0 in 0..{high}", " = false", " = nowhere", " = 0", " = sites"])
    lines = [f"state z{i}{each}{kind}" for i in range(number)]
    changed = [f"  z{i} := z{i} + 1" if "0" in kind else f"  z{i} := own" for i in range(number)]
    text = _added(_added(text, "let|setup|action|move", lines), r"turn", changed)
    return text.rstrip("\n") + f"\ndraw when repeats >= {chance.choice([1, 2, high])}\n"


# --- what is done ---


def copied_moves(chance: Random, text: str) -> str:
    """Copies of a move, and a turn of them all."""
    lines = text.split("\n")
    starts = _lines(text, "move ")
    if not starts:
        return text
    at = chance.choice(starts)
    end = next((i for i in range(at + 1, len(lines)) if not lines[i].startswith(" ")), len(lines))
    body, number = lines[at + 1 : end], chance.choice([5, 40, 150, 300])
    copies = [line for i in range(number) for line in (f"move z{i}", *body)]
    sign = chance.choice([" or ", " ", " else ", "? ", "* "])
    course = sign.join(f"z{i}" for i in range(number))
    text = _added(text, "turn|first|write", copies)
    return re.sub(r"(?m)^turn .*$", f"turn {course}", text, count=1)


def courses(chance: Random, text: str) -> str:
    """A turn that may go on in many ways."""
    names = re.findall(r"(?m)^move (\w+)", text) or ["z"]
    part = chance.choice(names)
    for _ in range(chance.choice([2, 5, 9])):
        form = chance.choice(
            ["({0})?*", "({0} or {0})*", "({0} else {0})", "({0} {0})+", "({0})? {0}"]
        )
        part = form.format(part)
    return re.sub(r"(?m)^turn .*$", lambda _: f"turn {part}", text, count=1)


def repeated_line(chance: Random, text: str) -> str:
    """One line, or a few together, as often as fits."""
    lines = text.split("\n")
    at, width = chance.randrange(len(lines)), chance.choice([1, 1, 2, 5])
    piece = lines[at : at + width]
    number = min(
        chance.choice([20, 200, 3000]), (FILE_BYTES - len(text)) // (len("\n".join(piece)) + 1)
    )
    return "\n".join([*lines[:at], *(piece * max(1, number)), *lines[at + width :]])


def blocks(chance: Random, text: str) -> str:
    """Blocks within blocks in a move."""
    lines, starts = text.split("\n"), _lines(text, "move |action |setup")
    if not starts:
        return text
    at = chance.choice(starts) + 1
    while at < len(lines) and re.match(r"\s+(choose|need)", lines[at]):
        at += 1
    condition = chance.choice(["ply < 9", "any own", "some(q in full : q in near(own))"])
    depth, body = chance.choice([3, 10, 11]), chance.choice([1, 5, 60])
    made = [f"{'  ' * (level + 1)}if {condition}" for level in range(depth)]
    made += [f"{'  ' * (depth + 1)}clear {part}" for part in ["a1", "near(own)"] * body]
    return "\n".join([*lines[:at], *made, *lines[at:]])


def actions(chance: Random, text: str) -> str:
    """Actions that perform each other, most of them twice."""
    height, times = chance.choice([5, 12, 19, 20]), chance.choice([1, 2, 2, 9])
    first = chance.choice(
        ["  clear near(s)", "  clear s", "  clear those(q in sites : q in near(s))"]
    )
    made = ["action z0(s)", first]
    for level in range(1, height):
        made += [f"action z{level}(s)", *[f"  z{level - 1}(near(s))"] * times]
    return _added(_added(text, "turn|first|write", [f"  z{height - 1}(own)"]), "move ", made)


def texts(chance: Random, text: str) -> str:
    """Long texts of many holes."""
    hole = chance.choice(["{count own}", "{count near(near(own))}", "{1 + (2 * 3)}", "{{", "{ply}"])
    told = hole * (1900 // len(hole))
    return _added(text, "turn|first", [f'  write "{told}"'] * chance.choice([1, 1, 20]))


# --- the board ---


def boards(chance: Random, text: str) -> str:
    """A large board."""
    return re.sub(r"(?m)^board .*(\n  .*)*$", f"board {chance.choice(_BOARDS)}", text, count=1)


def graphs(chance: Random, text: str) -> str:
    """A board of many lines between many sites."""
    sites, width = chance.choice([9, 100, 1200]), chance.choice([2, 9, 60])
    rows, size = ["board graph"], 0
    while size < chance.choice([5_000, 50_000]) and len(rows) < 3000:
        row = " ".join(f"s{chance.randrange(sites)}" for _ in range(width))
        rows.append(f"  line d{len(rows) % chance.choice([1, 7, 300])} {row}")
        size += len(rows[-1]) + 1
    return re.sub(r"(?m)^board .*(\n  .*)*$", "\n".join(rows), text, count=1)


def labels(chance: Random, text: str) -> str:
    """Names for sites, and links, of dear conditions."""
    inner = chance.choice(
        ["near(s)", "reach(s, sites)", "those(q in sites : near(q) meets near(s))"]
    )
    lines = [f'label s in those(s in sites : count {inner} > {i}) : "{{x(s)}}n{i}"'
             for i in range(chance.choice([3, 50]))]  # fmt: skip
    text = _added(text, "pieces", lines)
    ways = chance.choice(["around", "leap(1, 2)", "leap(7, 9)"])
    return _added(text, "setup|action|move", [f"let zz = {ways}", "links wire along zz"])


def numbers(chance: Random, text: str) -> str:
    """Larger numbers, some of them huge."""
    share = chance.choice([0.1, 0.5, 1])

    def larger(match: re.Match[str]) -> str:
        return str(chance.choice(_HUGE)) if chance.random() < share else match[0]

    head, _, rest = text.partition("\n")
    return f"{head}\n{re.sub(r'(?<![a-zA-Z0-9])[0-9]+', larger, rest)}"


def claims(chance: Random, text: str) -> str:
    """Many claims, some of them deep."""
    forms = ("claim perft 1, 2, 3, 4, 5", "claim start any own", "claim always no (own and enemy)",
             "claim symmetric under quarter", 'claim after "a1 b2 c3" any own', "claim no draws",
             "claim ends within 900", f"claim perft {', '.join('9' * 250)}")  # fmt: skip
    chosen = chance.sample(forms, chance.randint(1, 4))
    return _added(text, "nothing", chosen * chance.choice([1, 40, 400]))


GROWTHS: tuple[Growth, ...] = (
    chained, nested, rayed, towers, definitions, listed, remembering, copied_moves, courses,
    repeated_line, blocks, actions, texts, boards, graphs, labels, numbers, claims,
)  # fmt: skip
PLAIN: tuple[Growth, ...] = (chained, nested, repeated_line, numbers)
"""Those that fit evaluators, personalities and patterns too."""


def blown(chance: Random, text: str, growths: tuple[Growth, ...] = GROWTHS) -> str:
    """A text grown in up to four ways, of the largest size of a file at most."""
    for growth in chance.sample(growths, chance.randint(1, 4)):
        grown = growth(chance, text)
        text = grown if len(grown.encode()) <= FILE_BYTES else text
    return text

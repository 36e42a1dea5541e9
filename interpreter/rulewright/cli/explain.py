"""`rulewright explain`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from rulewright.cli.common import load_state, print_json, write_text
from rulewright.errors import GameOver
from rulewright.picture.svg import position_svg
from rulewright.players.difference import Difference, difference
from rulewright.players.explain import Explanation, explain
from rulewright.players.heat import heat
from rulewright.players.judged import Judged
from rulewright.protocols.contestant import Contestant


def run(arguments: Namespace) -> int:
    """Show what a personality thinks of the decisions of a position, and what decides."""
    state = load_state(arguments)
    if state.over:
        raise GameOver(f"there is nothing to explain: the game is over ({state.result})")
    if arguments.move:
        state.play_decision(arguments.move)  # says what is wrong with it before anyone thinks
    personality = Contestant.parse(arguments.personality).alone(state.game)
    found = explain(state, personality, arguments.seed)
    shown = (found.judged(arguments.move),) if arguments.move else found.moves
    other: Difference | None = None
    if arguments.versus:
        second = Contestant.parse(arguments.versus).alone(state.game)
        other = difference(state, personality, second, arguments.seed)
    if arguments.svg:
        shares = heat(state, found)
        play, position = state.game.play, state.situation.position
        write_text(arguments.svg, position_svg(play, position, shares.texts, shares.shares))
        if arguments.svg == "-":
            return 0
    if arguments.format == "json":
        data = found.as_data()
        if arguments.move:
            data["moves"] = [m for m in data["moves"] if m["move"] == arguments.move]  # type: ignore[attr-defined]
        if other is not None:
            versus = {"personality": arguments.versus, "chosen": other.second}
            data["versus"] = {**versus, "factors": list(other.factors)}
        print_json(data)
        return 0
    print_explanation(found, shown, arguments.most if not arguments.move else 1)
    if other is not None:
        _print_difference(found.personality, arguments.versus, other)
    return 0


def print_explanation(found: Explanation, shown: tuple[Judged, ...], most: int) -> None:
    """What is decided, the best decisions with their terms and factors, and what decided."""
    print("\n".join(explained(found, shown, most)))


def explained(found: Explanation, shown: tuple[Judged, ...], most: int) -> Iterator[str]:
    """The lines of an explanation."""
    by = f" by `{found.value}`" if found.value else ""
    yield f"{found.personality} plays {found.chosen}{by}; bigger is better for {found.side}"
    if found.opening:
        yield f"(in a game its opening decides here: {found.opening})"
    width = max((len(one.move) for one in shown[:most]), default=0)
    for one in shown[:most]:
        yield f"  {one.move:<{width}}  {_verdict(one)}"
        for name, numbers in (("terms", one.terms), ("factors", one.factors)):
            told = [f"{text} {_number(n)}" for text, n in numbers.items() if n]
            if told:
                yield f"  {'':<{width}}    {name}: {', '.join(told)}"
    rest = len(shown) - most
    if rest > 0:
        yield f"  ... and {rest} more"
    if found.unjudged:
        dots = " ..." * (len(found.unjudged) > 12)
        yield f"  not judged: {' '.join(found.unjudged[:12])}{dots}"
    if found.decided_by:
        against = f"{found.chosen} against {found.runner_up}"
        yield f"decided by {found.decided_by} ({_number(found.margin, True)}), {against}"


def _verdict(one: Judged) -> str:
    if one.ends:
        return f"{one.ends} after {one.distance} decision{'s' * (one.distance != 1)}"
    line = f"  ({' '.join(one.line)})" if len(one.line) > 1 else ""
    return f"{_number(one.value)}{line}"


def _number(number: float, signed: bool = False) -> str:
    return f"{number:+.6g}" if signed else f"{number:.6g}"


def _print_difference(first: str, second: str, found: Difference) -> None:
    if found.first == found.second:
        print(f"{second} plays {found.second} too")
        return
    print(f"{second} plays {found.second}")
    if found.factors:
        print(f"with only {' or '.join(found.factors)} of {second}, {first} would play it too")

"""`fit`: factors learnt from the results of recorded games."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, load_game, new_path, say
from rulewright.ground.printable import amount
from rulewright.learning.fit import HELD_OUT, PENALTY, Fit, FittedFactor, FitTerms, fit, write
from rulewright.players.personality import Personality


def fit_factors(arguments: Namespace) -> int:
    """Fit, say what came of it, write it; 1 when it tells games held out no better than before."""
    out = new_path(arguments.out)
    personality = Personality.load(arguments.personality, load_game(arguments))
    names = tuple(arguments.factors.split(",")) if arguments.factors else ()
    terms = FitTerms(
        names, arguments.skip, arguments.held_out, arguments.penalty, arguments.seed,
        arguments.quiet,
    )  # fmt: skip
    fitted = fit(personality, arguments.games, terms)
    is_written = fitted.better or arguments.force
    if is_written:
        write(personality, fitted, out, arguments.personality)
    data = {"file": str(out) if is_written else None, **fitted.as_data()}
    answer(arguments, data, list(_lines(fitted)))
    if not is_written:
        reason = "games held out are predicted no better"
        say(f"{out} is not written: {reason}; --force writes it anyway")
    return int(not fitted.better)


def _lines(fitted: Fit) -> Iterator[str]:
    positions = amount(fitted.positions, "position")
    yield f"{positions} of {amount(fitted.games, 'game')}"
    width = max(len(factor.name) for factor in fitted.factors)
    yield from (_line(factor, width) for factor in fitted.factors)
    before, after = fitted.loss_before, fitted.loss_after
    yield f"loss on games held out: {before:.4f} bits before, {after:.4f} after"
    for group in fitted.alike:
        yield f"these games cannot tell {', '.join(group)} apart"


def _line(factor: FittedFactor, width: int) -> str:
    head = f"{factor.name:{width}}  {factor.before:.6g} -> {factor.after:.6g}"
    if factor.interval is None:
        return f"{head}  (no position depends on it)"
    low, high = factor.interval
    return f"{head}  (95 %: {low:.4g} to {high:.4g})"


COMMANDS: dict[str, a.Command] = {
    "fit": (fit_factors, [
        *a.GAME, a.value("personality", "P", "the personality that is fitted: a name, or a path"),
        a.value(
            "--games", "FILE", "records of matches, or recorded games", nargs="+", required=True
        ),
        a.value("--out", "FILE", "the new NAME.personality", required=True),
        a.value("--factors", "A,B", "factors that may change (default: all)"),
        a.value(
            "--skip", "N", "decisions at the beginning of each game that are left out",
            type=a.whole, default=0,
        ),
        a.value(
            "--held-out", "SHARE", f"share of the games that judges the fit (default {HELD_OUT:g})",
            type=a.share, default=HELD_OUT,
        ),
        a.value(
            "--penalty", "X", f"how strongly first values hold factors (default {PENALTY:g})",
            type=a.positive, default=PENALTY,
        ),
        a.value(
            "--quiet", "VALUE",
            "a value of the evaluator; positions in which it is not 0 are left out", default="",
        ),
        a.seed(1),
        a.flag("--force", "write the file even if games held out are predicted no better"),
        a.FORM,
    ]),
}  # fmt: skip

"""Count sequences: `python -m tests.independent.perft GAME DEPTH [--turns] [key=value ...]`."""

import argparse
import importlib
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

from .protocol import Position

Layer = Mapping[Position, int]  # positions, each with the number of sequences that lead to it


def after_decision(layer: Layer) -> Iterator[tuple[Position, int]]:
    """Every position one decision later, as often as there are decisions to it."""
    for position, sequences in layer.items():
        for text in position.decisions():
            yield position.play(text), sequences


def after_turn(layer: Layer) -> Iterator[tuple[Position, int]]:
    """Every position one whole turn later; the end of the game ends a turn too."""
    while layer:
        unfinished: Counter[Position] = Counter()
        for position, sequences in after_decision(layer):
            if position.fresh() or position.over():
                yield position, sequences
            else:
                unfinished[position] += sequences
        layer = unfinished


def layers(position: Position, turns: bool = False) -> Iterator[Layer]:
    """For depth 0, 1, 2 ...: the positions at that depth, equal ones merged."""
    layer: Counter[Position] = Counter({position: 1})
    while True:
        yield layer
        following: Counter[Position] = Counter()
        for later, sequences in after_turn(layer) if turns else after_decision(layer):
            following[later] += sequences
        layer = following


def perft(position: Position, depth: int) -> int:
    """Count the sequences of exactly `depth` decisions."""
    if depth == 0:
        return 1
    last = next(islice(layers(position), depth - 1, None))
    return sum(sequences * len(reached.decisions()) for reached, sequences in last.items())


def perft_turns(position: Position, depth: int) -> int:
    """Count the sequences of exactly `depth` whole turns."""
    if depth == 0:
        return 1
    last = next(islice(layers(position, turns=True), depth - 1, None))
    return sum(sequences for _, sequences in after_turn(last))


def perft_plain(position: Position, depth: int) -> int:
    """Count as `perft` does, but without merging equal positions: slow, a check of it."""
    if depth == 0:
        return 1
    return sum(perft_plain(position.play(text), depth - 1) for text in position.decisions())


def load(game: str, options: list[str]) -> Position:
    """Make the start position of a game; options are `key=value` with whole numbers or yes/no."""
    truths = {"yes": True, "true": True, "no": False, "false": False}
    pairs = [option.split("=") for option in options]
    values = {key: truths[value] if value in truths else int(value) for key, value in pairs}
    position: Position = importlib.import_module(f".{game}", __package__).start(**values)
    return position


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("depth", type=int)
    parser.add_argument("options", nargs="*", metavar="key=value")
    parser.add_argument("--turns", action="store_true", help="count whole turns")
    arguments = parser.parse_intermixed_args()
    count = perft_turns if arguments.turns else perft
    for depth in range(arguments.depth + 1):
        print(depth, count(load(arguments.game, arguments.options), depth), flush=True)


if __name__ == "__main__":
    main()

"""A brain of Gomocup that plays the first free field, and misbehaves as its argument says."""

import sys
import time

HOW = sys.argv[1]
MOVES = int(sys.argv[2]) if len(sys.argv) > 2 else 0
"""After how many own moves it begins to misbehave."""
size = [0, 0]
taken: list[tuple[int, int]] = []
asked: list[str] = []


def say(text: str) -> None:
    print(text, flush=True)


def shown(field: tuple[int, int]) -> str:
    return f"{field[0]},{field[1]}"


def free() -> tuple[int, int]:
    fields = [(x, y) for y in range(size[1]) for x in range(size[0])]
    return next(f for f in fields if f not in taken)


def misbehave() -> None:
    if HOW == "slow":
        time.sleep(600)
    elif HOW == "exit":
        sys.exit(3)
    elif HOW == "crash":
        raise RuntimeError("out of ideas")
    elif HOW == "flood":
        while True:
            say("DEBUG still thinking")
    elif HOW == "taken":
        say(f"{taken[0][0]},{taken[0][1]}")
    elif HOW == "outside":
        say("99,99")
    elif HOW == "nonsense":
        say("a7")
    elif HOW == "error":
        say("ERROR I give up")
    elif HOW == "late":
        time.sleep(3)
        move()


def move() -> None:
    found = free()
    taken.append(found)
    say(shown(found))


def answer() -> None:
    asked.append("move")
    if HOW == "chatty":
        for number in range(100):
            say(f"MESSAGE {number} nodes")
            say("debug fine")
        move()
    elif HOW == "polite":
        found = free()
        say(f"SUGGEST {shown(found)}")
        taken.append(found)
        assert sys.stdin.readline().split() == ["PLAY", shown(found)]
        say(shown(found))
    elif HOW == "good" or len(asked) <= MOVES:
        move()
    else:
        misbehave()


def read_board() -> None:
    taken.clear()
    while (line := sys.stdin.readline().strip()) != "DONE":
        x, y, _ = line.split(",")
        taken.append((int(x), int(y)))


def main() -> None:
    while line := sys.stdin.readline():
        word, _, rest = line.strip().partition(" ")
        if word in ("START", "RECTSTART"):
            numbers = [int(n) for n in rest.split(",")]
            size[:] = [numbers[0], numbers[-1]]
            taken.clear()
            say("ERROR too small" if HOW == "picky" else "OK")
        elif word == "RESTART":
            taken.clear()
            say("OK")
        elif word == "TURN":
            x, y = rest.split(",")
            taken.append((int(x), int(y)))
            answer()
        elif word == "BEGIN":
            answer()
        elif word == "BOARD":
            read_board()
            answer()
        elif word == "END":
            return


main()

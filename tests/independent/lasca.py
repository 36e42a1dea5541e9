"""Lasca from its rules as they are told: columns are texts from the bottom, officers capitals."""

from typing import NamedTuple

from .common import DIAGONAL, SIDES, Point, name, point

COLOURS, LAST_ROW, AHEAD = "wb", (7, 1), (1, -1)


class Lasca(NamedTuple):
    columns: frozenset[tuple[Point, str]]
    mover: int = 0
    runner: Point | None = None  # the column in the middle of a chain of jumps
    seen: tuple[object, ...] = ()

    def at(self, site: Point) -> str:
        return dict(self.columns).get(site, "" if inside(site) else "#")

    def owns(self, site: Point, player: int) -> bool:
        return self.at(site)[-1:].lower() == COLOURS[player]

    def ways(self, site: Point) -> list[Point]:
        officer = self.at(site)[-1].isupper()
        return [(dx, dy) for dx, dy in DIAGONAL if officer or dy == AHEAD[self.mover]]

    def jumps(self, a: Point) -> list[Point]:
        landings = []
        for dx, dy in self.ways(a):
            over, landing = (a[0] + dx, a[1] + dy), (a[0] + 2 * dx, a[1] + 2 * dy)
            if self.owns(over, 1 - self.mover) and self.at(landing) == "":
                landings.append(landing)
        return landings

    def decisions(self) -> list[str]:
        if self.seen.count(self.now()) > 2:
            return []
        own = [site for site, _ in self.columns if self.owns(site, self.mover)]
        own = [self.runner] if self.runner else own
        jumps = [f"{name(a)}x{name(b)}" for a in own for b in self.jumps(a)]
        if jumps:
            return sorted(jumps)
        steps = [(a, (a[0] + dx, a[1] + dy)) for a in own for dx, dy in self.ways(a)]
        return sorted(f"{name(a)}-{name(b)}" for a, b in steps if self.at(b) == "")

    def now(self) -> object:
        return self.columns, self.mover, self.runner

    def play(self, text: str) -> "Lasca":
        jump, columns = "x" in text, dict(self.columns)
        a, b = (point(part) for part in text.replace("x", "-").split("-"))
        column = columns.pop(a)
        if jump:
            over = ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)
            column = columns[over][-1] + column
            columns[over] = columns[over][:-1]
            if not columns[over]:
                del columns[over]
        crowned = column[-1].islower() and b[1] == LAST_ROW[self.mover]
        columns[b] = column[:-1] + column[-1].upper() if crowned else column
        after = Lasca(frozenset(columns.items()), self.mover, b, self.seen)
        if not (jump and not crowned and after.jumps(b)):
            after = after._replace(mover=1 - self.mover, runner=None)
        return after._replace(seen=(*self.seen, after.now()))

    def winner(self) -> str:
        if self.decisions():
            return ""
        return "draw" if self.seen.count(self.now()) > 2 else SIDES[1 - self.mover]

    def over(self) -> bool:
        return not self.decisions()

    def fresh(self) -> bool:
        return self.runner is None


def inside(site: Point) -> bool:
    x, y = site
    return 1 <= x <= 7 and 1 <= y <= 7 and (x + y) % 2 == 0


def start() -> Lasca:
    sites = [(x, y) for x in range(1, 8) for y in range(1, 8) if inside((x, y)) and y != 4]
    first = Lasca(frozenset((s, COLOURS[s[1] > 4]) for s in sites))
    return first._replace(seen=(first.now(),))

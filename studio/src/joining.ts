// Joining two points of a lattice: a look draws some decisions as a link between two points, and who presses one of them and then
// the other means the link between them.  Which points a link joins is told by the form in which it is drawn; no game is named.

import type { Point } from "./layers";

/** A link that may be put, with the points that it joins. */
export interface Joint {
  site: number;
  ends: [Point, Point];
}

/** The share of a link's length within which its end is meant. */
const REACH = 0.3;

const distance = ([x, y]: Point, [a, b]: Point) => Math.hypot(a - x, b - y);
const isSame = (a: Point, b: Point) => distance(a, b) < 1;

/** The links that may be put at some of the sites, by the ends of what is drawn there, around the site's place. */
export function joints(sites: Iterable<number>, endsOf: (site: number) => number[], place: (site: number) => Point, turned: boolean): Joint[] {
  const way = turned ? -1 : 1;
  const all: Joint[] = [];
  for (const site of sites) {
    const [a, b, c, d] = endsOf(site);
    const [x, y] = place(site);
    if (d !== undefined) all.push({ site, ends: [[x + way * a!, y + way * b!], [x + way * c!, y + way * d]] });
  }
  return all;
}

/** The end of a link that somebody means who presses at a place; null where none is near. */
export function endNear(all: Joint[], at: Point): Point | null {
  const near = all.flatMap(({ ends }) => ends.filter((end) => distance(end, at) < REACH * distance(...ends)));
  return near.sort((a, b) => distance(a, at) - distance(b, at))[0] ?? null;
}

/** The link between two points, if one may be put there. */
export function between(all: Joint[], a: Point, b: Point): Joint | undefined {
  return all.find(({ ends: [c, d] }) => (isSame(a, c) && isSame(b, d)) || (isSame(a, d) && isSame(b, c)));
}

/** The points that a link may join to one. */
export function partners(all: Joint[], end: Point): Point[] {
  return all.flatMap(({ ends: [a, b] }) => (isSame(a, end) ? [b] : isSame(b, end) ? [a] : []));
}

/** What two presses mean so far: an end that is held, the link that is meant, or that there is none. */
export type Meaning = { held: Point } | { site: number } | "nothing" | "no link";

/** What it means to press at one place and let go at another, while the end of a link may be held already. */
export function meaning(all: Joint[], held: Point | null, down: Point, up: Point): Meaning {
  const [from, to] = [endNear(all, down), endNear(all, up)];
  if (!to) return "nothing";
  const start = from && !isSame(from, to) ? from : held;
  if (!start) return from ? { held: to } : "nothing";
  if (isSame(start, to)) return "nothing"; // the same point once more: it is let go
  const link = between(all, start, to);
  return link ? { site: link.site } : "no link";
}

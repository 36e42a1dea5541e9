// What is seen to move between two positions of a game, in the way that its look says for the move
// that was played: pieces come from where they stood, fall, or grow where they are put.

import { make, type Point } from "./layers";
import type { Piece, Scene } from "./messages";
import { type Motion, TURN } from "./motion";

/** A board that shows the second of two positions. */
export interface Shown {
  motion: Motion;
  /** The pieces by site, those of the position before too. */
  pieces: Map<number, SVGElement>;
  former: Map<number, SVGElement>;
  /** Where what is gone is seen. */
  under: SVGElement;
  place(site: number): Point;
  /** Whether a hand has brought the piece already. */
  dragged: boolean;
}

const same = (a: Piece | null | undefined, b: Piece | null | undefined) => !!a && !!b && a.kind === b.kind && a.owner === b.owner;
const piecesOf = (scene: Scene) => new Map(scene.spots.map((spot) => [spot.site, spot.piece]));

/** Where each piece that is new at a site comes from; a site of its own means that it was put there. */
export function origins(before: Scene, after: Scene): Map<number, number> {
  const [had, now] = [piecesOf(before), piecesOf(after)];
  const gone = before.spots.filter((spot) => spot.piece && !same(spot.piece, now.get(spot.site)));
  const fresh = after.spots.filter((spot) => spot.piece && !same(spot.piece, had.get(spot.site)));
  const from = new Map<number, number>();
  const reached = new Set(after.last);
  for (const spot of fresh) {
    const at = gone.findIndex((other) => same(other.piece, spot.piece));
    if (at >= 0) from.set(spot.site, gone.splice(at, 1)[0]!.site);
    else if (reached.has(spot.site) || !had.get(spot.site)) from.set(spot.site, spot.site);
  }
  return from;
}

/** The motion that the look says for the decision between two positions, empty where it says none. */
export function motionBetween(before: Scene, after: Scene): string {
  const fits = before.moves.filter((move) => after.last_turn.endsWith(move.text));
  const longest = fits.sort((a, b) => b.text.length - a.text.length)[0];
  return after.drawing.motions[longest?.name ?? ""] ?? "";
}

/** Show how the second position comes from the first. */
export function move(before: Scene, after: Scene, shown: Shown): void {
  const [motion = ""] = motionBetween(before, after).split(" ");
  const framed = after.drawing.over !== "";
  if (motion === "turn" && framed) return overturn(after, shown);
  const from = motion === "turn" ? turned(before, after, shown) : origins(before, after);
  if (from.size > 4 && after.last.length === 0 && motion !== "turn") return; // another game, or a walk far away
  for (const [site, origin] of from) {
    const element = shown.pieces.get(site);
    if (!element) continue;
    if (origin !== site) come(element, shown.place(origin), shown.place(site), motion, shown);
    else if (framed || motion === "fall") shown.motion.fall(element, shown.place(site)[1]);
    else if (motion === "fade") shown.motion.appear(element);
    else shown.motion.grow(element);
  }
  if (motion === "fade") vanish(from, shown);
  if (motion === "over") turnOver(before, after, shown);
}

function come(element: SVGElement, from: Point, to: Point, motion: string, { motion: moves, dragged }: Shown): void {
  if (dragged) return;
  if (motion === "hop") moves.hop(element, from, to);
  else moves.slide(element, from, to);
}

/** What was taken away fades; what has only gone elsewhere does not. */
function vanish(from: Map<number, number>, { motion, pieces, former, under }: Shown): void {
  const left = new Set(from.values());
  for (const [site, element] of former) if (!pieces.has(site) && !left.has(site)) motion.vanish(element, under);
}

/** Pieces that belong to somebody else by now show their other side. */
function turnOver(before: Scene, after: Scene, { motion, pieces, former, under }: Shown): void {
  const had = piecesOf(before);
  for (const { site, piece } of after.spots) {
    const old = had.get(site);
    if (piece && old && piece.owner !== old.owner) motion.over(former.get(site)!, pieces.get(site)!, under);
  }
}

/** A board that stands is turned over: what was on it goes along, and then falls to the ground again. */
function overturn(after: Scene, { motion, pieces, former, under, place }: Shown): void {
  const group = make("g");
  for (const element of former.values()) group.append(element.cloneNode(true));
  motion.overturn(group, under, after.drawing.height / 2);
  const top = Math.min(...after.spots.map(({ site }) => place(site)[1]));
  const heights = new Map<number, number>();
  for (const site of pieces.keys()) {
    const [x, y] = place(site);
    heights.set(x, Math.min(y - top, heights.get(x) ?? Infinity));
  }
  for (const [site, element] of pieces) motion.fall(element, heights.get(place(site)[0])!, TURN);
}

/** Pieces that went round a site by a quarter: they are turned; where there is no such site, they only come. */
function turned(before: Scene, after: Scene, { motion, pieces, place }: Shown): Map<number, number> {
  const [had, now] = [piecesOf(before), piecesOf(after)];
  const gone = before.spots.filter((spot) => spot.piece && !same(spot.piece, now.get(spot.site))).map((spot) => spot.site);
  for (const [middle, way] of before.spots.flatMap(({ site }) => [[place(site), 1], [place(site), -1]] as [Point, number][])) {
    const ends = gone.map((site) => around(before, place(site), middle, way, place));
    if (!ends.every((end, i) => end !== undefined && same(now.get(end), had.get(gone[i]!)))) continue;
    for (const [i, end] of ends.entries()) motion.turn(pieces.get(end!)!, place(gone[i]!), place(end!), middle);
    const rest = [...origins(before, after)].filter(([site]) => !ends.includes(site));
    return new Map(rest);
  }
  return origins(before, after);
}

/** The site that lies where a place comes to by a quarter about a middle. */
function around(scene: Scene, [x, y]: Point, [a, b]: Point, way: number, place: (site: number) => Point): number | undefined {
  const [to, down] = [a - way * (y - b), b + way * (x - a)];
  return scene.spots.find(({ site }) => Math.hypot(place(site)[0] - to, place(site)[1] - down) < 1)?.site;
}

// What stands on a site: what it is called aloud, and the pieces of a pile.

import { CELL, make, type Point, words } from "./layers";
import type { Piece, Scene, SceneSite } from "./messages";

/** What a site is called aloud. */
export function siteTitle(scene: Scene, spot: SceneSite): string {
  const number = scene.shown.numbers[spot.site];
  if (number !== undefined) return `${spot.name}: ${number}`;
  if (!spot.piece) return spot.name;
  const { owner, kind } = spot.piece;
  const pile = spot.below.length ? ` on a pile of ${spot.below.length + 1}` : "";
  return `${spot.name}: ${owner === scene.players.length ? kind : `${scene.players[owner]} ${kind}`}${pile}`;
}

/** So many pieces of a pile are drawn, and how far each lies above the next lower one, in its size. */
const SHOWN_OF_PILE = 6;
const PILE_STEP = 0.1;

/** One piece, or the upper pieces of a pile, one above the other, and how many it has where some are hidden. */
export function pileShapes(pieces: Piece[], size: number, [x, y]: Point, shape: (piece: Piece) => SVGElement): SVGElement[] {
  if (pieces.length === 1) return [shape(pieces[0]!)];
  const shown = pieces.slice(-SHOWN_OF_PILE);
  const step = size * PILE_STEP;
  const lift = (i: number) => ({ transform: `translate(0 ${step * ((shown.length - 1) / 2 - i)})` });
  const stones = shown.map((piece, i) => make("g", lift(i), shape(piece)));
  if (pieces.length === shown.length) return stones;
  return [...stones, words([x + CELL * 0.34, y + CELL * 0.36], String(pieces.length), CELL * 0.24, { class: "number high" })];
}

// What stands on a site: what it is called aloud, the pieces of a pile, seeds in pits; dice on the board and cards beside it.

import { CELL, make, type Part, type Point, words } from "./layers";
import type { BoardDrawing, HeapForm, Piece, PileForm, Scene, SceneSite } from "./messages";

/** What a site is called aloud. */
export function siteTitle(scene: Scene, spot: SceneSite): string {
  const number = scene.shown.numbers[spot.site];
  if (!spot.piece) return number === undefined ? spot.name : `${spot.name}: ${number}`;
  const { owner, kind } = spot.piece;
  const pile = spot.below.length ? ` on a pile of ${spot.below.length + 1}` : "";
  return `${spot.name}: ${owner === scene.players.length ? kind : `${scene.players[owner]} ${kind}`}${pile}${number === undefined ? "" : `, ${number}`}`;
}

/** So many pieces of a pile are drawn, and how far each lies above the next lower one, in its size. */
const SHOWN_OF_PILE = 6;
const PILE_STEP = 0.1;

/** One piece, or the upper pieces of a pile, one above the other, and how many it has where some are hidden. */
export function pileShapes(pieces: Piece[], size: number, [x, y]: Point, shape: (piece: Piece) => SVGElement, spread?: PileForm, turned = false): SVGElement[] {
  if (spread) return spreadShapes(pieces, size, shape, spread, turned ? -1 : 1);
  if (pieces.length === 1) return [shape(pieces[0]!)];
  const shown = pieces.slice(-SHOWN_OF_PILE);
  const step = size * PILE_STEP;
  const lift = (i: number) => ({ transform: `translate(0 ${step * ((shown.length - 1) / 2 - i)})` });
  const stones = shown.map((piece, i) => make("g", lift(i), shape(piece)));
  if (pieces.length === shown.length) return stones;
  return [...stones, words([x + CELL * 0.34, y + CELL * 0.36], String(pieces.length), CELL * 0.24, { class: "number high" })];
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The pieces of a pile side by side, as far as there is room (`pile_places` of games/render/amounts.py). */
function spreadShapes(pieces: Piece[], size: number, shape: (piece: Piece) => SVGElement, form: PileForm, sign: number): SVGElement[] {
  const step = Math.min(size, form.length / Math.max(1, pieces.length - 1));
  const at = (i: number) => form.first.map((from, axis) => sign * rounded(from + form.way[axis]! * step * i)).join(" ");
  return pieces.map((piece, i) => make("g", { transform: `translate(${at(i)})` }, shape(piece)));
}

/** From one piece of a heap to the next, as seeds stand in a sunflower. */
const TURN = Math.PI * (3 - Math.sqrt(5));
const SEED = CELL * 0.46;
const LOOSE = 0.95;
const MOST_IN_HEAP = 60;

/** A number at a site: so many of a drawing with their number, or the number alone. */
export function numberShapes(drawing: BoardDrawing, site: number, number: number, place: Point, turned = false): SVGElement[] {
  const form = drawing.heaps.find((heap) => heap.site === site);
  if (!form) return [words(place, String(number), CELL * 0.4, { class: "number" })];
  const seen: HeapForm = turned ? { ...form, place: [drawing.width - form.place[0], drawing.height - form.place[1]] } : form;
  const [[x, y], [w, h]] = [seen.place, seen.room];
  const count: Point = [x + w / 2 - CELL * 0.17, y + h / 2 - CELL * 0.15];
  return [...heapShapes(seen, number), words(count, String(number), CELL * 0.26, { class: "number high" })];
}

/** So many of a drawing around the middle of a room (`heap_places` of games/render/amounts.py). */
function heapShapes({ symbol, place: [x, y], room: [w, h] }: HeapForm, number: number): SVGElement[] {
  const shown = Math.min(number, MOST_IN_HEAP);
  const size = Math.min(SEED, LOOSE * Math.sqrt((w * h) / Math.max(1, shown)));
  const [rx, ry] = [0.44 * w - 0.35 * size, 0.44 * h - 0.35 * size];
  return Array.from({ length: shown }, (_, i) => {
    const far = Math.sqrt((i + 0.5) / Math.max(shown, 5));
    const at = `${rounded(x + rx * far * Math.cos(i * TURN))} ${rounded(y + ry * far * Math.sin(i * TURN))}`;
    return make("use", { href: `#${symbol}`, transform: `translate(${at}) scale(${size / 100})` });
  });
}

/** What is beside the pieces: dice, and what the cards right of the board show. */
export function shownShapes(scene: Scene, place: (site: number) => Point, turned = false): Part[] {
  return [...diceShapes(scene, place), ...cardShapes(scene, turned)];
}

function cardShapes({ shown, drawing }: Scene, turned: boolean): Part[] {
  const placed = shown.cards.filter(({ number }) => number < drawing.cards.length); // a drawn board has no place for cards
  return placed.map(({ number, sites, text }) => {
    const { symbol, squares } = drawing.cards[number]!;
    const seen = ([x, y]: Point): Point => (turned ? [rounded(drawing.width - x), rounded(drawing.height - y)] : [x, y]);
    const square = (site: number) => make("use", { href: `#${symbol}`, transform: `translate(${seen(squares[site]!).join(" ")})` });
    return [`card ${number} ${sites}`, () => make("g", { class: "card", role: "img", "aria-label": text }, ...sites.map(square))];
  });
}

/** The dice that a look shows, each in the middle of its sites (`die_place` of games/render/amounts.py). */
function diceShapes({ shown, drawing }: Scene, place: (site: number) => Point): Part[] {
  return shown.dice.map(({ value, sites }, i) => {
    const [x, y] = [0, 1].map((axis) => rounded(sites.reduce((sum, site) => sum + place(site)[axis]!, 0) / sites.length));
    const die = () => make("g", { class: "die" }, make("use", { href: `#${drawing.dice[value - 1]}`, transform: `translate(${x} ${y})` }));
    return [`die ${i} ${value}`, die];
  });
}

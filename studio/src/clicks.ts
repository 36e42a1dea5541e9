// What clicks on sites mean: decisions begin with some, and are whole when all are made.

import type { Scene, SceneMove } from "./messages";

/** The decisions of a scene; where its look says so, sites of a group stand for the only one there, whose own site comes first. */
export function clickable({ moves, drawing }: Scene): SceneMove[] {
  const widened = new Map<SceneMove, number[]>();
  for (const { move: name, groups } of drawing.gestures) {
    const named = moves.filter((move) => move.name === name && move.clicks.length === 1);
    for (const group of groups) {
      const there = named.filter((move) => move.clicks[0]!.some((site) => group.includes(site)));
      if (there.length === 1) widened.set(there[0]!, [...(widened.get(there[0]!) ?? []), ...group]);
    }
  }
  const taken = new Set(moves.flatMap((move) => move.clicks[0] ?? []));
  return moves.map((move) => {
    const more = (widened.get(move) ?? []).filter((site) => !taken.has(site));
    return more.length > 0 ? { ...move, clicks: [[...move.clicks[0]!, ...new Set(more)]] } : move;
  });
}

/** A piece in hand that is held: the move that puts it, and its kind. */
export interface Held {
  move: string;
  kind: string;
}

export function isPutting(move: SceneMove, held: Held): boolean {
  return move.name === held.move && move.kind === held.kind;
}

/** Decisions that the clicks made so far can still mean. */
export function fitting(moves: SceneMove[], clicked: number[]): SceneMove[] {
  return moves.filter(
    (move) =>
      move.clicks.length >= clicked.length &&
      move.clicks.length > 0 &&
      clicked.every((site, i) => move.clicks[i]!.includes(site)),
  );
}

/** Sites that may be clicked next. */
export function open(moves: SceneMove[], clicked: number[]): Set<number> {
  const sites = new Set<number>();
  for (const move of fitting(moves, clicked)) {
    for (const site of move.clicks[clicked.length] ?? []) sites.add(site);
  }
  return sites;
}

/** Decisions that no click can mean: passing, swapping, and the like. */
export function spoken(moves: SceneMove[]): SceneMove[] {
  return moves.filter((move) => move.clicks.length === 0);
}

export interface Step {
  /** The clicks that stand now. */
  clicked: number[];
  /** The decision that they mean. */
  play?: SceneMove;
  /** Decisions among which a person must choose. */
  choices?: SceneMove[];
  /** Whether the last click means nothing here. */
  refused?: boolean;
}

/** What one more click does. */
export function click(moves: SceneMove[], clicked: number[], site: number): Step {
  const last = clicked[clicked.length - 1];
  if (last === site && !open(moves, clicked).has(site)) return { clicked: clicked.slice(0, -1) };
  for (const clicks of [clicked, []]) {
    const now = [...clicks, site];
    const fits = fitting(moves, now);
    if (fits.length === 0) continue;
    const whole = fits.filter((move) => move.clicks.length === now.length);
    if (whole.length === 0) return { clicked: now };
    if (fits.length === 1) return { clicked: [], play: whole[0]! };
    return { clicked: now, choices: whole };
  }
  return { clicked: [], refused: true };
}

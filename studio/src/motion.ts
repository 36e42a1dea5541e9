// What moves between two positions of a game: a piece slides from where it stood, falls, or grows
// where it is put; links draw themselves.  A click ends all of it at once.

import type { Piece, Scene } from "./messages";
import type { Point } from "./layers";

const MOVE = 180;
const GROW = 90;
const DROP = 320;
const EASE = "cubic-bezier(.2, .75, .25, 1)";
const FALL = "cubic-bezier(.45, .05, .85, .55)";

const same = (a: Piece | null | undefined, b: Piece | null | undefined) => !!a && !!b && a.kind === b.kind && a.owner === b.owner;

/** Where each piece that is new at a site comes from; a site of its own means that it was put there. */
export function origins(before: Scene, after: Scene): Map<number, number> {
  const had = new Map(before.spots.map((spot) => [spot.site, spot.piece]));
  const now = new Map(after.spots.map((spot) => [spot.site, spot.piece]));
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

export class Motion {
  private running: Animation[] = [];
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  /** All is where it belongs. */
  end(): void {
    for (const animation of this.running) animation.finish();
    this.running = [];
  }

  slide(element: Element, from: Point, to: Point): void {
    this.run(element, [{ transform: `translate(${from[0] - to[0]}px, ${from[1] - to[1]}px)` }, { transform: "none" }], MOVE, EASE);
  }

  fall(element: Element, height: number, cell: number): void {
    const time = DROP * Math.sqrt(Math.max(1, height / (3 * cell)));
    this.run(element, [{ transform: `translate(0, ${-height}px)` }, { transform: "none" }], time, FALL);
  }

  grow(element: Element): void {
    this.run(element, [{ transform: "scale(.8)", opacity: 0.4 }, { transform: "none", opacity: 1 }], GROW, EASE);
  }

  /** A link draws itself from end to end. */
  draw(element: Element, length: number): void {
    for (const part of element.children) {
      this.run(part, [{ strokeDasharray: `0 ${length}` }, { strokeDasharray: `${length} 0` }], MOVE, EASE);
    }
  }

  /** No, three pixels to each side. */
  shake(element: Element): void {
    const moved = [0, -3, 3, -3, 0].map((x) => ({ transform: `translate(${x}px, 0)` }));
    this.run(element, moved, 220, "linear");
  }

  private run(element: Element, frames: Keyframe[], duration: number, easing: string): void {
    if (this.still.matches) return;
    this.running.push(element.animate(frames, { duration, easing }));
  }
}

// Pieces in motion: they slide, hop, fall, fade, grow, turn over, or turn about a place; links draw
// themselves.  A click ends all of it at once, and whoever asks for no motion sees none.

import { CELL, type Point } from "./layers";

const MOVE = 180;
const HOP = 260;
const GROW = 90;
const FADE = 240;
const DROP = 320;
export const TURN = 520;
const EASE = "cubic-bezier(.2, .75, .25, 1)";
const FALL = "cubic-bezier(.45, .05, .85, .55)";

const shift = (x: number, y: number, more = "") => ({ transform: `translate(${x}px, ${y}px) ${more}` });

export class Motion {
  private running: Animation[] = [];
  private leaving: Element[] = [];
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  /** All is where it belongs. */
  end(): void {
    for (const animation of this.running) animation.finish();
    for (const element of this.leaving) element.remove();
    this.running = [];
    this.leaving = [];
  }

  slide(element: Element, from: Point, to: Point): void {
    this.run(element, [shift(from[0] - to[0], from[1] - to[1]), { transform: "none" }], MOVE, EASE);
  }

  /** A leap from place to place, over what stands between. */
  hop(element: Element, from: Point, to: Point): void {
    const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
    this.run(element, [shift(dx, dy), shift(dx / 2, dy / 2 - CELL * 0.4, "scale(1.15)"), { transform: "none" }], HOP, "ease-in-out");
  }

  /** A way around a middle, by an angle. */
  turn(element: Element, from: Point, to: Point, middle: Point): void {
    const [dx, dy] = [from[0] - middle[0], from[1] - middle[1]];
    const [ex, ey] = [to[0] - middle[0], to[1] - middle[1]];
    const angle = Math.atan2(dx * ey - dy * ex, dx * ex + dy * ey);
    const frames = Array.from({ length: 9 }, (_, i) => {
      const [cos, sin] = [Math.cos((angle * i) / 8), Math.sin((angle * i) / 8)];
      return shift(dx * cos - dy * sin - ex, dx * sin + dy * cos - ey);
    });
    this.run(element, frames, TURN, "ease-in-out");
  }

  fall(element: Element, height: number, delay = 0): void {
    const time = DROP * Math.sqrt(Math.max(1, height / (3 * CELL)));
    this.run(element, [shift(0, -height), { transform: "none" }], time, FALL, delay);
  }

  grow(element: Element): void {
    this.run(element, [{ transform: "scale(.8)", opacity: 0.4 }, { transform: "none", opacity: 1 }], GROW, EASE);
  }

  appear(element: Element): void {
    this.run(element, [{ opacity: 0 }, { opacity: 1 }], FADE, "linear");
  }

  /** What stands there no more fades away, *under* what stands there now. */
  vanish(element: Element, under: Element): void {
    this.leave(element, under, [{ opacity: 1 }, { opacity: 0 }], FADE, "linear");
  }

  /** A piece turns over: its old face, then its new one. */
  over(old: Element, fresh: Element, under: Element): void {
    const [thin, wide] = [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }];
    this.leave(old, under, [wide, thin], MOVE, "ease-in");
    this.run(fresh, [thin, wide], MOVE, "ease-out", MOVE);
  }

  /** A whole board is turned over, with what stood on it; what stands there then falls after that. */
  overturn(old: Element, under: Element, middle: number): void {
    const way = (scale: number) => ({ transform: `translate(0, ${middle * (1 - scale)}px) scaleY(${scale})` });
    this.leave(old, under, [way(1), way(-1)], TURN, "ease-in-out");
  }

  /** A link draws itself from end to end. */
  draw(element: Element, length: number): void {
    for (const part of element.children) {
      this.run(part, [{ strokeDasharray: `0 ${length}` }, { strokeDasharray: `${length} 0` }], MOVE, EASE);
    }
  }

  /** No, three pixels to each side. */
  shake(element: Element): void {
    this.run(element, [0, -3, 3, -3, 0].map((x) => shift(x, 0)), 220, "linear");
  }

  /** What is gone is seen for as long as it moves. */
  private leave(element: Element, under: Element, frames: Keyframe[], duration: number, easing: string): void {
    if (this.still.matches) return;
    under.append(element);
    this.leaving.push(element);
    this.run(element, frames, duration, easing).addEventListener("finish", () => element.remove());
  }

  private run(element: Element, frames: Keyframe[], duration: number, easing: string, delay = 0): Animation {
    const animation = element.animate(frames, { duration: this.still.matches ? 0 : duration, easing, delay: this.still.matches ? 0 : delay, fill: delay ? "backwards" : "none" });
    this.running.push(animation);
    return animation;
  }
}

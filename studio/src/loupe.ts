// Sites that are smaller than a fingertip: a loupe stands above the finger while it slides, and what
// it has chosen is asked for again before it counts.  No framework, as in the board.

import { make, type Point } from "./layers";

/** Pixels that a site needs for a finger to mean it. */
const FINGER = 28;
/** How many times larger the loupe shows the board, and its radius in pixels. */
const TIMES = 2.8;
const RADIUS = 88;

export class Loupe {
  private readonly glass = document.createElement("div");
  private readonly asked = document.createElement("div");
  private board: SVGGraphicsElement | null = null;
  private unit = 1;

  constructor(private readonly root: SVGElement) {
    this.glass.className = "loupe";
    this.glass.setAttribute("aria-hidden", "true");
    this.asked.className = "sure";
    this.asked.setAttribute("role", "group");
  }

  /** Whether a finger needs it: how wide a site is on the screen. */
  static isNeeded(root: SVGElement, size: number, event: PointerEvent): boolean {
    const box = (root as SVGGraphicsElement).getScreenCTM();
    return event.pointerType === "touch" && !!box && size * box.a < FINGER;
  }

  /** Show what lies around a place; the loupe itself stands above the finger. */
  show(place: Point, ring: number, finger: Point): void {
    if (!this.board) this.open();
    const around = this.root.parentElement!.getBoundingClientRect();
    const [width, height] = [around.width, around.height];
    const left = Math.max(RADIUS, Math.min(finger[0] - around.left, width - RADIUS));
    const above = finger[1] - around.top - RADIUS - 44; // it may stand over what is above the board
    const top = above + around.top > RADIUS + 8 ? above : Math.min(finger[1] - around.top + RADIUS + 56, height - RADIUS);
    this.glass.style.left = `${left - RADIUS}px`;
    this.glass.style.top = `${top - RADIUS}px`;
    const half = RADIUS / TIMES / this.unit;
    this.board!.setAttribute("viewBox", `${place[0] - half} ${place[1] - half} ${2 * half} ${2 * half}`);
    this.board!.querySelector(".ghosts")?.replaceWith(this.root.querySelector(".ghosts")!.cloneNode(true));
    this.board!.querySelector(".aim")?.remove();
    this.board!.append(make("circle", { cx: place[0], cy: place[1], r: ring, class: "aim" }));
  }

  private open(): void {
    this.close();
    this.unit = (this.root as SVGGraphicsElement).getScreenCTM()!.a;
    this.board = this.root.cloneNode(true) as SVGGraphicsElement;
    for (const part of this.board.querySelectorAll(".sites")) part.remove(); // nothing in it is a button
    for (const name of ["role", "aria-label", "aria-roledescription", "width", "height"]) this.board.removeAttribute(name);
    this.glass.replaceChildren(this.board);
    this.root.parentElement!.append(this.glass);
  }

  /** Ask whether what was aimed at is meant. */
  ask(words: string, yes: () => void, no: () => void): void {
    this.glass.remove();
    this.board = null;
    const question = document.createElement("b");
    question.textContent = words;
    const button = (text: string, name: string, act: () => void) => {
      const made = document.createElement("button");
      made.type = "button";
      made.className = name;
      made.textContent = text;
      made.addEventListener("click", () => (this.close(), act()));
      return made;
    };
    this.asked.setAttribute("aria-label", words);
    this.asked.replaceChildren(question, button("Cancel", "b", no), button("Play it", "b go", yes));
    this.root.parentElement!.append(this.asked);
  }

  close(): void {
    this.glass.remove();
    this.asked.remove();
    this.board = null;
  }
}

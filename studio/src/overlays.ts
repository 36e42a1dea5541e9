// What is told of a position upon the board: arrows of lines, and what a pattern asks of which sites.

import { arrow, CELL, disc, line, make, type Point, words } from "./layers";
import type { LaidCondition, Scene } from "./messages";

/** The middle of a site. */
type Place = (site: number) => Point | undefined;

/** A pattern around a site: what it asks of which sites. */
export interface LaidPattern {
  at: number;
  conditions: LaidCondition[];
}

/** What is shown above a position: clicks, heat, letters, arrows, another position. */
export interface Overlay {
  /** Sites that may be clicked now. */
  open?: Set<number>;
  /** Clicks made so far. */
  clicked?: number[];
  /** The kind of piece in hand that is held. */
  putting?: string;
  /** The sites of the parts of a turn that were played so far, where it goes on. */
  parts?: number[];
  /** How good decisions at sites are, from 0 to 1, and short texts. */
  heat?: Record<string, number>;
  marks?: Record<string, string>;
  /** Letters that name decisions at sites. */
  letters?: Record<string, string>;
  /** A site with a ring, and arrows through sites. */
  chosen?: number | null;
  arrows?: number[][];
  /** The sites of a decision that is advised. */
  hint?: number[];
  /** Another position that is looked at, and the sites that something is about. */
  scene?: Scene;
  lit?: number[];
  /** A pattern around a site: what it asks of which sites. */
  pattern?: LaidPattern;
  /** Whether the board is seen from the other side. */
  turned?: boolean;
}

/** A short text at the corner of a site: of several decisions what the best is worth, as more would lie on its neighbours. */
export function textMark([x, y]: Point, text: string): SVGElement {
  const [first = "", ...more] = text.split("\n");
  const mark = words([x + CELL * 0.3, y - CELL * 0.36], more.length > 0 ? first.slice(first.indexOf(" ") + 1) : first, 11, { class: "mark" });
  if (more.length > 0) mark.append(make("title", {}, text));
  return mark;
}

/** The parts of a turn so far, in their order. */
export function* partMarks(parts: number[], place: Place): Iterable<SVGElement> {
  for (const [i, site] of parts.entries()) {
    const at = place(site);
    if (at) yield partMark(at, i + 1);
  }
}

/** The number of a part of a turn, at the corner of its site. */
export function partMark([x, y]: Point, number: number): SVGElement {
  const corner: Point = [x + CELL * 0.3, y - CELL * 0.3];
  return make("g", { class: "part" }, disc(corner, CELL * 0.17, {}), words(corner, String(number), CELL * 0.22, {}));
}

/** Arrows through sites, the later the fainter; a single site has its number. */
export function* arrows(lines: number[][], place: Place): Iterable<SVGElement> {
  for (const [i, sites] of lines.entries()) {
    const places = sites.map((site) => place(site)!).filter(Boolean);
    const strength = { opacity: Math.max(0.25, 0.9 - 0.15 * i) };
    const end = places[places.length - 1];
    if (!end) continue;
    if (places.length === 1) {
      yield disc(end, CELL * 0.36, { class: `arrow side${i % 2}`, fill: "none", ...strength });
      yield words(end, String(i + 1), 17, { class: "step", ...strength });
    }
    for (let j = 1; j < places.length; j++) {
      yield arrow(places[j - 1]!, places[j]!, 6, { class: `arrow side${i % 2}`, ...strength });
    }
  }
}

/** Letters at sites, in the order of the alphabet. */
export function* letterMarks(letters: Record<string, string>, place: Place): Iterable<SVGElement> {
  for (const [site, letter] of Object.entries(letters)) {
    const at = place(Number(site));
    if (at) yield make("g", { class: "letter" }, disc(at, CELL * 0.24, {}), words(at, letter, CELL * 0.3, {}));
  }
}

/** What a pattern asks: joins as lines, then sites. */
export function* patternMarks(scene: Scene, pattern: LaidPattern, place: Place): Iterable<SVGElement> {
  const from = place(pattern.at);
  if (from) yield disc(from, CELL * 0.48, { class: "point-at", fill: "none" });
  const [joins, places] = [true, false].map((two) => pattern.conditions.filter((condition) => (condition.other !== null) === two));
  for (const join of joins!) {
    const ends = [join.site, join.other!].map((site) => place(site));
    if (ends[0] && ends[1]) yield line(ends[0], ends[1], { class: `asked joins ${join.test} ${join.holds ? "holds" : "fails"}` });
  }
  for (const condition of places!) if (!["Row", "Left", "Middle"].includes(condition.test)) yield* conditionMark(scene, condition, place);
}

/** What a pattern asks of one site: a ring, dashed where it is not so, and a sign for what. */
function* conditionMark(scene: Scene, condition: LaidCondition, place: Place): Iterable<SVGElement> {
  const at = place(condition.site);
  if (!at) return;
  const [x, y] = at;
  const mover = Math.max(0, scene.players.indexOf(scene.mover ?? ""));
  const owner = condition.test === "Own" ? mover : condition.test === "Opp" ? 1 - mover : 2;
  const group = make("g", { class: `asked ${condition.test} ${condition.holds ? "holds" : "fails"}` }, make("title", {}, condition.text));
  group.append(disc(at, CELL * 0.42, { fill: "none", class: "ring" }));
  if (condition.test === "Set") {
    group.append(line([x - 10, y], [x + 10, y], { class: "plus" }), line([x, y - 10], [x, y + 10], { class: "plus" }));
  } else if (condition.test === "Free") group.append(disc(at, 7, { class: "sign" }));
  else if (owner < 2) group.append(make("use", { href: `#${scene.drawing.sides[owner]}`, transform: `translate(${at}) scale(0.2)` }));
  else group.append(words(at, condition.test === "Strong" ? "S" : "W", 16, { class: "step" }));
  if (!condition.holds) group.append(words([x + CELL * 0.36, y - CELL * 0.34], "✗", 18, { class: "cross" }));
  yield group;
}

/** The mark of a site that a look says is in a state, in the colour of that state. */
export function stateMark(mark: string, state: string, place: Point, radius: number, shape: () => SVGElement, halo: () => SVGElement): SVGElement {
  const marks: Record<string, () => SVGElement> = {
    halo,
    dot: () => disc(place, radius * 0.3, {}),
    ring: () => disc(place, radius * 0.98, { class: "ring" }),
    outline: () => disc(place, radius * 0.98, { class: "ring" }),
    nothing: () => make("g", {}),
  };
  const element = (marks[mark] ?? shape)();
  element.classList.add("state", state);
  element.style.setProperty("--rw-state", `var(--rw-${state})`);
  return element;
}

/** What decisions are worth: heat behind their sites, and numbers on them. */
export function* valueMarks({ heat = {}, marks = {} }: Overlay, place: (site: number) => Point | undefined): Iterable<SVGElement> {
  for (const [site, share] of Object.entries(heat)) {
    const at = place(Number(site));
    if (at) yield disc(at, CELL * 0.4, { class: "heat", "fill-opacity": 0.1 + 0.75 * share });
  }
  for (const [site, text] of Object.entries(marks)) {
    const at = place(Number(site));
    if (at) yield textMark(at, text);
  }
}

/** The cross of what may not be chosen. */
export function forbidden([x, y]: Point): SVGElement {
  const sign = "M-3.6 -3.6L3.6 3.6M3.6 -3.6L-3.6 3.6";
  return make("g", { class: "forbidden" }, make("g", { transform: `translate(${x} ${y})` }, disc([0, 0], 8, {}), make("path", { d: sign })));
}

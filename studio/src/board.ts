// The board: one SVG drawing of a scene, the same distances and colours as `State.svg`, with sites
// that can be clicked, dragged between, walked with arrow keys and read aloud.  No framework, so
// that a page of any kind can hold it.

import type { LaidCondition, Piece, Scene, SceneLink, SceneSite } from "./messages";

export const CELL = 40;
const RADIUS = { cells: 0.36, holes: 0.3, points: 0.36, lines: 0.34 };
const TEXT = 13;
const COLOURS: Record<string, [string, string]> = {
  white: ["#ffffff", "#222222"],
  black: ["#2b2b2b", "#ffffff"],
  red: ["#c0392b", "#ffffff"],
  blue: ["#2c5aa0", "#ffffff"],
  yellow: ["#f2c230", "#222222"],
};
const PLAYERS: [string, string][] = [COLOURS.red!, COLOURS.blue!];
const NEUTRAL: [string, string] = ["#b4b4b4", "#222222"];

export interface Overlay {
  /** Sites that may be clicked now. */
  open?: Set<number>;
  /** Clicks made so far. */
  clicked?: number[];
  /** How good decisions at sites are, from 0 to 1, and short texts. */
  heat?: Record<string, number>;
  marks?: Record<string, string>;
  /** A site with a ring, and arrows through sites. */
  chosen?: number | null;
  arrows?: number[][];
  /** Another position that is looked at, and the sites that something is about. */
  scene?: Scene;
  lit?: number[];
  /** A pattern around a site: what it asks of which sites. */
  pattern?: { at: number; conditions: LaidCondition[] };
}

type Attributes = Record<string, string | number>;
/** Something to be drawn: what tells it from all else, and what makes it. */
type Part = [key: string, make: () => SVGElement];

function make(name: string, attributes: Attributes = {}, ...inside: (Node | string)[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...inside);
  return element;
}

/** The fill of both players and of nobody, and what is written on it. */
export function paints(players: [string, string]): [string, string][] {
  const [first, second] = players.map((name) => COLOURS[name]);
  return first && second ? [first, second, NEUTRAL] : [...PLAYERS, NEUTRAL];
}

/** What a site is called aloud. */
export function siteTitle(scene: Scene, spot: SceneSite): string {
  if (!spot.piece) return spot.name;
  const { owner, kind } = spot.piece;
  return `${spot.name}: ${owner === 2 ? kind : `${scene.players[owner]} ${kind}`}`;
}

/** Elements that are few, told from others by their kind, their place among these, and all they say. */
function numbered(kind: string, elements: Iterable<SVGElement>): Part[] {
  return [...elements].map((element, i) => [`${kind} ${i} ${element.outerHTML}`, () => element]);
}

export class Board {
  readonly root: SVGElement;
  private scene: Scene | null = null;
  private places = new Map<number, [number, number]>();
  private sites = new Map<number, SVGElement>();
  /** What is drawn now, so that only what changes is made anew. */
  private elements = new Map<string, SVGElement>();
  private ground = "";
  private focused = -1;
  private pressed = -1;

  constructor(
    parent: Element,
    private readonly onSite: (site: number) => void,
    private readonly onEscape: () => void = () => {},
  ) {
    this.root = make("svg", { class: "board", role: "group", "aria-roledescription": "board" });
    parent.append(this.root);
    this.root.addEventListener("pointerdown", (e) => (this.pressed = this.siteOf(e.target)));
    this.root.addEventListener("pointerup", (e) => this.released(e as PointerEvent));
    this.root.addEventListener("focusin", (e) => this.rove(this.siteOf(e.target), false));
    this.root.addEventListener("keydown", (e) => this.key(e as KeyboardEvent));
  }

  /** The document, or the part of somebody else's that hides the board from it. */
  private get around(): DocumentOrShadowRoot {
    return this.root.getRootNode() as unknown as DocumentOrShadowRoot;
  }

  draw(scene: Scene, overlay: Overlay = {}): void {
    const had = this.sites.get(this.focused)?.contains(this.around.activeElement) ?? false;
    this.scene = scene;
    const { game, players, style, hexagonal, framed, kinds, columns, rows, strokes, spots } = scene;
    const places = spots.map((spot) => [spot.name, spot.place]);
    const ground = JSON.stringify([game, players, style, hexagonal, framed, kinds, columns, rows, strokes, places]);
    if (ground !== this.ground) {
      this.root.replaceChildren();
      this.elements.clear();
      this.measure(scene);
    }
    this.ground = ground;
    this.sites.clear();
    this.put([
      ...this.under(scene),
      ...this.links(scene),
      ...scene.spots.map((spot) => this.site(scene, spot, overlay)),
      ...this.may(scene, overlay),
      ...scene.winning.map((site): Part => [`won ${site}`, () => this.ring(site, 2, "won", 4)]),
      ...numbered("mark", this.marks(overlay)),
      ...numbered("arrow", this.arrows(overlay)),
      ...numbered("pattern", this.pattern(scene, overlay)),
      ...numbered("label", scene.columns.length ? this.coordinates(scene) : []),
    ]);
    for (const element of this.root.querySelectorAll<SVGElement>("[data-site]")) this.sites.set(Number(element.dataset.site), element);
    this.rove(this.sites.has(this.focused) ? this.focused : scene.spots[0]!.site, had);
  }

  /** Draw these, in this order: what is there already stays as it is. */
  private put(parts: Part[]): void {
    const elements = new Map(parts.map(([key, make]) => [key, this.elements.get(key) ?? make()]));
    for (const [key, element] of this.elements) if (elements.get(key) !== element) element.remove();
    let next = this.root.firstChild;
    for (const element of elements.values()) {
      if (element === next) next = next.nextSibling;
      else this.root.insertBefore(element, next);
    }
    this.elements = elements;
  }

  // --- what is clicked ---

  private siteOf(target: EventTarget | null): number {
    const group = (target as Element | null)?.closest?.("[data-site]");
    return group ? Number(group.getAttribute("data-site")) : -1;
  }

  private released(event: PointerEvent): void {
    const under = this.around.elementFromPoint(event.clientX, event.clientY);
    const site = this.siteOf(under);
    const from = this.pressed;
    this.pressed = -1;
    if (site < 0 || from < 0) return;
    if (from !== site) this.onSite(from);
    this.rove(site, false);
    this.onSite(site);
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    if (step) this.walk(step);
    else if (event.key === "Enter" || event.key === " ") this.onSite(this.focused);
    else if (event.key === "Escape") this.onEscape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The nearest site in a direction, sideways steps costing more. */
  private walk([dx, dy]: [number, number]): void {
    const [x, y] = this.places.get(this.focused)!;
    let best = -1;
    let least = Infinity;
    for (const [site, [a, b]] of this.places) {
      const ahead = (a - x) * dx + (b - y) * dy;
      const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      const cost = ahead + 3 * aside;
      if (ahead > 1 && aside <= ahead && cost < least) [best, least] = [site, cost];
    }
    if (best >= 0) this.rove(best, true);
  }

  private rove(site: number, focus: boolean): void {
    if (site < 0) return;
    this.sites.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = site;
    const group = this.sites.get(site);
    group?.setAttribute("tabindex", "0");
    if (focus) (group as unknown as HTMLElement | undefined)?.focus();
  }

  // --- drawing ---

  private measure(scene: Scene): void {
    const margin = scene.columns.length ? CELL * 1.25 : CELL;
    this.places.clear();
    for (const spot of scene.spots) {
      const [x, y] = spot.place;
      this.places.set(spot.site, [margin + x * CELL, CELL * 0.8 + y * CELL]);
    }
    const xs = [...this.places.values()].map(([x]) => x);
    const ys = [...this.places.values()].map(([, y]) => y);
    const width = Math.max(...xs) + CELL;
    const height = Math.max(...ys) + CELL * (scene.columns.length ? 1.25 : 0.75);
    this.root.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.root.style.maxWidth = `${width * 1.7}px`; // small boards need not fill the page
    this.root.setAttribute("aria-label", `the board of ${scene.game}`);
  }

  private near(spot: SceneSite, place: [number, number]): [number, number] {
    const [x, y] = this.places.get(spot.site)!;
    return [x + (place[0] - spot.place[0]) * CELL, y + (place[1] - spot.place[1]) * CELL];
  }

  private get radius(): number {
    return CELL * RADIUS[this.scene!.style];
  }

  private disc([x, y]: [number, number], r: number, more: Attributes): SVGElement {
    return make("circle", { cx: x, cy: y, r, ...more });
  }

  private line(a: [number, number], b: [number, number], more: Attributes): SVGElement {
    return make("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], ...more });
  }

  private words([x, y]: [number, number], text: string, size: number, more: Attributes): SVGElement {
    return make(
      "text",
      { x, y: y + size * 0.35, "font-size": size, "text-anchor": "middle", ...more },
      text,
    );
  }

  private *under(scene: Scene): Iterable<Part> {
    if (scene.framed) yield ["frame", () => this.frame(scene)];
    for (const spot of scene.spots) {
      const lit = scene.last.includes(spot.site) ? "last" : scene.left.includes(spot.site) ? "left" : "";
      if (spot.outline.length) yield [`cell ${spot.site} ${lit}`, () => this.cell(spot, lit)];
      else if (lit) yield [`glow ${spot.site} ${lit}`, () => this.disc(this.places.get(spot.site)!, this.radius * 1.35, { class: `glow ${lit}` })];
    }
    for (const [a, b] of scene.strokes) {
      yield [`stroke ${a} ${b}`, () => this.line(this.places.get(a)!, this.places.get(b)!, { class: "stroke" })];
    }
    const dots = { cells: null, holes: ["hole", 3.5], points: ["points-dot", 2], lines: ["lines-dot", 4] } as const;
    const dot = dots[scene.style];
    const bare = scene.spots.filter((spot) => spot.bar.length === 0 || !spot.piece).map((spot) => spot.site);
    if (dot && bare.length) yield [`dots ${bare}`, () => this.discs(bare, dot[1], dot[0])];
    for (const place of scene.dots) {
      yield [`dot ${place}`, () => this.disc(this.near(scene.spots[0]!, place), 5, { class: "dot" })];
    }
  }

  /** Discs of one kind as one element: a browser paints a few much faster than hundreds. */
  private discs(sites: number[], r: number, name: string): SVGElement {
    const rings = sites.map((site) => {
      const [x, y] = this.places.get(site)!;
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    });
    return make("path", { d: rings.join(""), class: name });
  }

  /** Where something may be put. */
  private *may(scene: Scene, overlay: Overlay): Iterable<Part> {
    if (overlay.heat || !overlay.open?.size) return;
    const sites = scene.spots.filter((spot) => !spot.piece && overlay.open!.has(spot.site)).map((spot) => spot.site);
    if (sites.length) yield [`may ${sites}`, () => this.discs(sites, 6, "may")];
  }

  private cell(spot: SceneSite, lit: string): SVGElement {
    const points = spot.outline.map((corner) => this.near(spot, corner).join(",")).join(" ");
    return make("polygon", { points, class: `cell ${lit}` });
  }

  private frame(scene: Scene): SVGElement {
    const xs = [...this.places.values()].map(([x]) => x);
    const ys = [...this.places.values()].map(([, y]) => y);
    const half = CELL * (scene.style === "cells" ? 0.5 : 0.6);
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return make("rect", {
      x: x - half,
      y: y - half,
      width: Math.max(...xs) - x + 2 * half,
      height: Math.max(...ys) - y + 2 * half,
      rx: scene.style === "cells" ? 0 : 6,
      class: scene.style === "cells" ? "frame" : "frame wood",
    });
  }

  private links(scene: Scene): Part[] {
    const links = [...scene.links].sort((a, b) => Number(b.change === "gone") - Number(a.change === "gone"));
    const won = new Set(scene.winning);
    return links.map((link) => [`link ${JSON.stringify([link, link.ends.every((end) => won.has(end))])}`, () => this.link(scene, link)]);
  }

  private link(scene: Scene, link: SceneLink): SVGElement {
    const [a, b] = [this.places.get(link.ends[0])!, this.places.get(link.ends[1])!];
    if (link.change === "gone") return this.line(a, b, { class: "link gone" });
    const [fill, ink] = paints(scene.players)[link.owner]!;
    const won = link.ends.every((end) => scene.winning.includes(end));
    const group = make("g", { class: "link" });
    if (link.change === "new" && !won) group.append(this.line(a, b, { class: "new", "stroke-width": 14 }));
    group.append(
      this.line(a, b, { class: won ? "edge won" : "edge", "stroke-width": won ? 9 : 7 }),
      this.line(a, b, { stroke: fill, "stroke-width": 5 }),
    );
    if (link.owner === 1) group.append(this.line(a, b, { stroke: ink, "stroke-width": 1.2 }));
    return group;
  }

  private site(scene: Scene, spot: SceneSite, overlay: Overlay): Part {
    const isOpen = overlay.open?.has(spot.site) ?? false;
    const isClicked = overlay.clicked?.includes(spot.site) ?? false;
    const isLit = isOpen && !overlay.heat && spot.piece !== null;
    const key = `site ${spot.site} ${JSON.stringify([spot.piece, spot.bar, isOpen, isClicked, isLit])}`;
    return [key, () => this.spot(scene, spot, isOpen, isClicked, isLit)];
  }

  private spot(scene: Scene, spot: SceneSite, isOpen: boolean, isClicked: boolean, isLit: boolean): SVGElement {
    const place = this.places.get(spot.site)!;
    const label = siteTitle(scene, spot) + (isOpen ? ", may be chosen" : "") + (isClicked ? ", chosen" : "");
    const group = make("g", {
      class: `site${isOpen ? " open" : ""}${isClicked ? " clicked" : ""}`,
      "data-site": spot.site,
      role: "button",
      tabindex: -1,
      "aria-label": label,
    });
    group.append(make("title", {}, siteTitle(scene, spot)));
    group.append(this.disc(place, CELL * 0.5, { class: "target" }));
    if (spot.piece) group.append(...this.piece(scene, spot, spot.piece));
    else if (scene.style !== "cells" && scene.style !== "holes" && !scene.columns.length) group.append(this.name(spot));
    if (isLit) group.append(this.disc(place, this.radius + 2, { class: "may ring" }));
    return group;
  }

  private name(spot: SceneSite): SVGElement {
    const [x, y] = this.places.get(spot.site)!;
    const size = Math.min(10, (CELL * 1.4) / Math.max(1, spot.name.length));
    return this.words([x, y + CELL * 0.28], spot.name, size, { class: "faint" });
  }

  private piece(scene: Scene, spot: SceneSite, piece: Piece): SVGElement[] {
    const [fill, ink] = paints(scene.players)[piece.owner]!;
    if (spot.bar.length === 2) {
      const [a, b] = spot.bar.map((end) => this.near(spot, end)) as [[number, number], [number, number]];
      return [this.line(a, b, { class: "edge", "stroke-width": 7 }), this.line(a, b, { stroke: ink, "stroke-width": 4 })];
    }
    const place = this.places.get(spot.site)!;
    const shapes = [this.disc(place, this.radius, { class: "stone", fill })];
    if (piece.owner === 1) shapes.push(this.disc(place, this.radius * 0.78, { fill: "none", stroke: ink }));
    if (scene.kinds > 1) {
      shapes.push(this.words(place, piece.letter, this.radius, { fill: ink, "font-weight": "bold" }));
    }
    return shapes;
  }

  private ring(site: number, more: number, name: string, width: number): SVGElement {
    return this.disc(this.places.get(site)!, this.radius + more, { class: name, fill: "none", "stroke-width": width });
  }

  private *marks(overlay: Overlay): Iterable<SVGElement> {
    for (const site of overlay.lit ?? []) if (this.places.has(site)) yield this.disc(this.places.get(site)!, CELL * 0.44, { class: "lit" });
    for (const [site, share] of Object.entries(overlay.heat ?? {})) {
      const place = this.places.get(Number(site));
      if (place) yield this.disc(place, this.radius, { class: "heat", "fill-opacity": 0.1 + 0.8 * share });
    }
    for (const [site, text] of Object.entries(overlay.marks ?? {})) {
      const place = this.places.get(Number(site));
      if (!place) continue;
      const lines = text.split("\n");
      for (const [i, line] of lines.entries()) {
        const up = (lines.length - 1 - i) * 9;
        yield this.words([place[0] + CELL * 0.3, place[1] - CELL * 0.36 - up], line, 9, { class: "mark" });
      }
    }
    if (overlay.chosen != null && this.places.has(overlay.chosen)) yield this.ring(overlay.chosen, 1, "chosen", 3);
  }

  private *arrows(overlay: Overlay): Iterable<SVGElement> {
    for (const [i, sites] of (overlay.arrows ?? []).entries()) {
      const places = sites.map((site) => this.places.get(site)!).filter(Boolean);
      const strength = { opacity: Math.max(0.25, 0.9 - 0.15 * i) };
      const end = places[places.length - 1];
      if (!end) continue;
      if (places.length === 1) {
        yield this.disc(end, this.radius, { class: `arrow side${i % 2}`, fill: "none", ...strength });
        yield this.words(end, String(i + 1), 14, { class: "step", ...strength });
      }
      for (let j = 1; j < places.length; j++) {
        yield this.arrow(places[j - 1]!, places[j]!, { class: `arrow side${i % 2}`, ...strength });
      }
    }
  }

  private arrow(a: [number, number], b: [number, number], more: Attributes): SVGElement {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const tip = [b[0] - ux * 6, b[1] - uy * 6] as const;
    const head = [tip[0] - ux * 12, tip[1] - uy * 12] as const;
    const points = [
      [tip[0], tip[1]],
      [head[0] - uy * 7, head[1] + ux * 7],
      [head[0] + uy * 7, head[1] - ux * 7],
    ];
    return make(
      "g",
      more,
      this.line([a[0], a[1]], [head[0], head[1]], { "stroke-width": 5 }),
      make("polygon", { points: points.map((p) => p.join(",")).join(" ") }),
    );
  }

  private *pattern(scene: Scene, { pattern }: Overlay): Iterable<SVGElement> {
    if (!pattern) return;
    const from = this.places.get(pattern.at);
    if (from) yield this.disc(from, this.radius + 6, { class: "point-at", fill: "none" });
    const [joins, places] = [true, false].map((two) => pattern.conditions.filter((condition) => (condition.other !== null) === two));
    for (const join of joins!) {
      const ends = [join.site, join.other!].map((site) => this.places.get(site));
      if (ends[0] && ends[1]) yield this.line(ends[0], ends[1], { class: `asked joins ${join.test} ${join.holds ? "holds" : "fails"}` });
    }
    for (const condition of places!) if (!["Row", "Left", "Middle"].includes(condition.test)) yield* this.conditionMark(scene, condition);
  }

  /** What a pattern asks of one site: a ring, dashed where it is not so, and a sign for what. */
  private *conditionMark(scene: Scene, condition: LaidCondition): Iterable<SVGElement> {
    const place = this.places.get(condition.site);
    if (!place) return;
    const [x, y] = place;
    const mover = Math.max(0, scene.players.indexOf(scene.mover ?? ""));
    const owner = condition.test === "Own" ? mover : condition.test === "Opp" ? 1 - mover : 2;
    const group = make("g", { class: `asked ${condition.test} ${condition.holds ? "holds" : "fails"}` }, make("title", {}, condition.text));
    group.append(this.disc(place, CELL * 0.42, { fill: "none", class: "ring" }));
    if (condition.test === "Set") {
      group.append(this.line([x - 8, y], [x + 8, y], { class: "plus" }), this.line([x, y - 8], [x, y + 8], { class: "plus" }));
    } else if (condition.test === "Free") group.append(this.disc(place, 6, { class: "sign", fill: "#fff" }));
    else if (owner < 2) group.append(this.disc(place, 7, { class: "sign", fill: paints(scene.players)[owner]![0] }));
    else group.append(this.words(place, condition.test === "Strong" ? "S" : "W", 13, { class: "step" }));
    if (!condition.holds) group.append(this.words([x + CELL * 0.36, y - CELL * 0.34], "✗", 15, { class: "cross" }));
    yield group;
  }

  private *coordinates(scene: Scene): Iterable<SVGElement> {
    const first = new Map<number, number>();
    const last = new Map<number, number>();
    for (const spot of scene.spots) {
      if (!first.has(spot.row)) first.set(spot.row, spot.site);
      last.set(spot.column, spot.site);
    }
    const lowest = Math.max(...[...this.places.values()].map(([, y]) => y));
    for (const [row, site] of first) {
      const [x, y] = this.places.get(site)!;
      const at = scene.hexagonal ? x - CELL * 0.85 : CELL * 0.35;
      yield this.words([at, y], scene.rows[row] ?? "", TEXT, { class: "label" });
    }
    for (const [column, site] of last) {
      const [x, y] = this.places.get(site)!;
      const at: [number, number] = scene.hexagonal ? [x + CELL * 0.36, y + CELL * 0.76] : [x, lowest + CELL * 0.88];
      yield this.words(at, scene.columns[column] ?? "", TEXT, { class: "label" });
    }
  }
}

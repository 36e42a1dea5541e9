// The board: one SVG picture of a scene, made from the drawing that it carries, with sites that can
// be clicked, dragged between, walked with arrow keys and read aloud.  No framework, so that a page
// of any kind can hold it.  Grounds and pieces are drawn in Python alone (games/render).

import { clickable } from "./clicks";
import { turnLabels } from "./labels";
import { type Joint, joints, meaning, partners } from "./joining";
import { arrow, CELL, disc, Layer, line, make, nearestAhead, numbered, paint, pointOf, type Part, type Point, words } from "./layers";
import type { BoardDrawing, DrawnSite, Form, Piece, Scene, SceneLink, SceneSite } from "./messages";
import { Loupe } from "./loupe";
import { Motion } from "./motion";
import { move } from "./moving";
import { arrows, forbidden, letterMarks, type Overlay, partMark, partMarks, patternMarks, valueMarks, stateMark } from "./overlays";
import { numberShapes, pileShapes, shownShapes, siteTitle } from "./piles";

const FORBIDDEN = 4000;
const LAYERS = ["lights", "links", "pieces", "over", "rings", "targets", "ghosts", "sites", "marks", "coordinates"] as const;
type LayerName = (typeof LAYERS)[number];

export class Board {
  readonly root: SVGElement;
  private scene: Scene | null = null;
  private overlay: Overlay = {};
  private drawn = new Map<number, DrawnSite>();
  private spots = new Map<number, SceneSite>();
  private sites = new Map<number, SVGElement>();
  private pieces = new Map<number, SVGElement>();
  private layers!: Record<LayerName, Layer>;
  private ground = "";
  private focused = -1;
  private pressed = -1;
  private hovered = -1;
  private held: Point | null = null;
  private wasDragged = false;
  private readonly motion = new Motion();
  private readonly loupe: Loupe;
  private aimed = -1;
  /** Where the pointer went down, the end of a link that is held, and the links that may be put. */
  private down: Point = [0, 0];
  private end: Point | null = null;
  private joints: Joint[] = [];

  constructor(
    parent: Element,
    private readonly onSite: (site: number) => void,
    private readonly onEscape: () => void = () => {},
    private readonly onNoLink: () => void = () => {},
  ) {
    this.root = make("svg", { class: "board", role: "group", "aria-roledescription": "board" });
    parent.append(this.root);
    this.loupe = new Loupe(this.root);
    this.root.addEventListener("pointercancel", () => this.unaim());
    this.root.addEventListener("pointerdown", (e) => this.press(e as PointerEvent));
    this.root.addEventListener("pointermove", (e) => this.drag(e as PointerEvent));
    this.root.addEventListener("pointerup", (e) => this.release(e as PointerEvent));
    this.root.addEventListener("pointerover", (e) => this.hover(this.siteOf(e.target)));
    this.root.addEventListener("pointerleave", () => this.hover(-1));
    this.root.addEventListener("focusin", (e) => this.rove(this.siteOf(e.target), false));
    this.root.addEventListener("keydown", (e) => this.key(e as KeyboardEvent));
  }

  /** The document, or the part of somebody else's that hides the board from it. */
  private get around(): DocumentOrShadowRoot {
    return this.root.getRootNode() as unknown as DocumentOrShadowRoot;
  }

  draw(scene: Scene, overlay: Overlay = {}): void {
    const had = this.sites.get(this.focused)?.contains(this.around.activeElement) ?? false;
    const before = this.scene;
    const ground = `${scene.game}${overlay.turned ? " turned" : ""}${JSON.stringify(scene.drawing)}`;
    const fresh = ground !== this.ground;
    this.scene = scene;
    this.overlay = overlay;
    this.spots = new Map(scene.spots.map((spot) => [spot.site, spot]));
    if (fresh) this.lay(scene, overlay.turned ?? false);
    this.ground = ground;
    if (before !== scene) this.unaim(), (this.end = null);
    const endsOf = (site: number) => this.entered(site)?.form.ends ?? [];
    this.joints = overlay.clicked?.length ? [] : joints(overlay.open ?? [], endsOf, (site) => this.place(site)!, overlay.turned ?? false);
    this.root.classList.toggle("joining", this.joints.length > 0);
    const former = new Map(this.pieces);
    this.put(scene, overlay);
    this.root.classList.toggle("dense", this.isDense);
    if (!fresh && before && before !== scene) this.move(before, scene, former);
    this.wasDragged = false;
    this.sites.clear();
    for (const element of this.layers.sites.root.querySelectorAll<SVGElement>("[data-site]")) this.sites.set(Number(element.dataset.site), element);
    this.rove(this.sites.has(this.focused) ? this.focused : scene.spots[0]!.site, had);
  }

  /** Mark a site that may not be chosen: a cross in its corner, and one shake. */
  refuse(site: number): void {
    const drawn = this.drawn.get(site);
    if (!drawn) return;
    const cross = forbidden(this.corner(drawn));
    for (const other of this.root.querySelectorAll(".forbidden")) other.remove();
    this.layers.ghosts.root.append(cross);
    this.motion.shake(this.pieces.get(site) ?? cross);
    setTimeout(() => cross.remove(), FORBIDDEN);
  }

  // --- what is clicked ---

  private siteOf(target: EventTarget | null): number {
    const group = (target as Element | null)?.closest?.("[data-site]");
    return group ? Number(group.getAttribute("data-site")) : -1;
  }

  /** A piece is held as soon as it is pressed, so that one sees where it may go while it is dragged. */
  private press(event: PointerEvent): void {
    this.motion.end();
    const site = this.siteOf(event.target);
    this.pressed = site;
    this.held = null;
    this.down = pointOf(this.root, event);
    const { open, clicked } = this.overlay;
    if (open?.size && site >= 0 && Loupe.isNeeded(this.root, this.drawn.get(site)!.size, event)) return this.aim(event);
    if (!this.spots.get(site)?.piece || !open?.has(site) || clicked?.length) return;
    this.held = [event.clientX, event.clientY];
    this.rove(site, false);
    this.onSite(site);
  }

  /** Whether pressing here, and letting go there, meant a link between two points, and what comes of it. */
  private join(event: PointerEvent, site: number): boolean {
    const drags = this.pressed !== site;
    if (this.held || (!drags && this.overlay.open?.has(site))) return false;
    const meant = meaning(this.joints, this.end, this.down, pointOf(this.root, event));
    this.end = typeof meant === "object" && "held" in meant ? meant.held : null;
    this.layers.targets.put(this.targets(this.overlay));
    if (meant === "nothing") return false;
    if (meant === "no link") this.onNoLink();
    else if ("site" in meant) this.choose(meant.site);
    return true;
  }

  /** Show under a loupe what a finger is about to mean. */
  private aim(event: PointerEvent): void {
    this.root.releasePointerCapture(event.pointerId);
    const [x, y] = pointOf(this.root, event);
    const far = ({ place: [a, b] }: DrawnSite) => Math.hypot(a - x, b - y);
    const nearest = [...this.drawn.values()].filter(({ site }) => this.spots.has(site)).sort((a, b) => far(a) - far(b))[0]!;
    this.aimed = nearest.site;
    this.hover(nearest.site);
    this.loupe.show(nearest.place, this.radius(nearest.site), [event.clientX, event.clientY]);
  }

  /** What was aimed at counts once it is asked for again; what only picks up a piece counts at once. */
  private take(): void {
    const site = this.aimed;
    const { open, clicked } = this.overlay;
    const spot = this.spots.get(site);
    this.aimed = -1;
    const asks = open?.has(site) && (!spot?.piece || clicked?.length);
    if (asks) return this.loupe.ask(`${spot!.name}?`, () => this.choose(site), () => this.hover(-1));
    this.loupe.close();
    this.choose(site);
  }

  private choose(site: number): void {
    this.hover(-1);
    this.rove(site, false);
    this.onSite(site);
  }

  private unaim(): void {
    this.loupe.close();
    this.aimed = -1;
  }

  /** Whether sites are so small that a finger slides to them, and the page stays where it is. */
  private get isDense(): boolean {
    const box = (this.root as SVGGraphicsElement).getScreenCTM();
    const size = this.drawn.values().next().value?.size ?? CELL;
    return Boolean(this.overlay.open?.size) && (box?.a ?? 1) * size < 28;
  }

  private drag(event: PointerEvent): void {
    if (this.aimed >= 0) return this.aim(event);
    if (!this.held || event.buttons === 0) return;
    const box = (this.root as SVGGraphicsElement).getScreenCTM();
    const [dx, dy] = [event.clientX - this.held[0], event.clientY - this.held[1]];
    if (!box || (!this.wasDragged && Math.hypot(dx, dy) < 4)) return;
    this.wasDragged = true;
    const piece = this.pieces.get(this.pressed);
    if (piece) piece.style.transform = `translate(${dx / box.a}px, ${dy / box.d}px)`;
  }

  private release(event: PointerEvent): void {
    if (this.aimed >= 0) return this.take();
    const site = this.siteOf(this.around.elementFromPoint(event.clientX, event.clientY));
    if (this.join(event, site)) return;
    const from = this.pressed;
    const held = this.held !== null;
    this.pressed = -1;
    this.held = null;
    this.pieces.get(from)?.style.removeProperty("transform");
    if (site < 0 || from < 0 || (held && from === site)) return;
    if (!held && from !== site) this.onSite(from);
    this.rove(site, false);
    this.onSite(site);
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, Point> = {
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

  private walk(step: Point): void {
    const places = [...this.drawn.values()].map(({ site, place }): [number, Point] => [site, place]);
    const best = nearestAhead(places, this.place(this.focused)!, step);
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

  /** Under the pointer, and nowhere else, one sees what would be put there. */
  private hover(site: number): void {
    if (site === this.hovered) return;
    this.hovered = site;
    const ghost = [...this.ghost(site)];
    this.layers?.ghosts.put(ghost);
    this.root.classList.toggle("ghosted", ghost.length > 0 && !this.celled);
  }

  /** Whether sites are marked as areas, not around what stands there. */
  private get celled(): boolean {
    return this.drawing.marks.last === "fill";
  }

  // --- what never changes in a game ---

  private lay(scene: Scene, turned: boolean): void {
    const { drawing } = scene;
    const seen = ([x, y]: Point): Point => (turned ? [drawing.width - x, drawing.height - y] : [x, y]);
    const way: Record<string, string> = turned ? { transform: `rotate(180 ${drawing.width / 2} ${drawing.height / 2})` } : {};
    this.drawn = new Map(drawing.sites.map((site) => [site.site, { ...site, place: seen(site.place) }]));
    this.root.replaceChildren();
    paint(this.root, drawing.colours, drawing.states);
    this.root.setAttribute("viewBox", `0 0 ${drawing.width} ${drawing.height}`);
    this.root.setAttribute("aria-label", `the board of ${scene.game}`);
    const symbols = Object.entries(drawing.symbols).map(([id, markup]) => this.markup("g", { id }, markup));
    this.root.append(make("defs", {}, ...symbols), this.markup("g", { class: "ground", ...way }, drawing.ground));
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, new Layer(this.root, name)])) as Record<LayerName, Layer>;
    this.layers.over.root.append(this.markup("g", way, drawing.over));
    this.layers.coordinates.root.innerHTML = drawing.coordinates;
    if (turned) turnLabels(this.layers.coordinates.root, seen);
    this.layers.coordinates.root.classList.add(drawing.shown);
    this.hovered = -1;
  }

  private markup(name: string, attributes: Record<string, string>, inside: string): SVGElement {
    const element = make(name, attributes);
    element.innerHTML = inside;
    return element;
  }

  private place(site: number): Point | undefined {
    return this.drawn.get(site)?.place;
  }

  private get drawing(): BoardDrawing {
    return this.scene!.drawing;
  }

  private radius(site: number): number {
    return Math.max((this.drawn.get(site)?.size ?? CELL) * 0.47, CELL * 0.16);
  }

  private corner({ place: [x, y], size }: DrawnSite): Point {
    return [x + size * 0.4, y - size * 0.4];
  }

  /** The shape of a site. */
  private shape(site: number, name: string, more: Record<string, string | number> = {}): SVGElement {
    const { place, shape } = this.drawn.get(site)!;
    return make("path", { d: this.drawing.shapes[shape]!, transform: `translate(${place})${this.overlay.turned ? " rotate(180)" : ""}`, class: name, ...more });
  }

  private form({ kind, owner }: Pick<Piece, "kind" | "owner">, site: number): Form | undefined {
    const number = this.scene?.shown.forms[site] ?? 0;
    const fits = (form: Form) =>
      form.kind === kind && form.owner === owner && (!form.number || form.number === number) && (!form.sites.length || form.sites.includes(site));
    return this.drawing.forms.filter(fits).at(-1);
  }

  /** A symbol at a site, in its size there. */
  private use(site: number, form: Form): SVGElement {
    const { place, size } = this.drawn.get(site)!;
    const scale = form.scale < 0 ? 1 : (size * (form.scale || 1)) / 100;
    const way = form.points && this.overlay.turned ? " rotate(180)" : "";
    return make("use", { href: `#${form.symbol}`, transform: `translate(${place}) scale(${scale})${way}` });
  }

  // --- drawing ---

  private put(scene: Scene, overlay: Overlay): void {
    const won = new Set(scene.winning);
    this.layers.lights.put(this.lights(scene, overlay));
    this.layers.links.put(this.links(scene, won));
    const pieces = scene.spots.filter((spot) => spot.piece);
    this.pieces.clear();
    this.layers.pieces.put(pieces.map((spot) => this.piece(spot, spot.piece!, won)));
    for (const element of this.layers.pieces.root.children) this.pieces.set(Number((element as SVGElement).dataset.at), element as SVGElement);
    this.layers.rings.put([...this.rings(scene), ...shownShapes(scene, (site) => this.place(site)!, overlay.turned)]);
    this.layers.targets.put(this.targets(overlay));
    this.layers.sites.put(scene.spots.map((spot) => this.site(scene, spot, overlay)));
    this.layers.ghosts.put(this.ghost(this.hovered));
    const place = (site: number) => this.place(site);
    this.layers.marks.put([
      ...numbered("mark", this.marks(overlay)),
      ...numbered("arrow", arrows(overlay.arrows ?? [], place)),
      ...numbered("part", partMarks(overlay.parts ?? [], place)),
      ...numbered("letter", letterMarks(overlay.letters ?? {}, place)),
      ...numbered("hint", this.hint(overlay)),
      ...numbered("pattern", overlay.pattern ? patternMarks(scene, overlay.pattern, place) : []),
    ]);
  }

  /** What lies behind the pieces. */
  private *lights(scene: Scene, overlay: Overlay): Iterable<Part> {
    const mark = this.drawing.marks.last;
    for (const [sites, name] of [[scene.last, "last"], [scene.left, "left"]] as const) {
      for (const site of sites) {
        if (mark === "fill") yield [`${name} ${site}`, () => this.shape(site, name)];
        else if (mark === "halo" || (name === "left" && mark !== "nothing")) yield this.halo(site, name);
      }
    }
    for (const [state, sites] of Object.entries(scene.shown.marks)) for (const site of sites) {
      const [key, halo] = this.halo(site, state), shape = () => this.shape(site, state);
      yield [key, () => stateMark(this.drawing.marks[state]!, state, this.place(site)!, this.radius(site), shape, halo)];
    }
    for (const site of overlay.clicked ?? []) if (this.drawn.has(site)) yield [`held ${site}`, () => this.shape(site, "held")];
    if (!this.drawing.over) for (const site of scene.winning) yield this.halo(site, "won");
  }

  private halo(site: number, name: string): Part {
    const piece = this.spots.get(site)?.piece;
    const form = piece && this.form(piece, site);
    const place = this.place(site)!;
    const celled = name === "won" && this.celled;
    return [
      `${name} ${site} ${form?.halo}`,
      () => {
        if (form?.halo) return make("use", { href: `#${form.halo}`, transform: `translate(${place})`, class: `bar ${name}` });
        return celled ? this.shape(site, name) : disc(place, this.radius(site) * (name === "left" ? 0.5 : 1.25), { class: name });
      },
    ];
  }

  private *rings(scene: Scene): Iterable<Part> {
    const ring = (site: number, name: string): Part => [`${name} ${site}`, () => disc(this.place(site)!, this.radius(site) * 0.98, { class: `${name} ring` })];
    if (this.drawing.marks.last === "ring") for (const site of scene.last) yield ring(site, "last");
    if (this.drawing.over) for (const site of scene.winning) yield ring(site, "won"); // a frame hides what is behind
  }

  private links(scene: Scene, won: Set<number>): Part[] {
    const links = [...scene.links].sort((a, b) => Number(b.change === "gone") - Number(a.change === "gone"));
    return links.map((link) => {
      const wins = link.ends.every((end) => won.has(end));
      return [`link ${JSON.stringify([link, wins, won.size > 0])}`, () => this.link(link, wins, won.size > 0)];
    });
  }

  private link(link: SceneLink, wins: boolean, over: boolean): SVGElement {
    const [a, b] = [this.place(link.ends[0])!, this.place(link.ends[1])!];
    if (link.change === "gone") return line(a, b, { class: "link-gone" });
    const group = make("g", { class: over && !wins ? "link beaten" : "link" });
    const strokes = this.drawing.links.find((form) => form.kind === link.kind && form.owner === link.owner)?.strokes ?? [];
    const wide = Math.max(...strokes.map((stroke) => stroke.width)) * 2;
    if (wins || link.change === "new") group.append(line(a, b, { class: wins ? "glow won" : "glow last", "stroke-width": wide }));
    for (const { colour, width, opacity } of strokes) group.append(line(a, b, { stroke: colour, "stroke-width": width, opacity }));
    return group;
  }

  private piece(spot: SceneSite, piece: Piece, won: Set<number>): Part {
    const beaten = won.size > 0 && !won.has(spot.site);
    const pile = spot.below.map(({ kind, owner }) => `${kind} ${owner}`).join();
    const key = `piece ${spot.site} ${piece.kind} ${piece.owner} ${beaten} ${this.scene?.shown.forms[spot.site] ?? 0} ${pile}`;
    const { size } = this.drawn.get(spot.site)!;
    const spread = this.drawing.piles.find((form) => form.site === spot.site);
    const shape = (each: Piece) => this.pieceShape(spot.site, each);
    const shapes = () => pileShapes([...spot.below, piece], size, this.place(spot.site)!, shape, spread, this.overlay.turned);
    return [key, () => make("g", { class: beaten ? "piece beaten" : "piece", "data-at": spot.site }, ...shapes())];
  }

  private pieceShape(site: number, piece: Piece): SVGElement {
    const form = this.form(piece, site);
    return form ? this.use(site, form) : words(this.place(site)!, piece.letter, CELL * 0.5, { class: "name" });
  }

  private site(scene: Scene, spot: SceneSite, overlay: Overlay): Part {
    const isOpen = overlay.open?.has(spot.site) ?? false;
    const isClicked = overlay.clicked?.includes(spot.site) ?? false;
    const key = `site ${spot.site} ${JSON.stringify([siteTitle(scene, spot), isOpen, isClicked])}`;
    return [key, () => this.spot(scene, spot, isOpen, isClicked)];
  }

  private spot(scene: Scene, spot: SceneSite, isOpen: boolean, isClicked: boolean): SVGElement {
    const title = siteTitle(scene, spot);
    const group = make("g", {
      class: `site${isOpen ? " open" : ""}${isClicked ? " clicked" : ""}`,
      "data-site": spot.site,
      role: "button",
      tabindex: -1,
      "aria-label": title + (isOpen ? ", may be chosen" : "") + (isClicked ? ", chosen" : ""),
    });
    group.append(make("title", {}, title), this.shape(spot.site, "target"));
    const named = !spot.piece && !scene.columns.length && this.drawing.shown === "outside";
    if (named) group.append(this.name(spot));
    const number = scene.shown.numbers[spot.site];
    if (number !== undefined) group.append(...numberShapes(this.drawing, spot.site, number, this.place(spot.site)!, this.overlay.turned));
    return group;
  }

  private name(spot: SceneSite): SVGElement {
    const [x, y] = this.place(spot.site)!;
    const size = Math.min(CELL * 0.25, (CELL * 1.4) / Math.max(1, spot.name.length));
    return words([x, y + CELL * 0.28], spot.name, size, { class: "name" });
  }

  /** Where what is held may go: dots, and rings around what may be taken. */
  private *targets(overlay: Overlay): Iterable<Part> {
    if (this.end) yield [`end ${this.end}`, () => disc(this.end!, CELL * 0.3, { class: "may end" })];
    for (const end of this.end ? partners(this.joints, this.end) : []) yield [`may ${end}`, () => disc(end, CELL * 0.15, { class: "may" })];
    if (overlay.heat || !(overlay.clicked?.length || overlay.putting)) return;
    for (const site of overlay.open ?? []) {
      const drawn = this.drawn.get(site);
      if (!drawn || overlay.clicked?.includes(site)) continue;
      const taken = this.spots.get(site)?.piece;
      if (!taken) yield [`dot ${site}`, () => disc(drawn.place, CELL * 0.15, { class: "may" })];
      else yield [`ring ${site}`, () => make("g", { class: "may ring" }, ...[1, 0].map((rim) => disc(drawn.place, CELL * 0.43, { class: rim ? "rim" : "" })))];
    }
  }

  /** One's own piece where one would put it. */
  private *ghost(site: number): Iterable<Part> {
    const put = !this.overlay.open?.has(site) || this.overlay.clicked?.length ? null : this.entered(site);
    if (!put) return;
    const number = (this.overlay.parts?.length ?? 0) + 1;
    const sign = number > 1 ? [partMark(this.place(put.stands)!, number)] : [];
    yield [`ghost ${put.stands} ${put.form.symbol} ${number}`, () => make("g", { class: "ghost" }, this.use(put.stands, put.form), ...sign)];
  }

  /** What a click on a site puts, and where that is. */
  private entered(site: number): { stands: number; form: Form } | null {
    const scene = this.scene!;
    const move = clickable(scene).find((move) => move.clicks[0]?.includes(site));
    const stands = !move || scene.moves.includes(move) ? site : move.clicks[0]![0]!; // of a group, its own site
    const { putting } = this.overlay;
    const entry = putting ? { kind: putting, owner: -1 } : this.drawing.entries.find((entry) => entry.move === move?.name);
    if (!entry || this.spots.get(stands)?.piece) return null;
    const owner = entry.owner === -1 ? scene.players.indexOf(scene.mover ?? "") : entry.owner;
    const form = this.form({ kind: entry.kind, owner }, stands);
    return form ? { stands, form } : null;
  }

  /** What has moved is seen to move. */
  private move(before: Scene, after: Scene, former: Map<number, SVGElement>): void {
    this.motion.end();
    const place = (site: number) => this.place(site)!;
    move(before, after, { motion: this.motion, pieces: this.pieces, former, under: this.layers.lights.root, place, dragged: this.wasDragged });
    for (const element of this.layers.links.root.querySelectorAll(".link:has(.glow.last)")) this.motion.draw(element, 10 * CELL);
  }

  private *marks(overlay: Overlay): Iterable<SVGElement> {
    for (const site of overlay.lit ?? []) if (this.drawn.has(site)) yield this.shape(site, "lit");
    yield* valueMarks(overlay, (site) => this.place(site));
    if (overlay.chosen != null && this.drawn.has(overlay.chosen)) yield disc(this.place(overlay.chosen)!, CELL * 0.42, { class: "chosen" });
  }

  /** What is advised: an arrow, or an outline with what is put there. */
  private *hint({ hint }: Overlay): Iterable<SVGElement> {
    const sites = (hint ?? []).filter((site) => this.drawn.has(site));
    const put = sites.length === 1 ? this.entered(sites[0]!) : null;
    if (put) yield make("g", { class: "advised" }, this.use(put.stands, put.form));
    if (sites.length === 1) yield this.shape(sites[0]!, "hint outline");
    for (let i = 1; i < sites.length; i++) yield arrow(this.place(sites[i - 1]!)!, this.place(sites[i]!)!, 8, { class: "hint" });
  }
}

// Elements of SVG, and layers of them in which only what changes is made anew.

/** From one site to the next, where all are alike: the unit of every drawing. */
export const CELL = 48;
export type Attributes = Record<string, string | number>;
/** Something to be drawn: what tells it from all else, and what makes it. */
export type Part = [key: string, make: () => SVGElement];
export type Point = [number, number];

export function make(name: string, attributes: Attributes = {}, ...inside: (Node | string)[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...inside);
  return element;
}

export const disc = ([x, y]: Point, r: number, more: Attributes): SVGElement => make("circle", { cx: x, cy: y, r, ...more });

export const line = (a: Point, b: Point, more: Attributes): SVGElement => make("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], ...more });

export function words([x, y]: Point, text: string, size: number, more: Attributes): SVGElement {
  return make("text", { x, y: y + size * 0.35, "font-size": size, "text-anchor": "middle", ...more }, text);
}

/** An arrow with its tip a little before *b*. */
export function arrow(a: Point, b: Point, width: number, more: Attributes): SVGElement {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const tip: Point = [b[0] - ux * width, b[1] - uy * width];
  const head: Point = [tip[0] - ux * width * 2.2, tip[1] - uy * width * 2.2];
  const points = [tip, [head[0] - uy * width * 1.3, head[1] + ux * width * 1.3], [head[0] + uy * width * 1.3, head[1] - ux * width * 1.3]];
  return make(
    "g",
    more,
    line(a, head, { "stroke-width": width, "stroke-linecap": "round" }),
    make("polygon", { points: points.map((p) => p.join(",")).join(" "), stroke: "none" }),
  );
}

/** Elements that are few, told from others by their kind, their place among these, and all they say. */
export function numbered(kind: string, elements: Iterable<SVGElement>): Part[] {
  return [...elements].map((element, i) => [`${kind} ${i} ${element.outerHTML}`, () => element]);
}

/** Where a pointer is in a drawing. */
export function pointOf(root: SVGElement, { clientX, clientY }: PointerEvent): Point {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform((root as SVGGraphicsElement).getScreenCTM()!.inverse());
  return [x, y];
}

/** Give a board the colours of its look, and take those of another look away; what a page sets there, as a height, stays. */
export function paint({ style }: SVGElement, colours: Record<string, [string, string]>, states: Record<string, string>): void {
  for (const name of [...style]) if (name.startsWith("--rw-")) style.removeProperty(name);
  const modern = CSS.supports("color", "light-dark(red, red)");
  for (const [name, [light, dark]] of Object.entries(colours)) style.setProperty(name, modern ? `light-dark(${light}, ${dark})` : light);
  for (const [state, colour] of Object.entries(states)) style.setProperty(`--rw-${state}`, colour);
}

/** The nearest of some places in a direction, sideways steps costing more; -1 where none lies there. */
export function nearestAhead(places: Iterable<[number, Point]>, [x, y]: Point, [dx, dy]: Point): number {
  let [best, least] = [-1, Infinity];
  for (const [site, [a, b]] of places) {
    const ahead = (a - x) * dx + (b - y) * dy;
    const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    const cost = ahead + 3 * aside;
    if (ahead > 1 && aside <= ahead && cost < least) [best, least] = [site, cost];
  }
  return best;
}

export class Layer {
  readonly root: SVGElement;
  private elements = new Map<string, SVGElement>();

  constructor(parent: Element, name: string) {
    this.root = make("g", { class: name });
    parent.append(this.root);
  }

  clear(): void {
    this.root.replaceChildren();
    this.elements.clear();
  }

  /** Draw these, in this order: what is there already stays as it is. */
  put(parts: Iterable<Part>): void {
    const elements = new Map([...parts].map(([key, make]) => [key, this.elements.get(key) ?? make()]));
    for (const [key, element] of this.elements) if (elements.get(key) !== element) element.remove();
    let next = this.root.firstChild;
    for (const element of elements.values()) {
      if (element === next) next = next.nextSibling;
      else this.root.insertBefore(element, next);
    }
    this.elements = elements;
  }
}

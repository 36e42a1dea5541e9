// The coordinates of a board that is turned.

import type { Point } from "./layers";

/** Labels beside the board go along with their rows and columns; those in the corners of fields stay, and change their texts. */
export function turnLabels(root: Element, seen: (at: Point) => Point): void {
  const labels = [...root.querySelectorAll("text")];
  const anchored = (anchor: string) => labels.filter((label) => label.getAttribute("text-anchor") === anchor);
  for (const label of anchored("middle")) {
    const at: Point = [Number(label.getAttribute("x")), Number(label.getAttribute("y"))];
    seen(at).forEach((value, i) => label.setAttribute("xy"[i]!, String(value)));
  }
  for (const corner of ["start", "end"]) {
    const same = anchored(corner); // of all rows, or of all columns
    const texts = same.map((label) => label.textContent).reverse();
    same.forEach((label, i) => (label.textContent = texts[i]!));
  }
}

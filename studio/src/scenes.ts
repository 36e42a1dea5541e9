// Scenes as they come over a line: a drawing that the page has is named by its slot, and only sites
// stand there that are not as in the last scene with that drawing.  Here they become whole again.

import type { BoardDrawing, SceneSite } from "./messages";

interface Packed {
  drawing: { slot: number; whole: BoardDrawing | null };
  spots: SceneSite[];
}
interface Kept {
  drawing: BoardDrawing;
  spots: Map<number, SceneSite>;
}

export class Scenes {
  private kept = new Map<number, Kept>();

  /** Make the scenes of an answer whole; answers are given in the order in which they come. */
  complete(answer: unknown): void {
    if (typeof answer !== "object" || answer === null) return;
    for (const part of Object.values(answer)) if (isPacked(part)) Object.assign(part, this.whole(part));
  }

  private whole({ drawing: { slot, whole }, spots }: Packed): { drawing?: BoardDrawing; spots: SceneSite[] } {
    if (whole) this.kept.set(slot, { drawing: whole, spots: new Map() });
    const kept = this.kept.get(slot);
    for (const spot of spots) kept?.spots.set(spot.site, spot);
    return { drawing: kept?.drawing, spots: [...(kept?.spots.values() ?? [])] };
  }
}

function isPacked(part: unknown): part is Packed {
  return typeof part === "object" && part !== null && "drawing" in part && "spots" in part;
}

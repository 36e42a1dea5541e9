// Which way a board lies for the person at the screen.

import type { Table } from "./messages";
import { ownChair } from "./words";

/** Whether the pieces of the person stand above those of the others, as Black's in chess: then the board is turned. */
export function standsAbove(table: Table): boolean {
  const { scene, chairs } = table;
  if (chairs.length !== 2 || chairs.filter((chair) => chair.human).length !== 1) return false;
  const own = scene.players.indexOf(chairs[ownChair(table)]!.colour);
  const [mine, theirs] = [middle(table, (owner) => owner === own), middle(table, (owner) => owner !== own && owner < chairs.length)];
  return mine !== null && theirs !== null && theirs - mine > scene.drawing.height / 4;
}

/** How far down the pieces of some owners stand, on average; null where they have none. */
function middle({ scene }: Table, owns: (owner: number) => boolean): number | null {
  const sites = new Set(scene.spots.filter((spot) => spot.piece && owns(spot.piece.owner)).map((spot) => spot.site));
  const heights = scene.drawing.sites.filter((drawn) => sites.has(drawn.site)).map((drawn) => drawn.place[1]);
  return heights.length > 0 ? heights.reduce((sum, height) => sum + height, 0) / heights.length : null;
}

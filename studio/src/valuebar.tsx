// Who is ahead, as a bar beside the board: the share of the points that each side would make from here.

import { t } from "./language";
import type { Scene } from "./messages";
import { pointsOf, verdictWords } from "./verdict";
import { sideName, sidePaint } from "./words";

interface Props {
  scene: Scene;
  /** What the position is worth to the first player, from -1 to 1; null where nobody has looked. */
  value: number | null;
  /** Whether the board is seen from the other side. */
  turned: boolean;
}

export function ValueBar({ scene, value, turned }: Props) {
  const players = turned ? [scene.players[0]!, scene.players[1]!] : [scene.players[1]!, scene.players[0]!];
  const paints = players.map((player) => sidePaint(scene, scene.players.indexOf(player)));
  const known = value !== null;
  const points = pointsOf(value ?? 0);
  const upper = turned ? points : 100 - points;
  const part = (name: string, i: number, share: number) => (
    <span class={`part ${name}`} ref={(element) => void (element && dress(element, share, paints[i]!))}>
      <b>{known ? share : ""}</b>
    </span>
  );
  const words = valueWords(scene, value);
  return (
    <div class={known ? "value" : "value unknown"} role="img" aria-label={words} title={words}>
      {part("upper", 0, upper)}
      {part("lower", 1, 100 - upper)}
    </div>
  );
}

/** The bar for who cannot see it. */
function valueWords(scene: Scene, value: number | null): string {
  if (value === null) return t("Who is ahead is not known here: ask for the best moves.");
  const [first, second] = scene.players.map((player) => sideName(scene, player));
  const points = pointsOf(value);
  return `${verdictWords(first!, second!, { proven: null, value })}: ${t("{first} {points}, {second} {others} of 100 points.", { first: first!, points, second: second!, others: 100 - points })}`;
}

/** The policy of the page forbids styles in markup, not those that a script sets. */
function dress(element: HTMLElement, share: number, [light, dark]: [string, string]): void {
  element.style.setProperty("flex-grow", String(share));
  element.style.setProperty("background", `light-dark(${light}, ${dark})`);
}

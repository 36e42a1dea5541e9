// The sign of a side: a disc in the colour that its pieces have, that of every second player with a white middle.

import type { Scene } from "./messages";
import { sidePaint } from "./words";

/** Channels of a colour that differ by less than this make it a grey. */
const GREY = 48;

export function Chip({ scene, owner }: { scene: Scene; owner: number }) {
  const [light, dark] = sidePaint(scene, owner);
  // the policy of the page forbids styles in markup, not those that a script sets
  const paint = (element: HTMLElement | null) => element?.style.setProperty("--paint", `light-dark(${light}, ${dark})`);
  return <span ref={(element) => void paint(element)} class={`side nth-${owner % 2}${isGrey(light) ? " grey" : ""}`} />;
}

/** Whether `#RRGGBB` has no hue: black and white men need no other form. */
function isGrey(colour: string): boolean {
  const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return Math.max(...channels) - Math.min(...channels) < GREY;
}

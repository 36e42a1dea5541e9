// Pieces in hand beside their player: each kind as it is drawn, and how many; pressed, it is held, and
// goes to the site that is clicked then or that it is dragged to.

import type { Desk } from "./desk";
import { type Held, isPutting } from "./clicks";
import { make } from "./layers";
import type { BoardDrawing, Scene, ShownValue } from "./messages";

export function InHand({ desk, value, owner }: { desk: Desk; value: ShownValue; owner: number }) {
  const { table, held, hold } = desk;
  const scene: Scene = table.scene;
  const own: Held = { move: value.move, kind: value.piece };
  const may = !table.over && !table.thinking && scene.players[owner] === scene.mover && scene.moves.some((move) => isPutting(move, own));
  const isHeld = may && held?.move === own.move && held.kind === own.kind;
  const name = `${value.value} ${value.piece}${value.value === 1 ? "" : "s"} ${value.text}`.trim();
  const shown = (
    <>
      <PieceIcon drawing={scene.drawing} kind={value.piece} owner={owner} />
      <b>{value.value}</b>
    </>
  );
  if (!may) return <span class="in-hand" role="img" aria-label={name}>{shown}</span>;
  const toggle = () => hold(isHeld ? null : own);
  return (
    <button
      class="in-hand b"
      aria-label={name}
      aria-pressed={isHeld}
      onPointerDown={(e) => (e.currentTarget.releasePointerCapture(e.pointerId), toggle())}
      onKeyDown={(e) => ["Enter", " "].includes(e.key) && (e.preventDefault(), toggle())}
    >
      {shown}
    </button>
  );
}

/** A piece as the board draws it. */
export function PieceIcon({ drawing, kind, owner }: { drawing: BoardDrawing; kind: string; owner: number }) {
  const form = drawing.forms.find((form) => form.kind === kind && form.owner === owner && !form.number && !form.sites.length);
  const put = (svg: SVGElement | null) => {
    if (!svg) return;
    for (const [name, [light, dark]] of Object.entries(drawing.colours)) svg.style.setProperty(name, `light-dark(${light}, ${dark})`);
    const symbol = make("g");
    symbol.innerHTML = drawing.symbols[form?.symbol ?? ""] ?? "";
    svg.replaceChildren(symbol);
  };
  return <svg class="icon-piece" viewBox="-50 -50 100 100" aria-hidden="true" ref={put} />;
}

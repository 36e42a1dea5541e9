// A game with secrets between two people at one screen: each sees the own part alone, and gives the screen away.

import { useEffect, useState } from "preact/hooks";

import type { Desk } from "./desk";
import { t } from "./language";
import type { Table } from "./messages";
import { sideName } from "./words";

/** Whether the part on the screen is that of somebody who is not to move: the other person is. */
export function isWaiting({ viewer, scene, over, thinking }: Table): boolean {
  return viewer !== null && !over && !thinking && scene.mover !== viewer;
}

/** Covers the board, and shows the other part when who may see it says so. */
export function HandOver({ desk }: { desk: Desk }) {
  const [covered, setCovered] = useState(false);
  const mover = sideName(desk.table.scene, desk.table.scene.mover!);
  useEffect(() => {
    document.body.classList.toggle("covered", covered);
    return () => document.body.classList.remove("covered");
  }, [covered]);
  if (!covered) return <p class="row"><button class="b go" onClick={() => setCovered(true)}>{t("Give the screen to {side}", { side: mover })}</button></p>;
  return (
    <p class="row hand-over" role="status">
      <span>{t("Now only {side} looks at the screen.", { side: mover })}</span>
      <button class="b go" onClick={() => void desk.act("hand_over", {})}>{t("Show what {side} sees", { side: mover })}</button>
    </p>
  );
}

// Decisions that no click can mean, as buttons; an exchange of sides as two cards to choose between.

import { useState } from "preact/hooks";

import { Chip } from "./chip";
import { spoken } from "./clicks";
import { t } from "./language";
import type { Scene, SceneMove } from "./messages";
import { buttonWords, sideName } from "./words";

export function Spoken({ scene, play }: { scene: Scene; play(text: string): void }) {
  const [kept, setKept] = useState(false);
  const moves = spoken(scene.moves);
  const exchange = moves.find((move) => scene.drawing.exchanges.includes(move.name));
  if (moves.length === 0) return null;
  return (
    <>
      {exchange && !kept && <Exchange scene={scene} move={exchange} keep={() => setKept(true)} play={play} />}
      <p class="row spoken">
        {moves.filter((move) => move !== exchange || kept).map((move) => <MoveCard scene={scene} move={move} play={play} />)}
      </p>
    </>
  );
}

function MoveCard({ scene, move, play }: { scene: Scene; move: SceneMove; play(text: string): void }) {
  const [text, help] = buttonWords(scene, move);
  return (
    <button class={help ? "b helped" : "b"} onClick={() => play(move.text)}>
      {text}
      {help && <small>{help}</small>}
    </button>
  );
}

/** Stay who one is, or take the other's place: each with the piece that one would play then. */
function Exchange({ scene, move, keep, play }: { scene: Scene; move: SceneMove; keep(): void; play(text: string): void }) {
  const own = scene.players.indexOf(scene.mover ?? "");
  const [text, help] = buttonWords(scene, move);
  const side = sideName(scene, scene.players[own]!);
  return (
    <div class="exchange" role="group" aria-label={t("Whom do you play?")}>
      <button class="b helped" onClick={keep}>
        <Chip scene={scene} owner={own} />
        {t("Keep {side}", { side })}
        <small>{t("Go on as you are, with a move on the board.")}</small>
      </button>
      <button class="b helped" onClick={() => play(move.text)}>
        <Chip scene={scene} owner={1 - own} />
        {text}
        {help && <small>{help}</small>}
      </button>
    </div>
  );
}

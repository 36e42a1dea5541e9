// Two games side by side: the first position in which they differ, as both have it.

import { useEffect, useRef } from "preact/hooks";

import { Board } from "./board";
import { translate, t } from "./language";
import type { Differed, Scene } from "./messages";
import { sideName } from "./words";

export interface Pair {
  difference: Differed;
  names: [string, string];
}

export function PairView({ two, close }: { two: Pair; close(): void }) {
  const { difference, names } = two;
  const sides = [
    { name: names[0], scene: difference.first as Scene, only: difference.only_first, how: difference.endings[0] },
    { name: names[1], scene: difference.second as Scene, only: difference.only_second, how: difference.endings[1] },
  ];
  return (
    <div class="pair" role="group" aria-label={t("two games side by side")}>
      <p class="row">
        <b>{t("After {moves}", { moves: difference.moves || t("nothing") })}</b>
        <button onClick={close}>{t("Back to the game")}</button>
      </p>
      <div class="boards">
        {sides.map((side) => (
          <section aria-label={side.name}>
            <h2>{side.name}</h2>
            <Picture scene={side.scene} only={side.only} />
            <p>{verdict(side.scene, side.how)}</p>
            {side.only.length > 0 && <p class="only">{t("only here:")} {side.only.slice(0, 30).join(" ")}{side.only.length > 30 && ` ${t("and {count} more", { count: side.only.length - 30 })}`}</p>}
          </section>
        ))}
      </div>
    </div>
  );
}

function verdict(scene: Scene, how: string): string {
  if (!scene.mover) return scene.winner ? t("{side} wins", { side: sideName(scene, scene.winner) }) : t("a draw");
  return how ? translate(how) : t("{side} to move", { side: sideName(scene, scene.mover) });
}

/** A board to look at, with the decisions lit that only this game has. */
function Picture({ scene, only }: { scene: Scene; only: string[] }) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const board = new Board(parent.current!, () => {});
    const moves = scene.moves.filter((move) => only.includes(move.text));
    const sites = moves.flatMap((move) => (move.clicks.length ? move.clicks[move.clicks.length - 1]!.slice(-1) : []));
    const arrows = moves.filter((move) => move.clicks.length > 1).slice(0, 12);
    board.draw(scene, {
      heat: Object.fromEntries(sites.map((site) => [site, 0.6])),
      arrows: arrows.map((move) => move.clicks.flatMap((click) => click.slice(-1))),
    });
    return () => board.root.remove();
  }, [scene]);
  return <div ref={parent} class="board-frame" data-style={scene.style} />;
}

// How a game went: the value after each decision, and the mistakes by name with what was better.

import { useEffect, useState } from "preact/hooks";

import { Chart } from "./chart";
import type { Desk } from "./desk";
import { t } from "./language";
import type { JudgedNode } from "./messages";
import type { Overlay } from "./overlays";
import { mistakeWords, pointsOf, verdictWords } from "./verdict";
import { capital, sideName } from "./words";

/** Seconds for all positions of a game. */
const SECONDS = 30;

/** Seconds for what is known already: nothing is searched. */
const KNOWN = 0.001;

/** `searches`: how many searches for the best moves have ended, each of which may know more. */
export function Course({ desk, searches, show }: { desk: Desk; searches: number; show(overlay: Overlay): void }) {
  const [course, setCourse] = useState<JudgedNode[]>([]);
  const [busy, setBusy] = useState(false);
  const { nodes, scene } = desk.table;
  const byNumber = new Map(nodes.map((node) => [node.node, node]));
  const judged = course.every((entry) => entry.node === 0 || byNumber.has(entry.node)) ? course : [];
  const take = (curve: JudgedNode[]) => {
    setCourse(curve);
    for (const entry of curve) desk.judge(entry.node, first, entry.value);
  };
  const look = async () => {
    setBusy(true);
    const curve = await desk.act("curve", { seconds: SECONDS }, take);
    if (curve) take(curve);
    setBusy(false);
  };
  const first = nodes[0]?.mover ?? scene.mover ?? scene.players[0]!;
  const second = scene.players.find((player: string) => player !== first)!;
  const sides: [string, string] = [sideName(scene, first), sideName(scene, second)];
  const stands = (entry: JudgedNode) => {
    const proven = !entry.proven ? null : entry.value === 0 ? "draw" : entry.value > 0 ? "win" : "loss";
    return verdictWords(...sides, { value: entry.value, proven });
  };
  const move = (entry: JudgedNode) => {
    const node = byNumber.get(entry.node);
    return node ? `${sideName(scene, node.mover)} ${node.shown || node.text}` : t("the beginning");
  };
  const title = (entry: JudgedNode) => [capital(move(entry)), entry.name && t("{mistake}, {move} was better", { mistake: mistakeWords(entry.name), move: entry.shown || entry.best }), stands(entry)].filter(Boolean).join(": ");
  const go = (node: number) => void desk.act("goto", { node });
  /** The position before a mistake, with what was better and what was played. */
  const explain = async (entry: JudgedNode) => {
    const table = await desk.act("goto", { node: byNumber.get(entry.node)?.parent ?? 0 });
    const sites = (text: string) => table?.scene.moves.find((move) => move.text === text)?.clicks.map((click) => click[0]!) ?? [];
    const played = sites(byNumber.get(entry.node)!.text);
    if (table) show({ hint: sites(entry.best), letters: played.length > 0 ? { [played.at(-1)!]: "?" } : {} });
  };
  useEffect(() => {
    if (course.length > 0 && !busy) void desk.act("curve", { seconds: KNOWN }).then((curve) => curve && curve.length === course.length && take(curve));
  }, [searches]);
  const mistakes = judged.filter((entry) => entry.name);
  const [much, more, little] = Object.values(desk.mistakes).map((least) => Math.round(100 * least));
  return (
    <section class="course" aria-label={t("How the game went")}>
      <p class="row">
        <button class="b" disabled={busy || desk.table.at === 0} onClick={() => void look()}>{t("Show my mistakes")}</button>
        {busy && <span class="hint">{judged.length === 0 ? t("Looking") : t("{count} positions looked at", { count: judged.length })}</span>}
        {busy && <button class="b" onClick={() => void desk.act("stop", {})}>{t("Stop")}</button>}
      </p>
      {judged.length > 0 && (
        <>
          <Chart
            label={t("how it stood for {side} after each move", { side: sides[0] })}
            points={judged.map((entry) => ({ value: (entry.value + 1) / 2, title: title(entry), sign: entry.name }))}
            ends={[t("{side} ahead", { side: sides[0] }), t("{side} ahead", { side: sides[1] })]}
            now={judged.findIndex((entry) => entry.node === desk.table.at)}
            choose={(number) => go(judged[number]!.node)}
          />
          {!busy && mistakes.length === 0 && <p class="hint">{t("No move cost a tenth of a point or more.")}</p>}
          <ul class="mistakes" aria-label={t("mistakes")}>
            {mistakes.map((entry) => (
              <li class={entry.name}>
                <span>
                  {t("{move} is {mistake}: it cost {points} of 100 points. {best} was better.", { move: move(entry), mistake: mistakeWords(entry.name), points: Math.round(100 * entry.drop), best: entry.shown || entry.best })}{" "}
                  <small>
                    {entry.refutation.length > 0 && t("After it: {moves}.", { moves: entry.refutation.join(" ") })} {entry.depth > 1 && t("Looked {depth} moves ahead.", { depth: entry.depth })}
                  </small>
                </span>
                <button class="b" aria-label={t("Show {move}", { move: move(entry) })} onClick={() => void explain(entry)}>{t("Show")}</button>
              </li>
            ))}
          </ul>
          {mistakes.length > 0 && <p class="hint">{t("An inaccuracy costs {little} of 100 points, a mistake {more}, a blunder {much} or more, by searches of the same size. Now {points} for {side}.", { little: little!, more: more!, much: much!, points: pointsOf(judged.at(-1)!.value), side: sides[0] })}</p>}
        </>
      )}
    </section>
  );
}

// How a game went: the value after each decision, and the mistakes by name with what was better.

import { useEffect, useState } from "preact/hooks";

import { Chart } from "./chart";
import type { Desk } from "./desk";
import type { JudgedNode } from "./messages";
import { pointsOf, verdictWords } from "./verdict";
import { capital, sideWords } from "./words";

/** Seconds for all positions of a game. */
const SECONDS = 30;

export function Course({ desk }: { desk: Desk }) {
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
  useEffect(() => setCourse([]), [desk.table.source]);
  const first = nodes[0]?.mover ?? scene.mover ?? scene.players[0]!;
  const second = scene.players.find((player: string) => player !== first)!;
  const sides: [string, string] = [sideWords(scene, first), sideWords(scene, second)];
  const stands = (entry: JudgedNode) => {
    const proven = !entry.proven ? null : entry.value === 0 ? "draw" : entry.value > 0 ? "win" : "loss";
    return verdictWords(...sides, { value: entry.value, proven });
  };
  const move = (entry: JudgedNode) => {
    const node = byNumber.get(entry.node);
    return node ? `${sideWords(scene, node.mover)} ${node.text}` : "the beginning";
  };
  const title = (entry: JudgedNode) => [capital(move(entry)), entry.name && `${aName(entry.name)}, ${entry.best} was better`, stands(entry)].filter(Boolean).join(": ");
  const go = (node: number) => void desk.act("goto", { node });
  const mistakes = judged.filter((entry) => entry.name);
  return (
    <section class="course" aria-label="How the game went">
      <p class="row">
        <button class="b" disabled={busy || desk.table.at === 0} onClick={() => void look()}>Show my mistakes</button>
        {busy && <span class="hint">{judged.length === 0 ? "Looking" : `${judged.length} positions looked at`}</span>}
        {busy && <button class="b" onClick={() => void desk.act("stop", {})}>Stop</button>}
      </p>
      {judged.length > 0 && (
        <>
          <Chart
            label={`how it stood for ${sides[0]} after each move`}
            points={judged.map((entry) => ({ value: (entry.value + 1) / 2, title: title(entry), sign: entry.name }))}
            ends={[`${sides[0]} ahead`, `${sides[1]} ahead`]}
            now={judged.findIndex((entry) => entry.node === desk.table.at)}
            choose={(number) => go(judged[number]!.node)}
          />
          {!busy && mistakes.length === 0 && <p class="hint">No move cost a tenth of a point or more.</p>}
          <ul class="mistakes" aria-label="mistakes">
            {mistakes.map((entry) => (
              <li class={entry.name}>
                <span>
                  <b>{move(entry)}</b> is {aName(entry.name)}: it cost {Math.round(100 * entry.drop)} of 100 points. {entry.best} was better.
                </span>
                <button class="b" aria-label={`Show ${move(entry)}`} onClick={() => go(byNumber.get(entry.node)?.parent ?? 0)}>Show</button>
              </li>
            ))}
          </ul>
          {mistakes.length > 0 && <p class="hint">An inaccuracy costs 10 of 100 points, a mistake 20, a blunder 30 or more, by searches of the same size. Now {pointsOf(judged.at(-1)!.value)} for {sides[0]}.</p>}
        </>
      )}
    </section>
  );
}

function aName(name: string): string {
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}

// The end of a game: who won and why, and what one may do next.

import type { Desk } from "./desk";
import { Icon } from "./icons";
import { again, lineOf } from "./inside";
import { t, translate } from "./language";
import type { Params, Table } from "./messages";
import { share } from "./send";
import { OWN_TURN, ownChair, placesText, resultWords, sideName, turnWords, valueText, whyWords } from "./words";

export function Ending({ desk }: { desk: Desk }) {
  const { table } = desk;
  const moves = lineOf(table, table.end).length;
  const [why, places] = [whyWords(table), placesText(table)];
  return (
    <section class="result" aria-label={t("the result")}>
      <span class="count"><Icon name="check" />{moves === 1 ? t("1 move") : t("{count} moves", { count: moves })}</span>
      <h2>{resultWords(table)}</h2>
      {places && <p class="places">{places}</p>}
      {why && <p>{why}</p>}
      <details>
        <summary>{table.given_up ? t("How it stood") : t("The rule that says so")}</summary>
        <Verdict table={table} />
      </details>
      <div class="next">
        <button class="b go" onClick={() => void desk.anew(rematch(table))}><Icon name="again" />{rematchWords(table)}</button>
        <button class="b" onClick={() => void desk.act("goto", { node: 0 })}><Icon name="eye" />{t("Look back")}</button>
        <button class="b" onClick={() => void share(desk)}><Icon name="share" />{t("Send")}</button>
      </div>
    </section>
  );
}

/** The same game from its beginning; who was second is first. */
function rematch(table: Table): Params["open"] {
  return { ...again(table), moves: "", players: [...table.chairs.slice(1), table.chairs[0]!].map((chair) => chair.player) };
}

function rematchWords(table: Table): string {
  if (table.chairs.length === 1) return t("Once more");
  if (table.chairs.length > 2 || table.chairs.filter((chair) => chair.human).length !== 1) return t("Rematch");
  return ownChair(table) === 1 ? t("Rematch, you play first") : t("Rematch, you play second");
}

/** How the game stands, in a line; the last turn is told there, too. */
export function Verdict({ table }: { table: Table }) {
  const { scene } = table;
  const facts = scene.facts.filter((fact) => fact.values.length === 1).map((fact) => `${fact.name}: ${fact.values[0]}`);
  const beside = scene.shown.beside.filter((value) => value.owner === null).map(valueText);
  const node = table.nodes.find((each) => each.node === table.at);
  const turn = node?.shown && node.text === scene.last_turn ? node.shown : scene.last_turn; // as the list beside it
  const last = turn && t("last: {turn}", { turn });
  const heading = table.over ? translate(table.verdict) : turnWords(table);
  const mover = table.over || heading !== t(OWN_TURN) ? "" : t("{side} to move", { side: sideName(scene, scene.mover!) });
  return (
    <div class="verdict" data-last={scene.last_turn}>
      <b>{heading}</b>
      <p>{[mover, ...facts, ...beside, last].filter(Boolean).join(", ")}</p>
    </div>
  );
}

// A game of one's own: the rules and the look of another one under a new name.

import { useState } from "preact/hooks";

import type { Desk } from "./desk";
import { t } from "./language";
import { capital, gameName } from "./words";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function NewText({ desk, begun, close }: { desk: Desk; begun(path: string): Promise<void>; close(): void }) {
  const [name, setName] = useState("mine");
  const [from, setFrom] = useState(desk.games.includes(desk.table.source) ? desk.table.source : "tictactoe");
  const [busy, setBusy] = useState(false);
  const templates = desk.games.map((game): [string, string] => [game, t(gameName(game, desk.headings))]).sort(([, a], [, b]) => a.localeCompare(b));
  const fits = NAME.test(name);
  const begin = async (event: Event) => {
    event.preventDefault();
    if (!fits) return;
    setBusy(true);
    if (await copy(desk, from, name)) {
      await begun(`${name}.rules`);
      desk.say(t("{game} is a game of yours now, begun from {source}. Change a line, and the board follows.", { game: capital(name), source: t(gameName(from, desk.headings)) }));
      close();
    }
    setBusy(false);
  };
  return (
    <form class="newtext" aria-label={t("New game text")} onSubmit={(e) => void begin(e)}>
      <label>{t("Name")} <input value={name} autofocus spellcheck={false} aria-invalid={!fits} onInput={(e) => setName(e.currentTarget.value.trim())} /></label>
      <label>
        {t("Begin from")}
        <select value={from} onChange={(e) => setFrom(e.currentTarget.value)}>
          {templates.map(([game, title]) => <option value={game}>{title}</option>)}
        </select>
      </label>
      <p class="hint tell">{t(desk.headings[from]?.tell ?? "")}</p>
      <button class="b go" disabled={!fits || busy}>{t("Begin")}</button>
      <button type="button" class="b bare" onClick={close}>{t("Cancel")}</button>
      {!fits && <p class="hint">{t("A name has letters, digits and _.")}</p>}
    </form>
  );
}

/** Copy the texts of a bundled game; whether the rules are there under the new name. */
async function copy(desk: Desk, from: string, name: string): Promise<boolean> {
  const place = `bundled:rulesets/${from}/${from}`;
  const rules = await desk.act("read", { path: `${place}.rules` });
  if (!rules) return false;
  const text = rules.text.replace(/^game\s+\w+/m, `game ${name}`);
  if (!(await desk.act("write", { path: `${name}.rules`, text, digest: "" }))) return false;
  const look = await desk.service.ask("read", { path: `${place}.look` }).catch(() => null); // not every game has its own
  const dressed = look?.text.replace(/^look\s+\w+\s+for\s+\w+/m, `look ${name} for ${name}`).replace(/^title ".*"$/m, `title "${capital(name)}"`);
  if (dressed) await desk.act("write", { path: `${name}.look`, text: dressed, digest: "" });
  return true;
}

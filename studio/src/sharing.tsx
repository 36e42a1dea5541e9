// Giving a game away: its link or file, all its texts as a folder, and a board for somebody else's page.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Desk } from "./desk";
import { plain } from "./inside";
import { offer } from "./keep";
import { t } from "./language";
import type { Table } from "./messages";
import { share } from "./send";

export function Sharing({ desk, close }: { desk: Desk; close(): void }) {
  const box = useRef<HTMLDivElement>(null);
  const [code, setCode] = useState("");
  const linked = Boolean(desk.service.link);
  useEffect(() => {
    if (linked) void share(desk); // the address is what most people want
    box.current!.querySelector("button")!.focus();
  }, []);
  const folder = async () => {
    const archive = await desk.act("texts", {});
    if (archive) offer(archive.name, Uint8Array.from(atob(archive.data), (letter) => letter.charCodeAt(0)), "application/zip");
  };
  const embed = async () => {
    const text = embedCode(desk.table, linked ? new URL("embed.js", location.href).href : "https://your.host/site/embed.js");
    setCode(text);
    const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    if (copied) desk.say(t("The board for your page is copied."));
  };
  const own = !desk.games.includes(desk.table.source);
  return (
    <div ref={box} class="sharing card" role="group" aria-label={t("Share")} onKeyDown={(e) => e.key === "Escape" && close()}>
      <button class="b" onClick={() => void share(desk)}>{linked ? t("Link to this game") : t("This game as a file")}</button>
      <button class="b" onClick={() => void folder()}>{t("Its texts as a folder")}</button>
      <button class="b" onClick={() => void embed()}>{t("A board for your page")}</button>
      {code && <textarea readOnly rows={6} aria-label={t("what to put into your page")} value={code} onFocus={(e) => e.currentTarget.select()} />}
      {code && (own || !linked) && <p class="hint">{t("The files for your host come from this command:")} <code>rulewright studio {own ? desk.table.source : ""} --export DIR</code></p>}
      <button class="b bare" onClick={close}>{t("Close")}</button>
    </div>
  );
}

/** The markup of a board for somebody else's page, with the options of this game. */
function embedCode(table: Table, script: string): string {
  const options = table.options.map((option) => `${option.name}=${plain(option.value)}`).join(",");
  const quoted = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<script type="module" src="${quoted(script)}"></script>\n<rulewright-board game="${quoted(table.source)}"${options ? ` options="${quoted(options)}"` : ""}></rulewright-board>`;
}

// Giving a game away: its link or file, all its texts as a folder, and a board for somebody else's page.

import { useEffect, useState } from "preact/hooks";

import type { Desk } from "./desk";
import { plain } from "./inside";
import { offerArchive } from "./keep";
import { t } from "./language";
import type { Table } from "./messages";
import { usePopover } from "./popover";
import { hasLinks, isOwnGame, sendFile, sendLink, siteAddress } from "./send";

export function Sharing({ desk, close }: { desk: Desk; close(): void }) {
  const box = usePopover(close);
  const [code, setCode] = useState("");
  const linked = hasLinks(desk);
  useEffect(() => {
    if (linked) void sendLink(desk); // the address is what most people want
  }, []);
  const folder = async () => {
    const archive = await desk.act("texts", {});
    if (archive) offerArchive(archive);
  };
  const embed = async () => {
    const text = embedCode(desk.table, new URL("embed.js", siteAddress(desk) || "https://your.host/site/").href);
    setCode(text);
    if (await copied(text)) desk.say(t("The board for your page is copied."));
  };
  return (
    <div ref={box} class="sharing card" role="group" aria-label={t("Share")}>
      {linked && <button class="b" onClick={() => void sendLink(desk)}>{t("Link to this game")}</button>}
      <button class="b" onClick={() => void sendFile(desk)}>{t("This game as a file")}</button>
      <button class="b" onClick={() => void folder()}>{t("Its texts as a folder")}</button>
      <button class="b" onClick={() => void embed()}>{t("A board for your page")}</button>
      {code && <textarea readOnly rows={6} aria-label={t("what to put into your page")} value={code} onFocus={(e) => e.currentTarget.select()} />}
      {!linked && <Exporting desk={desk} />}
      <button class="b bare" onClick={close}>{t("Close")}</button>
    </div>
  );
}

/** Why there is no link, and the command that makes a page with links. */
function Exporting({ desk }: { desk: Desk }) {
  const [done, setDone] = useState(false);
  const game = isOwnGame(desk) ? `${desk.table.source} ` : "";
  const command = `rulewright studio ${game}--export DIR`;
  const copy = async () => setDone(await copied(command));
  return (
    <div class="no-link">
      <p>{t("There is no link: this studio runs on your computer alone. A web host has links to games, and this command makes the files for it:")}</p>
      <p class="command"><code>{command}</code> <button class="b" onClick={() => void copy()}>{done ? t("Copied") : t("Copy")}</button></p>
      <p>{t("With --site and the address of your host, this menu makes links, too.")}</p>
    </div>
  );
}

/** Whether the browser has taken a text to be pasted. */
async function copied(text: string): Promise<boolean> {
  return (await navigator.clipboard?.writeText(text).then(() => true, () => false)) ?? false;
}

/** The markup of a board for somebody else's page, with the options of this game. */
function embedCode(table: Table, script: string): string {
  const options = table.options.map((option) => `${option.name}=${plain(option.value)}`).join(",");
  const quoted = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<script type="module" src="${quoted(script)}"></script>\n<rulewright-board game="${quoted(table.source)}"${options ? ` options="${quoted(options)}"` : ""}></rulewright-board>`;
}

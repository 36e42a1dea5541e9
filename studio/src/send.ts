// Giving a game away: as an address where the page is all there is, else as a file.

import type { Desk } from "./desk";
import { offer, showLink } from "./keep";
import { t } from "./language";

/** Give the game away: as an address where the page is all there is, else as a file. */
export async function share(desk: Desk): Promise<void> {
  if (!desk.service.link) {
    const file = await desk.act("write_game", { form: "txt" });
    if (!file) return;
    offer(file.name, file.text, "text/plain");
    const own = !desk.games.includes(desk.table.source);
    return desk.say(own ? t("{file} holds this game; whoever opens it needs its texts, too.", { file: file.name }) : t("{file} holds this game; whoever has rulewright can open it.", { file: file.name }));
  }
  const link = await desk.service.link();
  showLink(link);
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  const text = t("The address of this page is a link to this game and its texts now ({count} letters).", { count: link.length });
  desk.say(copied ? `${text} ${t("It is copied, too.")}` : text);
}

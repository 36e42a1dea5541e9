// Giving a game away: as an address where a page without a server shows it, or as a file.

import type { Desk } from "./desk";
import { again } from "./inside";
import { type Files, fragment, offer, offerArchive, showLink } from "./keep";
import { t } from "./language";

/** The address of a page without a server that can show the game: this one, else the one that the studio was told. */
export function siteAddress(desk: Desk): string {
  return desk.service.link ? location.href : document.documentElement.dataset.site ?? "";
}

/** Whether the game can be sent as a link. */
export function hasLinks(desk: Desk): boolean {
  return siteAddress(desk) !== "";
}

/** Whether the rules on the board are nobody else's: a file of one's own, or changed and not saved. */
export function isOwnGame({ table, games, followed }: Desk): boolean {
  return followed !== "" || !games.includes(table.source);
}

/** Give the game away: as an address where that can be, else as a file. */
export async function share(desk: Desk): Promise<void> {
  await (hasLinks(desk) ? sendLink(desk) : sendFile(desk));
}

export async function sendLink(desk: Desk): Promise<void> {
  const own = desk.service.link;
  const link = own ? await own.call(desk.service) : await siteLink(desk);
  if (!link) return;
  if (own) showLink(link);
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  const words = { count: link.length, link };
  const text = own ? t("The address of this page is a link to this game and its texts now ({count} letters).", words) : t("The link to this game and its texts has {count} letters.", words);
  desk.say(copied ? `${text} ${t("It is copied, too.")}` : own ? text : link);
}

/** A link of another page, with the texts that the game needs. */
async function siteLink(desk: Desk): Promise<string | null> {
  const parcel = await desk.act("parcel", { text: desk.followedText });
  if (!parcel) return null;
  return `${siteAddress(desk)}#${await fragment({ files: parcel.texts as Files, open: { ...again(desk.table), game: parcel.game } })}`;
}

/** The game as a file; one by rules of one's own brings them. */
export async function sendFile(desk: Desk): Promise<void> {
  if (isOwnGame(desk)) {
    const parcel = await desk.act("parcel", { text: desk.followedText });
    if (!parcel) return;
    offerArchive(parcel);
    return desk.say(t("{file} holds this game and its rules. Whoever has rulewright opens it in the studio: More, Open.", { file: parcel.name }));
  }
  const file = await desk.act("write_game", { form: "txt" });
  if (!file) return;
  offer(file.name, file.text, "text/plain");
  desk.say(t("{file} holds this game. Whoever has rulewright opens it in the studio: More, Open.", { file: file.name }));
}

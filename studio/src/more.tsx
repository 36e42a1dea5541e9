// What is used once a week, over the panel: clocks, a move in words, files, games that were left open, giving up.

import { useState } from "preact/hooks";

import { ClockTerms } from "./clock";
import type { Desk, PlayProps } from "./desk";
import { base64, offer } from "./keep";
import { t } from "./language";
import { LeftGames } from "./left";
import { ENDINGS } from "./messages";
import { usePopover } from "./popover";
import { isOwnGame, sendFile } from "./send";

export function More(props: PlayProps & { close(): void }) {
  const { desk, clock, close } = props;
  const { over } = desk.table;
  const box = usePopover(close);
  const closing = (act: () => void) => () => (close(), act());
  return (
    <div ref={box} class="more" role="group" aria-label={t("More")}>
      <p class="two-buttons phone">
        <button class="b" onClick={closing(props.begin)}>{t("New game")}</button>
        <button class="b" onClick={closing(props.turn)}>{t("Turn the board")}</button>
      </p>
      <Files desk={desk} />
      {!over && <Typed desk={desk} />}
      <ClockTerms clock={clock} />
      <LeftGames left={desk.left} open={(game) => void desk.act("open", game).then(close)} />
      {!over && <Resigning desk={desk} close={close} />}
    </div>
  );
}

/** Giving up, once it is asked for a second time. */
function Resigning({ desk, close }: { desk: Desk; close(): void }) {
  const [sure, setSure] = useState(false);
  const { at, end } = desk.table;
  const press = (event: MouseEvent) => {
    if (event.detail > 1) return; // a double click is no second thought
    if (sure) void desk.act("resign", {}).then(close);
    else setSure(true);
  };
  return (
    <p class="giving-up">
      <button class={sure ? "b final" : "b"} disabled={at !== end} onClick={press} onBlur={() => setSure(false)}>{sure ? t("Resign now") : t("Resign")}</button>
      <small role="status">{sure ? t("The game is lost then.") : at !== end ? t("An earlier position is shown.") : ""}</small>
    </p>
  );
}

/** A decision in words. */
function Typed({ desk }: { desk: Desk }) {
  const [text, setText] = useState("");
  const type = async (event: Event) => {
    event.preventDefault();
    if (text.trim() && (await desk.act("play", { text }))) setText("");
  };
  return (
    <form onSubmit={(e) => void type(e)} class="typed">
      <label>
        {t("Move")} <input value={text} onInput={(e) => setText(e.currentTarget.value)} autocomplete="off" spellcheck={false} />
      </label>
      <button class="b">{t("Play")}</button>
    </form>
  );
}

function Files({ desk }: { desk: Desk }) {
  const own = isOwnGame(desk); // else whoever opens the file would miss the rules
  const [form, setForm] = useState(own ? "zip" : "sgf");
  const save = async () => {
    if (form === "zip") return sendFile(desk);
    const file = await desk.act("write_game", { form });
    if (file) offer(file.name, file.text, "text/plain");
  };
  const read = async (file: File | undefined) => {
    if (file) await desk.act("read_game", { name: file.name, data: await base64(file) });
  };
  return (
    <p class="game-files">
      <button class="b" onClick={() => void save()}>{t("Save")}</button>
      <select aria-label={t("as which kind of file")} value={form} onChange={(e) => setForm(e.currentTarget.value)}>
        {own && <option value="zip">{t("with its rules")}</option>}
        <option value="sgf">{t("as SGF")}</option>
        <option value="txt">{t("as text")}</option>
      </select>
      <label class="b file">
        {t("Open")}
        <input class="sr" type="file" accept={`${ENDINGS},.zip`} onChange={(e) => void read(e.currentTarget.files?.[0])} />
      </label>
    </p>
  );
}

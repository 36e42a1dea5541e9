// What is used once a week: clocks, a move in words, files, games that were left open, giving up.

import { useEffect, useRef, useState } from "preact/hooks";

import { ClockTerms } from "./clock";
import type { Desk, PlayProps } from "./desk";
import { base64, offer } from "./keep";
import { t } from "./language";
import { LeftGames } from "./left";
import { ENDINGS } from "./messages";

export function More(props: PlayProps & { close(): void }) {
  const { desk, clock, close } = props;
  const { table } = desk;
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => part.current?.scrollIntoView({ block: "nearest" }), []); // on phones it begins below the fold
  return (
    <div ref={part} class="more" role="group" aria-label={t("More")}>
      <p class="row">
        <button class="b phone" onClick={props.begin}>{t("New game")}</button>
        <button class="b phone" onClick={props.turn}>{t("Turn the board")}</button>
        <button class="b" disabled={table.over || table.at !== table.end} onClick={() => void desk.act("resign", {}).then(close)}>{t("Resign")}</button>
      </p>
      <Typed desk={desk} />
      <ClockTerms clock={clock} />
      <Files desk={desk} />
      <LeftGames left={desk.left} open={(game) => void desk.act("open", game)} />
    </div>
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
    <form onSubmit={(e) => void type(e)} class="typed row">
      <label>
        {t("Move")} <input value={text} onInput={(e) => setText(e.currentTarget.value)} autocomplete="off" spellcheck={false} />
      </label>
      <button class="b" disabled={desk.table.over}>{t("Play")}</button>
    </form>
  );
}

function Files({ desk }: { desk: Desk }) {
  const [form, setForm] = useState("sgf");
  const save = async () => {
    const file = await desk.act("write_game", { form });
    if (file) offer(file.name, file.text, "text/plain");
  };
  const read = async (file: File | undefined) => {
    if (file) await desk.act("read_game", { name: file.name, data: await base64(file) });
  };
  return (
    <p class="row">
      <button class="b" onClick={() => void save()}>{t("Save")}</button>
      <select aria-label={t("as which kind of file")} value={form} onChange={(e) => setForm(e.currentTarget.value)}>
        <option value="sgf">{t("as SGF")}</option>
        <option value="txt">{t("as text")}</option>
      </select>
      <label class="b file">
        {t("Open")}
        <input class="sr" type="file" accept={ENDINGS} onChange={(e) => void read(e.currentTarget.files?.[0])} />
      </label>
    </p>
  );
}

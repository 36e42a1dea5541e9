// A new game: who plays, and the options of the rules as sentences.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Desk } from "./desk";
import { plain } from "./inside";
import { t } from "./language";
import { usePeople } from "./understand";
import type { Option, PersonalityShown, Table } from "./messages";
import { capital, levelsOf, measuredWords, middleLevel, ownChair, playerName, shortAbout, sideWords, titleOf } from "./words";

interface Props {
  desk: Desk;
  close(): void;
  learn(): void;
  /** Let computers play that sit on all chairs. */
  run(): void;
}

export function NewGame({ desk, close, learn, run }: Props) {
  const { table } = desk;
  const people = usePeople(desk);
  const dialog = useRef<HTMLDialogElement>(null);
  const { chairs } = table;
  const before = chairs.find((chair) => !chair.human)?.player;
  const [other, setOther] = useState(before ?? (table.nodes.length ? "human" : middleLevel(desk.levels, table.source)));
  const [own, setOwn] = useState<number>(ownChair(table));
  const [values, setValues] = useState<Record<string, string>>({});
  useEffect(() => dialog.current!.showModal(), []);
  const turnWords = [t("who begins"), t("second")];
  const worth = measuredWords(other, levelsOf(desk.levels, table.source)) || t(people.find((person) => person.name === other)?.about ?? "");
  const open = async (players: string[]) => {
    const opened = await desk.anew({ game: table.source, options: optionsOf(table, values), players });
    if (opened) close();
    if (opened && own >= opened.chairs.length && players.includes("human")) await desk.act("sit", { chair: 0, player: "human" }); // fewer play now
    return opened !== null;
  };
  const begin = (event: Event) => {
    event.preventDefault();
    const last = Math.max(chairs.length, own + 2); // by an option more may play: the others are as the last
    void open(Array.from({ length: last }, (_, i) => (i === own ? "human" : other)));
  };
  const watch = async () => {
    const player = other === "human" ? middleLevel(desk.levels, table.source) : other;
    if (await open([player])) run();
  };
  return (
    <dialog ref={dialog} class="sheet" aria-label={t("New game")} onClose={close}>
      <form onSubmit={begin}>
        <h2>{t("New game of {game}", { game: titleOf(table) })}</h2>
        {chairs.length > 1 && (
          <>
            <label class="ask">
              <span>{t("Against")}</span>
              <PlayerSelect desk={desk} value={other} people={people} choose={setOther} />
            </label>
            {worth && <p class="hint worth">{worth}</p>}
            <label class="ask">
              <span>{t("You play")}</span>
              <select value={String(own)} onChange={(e) => setOwn(Number(e.currentTarget.value))}>
                {chairs.map((chair, i) => (
                  <option value={String(i)}>{[sideWords(table.scene, chair.colour), turnWords[i] ?? ""].filter(Boolean).join(", ")}</option>
                ))}
              </select>
            </label>
          </>
        )}
        {table.options.map((option) => (
          <OptionField key={option.name} option={option} value={values[option.name]} change={(text) => setValues({ ...values, [option.name]: text })} />
        ))}
        <p class="row">
          <button class="b go">{t("Start")}</button>
          <button type="button" class="b" onClick={() => void watch()}>{chairs.length === 2 ? t("Watch two computers") : t("Watch the computer")}</button>
          <button type="button" class="b" onClick={close}>{t("Cancel")}</button>
          <button type="button" class="b bare" onClick={() => (close(), learn())}>{t("Learn {game}", { game: titleOf(table) })}</button>
        </p>
      </form>
    </dialog>
  );
}

/** All who can sit at the table: by strength, and by name. */
export function PlayerSelect(props: { desk: Desk; value: string; people: PersonalityShown[]; choose(player: string): void; label?: string }) {
  const { value, people, choose } = props;
  const ladder = levelsOf(props.desk.levels, props.desk.table.source);
  const names = ["human", ...ladder.map((level) => level.player), "search", "random", ...people.map((person) => person.name)];
  return (
    <select value={value} aria-label={props.label} onChange={(e) => choose(e.currentTarget.value)}>
      {(names.includes(value) ? names : [value, ...names]).map((name) => (
        <option value={name}>{[playerName(name, ladder), name === value ? "" : kindOf(name, people)].filter(Boolean).join(": ")}</option>
      ))}
    </select>
  );
}

/** What kind of player somebody is whose name does not say it; the one chosen is told of below the list. */
function kindOf(player: string, people: PersonalityShown[]): string {
  if (player === "random") return t("any move, the weakest");
  return shortAbout(t(people.find((person) => person.name === player)?.about ?? ""));
}

function OptionField({ option, value, change }: { option: Option; value: string | undefined; change(text: string): void }) {
  const sentence = option.about ? capital(t(option.about).replace(/^true: /, "")) : capital(option.name.replaceAll("_", " "));
  const now = value ?? plain(option.value);
  return (
    <label class="ask option" data-option={option.name}>
      <span>{sentence}</span>
      {typeof option.value === "boolean" ? (
        <input type="checkbox" checked={now === "yes"} onChange={(e) => change(e.currentTarget.checked ? "yes" : "no")} />
      ) : (
        <input type="number" value={now} min={option.low ?? undefined} max={option.high ?? undefined} onInput={(e) => change(e.currentTarget.value)} />
      )}
    </label>
  );
}

/** The options that stay and those that were changed; others that follow a changed one by default go with it. */
function optionsOf(table: Table, values: Record<string, string>): Record<string, string> {
  const changed = table.options.filter((o) => values[o.name] !== undefined && values[o.name] !== plain(o.value));
  const followed = new Set<number | boolean>(changed.map((o) => o.value).filter((before) => typeof before === "number"));
  const kept = table.options.filter((o) => !changed.includes(o) && !followed.has(o.value));
  return Object.fromEntries([...kept.map((o) => [o.name, plain(o.value)]), ...changed.map((o) => [o.name, values[o.name]!])]);
}

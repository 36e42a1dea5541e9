// A pattern of the text on the board, and clicks on the board as conditions in the text.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Desk } from "./desk";
import { marked, translate, t } from "./language";
import type { Edit, PatternShown } from "./messages";

/** What a click says, and how people call it; the last two take two sites. */
const TOOLS: [string, string][] = [
  ["look", marked("look from here")],
  ["Own", marked("own")],
  ["Opp", marked("the opponent's")],
  ["Free", marked("free")],
  ["Set", marked("the move")],
  ["Strong", marked("with a link")],
  ["NStrong", marked("without a link")],
  ["BPoss", marked("link possible")],
  ["BExist", marked("link there")],
  ["erase", marked("erase")],
];
const JOINS = ["BPoss", "BExist"];

export interface Place {
  text: string;
  offset: number;
}

interface Lie {
  title: string;
  at: number;
  frame: number;
}

export function PatternPanel(props: {
  desk: Desk;
  path: string;
  place: Place;
  active: boolean;
  apply(edits: Edit[]): void;
  begin(name: string): void;
}) {
  const { desk, path, place, active } = props;
  const [on, setOn] = useState(false);
  const [picture, setPicture] = useState<PatternShown | null>(null);
  const [tool, setTool] = useState("look");
  const [first, setFirst] = useState<number | null>(null);
  const [refused, setRefused] = useState("");
  const lie = useRef<Lie | null>(null);
  const request = useRef(0);

  const look = async () => {
    const number = ++request.current;
    const ask = (at: number | null, frame: number | null) => desk.service.ask("pattern", { path, ...place, at, frame });
    try {
      let answer = await ask(lie.current?.at ?? null, lie.current?.frame ?? null);
      if (answer.title !== lie.current?.title) answer = await ask(null, null);
      if (number !== request.current) return;
      lie.current = answer.title ? { title: answer.title, at: answer.at, frame: answer.frame } : null;
      setPicture(answer);
      setRefused("");
    } catch (error) {
      if (number !== request.current) return;
      setPicture(null);
      setRefused((error as Error).message);
    }
  };
  const drawing = on && active;
  const { table } = desk;
  useEffect(() => {
    if (drawing) void look();
  }, [drawing, path, place, table.at, table.game]);

  const lies = (change: Partial<Lie>) => {
    if (!picture) return;
    lie.current = { title: picture.title, at: picture.at, frame: picture.frame, ...change };
    void look();
  };
  const pick = async (site: number) => {
    if (!picture?.title) return;
    if (tool === "look") return lies({ at: site });
    if (JOINS.includes(tool) && first === null) return setFirst(site);
    const [from, to] = JOINS.includes(tool) ? [first!, site] : [site, null];
    setFirst(null);
    lie.current = { title: picture.title, at: picture.at, frame: picture.frame };
    const asking = { path, ...place, at: picture.at, frame: picture.frame, word: tool, site: from, other: to };
    const edits = await desk.act("draw", asking);
    if (edits) props.apply(edits);
  };
  useEffect(() => {
    if (!drawing) return;
    const heat = Object.fromEntries((picture?.fired ?? []).map(([, site]) => [site, 0.35]));
    const pattern = picture?.title ? { at: picture.at, conditions: picture.conditions } : undefined;
    desk.trace({ overlay: { pattern, heat, clicked: first === null ? [] : [first] }, pick: (site) => void pick(site) });
    return () => desk.trace(null);
  }, [drawing, picture, tool, first, path, place]);

  const siteName = (site: number) => table.scene.spots.find((spot: { site: number }) => spot.site === site)?.name ?? t("beyond the board");
  const fresh = () => {
    setOn(true);
    const isTaken = (number: number) => new RegExp(`^\\s*(off|def)s?\\s+drawn_${number}\\b`, "im").test(place.text);
    let number = 1;
    while (isTaken(number)) number++;
    props.begin(`drawn_${number}`);
    setTool("look");
  };
  return (
    <div class="drawing">
      <p class="row">
        <label>
          <input type="checkbox" checked={on} onChange={(e) => setOn(e.currentTarget.checked)} /> {t("the pattern at the cursor on the board")}
        </label>
        <button onClick={fresh}>{t("New pattern")}</button>
      </p>
      {on && refused && <p class="note">{translate(refused)}</p>}
      {on && picture && !picture.title && <p>{t("Put the cursor into a pattern, or begin a new one.")}</p>}
      {on && picture?.title && (
        <>
          <div class="tools" role="radiogroup" aria-label={t("what a click on the board says")}>
            {TOOLS.map(([word, title]) => (
              <button role="radio" aria-checked={tool === word} class={tool === word ? "file now" : "file"} onClick={() => { setTool(word); setFirst(null); }}>
                {t(title)}
              </button>
            ))}
          </div>
          <p class="row">
            <b>{picture.title}</b> {t("around {site}", { site: siteName(picture.at) })}
            <label>
              {t("ahead is")}
              <select value={picture.frame} onChange={(e) => lies({ frame: Number(e.currentTarget.value) })}>
                {picture.frames.map((name, number) => <option value={number}>{name}</option>)}
              </select>
            </label>
          </p>
          <p class="fires">
            {!picture.sound && t("It is tried as soon as the text has no mistakes.")}
            {picture.sound && picture.fired.length === 0 && t("It does not fire here; it is tried around {sites}.", { sites: picture.points.map(siteName).join(", ") || t("no site") })}
            {picture.fired.length > 0 && <>{t("It fires:")} </>}
            {picture.fired.map(([at, site]) => (
              <button class="move" onClick={() => { lie.current = null; lies({ at }); }}>{t("{site} from {origin}", { site: siteName(site), origin: siteName(at) })}</button>
            ))}
          </p>
          <ul class="conditions">
            {picture.conditions.map((condition) => (
              <li class={condition.holds ? "" : "fails"}>
                {condition.holds ? "✓" : "✗"} <code>{condition.text}</code> {siteName(condition.site)}{condition.other !== null && ` ${t("to {site}", { site: siteName(condition.other) })}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

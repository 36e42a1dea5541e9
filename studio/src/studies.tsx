// What is found out about a text while one goes on: properties, faults, coverage, another text.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Desk } from "./desk";
import type { Beside } from "./editor";
import { useKept } from "./keep";
import type { Edit, FileShown, Study, StudyNote } from "./messages";

type What = "properties" | "faults" | "coverage";
const ASKED: [What, string, string][] = [
  ["properties", "try its properties", "by random games and positions"],
  ["faults", "put faults in", "would anything notice?"],
  ["coverage", "count what is used", "how often games reach each line"],
];

export function Studies(props: {
  desk: Desk;
  path: string;
  text(): string;
  files: FileShown[];
  apply(edits: Edit[]): void;
  goto(line: number): void;
  beside(lines: Map<number, Beside>): void;
}) {
  const { desk, path } = props;
  const [known, setKnown] = useKept<Partial<Record<What, Study>>>(`studies ${path}`, {});
  const [busy, setBusy] = useState("");
  const [against, setAgainst] = useState("");
  const [told, setTold] = useState<string[]>([]);
  const current = useRef(path);
  current.current = path;
  useEffect(() => {
    setTold([]);
    setAgainst("");
  }, [path]);
  useEffect(() => props.beside(lines(Object.values(known))), [known, path]);
  const rules = path.endsWith(".rules");
  const take = (study: Study) => {
    if (current.current !== path) return;
    const what = study.what as What;
    setKnown((now) => ({ ...now, [what]: study.whole || !now[what] ? study : { ...now[what], told: study.told } }));
  };
  const find = async (what: What) => {
    setBusy(what);
    const found = await desk.act("study", { path, text: props.text(), what }, take);
    if (found) take(found);
    setBusy("");
  };
  const compare = async (params: { other?: string; moves?: string | null; options?: Record<string, string> }, name?: string) => {
    setBusy("diff");
    // what is on the disk: a worker beside the board's has unsaved texts in the place of files
    const saved = against || params.other !== undefined ? undefined : (await desk.act("read", { path }))?.text;
    const found = await desk.act("diff", { path, text: props.text(), against, other: saved ?? null, ...params });
    setBusy("");
    if (!found || current.current !== path) return;
    setTold(found.told.filter((line) => !line.startsWith("    ")));
    if (found.first) desk.pair({ found, names: ["as you have it", name ?? (against || "as it is saved")] });
  };
  const show = (note: StudyNote) => desk.act("follow", { path, text: props.text(), moves: note.moves ?? "", options: note.options });
  const claim = async (claims: string[]) => {
    const edits = await desk.act("claim", { path, text: props.text(), claims });
    if (edits) props.apply(edits);
  };
  const games = props.files.filter((one) => one.kind === "rules" && one.path !== path).map((one) => one.path);
  return (
    <div class="studies">
      <h2>What holds of it?</h2>
      <p class="row">
        {ASKED.filter(([what]) => rules || what !== "faults").map(([what, title, about]) => (
          <button disabled={desk.busy} title={about} onClick={() => void find(what)}>{title}</button>
        ))}
        <button disabled={busy === ""} onClick={() => void desk.act("stop", { behind: true })}>stop</button>
        {busy && <progress aria-label={`${busy} under way`} class="short" />}
      </p>
      {ASKED.map(([what, title]) => known[what] && <StudyView title={title} study={known[what]!} rules={rules} goto={props.goto} show={(one) => void show(one)} compare={(one) => void compare({ other: one.other!, moves: one.moves, options: one.options }, "with the fault")} claim={(claims) => void claim(claims)} />)}
      {rules && (
        <p class="row">
          <label>
            compare with
            <select value={against} onChange={(e) => setAgainst(e.currentTarget.value)}>
              <option value="">the file as it is saved</option>
              {[...new Set([...games.filter((one) => !one.startsWith("bundled:")), ...desk.games])].map((one) => <option value={one}>{one}</option>)}
            </select>
          </label>
          <button disabled={desk.busy} onClick={() => void compare({})}>show where they part</button>
        </p>
      )}
      {told.length > 0 && <div role="status"><ul class="told">{told.map((line) => <li>{line.trim()}</li>)}</ul></div>}
    </div>
  );
}

/** What stands beside which line: counts, and what was found there. */
function lines(studies: Study[]): Map<number, Beside> {
  const found = new Map<number, Beside>();
  const of = (line: number) => found.get(line) ?? { count: null, told: "" };
  for (const study of studies) {
    for (const [line, count] of Object.entries(study.counts)) found.set(Number(line), { ...of(Number(line)), count });
    for (const note of study.notes.filter((one) => one.line > 0)) {
      const one = of(note.line);
      found.set(note.line, { ...one, told: [one.told, note.text].filter(Boolean).join("\n") });
    }
  }
  return found;
}

function StudyView(props: {
  title: string;
  study: Study;
  rules: boolean;
  goto(line: number): void;
  show(note: StudyNote): void;
  compare(note: StudyNote): void;
  claim(claims: string[]): void;
}) {
  const { study, rules } = props;
  const claims = [...new Set(study.notes.map((one) => one.claim).filter(Boolean))];
  return (
    <section class="study" aria-label={study.what}>
      <h3>{study.what}: {study.told}</h3>
      {study.rows.length > 0 && (
        <details>
          <summary>all properties</summary>
          <table>
            <tbody>{study.rows.map(([name, status, looked]) => <tr><th>{name}</th><td>{status}</td><td>{looked}</td></tr>)}</tbody>
          </table>
        </details>
      )}
      <ul class="notes">
        {study.notes.map((note) => (
          <li>
            {note.line > 0 && <button onClick={() => props.goto(note.line)}>line {note.line}</button>} {note.text}
            {rules && note.moves !== null && <button onClick={() => props.show(note)}>show the game</button>}
            {note.other && <button onClick={() => props.compare(note)}>both boards</button>}
            {note.claim && <button title={note.claim} onClick={() => props.claim([note.claim])}>add a claim</button>}
          </li>
        ))}
      </ul>
      {claims.length > 1 && <button onClick={() => props.claim(claims)}>add all {claims.length} claims</button>}
    </section>
  );
}

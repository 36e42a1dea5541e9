// What is found out about a text while one goes on: properties, faults, coverage, another text.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Desk } from "./desk";
import type { Beside } from "./editor";
import { useKept } from "./keep";
import { marked, translate, t } from "./language";
import type { Edit, FileShown, Study, StudyNote } from "./messages";

type What = "properties" | "faults" | "coverage";
const ASKED: [What, string, string][] = [
  [marked("properties") as What, marked("Try its claims"), marked("by random games and positions: what holds and what does not")],
  [marked("coverage") as What, marked("What is never used?"), marked("how often random games reach each line")],
  [marked("faults") as What, marked("Would a test notice?"), marked("one fault after the other is put into the rules")],
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
  const [studies, setStudies] = useKept<Partial<Record<What, Study>>>(`studies ${path}`, {});
  const [busy, setBusy] = useState("");
  const [against, setAgainst] = useState("");
  const [report, setReport] = useState<string[]>([]);
  const current = useRef(path);
  current.current = path;
  useEffect(() => {
    setReport([]);
    setAgainst("");
  }, [path]);
  useEffect(() => props.beside(lines(Object.values(studies))), [studies, path]);
  const rules = path.endsWith(".rules");
  const take = (study: Study) => {
    if (current.current !== path) return;
    const kind = study.what as What;
    setStudies((now) => ({ ...now, [kind]: study.whole || !now[kind] ? study : { ...now[kind], summary: study.summary } }));
  };
  const find = async (kind: What) => {
    setBusy(kind);
    const result = await desk.act("study", { path, text: props.text(), what: kind }, take);
    if (result) take(result);
    setBusy("");
  };
  const compare = async (params: { other?: string; moves?: string | null; options?: Record<string, string> }, name?: string) => {
    setBusy(marked("diff"));
    // what is on the disk: a worker beside the board's has unsaved texts in the place of files
    const file = against || params.other !== undefined ? undefined : (await desk.act("read", { path }))?.text;
    const difference = await desk.act("diff", { path, text: props.text(), against, other: file ?? null, ...params });
    setBusy("");
    if (!difference || current.current !== path) return;
    setReport(difference.lines.filter((line) => !line.startsWith("    ")));
    if (difference.first) desk.pair({ difference, names: [t("as you have it"), name ?? (against || t("as it is saved"))] });
  };
  const show = (note: StudyNote) => desk.act("follow", { path, text: props.text(), moves: note.moves ?? "", options: note.options });
  const claim = async (claims: string[]) => {
    const edits = await desk.act("claim", { path, text: props.text(), claims });
    if (edits) props.apply(edits);
  };
  const games = props.files.filter((file) => file.kind === "rules" && file.path !== path).map((file) => file.path);
  return (
    <div class="studies">
      <h2>{t("What holds of it?")}</h2>
      <p class="row">
        {ASKED.filter(([kind]) => rules || kind !== "faults").map(([kind, title, about]) => (
          <button class="b" disabled={desk.busy} title={t(about)} onClick={() => void find(kind)}>{t(title)}</button>
        ))}
        <button disabled={busy === ""} onClick={() => void desk.act("stop", { behind: true })}>{t("Stop")}</button>
        {busy && <progress aria-label={t("{what} under way", { what: t(busy) })} class="short" />}
      </p>
      {ASKED.map(([kind, title]) => studies[kind] && <StudyView title={title} study={studies[kind]!} rules={rules} goto={props.goto} show={(note) => void show(note)} compare={(note) => void compare({ other: note.other!, moves: note.moves, options: note.options }, t("with the fault"))} claim={(claims) => void claim(claims)} />)}
      {rules && (
        <p class="row">
          <label>
            {t("Compare with")}
            <select value={against} onChange={(e) => setAgainst(e.currentTarget.value)}>
              <option value="">{t("the file as it is saved")}</option>
              {[...new Set([...games.filter((game) => !game.startsWith("bundled:")), ...desk.games])].map((game) => <option value={game}>{game}</option>)}
            </select>
          </label>
          <button disabled={desk.busy} onClick={() => void compare({})}>{t("Show where they part")}</button>
        </p>
      )}
      {report.length > 0 && <div role="status"><ul class="told">{report.map((line) => <li>{translate(line.trim())}</li>)}</ul></div>}
    </div>
  );
}

/** What stands beside which line: counts, and what was found there. */
function lines(studies: Study[]): Map<number, Beside> {
  const marks = new Map<number, Beside>();
  const of = (line: number) => marks.get(line) ?? { count: null, note: "", holds: false };
  for (const study of studies) {
    for (const line of study.holding) marks.set(line, { ...of(line), holds: true });
    for (const [line, count] of Object.entries(study.counts)) marks.set(Number(line), { ...of(Number(line)), count });
    for (const note of study.notes.filter((other) => other.line > 0)) {
      const mark = of(note.line);
      marks.set(note.line, { ...mark, note: [mark.note, note.text].filter(Boolean).join("\n") });
    }
  }
  return marks;
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
  const claims = [...new Set(study.notes.map((note) => note.claim).filter(Boolean))];
  return (
    <section class="study" aria-label={t(study.what)}>
      <h3>{t(study.what)}: {translate(study.summary)}</h3>
      {study.rows.length > 0 && (
        <details>
          <summary>{t("all properties")}</summary>
          <table>
            <tbody>{study.rows.map(([name, status, effort]) => <tr><th>{name}</th><td>{status}</td><td>{effort}</td></tr>)}</tbody>
          </table>
        </details>
      )}
      <ul class="notes">
        {study.notes.map((note) => (
          <li>
            {note.line > 0 && <button onClick={() => props.goto(note.line)}>{t("line {line}", { line: note.line })}</button>} {translate(note.text)}{" "}
            {rules && note.moves !== null && <button onClick={() => props.show(note)}>{t("Show the game")}</button>}
            {note.other && <button onClick={() => props.compare(note)}>{t("Both boards")}</button>}
            {note.claim && <button title={note.claim} onClick={() => props.claim([note.claim])}>{t("Add a claim")}</button>}
          </li>
        ))}
      </ul>
      {claims.length > 1 && <button onClick={() => props.claim(claims)}>{t("add all {count} claims", { count: claims.length })}</button>}
    </section>
  );
}

// Understanding: what a search finds, and what a personality thinks, with its factors as sliders.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { Desk } from "./desk";
import type { Overlay } from "./overlays";
import { Course } from "./course";
import { t, translate } from "./language";
import type { Explained, FactorShown, Fired, Analysis, Lit, Matched, PersonalityShown, Scene } from "./messages";
import { Sides } from "./sides";
import { Verdict, whyWords } from "./verdict";
import { endWords, shortAbout } from "./words";

interface Thought {
  move: string;
  value: number;
  terms: Record<string, number>;
  factors: Record<string, number>;
  line: string[];
  ends: string | null;
  distance: number | null;
  /** The line and its first move as people write them. */
  written: string[];
  spelled: string;
}

export function Understand(props: {
  desk: Desk;
  analysis: Analysis | null;
  setAnalysis(analysis: Analysis | null): void;
  explained: Explained | null;
  setExplained(explained: Explained | null): void;
  setMatched(overlay: Overlay | null): void;
}) {
  const { desk, analysis, setAnalysis, setExplained } = props;
  const [busy, setBusy] = useState("");
  const [seconds, setSeconds] = useState(3);
  const [searches, setSearches] = useState(0);
  const search = async () => {
    setBusy("search");
    setExplained(null);
    props.setMatched(null);
    const answer = await desk.act("search", { seconds }, setAnalysis);
    if (answer) setAnalysis(answer);
    setBusy("");
    setSearches((count) => count + 1);
  };
  return (
    <>
      {analysis ? <Verdict desk={desk} analysis={analysis} /> : <h2>{t("What is good here?")}</h2>}
      <p class="row">
        <button class="b go" disabled={desk.table.over || busy !== ""} onClick={() => void search()}>{t("Best moves")}</button>
        <label>
          {t("seconds")} <input type="number" min="0.1" max="600" step="any" value={seconds} onInput={(e) => setSeconds(e.currentTarget.valueAsNumber)} />
        </label>
        <button class="b" disabled={busy === ""} onClick={() => void desk.act("stop", {})}>{t("Stop")}</button>
      </p>
      {desk.table.viewer !== null ? <p class="hint">{t("What else there is to understand waits for the end of the game: until then it would show what you do not see.")}</p> : <WholeGame {...props} searches={searches} />}
    </>
  );
}

/** What asks for a position that nobody hides a part of. */
function WholeGame(props: Parameters<typeof Understand>[0] & { searches: number }) {
  const { desk, setAnalysis, explained, setExplained } = props;
  return (
    <>
      {desk.table.chairs.length === 2 && <Course key={desk.begun} desk={desk} searches={props.searches} show={props.setMatched} />}
      <h2>{t("Why this move?")}</h2>
      <Thinking desk={desk} explained={explained} setExplained={(explanation) => { setAnalysis(null); props.setMatched(null); setExplained(explanation); }} setOverlay={props.setMatched} />
      <Patterns desk={desk} setOverlay={props.setMatched} />
    </>
  );
}

/** The personalities of the game on the board, also those that were written since; none of another game. */
export function usePeople(desk: Desk): PersonalityShown[] {
  const { source } = desk.table;
  const [answer, setAnswer] = useState<{ of: string; people: PersonalityShown[] }>({ of: "", people: [] });
  useEffect(() => {
    void desk.service.ask("personalities", {}).then((people) => setAnswer({ of: source, people })).catch(() => {});
  }, [source, desk.written]);
  return useMemo(() => (answer.of === source ? answer.people : []), [answer, source]);
}

/** The factors of a personality, once they are asked for; none where there is no name. */
export function useFactors(desk: Desk, personality: string): FactorShown[] {
  const [answer, setAnswer] = useState<{ of: string; factors: FactorShown[] }>({ of: "", factors: [] });
  const of = `${desk.table.source} ${personality}`;
  useEffect(() => {
    if (personality) void desk.act("factors", { personality }).then((factors) => factors && setAnswer({ of, factors }));
  }, [of]);
  return answer.of === of ? answer.factors : [];
}

function Thinking(props: { desk: Desk; explained: Explained | null; setExplained(explanation: Explained | null): void; setOverlay(overlay: Overlay | null): void }) {
  const { desk, explained, setExplained } = props;
  const people = usePeople(desk);
  const [choice, setName] = useState("");
  const [factors, setFactors] = useState<Record<string, number>>({});
  const [busy, setBusy] = useState(false);
  const request = useRef<Record<string, number> | null>(null);
  useEffect(() => setFactors({}), [desk.table.source]);
  const person = people.find((entry) => entry.name === choice) ?? people[0];
  const name = person?.name ?? "";
  const all = useFactors(desk, name);
  const ask = async (values: Record<string, number>) => {
    request.current = values;
    if (busy) return;
    setBusy(true);
    while (request.current) {
      const now: Record<string, number> = request.current;
      request.current = null;
      setExplained(await desk.act("explain", { personality: name, factors: now }));
    }
    setBusy(false);
  };
  const slide = (factor: FactorShown, value: number) => {
    const now = { ...factors, [factor.name]: value };
    setFactors(now);
    if (explained) void ask(now);
  };
  if (!person) return <p>{t("This game has no personalities.")}</p>;
  return (
    <>
      <p class="row asking">
        <label>
          {t("personality")}
          <select value={name} onChange={(e) => { setName(e.currentTarget.value); setFactors({}); setExplained(null); }}>
            {people.map((entry) => <option value={entry.name}>{entry.name === name ? entry.name : `${entry.name}: ${shortAbout(t(entry.about))}`}</option>)}
          </select>
        </label>
        <button class="b" disabled={desk.table.over || busy} onClick={() => void ask(factors)}>{busy ? t("Thinking") : t("Explain")}</button>
        {busy && <button class="b" onClick={() => void desk.act("stop", {})}>{t("Stop")}</button>}
      </p>
      <p class="hint">{t(person.about)}</p>
      {explained && <ExplainedView desk={desk} explained={explained} name={name} factors={factors} about={all} />}
      <Sides desk={desk} people={people} first={name} factors={factors} setOverlay={props.setOverlay} />
      {all.length > 0 && <h3>{t("Factors")}</h3>}
      {all.map((factor) => (
        <Slider key={`${name} ${factor.name}`} factor={factor} value={factors[factor.name] ?? factor.value} slide={slide} />
      ))}
      {Object.keys(factors).length > 0 && <Save desk={desk} name={name} factors={factors} onSave={(title) => { setName(title); setFactors({}); }} />}
    </>
  );
}

function Slider({ factor, value, slide }: { factor: FactorShown; value: number; slide(f: FactorShown, v: number): void }) {
  const step = factor.whole ? 1 : (factor.high - factor.low) / 1000;
  const text = factor.percent ? `${(value * 100).toFixed(1)}%` : `${Number(value.toPrecision(6))} ${factor.unit}`;
  const change = (e: { currentTarget: HTMLInputElement }) => slide(factor, e.currentTarget.valueAsNumber);
  return (
    <label class={value === factor.value ? "slider" : "slider changed"} title={t(factor.meaning)}>
      <span>{factor.name}</span>
      <input type="range" min={factor.low} max={factor.high} step={step} value={value} onInput={change} />
      <output>{text}</output>
    </label>
  );
}

function Save({ desk, name, factors, onSave }: { desk: Desk; name: string; factors: Record<string, number>; onSave(title: string): void }) {
  const [title, setTitle] = useState(`my_${name}`);
  const save = async () => {
    const file = await desk.act("save_personality", { personality: name, factors, name: title });
    if (!file) return;
    desk.say(t("saved as {file}; it can be chosen wherever personalities are", { file: file.path }));
    onSave(title);
  };
  return (
    <p class="row">
      <label>{t("name")} <input value={title} onInput={(e) => setTitle(e.currentTarget.value)} /></label>
      <button onClick={() => void save()}>{t("Save as personality")}</button>
    </p>
  );
}

function ExplainedView({ desk, explained, name, factors, about }: { desk: Desk; explained: Explained; name: string; factors: Record<string, number>; about: FactorShown[] }) {
  const explanation = explained.explanation;
  const all: Thought[] = explanation.moves.map((move: Thought) => {
    const line = explained.lines[move.move];
    return { ...move, written: line ?? move.line, spelled: line?.[0] ?? move.move };
  });
  const moves = all.slice(0, 8);
  const names = (part: "terms" | "factors") => [...new Set(moves.flatMap((move) => Object.keys(move[part])))];
  const answers = useRef(new Map<string, Promise<Lit | null>>());
  const request = useRef("");
  useEffect(() => {
    answers.current.clear();
    return () => desk.trace(null);
  }, [explained]);
  /** Light up the sites that a number is about, on the board where it is worked out. */
  const light = async (term: string, of: Thought) => {
    const key = `${term}\n${of.move}`;
    request.current = key;
    const asking = { personality: name, value: explanation.value, line: of.line, name: term, factors };
    if (!answers.current.has(key)) answers.current.set(key, desk.service.ask("lit", asking).catch(() => null));
    const light = await answers.current.get(key)!;
    if (light && request.current === key) desk.trace({ overlay: { scene: light.scene as Scene, lit: light.sites } });
  };
  const dark = () => {
    request.current = "";
    desk.trace(null);
  };
  const lighting = (term: string, of: Thought) => ({ onMouseEnter: () => void light(term, of), onMouseLeave: dark, onFocus: () => void light(term, of), onBlur: dark });
  const choice = all.find((move) => move.move === explanation.decision) ?? all[0]!;
  const next = all.find((move) => move.move === explanation.runner_up) ?? all.find((move) => move !== choice);
  const meanings = new Map(about.map((factor) => [factor.name, t(factor.meaning)]));
  const row = (part: "terms" | "factors") => (term: string) => (
    <tr>
      <th><button class="move term" {...lighting(term, choice)}>{term}</button>{part === "factors" && meanings.has(term) && <small>{meanings.get(term)}</small>}</th>
      {moves.map((move) => <td class="number" {...(term in move[part] ? lighting(term, move) : {})}>{term in move[part] ? short(move[part][term]!) : ""}</td>)}
    </tr>
  );
  return (
    <div class="explained">
      <p>
        {decisionWords(explanation, meanings, explained.lines)}
      </p>
      {explained.notes.map((note) => <p class="note">{translate(note)}</p>)}
      <div class="wide" tabindex={0} role="region" aria-label={t("decisions with their terms and factors")}>
      <table>
        <thead>
          <tr><th>{t("decision")}</th>{moves.map((move) => <th><button class={move.move === explanation.decision ? "move now" : "move"} onClick={() => void desk.act("play", { text: move.move })}>{move.spelled}</button></th>)}</tr>
        </thead>
        <tbody>
          <tr><th>{t("value")}</th>{moves.map((move) => <td class="number">{move.ends ? endWords(move.ends, move.distance) : short(move.value)}</td>)}</tr>
          {names("terms").map(row("terms"))}
          {names("factors").length > 0 && <tr class="part"><th colSpan={moves.length + 1}>{t("what each factor does")}</th></tr>}
          {names("factors").map(row("factors"))}
          <tr><th>{t("line")}</th>{moves.map((move) => <td class="pv">{move.written.join(" ")}</td>)}</tr>
        </tbody>
      </table>
      </div>
      {next && <p class="why">{whySentence(choice, next)}</p>}
      {choice && all.length > 1 && <WhyNot choice={choice} rivals={all.filter((move) => move !== choice)} meanings={meanings} lighting={lighting} />}
    </div>
  );
}

/** The table in a sentence: what the decision has more of than the next best. */
function whySentence(choice: Thought, next: Thought): string {
  if (choice.ends) return t("{move} is a {result}.", { move: choice.spelled, result: endWords(choice.ends, choice.distance) });
  if (next.ends) return t("{other} is a {result}, so {move} is played.", { other: next.spelled, result: endWords(next.ends, next.distance), move: choice.spelled });
  const names = [...new Set([...Object.keys(choice.terms), ...Object.keys(next.terms)])];
  return whyWords(choice.spelled, next.spelled, names.map((name) => ({ name, mine: choice.terms[name] ?? 0, its: next.terms[name] ?? 0 })));
}

/** What a personality plays, by which factor or term, and against which other decision. */
function decisionWords({ personality, decision: text, decided_by: name, runner_up: next }: Explained["explanation"], meanings: Map<string, string>, lines: Explained["lines"]): string {
  const [decision, other] = [text, next].map((move) => move && (lines[move]?.[0] ?? move));
  const reason = name && meanings.has(name) ? `${name} (${meanings.get(name)})` : name;
  const words = { personality, decision, reason, other };
  if (reason && other) return t("{personality} plays {decision}, decided by {reason} against {other}", words);
  return reason ? t("{personality} plays {decision}, decided by {reason}", words) : t("{personality} plays {decision}", words);
}

type Lighting = (term: string, of: Thought) => Record<string, () => void>;

/** Two decisions compared: what speaks most for the one that is made, first. */
function WhyNot({ choice, rivals, meanings, lighting }: { choice: Thought; rivals: Thought[]; meanings: Map<string, string>; lighting: Lighting }) {
  const [name, setName] = useState("");
  const rival = rivals.find((move) => move.move === name);
  const rows = (["terms", "factors"] as const).flatMap((part) => {
    const names = [...new Set([...Object.keys(choice[part]), ...Object.keys(rival?.[part] ?? {})])];
    return names.map((name) => ({ name, part, mine: choice[part][name] ?? 0, its: rival?.[part][name] ?? 0 }));
  });
  const apart = rows.filter((row) => row.mine !== row.its).sort((a, b) => b.mine - b.its - (a.mine - a.its));
  return (
    <>
      <p class="row">
        <label>
          {t("why not")}
          <select value={name} onChange={(e) => setName(e.currentTarget.value)}>
            <option value="">{t("(choose a decision)")}</option>
            {rivals.map((move) => <option value={move.move}>{move.spelled}</option>)}
          </select>
        </label>
      </p>
      {rival && (
        <table class="versus">
          <thead><tr><th>{t("instead of {move}", { move: choice.spelled })}</th><th>{choice.spelled}</th><th>{rival.spelled}</th><th>{t("for {move}", { move: choice.spelled })}</th></tr></thead>
          <tbody>
            <tr>
              <th>{t("value")}</th>
              {[choice, rival].map((move) => <td class="number">{move.ends ? endWords(move.ends, move.distance) : short(move.value)}</td>)}
              <td class="number">{choice.ends || rival.ends ? "" : short(choice.value - rival.value)}</td>
            </tr>
            {apart.map((row) => (
              <tr class={row.mine > row.its ? "for" : "against"}>
                <th>{row.name}{row.part === "factors" && <small>{meanings.get(row.name) ?? t("factor")}</small>}</th>
                <td class="number" {...lighting(row.name, choice)}>{short(row.mine)}</td>
                <td class="number" {...lighting(row.name, rival)}>{short(row.its)}</td>
                <td class="number">{row.mine > row.its ? "+" : ""}{short(row.mine - row.its)}</td>
              </tr>
            ))}
            <tr><th>{t("line")}</th><td class="pv">{choice.written.join(" ")}</td><td class="pv">{rival.written.join(" ")}</td><td /></tr>
          </tbody>
        </table>
      )}
      {rival && apart.length === 0 && <p>{choice.ends || rival.ends ? t("Nothing in the formula tells them apart: the game ends on a line.") : t("Nothing in the formula tells them apart.")}</p>}
    </>
  );
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** What patterns propose: how many at each hole, where each looks from, and what stops the others. */
function Patterns({ desk, setOverlay }: { desk: Desk; setOverlay(overlay: Overlay | null): void }) {
  const [files, setFiles] = useState<string[]>([]);
  const [file, setFile] = useState("");
  const [matched, setMatched] = useState<Matched | null>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    setMatched(null);
    void desk.service.ask("patterns", { file: "" }).then((answer) => {
      setFiles(answer.files);
      setFile((now) => (answer.files.includes(now) ? now : (answer.files[0] ?? "")));
    }).catch(() => {}); // where patterns are refused there are none
  }, [desk.table.source]);
  useEffect(() => setMatched(null), [desk.table.at]);
  if (files.length === 0) return null;
  const scene: Scene = desk.table.scene;
  const name = (site: number) => scene.spots.find((spot) => spot.site === site)?.name ?? "";
  const uses = matched?.uses.filter((use) => use.fires !== near) ?? [];
  const bySite = new Map<number, Fired[]>();
  for (const use of uses) bySite.set(use.site, [...(bySite.get(use.site) ?? []), use]);
  const draw = (matched: Matched, use?: Fired) => {
    const counts: Record<string, number> = {};
    for (const use of matched.uses) if (use.fires) counts[use.site] = (counts[use.site] ?? 0) + 1;
    const most = Math.max(1, ...Object.values(counts));
    const entries = Object.entries(counts);
    setOverlay({
      heat: Object.fromEntries(entries.map(([site, n]) => [site, n / most])),
      marks: Object.fromEntries(entries.map(([site, n]) => [site, String(n)])),
      arrows: use ? [[use.at, use.site]] : [],
      pattern: use && { at: use.at, conditions: use.conditions },
    });
  };
  const match = async () => {
    const answer = await desk.act("patterns", { file });
    if (!answer) return;
    setMatched(answer);
    draw(answer);
  };
  return (
    <>
      <h2>{t("What do patterns see?")}</h2>
      <p class="row">
        <label>
          {t("file")}
          <select value={file} onChange={(e) => setFile(e.currentTarget.value)}>
            {files.map((file) => <option value={file}>{file}</option>)}
          </select>
        </label>
        <button class="b" disabled={desk.table.over} onClick={() => void match()}>{t("Match")}</button>
        <label><input type="checkbox" checked={near} onChange={(e) => setNear(e.currentTarget.checked)} /> {t("those that nearly fire")}</label>
      </p>
      {matched && uses.length === 0 && <p>{t("None.")}</p>}
      <ul class="uses">
        {[...bySite].map(([site, ones]) => (
          <li>
            <b>{name(site)}</b>
            {ones.map((use) => (
              <button class="move" title={translate(use.reason)} onMouseEnter={() => draw(matched!, use)} onFocus={() => draw(matched!, use)}>
                {near ? translate(use.reason).replace(/^\S+\s+/, "") : t("{pattern} from {site}", { pattern: use.pattern, site: name(use.at) })}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

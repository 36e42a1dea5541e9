// Understanding: what a search finds, and what a personality thinks, with its factors as sliders.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { Desk } from "./desk";
import type { Overlay } from "./board";
import { Chart } from "./chart";
import type { Explained, FactorShown, Fired, Analysis, Lit, Matched, PersonalityShown, Scene, JudgedNode, Versus } from "./messages";

interface Thought {
  move: string;
  value: number;
  terms: Record<string, number>;
  factors: Record<string, number>;
  line: string[];
  ends: string | null;
  distance: number | null;
}

export function Understand(props: {
  desk: Desk;
  found: Analysis | null;
  setFound(found: Analysis | null): void;
  explained: Explained | null;
  setExplained(explained: Explained | null): void;
  setMatched(overlay: Overlay | null): void;
}) {
  const { desk, found, setFound, explained, setExplained } = props;
  const [busy, setBusy] = useState("");
  const [seconds, setSeconds] = useState(3);
  const search = async () => {
    setBusy("search");
    setExplained(null);
    props.setMatched(null);
    const answer = await desk.act("search", { seconds }, setFound);
    if (answer) setFound(answer);
    setBusy("");
  };
  return (
    <>
      <h2>What is good here?</h2>
      <p class="row">
        <button disabled={desk.table.over || busy !== ""} onClick={() => void search()}>search</button>
        <label>
          seconds <input type="number" min="0.1" max="600" step="any" value={seconds} onInput={(e) => setSeconds(e.currentTarget.valueAsNumber)} />
        </label>
        <button disabled={busy === ""} onClick={() => void desk.act("stop", {})}>stop</button>
      </p>
      {found && <FoundView desk={desk} found={found} />}
      <Course desk={desk} />
      <h2>What does a personality think?</h2>
      <Thinking desk={desk} explained={explained} setExplained={(one) => { setFound(null); props.setMatched(null); setExplained(one); }} />
      <Patterns desk={desk} setOverlay={props.setMatched} />
    </>
  );
}

/** How the game stood after each decision, for whoever began. */
function Course({ desk }: { desk: Desk }) {
  const [course, setCourse] = useState<JudgedNode[]>([]);
  const [busy, setBusy] = useState(false);
  const { nodes } = desk.table;
  const known = new Set([0, ...nodes.map((node) => node.node)]);
  const shown = course.every((one) => known.has(one.node)) ? course : [];
  const look = async () => {
    setBusy(true);
    const found = await desk.act("curve", { seconds: 10 }, setCourse);
    if (found) setCourse(found);
    setBusy(false);
  };
  useEffect(() => setCourse([]), [desk.table.source]);
  const title = (one: JudgedNode) => {
    const node = nodes.find((other) => other.node === one.node);
    return `${node ? `${node.mover} ${node.text}` : "the beginning"}: ${one.proven ?? one.value.toFixed(2)}`;
  };
  const points = shown.map((one) => ({ value: (one.value + 1) / 2, title: title(one) }));
  return (
    <>
      <p class="row">
        <button disabled={busy || desk.table.at === 0} onClick={() => void look()} title="a short search of each position">how the game went</button>
      </p>
      {points.length > 0 && (
        <Chart
          label={`value for whoever began, after each decision`}
          points={points}
          now={shown.findIndex((one) => one.node === desk.table.at)}
          choose={(number) => void desk.act("goto", { node: shown[number]!.node })}
        />
      )}
    </>
  );
}

function FoundView({ desk, found }: { desk: Desk; found: Analysis }) {
  const share = found.proven ? { win: 1, loss: 0, draw: 0.5 }[found.proven] ?? 0.5 : (found.value + 1) / 2;
  return (
    <div>
      <meter min="0" max="1" value={share} aria-label={`value for ${found.side}`} />
      <p>
        <b>{found.move}</b> for {found.side}: {found.proven ? `a proven ${found.proven}` : found.value.toFixed(3)}, depth {found.depth},{" "}
        {found.nodes.toLocaleString("en")} nodes in {found.seconds.toFixed(1)} s
      </p>
      <p class="pv">{found.line.join(" ")}</p>
      <table>
        <thead><tr><th>decision</th><th>value</th></tr></thead>
        <tbody>
          {found.candidates.map((one) => (
            <tr>
              <td><button class="move" onClick={() => void desk.act("play", { text: one.move })}>{one.move}</button></td>
              <td class="number">{worth(one.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function worth(value: number | null): string {
  if (value === null) return "";
  if (Math.abs(value) > 1e14) return `${value > 0 ? "win" : "loss"} in ${Math.round(1e15 - Math.abs(value))}`;
  return value.toFixed(3);
}

/** The personalities of the game on the board, also those that were written since; none of another game. */
export function usePeople(desk: Desk): PersonalityShown[] {
  const { source } = desk.table;
  const [known, setKnown] = useState<{ of: string; people: PersonalityShown[] }>({ of: "", people: [] });
  useEffect(() => {
    void desk.service.ask("personalities", {}).then((people) => setKnown({ of: source, people })).catch(() => {});
  }, [source, desk.written]);
  return useMemo(() => (known.of === source ? known.people : []), [known, source]);
}

/** The factors of a personality, once they are asked for; none where there is no name. */
export function useFactors(desk: Desk, personality: string): FactorShown[] {
  const [known, setKnown] = useState<{ of: string; factors: FactorShown[] }>({ of: "", factors: [] });
  const of = `${desk.table.source} ${personality}`;
  useEffect(() => {
    if (personality) void desk.act("factors", { personality }).then((factors) => factors && setKnown({ of, factors }));
  }, [of]);
  return known.of === of ? known.factors : [];
}

function Thinking({ desk, explained, setExplained }: { desk: Desk; explained: Explained | null; setExplained(one: Explained | null): void }) {
  const people = usePeople(desk);
  const [chosen, setName] = useState("");
  const [factors, setFactors] = useState<Record<string, number>>({});
  const [busy, setBusy] = useState(false);
  const wanted = useRef<Record<string, number> | null>(null);
  useEffect(() => setFactors({}), [desk.table.source]);
  const person = people.find((one) => one.name === chosen) ?? people[0];
  const name = person?.name ?? "";
  const known = useFactors(desk, name);
  const ask = async (values: Record<string, number>) => {
    wanted.current = values;
    if (busy) return;
    setBusy(true);
    while (wanted.current) {
      const now: Record<string, number> = wanted.current;
      wanted.current = null;
      setExplained(await desk.act("explain", { personality: name, factors: now }));
    }
    setBusy(false);
  };
  const slide = (factor: FactorShown, value: number) => {
    const now = { ...factors, [factor.name]: value };
    setFactors(now);
    if (explained) void ask(now);
  };
  if (!person) return <p>This game has no personalities.</p>;
  return (
    <>
      <p class="row">
        <label>
          personality
          <select value={name} onChange={(e) => { setName(e.currentTarget.value); setFactors({}); setExplained(null); }}>
            {people.map((one) => <option value={one.name}>{one.name}</option>)}
          </select>
        </label>
        <button disabled={desk.table.over || busy} onClick={() => void ask(factors)}>{busy ? "thinking" : "explain"}</button>
      </p>
      <p class="about">{person.about}</p>
      {explained && <ExplainedView desk={desk} explained={explained} name={name} factors={factors} people={people} />}
      {known.length > 0 && <h3>Factors</h3>}
      {known.map((factor) => (
        <Slider key={`${name} ${factor.name}`} factor={factor} value={factors[factor.name] ?? factor.value} slide={slide} />
      ))}
      {Object.keys(factors).length > 0 && <Save desk={desk} name={name} factors={factors} saved={(called) => { setName(called); setFactors({}); }} />}
    </>
  );
}

function Slider({ factor, value, slide }: { factor: FactorShown; value: number; slide(f: FactorShown, v: number): void }) {
  const step = factor.whole ? 1 : (factor.high - factor.low) / 1000;
  const shown = factor.percent ? `${(value * 100).toFixed(1)}%` : `${Number(value.toPrecision(6))} ${factor.unit}`;
  const change = (e: { currentTarget: HTMLInputElement }) => slide(factor, e.currentTarget.valueAsNumber);
  return (
    <label class={value === factor.value ? "slider" : "slider changed"} title={factor.meaning}>
      <span>{factor.name}</span>
      <input type="range" min={factor.low} max={factor.high} step={step} value={value} onInput={change} />
      <output>{shown}</output>
    </label>
  );
}

function Save({ desk, name, factors, saved }: { desk: Desk; name: string; factors: Record<string, number>; saved(called: string): void }) {
  const [called, setCalled] = useState(`my_${name}`);
  const save = async () => {
    const file = await desk.act("save_personality", { personality: name, factors, name: called });
    if (!file) return;
    desk.say(`saved as ${file.path}; it can be chosen wherever personalities are`);
    saved(called);
  };
  return (
    <p class="row">
      <label>name <input value={called} onInput={(e) => setCalled(e.currentTarget.value)} /></label>
      <button onClick={() => void save()}>save as personality</button>
    </p>
  );
}

function ExplainedView({ desk, explained, name, factors, people }: { desk: Desk; explained: Explained; name: string; factors: Record<string, number>; people: PersonalityShown[] }) {
  const said = explained.explanation;
  const all: Thought[] = said.moves;
  const moves = all.slice(0, 8);
  const names = (part: "terms" | "factors") => [...new Set(moves.flatMap((one) => Object.keys(one[part])))];
  const known = useRef(new Map<string, Promise<Lit | null>>());
  const wanted = useRef("");
  useEffect(() => {
    known.current.clear();
    return () => desk.trace(null);
  }, [explained]);
  /** Light up the sites that a number is about, on the board where it is worked out. */
  const light = async (term: string, of: Thought) => {
    const key = `${term}\n${of.move}`;
    wanted.current = key;
    const asking = { personality: name, value: said.value, line: of.line, name: term, factors };
    if (!known.current.has(key)) known.current.set(key, desk.service.ask("lit", asking).catch(() => null));
    const found = await known.current.get(key)!;
    if (found && wanted.current === key) desk.trace({ overlay: { scene: found.scene as Scene, lit: found.sites } });
  };
  const dark = () => {
    wanted.current = "";
    desk.trace(null);
  };
  const lighting = (term: string, of: Thought) => ({ onMouseEnter: () => void light(term, of), onMouseLeave: dark, onFocus: () => void light(term, of), onBlur: dark });
  const made = all.find((one) => one.move === said.chosen) ?? all[0]!;
  const row = (part: "terms" | "factors") => (term: string) => (
    <tr>
      <th><button class="move term" {...lighting(term, made)}>{term}</button></th>
      {moves.map((one) => <td class="number" {...(term in one[part] ? lighting(term, one) : {})}>{term in one[part] ? short(one[part][term]!) : ""}</td>)}
    </tr>
  );
  return (
    <div class="explained">
      <p>
        {said.personality} plays <b>{said.chosen}</b>
        {said.decided_by && <>, decided by <b>{said.decided_by}</b>{said.runner_up && <> against {said.runner_up}</>}</>}
      </p>
      {explained.notes.map((note) => <p class="note">{note}</p>)}
      <div class="wide" tabindex={0} role="region" aria-label="decisions with their terms and factors">
      <table>
        <thead>
          <tr><th>decision</th>{moves.map((one) => <th><button class={one.move === said.chosen ? "move now" : "move"} onClick={() => void desk.act("play", { text: one.move })}>{one.move}</button></th>)}</tr>
        </thead>
        <tbody>
          <tr><th>value</th>{moves.map((one) => <td class="number">{one.ends ? `${one.ends} in ${one.distance}` : short(one.value)}</td>)}</tr>
          {names("terms").map(row("terms"))}
          {names("factors").length > 0 && <tr class="part"><th colSpan={moves.length + 1}>what each factor does</th></tr>}
          {names("factors").map(row("factors"))}
          <tr><th>line</th>{moves.map((one) => <td class="pv">{one.line.join(" ")}</td>)}</tr>
        </tbody>
      </table>
      </div>
      {made && all.length > 1 && <WhyNot made={made} others={all.filter((one) => one !== made)} lighting={lighting} />}
      <Other desk={desk} name={name} factors={factors} others={people.filter((one) => one.name !== name)} />
    </div>
  );
}

type Lighting = (term: string, of: Thought) => Record<string, () => void>;

/** Two decisions compared: what speaks most for the one that is made, first. */
function WhyNot({ made, others, lighting }: { made: Thought; others: Thought[]; lighting: Lighting }) {
  const [chosen, setChosen] = useState("");
  const other = others.find((one) => one.move === chosen);
  const rows = (["terms", "factors"] as const).flatMap((part) => {
    const names = [...new Set([...Object.keys(made[part]), ...Object.keys(other?.[part] ?? {})])];
    return names.map((name) => ({ name, part, mine: made[part][name] ?? 0, its: other?.[part][name] ?? 0 }));
  });
  const apart = rows.filter((one) => one.mine !== one.its).sort((a, b) => b.mine - b.its - (a.mine - a.its));
  return (
    <>
      <p class="row">
        <label>
          why not
          <select value={chosen} onChange={(e) => setChosen(e.currentTarget.value)}>
            <option value="">(choose a decision)</option>
            {others.map((one) => <option value={one.move}>{one.move}</option>)}
          </select>
        </label>
      </p>
      {other && (
        <table class="versus">
          <thead><tr><th>instead of {made.move}</th><th>{made.move}</th><th>{other.move}</th><th>for {made.move}</th></tr></thead>
          <tbody>
            <tr>
              <th>value</th>
              {[made, other].map((one) => <td class="number">{one.ends ? `${one.ends} in ${one.distance}` : short(one.value)}</td>)}
              <td class="number">{made.ends || other.ends ? "" : short(made.value - other.value)}</td>
            </tr>
            {apart.map((one) => (
              <tr class={one.mine > one.its ? "for" : "against"}>
                <th>{one.name}{one.part === "factors" && <small> factor</small>}</th>
                <td class="number" {...lighting(one.name, made)}>{short(one.mine)}</td>
                <td class="number" {...lighting(one.name, other)}>{short(one.its)}</td>
                <td class="number">{one.mine > one.its ? "+" : ""}{short(one.mine - one.its)}</td>
              </tr>
            ))}
            <tr><th>line</th><td class="pv">{made.line.join(" ")}</td><td class="pv">{other.line.join(" ")}</td><td /></tr>
          </tbody>
        </table>
      )}
      {other && apart.length === 0 && <p>Nothing in the formula tells them apart{made.ends || other.ends ? ": the game ends on a line" : ""}.</p>}
    </>
  );
}

/** What somebody else decides here, and what makes it so. */
function Other({ desk, name, factors, others }: { desk: Desk; name: string; factors: Record<string, number>; others: PersonalityShown[] }) {
  const [found, setFound] = useState<{ other: string; versus: Versus } | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => setFound(null), [desk.table.at, name]);
  const ask = async (other: string) => {
    if (!other) return;
    setBusy(true);
    const versus = await desk.act("versus", { personality: name, other, factors });
    if (versus) setFound({ other, versus });
    setBusy(false);
  };
  if (others.length === 0) return null;
  return (
    <p class="row">
      <label>
        versus
        <select value={found?.other ?? ""} disabled={busy} onChange={(e) => void ask(e.currentTarget.value)}>
          <option value="">(another personality)</option>
          {others.map((one) => <option value={one.name}>{one.name}</option>)}
        </select>
      </label>
      {busy && "both think"}
      {found && (
        <span class="parting">
          {found.other} plays {found.versus.second}
          {found.versus.first === found.versus.second ? " too" : found.versus.factors.length > 0 ? `; with only ${found.versus.factors.join(" or ")} of ${found.other}, ${name} would too` : ""}
        </span>
      )}
    </p>
  );
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** What patterns propose: how many at each hole, where each looks from, and what stops the others. */
function Patterns({ desk, setOverlay }: { desk: Desk; setOverlay(overlay: Overlay | null): void }) {
  const [files, setFiles] = useState<string[]>([]);
  const [file, setFile] = useState("");
  const [found, setFound] = useState<Matched | null>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    setFound(null);
    void desk.service.ask("patterns", { file: "" }).then((answer) => {
      setFiles(answer.files);
      setFile((now) => (answer.files.includes(now) ? now : (answer.files[0] ?? "")));
    });
  }, [desk.table.source]);
  useEffect(() => setFound(null), [desk.table.at]);
  if (files.length === 0) return null;
  const scene: Scene = desk.table.scene;
  const name = (site: number) => scene.spots.find((spot) => spot.site === site)?.name ?? "";
  const uses = found?.uses.filter((use) => use.fires !== near) ?? [];
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
    setFound(answer);
    draw(answer);
  };
  return (
    <>
      <h2>Which patterns fire?</h2>
      <p class="row">
        <label>
          file
          <select value={file} onChange={(e) => setFile(e.currentTarget.value)}>
            {files.map((one) => <option value={one}>{one}</option>)}
          </select>
        </label>
        <button disabled={desk.table.over} onClick={() => void match()}>match</button>
        <label><input type="checkbox" checked={near} onChange={(e) => setNear(e.currentTarget.checked)} /> those that nearly fire</label>
      </p>
      {found && uses.length === 0 && <p>None.</p>}
      <ul class="uses">
        {[...bySite].map(([site, ones]) => (
          <li>
            <b>{name(site)}</b>
            {ones.map((use) => (
              <button class="move" title={use.told} onMouseEnter={() => draw(found!, use)} onFocus={() => draw(found!, use)}>
                {near ? use.told.replace(/^\S+\s+/, "") : `${use.pattern} from ${name(use.at)}`}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

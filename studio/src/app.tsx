// The page: the board at the left, what one does with it at the right.

import { render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { Author } from "./author";
import { Board, type Overlay } from "./board";
import { click, open } from "./clicks";
import { type Clock, ClockFace, useClock } from "./clock";
import type { Desk, Trace } from "./desk";
import { again, BEHIND, plain, WorkerService, WRITING } from "./inside";
import { digest, type Files, keep, leaveMade, openedBy, shared } from "./keep";
import { isSame, keptText, useLeft } from "./left";
import { failure, Gate, type Service, SocketService } from "./link";
import type { Doing, Explained, Analysis, Greeting, Params, Scene, SceneMove, Table } from "./messages";
import { Measure } from "./measure";
import { type Pair, PairView } from "./pair";
import { Play } from "./play";
import { Understand } from "./understand";

type Tab = "play" | "understand" | "author" | "measure";
const TABS: [Tab, string][] = [
  ["play", "Play"],
  ["understand", "Understand"],
  ["author", "Author"],
  ["measure", "Measure"],
];

/** What is answered at once, but where rules take long: after so many milliseconds people are told. */
const AT_ONCE = new Set<string>(["open", "play", "goto", "follow", "why_not", "table"]);
const SLOW = 2000;
/** What puts another game on the board. */
const LEAVING = new Set<string>(["open", "read_game"]);
const STILL = "The studio is at it: this takes longer than usual.";

/** What is told, and a way on from there. */
interface Message {
  text: string;
  bad: boolean;
  way?: Way;
}
interface Way {
  title: string;
  go(): void;
}

function Studio({ service }: { service: Service }) {
  const [greeting, setGreeting] = useState<Greeting | null>(null);
  const [table, setTable] = useState<Table | null>(null);
  const [connected, setConnected] = useState(false);
  const [message, setMessage] = useState<Message>({ text: "", bad: false });
  const [doing, setDoing] = useState<{ method: string; now: Doing } | null>(null);
  const left = useLeft();
  const [tab, setTab] = useState<Tab>("play");
  const [analysis, setAnalysis] = useState<Analysis | null>(null);
  const [explained, setExplained] = useState<Explained | null>(null);
  const [matched, setMatched] = useState<Overlay | null>(null);
  const [pair, setPair] = useState<Pair | null>(null);
  const [traced, setTraced] = useState<Trace | null>(null);
  const [paused, setPaused] = useState(true);
  const [behind, setBehind] = useState(0);
  const [written, setWritten] = useState(0);

  const lastMessage = useRef<Message>({ text: "", bad: false });
  const say = (text: string, bad = false, way?: Way) => {
    lastMessage.current = { text, bad, way };
    setMessage(lastMessage.current);
  };
  const gate = useRef(new Gate());
  const act: Desk["act"] = async (method, params, progress) => {
    await gate.current.passed;
    return request(method, params, progress);
  };
  const request: Desk["act"] = async (method, params, progress) => {
    const waits = BEHIND.has(method) ? 1 : 0;
    setBehind((now) => now + waits);
    const late = setTimeout(() => AT_ONCE.has(method) && say(STILL), SLOW);
    const before = view.current.table;
    const hear = (now: Doing) => setDoing({ method, now });
    try {
      const answer = await service.ask(method, params, progress, hear);
      if (lastMessage.current.text === STILL) say("");
      if (WRITING.has(method)) setWritten((times) => times + 1);
      if (isTable(answer)) {
        setTable(answer);
        setPair(null);
        setAnalysis(null);
        setExplained(null);
        setMatched(null);
        say(answer.warning, Boolean(answer.warning));
        if (LEAVING.has(method)) leave(before, answer);
      }
      return answer;
    } catch (error) {
      say(failure(error).message, true);
      return null;
    } finally {
      setBehind((now) => now - waits);
      clearTimeout(late);
      setDoing((was) => (was?.method === method ? null : was));
    }
  };

  /** Keep the game that was on the board before another one, and say how to come back to it. */
  const leave = (before: Table | null, now: Table) => {
    const opened = again(now);
    left.drop(opened);
    const game = before && !isSame(again(before), opened) ? left.leave(before) : null;
    if (game) say(keptText(game), false, { title: "Go back to it", go: () => void act("open", game.open) });
  };

  // what is asked before the desk has the game of this page would mean another position
  const arrivals = useRef(0);
  useEffect(() => {
    service.onState((now) => {
      const arrival = ++arrivals.current;
      setConnected(now);
      gate.current.shut();
      if (!now) return;
      const ready = () => arrival === arrivals.current && gate.current.open();
      void arrive().catch((error) => say(failure(error).message, true)).finally(ready);
    });
  }, [service]);
  const view = useRef<{ table: Table | null; process: string; refused: string }>({ table: null, process: "", refused: "" });
  view.current.table = table;

  /** Show what the desk has; a service that was begun anew is given the game that this page shows. */
  const arrive = async () => {
    const hello = await service.ask("hello", {});
    const { table: before } = view.current;
    setGreeting(hello);
    await settle(hello.process, before);
    const wrong = service instanceof WorkerService ? await service.refused : "";
    if (wrong) say(wrong, true);
  };

  /** Show what the desk has, or give a desk that was begun anew the game that this page shows. */
  const settle = async (process: string, before: Table | null) => {
    const lastProcess = view.current.process;
    view.current.process = process;
    const game = before && JSON.stringify(again(before));
    if (!before || process === lastProcess) return void (await request("table", {}));
    if (game === view.current.refused) {
      await request("table", {});
      return say("The game could not be taken up again: its rules do not come to an end. This is another one.", true);
    }
    const why = lastMessage.current.bad ? lastMessage.current.text : "";
    view.current.refused = game!; // rules that never end are not asked for twice
    if (!(await request("open", again(before)))) return void (await request("table", {}));
    view.current.refused = "";
    if (why) say(`${why.replace(/\.$/, "")}. The game stands as it stood.`, true);
  };

  const turn = table && `${table.game} ${table.at} ${table.chairs.map((chair) => chair.player).join(" ")}`;
  const alone = table?.chairs.every((chair) => !chair.human) ?? false;
  const stands = table?.at === table?.end; // else one only looks: no clock runs
  const clock = useClock(table, connected && stands && !(alone && paused), () => void act("resign", { late: true }));
  useEffect(() => {
    if (!table?.thinking || !connected || (alone && paused)) return;
    const timer = setTimeout(() => void act("think", { seconds: clock.share() }), alone ? 400 : 30);
    return () => clearTimeout(timer);
  }, [turn, connected, paused]);

  const overlay = useMemo((): Overlay => {
    if (traced) return traced.overlay;
    if (matched) return matched;
    if (explained) return { heat: explained.shares, marks: explained.texts, chosen: explained.chosen };
    return analysis ? { arrows: analysis.arrows } : {};
  }, [traced, matched, explained, analysis]);

  if (!table || !greeting) return <Waiting service={service} connected={connected} />;
  const desk: Desk = { service, table, act, say, trace: setTraced, pair: setPair, busy: behind > 0, written, left, games: Object.keys(greeting.games), find: setAnalysis };
  return (
    <>
      <Head greeting={greeting} desk={desk} connected={connected} />
      <div class="sides">
        <section class="left" aria-label="the board">
          {pair ? <PairView two={pair} close={() => setPair(null)} /> : <BoardView desk={desk} overlay={overlay} clock={clock} pick={traced?.pick} />}
        </section>
        <section class="right">
          <div role="tablist" class="tabs">
            {TABS.map(([name, title]) => (
              <button role="tab" id={`tab-${name}`} aria-selected={tab === name} onClick={() => setTab(name)}>
                {title}
              </button>
            ))}
          </div>
          <div role="tabpanel" aria-labelledby={`tab-${tab}`} class="panel">
            {tab === "play" && <Play desk={desk} paused={paused} setPaused={setPaused} alone={alone} clock={clock} />}
            {tab === "understand" && (
              <Understand desk={desk} analysis={analysis} setAnalysis={setAnalysis} explained={explained} setExplained={setExplained} setMatched={setMatched} />
            )}
            <div hidden={tab !== "measure"}>
              <Measure desk={desk} active={tab === "measure"} />
            </div>
            <div hidden={tab !== "author"}>
              <Author desk={desk} folder={greeting.folder} opened={greeting.opened} active={tab === "author"} />
            </div>
          </div>
        </section>
      </div>
      {doing && doing.now.what !== "thinking" && <Working doing={doing.now} stop={() => void service.ask("stop", {})} />}
      <p role="status" aria-live="polite" class={message.bad ? "message bad" : "message"}>
        {connected ? message.text : "The studio does not answer; trying again."}
        {connected && message.way && <button onClick={message.way.go}>{message.way.title}</button>}
      </p>
    </>
  );
}

function isTable(answer: unknown): answer is Table {
  return typeof answer === "object" && answer !== null && "scene" in answer && "chairs" in answer;
}

/** What is compiled before there is an answer, and a way to end that. */
function Working({ doing, stop }: { doing: Doing; stop(): void }) {
  const seconds = Math.round(doing.seconds);
  const text = doing.what === "compiling" ? `Compiling: part ${doing.parts}, ${seconds} s` : "Waiting for what was stopped to end";
  return (
    <p class="working">
      {text} <button onClick={stop}>Stop</button>
    </p>
  );
}

/** Before there is a board: the picture of one that the page brings, and why nothing comes. */
function Waiting({ service, connected }: { service: Service; connected: boolean }) {
  const [wrong, setWrong] = useState<string | null>(null);
  useEffect(() => {
    if (service instanceof WorkerService) void service.failure.then(setWrong);
  }, [service]);
  const inside = service instanceof WorkerService;
  const waiting = inside ? "Python is being loaded; the board can be played in a moment." : "Waiting for the studio.";
  return (
    <>
      <p class="loading" role="status">
        {wrong ? `The studio cannot start here: ${wrong}` : connected ? "The board is being set up." : waiting}
      </p>
      {inside && <img class="first" src="first.svg" alt="" />}
    </>
  );
}

function Head({ greeting, desk, connected }: { greeting: Greeting; desk: Desk; connected: boolean }) {
  const { table } = desk;
  const opened = greeting.opened && !(greeting.opened in greeting.games) ? [greeting.opened] : [];
  const names = [...new Set([...opened, table.source, ...greeting.own, ...Object.keys(greeting.games)])];
  const start = (game: string, options: Record<string, string> = {}) => void desk.act("open", { game, options });
  return (
    <header>
      <h1>rulewright studio</h1>
      <label>
        Game
        <select value={table.source} onChange={(e) => start(e.currentTarget.value)}>
          {names.map((name) => (
            <option value={name}>{greeting.places[name] ? `${name} (${greeting.places[name]})` : name}</option>
          ))}
        </select>
      </label>
      {table.options.map((option) => (
        <OptionField key={`${table.source} ${option.name}`} desk={desk} name={option.name} value={option.value} start={start} />
      ))}
      <span class="about">{greeting.games[table.source] ?? ""}</span>
      <span class={connected ? "line on" : "line"} title={connected ? "connected" : "not connected"} />
    </header>
  );
}

function OptionField(props: {
  desk: Desk;
  name: string;
  value: number | boolean;
  start: (game: string, options: Record<string, string>) => void;
}) {
  const { desk, name, value, start } = props;
  const change = (text: string) => {
    const options = Object.fromEntries(desk.table.options.map((o) => [o.name, plain(o.value)]));
    start(desk.table.source, { ...changedOptions(desk.table, name, options), [name]: text });
  };
  return (
    <label class="option">
      {name}
      {typeof value === "boolean" ? (
        <input type="checkbox" checked={value} onChange={(e) => change(e.currentTarget.checked ? "yes" : "no")} />
      ) : (
        <input type="number" value={value} onChange={(e) => change(e.currentTarget.value)} />
      )}
    </label>
  );
}

/** The other options that stay; those that follow the changed one by default go with it. */
function changedOptions(table: Table, name: string, options: Record<string, string>): Record<string, string> {
  const before = table.options.find((o) => o.name === name)?.value;
  const entries = Object.entries(options).filter(([option]) => {
    const value = table.options.find((o) => o.name === option)?.value;
    return option !== name && value !== before;
  });
  return Object.fromEntries(entries);
}

function BoardView({ desk, overlay, clock, pick }: { desk: Desk; overlay: Overlay; clock: Clock; pick?: Trace["pick"] }) {
  const parent = useRef<HTMLDivElement>(null);
  const board = useRef<Board | null>(null);
  const [clicked, setClicked] = useState<number[]>([]);
  const [choices, setChoices] = useState<SceneMove[]>([]);
  const [answered, setAnswered] = useState(0);
  const waits = useRef(false);
  const later = useRef<number[]>([]); // clicks made before the last answer: they mean what will stand then
  const scene: Scene = desk.table.scene;
  const human = !desk.table.over && !desk.table.thinking;
  const reset = () => {
    setClicked((now) => (now.length ? [] : now));
    setChoices((now) => (now.length ? [] : now));
  };
  const play = async (move: SceneMove) => {
    reset();
    waits.current = true;
    if (!(await desk.act("play", { text: move.text, at: desk.table.at }))) later.current = [];
    waits.current = false;
    setAnswered((times) => times + 1);
  };
  const onSite = (site: number) => {
    if (pick) return pick(site);
    if (waits.current) return void later.current.push(site);
    if (!human) return;
    const clicks = clickedNow.current;
    const step = click(scene.moves, clicks, site);
    clickedNow.current = step.clicked;
    setClicked(step.clicked);
    setChoices(step.choices ?? []);
    if (step.play) void play(step.play);
    if (step.refused) void explainRefusal(desk, scene, [...clicks, site]);
  };
  const handler = useRef(onSite);
  const clickedNow = useRef(clicked);
  handler.current = onSite;
  clickedNow.current = clicked;

  // before the page is painted, not a picture later
  useLayoutEffect(reset, [desk.table.at, desk.table.source, scene]);
  useLayoutEffect(() => later.current.splice(0).forEach((site) => handler.current(site)), [answered]);
  useLayoutEffect(() => {
    board.current = new Board(parent.current!, (site) => handler.current(site), reset);
    return () => board.current?.root.remove();
  }, []);
  const lit = useMemo(() => (human && !pick ? open(scene.moves, clicked) : new Set<number>()), [scene, clicked, human, pick]);
  useLayoutEffect(() => {
    board.current?.draw(overlay.scene ?? scene, overlay.scene ? overlay : { ...overlay, open: lit, clicked });
  }, [scene, clicked, lit, overlay]);

  return (
    <>
      <div ref={parent} class="board-frame" data-style={scene.style} />
      {choices.length > 0 && (
        <div class="choices" role="group" aria-label="what do you mean?">
          {choices.map((move) => (
            <button onClick={() => void play(move)}>{move.text}</button>
          ))}
          <button class="quiet" onClick={reset}>
            none of these
          </button>
        </div>
      )}
      <Status desk={desk} clock={clock} />
    </>
  );
}

/** Which clause forbids the decision that clicks on sites would be. */
async function explainRefusal(desk: Desk, scene: Scene, sites: number[]): Promise<void> {
  const text = sites.map((site) => scene.spots.find((spot) => spot.site === site)?.name).join(" ");
  const reason = await desk.act("why_not", { text, sites });
  if (reason) desk.say(reason.text, true);
}

function Status({ desk, clock }: { desk: Desk; clock: Clock }) {
  const { table } = desk;
  const scene: Scene = table.scene;
  return (
    <div class="status">
      {scene.players.map((player, i) => (
        <p class={scene.mover === player ? "mover" : ""}>
          <span class={`dot player-${player} nth-${i}`} /> <b>{player}</b>{" "}
          {table.chairs.find((chair) => chair.colour === player)?.label}
          {clock.base > 0 && (
            <ClockFace seconds={clock.seconds[table.chairs[0].colour === player ? 0 : 1]} running={scene.mover === player && !table.over} />
          )}
          {scene.facts
            .filter((fact) => fact.values.length > 1)
            .map((fact) => (
              <span class="fact">
                {fact.name}: {fact.values[i]}
              </span>
            ))}
        </p>
      ))}
      <p class="verdict">
        {table.over ? table.verdict : `${scene.mover} to move`}
        {scene.facts
          .filter((fact) => fact.values.length === 1)
          .map((fact) => `, ${fact.name}: ${fact.values[0]}`)
          .join("")}
        {scene.last_turn && `, last: ${scene.last_turn}`}
      </p>
    </div>
  );
}

/** The service of this page: a server, or workers where the page says that there is none. */
async function service(): Promise<Service> {
  const { host, game = "", options = "{}" } = document.documentElement.dataset;
  if (host !== "worker") return new SocketService();
  const first = { game, options: JSON.parse(options), moves: "", players: ["human", "human"], position: "" } as Params["open"];
  const hash = openedBy(location.hash);
  if (hash !== location.hash) history.replaceState(null, "", `${location.pathname}${location.search}${hash}`);
  const link = await shared(hash);
  if (typeof link === "string") throw new Error(link);
  const name = link ? digest(hash) : "";
  const brought = link ? {} : ((await (await fetch("texts.json")).json()) as Files);
  const worker = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  return new WorkerService(worker, keep(name, link?.files ?? null, brought), link?.open ?? first);
}

const root = document.getElementById("app")!;
service().then(
  (service) => {
    root.replaceChildren();
    if (service instanceof WorkerService) {
      addEventListener("hashchange", () => {
        leaveMade(); // another link, or the same one on purpose
        location.reload();
      });
      // what is needed now comes first, and is kept for later then
      void service.failure.then(() => navigator.serviceWorker?.register("offline.js"));
    }
    render(<Studio service={service} />, root);
  },
  (error: Error) => {
    root.textContent = error.message;
  },
);

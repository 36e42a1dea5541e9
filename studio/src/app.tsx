// The page: the board at the left, what one does with it at the right.

import { type ComponentChildren, render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { Author } from "./author";
import type { Held } from "./clicks";
import type { Overlay } from "./overlays";
import { applyTheme, Bar } from "./bar";
import { useClock } from "./clock";
import type { Desk, Entry, Trace, View, Way } from "./desk";
import { Home } from "./home";
import { again, BEHIND, WorkerService, WRITING } from "./inside";
import { digest, type Files, keep, leaveMade, openedBy, shared, useKept } from "./keep";
import { loadLanguage, marked, t, translate } from "./language";
import { isSame, keptText, useLeft } from "./left";
import { failure, Gate, type Service, SocketService } from "./link";
import type { Doing, Explained, Analysis, Greeting, Params, Table } from "./messages";
import { Learn, PuzzleNote, type PuzzleAsked } from "./learn";
import { Measure } from "./measure";
import { type Pair, PairView } from "./pair";
import { NewGame } from "./newgame";
import { Brief, Play } from "./play";
import { BoardView } from "./board_view";
import { Understand } from "./understand";
import { ValueBar } from "./valuebar";
import { standsAbove } from "./facing";
import { candidateMarks, isGuess, worth } from "./verdict";
import { gameName } from "./words";

/** What is answered at once, but where rules take long: after so many milliseconds people are told. */
const AT_ONCE = new Set<string>(["open", "play", "goto", "follow", "why_not", "table"]);
const SLOW = 2000;
/** After so many milliseconds without a studio people are told what to do. */
const LATE = 5000;
/** What puts another game on the board. */
const LEAVING = new Set<string>(["open", "read_game"]);
const AWAY = marked("The studio does not answer; trying again.");
const LOADING = marked("Python is being loaded; what you play is answered in a moment.");
const UNABLE = marked("The studio cannot start here: {reason}");
const STILL = marked("The studio is at it: this takes longer than usual.");

/** What is told, and a way on from there. */
interface Message {
  text: string;
  bad: boolean;
  way?: Way;
}

function Studio({ service, first }: { service: Service; first: View }) {
  const [greeting, setGreeting] = useState<Greeting | null>(null);
  const [table, setTable] = useState<Table | null>(null);
  const [connected, setConnected] = useState(false);
  const [message, setMessage] = useState<Message>({ text: "", bad: false });
  const [doing, setDoing] = useState<{ method: string; now: Doing } | null>(null);
  const left = useLeft();
  const [tab, setTab] = useState<View>(first);
  const [sat, setSat] = useKept("sat down", false); // then a reload shows the game
  const setView = (view: View) => {
    if (view !== "home") setSat(true);
    scrollTo(0, 0); // another view begins at its top
    setTab(view);
  };
  const [analysis, setAnalysis] = useState<Analysis | null>(null);
  const [explained, setExplained] = useState<Explained | null>(null);
  const [matched, setMatched] = useState<Overlay | null>(null);
  const [judged, setJudged] = useState<Record<number, number>>({});
  const [pair, setPair] = useState<Pair | null>(null);
  const [traced, setTraced] = useState<Trace | null>(null);
  const [paused, setPaused] = useState(true);
  const [turned, setTurned] = useState(false);
  const [held, hold] = useState<Held | null>(null);
  const [beginning, setBeginning] = useState(false);
  const [learning, setLearning] = useState("");
  const [puzzle, setPuzzle] = useState<PuzzleAsked | null>(null);
  const [drafting, setDrafting] = useState(false);
  const [waking, setWaking] = useState("");
  const [behind, setBehind] = useState(0);
  const [written, setWritten] = useState(0);
  const [begun, setBegun] = useState(0);
  const [followed, setFollowed] = useState<Params["follow"] | null>(null);

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
  /** Begin anew by the text that the board follows, where there is one of this game; else by what is saved. */
  const anew: Desk["anew"] = ({ game, ...rest }) => {
    const text = game === view.current.table?.source ? view.current.followed : null;
    return text ? act("follow", { ...text, moves: "", ...rest }) : act("open", { game, ...rest });
  };
  const request: Desk["act"] = async (method, params, progress) => {
    const waits = BEHIND.has(method) ? 1 : 0;
    setBehind((now) => now + waits);
    const late = setTimeout(() => AT_ONCE.has(method) && say(t(STILL)), SLOW);
    const before = view.current.table;
    const hear = (now: Doing) => setDoing({ method, now });
    try {
      const answer = await service.ask(method, params, progress, hear);
      if (lastMessage.current.text === t(STILL)) say("");
      if (WRITING.has(method)) setWritten((times) => times + 1);
      const saved = method === "write" && (params as Params["write"]).path === view.current.followed?.path;
      if (LEAVING.has(method) || saved) setFollowed(null);
      if (isFollowed(method, params)) setFollowed({ path: params.path, text: params.text });
      const leaves = LEAVING.has(method) || (isFollowed(method, params) && params.players !== undefined);
      if (isTable(answer)) {
        setTable((now) => (leaves ? answer : onSameBoard(now, answer)));
        if (leaves) setTurned(standsAbove(answer));
        if (leaves) setBegun((games) => games + 1);
        setPair(null);
        setAnalysis(null);
        setExplained(null);
        setMatched(null);
        say(answer.warning, Boolean(answer.warning));
        if (leaves || method === "follow") setJudged({});
        if (leaves) leave(before, answer);
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
    if (game) say(keptText(game), false, { title: t("Go back to it"), go: () => void act("open", game.open) });
  };

  // what is asked before the desk has the game of this page would mean another position
  const arrivals = useRef(0);
  useEffect(() => {
    if (isAsleep(service)) {
      setTab("home");
      void service.greeting().then(setGreeting, (error) => say(failure(error).message, true));
    }
    service.onState((now) => {
      const arrival = ++arrivals.current;
      setConnected(now);
      gate.current.shut();
      if (!now) return;
      const ready = () => arrival === arrivals.current && gate.current.open();
      void arrive().catch((error) => say(failure(error).message, true)).finally(ready);
    });
  }, [service]);
  const view = useRef<{ table: Table | null; followed: Params["follow"] | null; process: string; refused: string }>({ table: null, followed: null, process: "", refused: "" });
  Object.assign(view.current, { table, followed });

  /** Show what the desk has; a service that was begun anew is given the game that this page shows. */
  const arrive = async () => {
    const hello = await service.ask("hello", {});
    const { table: before } = view.current;
    setGreeting(hello);
    if (!view.current.process && hello.opened === null && !sat) setTab("home");
    await settle(hello.process, before);
    const wrong = service instanceof WorkerService ? await service.refused : "";
    if (wrong) say(wrong, true);
  };

  /** Show what the desk has, or give a desk that was begun anew the game that this page shows. */
  const settle = async (process: string, before: Table | null) => {
    const lastProcess = view.current.process;
    view.current.process = process;
    const game = before && JSON.stringify(again(before));
    if (!before || !lastProcess || process === lastProcess) return void (await request("table", {}));
    if (game === view.current.refused) {
      await request("table", {});
      return say(t("The game could not be taken up again: its rules do not come to an end. This is another one."), true);
    }
    const why = lastMessage.current.bad ? lastMessage.current.text : "";
    view.current.refused = game!; // rules that never end are not asked for twice
    const { game: _, ...rest } = again(before);
    const text = view.current.followed;
    if (!(await (text ? request("follow", { ...text, ...rest }) : request("open", again(before))))) return void (await request("table", {}));
    view.current.refused = "";
    if (why) say(`${why.replace(/\.$/, "")}. ${t("The game stands as it stood.")}`, true);
  };

  const turn = table && `${table.game} ${table.at} ${table.thinking} ${table.chairs.map((chair) => chair.player).join(" ")}`;
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
    if (explained) return { heat: explained.shares, marks: explained.texts, chosen: explained.decision_site };
    if (analysis && tab === "play") return { hint: analysis.arrows[0] };
    return analysis ? candidateMarks(analysis) : {};
  }, [traced, matched, explained, analysis, tab]);

  /** Keep what positions are worth to the first player, by their numbers in the game. */
  const judge: Desk["judge"] = (node, player, value) => {
    const first = view.current.table?.scene.players[0];
    setJudged((now) => ({ ...now, [node]: player === first ? value : -value }));
  };
  useEffect(() => {
    if (analysis && table && !isGuess(analysis)) judge(table.at, analysis.side, worth(analysis));
  }, [analysis]);

  const learn = (game: string) => (setLearning(game), setView("learn"));
  const open = async (params: Params["open"], view: View) => {
    const opened = isAsleep(service) ? wake(service, params) : await act("open", params);
    if (opened) setView(view);
    return Boolean(opened);
  };
  const wake = (sleeper: WorkerService, params: Params["open"]) => {
    left.drop(params);
    setWaking(params.game);
    sleeper.wake(params);
    // the board that the page brings can be clicked; what is asked on it waits for the desk
    void sleeper.opening(params).then((opening) => setTable((now) => now ?? opening), () => {});
    void sleeper.failure.then((why) => why && say(t(UNABLE, { reason: translate(why) }), true));
    return true;
  };
  const write = () => {
    setDrafting(true);
    if (isAsleep(service)) void open(service.first, "author");
    else setView("author");
  };
  const entry: Entry = { service, table, left, written, levels: greeting?.levels ?? {}, headings: greeting?.headings ?? {}, open };
  const away = (notes: ComponentChildren, greeting: Greeting) => (
    <>
      {tab === "home" && <Home entry={entry} greeting={greeting} notes={notes} setView={setView} learn={learn} write={write} />}
      {tab === "learn" && <Learn key={learning} entry={entry} game={learning} notes={notes} setView={setView} ask={setPuzzle} />}
    </>
  );
  if (isAsleep(service) && greeting) {
    const show = (view: View) => (view === "home" || view === "learn" ? setTab(view) : void open(service.first, view));
    return (
      <>
        <Bar greeting={greeting} desk={null} connected view={tab} setView={show} begin={() => {}} />
        {away(null, greeting)}
      </>
    );
  }
  if (!table || !greeting) return <Waiting service={service} connected={connected} waking={waking} />;
  const desk: Desk = { service, table, begun, act, anew, followed: followed?.path ?? "", followedText: followed?.text ?? "", say, trace: setTraced, pair: setPair, busy: behind > 0, written, left, games: Object.keys(greeting.games), headings: greeting.headings, levels: greeting.levels, mistakes: greeting.mistakes, held, hold, judge, find: setAnalysis };
  const thought = doing?.method === "think" && doing.now.what === "thinking" ? doing.now : null;
  const asked = puzzle && <PuzzleNote desk={desk} puzzle={puzzle} leave={() => setPuzzle(null)} />;
  const isInside = service instanceof WorkerService;
  const notes = (
    <>
      {!followed && tab === "play" && service instanceof WorkerService && service.hasRulesOfLink(table.source) && (
        <p class="row changed" role="status">
          {t("By rules that came with the link; somebody has changed them.")}
          <button class="b" onClick={() => setView("author")}>{t("Show the text")}</button>
        </p>
      )}
      {followed && tab === "play" && (
        <p class="row changed" role="status">
          {t("By rules that you have changed and not saved.")}
          <button class="b" onClick={() => setView("author")}>{t("Show the text")}</button>
        </p>
      )}
      {doing && !thought && <Working doing={doing.now} stop={() => void service.ask("stop", {})} />}
      <p role="status" aria-live="polite" class={message.bad ? "message bad" : "message"}>
        {connected || (isInside && message.bad) ? translate(message.text) : t(isInside ? LOADING : AWAY)}
        {connected && message.way && <button class="b" onClick={message.way.go}>{message.way.title}</button>}
      </p>
    </>
  );
  const game = { desk, paused, setPaused, alone, clock, thought, begin: () => setBeginning(true), turn: () => setTurned(!turned) };
  return (
    <>
      <Bar greeting={greeting} desk={desk} connected={connected || isInside} view={tab} setView={setView} begin={() => setBeginning(true)} />
      {away(notes, greeting)}
      <div class="table" data-view={tab} hidden={tab === "home" || tab === "learn"}>
        <section class="left" aria-label={t("the board")}>
          {tab === "understand" && !pair && table.chairs.length === 2 && <ValueBar scene={table.scene} value={judged[table.at] ?? null} turned={turned} />}
          {pair ? <PairView two={pair} close={() => setPair(null)} /> : <BoardView desk={desk} overlay={overlay} turned={turned} pick={traced?.pick} />}
        </section>
        <div role="tabpanel" aria-labelledby={`tab-${tab}`} class="panel card">
          {tab === "play" && <Play {...game} asked={asked} notes={notes} />}
          {!["play", "home", "learn"].includes(tab) && <Brief desk={desk} notes={notes} />}
          {tab === "understand" && (
            <Understand desk={desk} analysis={analysis} setAnalysis={setAnalysis} explained={explained} setExplained={setExplained} setMatched={setMatched} />
          )}
          <div hidden={tab !== "measure"}>
            <Measure desk={desk} active={tab === "measure"} />
          </div>
          <div hidden={tab !== "author"}>
            <Author desk={desk} folder={greeting.folder} opened={greeting.opened} active={tab === "author"} drafting={drafting} setDrafting={setDrafting} />
          </div>
        </div>
      </div>
      {beginning && <NewGame desk={desk} learn={() => learn(table.source)} run={() => setPaused(false)} close={() => setBeginning(false)} />}
    </>
  );
}

/** Whether the page shows all games yet, and has no Python. */
function isAsleep(service: Service): service is WorkerService {
  return service instanceof WorkerService && service.asleep;
}

/** Whether the board follows a text of rules by this request. */
function isFollowed(method: string, params: unknown): params is Params["follow"] {
  return method === "follow" && (params as Params["follow"]).path.endsWith(".rules");
}

function isTable(answer: unknown): answer is Table {
  return typeof answer === "object" && answer !== null && "scene" in answer && "chairs" in answer;
}

/** What is compiled before there is an answer, and a way to end that. */
function Working({ doing, stop }: { doing: Doing; stop(): void }) {
  const seconds = Math.round(doing.seconds);
  const text = doing.what === "compiling" ? t("Compiling: part {part}, {seconds} s", { part: doing.parts, seconds }) : t("Waiting for what was stopped to end");
  return (
    <p class="working">
      {text} <button class="b" onClick={stop}>{t("Stop")}</button>
    </p>
  );
}

/** Before there is a board: the picture of one that the page brings, and why nothing comes. */
function Waiting({ service, connected, waking }: { service: Service; connected: boolean; waking: string }) {
  const [wrong, setWrong] = useState<string | null>(null);
  const [late, setLate] = useState(false);
  useEffect(() => {
    const later = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(later);
  }, []);
  useEffect(() => {
    if (service instanceof WorkerService) void service.failure.then(setWrong);
  }, [service]);
  const inside = service instanceof WorkerService;
  const absent = late ? t("The studio does not answer. Does it run? Open the whole address that it printed.") : t("Waiting for the studio.");
  const waiting = inside ? t("Python is being loaded; the board can be played in a moment.") : absent;
  const game = inside ? waking || service.first.game : "";
  const picture = inside && !service.asleep ? firstPicture(game) : "";
  return (
    <>
      {game && <h2 class="loading-title">{t(gameName(game))}</h2>}
      <p class="loading" role="status">
        {wrong ? t(UNABLE, { reason: translate(wrong) }) : connected ? t("The board is being set up.") : waiting}
      </p>
      {picture && <img class="first" src={picture} alt="" />}
    </>
  );
}

/** The picture of a game that the page brings: of the one that it was exported with, and of bundled ones. */
function firstPicture(game: string): string {
  if (game === document.documentElement.dataset.game) return "first.svg";
  return /^\w+$/.test(game) ? `cards/${game}.svg` : "";
}

/** The service of this page, a server or workers where the page says that there is none, and what is shown first. */
async function service(): Promise<[Service, View]> {
  const { host, game = "", options = "{}", home } = document.documentElement.dataset;
  if (host !== "worker") return [new SocketService(), "play"];
  const first = { game, options: JSON.parse(options), moves: "", players: ["human", "human"], position: "" } as Params["open"];
  const hash = openedBy(location.hash);
  if (hash.includes("share=")) document.querySelector("img.first")?.remove(); // it is of the page's own game
  if (hash !== location.hash) history.replaceState(null, "", `${location.pathname}${location.search}${hash}`);
  const link = await shared(hash);
  if (typeof link === "string") throw new Error(link);
  const name = link ? digest(hash) : "";
  const brought = link ? {} : ((await (await fetch("texts.json")).json()) as Files);
  const worker = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const service = new WorkerService(worker, keep(name, link?.files ?? null, brought), link?.open ?? first, home !== undefined && !link, Object.keys(link?.files ?? {}));
  return [service, link?.view === "author" ? "author" : "play"]; // a link has no say about anything else
}

applyTheme();
const loading = loadLanguage();
const root = document.getElementById("app")!;
service().then(
  async ([service, view]) => {
    await loading;
    root.replaceChildren();
    if (service instanceof WorkerService) {
      addEventListener("hashchange", () => {
        leaveMade(); // another link, or the same one on purpose
        location.reload();
      });
      // what is needed now comes first, and is kept for later then
      void service.failure.then(() => navigator.serviceWorker?.register("offline.js"));
    }
    render(<Studio service={service} first={view} />, root);
  },
  (error: Error) => {
    root.textContent = error.message;
  },
);

/** A table that shows what the last one did, on the same board: what was clicked there stays, as when a chair changes. */
function onSameBoard(last: Table | null, next: Table): Table {
  if (!last || last.source !== next.source || last.at !== next.at) return next;
  return JSON.stringify(last.scene) === JSON.stringify(next.scene) ? { ...next, scene: last.scene } : next;
}

// The board of the game: what clicks on it mean, choices at their place, and the way it is turned.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { Board } from "./board";
import type { Overlay } from "./overlays";
import { click, clickable, isPutting, open } from "./clicks";
import type { Desk, Trace } from "./desk";
import { PieceIcon } from "./hand";
import { lineOf } from "./inside";
import { t } from "./language";
import type { Scene, SceneMove, Table } from "./messages";
import { choiceWords, moveWords } from "./words";

export function BoardView({ desk, overlay, turned, pick }: { desk: Desk; overlay: Overlay; turned: boolean; pick?: Trace["pick"] }) {
  const parent = useRef<HTMLDivElement>(null);
  const board = useRef<Board | null>(null);
  const [clicked, setClicked] = useState<number[]>([]);
  const [choices, setChoices] = useState<SceneMove[]>([]);
  const [answered, setAnswered] = useState(0);
  const waits = useRef(false);
  const later = useRef<number[]>([]); // clicks made before the last answer: they mean what will stand then
  const scene: Scene = desk.table.scene;
  const { held } = desk;
  const all = useMemo(() => clickable(scene), [scene]);
  const moves = useMemo(() => (held ? all.filter((move) => isPutting(move, held)) : all), [all, held]);
  const human = !desk.table.over && !desk.table.thinking;
  const reset = () => {
    desk.hold(null);
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
    let step = click(moves, clicks, site);
    if (step.refused && held) {
      desk.hold(null); // another piece is meant by now
      step = click(all, [], site);
    }
    clickedNow.current = step.clicked;
    setClicked(step.clicked);
    setChoices(step.choices ?? []);
    if (step.play) void play(step.play);
    if (step.refused) board.current?.refuse(site);
    if (step.refused) void explainRefusal(desk, scene, [...clicks, site]);
  };
  const handler = useRef(onSite);
  const says = useRef(() => {});
  says.current = () => desk.say(t("Nothing can be put between these two points."), true);
  const clickedNow = useRef(clicked);
  handler.current = onSite;
  clickedNow.current = clicked;

  // before the page is painted, not a picture later
  useLayoutEffect(reset, [desk.table.at, desk.table.source, scene]);
  useLayoutEffect(() => later.current.splice(0).forEach((site) => handler.current(site)), [answered]);
  useLayoutEffect(() => {
    board.current = new Board(parent.current!, (site) => handler.current(site), reset, () => says.current());
    return () => board.current?.root.remove();
  }, []);
  useLayoutEffect(() => {
    if (!held) return;
    setClicked([]);
    setChoices([]);
    // let go over a site, a piece that was dragged from a hand goes there; the click that begins it ends elsewhere
    const drop = (event: PointerEvent) => {
      const site = document.elementFromPoint(event.clientX, event.clientY)?.closest<SVGElement>(".board-place [data-site]")?.dataset.site;
      if (site !== undefined) handler.current(Number(site));
    };
    addEventListener("pointerup", drop, { once: true });
    return () => removeEventListener("pointerup", drop);
  }, [held]);
  const lit = useMemo(() => (human && !pick ? open(moves, clicked) : new Set<number>()), [moves, clicked, human, pick]);
  const parts = useMemo(() => partsOf(desk.table), [desk.table]);
  useLayoutEffect(() => {
    board.current?.draw(overlay.scene ?? scene, overlay.scene ? { ...overlay, turned } : { ...overlay, turned, open: lit, clicked, parts, putting: held?.kind });
  }, [scene, clicked, lit, overlay, turned, parts, held]);

  return (
    <div class="board-place">
      <div ref={parent} class="board-frame" data-style={scene.style} />
      {choices.length > 0 && <Choices scene={scene} moves={choices} board={parent.current!} site={clicked[clicked.length - 1]!} play={play} leave={reset} />}
    </div>
  );
}

/** The sites of the parts of the turn that is under way: of each the last that its text names. */
function partsOf(table: Table): number[] {
  const { scene } = table;
  const line = lineOf(table);
  const turn = line.at(-1)?.turn;
  if (table.over || line.at(-1)?.mover !== scene.mover) return [];
  const names = new Map(scene.spots.map((spot) => [spot.name, spot.site]));
  const sites = line.filter((node) => node.turn === turn).map(({ text }) => text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => names.get(word) ?? []).at(-1));
  return sites.filter((site) => site !== undefined);
}

interface ChoosingProps {
  scene: Scene;
  moves: SceneMove[];
  board: HTMLElement;
  site: number;
  play(move: SceneMove): Promise<void>;
  leave(): void;
}

/** Decisions that the same clicks mean, at the site of the last one. */
function Choices({ scene, moves, board, site, play, leave }: ChoosingProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = board.querySelector(`[data-site="${site}"]`)?.getBoundingClientRect();
    const frame = board.getBoundingClientRect();
    const { style, offsetWidth, offsetHeight } = box.current!;
    if (!place) return;
    const within = (at: number, size: number, room: number) => `${Math.max(4, Math.min(at, room - size - 4))}px`;
    style.left = within(place.left + place.width / 2 - frame.left - offsetWidth / 2, offsetWidth, frame.width);
    style.top = within(place.bottom - frame.top + 4, offsetHeight, frame.height);
    box.current!.querySelector("button")?.focus();
  }, [moves, site]);
  return (
    <div class="choices" ref={box} role="group" aria-label={t("what do you mean?")} onKeyDown={(e) => e.key === "Escape" && leave()}>
      {moves.map((move) => (
        <button class="b" title={moveWords(scene, move)} onClick={() => void play(move)}>
          {move.kind && <PieceIcon drawing={scene.drawing} kind={move.kind} owner={scene.players.indexOf(scene.mover ?? "")} />}
          {choiceWords(scene, move, moves)}
        </button>
      ))}
      <button class="b bare" onClick={leave}>{t("None of these")}</button>
    </div>
  );
}

/** Which clause forbids the decision that clicks on sites would be. */
async function explainRefusal(desk: Desk, scene: Scene, sites: number[]): Promise<void> {
  if (desk.table.viewer !== null) return; // the clause might tell what is not seen
  const text = sites.map((site) => scene.spots.find((spot) => spot.site === site)?.name).join(" ");
  const reason = await desk.act("why_not", { text, sites });
  if (!reason) return;
  if (reason.words) desk.say(reason.words, true, { title: t("Which rule?"), go: () => desk.say(reason.text, true) });
  else desk.say(reason.text, true);
}

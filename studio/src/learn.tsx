// Learning a game: three pictures, three sentences, a puzzle, and the way to the board.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import type { Desk, Entry, View } from "./desk";
import { Icon } from "./icons";
import { lineOf } from "./inside";
import { useStored } from "./keep";
import { t } from "./language";
import { failure } from "./link";
import type { Introduced, LessonShown } from "./messages";
import { gameName, levelAt, MIDDLE } from "./words";

/** A puzzle that was put on the board. */
export interface PuzzleAsked {
  game: string;
  lesson: LessonShown;
}

interface Props {
  entry: Entry;
  game: string;
  notes: ComponentChildren;
  setView(view: View): void;
  ask(puzzle: PuzzleAsked): void;
}

export function Learn({ entry, game, notes, setView, ask }: Props) {
  const [shown, setShown] = useState<Introduced | null>(null);
  const [wrong, setWrong] = useState("");
  const [answered, setAnswered] = useState(false);
  const [strength] = useStored("strength", MIDDLE);
  useEffect(() => {
    entry.service.ask("learn", { game }).then(setShown, (error) => setWrong(failure(error).message));
  }, [game]);
  const name = gameName(game, entry.headings);
  const title = t(shown?.title === game ? name : shown?.title || name);
  const open = (other: string, view: View, moves = "") => entry.open({ game, options: {}, moves, players: ["human", other] }, view);
  const read = () => (entry.table?.source === game ? setView("author") : void open("human", "author"));
  const attempt = async (lesson: LessonShown) => (await open("human", "play", lesson.moves)) && ask({ game, lesson });
  return (
    <section class="home learn" aria-label={t("Learn {game}", { game: title })}>
      <h2>{t("Learn {game}", { game: title })}</h2>
      <p class="tell">{t(shown?.tell ?? "")}</p>
      {notes}
      {!shown && <p role="status">{wrong || t("The pictures are being drawn.")}</p>}
      <ol class="lessons">
        {shown?.pictures.map((lesson) => (
          <li class="card">
            <Drawn lesson={lesson} />
            <p>{t(lesson.text)}</p>
          </li>
        ))}
      </ol>
      {shown && (
        <div class="puzzle card">
          {shown.puzzle && <Drawn lesson={shown.puzzle} />}
          <div class="asked-of">
            <h3>{shown.puzzle ? t("A puzzle") : t("Now play")}</h3>
            {shown.puzzle && <p>{t(shown.puzzle.text)}</p>}
            <p role="status" class="answer">{answered && shown.puzzle && t("It is {answer}.", { answer: shown.puzzle.answer })}</p>
            <p class="row">
              {shown.puzzle && <button class="b soft" onClick={() => void attempt(shown.puzzle!)}>{t("Try it")}</button>}
              {shown.puzzle && !answered && <button class="b" onClick={() => setAnswered(true)}>{t("Show me")}</button>}
              <button class="b bare" onClick={read}>{t("Read the text")}</button>
            </p>
          </div>
          <button class="b go" onClick={() => void open(levelAt(entry.levels, game, strength), "play")}><Icon name="forward" />{t("Play now")}</button>
        </div>
      )}
    </section>
  );
}

function Drawn({ lesson }: { lesson: LessonShown }) {
  const address = useMemo(() => `data:image/svg+xml,${encodeURIComponent(lesson.picture)}`, [lesson]);
  return <div class="thumb"><img src={address} alt="" /></div>;
}

/** What a puzzle on the board asks, and whether what was played solves it. */
export function PuzzleNote({ desk, puzzle, leave }: { desk: Desk; puzzle: PuzzleAsked; leave(): void }) {
  const { table } = desk;
  const { lesson, game } = puzzle;
  useEffect(() => () => desk.trace(null), [table.at]); // what was shown is played, or left
  const before = lesson.moves.split(" ").filter(Boolean);
  const line = lineOf(table).map((node) => node.text);
  const answer = [...before, ...lesson.answer.split(" ")];
  const begins = (whole: string[], part: string[]) => part.every((text, i) => whole[i] === text);
  if (table.source !== game || !begins(line, before)) return null;
  const solved = begins(line, answer);
  const near = begins(answer, line);
  const next = answer[line.length];
  const show = () => {
    const clicks = table.scene.moves.find((move) => move.text === next)?.clicks ?? [];
    desk.trace({ overlay: { hint: clicks.flatMap((click) => click.slice(-1)) } });
    desk.say(t("It is {answer}.", { answer: lesson.answer }));
  };
  return (
    <p class="row puzzled" role="status">
      <span>{solved ? t("That is it.") : near ? t(lesson.text) : t("Not that one. Take it back, and look again.")}</span>
      {near && !solved && <button class="b" onClick={show}>{t("Show me")}</button>}
      <button class="b bare" onClick={leave}>{solved ? t("Play on") : t("Leave the puzzle")}</button>
    </p>
  );
}

// Authoring: the texts of a game in tabs, their mistakes where they are, and a board that follows.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { Cookbook } from "./cookbook";
import type { Desk } from "./desk";
import { PatternPanel, type Place } from "./draw";
import { Drafts, offerArchive, useStored } from "./keep";
import { Editor, type Problem } from "./editor";
import { Icon } from "./icons";
import { again, lineOf } from "./inside";
import { translate, t } from "./language";
import { failure } from "./link";
import type { FileShown, Where } from "./messages";
import { NewText } from "./newtext";
import { SaveAs } from "./saveas";
import { Studies } from "./studies";
import { Tabs } from "./tabs";

const KINDS = /\.(rules|eval|personality|patterns|look|cases)$/;

/** Texts that the board follows while they are written. */
const FOLLOWED = /\.(rules|look)$/;

/** From so many pixels on there is room for recipes beside the text and the board. */
const WIDE = 1600;

/** The folder of a text, with the stroke at its end. */
const folderOf = (entry: FileShown) => entry.path.slice(0, entry.path.lastIndexOf("/") + 1);

interface Open {
  path: string;
  digest: string;
  writable: boolean;
  changed: boolean;
}

export function Author(props: { desk: Desk; folder: string | null; opened: string | null; active: boolean; drafting: boolean; setDrafting(on: boolean): void }) {
  const { desk, folder, opened, active, drafting, setDrafting } = props;
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const [files, setFiles] = useState<FileShown[]>([]);
  const [file, setFile] = useState<Open | null>(null);
  const [problems, setProblems] = useState<Problem[]>([]);
  const [place, setPlace] = useState<Place>({ text: "", offset: 0 });
  const [behindLine, setBehindLine] = useState(0);
  const [draft, setDraft] = useState<string | null>(null);
  const [cooking, setCooking] = useStored("recipes shown", innerWidth >= WIDE);
  const drafts = useMemo(() => new Drafts(folder ?? ""), [folder]);
  const current = useRef<Open | null>(null);
  const request = useRef(0);
  current.current = file;

  const list = async () => {
    const listing = await desk.service.ask("files", {}).catch(() => []);
    setFiles(listing);
    const { source } = desk.table;
    const rules = listing.find((entry) => entry.path === source) ?? listing.find((entry) => !entry.writable && entry.path.endsWith(`/${source}.rules`));
    const left = active ? listing.find((entry) => entry.path in drafts.all()) : undefined;
    const first = left ?? listing.find((entry) => entry.path === opened) ?? (active ? rules : undefined);
    if (first && !current.current) await read(first);
  };
  useEffect(() => void list(), [desk.table.source, folder, active]);

  /** Ask what is wrong with the text; the board follows rules and looks without mistakes. */
  const check = async (text: string) => {
    const now = current.current;
    if (!now) return;
    const number = ++request.current;
    try {
      const checked = await desk.service.ask("check", { path: now.path, text });
      if (number !== request.current) return;
      setProblems(checked.diagnostics);
      setBehindLine(FOLLOWED.test(now.path) ? (checked.diagnostics.find((problem: Problem) => problem.severity === "error")?.line ?? 0) : 0);
      editor.current?.show(text, checked);
      const sound = checked.diagnostics.every((problem: Problem) => problem.severity !== "error");
      if (sound && FOLLOWED.test(now.path) && now.changed) await desk.act("follow", { path: now.path, text });
    } catch (error) {
      desk.say(failure(error).message, true);
    }
  };
  const standLater = useRef(0);
  const stand = () => {
    clearTimeout(standLater.current);
    standLater.current = window.setTimeout(() => editor.current && setPlace({ text: editor.current.text, offset: editor.current.offset }), 60);
  };
  const checkLater = useRef(0);
  const edited = (text: string) => {
    setFile((openFile) => {
      const now = openFile && { ...openFile, changed: true };
      current.current = now;
      return now;
    });
    setDraft(null);
    if (current.current && !drafts.keep(current.current.path, text)) desk.say(t("The browser keeps no draft of this text; save it before you leave."), true);
    clearTimeout(checkLater.current);
    checkLater.current = window.setTimeout(() => void check(text), 120);
  };
  useEffect(() => {
    const path = () => current.current?.path ?? "";
    const quietly = <T,>(answer: Promise<T>, otherwise: T) => answer.catch(() => otherwise);
    editor.current = new Editor(parent.current!, {
      changed: (text) => edited(text),
      moved: () => stand(),
      save: () => void handlers.current.save(),
      hover: (text, offset) => quietly(desk.service.ask("hover", { path: path(), text, offset }), null),
      complete: (text, offset) => quietly(desk.service.ask("complete", { path: path(), text, offset }), null),
      define: (text, offset) => quietly(desk.service.ask("define", { path: path(), text, offset }), []),
      format: (text) => quietly(desk.service.ask("format", { path: path(), text }), []),
      elsewhere: (place) => void handlers.current.show(place),
      rename: () => handlers.current.rename(),
    });
    return () => editor.current?.close();
  }, []);

  /** The game by what is saved; from its beginning, where its decisions are legal by the changed rules alone. */
  const goBack = async () => {
    const game = again(desk.table);
    return (await desk.act("open", game)) ?? desk.act("open", { ...game, moves: "" });
  };
  const read = async (entry: FileShown) => {
    if (file?.changed && !confirm(t("{path} has changes that are not saved. Leave them?", { path: file.path }))) return;
    if (file?.changed) drafts.drop(file.path);
    if (file?.changed && desk.followed === file.path) await goBack();
    const text = await desk.act("read", { path: entry.path });
    if (!text) return;
    // a file that is asked for twice keeps the cursor where somebody may have put it by now
    const stands = current.current?.path === entry.path && editor.current?.text === text.text;
    const now = { path: entry.path, digest: text.digest, writable: entry.writable, changed: false };
    current.current = now;
    setFile(now);
    if (!stands) editor.current?.open(text.text, entry.path);
    const kept = drafts.all()[entry.path];
    setDraft(kept !== undefined && kept !== text.text ? kept : null);
    stand();
    await check(text.text);
  };
  const save = async (as?: string) => {
    const now = current.current;
    const text = editor.current?.text;
    if (!now || text === undefined) return false;
    const path = as ?? now.path;
    const written = await desk.act("write", { path, text, digest: as ? "" : now.digest });
    if (!written) return false;
    const changed = editor.current?.text !== text; // somebody went on typing while it was written
    if (!changed) drafts.drop(now.path);
    current.current = { path, digest: written.digest, writable: true, changed };
    setFile(current.current);
    if (as?.endsWith(".rules")) await desk.act("open", { ...again(desk.table), game: as }); // the board goes on by it
    desk.say(t("{path} is saved", { path }));
    void list();
    return true;
  };
  useEffect(() => {
    // asks what is unsaved now: a listener put up and taken down by effects is a frame late
    const ask = (event: BeforeUnloadEvent) => current.current?.changed && event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  const takeUp = () => {
    const view = editor.current!;
    view.apply([{ start: 0, end: [...view.text].length, text: draft! }]);
  };
  const throwAway = () => {
    drafts.drop(file!.path);
    setDraft(null);
  };
  /** Show a place, in another file where it is there. */
  const show = async (place: Where) => {
    if (place.path !== current.current?.path) {
      const entry = files.find((other) => other.path === place.path) ?? { path: place.path, kind: "", writable: false };
      await read(entry);
    }
    if (place.path === current.current?.path) editor.current?.goto(place.start);
  };
  const [naming, setNaming] = useState<string | null>(null);
  const renaming = useRef(0);
  const rename = () => {
    renaming.current = editor.current!.offset;
    setNaming(editor.current!.word);
  };
  /** Another name in all files of the game: those that are not open are written, and this one too. */
  const renamed = async (event: Event) => {
    event.preventDefault();
    const now = current.current;
    const text = editor.current?.text;
    if (!now || text === undefined || naming === null) return;
    const renamed = await desk.act("rename", { path: now.path, text, offset: renaming.current, name: naming });
    if (!renamed) return;
    setNaming(null);
    editor.current?.apply(renamed.edits);
    if (renamed.files.length > 0 && now.writable) await save();
    const also = renamed.files.map((name) => t(", and in {name}", { name })).join("");
    desk.say(t("renamed {count} times here{also}", { count: renamed.edits.length, also }));
  };
  const handlers = useRef({ save, show, rename });
  handlers.current = { save, show, rename };
  const [saving, setSaving] = useState(false);
  /** Texts from the disk; one that is there already is only replaced where that is wished. */
  const bring = async (uploads: FileList | null) => {
    for (const upload of [...(uploads ?? [])].filter((file) => KINDS.test(file.name))) {
      const path = upload.webkitRelativePath.split("/").slice(1).join("/") || upload.name;
      const isThere = files.some((file) => file.writable && file.path === path);
      if (isThere && !confirm(t("{path} is there already. Replace it?", { path }))) continue;
      const digest = isThere ? (await desk.act("read", { path }))?.digest ?? "" : "";
      if (await desk.act("write", { path, text: await upload.text(), digest })) desk.say(t("{path} is here", { path }));
    }
    void list();
  };
  /** A new pattern at the end of the text, with the cursor in it. */
  const begin = (name: string) => {
    const view = editor.current!;
    const end = [...view.text].length;
    view.apply([{ start: end, end, text: `${view.text.endsWith("\n") ? "" : "\n"}\nOff ${name}\n` }]);
    view.goto([...view.text].length - 1);
  };
  /** Put a recipe behind the statement that the cursor is in, and show it there. */
  const cook = async (title: string) => {
    const view = editor.current!;
    const edits = await desk.act("recipe", { path: file!.path, text: view.text, offset: view.offset, title });
    if (!edits) return;
    view.apply(edits);
    const long = edits.reduce((most, edit) => (edit.text.length > most.text.length ? edit : most));
    const before = edits.filter((edit) => edit.start < long.start).map((edit) => edit.text.length - (edit.end - edit.start));
    view.goto(before.reduce((sum, more) => sum + more, long.start) + long.text.search(/\S/));
  };
  const download = async () => {
    const archive = await desk.act("texts", {});
    if (archive) offerArchive(archive);
  };
  /** What belongs to the game on the board: what lies beside its rules, or is bundled with them. */
  const { source } = desk.table;
  const moves = lineOf(desk.table, desk.table.end).length;
  /** Open a game that was just written, on the board and in the editor. */
  const begun = async (path: string) => {
    await desk.act("open", { game: path, options: {} });
    await list();
    await read({ path, kind: "rules", writable: true });
  };
  const [apart, setApart] = useState(false);
  const follows = !file?.changed || !file.path.endsWith(".rules") || desk.followed === file.path;
  useEffect(() => {
    const later = setTimeout(() => setApart(!follows), follows ? 0 : 1000); // a board that is about to follow needs no word
    return () => clearTimeout(later);
  }, [follows]);
  const ownGame = files.some((entry) => entry.writable && entry.path === source);
  const near = (entry: FileShown) => (ownGame ? entry.writable && folderOf(entry) === source.slice(0, source.lastIndexOf("/") + 1) : !entry.writable || folderOf(entry) === "");
  return (
    <>
      <div class="row heads">
        <Tabs files={files} near={near} path={file?.path ?? ""} changed={file?.changed ?? false} open={(entry) => void read(entry)} />
        <span class="row">
          <button class="b" aria-expanded={cooking} onClick={() => setCooking(!cooking)}><Icon name="book" />{t("Recipes")}</button>
          {folder && <button class="b newtext-button" aria-expanded={drafting} onClick={() => setDrafting(!drafting)}><Icon name="plus" />{t("New text")}</button>}
        </span>
      </div>
      {apart && behindLine === 0 && (
        <p class="row behind" role="status">
          <Icon name="eye" /> {t("The board does not follow this text.")}
          <button class="b" onClick={() => void check(editor.current!.text)}>{t("Play by this text")}</button>
        </p>
      )}
      {drafting && <NewText desk={desk} close={() => setDrafting(false)} begun={begun} />}
      {behindLine > 0 && file?.changed && (
        <p class="behind" role="status">
          <Icon name="eye" /> {t("The board still shows the text before line {line} was changed.", { line: behindLine })}
          {moves > 0 && ` ${moves === 1 ? t("Your game of 1 move is kept.") : t("Your game of {count} moves is kept.", { count: moves })}`}
        </p>
      )}
      {draft !== null && (
        <p class="row draft" role="status">
          {t("What you wrote here last was not saved; it is kept.")}
          <button onClick={takeUp}>{t("Take it up")}</button>
          <button class="quiet" onClick={throwAway}>{t("Throw it away")}</button>
        </p>
      )}
      <div class={cooking ? "writing cooking" : "writing"}>
        <div ref={parent} class="editor" hidden={!file} />
        {cooking && file && active && <Cookbook key={file.path} desk={desk} path={file.path} text={place.text} put={cook} />}
      </div>
      {file && (
        <p class="row">
          <button disabled={!file.writable || !file.changed} onClick={() => void save()}>{t("Save")}</button>
          <button disabled={!folder} onClick={() => setSaving(true)} title={folder ? "" : t("start the studio with a file or folder of yours")}>{t("Save as")}</button>
          <button onClick={() => void editor.current?.format()} title={t("Shift-Alt-F")}>{t("Format")}</button>
          <button onClick={rename} title={t("F2")}>{t("Rename")}</button>
          <span>{problems.length === 0 ? t("No mistakes") : t("{count} to look at", { count: problems.length })}</span>
        </p>
      )}
      {saving && file && <SaveAs desk={desk} like={file.path} save={save} close={() => setSaving(false)} />}
      {naming !== null && (
        <form class="row" onSubmit={(e) => void renamed(e)}>
          <label>
            {t("another name")} <input value={naming} autofocus spellcheck={false} onInput={(e) => setNaming(e.currentTarget.value)} onKeyDown={(e) => e.key === "Escape" && setNaming(null)} />
          </label>
          <button>{t("Rename everywhere")}</button>
          <button type="button" class="quiet" onClick={() => setNaming(null)}>{t("Leave it")}</button>
        </form>
      )}
      {file?.path.endsWith(".patterns") && (
        <PatternPanel desk={desk} path={file.path} place={place} active={active} begin={begin} apply={(edits) => editor.current?.apply(edits, false)} />
      )}
      <ul class="problems">
        {problems.map((problem) => (
          <li class={problem.severity}>
            <button onClick={() => editor.current?.goto(problem.start)}>
              {problem.line}:{problem.column}
            </button>{" "}
            {translate(problem.message)} <code>{problem.code}</code>
            {problem.hint && <span class="hint">{translate(problem.hint)}</span>}
          </li>
        ))}
      </ul>
      {file && (
        <Studies
          desk={desk}
          path={file.path}
          text={() => editor.current?.text ?? ""}
          files={files}
          apply={(edits) => editor.current?.apply(edits)}
          goto={(line) => editor.current?.line(line)}
          beside={(lines) => editor.current?.beside(lines)}
        />
      )}
      {folder && (
        <p class="row">
          <label class="b file">
            {t("Bring texts")} <input class="sr" type="file" multiple onChange={(e) => void bring(e.currentTarget.files)} />
          </label>
          <label class="b file">
            {t("Bring a folder")} <input class="sr" type="file" multiple {...{ webkitdirectory: true }} onChange={(e) => void bring(e.currentTarget.files)} />
          </label>
          <button class="b" onClick={() => void download()}>{t("All texts as a zip")}</button>
        </p>
      )}
    </>
  );
}

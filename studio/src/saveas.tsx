// A text under another name: what is wrong with the name is said under it while it is typed.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Desk } from "./desk";
import { t, translate } from "./language";
import type { Named } from "./messages";

export function SaveAs({ desk, like, save, close }: { desk: Desk; like: string; save(path: string): Promise<boolean>; close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(like.split("/").pop()!);
  const [answer, setAnswer] = useState<Named & { of: string }>({ of: "", path: "", refusal: "" });
  useEffect(() => {
    dialog.current!.showModal();
    field.current!.setSelectionRange(0, name.lastIndexOf("."));
  }, []);
  const check = async () => {
    const named = await desk.service.ask("new_name", { name, like }).catch(() => null);
    if (named && field.current?.value === name) setAnswer({ of: name, ...named });
  };
  useEffect(() => void check(), [name]);
  const looked = answer.of === name;
  const path = looked ? answer.path : "";
  const write = async (event: Event) => {
    event.preventDefault();
    if (path && (await save(path))) close();
    else await check(); // it may be there by now
  };
  return (
    <dialog ref={dialog} class="sheet" aria-label={t("Save as")} onClose={close}>
      <form onSubmit={(e) => void write(e)}>
        <h2>{t("Save as")}</h2>
        <label class="ask">
          <span>{t("Name")}</span>
          <input ref={field} value={name} autofocus spellcheck={false} aria-invalid={looked && !path} aria-describedby="name-said" onInput={(e) => setName(e.currentTarget.value)} />
        </label>
        <p id="name-said" class={looked && !path ? "hint wrong" : "hint"} role="status">
          {path ? t("It will be a file of its own: {path}.", { path }) : looked && translate(answer.refusal)}
        </p>
        <p class="row">
          <button class="b go" disabled={!path}>{t("Save")}</button>
          <button type="button" class="b" onClick={close}>{t("Cancel")}</button>
        </p>
      </form>
    </dialog>
  );
}

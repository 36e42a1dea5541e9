// A part of a view that is opened when it is wanted: its question, and below it how it is answered.

import type { ComponentChildren } from "preact";

import { useKept } from "./keep";

/** `quiet` is a line of settings below a question; the others are questions of their own. */
export function Fold({ title, quiet, children }: { title: string; quiet?: string; children: ComponentChildren }) {
  const [open, setOpen] = useKept(`open ${title}`, false);
  return (
    <details class={quiet ? "fold quiet" : "fold"} open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{quiet ?? <h2>{title}</h2>}</summary>
      {children}
    </details>
  );
}

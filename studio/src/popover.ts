// What opens over the page at a button: it has the focus, and goes away by Escape or by a press elsewhere.

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A box over the page, closed by Escape and by a press outside of it and of the button that has opened it. */
export function usePopover(close: () => void): RefObject<HTMLDivElement> {
  const box = useRef<HTMLDivElement>(null);
  const closing = useRef(close);
  closing.current = close;
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const inside = (target: EventTarget | null) => box.current?.contains(target as Node) || (target as Element).closest("[aria-expanded='true']");
    const press = (event: PointerEvent) => void (inside(event.target) || closing.current());
    const key = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      closing.current();
      opener?.focus();
    };
    box.current!.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
    addEventListener("pointerdown", press);
    addEventListener("keydown", key);
    return () => {
      removeEventListener("pointerdown", press);
      removeEventListener("keydown", key);
    };
  }, []);
  return box;
}

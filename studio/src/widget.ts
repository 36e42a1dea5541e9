// A playable board for a notebook: a scene comes from the model, decisions go back as messages.

import { Board } from "./board";
import { click, clickable, open, spoken } from "./clicks";
import type { Scene, SceneMove } from "./messages";
import { buttonWords, choiceWords, sideName } from "./words";

interface Model {
  get(name: "scene"): Scene;
  get(name: "message" | "last"): string;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
  send(message: { play: string } | { back: true }): void;
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  let clicked: number[] = [];
  const frame = document.createElement("div");
  const below = document.createElement("p");
  const message = document.createElement("p");
  message.setAttribute("role", "status");
  el.classList.add("rulewright-board");
  // a width of its own: in a cell that is as wide as what it holds, a drawing has none
  Object.assign(el.style, { display: "grid", gridTemplateColumns: "minmax(0, 40rem)" });
  el.append(frame, below, message);

  const button = (text: string, act: () => void) => {
    const button = document.createElement("button");
    button.textContent = text;
    button.addEventListener("click", act);
    return button;
  };
  const play = (move: SceneMove) => model.send({ play: move.text });
  const draw = (choices: SceneMove[] = []) => {
    const scene = model.get("scene");
    board.draw(scene, { open: open(clickable(scene), clicked), clicked });
    const moves = choices.length > 0 ? choices : spoken(scene.moves);
    below.replaceChildren(
      ...moves.map((move) => button(move.clicks.length ? choiceWords(scene, move, moves) : buttonWords(scene, move)[0], () => play(move))),
      button("take back", () => model.send({ back: true })),
    );
    const verdict = scene.mover ? `${sideName(scene, scene.mover)} to move` : scene.winner ? `${sideName(scene, scene.winner)} wins` : "draw";
    message.textContent = model.get("message") || [verdict, model.get("last") && `last: ${model.get("last")}`].filter(Boolean).join(", ");
  };
  const board = new Board(
    frame,
    (site) => {
      const step = click(clickable(model.get("scene")), clicked, site);
      clicked = step.clicked;
      if (step.play) play(step.play);
      draw(step.choices);
      if (step.refused) board.refuse(site);
    },
    () => {
      clicked = [];
      draw();
    },
  );
  const redraw = () => {
    clicked = [];
    draw();
  };
  // what stands below is seen, too, where a frame is low
  Object.assign(board.root.style, { width: "100%", maxHeight: "max(10rem, calc(100dvh - 8.5rem))" });
  model.on("change:scene", redraw);
  model.on("change:message", redraw);
  draw();
  return () => {
    model.off("change:scene", redraw);
    model.off("change:message", redraw);
  };
}

export default { render };

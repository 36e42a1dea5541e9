// Recipes beside a text: what may happen in a game, as the lines that say so, put in by a click.

import { useEffect, useState } from "preact/hooks";

import type { Desk } from "./desk";
import { Icon } from "./icons";
import { t } from "./language";
import type { Recipe } from "./messages";

/** Milliseconds after which a text that is typed is looked at. */
const LATER = 400;

interface Props {
  desk: Desk;
  path: string;
  /** The text as it is now. */
  text: string;
  /** Put a recipe where the cursor stands. */
  put(title: string): Promise<void>;
}

export function Cookbook({ desk, path, text, put }: Props) {
  const [known, setRecipes] = useState<Recipe[] | null>(null);
  const recipes = known ?? [];
  const [wanted, setWanted] = useState("");
  const [chosen, setChosen] = useState("");
  useEffect(() => {
    let current = true;
    const ask = () => void desk.service.ask("recipes", { path, text }).then((answer) => current && setRecipes(answer)).catch(() => {});
    const timer = setTimeout(ask, recipes.length > 0 ? LATER : 0);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [path, text]);
  const fits = ({ title, about, text }: Recipe) => wanted.toLowerCase().split(/\s+/).every((word) => `${t(title)} ${t(about)} ${title} ${text}`.toLowerCase().includes(word));
  const matches = recipes.filter(fits);
  const recipe = matches.find(({ title }) => title === chosen) ?? matches[0];
  return (
    <section class="cookbook" aria-label={t("Recipes")}>
      <label class="find">
        <Icon name="search" />
        <span class="sr">{t("What should happen?")}</span>
        <input type="search" placeholder={t("What should happen?")} value={wanted} onInput={(e) => setWanted(e.currentTarget.value)} />
      </label>
      <div class="dishes" role="group" aria-label={t("recipes")}>
        {matches.map(({ title }) => (
          <button class="b bare" aria-pressed={title === recipe?.title} onClick={() => setChosen(title)}>{t(title)}</button>
        ))}
        {known?.length === 0 && <p class="hint">{t("There are recipes for rules and looks.")}</p>}
        {recipes.length > 0 && matches.length === 0 && <p class="hint">{t("No recipe speaks of that.")}</p>}
      </div>
      {recipe && (
        <div class="dish">
          <pre tabindex={0} role="region" aria-label={t("the text of {title}", { title: t(recipe.title) })}>{recipe.text.trim()}</pre>
          <p>{t(recipe.about)}</p>
          {recipe.turn && <p class="hint">{t("Your turn becomes")} <code>{recipe.turn.replace("TURN", "…")}</code></p>}
          <button class="b soft" onClick={() => void put(recipe.title)}>{t("Put this into my text")}</button>
        </div>
      )}
    </section>
  );
}

// Light or dark as the studio beside the documents was set, and the other way round.
const STUDIO = "rulewright theme";
const CHOSEN = ["light", "dark"];

const studioTheme = localStorage.getItem(STUDIO);
if (CHOSEN.includes(studioTheme)) localStorage.setItem("theme", studioTheme);
else localStorage.setItem("theme", "auto");

document.addEventListener("DOMContentLoaded", () => {
  new MutationObserver(() => {
    const { theme } = document.body.dataset;
    if (CHOSEN.includes(theme)) localStorage.setItem(STUDIO, theme);
    else localStorage.removeItem(STUDIO);
  }).observe(document.body, { attributeFilter: ["data-theme"] });
});

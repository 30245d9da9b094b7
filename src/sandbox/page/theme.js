import { useState } from "preact/hooks";
import { html } from "./html.js";
import { Icon } from "./icons.js";

const key = "theme";

/** Light or dark: as the machine has it, until somebody chooses. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(shown);
  const other = theme === "dark" ? "light" : "dark";

  function change() {
    document.documentElement.dataset.theme = other;
    setTheme(other);
    try {
      localStorage.setItem(key, other);
    } catch {
      // A browser that keeps nothing has it until the page is loaded anew.
    }
  }

  return html`<button type="button" class="plain theme" aria-label=${`Change to the ${other} theme`} onClick=${change}>
    <${Icon} name=${theme === "dark" ? "sun" : "moon"} size=${18} />
  </button>`;
}

/** Applies what was chosen before; called once, before the page is drawn. */
export function restoreTheme() {
  try {
    const chosen = localStorage.getItem(key);
    if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  } catch {
    // Then it is the machine's.
  }
}

function shown() {
  const { theme } = document.documentElement.dataset;
  return theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

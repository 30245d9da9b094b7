import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { html } from "./html.js";

/** The page's state as the acting user sees it: `{ me, users, groups, channels, shortcuts, timeZone }`. */
export const Workspace = createContext(undefined);

export function useWorkspace() {
  return useContext(Workspace);
}

export function nameOf(user) {
  return user?.real_name ?? user?.name ?? "Someone";
}

// The parts that two members play in the practice stories; Slack itself knows no such roles.
const parts = { caro: "approver", dave: "read-only" };
const roles = {
  owner: "owner",
  admin: "admin",
  guest: "guest",
  "single-channel guest": "guest of one channel",
  stranger: "other organisation",
};

/** The role of a person in a word or two, for the "Act as" list. */
export function roleOf(user) {
  return roles[user.role] ?? parts[user.name] ?? "member";
}

/** A square with the person's initials, in a colour of their own; a bell for the app. */
export function Avatar({ user, size = 36 }) {
  const bot = user?.bot === true;
  const kind = bot ? "app" : `hue-${hueOf(user?.name ?? "")}`;
  return html`<span class="avatar ${kind}" style=${{ "--size": `${size}px` }} aria-hidden="true">
    ${bot ? html`<svg viewBox="0 0 16 16"><path d=${user.name === "rackbell" ? bell : bolt} /></svg>` : initials(nameOf(user))}
  </span>`;
}

const bell =
  "M8 2.500a3.5 3.5 0 0 0-3.5 3.500v2.600L3.3 10.800h9.400L11.5 8.600V6A3.5 3.5 0 0 0 8 2.500zm-1.5 9.300a1.5 1.5 0 0 0 3 0z";

/** Another app must not look like the one that acts. */
const bolt = "M9 1.500 3.500 9H8l-1 5.500L12.500 7H8z";

function initials(name) {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map((word) => [...word][0].toUpperCase()).join("");
}

function hueOf(name) {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) % 997;
  return sum % 6;
}

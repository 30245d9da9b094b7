import { limits } from "../views/limits.ts";
import { capital } from "../views/text.ts";
import type { Risk } from "./risk.ts";

/** Words of commands that people write in another way. */
const written: Readonly<Record<string, string>> = {
  addons: "add-ons",
  casts: "links",
  ips: "IP addresses",
  options: "add-ons",
  sftp: "SFTP login",
  sshkeys: "SSH keys",
  stats: "usage",
};

/** Words that lead on to the name of the target. */
const leading: ReadonlySet<string> = new Set(["for", "from", "of", "on", "to"]);

/**
 * The act as words that stand without its target, for a modal's title and for "asks to …": "Reboot VPS", "Make a console link". Slack
 * would cut a longer title than 24 characters.
 */
export function phraseOf({
  words,
  verb,
  risk,
  label,
}: {
  /** The words of the command after its noun: "snapshot delete". */
  words: string;
  verb: string;
  risk: Risk;
  /** The kind of the target, if there is one: "VPS". */
  label: string | null;
}): string {
  if (risk === "read") {
    if (words === "show" && label !== null) return `Show ${label}`;
    return `Show ${words
      .split(/[ -]/)
      .map((word) => written[word] ?? word)
      .join(" ")}`;
  }
  // "Make a console link to" goes on with the name of the target; "Switch on" does not.
  const said = verb.split(" ");
  const alone = said.length > 2 && leading.has(said.at(-1) ?? "") ? said.slice(0, -1).join(" ") : verb;
  if (alone !== verb || label === null || verb.endsWith(label.split(" ").at(-1) ?? "")) return alone;
  // Of "dedicated server", the last words say enough where all have no room.
  const kinds = label.split(" ").map((_, at, all) => `${verb} ${all.slice(at).join(" ")}`);
  return kinds.find((phrase) => phrase.length <= limits.view.title) ?? verb;
}

/** "vps snapshot delete" -> "Snapshot delete". */
export function verbOf(command: string): string {
  return capital(command.split(" ").slice(1).join(" "));
}

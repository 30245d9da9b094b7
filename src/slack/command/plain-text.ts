/** The text that the member saw: without Slack's escapes and links, without invisible characters, and with plain blanks. */
export function readPlainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/<([^<>]*)>|&(amp|lt|gt);/g, (_, link?: string, entity?: string) =>
      link === undefined ? (entities[entity ?? ""] ?? "") : typedLink(link),
    )
    .replace(/[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g, "")
    .replace(/[\u200c\u200d]+/g, (joiners, at: number, whole: string) =>
      // Joiners belong to emoji and Persian. Check both neighbours by hand: a lookahead would retry from each character of a long run.
      isBeyondAscii(whole[at - 1]) && isBeyondAscii(whole[at + joiners.length]) ? joiners : "",
    )
    .replace(/[^\S\n]/g, " ")
    .replace(/(?!\n)\p{Cc}/gu, "");
}

function isBeyondAscii(character = ""): boolean {
  return character > "\x7f";
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">" };

/** The typed text for the inside of Slack's angle brackets. */
function typedLink(inside: string): string {
  const bar = inside.indexOf("|");
  const target = withoutEntities(bar === -1 ? inside : inside.slice(0, bar));
  const label = bar === -1 ? "" : withoutEntities(inside.slice(bar + 1));
  if (/^[@#]/.test(target)) return target;
  if (target.startsWith("!subteam^")) return `@${target.slice("!subteam^".length)}`;
  if (target.startsWith("!")) return label || `@${target.slice(1)}`;
  if (/^(mailto|tel):/.test(target)) return label || target.replace(/^\w+:/, "");
  const address = target.replace(/^\w+:\/\//, "");
  const linkedBySlack =
    label !== "" && address.replace(/\/$/, "").toLowerCase() === label.replace(/\/$/, "").toLowerCase();
  return linkedBySlack ? label : target;
}

function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, entity: string) => entities[entity] ?? "");
}

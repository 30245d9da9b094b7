import * as z from "#zod";
import { slackUserIn } from "../../members/identities/person.ts";
import { PlainText, plainly } from "../../process/plain-text.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";

/** A resource that an act destroys only after somebody typed its name. It is pinned to the id: another of that name has none. */
export const Protection = z.object({
  id: z.string(),
  /** The command that shows it. */
  card: z.string(),
  /** Its name when it was protected, or when an admin last proposed to lift that. */
  name: PlainText,
  by: z.string(),
  at: z.number(),
});
export type Protection = z.infer<typeof Protection>;

/** So many are protected at once: each act that destroys reads all of them. */
export const mostProtections = 500;

/** Says of a resource that it is protected, by whom and since when, to one person: a posted mention would notify somebody who need not act. */
export function protectionLine({ by, at }: Pick<Protection, "by" | "at">): string {
  return protectedWords(`<@${slackUserIn(by)}>`, at);
}

/** The same on a card that is posted, with the name of who protected it. */
export function protectionNote({ byName, at }: { byName: PlainText; at: number }): string {
  return protectedWords(code(plainly`@${byName}`), at);
}

function protectedWords(by: string, at: number): string {
  return `:lock: Protected by ${by} since ${moment(at)}. Each person who decides an act that destroys it types its name.`;
}

/** Names the protected rows of a list; null where there is none. */
export function protectedRows(protections: readonly Protection[]): string | null {
  const named = protections.map(({ name, by }) => `${code(name, 60)} by <@${slackUserIn(by)}>`);
  return named.length === 0 ? null : `:lock: Protected: ${named.join(", ")}.`;
}

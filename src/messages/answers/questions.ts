import { labelledApart, nothingFound, unreadDoubt } from "../../members/access/resolve.ts";
import type { Fact } from "../../operation/answer.ts";
import type { Identity } from "../../operation/identity.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import type { Entry } from "../../operation/target.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { code } from "../../views/text.ts";
import type { Origin } from "../origin.ts";
import type { Reply } from "../reply.ts";
import { choiceMessage, interruptionMessage, type ScheduledFor } from "./answers.ts";
import { withoutSecretInput } from "./buttons.ts";

/** Asks the requester which of several resources is meant; a press continues with that one. */
export async function askWhich(
  reply: Reply,
  operation: Operation,
  invocation: Invocation,
  { entries, near, at, unread = 0 }: { entries: readonly Entry[]; near: boolean; at?: number; unread?: number },
  origin: Origin,
): Promise<void> {
  const candidates = labelledApart(entries);
  // The typed name was confirmed, and a similar name is another resource: ask again for this one.
  const asked = near ? { ...invocation, confirmed: false } : invocation;
  const names = invocation.several && "names" in invocation.several ? invocation.several.names : [];
  const typed = code(at === undefined ? (invocation.target ?? "") : (names[at] ?? ""));
  const what = operation.target?.label ?? "resource";
  const question = near
    ? `${nothingFound(unread)} ${what} called ${typed}.${unreadDoubt(unread)} ${candidates.length === 1 ? "Did you mean this one?" : "Did you mean one of these?"} Nothing was done.`
    : `${typed} means more than one ${what}. Which one?`;
  const picks = candidates.map(({ id, label }) => ({ label, operation, invocation: picked(asked, id, at) }));
  await reply.ephemeral(origin, choiceMessage(question, picks));
}

/** The invocation with the picked resource, as its target or as one of several. */
function picked({ several, ...invocation }: Invocation, id: string, at: number | undefined): Invocation {
  if (at === undefined || !several || !("names" in several)) return { ...invocation, target: id };
  const names = several.names.with(at, id);
  return { ...invocation, target: names.join(" "), several: { names } };
}

/**
 * Asks the requester to confirm an act that would interrupt a service, or whose schedule meets another (`conflict`, a sentence). True when it
 * asked; the caller must then not run the act.
 */
export async function askedToConfirm(
  reply: Reply,
  operation: Operation,
  what: {
    verb: PlainText;
    name: PlainText;
    described: readonly Fact[];
    when?: ScheduledFor | null;
    readIdentity?: () => Promise<Identity | null>;
  },
  invocation: Invocation,
  origin: Origin,
  conflict: string | null = null,
): Promise<boolean> {
  const consequences = [operation.interrupts?.(invocation.input) ?? null, conflict].filter((text) => text !== null);
  if (consequences.length === 0 || invocation.confirmed) return false;
  const identity = (await what.readIdentity?.()) ?? null;
  const open = withoutSecretInput(operation, invocation);
  const question = interruptionMessage({ ...what, identity }, open, consequences.join(" "), what.described);
  await reply.ephemeral(origin, question, { replace: invocation.replace === true });
  return true;
}

import type { Invocation, Operation } from "../../operation/operation.ts";
import type { Entry } from "../../operation/target.ts";
import { whenWords } from "../../operation/when.ts";
import { limits } from "../../views/limits.ts";
import { clip, code, oneLine } from "../../views/text.ts";
import { toldApart } from "../resolve.ts";
import type { PutOff } from "../when.ts";
import { interruptionMessage, pickerMessage } from "./answers.ts";
import type { Origin } from "./origin.ts";
import type { Reply } from "./reply.ts";

/** Asks the caller which of several things is meant; the press of one goes on with it. */
export async function askWhich(
  reply: Reply,
  operation: Operation,
  invocation: Invocation,
  { entries, near, at }: { entries: readonly Entry[]; near: boolean; at?: number },
  origin: Origin,
): Promise<void> {
  const candidates = toldApart(entries).map(({ id, name, detail }) => ({
    id,
    label: clip(`${oneLine(name)} · ${detail}`, limits.button.text),
  }));
  // What need not be asked about a name was said of another: it is asked about this one.
  const asked = near ? { ...invocation, confirmed: false } : invocation;
  const names = invocation.several && "names" in invocation.several ? invocation.several.names : [];
  const typed = code(at === undefined ? (invocation.target ?? "") : (names[at] ?? ""));
  const what = operation.target?.label ?? "thing";
  const question = near
    ? `You have no ${what} called ${typed}. ${candidates.length === 1 ? "Did you mean this one?" : "Did you mean one of these?"} Nothing was done.`
    : `${typed} means more than one ${what}. Which one?`;
  // Of several, what is picked is asked about with all the others.
  const ofOne = at === undefined ? operation : undefined;
  await reply.ephemeral(
    origin,
    pickerMessage(ofOne, question, candidates, (id) => picked(asked, id, at)),
  );
}

/** The invocation with the one that was picked: as its target, or as one of several. */
function picked({ several, ...invocation }: Invocation, id: string, at: number | undefined): Invocation {
  if (at === undefined || !several || !("names" in several)) return { ...invocation, target: id };
  const names = several.names.with(at, id);
  return { ...invocation, target: names.join(" "), several: { names } };
}

/** Whether the caller is asked, instead of carrying out what would interrupt a service: in one press, with all that was said in it. */
export async function asksFirst(
  reply: Reply,
  operation: Operation,
  what: { verb: string; name: string; when?: PutOff | null },
  invocation: Invocation,
  origin: Origin,
): Promise<boolean> {
  const consequence = operation.interrupts?.(invocation.input) ?? null;
  if (consequence === null || invocation.confirmed) return false;
  const { when } = what;
  const then = when ? ` It is planned for ${whenWords(when.at, when.zone)}. ${when.said}`.trimEnd() : "";
  const question = interruptionMessage(what, invocation, `${consequence}${then}`);
  await reply.ephemeral(origin, question, { replace: invocation.replace === true });
  return true;
}

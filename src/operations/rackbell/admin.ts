import { InputError, wrongInput } from "../../operation/errors.ts";
import { readScheduledTime } from "../../operation/schedule-input.ts";
import { placeProblem } from "../../requests/audience.ts";
import { sentence, unmarked } from "../../views/text.ts";
import { isZone } from "../../views/zone.ts";
import type { AppContext } from "../app-context.ts";

/** A person who was chosen from Slack's list. */
export function personIdOf(typed: string, field: string): string {
  const id = typed.trim().replace(/^@/, "");
  if (!/^[UW][A-Z0-9]{5,}$/.test(id)) throw wrongInput(field, "Choose the person from Slack's list while you type.");
  return id;
}

/** A channel that was chosen from Slack's list. */
export function channelIdOf(typed: string, field = "channel"): string {
  const id = typed.trim().replace(/^#/, "");
  if (!/^[CG][A-Z0-9]{5,}$/.test(id))
    throw wrongInput(
      field,
      "Choose the channel from Slack's list as you type it, so that it is sure which one is meant.",
    );
  return id;
}

/** The same, after a check that the app can post there. */
export async function findTypedChannel({ requests }: AppContext, typed: string, field = "channel"): Promise<string> {
  const id = channelIdOf(typed, field);
  const problem = await placeProblem(requests.people, id, "that channel");
  if (problem) throw wrongInput(field, `${sentence(unmarked(problem))} Nothing was set.`);
  return id;
}

/** A time that was typed, in milliseconds since the epoch. `explain`: the sentence about one that cannot be read. */
export function momentTyped(
  text: string,
  here: { now: number; zone: string },
  field: string,
  explain: (message: string) => string = (message) => message,
): number {
  try {
    return readScheduledTime({ at: text }, here)?.at ?? here.now;
  } catch (error) {
    if (error instanceof InputError) throw wrongInput(field, explain(error.message));
    throw error;
  }
}

/** A time zone that was typed. */
export function zoneNamed(typed: string): string {
  const zone = typed.trim();
  if (isZone(zone)) return zone;
  throw wrongInput("zone", "there is none of that name. Europe/Madrid is one.", "Time zone");
}

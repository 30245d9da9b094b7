import { moment } from "../../views/format.ts";
import { listing } from "../../views/text.ts";
import { type Request, thingOf } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { titleOf } from "./view.ts";

/** What else is planned about the same thing, as a sentence; null where nothing is. Two plans can each be right, and wrong together. */
export async function othersPlanned(
  requests: Pick<RequestStore, "about">,
  wanted: Pick<Request, "id" | "target" | "member" | "command">,
): Promise<string | null> {
  const others = (await requests.about(thingOf(wanted))).filter(
    ({ id, state }) => state === "planned" && id !== wanted.id,
  );
  if (others.length === 0) return null;
  const told = others.map((other) => `${titleOf(other)} ${moment(other.planned?.at ?? 0)}, by <@${other.slackUser}>`);
  return `Planned for the same as well: ${listing(told)}.`;
}

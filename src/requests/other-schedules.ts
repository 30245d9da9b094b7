import { moment } from "../views/format.ts";
import { listing } from "../views/text.ts";
import { type Request, resourceKeyOf } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { titleOf } from "./view.ts";
import type { Visibilities } from "./visibility.ts";

/**
 * Names other schedules for the same resource, as a sentence for the readers of `channel`; null if there are none. Two schedules can each
 * make sense, and conflict.
 */
export async function otherSchedules(
  { requests, visibilities }: { requests: Pick<RequestStore, "about">; visibilities: Pick<Visibilities, "isKnownIn"> },
  request: Pick<Request, "id" | "target" | "member" | "command">,
  channel: string | null,
): Promise<string | null> {
  const others = (await requests.about(resourceKeyOf(request))).filter(
    ({ id, state }) => state === "planned" && id !== request.id,
  );
  if (others.length === 0) return null;
  const sentences = await Promise.all(
    others.map(async (other) => {
      // Readers of this channel learn only the time of an act that was requested in private.
      const mayBeNamed = other.member === request.member || (await visibilities.isKnownIn(channel, other));
      return mayBeNamed
        ? `${titleOf(other)} ${moment(other.planned?.at ?? 0)}, by <@${other.slackUser}>`
        : `another act ${moment(other.planned?.at ?? 0)}`;
    }),
  );
  return `Planned for the same as well: ${listing(sentences)}.`;
}

import type { Approvers } from "./approvers.ts";
import type { Wanted } from "./create.ts";
import type { FindPlace } from "./place.ts";
import { isAskedAlone, type Request } from "./request.ts";

/** Where a request stands, who is called to it, and what stands under it in small. */
type Audience = Pick<Request, "channel" | "mention" | "notice">;

/** Finds those whom a request is for; refuses where they could not see it. */
export type FindAudience = (wanted: Wanted, how: Pick<Request, "risk" | "mode" | "needed">) => Promise<Audience>;

export function createFindAudience(deps: { approvers: Approvers; findPlace: FindPlace }): FindAudience {
  const { approvers, findPlace } = deps;
  return async ({ bound, origin, originator }, { risk, mode, needed }) => {
    const peer = mode === "peer";
    const place = isAskedAlone({ risk, mode })
      ? { channel: origin.channel, notice: null }
      : await findPlace(origin, { peer });
    const call = peer
      ? await approvers.toApprove(bound.links, bound.operation, needed, originator)
      : { mention: null, notice: null };
    return { channel: place.channel, mention: call.mention, notice: joined([place.notice, call.notice]) };
  };
}

/** Notices as one, or null where there is none. */
export function joined(notices: (string | null)[]): string | null {
  return notices.filter((notice) => notice !== null).join(" ") || null;
}

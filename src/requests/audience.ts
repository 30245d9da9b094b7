import { memberBeside } from "../identities/person.ts";
import type { Approvers } from "./approvers.ts";
import type { Proposal } from "./create.ts";
import type { FindPlace } from "./place.ts";
import { isForRequesterAlone, type Request } from "./request.ts";

/** The channel of a request, the mentions in it and a small note below it. */
type PlaceAndApprovers = Pick<Request, "channel" | "mention" | "notice">;

/** Finds the channel and the approvers of a proposal. Throws a Refusal if nobody who may decide it could see it. */
export type FindAudience = (
  proposal: Proposal,
  how: Pick<Request, "risk" | "mode" | "needed" | "admin">,
) => Promise<PlaceAndApprovers>;

export function createFindAudience(deps: { approvers: Approvers; findPlace: FindPlace }): FindAudience {
  const { approvers, findPlace } = deps;
  return async ({ bound, origin, originator }, { risk, mode, needed, admin }) => {
    const peer = mode === "peer";
    const place = isForRequesterAlone({ risk, mode })
      ? { channel: origin.channel, notice: null }
      : await findPlace(origin, { peer });
    const call = peer
      ? await approvers.toApprove(bound.links, bound.operation, {
          ...{ needed, admin },
          originator: originator ? memberBeside(bound.actor.member, originator) : null,
        })
      : { mention: null, notice: null };
    return { channel: place.channel, mention: call.mention, notice: joined([place.notice, call.notice]) };
  };
}

/** Joins the notices with a space; null if there is none. */
export function joined(notices: (string | null)[]): string | null {
  return notices.filter((notice) => notice !== null).join(" ") || null;
}

import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Locks } from "../../storage/store.ts";
import { actions, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import type { Approvers } from "./approvers.ts";
import { createRequest, type Wanted } from "./create.ts";
import type { FindPlace } from "./place.ts";
import { reminderAt } from "./reminder.ts";
import { isAskedAlone, type Request, thingOf } from "./request.ts";
import { findSame } from "./same.ts";
import type { RequestStore } from "./store.ts";
import { refuseWhileUnclear } from "./unclear.ts";
import { buttonsOf, titleOf } from "./view.ts";

/** Makes a request of what a member wants, where it must be asked first; its messages follow from it. */
export type Ask = (wanted: Wanted, risk: "spend" | "destroy") => Promise<void>;

/** Who decides requests, and within how many milliseconds. */
export interface Approvals {
  mode: "self" | "peer";
  ttl: number;
}

/** Longer than it takes to ask the platform for the facts. */
const lockFor = 60_000;

export function createAsk(deps: {
  requests: RequestStore;
  approvers: Approvers;
  findPlace: FindPlace;
  locks: Locks;
  reply: Reply;
  clock: Clock;
  approvals: Approvals;
}): Ask {
  const { requests, approvers, findPlace, locks, reply, clock, approvals } = deps;

  /** Whoever asked in another place than where it stands is told where that is; what cannot be told undoes nothing. */
  async function tellWhere(request: Request): Promise<void> {
    const { origin, channel } = request;
    if (isAskedAlone(request) || channel === origin.channel) return;
    const where = channel === null ? "your direct messages with me" : `<#${channel}>`;
    const text = `Your request to ${titleOf(request)} is in ${where}. ${request.notice ?? ""}`.trim();
    await reply.ephemeral(origin, { text, blocks: [section(text)] }).catch(() => {});
  }

  async function create(wanted: Wanted, risk: "spend" | "destroy"): Promise<void> {
    const { bound, act, origin, originator } = wanted;
    const same = await findSame(requests, wanted, clock.now());
    if (same) return pointAt(same, origin);
    const mode = risk === "destroy" ? approvals.mode : "self";
    const review = await act.review();
    const alone = isAskedAlone({ risk, mode });
    const place = alone
      ? { channel: origin.channel, notice: null }
      : await findPlace(origin, { peer: mode === "peer" });
    const call =
      mode === "peer"
        ? await approvers.toApprove(bound.links, bound.operation, 1, originator)
        : { mention: null, notice: null };
    const notice = [place.notice, call.notice].filter((line) => line !== null).join(" ") || null;
    const asking = { risk, mode, review, channel: place.channel, notice, mention: call.mention, ttl: approvals.ttl };
    const made = createRequest(wanted, asking, { now: clock.now(), seal: requests.seal });
    const request = await requests.create(made, {
      note: { what: "asked", outcome: made.consequence },
      lookAt: reminderAt(made) ?? made.expiresAt,
    });
    await tellWhere(request);
  }

  /** The same does not wait twice: one of the two could be approved after the other was done. */
  async function pointAt(same: Request, origin: Origin): Promise<void> {
    const whose = same.member === origin.member ? "you" : `<@${same.slackUser}>`;
    const where = same.channel === null || same.channel === origin.channel ? "" : ` in <#${same.channel}>`;
    const text = `${titleOf(same)} was asked for by ${whose} ${moment(same.createdAt)} and waits${where} to be decided, so nothing new was asked.`;
    await reply.ephemeral(origin, { text, blocks: [section(text), ...actions(buttonsOf(same), "request")] });
  }

  return async (wanted, risk) => {
    const { bound, act, origin } = wanted;
    const about = { target: act.target, member: bound.actor.member, command: bound.operation.command };
    await refuseWhileUnclear(requests, about, risk);
    // Two who ask for the same in one second are one and the other: who comes second is pointed at the first.
    const name = `ask:${thingOf(about)}`;
    const locked = await locks.lock(name, origin.slackUser, lockFor);
    if ("holder" in locked)
      throw new Refusal(
        `Something about the same is being asked for by <@${String(locked.holder)}> right now, so nothing new was asked. Ask again in a few seconds if yours is another thing.`,
      );
    try {
      await create(wanted, risk);
    } finally {
      await locks.unlock(name, locked.fence);
    }
  };
}

import type { People } from "../../chat/people.ts";
import type { Clock } from "../../clock.ts";
import type { Identities } from "../../identities/identities.ts";
import { areTwoPeople } from "../../identities/link.ts";
import { Refusal } from "../../operation/errors.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import { section } from "../../views/blocks.ts";
import { code } from "../../views/text.ts";
import { may } from "../access.ts";
import { channelProblem } from "../answers/channel-problem.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import type { BoundOperation } from "../bound.ts";
import type { SettingsStore } from "../records/settings.ts";
import { createRequest, type Wanted } from "./create.ts";
import { isAskedAlone, type Request, thingOf } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { titleOf } from "./view.ts";

/** Makes a request of what a member wants, where it must be asked first; its messages follow from it. */
export type Ask = (wanted: Wanted, risk: "spend" | "destroy", runId?: string) => Promise<void>;

/** Who decides requests, and within how many milliseconds. */
export interface Approvals {
  mode: "self" | "peer";
  ttl: number;
}

export function createAsk(deps: {
  requests: RequestStore;
  people: People;
  identities: Identities;
  settings: SettingsStore;
  reply: Reply;
  clock: Clock;
  approvals: Approvals;
}): Ask {
  const { requests, people, identities, settings, reply, clock, approvals } = deps;

  /** Where all who may decide can see it; for who decides alone, their direct messages will do. */
  async function channelFor(origin: Origin, peer: boolean): Promise<{ channel: string | null; notice: string | null }> {
    const { approvalsChannel } = await settings.read();
    const channel = approvalsChannel ?? origin.channel;
    const problem = await whyNot(channel, peer);
    if (!problem) return { channel, notice: null };
    if (!peer) return { channel: null, notice: `${problem}, so it is here.` };
    throw new Refusal(
      `${problem}, so nobody else could see this request. Nothing was asked. Ask in a channel that I am in, or let an admin name one with \`/rackbell approvals channel\`.`,
    );
  }

  /** A peer cannot press what stands in somebody's direct messages. */
  async function whyNot(channel: string | null, peer: boolean): Promise<string | null> {
    if (channel === null) return "It was not asked in a channel";
    const problem = await channelProblem(people, channel, `<#${channel}>`);
    if (problem) return problem;
    const { direct, member } = await people.channel(channel);
    if (direct) return peer ? "These are direct messages" : null;
    return member ? null : `I am not in <#${channel}> (\`/invite @Rackbell\` lets me in)`;
  }

  async function callFor({
    operation,
    links,
  }: BoundOperation): Promise<{ mention: string | null; notice: string | null }> {
    const { approverGroup } = await settings.read();
    const others = await identities.all();
    const able = others.some((other) => areTwoPeople(links, other) && may(other, operation));
    return {
      mention: approverGroup ? `<!subteam^${approverGroup}>` : null,
      notice: able ? null : noApprover(operation),
    };
  }

  /** Whoever asked in another place than where it stands is told where that is; what cannot be told undoes nothing. */
  async function tellWhere(request: Request): Promise<void> {
    const { origin, channel } = request;
    if (isAskedAlone(request) || channel === origin.channel) return;
    const where = channel === null ? "your direct messages with me" : `<#${channel}>`;
    const text = `Your request to ${titleOf(request)} is in ${where}. ${request.notice ?? ""}`.trim();
    await reply.ephemeral(origin, { text, blocks: [section(text)] }).catch(() => {});
  }

  return async (wanted, risk, runId) => {
    const { bound, act, origin } = wanted;
    await refuseWhileUnclear(
      requests,
      { target: act.target, member: bound.actor.member, command: bound.operation.command },
      risk,
    );
    const mode = risk === "destroy" ? approvals.mode : "self";
    const review = await act.review();
    const alone = isAskedAlone({ risk, mode });
    const place = alone ? { channel: origin.channel, notice: null } : await channelFor(origin, mode === "peer");
    const call = mode === "peer" ? await callFor(bound) : { mention: null, notice: null };
    const notice = [place.notice, call.notice].filter((line) => line !== null).join(" ") || null;
    const asking = { risk, mode, review, channel: place.channel, notice, mention: call.mention, ttl: approvals.ttl };
    const made = createRequest(wanted, asking, { now: clock.now(), seal: requests.seal });
    const request = await requests.create(runId === undefined ? made : { ...made, runId }, {
      note: { what: "asked", outcome: made.consequence },
      lookAt: made.expiresAt,
    });
    await tellWhere(request);
  };
}

function noApprover(operation: PlatformOperation): string {
  const keys = operation.api === "reseller" ? "a customer key and a reseller key of their own" : "a key of their own";
  return `Nobody else who is linked could approve this: a member with ${keys} and the scope ${code(operation.scope)} is needed.`;
}

/**
 * One at a time on a thing whose last outcome nobody knows: a second act could do or cost it twice. What only interrupts waits for what
 * only interrupts, and not for a payment that is unclear.
 */
export async function refuseWhileUnclear(
  requests: RequestStore,
  wanted: Pick<Request, "target" | "member" | "command">,
  risk: Request["risk"],
  own?: string,
): Promise<void> {
  const open = await requests.about(thingOf(wanted));
  const unclear = open.find(
    ({ id, state, risk: theirs }) =>
      id !== own && (state === "unknown" || state === "claimed") && (risk !== "change" || theirs !== "spend"),
  );
  if (!unclear) return;
  throw new Refusal(
    `${titleOf(unclear)} was asked for by <@${unclear.slackUser}> and its outcome is not clear yet. Nothing more was done. I am finding out what is really so; try again when that is told.`,
  );
}

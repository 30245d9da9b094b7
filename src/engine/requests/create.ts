import { randomUUID } from "node:crypto";
import { type Chat, type MessageRef, SlackRefused } from "../../chat/chat.ts";
import type { People } from "../../chat/people.ts";
import type { Clock } from "../../clock.ts";
import type { Identities } from "../../identities/identities.ts";
import { areTwoPeople } from "../../identities/link.ts";
import type { Review } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Act, PlatformOperation } from "../../operation/operation.ts";
import { section } from "../../views/blocks.ts";
import { code } from "../../views/text.ts";
import { may } from "../access.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import type { BoundOperation } from "../bound.ts";
import type { SettingsStore } from "../records/settings.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { requestMessage, titleOf } from "./view.ts";

export interface Asked {
  bound: BoundOperation;
  act: Act;
  risk: Request["risk"];
  input: Record<string, unknown>;
  generated: string[];
  origin: Origin;
}

/** How a request is made, and where it is shown. */
export interface RequestPosting {
  create(asked: Asked, review: Review): Request;
  /** Posts a request to destroy where all can see it, or in the next best place. */
  post(request: Request, operation: PlatformOperation): Promise<MessageRef>;
}

interface Deps {
  requests: RequestStore;
  chat: Chat;
  people: People;
  reply: Reply;
  identities: Identities;
  settings: SettingsStore;
  clock: Clock;
  mode: "self" | "peer";
  /** Milliseconds that a request can be decided. */
  ttl: number;
}

export function createRequestPosting(deps: Deps): RequestPosting {
  const { requests, chat, people, reply, identities, settings, clock } = deps;

  // It is posted by then: that its asker could not be told where changes nothing.
  async function tell(origin: Origin, text: string): Promise<void> {
    await reply.ephemeral(origin, { text, blocks: [section(text)] }).catch(() => {});
  }

  function create({ bound, act, risk, input, generated, origin }: Asked, review: Review): Request {
    const { operation, actor, link, links } = bound;
    const id = randomUUID();
    const now = clock.now();
    return {
      v: 1,
      id,
      state: "pending",
      mode: risk === "destroy" ? deps.mode : "self",
      risk,
      api: operation.api,
      command: operation.command,
      verb: operation.verb,
      member: actor.member,
      slackUser: actor.slackUser,
      platformUser: links.customer?.user.id ?? null,
      account: links.customer?.account?.id ?? null,
      project: actor.project,
      keyId: link.keyId,
      keyLabel: link.keyLabel,
      target: act.target,
      sealed: requests.sealInput(id, input),
      generated,
      described: act.described,
      loss: review.consequence,
      material: review.material,
      shown: review.shown,
      personal: review.personal,
      before: review.before,
      origin,
      message: null,
      createdAt: now,
      expiresAt: now + deps.ttl,
      decidedBy: null,
      decidedAt: null,
      words: "",
      looks: 0,
    };
  }

  async function post(request: Request, operation: PlatformOperation): Promise<MessageRef> {
    const { approvalsChannel, approverGroup } = await settings.read();
    const peer = request.mode === "peer";
    const message = requestMessage(request, {
      alone: false,
      mention: peer && approverGroup ? `<!subteam^${approverGroup}>` : null,
      note: peer ? await noApprover(request, operation) : null,
    });
    const channel = approvalsChannel ?? request.origin.channel;
    const closed = await whyClosed(channel, peer);
    const posted = channel && !closed ? await tryPost(channel, message) : null;
    if (posted) {
      if (channel !== request.origin.channel)
        await tell(request.origin, `Your request to ${titleOf(request)} is in <#${channel}>.`);
      return posted;
    }
    const where = approvalsChannel ? `<#${approvalsChannel}>` : "this channel";
    const reason = closed ?? `I am not in ${where} (\`/invite @Rackbell\` lets me in)`;
    if (peer) {
      throw new Refusal(
        `Nobody else could see this request: ${reason}. Nothing was asked. Ask in a channel that I am in, or let an admin name one with \`/rackbell approvals channel\`.`,
      );
    }
    const ref = await chat.postDirectMessage(request.slackUser, message);
    await tell(request.origin, `Your request to ${titleOf(request)} is in your direct messages with me: ${reason}.`);
    return ref;
  }

  /** Why a request may not be shown there, or null. A peer cannot press what stands in somebody's direct messages. */
  async function whyClosed(channel: string | null, peer: boolean): Promise<string | null> {
    if (channel === null) return "it was not asked in a channel";
    const { shared, direct } = await people.channel(channel);
    if (shared) return "another organisation reads along there";
    return peer && direct ? "these are direct messages" : null;
  }

  async function tryPost(channel: string, message: Parameters<typeof chat.post>[1]): Promise<MessageRef | null> {
    try {
      return await chat.post(channel, message);
    } catch (error) {
      if (error instanceof SlackRefused) return null;
      throw error;
    }
  }

  async function noApprover(request: Request, operation: PlatformOperation): Promise<string | null> {
    const requester = await identities.links(request.member);
    const others = await identities.all();
    if (others.some((links) => areTwoPeople(requester, links) && may(links, operation))) return null;
    const keys = operation.api === "reseller" ? "a customer key and a reseller key of their own" : "a key of their own";
    return `Nobody else who is linked could approve this: a member with ${keys} and the scope ${code(operation.scope)} is needed.`;
  }

  return { create, post };
}

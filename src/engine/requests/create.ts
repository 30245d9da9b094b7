import { randomUUID } from "node:crypto";
import { type Chat, type MessageRef, SlackRefused } from "../../chat/chat.ts";
import type { People } from "../../chat/people.ts";
import type { Clock } from "../../clock.ts";
import type { Identities } from "../../identities/identities.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Act, Operation, Review } from "../../operation/operation.ts";
import { section } from "../../views/blocks.ts";
import { code } from "../../views/text.ts";
import type { Session } from "../access.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import type { SettingsStore } from "../records/settings.ts";
import { isPeer } from "./checks.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { requestMessage, titleOf } from "./view.ts";

export interface Asked {
  operation: Operation;
  act: Act;
  risk: Request["risk"];
  input: Record<string, unknown>;
  generated: string[];
  session: Session;
  origin: Origin;
}

/** How a request is made, and where it is shown. */
export interface RequestPosting {
  create(asked: Asked, review: Review): Request;
  /** Posts a request to destroy where all can see it, or in the next best place. */
  post(request: Request, operation: Operation): Promise<MessageRef>;
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

  function create({ operation, act, risk, input, generated, session, origin }: Asked, review: Review): Request {
    const { linked } = session;
    const id = randomUUID();
    const now = clock.now();
    return {
      v: 1,
      id,
      state: "pending",
      mode: risk === "destroy" ? deps.mode : "self",
      risk,
      command: operation.command,
      verb: operation.verb,
      member: linked.member,
      slackUser: linked.slackUser,
      platformUser: linked.user.id,
      account: linked.account?.id ?? null,
      project: linked.project,
      keyId: linked.keyId,
      keyLabel: linked.keyLabel,
      scopes: linked.scopes,
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

  async function post(request: Request, operation: Operation): Promise<MessageRef> {
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

  async function noApprover(request: Request, operation: Operation): Promise<string | null> {
    const others = (await identities.all()).filter((linked) => isPeer(request, linked));
    if (others.some((linked) => !operation.scope || linked.scopes.includes(operation.scope))) return null;
    return `Nobody else who is linked could approve this: a member with a key of their own and the scope ${code(operation.scope ?? "read")} is needed.`;
  }

  return { create, post };
}

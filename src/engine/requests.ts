import { randomUUID } from "node:crypto";
import type { MessageRef } from "../chat/chat.ts";
import { SlackRefused } from "../chat/chat.ts";
import type { People } from "../chat/people.ts";
import type { Identities, Linked } from "../identities/identities.ts";
import type { Wakeups } from "../storage/store.ts";
import { section } from "../views/blocks.ts";
import { code } from "../views/text.ts";
import type { Session } from "./access.ts";
import { actorOf, inProject, requireScope } from "./access.ts";
import { Refusal } from "./faults.ts";
import type { Act, Fact, Operation } from "./operation.ts";
import type { Origin } from "./origin.ts";
import { isOpen, type Request } from "./request.ts";
import type { RequestRun, RunDeps } from "./request-run.ts";
import { requestWake } from "./request-store.ts";
import { requestMessage, stateWords, titleOf } from "./request-view.ts";
import type { SettingsStore } from "./settings.ts";

export interface Asked {
  operation: Operation;
  act: Act;
  risk: "spend" | "destroy";
  input: Record<string, unknown>;
  generated: string[];
  session: Session;
  origin: Origin;
}

/** Asking first (design section 4): a request is made, shown with what it costs, decided by a press, and run once. */
export interface Requests {
  ask(asked: Asked): Promise<void>;
  press(id: string, origin: Origin): Promise<void>;
  discard(id: string, origin: Origin): Promise<void>;
  /** Open ones, oldest first. */
  pending(): Promise<Request[]>;
  /** Voids what a member asked for: their key is gone. */
  voidFor(member: string, why: string): Promise<void>;
}

interface Deps extends Omit<RunDeps, "secrets" | "follow" | "listing" | "log"> {
  /** This process's opening of the store. */
  instance: string;
  run: RequestRun;
  people: People;
  identities: Identities;
  settings: SettingsStore;
  wakeups: Wakeups;
  mode: "self" | "peer";
  /** Milliseconds. */
  ttl: number;
}

/** A claim without a live run is looked at this soon after. */
const lookAfter = 15_000;

export function createRequests(deps: Deps): Requests {
  const { requests, run, registry, access, reply, chat, people, identities, settings, audit, clock, wakeups } = deps;

  async function tell(origin: Origin, text: string): Promise<void> {
    await reply.privately(origin, { text, blocks: [section(text)] });
  }

  async function note(request: Request, what: string, words: string): Promise<void> {
    const { member, slackUser, decidedBy, keyLabel, command, target, id } = request;
    const approver = decidedBy && decidedBy !== slackUser ? `${member.split(":")[0]}:${decidedBy}` : null;
    await audit.add({ what, member, slackUser, approver, keyLabel, command, target, words, request: id });
  }

  // One at a time on a thing whose last outcome nobody knows: a second one could do or cost it twice.
  async function refuseWhileUnknown(asked: Asked): Promise<void> {
    const target = asked.act.target?.id;
    const open = await requests.open();
    const unclear = open.find((request) => target && request.target?.id === target && request.state !== "pending");
    if (unclear) {
      throw new Refusal(
        `${titleOf(unclear)} was asked for by <@${unclear.slackUser}> and its outcome is not clear yet. Nothing new was asked. I am finding out what is really so; try again when that is told.`,
      );
    }
  }

  async function compose({ operation, act, risk, input, generated, session, origin }: Asked): Promise<Request> {
    const review = await act.review();
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
      loss: review.loss,
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

  /** Posts a request to destroy where all can see it, or in the next best place. */
  async function place(request: Request, operation: Operation): Promise<MessageRef> {
    const { approvalsChannel, approverGroup } = await settings.read();
    const note = request.mode === "peer" ? await noApprover(request, operation) : null;
    const mention = request.mode === "peer" && approverGroup ? `<!subteam^${approverGroup}>` : null;
    const message = requestMessage(request, { alone: false, mention, note });
    const channel = approvalsChannel ?? request.origin.channel;
    const open = channel !== null && !(await people.channel(channel)).shared;
    const posted = open ? await tryPost(channel, message) : null;
    if (posted) {
      if (channel !== request.origin.channel)
        await tell(request.origin, `Your request to ${titleOf(request)} is in <#${channel}>.`);
      return posted;
    }
    if (request.mode === "peer") {
      throw new Refusal(
        "Nobody could see this request here: I am not in this channel, or another organisation reads it. Nothing was asked. Invite me with `/invite @Rackbell`, or let an admin name a channel with `/rackbell approvals channel`.",
      );
    }
    const ref = await chat.direct(request.slackUser, message);
    await tell(
      request.origin,
      `I cannot post in this channel (\`/invite @Rackbell\` lets me), so your request to ${titleOf(request)} is in your direct messages.`,
    );
    return ref;
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

  /** Checks the presser live; a refusal says why they cannot. */
  async function checkPresser(request: Request, operation: Operation, origin: Origin): Promise<void> {
    await access.admit(origin.slackUser);
    if (request.mode === "self") {
      if (origin.member !== request.member)
        throw new Refusal(`Only <@${request.slackUser}> can press this: it runs with their key.`);
      return;
    }
    if (origin.member === request.member) throw new Refusal("Somebody else must approve this: you asked for it.");
    const session = await access.session(origin.member);
    if (!isPeer(request, session.linked))
      throw new Refusal(
        "You are linked as the same user of the platform as the one who asked, so you do not count as somebody else.",
      );
    const refreshed = await identities.refresh(origin.member);
    requireScope(operation, actorOf(refreshed?.linked ?? session.linked));
    await run.begin(request, inProject(session, request.project), operation);
  }

  /** The requester's session, if they still are who asked. */
  async function requesterSession(request: Request): Promise<Session | null> {
    const session = await access.session(request.member).catch(() => null);
    if (!session) return null;
    const { keyId, user } = session.linked;
    const same = keyId === request.keyId && user.id === request.platformUser;
    return same ? inProject(session, request.project) : null;
  }

  async function makeVoid(request: Request, words: string, origin: Origin | null): Promise<void> {
    if (!(await requests.claim(request.id, "void", request.slackUser))) return;
    const voided: Request = { ...request, state: "void", words, sealed: null, decidedAt: clock.now() };
    await requests.save(voided);
    await note(voided, "void", words);
    await run.show(voided, origin);
  }

  async function decide(request: Request, origin: Origin): Promise<void> {
    const operation = registry.find(request.command);
    if (!operation)
      return makeVoid(request, "This version of Rackbell no longer has that command. Nothing was done.", origin);
    await checkPresser(request, operation, origin);
    const session = await requesterSession(request);
    if (!session)
      return makeVoid(
        request,
        `The key of <@${request.slackUser}> changed since they asked. Nothing was done. Ask again if it is still wanted.`,
        origin,
      );
    const act = await run.begin(request, session, operation);
    const changes = changesBetween(request.material, (await act.review()).material);
    if (changes.length > 0)
      return makeVoid(
        request,
        `Something changed since this was asked, so nothing was done. ${changes.join(" ")} Ask again if it is still wanted.`,
        origin,
      );
    // The claim comes before the run: of two presses in one second, one runs.
    if (!(await requests.claim(request.id, "run", origin.slackUser))) return tellState(request.id, origin);
    const claimed: Request = {
      ...request,
      state: "claimed",
      words: "",
      decidedBy: origin.slackUser,
      decidedAt: clock.now(),
    };
    await requests.save(claimed);
    await requests.wake(request.id, clock.now() + lookAfter);
    await note(claimed, "approved", "Approved.");
    if (claimed.message) await run.show(claimed);
    await run.run(claimed, act, operation, session, origin);
  }

  async function tellState(id: string, origin: Origin): Promise<void> {
    const request = await requests.read(id);
    const claim = await requests.claimOf(id);
    if (request?.state === "pending" && claim)
      return tell(origin, `<@${claim.slackUser}> pressed first. Yours changed nothing.`);
    await tell(
      origin,
      request ? `${titleOf(request)}: ${stateWords(request)}` : "That request is no longer known. Nothing was done.",
    );
  }

  async function expire(request: Request): Promise<void> {
    if (!(await requests.claim(request.id, "expire", request.slackUser))) return;
    const expired: Request = { ...request, state: "expired", words: "", sealed: null };
    await requests.save(expired);
    await note(expired, "expired", stateWords(expired));
    await run.show(expired);
  }

  /** Looks after a request that was claimed by a process that is gone: reconciled, never rerun. */
  async function recover(request: Request): Promise<void> {
    const claim = await requests.claimOf(request.id);
    if (!claim)
      return clock.now() >= request.expiresAt ? expire(request) : requests.wake(request.id, request.expiresAt);
    if (run.isRunning(request.id)) return requests.wake(request.id, clock.now() + lookAfter);
    const theirs = claim.instance !== deps.instance && (await requests.isAlive(claim.instance));
    if (theirs) return requests.wake(request.id, clock.now() + lookAfter);
    if (claim.purpose !== "run") {
      const state = claim.purpose === "discard" ? "discarded" : claim.purpose === "expire" ? "expired" : "void";
      const ended: Request = { ...request, state, words: "", sealed: null };
      await requests.save(ended);
      return run.show(ended);
    }
    const words =
      "Rackbell was restarted in the middle of this. I am finding out what is really so; it is not run again.";
    const unknown: Request = { ...request, state: "unknown", words, decidedBy: claim.slackUser, decidedAt: claim.at };
    await requests.save(unknown);
    await note(unknown, "unknown", words);
    await run.show(unknown);
    await run.settle(unknown);
  }

  wakeups.handle(requestWake, async (wakeId) => {
    const request = await requests.read(wakeId.slice(requestWake.length));
    if (!request || !isOpen(request)) return;
    await (request.state === "unknown" ? run.settle(request) : recover(request));
  });

  return {
    async ask(asked) {
      await refuseWhileUnknown(asked);
      const request = await compose(asked);
      await requests.save(request);
      await requests.wake(request.id, request.expiresAt);
      await note(request, "asked", request.loss);
      if (request.risk === "spend") return reply.privately(asked.origin, requestMessage(request, { alone: true }));
      try {
        await requests.noteMessage(request.id, await place(request, asked.operation));
      } catch (error) {
        await requests.save({ ...request, state: "void", sealed: null, words: "It could not be shown to anybody." });
        throw error;
      }
    },
    async press(id, origin) {
      const request = await requests.read(id);
      if (request?.state === "pending" && clock.now() >= request.expiresAt) await expire(request);
      else if (request?.state === "pending") return decide(request, origin);
      await tellState(id, origin);
    },
    async discard(id, origin) {
      const request = await requests.read(id);
      if (request?.state !== "pending") return tellState(id, origin);
      const may = origin.member === request.member || (await access.isAdmin(origin.slackUser));
      if (!may) throw new Refusal(`Only <@${request.slackUser}> or an admin can discard this.`);
      if (!(await requests.claim(id, "discard", origin.slackUser))) return tellState(id, origin);
      const discarded: Request = {
        ...request,
        state: "discarded",
        sealed: null,
        decidedBy: origin.slackUser,
        decidedAt: clock.now(),
        words: "",
      };
      await requests.save(discarded);
      await note(discarded, "discarded", stateWords(discarded));
      await run.show(discarded, origin);
    },
    pending: () => requests.open(),
    async voidFor(member, why) {
      for (const request of await requests.open()) {
        if (request.member === member && request.state === "pending") await makeVoid(request, why, null);
      }
    },
  };
}

function isPeer(request: Request, linked: Linked): boolean {
  return linked.member !== request.member && linked.user.id !== request.platformUser && linked.keyId !== request.keyId;
}

function changesBetween(before: Fact[], now: Fact[]): string[] {
  const labels = new Set([...before, ...now].map(({ label }) => label));
  return [...labels].flatMap((label) => {
    const was = before.find((fact) => fact.label === label)?.value ?? "nothing";
    const is = now.find((fact) => fact.label === label)?.value ?? "nothing";
    return was === is ? [] : [`*${label}* was ${was} and is now ${is}.`];
  });
}

import { randomUUID } from "node:crypto";
import type { MessageRef } from "../chat/chat.ts";
import { SlackRefused } from "../chat/chat.ts";
import type { People } from "../chat/people.ts";
import type { Identities, Linked, Refreshed } from "../identities/identities.ts";
import { PlatformRefused } from "../platform/errors.ts";
import { SealBroken } from "../storage/errors.ts";
import type { Wakeups } from "../storage/store.ts";
import { section } from "../views/blocks.ts";
import { code } from "../views/text.ts";
import type { Session } from "./access.ts";
import { actorOf, inProject, requireScope } from "./access.ts";
import { InputFault, Refusal } from "./faults.ts";
import type { Act, Fact, Json, Operation, Review } from "./operation.ts";
import type { Origin } from "./origin.ts";
import { isOpen, type Request } from "./request.ts";
import type { RequestRun, RunDeps } from "./request-run.ts";
import { requestWake } from "./request-store.ts";
import { requestMessage, stateWords, titleOf } from "./request-view.ts";
import { keyOf, troubleOf } from "./sentences.ts";
import type { SettingsStore } from "./settings.ts";

export interface Asked {
  operation: Operation;
  act: Act;
  risk: Request["risk"];
  input: Record<string, unknown>;
  generated: string[];
  session: Session;
  origin: Origin;
}

/** Asking first (design section 4): a request is made, shown with what it costs, decided by a press, and run once. */
export interface Requests {
  ask(asked: Asked): Promise<void>;
  /** A change ran without being asked first, and nobody knows what came of it: it is looked at until it is clear. */
  doubt(asked: Omit<Asked, "risk">, words: string): Promise<void>;
  press(id: string, origin: Origin): Promise<void>;
  discard(id: string, origin: Origin): Promise<void>;
  /** Open ones, oldest first. */
  pending(): Promise<Request[]>;
  /** Voids what a member asked for: their key is gone. */
  voidFor(member: string, why: string): Promise<void>;
}

interface Deps extends Omit<RunDeps, "secrets" | "follow" | "listing" | "log" | "audit"> {
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
  const { requests, run, registry, access, reply, chat, people, identities, settings, clock, wakeups } = deps;

  async function tell(origin: Origin, text: string): Promise<void> {
    await reply.privately(origin, { text, blocks: [section(text)] });
  }

  // One at a time on a thing whose last outcome nobody knows: a second one could do or cost it twice.
  async function refuseWhileUnknown(asked: Pick<Request, "member" | "command" | "target">): Promise<void> {
    const open = (await requests.open()).filter(({ state }) => state !== "pending");
    const unclear = open.find(({ target, member, command }) =>
      asked.target
        ? target?.id === asked.target.id
        : target === null && member === asked.member && command === asked.command,
    );
    if (unclear) {
      throw new Refusal(
        `${titleOf(unclear)} was asked for by <@${unclear.slackUser}> and its outcome is not clear yet. Nothing more was done. I am finding out what is really so; try again when that is told.`,
      );
    }
  }

  function compose({ operation, act, risk, input, generated, session, origin }: Asked, review: Review): Request {
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
    const ref = await chat.direct(request.slackUser, message);
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
    const refreshed = await refreshedOf(origin.member);
    requireScope(operation, actorOf(refreshed?.linked ?? session.linked));
    await canSee(request, session, operation);
  }

  async function refreshedOf(member: string): Promise<Refreshed | null> {
    try {
      return await identities.refresh(member);
    } catch (error) {
      await access.noteRefused(member, error);
      throw error;
    }
  }

  async function canSee(request: Request, session: Session, operation: Operation): Promise<void> {
    try {
      await run.begin(request, session, operation);
    } catch (error) {
      if (!isGone(error)) throw error;
      throw new Refusal(
        `Your key cannot see ${request.target ? code(request.target.name) : "what this is about"}, so you cannot approve this. Nothing was done.`,
      );
    }
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
    await run.note(voided, "void", words);
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
    await refuseWhileUnknown(request);
    const checked = await checkFacts(request, operation, session);
    if (!("act" in checked)) return makeVoid(request, checked.changed, origin);
    // Before the claim, so that a crash right after it is looked at soon.
    await requests.wake(request.id, clock.now() + lookAfter);
    // The claim comes before the run: of two presses in one second, one runs.
    if (!(await requests.claim(request.id, "run", origin.slackUser))) return tellState(request.id, origin);
    const claimed: Request = {
      ...request,
      state: "claimed",
      words: "",
      // An hour may have passed: what is reconciled with is how it stood just before the run.
      before: checked.before,
      decidedBy: origin.slackUser,
      decidedAt: clock.now(),
    };
    await run.run(claimed, checked.act, operation, session, origin);
  }

  /** Reads what the request was pinned to, as it is now, with the requester's key. */
  async function checkFacts(
    request: Request,
    operation: Operation,
    session: Session,
  ): Promise<{ act: Act; before: Json } | { changed: string }> {
    try {
      const act = await run.begin(request, session, operation);
      const { material, before } = await act.review();
      const changes = changesBetween(request.material, material);
      return changes.length === 0 ? { act, before } : { changed: changedWords(changes.join(" ")) };
    } catch (error) {
      await access.noteRefused(request.member, error);
      const { text } = troubleOf(error, clock.now(), keyOf(request.slackUser));
      if (isGone(error)) return { changed: changedWords(text) };
      if (error instanceof SealBroken)
        return {
          changed: "What was asked can no longer be opened, so nothing was done. Ask again if it is still wanted.",
        };
      throw new Refusal(text);
    }
  }

  async function tellState(id: string, origin: Origin): Promise<void> {
    const request = await requests.read(id);
    const claim = await requests.claimOf(id);
    if (request?.state === "pending" && claim)
      return tell(origin, `<@${claim.slackUser}> pressed first. Yours changed nothing.`);
    await tell(
      origin,
      request ? `${titleOf(request)}: ${endWords(request)}` : "That request is no longer known. Nothing was done.",
    );
  }

  async function expire(request: Request, pressed: Origin | null = null): Promise<void> {
    if (!(await requests.claim(request.id, "expire", request.slackUser))) return;
    const expired: Request = { ...request, state: "expired", words: "", sealed: null };
    await requests.save(expired);
    await run.note(expired, "expired", stateWords(expired));
    await run.show(expired, pressed);
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
    await run.note(unknown, "unknown", words);
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
      const { session, operation, act } = asked;
      await refuseWhileUnknown({ member: session.actor.member, command: operation.command, target: act.target });
      const request = compose(asked, await asked.act.review());
      await requests.save(request);
      await requests.wake(request.id, request.expiresAt);
      await run.note(request, "asked", request.loss);
      if (request.risk === "spend") return reply.privately(asked.origin, requestMessage(request, { alone: true }));
      try {
        await requests.noteMessage(request.id, await place(request, asked.operation));
        // Decided before it was known where it stands: its card is brought up to date now.
        const now = await requests.read(request.id);
        if (now && !isOpen(now)) await run.show(now);
      } catch (error) {
        await requests.save({ ...request, state: "void", sealed: null, words: "It could not be shown to anybody." });
        throw error;
      }
    },
    async doubt(asked, words) {
      const review: Review = { loss: "", material: [], shown: [], personal: [], before: null };
      const request = compose({ ...asked, risk: "change" }, review);
      const { slackUser } = asked.session.linked;
      const unknown = await run.doubt({ ...request, decidedBy: slackUser, decidedAt: clock.now() }, words);
      const ref = await reply.openly(asked.origin, requestMessage(unknown, { alone: false }), { lasting: true });
      if (ref) await requests.noteMessage(unknown.id, ref);
    },
    async press(id, origin) {
      const request = await requests.read(id);
      if (request?.state === "pending" && clock.now() >= request.expiresAt) await expire(request, origin);
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
      await run.note(discarded, "discarded", stateWords(discarded));
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

/** What became of it, with the reason where there is one. */
function endWords(request: Request): string {
  const reasoned = request.state === "void" || request.state === "refused" || request.state === "unknown";
  return reasoned && request.words ? request.words : stateWords(request);
}

/** What the request was about is no longer there. */
function isGone(error: unknown): boolean {
  return error instanceof InputFault || (error instanceof PlatformRefused && error.status === 404);
}

function changedWords(changes: string): string {
  return `Something changed since this was asked, so nothing was done. ${changes} Ask again if it is still wanted.`;
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

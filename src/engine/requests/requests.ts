import type { Clock } from "../../clock.ts";
import type { Link } from "../../identities/link.ts";
import type { Review } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Registry } from "../../operation/registry.ts";
import type { Wakeups } from "../../storage/store.ts";
import { section } from "../../views/blocks.ts";
import type { Access } from "../access.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import type { BoundOperation } from "../bound.ts";
import type { RequestChecks } from "./checks.ts";
import type { Asked, RequestPosting } from "./create.ts";
import { isOpen, type Request } from "./request.ts";
import type { RequestRun } from "./run.ts";
import { type Holder, type RequestStore, requestWake } from "./store.ts";
import { requestMessage, stateWords, titleOf } from "./view.ts";

/** Asking first (design section 4): a request is made, shown with what it costs, decided by a press, and run once. */
export interface Requests {
  ask(asked: Asked): Promise<void>;
  /** A change ran without being asked first, and nobody knows what came of it: it is looked at until it is clear. */
  markUnknown(asked: Omit<Asked, "risk">, words: string): Promise<void>;
  press(id: string, origin: Origin): Promise<void>;
  discard(id: string, origin: Origin): Promise<void>;
  /** Open ones, oldest first. */
  pending(): Promise<Request[]>;
  /** Voids what a member asked for: their key is gone. */
  voidFor(link: Pick<Link, "member" | "api">, why: string): Promise<void>;
}

interface Deps {
  requests: RequestStore;
  registry: Registry;
  access: Access;
  reply: Reply;
  clock: Clock;
  /** This process's opening of the store. */
  instance: string;
  run: RequestRun;
  placing: RequestPosting;
  checks: RequestChecks;
  wakeups: Wakeups;
}

/** A claim without a live run is looked at this soon after. */
const lookAfter = 15_000;

export function createRequests(deps: Deps): Requests {
  const { requests, run, registry, access, reply, placing, checks, clock, wakeups } = deps;

  async function tell(origin: Origin, text: string): Promise<void> {
    await reply.ephemeral(origin, { text, blocks: [section(text)] });
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

  async function makeVoid(request: Request, words: string, origin: Origin | null): Promise<void> {
    if (!(await requests.claim(request.id, "void", request.slackUser))) return;
    const voided: Request = { ...request, state: "void", words, sealed: null, decidedAt: clock.now() };
    await requests.save(voided);
    await run.note(voided, "void", words);
    await run.show(voided, origin);
  }

  async function decide(request: Request, origin: Origin): Promise<void> {
    const operation = registry.find(request.command);
    if (!operation || operation.api === "app")
      return makeVoid(request, "This version of Rackbell no longer has that command. Nothing was done.", origin);
    await checks.presser(request, operation, origin);
    const bound = await checks.requester(request, operation);
    if (!bound)
      return makeVoid(
        request,
        `The key of <@${request.slackUser}> changed since they asked. Nothing was done. Ask again if it is still wanted.`,
        origin,
      );
    // Of two requests about one thing, pressed in one second, one goes on: else it could be done or paid twice.
    const thing = request.target?.id ?? `${request.member} ${request.command}`;
    const holder = await requests.lock(thing, { request: request.id, slackUser: origin.slackUser });
    if (holder) return tellHeld(request, holder, origin);
    try {
      await runOnce(request, bound, origin);
    } finally {
      await requests.unlock(thing);
    }
  }

  async function tellHeld(request: Request, holder: Holder, origin: Origin): Promise<void> {
    if (holder.request === request.id)
      return tell(origin, `<@${holder.slackUser}> pressed first. Yours changed nothing.`);
    await tell(
      origin,
      `Another request about the same was pressed by <@${holder.slackUser}> a moment ago, so nothing was done with this one. Press again when it is clear what came of that.`,
    );
  }

  async function runOnce(request: Request, bound: BoundOperation, origin: Origin): Promise<void> {
    await refuseWhileUnknown(request);
    const checked = await checks.facts(request, bound);
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
    await run.run(claimed, checked.act, bound, origin);
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
    await run.reconcile(unknown);
  }

  wakeups.handle(requestWake, async (wakeId) => {
    const request = await requests.read(wakeId.slice(requestWake.length));
    if (!request || !isOpen(request)) return;
    await (request.state === "unknown" ? run.reconcile(request) : recover(request));
  });

  return {
    async ask(asked) {
      const { bound, act } = asked;
      const { operation, actor } = bound;
      await refuseWhileUnknown({ member: actor.member, command: operation.command, target: act.target });
      const request = placing.create(asked, await asked.act.review());
      await requests.save(request);
      await requests.wake(request.id, request.expiresAt);
      await run.note(request, "asked", request.loss);
      if (request.risk === "spend") return reply.ephemeral(asked.origin, requestMessage(request, { alone: true }));
      const ref = await placing.post(request, operation).catch(async (error: unknown) => {
        await makeVoid(request, "It could not be shown to anybody.", null);
        throw error;
      });
      await requests.noteMessage(request.id, ref);
      // Decided before it was known where it stands: its card is brought up to date now.
      const now = await requests.read(request.id);
      if (now && !isOpen(now)) await run.show(now);
    },
    async markUnknown(asked, words) {
      const review: Review = { consequence: "", material: [], shown: [], personal: [], before: null };
      const request = placing.create({ ...asked, risk: "change" }, review);
      const { slackUser } = asked.bound.actor;
      const unknown = await run.markUnknown({ ...request, decidedBy: slackUser, decidedAt: clock.now() }, words);
      const ref = await reply.inChannel(asked.origin, requestMessage(unknown, { alone: false }), { lasting: true });
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
    async voidFor({ member, api }, why) {
      for (const request of await requests.open()) {
        if (request.member === member && request.api === api && request.state === "pending")
          await makeVoid(request, why, null);
      }
    },
  };
}

/** What became of it, with the reason where there is one. */
function endWords(request: Request): string {
  const reasoned = request.state === "void" || request.state === "refused" || request.state === "unknown";
  return reasoned && request.words ? request.words : stateWords(request);
}

import * as z from "zod";
import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Store } from "../../storage/store.ts";
import { section } from "../../views/blocks.ts";
import type { Access } from "../access.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import type { BoundOperation } from "../bound.ts";
import { refuseWhileUnclear } from "./ask.ts";
import type { RequestChecks } from "./checks.ts";
import { type Request, thingOf } from "./request.ts";
import type { RequestRun } from "./run.ts";
import type { RequestStore } from "./store.ts";
import { outcomeOf, stateWords, titleOf } from "./view.ts";

/** Decides requests by a press. No press is ever silent: one that comes too late, or from somebody else, is told what is so. */
export interface Decide {
  press(id: string, origin: Origin): Promise<void>;
  deny(id: string, origin: Origin, reason: string): Promise<void>;
  withdraw(id: string, origin: Origin): Promise<void>;
}

/** Longer than a press works, shorter than anybody would wait. */
const lockFor = 2 * 60_000;

/** Whose press works on a thing at this moment. */
const Holder = z.object({ request: z.string(), slackUser: z.string() });

export function createDecide(deps: {
  store: Store;
  requests: RequestStore;
  run: RequestRun;
  checks: RequestChecks;
  access: Access;
  reply: Reply;
  clock: Clock;
}): Decide {
  const { store, requests, run, checks, access, reply, clock } = deps;

  async function say(origin: Origin, text: string): Promise<void> {
    await reply.ephemeral(origin, { text, blocks: [section(text)] });
  }

  async function press(request: Request, origin: Origin): Promise<void> {
    const operation = checks.operation(request);
    if (!operation)
      return makeVoid(request, origin, "This version of Rackbell no longer has that command. Nothing was done.");
    await checks.presser(request, operation, origin);
    const bound = await checks.requester(request, operation);
    if (!bound) {
      const words = `The key of <@${request.slackUser}> changed since they asked. Nothing was done. Ask again if it is still wanted.`;
      return makeVoid(request, origin, words);
    }
    // Of two requests about one thing, pressed in one second, one goes on: else it could be done or paid twice.
    const name = `thing:${thingOf(request)}`;
    const locked = await store.locks.lock(name, { request: request.id, slackUser: origin.slackUser }, lockFor);
    if ("holder" in locked) return sayLocked(request, locked.holder, origin);
    try {
      await runOnce(request, bound, origin);
    } finally {
      await store.locks.unlock(name, locked.fence);
    }
  }

  async function sayLocked(request: Request, by: unknown, origin: Origin): Promise<void> {
    const holder = Holder.safeParse(by).data;
    const who = holder ? `<@${holder.slackUser}>` : "Somebody";
    if (holder?.request === request.id) return say(origin, `${who} pressed first. Yours changed nothing.`);
    await say(
      origin,
      `Another request about the same was pressed by ${who} a moment ago, so nothing was done with this one. Press again when it is clear what came of that.`,
    );
  }

  async function runOnce(request: Request, bound: BoundOperation, origin: Origin): Promise<void> {
    await refuseWhileUnclear(requests, request, request.risk, request.id);
    const checked = await checks.facts(request, bound);
    if (!("act" in checked)) return makeVoid(request, origin, checked.changed);
    // The claim comes before the run: of two presses in one second, one gets through.
    const claimed = await requests.advance(
      request,
      {
        state: "claimed",
        outcome: "",
        // An hour may have passed: what is reconciled with is how it stood just before the run.
        before: checked.before,
        decidedBy: origin.slackUser,
        decidedAt: clock.now(),
        instance: store.instance,
        ...newestOf(request, origin),
      },
      { note: { what: "approved", outcome: "Approved." } },
    );
    if (!claimed) return sayState(request.id, origin);
    await run.run(claimed, checked.act, bound);
  }

  async function makeVoid(request: Request, origin: Origin, outcome: string): Promise<void> {
    const decided = { state: "void", outcome, sealed: null, decidedAt: clock.now() } as const;
    await requests.advance(request, { ...decided, ...newestOf(request, origin) }, { note: { what: "void" } });
  }

  async function sayState(id: string, origin: Origin): Promise<void> {
    const request = await requests.read(id);
    if (!request) return say(origin, "That request is no longer known, so this changed nothing.");
    const { state, decidedBy } = request;
    if ((state === "claimed" || state === "working") && decidedBy && decidedBy !== origin.slackUser)
      return say(origin, `<@${decidedBy}> pressed first. Yours changed nothing.`);
    const reasoned = ["void", "refused", "unknown", "undecided", "denied"].includes(state) && request.outcome;
    await say(origin, `${titleOf(request)}: ${reasoned ? outcomeOf(request) : stateWords(request)}`);
  }

  async function end(request: Request, state: "withdrawn" | "denied", origin: Origin, outcome = ""): Promise<void> {
    const decided = { state, outcome, sealed: null, decidedBy: origin.slackUser, decidedAt: clock.now() } as const;
    const ended = { ...request, ...decided };
    const note = { what: state, outcome: outcome || stateWords(ended) };
    if (!(await requests.advance(request, { ...decided, ...newestOf(request, origin) }, { note })))
      await sayState(request.id, origin);
  }

  /** The request while it waits, else null, having told what is so. */
  async function waiting(id: string, origin: Origin): Promise<Request | null> {
    const request = await requests.read(id);
    if (request?.state === "pending") {
      if (clock.now() < request.expiresAt) return request;
      await requests.advance(
        request,
        { state: "expired", outcome: "", sealed: null },
        { note: { what: "expired", outcome: "Nobody decided it in time." } },
      );
    }
    await sayState(id, origin);
    return null;
  }

  return {
    async press(id, origin) {
      const request = await waiting(id, origin);
      if (request) await press(request, origin);
    },
    async deny(id, origin, reason) {
      const request = await waiting(id, origin);
      const operation = request && checks.operation(request);
      if (!request || !operation) return;
      await checks.presser(request, operation, origin);
      await end(request, "denied", origin, `<@${origin.slackUser}> denied it: ${reason} Nothing was done.`);
    },
    async withdraw(id, origin) {
      const request = await waiting(id, origin);
      if (!request) return;
      const allowed = origin.member === request.member || (await access.isAdmin(origin.slackUser));
      if (!allowed) throw new Refusal(`Only <@${request.slackUser}> or an admin can withdraw this.`);
      await end(request, "withdrawn", origin);
    },
  };
}

/** The newest interaction of who asked is where what only they see can be brought up to date. */
function newestOf(request: Request, origin: Origin): Partial<Request> {
  return origin.member === request.member ? { origin: { ...origin, channel: request.origin.channel } } : {};
}

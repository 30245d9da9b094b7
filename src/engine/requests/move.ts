import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import { readWhen } from "../../operation/when.ts";
import type { Origin } from "../answers/origin.ts";
import { latest, plannedNote } from "./planned-words.ts";
import type { Request } from "./request.ts";
import { aboutOf, type Rules, refuseForbidden } from "./rules.ts";
import type { SayState } from "./say-state.ts";
import type { RequestStore } from "./store.ts";

/**
 * Moves what waits for its time to another one: by who asked, and nobody else. What others approved, they approved for that time, so
 * it must be approved anew.
 */
export interface Move {
  /** The request, if this member may move it; null where it does not wait any more, which is told. */
  movable(id: string, origin: Origin): Promise<Request | null>;
  /** Moves it to `at`, in milliseconds since the epoch; throws an InputError where that has passed or is too far ahead. */
  move(id: string, origin: Origin, at: number): Promise<void>;
}

export function createMove(deps: {
  requests: RequestStore;
  rules: Pick<Rules, "verdict">;
  say: Pick<SayState, "state">;
  clock: Clock;
  ttl: number;
}): Move {
  const { requests, rules, say, clock, ttl } = deps;

  /** Decided by who asked: it simply waits for the other time. */
  function moved(request: Request, at: number): Partial<Request> {
    return { planned: movedTo(request, at), expiresAt: at + latest };
  }

  function undecided(request: Request, at: number): Partial<Request> {
    const planned = movedTo(request, at);
    return {
      ...{ state: "pending", approvals: [], decidedBy: null, decidedAt: null, remindedAt: null },
      ...{ planned: planned && { ...planned, since: null }, expiresAt: Math.min(clock.now() + ttl, at) },
    };
  }

  async function movable(id: string, origin: Origin): Promise<Request | null> {
    const request = await requests.read(id);
    if (request?.state !== "planned") {
      await say.state(id, origin);
      return null;
    }
    if (origin.member === request.member) return request;
    throw new Refusal(
      `Only <@${request.slackUser}>, who asked, can move it. Nothing changed. Who approved it, or an admin, can withdraw it.`,
    );
  }

  async function move(id: string, origin: Origin, at: number): Promise<void> {
    const request = await movable(id, origin);
    if (!request) return;
    readWhen({ at: new Date(at).toISOString() }, { now: clock.now(), zone: "UTC" });
    if (at === request.planned?.at) return say.state(id, origin);
    const peer = request.mode === "peer";
    const change = peer ? undecided(request, at) : moved(request, at);
    const next = { ...request, ...change };
    refuseForbidden(await rules.verdict(aboutOf(next)));
    const note = { what: "moved", outcome: `${plannedNote(at)}${peer ? " It must be approved anew." : ""}` };
    // They are called by being told of it.
    const along = peer ? { lookAt: next.expiresAt } : { runAt: at };
    if (!(await requests.advance(request, change, { note, ...along }))) await say.state(id, origin);
  }

  return { movable, move };
}

function movedTo({ planned }: Request, at: number): Request["planned"] {
  return planned && { ...planned, at, said: "", moves: planned.moves + 1, movedFrom: planned.at };
}

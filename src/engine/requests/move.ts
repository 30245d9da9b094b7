import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import { withSettled } from "../../operation/when.ts";
import type { Origin } from "../answers/origin.ts";
import type { PutOff, ReadPutOff } from "../when.ts";
import { plannedFor } from "./create.ts";
import { latest, plannedNote } from "./planned-words.ts";
import type { Planned, Request } from "./request.ts";
import { aboutOf, type Rules, refuseForbidden } from "./rules.ts";
import type { SayState } from "./say-state.ts";
import type { RequestStore } from "./store.ts";

/**
 * Puts off what waits to be decided, and moves what waits for its time: by who asked, and nobody else. What others approved, they
 * approved for that time, so it must be approved anew.
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
  putOff: ReadPutOff;
  clock: Clock;
  /** Milliseconds that it can be decided. */
  ttl: number;
}): Move {
  const { requests, rules, say, putOff, clock, ttl } = deps;

  async function movable(id: string, origin: Origin): Promise<Request | null> {
    const request = await requests.read(id);
    const waits = request?.state === "planned" || (request?.state === "pending" && clock.now() < request.expiresAt);
    if (!request || !waits) {
      await say.state(id, origin);
      return null;
    }
    if (origin.member === request.member) return request;
    throw new Refusal(
      `Only <@${request.slackUser}>, who asked, can put it off or move it. Nothing changed. Who approved it, or an admin, can withdraw it.`,
    );
  }

  /** Decided by who asked, it simply waits for the other time; else it must be decided, for that time. */
  function changeTo(request: Request, when: PutOff): Partial<Request> {
    const planned = movedTo(request, when);
    if (request.state === "planned" && request.mode !== "peer") return { planned, expiresAt: when.at + latest };
    return {
      ...{ state: "pending", approvals: [], decidedBy: null, decidedAt: null, remindedAt: null },
      ...{ planned: { ...planned, since: null }, expiresAt: Math.min(clock.now() + ttl, when.at) },
    };
  }

  async function move(id: string, origin: Origin, at: number): Promise<void> {
    const request = await movable(id, origin);
    if (!request) return;
    const when = await putOff(withSettled({}, at), request.slackUser);
    if (!when || at === request.planned?.at) return say.state(id, origin);
    const change = changeTo(request, when);
    const next = { ...request, ...change };
    refuseForbidden(await rules.verdict(aboutOf(next)));
    const anew = request.state === "planned" && next.state === "pending";
    const note = { what: "moved", outcome: `${plannedNote(at)}${anew ? " It must be approved anew." : ""}` };
    // Who may decide it is called by being told of it.
    const along = next.state === "pending" ? { lookAt: next.expiresAt } : { runAt: at };
    if (!(await requests.advance(request, change, { note, ...along }))) await say.state(id, origin);
  }

  return { movable, move };
}

function movedTo({ planned }: Request, when: PutOff): Planned {
  const { at, zone, said } = when;
  if (!planned) return { ...plannedFor(when), moves: 1 };
  return { ...planned, at, zone, said, moves: planned.moves + 1, movedFrom: planned.at };
}

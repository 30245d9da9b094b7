import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import { isPlatformError, keyRejected } from "../../platform/http/errors.ts";
import type { Store } from "../../storage/store.ts";
import { duration } from "../../views/format.ts";
import { errorText, keyOf } from "../answers/error-text.ts";
import { ruleWords } from "../policy/words.ts";
import type { CarryOut } from "./carry-out.ts";
import { latest } from "./planned-words.ts";
import type { PrepareCopy } from "./prepare-copy.ts";
import type { Request } from "./request.ts";
import { thingOf } from "./request.ts";
import { aboutOf, lackingNow, type Rules } from "./rules.ts";
import type { StillStands } from "./still-stands.ts";
import { plannedWake, type RequestStore } from "./store.ts";
import { underWay, withThing } from "./thing-lock.ts";
import { refuseWhileUnclear } from "./unclear.ts";

/** How soon what could not begin for now is tried again, in milliseconds. */
const retryEvery = 20_000;

/** Begins what was planned, when its time comes: all that held when it was decided is looked at again, and what no longer holds voids it. */
export function runPlanned(deps: {
  store: Store;
  requests: RequestStore;
  stillStands: StillStands;
  prepareCopy: PrepareCopy;
  carryOut: CarryOut;
  rules: Rules;
  clock: Clock;
  log: Logger;
}): void {
  const { store, requests, stillStands, prepareCopy, carryOut, rules, clock, log } = deps;

  async function end(request: Request, why: string): Promise<undefined> {
    const outcome = `Its time came, and it was not begun. ${why} Nothing was done. Plan it again if it is still wanted.`;
    await requests.advance(request, { state: "void", outcome, sealed: null }, { note: { what: "void" } });
  }

  /** Why it may not be begun by the rules of this moment; null where it may. */
  async function ruledOut(about: ReturnType<typeof aboutOf>, request: Request): Promise<string | null> {
    const { demand, rule } = await rules.verdict(about);
    const words = rule ? ` The rule: ${ruleWords(rule)}` : "";
    if (demand === "never") return `A rule of this workspace does not allow it.${words}`;
    const lacking = lackingNow(demand, request);
    return lacking && `${lacking}${words}`;
  }

  async function begin(request: Request): Promise<number | undefined> {
    await refuseWhileUnclear(requests, request, request.risk, request.id);
    const standing = await stillStands(request);
    if ("gone" in standing) return end(request, standing.gone);
    const { bound, checked } = standing;
    const about = { ...aboutOf(request), price: checked.price };
    const ruled = await ruledOut(about, request);
    if (ruled !== null) return end(request, ruled);
    const { origin, approvals } = request;
    const [approver = origin] = approvals;
    const first = request.copy?.step === "chosen" ? await prepareCopy(request, approver) : null;
    const { demand } = await rules.verdict(about);
    if (!(await rules.reserve(about, demand)) || (first && !(await rules.reserve(first.about, first.demand)))) {
      await rules.release(request);
      return end(request, "What was spent meanwhile leaves no room for it.");
    }
    await carryOut.now({ request, checked, bound, origin, approvals, glass: undefined, first });
  }

  /** It cannot begin for now: soon once more, until nobody expects it any more. */
  async function later(request: Request, at: number, why: string): Promise<number | undefined> {
    const next = clock.now() + retryEvery;
    return next > at + latest ? end(request, why) : next;
  }

  async function tryNow(request: Request, at: number): Promise<number | undefined> {
    try {
      return await withThing(
        store.locks,
        thingOf(request),
        request,
        () => begin(request),
        (by) => later(request, at, underWay(by)),
      );
    } catch (error) {
      if (keyRejected(error)) return end(request, `The platform no longer accepts the key of <@${request.slackUser}>.`);
      if (!(error instanceof Refusal || isPlatformError(error))) throw error;
      log.info({ err: error, request: request.id }, "What was planned could not begin yet");
      return later(request, at, errorText(error, clock.now(), keyOf(request.slackUser)).text);
    }
  }

  store.wakeups.handle(plannedWake, async (wakeId) => {
    const request = await requests.read(wakeId.slice(plannedWake.length));
    if (request?.state !== "planned" || !request.planned) return;
    const { at } = request.planned;
    const now = clock.now();
    // It was moved since, or the clock was set back.
    if (now < at) return at;
    if (now - at <= latest) return tryNow(request, at);
    const late = `Rackbell could not look at it before ${duration(now - at)} had passed, since it was not running or its clock was wrong. What is more than ${duration(latest)} late is not begun.`;
    return end(request, late);
  });
}

import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Origin } from "../answers/origin.ts";
import type { BoundOperation } from "../bound.ts";
import { ruleWords } from "../policy/words.ts";
import type { Approve } from "./approve.ts";
import type { CarryOut } from "./carry-out.ts";
import type { RequestChecks } from "./checks.ts";
import { endRequest } from "./end.ts";
import type { PrepareCopy } from "./prepare-copy.ts";
import { type Request, thingOf } from "./request.ts";
import type { Rules } from "./rules.ts";
import { aboutOf, levelOf } from "./rules.ts";
import type { SayState } from "./say-state.ts";
import type { RequestStore } from "./store.ts";
import { withThing } from "./thing-lock.ts";
import { refuseWhileUnclear } from "./unclear.ts";

/** Carries a request on by a press: it is approved, and run once all that holds for it is there. `glass`: why an admin runs it without. */
export type Press = (request: Request, origin: Origin, how?: How) => Promise<void>;

/** `copyFirst`: a copy is taken first. */
export interface How {
  glass?: string | undefined;
  copyFirst?: boolean | undefined;
  /** How many they are, as the presser typed it, where it is for many. */
  counted?: number | undefined;
}

export function createPress(deps: {
  store: Store;
  requests: RequestStore;
  approve: Approve;
  carryOut: CarryOut;
  checks: RequestChecks;
  prepareCopy: PrepareCopy;
  rules: Rules;
  say: SayState;
  clock: Clock;
}): Press {
  const { store, requests, approve, carryOut, checks, prepareCopy, rules, say, clock } = deps;
  const end = (request: Request, origin: Origin, outcome: string) =>
    endRequest(requests, clock, request, { state: "void", origin, outcome });

  async function pressed(request: Request, origin: Origin, how: How): Promise<unknown> {
    const { glass, counted } = how;
    if (request.bulk?.counted && counted !== request.bulk.outcomes.length)
      throw new Refusal(`The number of ${request.bulk.nouns} must be typed before anything is done. Nothing was done.`);
    const operation = checks.operation(request);
    if (!operation)
      return end(request, origin, "This version of Rackbell no longer has that command. Nothing was done.");
    await (glass === undefined
      ? checks.presser(request, operation, origin)
      : checks.glassBreaker(request, operation, origin));
    const bound = await checks.requester(request, operation);
    if (!bound) {
      const words = `The key of <@${request.slackUser}> changed since they asked. Nothing was done. Ask again if it is still wanted.`;
      return end(request, origin, words);
    }
    const holder = { ...request, slackUser: origin.slackUser };
    const work = () => runOnce(request, bound, origin, how);
    await withThing(store.locks, thingOf(request), holder, work, (by) => say.locked(request, by, origin));
  }

  async function runOnce(request: Request, bound: BoundOperation, origin: Origin, { glass, copyFirst }: How) {
    await refuseWhileUnclear(requests, request, request.risk, request.id);
    const checked = await checks.facts(request, bound);
    if (!("act" in checked)) return end(request, origin, checked.changed);
    const asked = { ...aboutOf(request), price: checked.price };
    // Without its approval it does not wait for its time either: what holds is what holds now.
    const about = glass === undefined ? asked : { ...asked, at: null };
    const { demand, rule } = await rules.verdict(about);
    if (demand === "never")
      return end(
        request,
        origin,
        `A rule of this workspace no longer allows it, so nothing was done. ${rule ? ruleWords(rule) : ""}`,
      );
    // What one of two approvers chose holds for both: the safer way.
    const first = copyFirst || request.copy?.step === "chosen" ? await prepareCopy(request, origin) : null;
    const needed = Math.max(levelOf(demand).needed, request.needed, first ? levelOf(first.demand).needed : 0);
    const needs = glass === undefined ? needed : 0;
    if (needs > 0 && request.mode === "self")
      return end(
        request,
        origin,
        `The rules of this workspace changed since it was asked, so nothing was done: ${rule ? ruleWords(rule) : "others must approve it now."} Ask again if it is still wanted.`,
      );
    if (glass !== undefined && !rule?.breakGlass)
      throw new Refusal("No rule of this workspace lets an admin run this without approval. Nothing was done.");
    const approvals = needs === 0 ? [] : await approve.with(request, bound.operation, origin);
    if (approvals.length < needs) return approve.keep(request, origin, { approvals, needs, copyFirst: first !== null });
    if (request.planned && glass === undefined)
      return carryOut.later({ request, origin, approvals, copyFirst: first !== null });
    // Counted before the claim: of ten at once, those that overrun the sum go no further.
    if (!(await rules.reserve(about, demand)) || (first && !(await rules.reserve(first.about, first.demand)))) {
      await rules.release(request);
      throw new Refusal(
        "Other spending was counted meanwhile, and more holds for this by now. Nothing was done. Press again.",
      );
    }
    await carryOut.now({ request, checked, bound, origin, approvals, glass, first });
  }

  return async (request, origin, how = {}) => void (await pressed(request, origin, how));
}

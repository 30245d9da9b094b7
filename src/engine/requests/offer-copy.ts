import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { CopyOffer } from "../../operation/copy.ts";
import type { Copying, PlatformOperation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { type ApiName, isPlatformError } from "../../platform/http/errors.ts";
import { duration, moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import type { Binder } from "../bound.ts";
import type { Copies } from "../records/copies.ts";
import type { Wanted } from "./create.ts";
import type { Request } from "./request.ts";
import { type About, aboutCopy, levelOf, type Rules } from "./rules.ts";

/** Finds what copy can be taken first of what a member wants changed, and what is to be said where it cannot. */
export type OfferCopy = (
  wanted: Wanted,
  asked: { about: About; needed: number },
) => Promise<{ copy: Request["copy"]; notice: string | null }>;

const none = { copy: null, notice: null };

export function createOfferCopy(deps: {
  registry: Registry;
  binder: Binder;
  copies: Copies;
  rules: Rules;
  clock: Clock;
  log: Logger;
}): OfferCopy {
  const { registry, binder, copies, rules, clock, log } = deps;

  async function read(
    { bound: { actor } }: Wanted,
    operation: PlatformOperation,
    target: string,
  ): Promise<CopyOffer | null> {
    const bound = (await binder.bind(operation, actor.member)).in(actor.project);
    const { api, command } = operation;
    return bound.offerCopy(target, await copies.last({ api, command, target }));
  }

  return async (wanted, { about, needed }) => {
    const { act, bound } = wanted;
    if (act.copyFirst === null || !act.target || !bound.may(act.copyFirst)) return none;
    const operation = registry.find(act.copyFirst);
    if (!operation || operation.api === "app" || !operation.copy) return none;
    try {
      const offer = await read(wanted, operation, act.target.id);
      if (!offer) return none;
      const { demand } = await rules.verdict(aboutCopy(about, operation));
      if (demand === "never" || levelOf(demand).needed > needed) return { copy: null, notice: notByRule };
      return { copy: offered(operation, operation.copy, offer, clock.now()), notice: null };
    } catch (error) {
      // The request stands without it: who asks at night is not to be stopped by a list that cannot be read.
      if (!isPlatformError(error)) throw error;
      log.warn({ err: error, command: operation.command }, "Whether a copy could come first could not be read");
      return { copy: null, notice: "Whether a copy could be taken first could not be read." };
    }
  };
}

const notByRule = "A rule of this workspace wants more for a copy than for this, so none is offered first.";

function offered(
  { command }: PlatformOperation,
  { label, step }: Pick<Copying<ApiName>, "label" | "step">,
  { words, brief, newest }: CopyOffer,
  now: number,
): Request["copy"] {
  const age = newest && `${code(newest.name)}, ${duration(now - newest.at)} old (taken ${moment(newest.at)})`;
  const said = { words, brief, newest: age ?? "none that was taken from here" };
  return { command, label, title: step, ...said, name: "", step: "offered", before: null, handle: null, next: [] };
}

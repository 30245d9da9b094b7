import type { Clock } from "../../../clock.ts";
import type { Review } from "../../../operation/answer.ts";
import { InputError, Refusal } from "../../../operation/errors.ts";
import type { Act } from "../../../operation/operation.ts";
import { isPlatformError, keyRejected, PlatformRefused } from "../../../platform/http/errors.ts";
import type { Store } from "../../../storage/store.ts";
import { code } from "../../../views/text.ts";
import type { Access } from "../../access.ts";
import { errorText, keyOf } from "../../answers/error-text.ts";
import type { BoundOperation } from "../../bound.ts";
import { createRequest, priceOf } from "../create.ts";
import type { Request } from "../request.ts";
import { aboutOf, lackingNow, type Rules, refuseForbidden } from "../rules.ts";
import type { RequestRun } from "../run.ts";
import type { RequestStore } from "../store.ts";
import { underWay, withThing } from "../thing-lock.ts";
import { refuseWhileUnclear } from "../unclear.ts";
import { type BulkTarget, partId } from "./record.ts";

/** Reads one of many again, writes down what is about to be done to it, and does it: once, whatever dies in between. */
export type BeginPart = (whole: Whole, target: BulkTarget, tries: number) => Promise<void>;

/** The request for many, with the key that it runs with. */
interface Whole {
  request: Request;
  bound: BoundOperation;
}

export function createBeginPart(deps: {
  store: Store;
  requests: RequestStore;
  run: Pick<RequestRun, "run">;
  rules: Rules;
  access: Pick<Access, "admit" | "markRejected">;
  clock: Clock;
}): BeginPart {
  const { store, requests, run, rules, access, clock } = deps;

  async function begin({ request, bound }: Whole, target: BulkTarget, id: string): Promise<void> {
    const { member, slackUser, command, risk } = request;
    // Many take their time: who was made a guest since they asked runs nothing any more.
    await access.admit(slackUser, { whose: `<@${slackUser}>, who asked,` });
    await refuseWhileUnclear(requests, { target, member, command }, risk);
    const input = requests.input(request);
    const act = await bound.begin({ id, targetId: target.id, input, resolved: true, now: clock.now() });
    refuseChanged(target, act, request.bulk?.byState ?? false);
    await act.usable();
    const review = risk === "change" ? { ...unasked, before: await act.before() } : await act.review();
    refuseChangedFacts(target, review, risk);
    await refuseStricter(request, act);
    const part = partOf(request, { bound, act, id, review });
    const begun = await requests.create(
      { ...part, instance: store.instance },
      { note: { what: "begun", outcome: "Begun." }, silent: true },
    );
    await run.run(begun, act, bound);
  }

  /** The rules may have become stricter since it was approved. */
  async function refuseStricter(request: Request, act: Act): Promise<void> {
    const verdict = await rules.verdict({
      ...aboutOf(request),
      bulk: null,
      within: act.project,
      thing: act.target?.id ?? null,
    });
    refuseForbidden(verdict);
    const lacking = request.glass === null ? lackingNow(verdict.demand, request) : null;
    if (lacking)
      throw new Refusal(`The rules of this workspace changed meanwhile. ${lacking} So it was left as it is.`);
  }

  function partOf(request: Request, made: { bound: BoundOperation; act: Act; id: string; review: Review }): Request {
    const { bound, act, id, review } = made;
    const { risk, rule, channel, origin, originator } = request;
    const asked = { bound, act, origin, generated: [], originator: originator ?? undefined };
    const asking = { risk, mode: "none", needed: 0, rule, breakable: false, review, channel } as const;
    const more = { notice: null, mention: null, copy: null, ttl: 0 };
    const part = createRequest(asked, { ...asking, ...more }, { now: clock.now(), seal: requests.seal });
    const { approvals, decidedBy, decidedAt, glass } = request;
    return { ...part, id, approvals, decidedBy, decidedAt, glass, part: { of: request.id, again: null } };
  }

  /** What it did not come to: nothing was sent, and it is kept like what was done. */
  async function keepUndone(request: Request, target: BulkTarget, id: string, error: unknown): Promise<void> {
    await access.markRejected(request.member, error);
    const { text, again } = errorText(error, clock.now(), keyOf(request.slackUser));
    const isLeftOut = error instanceof Refusal || error instanceof InputError || isGone(error);
    const now = clock.now();
    const part: Request = {
      ...request,
      ...{ id, bulk: null, target: { id: target.id, name: target.name }, mode: "none", price: null },
      ...{ state: isLeftOut ? "void" : "refused", outcome: text, sealed: null, job: null, instance: null },
      ...{
        createdAt: now,
        changedAt: now,
        expiresAt: now,
        part: { of: request.id, again: again ?? laterIfPassing(error, now) },
      },
    };
    await requests.create(part, { note: { what: part.state, outcome: text } });
  }

  return async (whole, target, tries) => {
    const { request } = whole;
    const id = partId(request.id, target.id, tries);
    // It was begun before a crash: what came of it is found out, and it is not begun again.
    if (await requests.read(id)) return;
    const holder = { id, slackUser: request.slackUser, verb: request.verb, target };
    try {
      await withThing(
        store.locks,
        target.id,
        holder,
        () => begin(whole, target, id),
        (by) => Promise.reject(new Refusal(underWay(by))),
      );
    } catch (error) {
      // What cannot be written down is tried again as a whole.
      if (!isTelling(error) || (await requests.read(id))) throw error;
      await keepUndone(request, target, id, error);
    }
  };
}

const unasked: Review = {
  ...{ consequence: "", press: null, back: null, material: [], shown: [], personal: [], price: null, before: null },
};

function isTelling(error: unknown): boolean {
  return error instanceof Refusal || error instanceof InputError || isPlatformError(error) || keyRejected(error);
}

/** What was only read, and not answered, may be by itself: it is tried again before that counts as a failure. */
function laterIfPassing(error: unknown, now: number): number | null {
  const isRefused = error instanceof PlatformRefused && error.status < 500;
  return isPlatformError(error) && !isRefused ? now + readAgainAfter : null;
}

const readAgainAfter = 10_000;

function isGone(error: unknown): boolean {
  return error instanceof PlatformRefused && error.status === 404;
}

/** What was listed is meant, and nothing that has taken its place. */
function refuseChanged(target: BulkTarget, act: Act, byState: boolean): void {
  const changes = [
    ...(act.target?.name === target.name
      ? []
      : [`It was called ${code(target.name)} and is called ${code(act.target?.name ?? "")} now.`]),
    ...(target.project === "" || act.project === target.project
      ? []
      : [`It was in ${code(target.project)} and is in ${code(act.project ?? "no project")} now.`]),
    ...(!byState || act.states.includes(target.state)
      ? []
      : [`It was ${target.state} and is ${act.states[0] ?? "of another state"} now.`]),
  ];
  if (changes.length > 0) throw new Refusal(`${changes.join(" ")} So it was left as it is.`);
}

/** Of the facts that were pinned, none may have changed; what only its own page tells was not pinned. */
function refuseChangedFacts(target: BulkTarget, { material, price }: Review, risk: Request["risk"]): void {
  const changes = target.material.flatMap(({ label, value }) => {
    const now = material.find((fact) => fact.label === label)?.value;
    return now === undefined || now === value ? [] : [`*${label}* was ${value} and is now ${now}.`];
  });
  const costs = priceOf(risk, { price });
  const dearer =
    typeof target.price === "object" && target.price !== null && JSON.stringify(costs) !== JSON.stringify(target.price);
  if (dearer && changes.length === 0) changes.push("Its price is not what it was.");
  if (changes.length > 0) throw new Refusal(`${changes.join(" ")} So it was left as it is.`);
}

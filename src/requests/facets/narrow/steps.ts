import { randomUUID } from "node:crypto";
import type { Origin } from "../../../messages/origin.ts";
import { Refusal } from "../../../operation/errors.ts";
import { secretNames, withoutSecrets } from "../../../operation/fields.ts";
import { allRows, withRows } from "../../../operation/leading.ts";
import type { Invocation } from "../../../operation/operation.ts";
import type { PlainText } from "../../../process/plain-text.ts";
import { code, listingOf } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import { openRequest } from "../../ask.ts";
import { bindRequester, requireMay, requireOperation } from "../../checks.ts";
import { type Amendment, newestOf, type Request } from "../../request.ts";
import { openedInput, sealInput } from "../../sealed.ts";
import { findFor, sayState } from "../../state-answers.ts";
import { step } from "../../step.ts";
import { proposeBulk } from "../bulk/propose.ts";
import type { ApprovedTarget } from "../bulk/record.ts";
import { readTargets } from "../bulk/targets.ts";

/** A request that a member may narrow, and what can be taken out of it: its targets, or the products of an order by their place. */
export interface Narrowable {
  request: Request;
  choices: { id: string; name: PlainText }[];
}

/** The request with all that its form shows; null after telling the state. Refuses a member who may not narrow it. */
export async function findNarrowable(app: RequestsApp, id: string, origin: Origin): Promise<Narrowable | null> {
  const request = await findFor(app, "narrow", id, origin);
  if (!request) return null;
  await requireMay(app, "narrow", request, origin);
  return { request, choices: request.bulk ? await readTargets(app, id) : await readRows(app, request) };
}

/** The things in a request, such as the products of an order. None if it is about one alone. */
async function readRows(app: RequestsApp, request: Request): Promise<Narrowable["choices"]> {
  const { cart } = requireOperation(app, request);
  if (!cart || (request.form?.rows ?? 0) < 2) return [];
  const bound = await bindRequester(app, request);
  const names = await bound.rowNames(allRows(cart, openedInput(app, request)));
  return names.map((name, at) => ({ id: String(at), name }));
}

/** The form in which the requester lowers the amount of their own request, filled in; null for any other presser or request. */
export function ownForm(app: RequestsApp, { request }: Narrowable, origin: Origin): Invocation | null {
  const { id, command, target, form, requester } = request;
  if (form === null || form.amount === null || requester.member !== origin.member) return null;
  const { input } = requireOperation(app, request);
  const again = Object.fromEntries(
    form.secrets.map((name) => [name, "It is not kept: enter it again, or leave it out."]),
  );
  return {
    command,
    input: withoutSecrets(input, openedInput(app, request)),
    replaces: { request: id },
    faults: { ...again, [form.amount.name]: "Enter a lower one." },
    ...(target ? { target: target.id } : {}),
  };
}

/** A narrower request: the ids of what stays, or the lower amount. `reason` is a sentence in mrkdwn. */
export interface Narrower {
  stay: readonly string[];
  amount: number | null;
  reason: string;
}

/**
 * Narrows a request: a new one takes its place, without its approvals and its id. What costs money ends instead if somebody else than its payer
 * narrows it, and the payer may ask for less: only they confirm a price.
 */
export async function narrow(app: RequestsApp, id: string, origin: Origin, narrower: Narrower): Promise<void> {
  const found = await findNarrowable(app, id, origin);
  if (!found) return;
  if (found.request.bulk) return takeOut(app, found.request, origin, narrower);
  return found.choices.length > 1
    ? takeRowsOut(app, found, origin, narrower)
    : lower(app, found.request, origin, narrower);
}

async function lower(app: RequestsApp, request: Request, origin: Origin, { amount, reason }: Narrower): Promise<void> {
  const before = request.form?.amount;
  if (!before || amount === null || amount >= before.value || amount < before.least)
    throw new Refusal("The amount must be lower than before. Nothing changed.");
  const { input } = requireOperation(app, request);
  const less = { ...withoutSecrets(input, openedInput(app, request)), [before.name]: amount };
  const again = sealInput(app, request.id, less);
  const words = `<@${origin.slackUser}> would approve ${amount} in place of ${before.value}: ${reason}`;
  await endForLess(app, request, origin, words, { input: { ...request.input, sealed: null, again } });
}

/** A message names this many targets and counts the others. */
const mostNamed = 5;

/** The sentence about what is taken out. Throws a Refusal unless something is, and something stays. */
function takenOutWords(choices: Narrowable["choices"], origin: Origin, { stay, reason }: Narrower): string {
  const out = choices.filter(({ id }) => !stay.includes(id));
  if (out.length === 0 || out.length === choices.length)
    throw new Refusal("Leave at least one in, and take at least one out. Nothing changed.");
  const names = out.map(({ name }) => code(name, 60));
  return `<@${origin.slackUser}> took ${listingOf(names, mostNamed, "other")} out: ${reason}`;
}

/** Takes products out of an order. It gets another id, so that the platform never takes the two for one order. */
async function takeRowsOut(
  app: RequestsApp,
  { request, choices }: Narrowable,
  origin: Origin,
  narrower: Narrower,
): Promise<void> {
  const { id, requester, schedule, agent, target, form } = request;
  const words = takenOutWords(choices, origin, narrower);
  const { input: schema, cart } = requireOperation(app, request);
  const less = cart && withRows(cart, openedInput(app, request), (at) => narrower.stay.includes(String(at)));
  if (!less || !form) return sayState(app, id, origin);
  if (origin.member !== requester.member) {
    const again = sealInput(app, id, withoutSecrets(schema, less));
    const left = { ...form, secrets: secretNames(schema, less), rows: narrower.stay.length };
    return endForLess(app, request, origin, words, { input: { ...request.input, sealed: null, again }, form: left });
  }
  const bound = await bindRequester(app, request);
  const call = { id: randomUUID(), targetId: target?.id ?? null, resolved: true, now: app.clock.now() };
  await openRequest(app, {
    ...{ bound, origin, agent, act: await bound.begin({ ...call, input: less }) },
    ...{ generated: request.input.generated, when: schedule },
    narrows: { request: id, by: origin.slackUser, words },
  });
}

async function takeOut(app: RequestsApp, request: Request, origin: Origin, narrower: Narrower): Promise<void> {
  const { id, bulk, requester, schedule, agent, price, risk } = request;
  const targets = await readTargets(app, id);
  const words = takenOutWords(targets, origin, narrower);
  const isIn = (target: ApprovedTarget) => narrower.stay.includes(target.id);
  if (!bulk) return sayState(app, id, origin);
  if (origin.member !== requester.member && (risk === "spend" || price !== null)) {
    // *Ask again* asks for those alone that were not taken out.
    const outcomes = targets.map((target) => (isIn(target) ? ("waiting" as const) : ("taken out" as const)));
    return endForLess(app, request, origin, words, { bulk: { ...bulk, outcomes } });
  }
  await proposeBulk(app, {
    bound: await bindRequester(app, request),
    // The requester's place: it runs with their key, and their messages are about it.
    origin: origin.member === requester.member ? origin : { ...request.origin, view: null },
    input: openedInput(app, request),
    chosen: { earlier: targets.filter(isIn), series: bulk.series },
    stopAfter: bulk.stopAfter,
    when: schedule,
    agent,
    narrows: { request: id, by: origin.slackUser, words },
  });
}

/** Ends a request that costs money, with what its payer may ask for in its place. */
async function endForLess(
  app: RequestsApp,
  request: Request,
  origin: Origin,
  words: string,
  change: Amendment,
): Promise<void> {
  const { slackUser } = request.requester;
  const outcome = `${words} Nothing was done. Only <@${slackUser}> can confirm the new price: *Ask again* asks for that.`;
  const decided = { decidedBy: origin.slackUser, decidedAt: app.clock.now(), ...newestOf(request, origin) };
  const extras = { auditOutcome: outcome, by: origin.slackUser };
  if (!(await step(app, request, "deny", { ...decided, ...change, outcome }, extras)))
    await sayState(app, request.id, origin);
}

import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import { Refusal, ScopeMissing } from "../operation/errors.ts";
import type { Act, AppOperation, Invocation, Operation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import { withoutWhen, withSettled } from "../operation/when.ts";
import { code } from "../views/text.ts";
import type { Access } from "./access.ts";
import { privateAnswer, type WaysOn } from "./answers/answers.ts";
import { correctionOf } from "./answers/correction.ts";
import type { Explain } from "./answers/explain.ts";
import { offerTo } from "./answers/offer.ts";
import type { Origin } from "./answers/origin.ts";
import { asksFirst, askWhich } from "./answers/questions.ts";
import type { Reply } from "./answers/reply.ts";
import type { AppContext } from "./app-context.ts";
import type { Binder, BoundOperation } from "./bound.ts";
import type { Guard } from "./guard.ts";
import { createNarrowing, explainWithin, isUnknownStatus, type Narrowed, resolveWithin } from "./narrowing.ts";
import { createRead } from "./read.ts";
import type { AskedOfMany } from "./requests/bulk/ask.ts";
import type { Wanted } from "./requests/create.ts";
import { sameName, type Target } from "./resolve.ts";
import type { PutOff } from "./when.ts";

/** What is wanted, and when; null: now. */
interface Settled extends Narrowed {
  when: PutOff | null;
}

/** Carries out what a command, a form or a button asks for, and brings the answer to the member. Throws nothing. */
export type Invoke = (invocation: Invocation, origin: Origin, generated?: string[]) => Promise<void>;

interface Deps {
  registry: Registry<AppContext>;
  access: Access;
  binder: Binder;
  explain: Explain;
  guard: Guard;
  /** What the app's own operations work with. */
  context: AppContext;
  reply: Reply;
  clock: Clock;
}

/** It tells of the command before it. */
const againCommand = "rackbell again";

export function createInvoke(
  deps: Deps,
  /** Told of every invocation that ended, for the metrics. */
  onInvoked: (command: string, outcome: "ok" | "refused" | "failed") => void,
): Invoke {
  const { registry, access, binder, explain, guard, context, reply, clock } = deps;
  const narrow = createNarrowing(context.channelDefaults);
  const read = createRead({ registry, context, reply, clock });

  async function carryOut(invocation: Invocation, origin: Origin, generated: string[]): Promise<void> {
    const operation = registry.find(invocation.command);
    if (!operation)
      throw new Refusal(`There is no ${code(invocation.command)} any more. \`/rackbell help\` shows what there is.`);
    await access.admit(origin.slackUser);
    if (!origin.pressed && !origin.home && operation.command !== againCommand)
      context.lastCommands.note(origin.member, operation, invocation);
    if (operation.api === "app") return runOwn(operation, acceptedOf(operation, invocation), origin);
    // First whether they may at all: what is wrong with the rest is of no use to who may not.
    const bound = await binder.bind(operation, origin.member);
    const meant = await narrow(bound, invocation, origin);
    try {
      await runBound(await settledOf(context, meant, origin), origin, generated);
    } catch (error) {
      throw explainWithin(error, meant);
    }
  }

  async function runOwn(operation: AppOperation<AppContext>, invocation: Invocation, origin: Origin): Promise<void> {
    const links = await access.links(origin.member);
    const { member, slackUser } = origin;
    if (await asksFirst(reply, operation, { verb: operation.verb, name: "" }, invocation, origin)) return;
    const actor = {
      member,
      slackUser,
      keyLabel: links.customer?.keyLabel ?? links.reseller?.keyLabel ?? "",
      project: links.customer?.project ?? null,
    };
    const answer = await operation.run({
      context,
      actor,
      channel: origin.channel,
      input: invocation.input,
      now: clock.now(),
    });
    if (answer.file) return reply.file(origin, answer.file, answer.text);
    // Read again: linking changes what can be offered.
    const offer = offerTo(await access.links(member), registry);
    await reply.ephemeral(origin, privateAnswer(answer, { offer, name: "", invocation, shareLabel: null }), {
      replace: invocation.replace === true,
    });
  }

  async function runBound(meant: Settled, origin: Origin, generated: string[]): Promise<void> {
    const { bound, invocation } = meant;
    const { target: typed, several } = invocation;
    if (several && "where" in several) return runOnMany(deps, several, meant, origin);
    const target = bound.operation.target && typed !== undefined ? await resolveWithin(meant, typed, registry) : null;
    if (target?.is === "many") return askWhich(reply, bound.operation, invocation, target, origin);
    if (target?.is !== "several") return runOn(meant, target, origin, generated);
    const [only, second] = target.found;
    if (only && !second) return runOn(meant, { is: "id", ...only }, origin, []);
    if (bound.operation.bulk) return runOnMany(deps, target.found, meant, origin);
    for (const { id } of target.found) await runOn(meant, { is: "id", id, name: null }, origin, []);
  }

  async function runOn(
    meant: Settled,
    target: Extract<Target, { is: "id" }> | null,
    origin: Origin,
    generated: string[],
  ): Promise<void> {
    const { bound, invocation } = meant;
    const targetId = target?.id ?? null;
    try {
      const act = await bound.begin({
        id: randomUUID(),
        targetId,
        input: withoutWhen(invocation.input),
        now: clock.now(),
      });
      if (act.risk === "read") {
        await context.requests.admitReading({ bound, act, origin });
        return await read(meant, act, origin);
      }
      await refuseRenamed(bound, act, { typed: invocation.target ?? "", name: target?.name ?? null });
      await act.usable();
      await submit(deps, { bound, act, generated, origin }, meant);
    } catch (error) {
      if (meant.plainer === null || !isUnknownStatus(error)) throw await explain(error, bound, targetId);
      await runOn(plainerOf(meant, meant.plainer), target, origin, []);
    }
  }

  return async (invocation, origin, generated = []) => {
    const operation = registry.find(invocation.command);
    const ways = (error: unknown) => waysOn(error, operation, invocation);
    const fine = await guard(origin, () => carryOut(invocation, origin, generated), ways);
    onInvoked(operation?.command ?? "unknown", fine ? "ok" : "refused");
  };
}

async function runOnMany(
  { context, reply, explain }: Pick<Deps, "context" | "reply" | "explain">,
  meant: AskedOfMany["meant"],
  { bound, invocation, when }: Settled,
  origin: Origin,
): Promise<void> {
  const { stopAfter, confirmed, originator } = invocation;
  const input = withoutWhen(invocation.input);
  try {
    await context.requests.bulk.ask({ bound, origin, input, meant, stopAfter, confirmed, originator, when });
  } catch (error) {
    throw await explain(error, bound, null);
  }
  if (invocation.replace) await reply.dismiss(origin);
}

function waysOn(error: unknown, operation: Operation<AppContext> | undefined, invocation: Invocation): WaysOn {
  return {
    correct: operation ? correctionOf(operation, invocation, error) : null,
    handOver: error instanceof ScopeMissing && operation?.risk !== "read" ? invocation : null,
  };
}

/** The same list without the status that it does not know. */
function plainerOf(meant: Settled, { invocation, note }: NonNullable<Narrowed["plainer"]>): Settled {
  return { ...meant, invocation: acceptedOf(meant.bound.operation, invocation), note, plainer: null };
}

/** The invocation as the operation means it, with a time that is the same whenever it is read: a button may carry it on. */
async function settledOf({ putOff }: AppContext, meant: Narrowed, { slackUser }: Origin): Promise<Settled> {
  const invocation = acceptedOf(meant.bound.operation, meant.invocation);
  const when = await putOff(invocation.input, slackUser);
  const input = when ? withSettled(invocation.input, when.at) : invocation.input;
  return { ...meant, when, invocation: { ...invocation, input } };
}

/** Hands on what changes something: to be asked first, or done at once. */
async function submit(
  { context, reply }: Pick<Deps, "context" | "reply">,
  said: Pick<Wanted, "bound" | "act" | "generated" | "origin">,
  { when, invocation }: Settled,
): Promise<void> {
  const { bound, act, origin } = said;
  const wanted = { ...said, originator: invocation.originator, draft: invocation.draft, when };
  const pinned = { ...invocation, ...(act.target ? { target: act.target.id } : {}) };
  const title = { verb: act.verb, name: act.target?.name ?? "", when };
  await context.requests.act(wanted, () => asksFirst(reply, bound.operation, title, pinned, origin));
  if (invocation.confirmed && invocation.replace) await reply.dismiss(origin);
}

/** The invocation with its values as the operation means them. */
function acceptedOf(operation: Operation<AppContext>, invocation: Invocation): Invocation {
  const accepted = operation.accept(invocation.input);
  if ("error" in accepted) throw accepted.error;
  return { ...invocation, input: accepted.input };
}

// The directory may be minutes old: what was called so then may by now be another machine's name. Another word for it may still hold.
async function refuseRenamed(
  bound: BoundOperation,
  act: Act,
  { typed, name }: { typed: string; name: string | null },
): Promise<void> {
  if (name === null || !act.target || act.target.name === name) return;
  if (act.names.some((each) => sameName(each, typed))) return;
  await bound.listing({ fresh: true });
  throw new Refusal(
    `What was called ${code(name)} is called ${code(act.target.name)} by now, so nothing was done. Ask again with the name that you mean.`,
  );
}

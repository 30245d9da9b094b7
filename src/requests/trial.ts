import { randomUUID } from "node:crypto";
import { type BoundOperation, bind } from "../members/access/bound.ts";
import { noInteraction, type Origin } from "../messages/origin.ts";
import { InputError, Refusal } from "../operation/errors.ts";
import type { Invocation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import { withoutSchedule } from "../operation/schedule-input.ts";
import { demandWords, ruleWords } from "../policy/words.ts";
import { code, listing } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { operationOf } from "./checks.ts";
import { noIdentity, requesterOf, ruledProposal } from "./create.ts";
import { declaredAct, type Ruled, readRuling } from "./rules.ts";

/** Parses a typed command: one invocation, several readings if the noun is missing, or an error as a sentence. */
export type ParseCommand = (
  registry: Registry,
  text: string,
) => { invocation: Invocation } | { readings: Invocation[]; unknown?: string } | { error: string };

/** Prepares the act and reads its price; null if that needs inputs that were not typed. */
async function beginAct(bound: BoundOperation, invocation: Invocation, now: number) {
  const accepted = bound.operation.accept(invocation.input);
  if ("error" in accepted) return null;
  const { target } = invocation;
  const resolved = bound.operation.target && target !== undefined ? await bound.resolve(target) : null;
  if (resolved && resolved.is !== "id")
    throw new Refusal(`${code(target ?? "")} means more than one. Give an address or an id.`);
  try {
    const call = { id: randomUUID(), targetId: resolved?.id ?? null, input: withoutSchedule(accepted.input), now };
    const act = await bound.begin(call);
    const asks = act.risk === "spend" || act.risk === "destroy";
    return { act, price: asks ? (await act.review()).price : null };
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** Explains which approval rule would apply to a typed command, and changes nothing. */
export async function tryOut(
  app: RequestsApp,
  parse: ParseCommand,
  text: string,
  origin: Pick<Origin, "member" | "slackUser" | "channel">,
  now: number,
): Promise<string> {
  const { registry } = app;
  const parsed = parse(registry, text);
  if ("error" in parsed) throw new Refusal(parsed.error);
  if ("readings" in parsed) {
    const whole = parsed.readings.slice(0, 3).map(({ command }) => code(`/${command}`));
    throw new Refusal(`That can mean more than one command. Type the whole command: ${listing(whole, "or")}.`);
  }
  const operation = operationOf(app, parsed.invocation);
  if (!operation) throw new Refusal("Approval rules apply to acts on the platform, not to Rackbell's own commands.");
  const bound = await bind(app, operation, origin.member);
  const begun = await beginAct(bound, parsed.invocation, now);
  const requestOrigin = { ...origin, ...noInteraction };
  const { demand, rule, passkey, leaving } = await (begun
    ? readRuling(app, ruledProposal({ bound, act: begun.act, origin: requestOrigin }, begun.price), begun.act)
    : readRuling(app, ruledUnread(bound, requestOrigin)));
  const by = rule
    ? `The rule: ${ruleWords(rule, { price: begun?.price ?? null })}`
    : "No rule matches, so the default applies.";
  const isAsked = begun
    ? begun.act.interrupts !== null || begun.act.replaces !== null || begun.act.unlisted.length > 0
    : operation.asksFirst;
  const asks = demand === "allowed" && isAsked ? ", after it asked its requester" : "";
  const facts = begun ? "" : " The command is incomplete, so its price and project are unknown.";
  return `${code(`/${operation.command}`)}: ${demandWords[demand]}${asks}${passkey ? ", and needs a passkey" : ""}. ${by}${leaving ? ` ${leaving}` : ""}${facts} Nothing was done.`;
}

/** A command whose target and inputs were not read. */
function ruledUnread(bound: BoundOperation, origin: Origin): Ruled {
  const { operation } = bound;
  const { risk, command } = operation;
  const unread = {
    target: null,
    identity: { ...noIdentity, project: null },
    schedule: null,
    bulk: null,
    originator: null,
    agent: null,
  };
  const price = risk === "spend" ? ("unknown" as const) : null;
  const ruling = { relocations: [] };
  return {
    ...unread,
    ...declaredAct(operation),
    id: "",
    requester: requesterOf(bound),
    command,
    risk,
    origin,
    price,
    ruling,
  };
}

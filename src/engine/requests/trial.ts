import { randomUUID } from "node:crypto";
import { InputError, Refusal } from "../../operation/errors.ts";
import type { Invocation, Operation, PlatformOperation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { withoutWhen } from "../../operation/when.ts";
import { code, listing } from "../../views/text.ts";
import type { Origin } from "../answers/origin.ts";
import type { Binder, BoundOperation } from "../bound.ts";
import { demandWords, ruleWords } from "../policy/words.ts";
import { priceOf } from "./create.ts";
import { type About, aboutWanted, type Rules } from "./rules.ts";

/** What a typed command asks for, or may ask for where its noun was left out, or a sentence that says why it is not understood. */
export type ParseCommand = (
  registry: Registry,
  text: string,
) => { invocation: Invocation } | { readings: Invocation[] } | { error: string };

/** Says what would hold for a command that somebody types, and changes nothing. */
export type Trial = (
  text: string,
  origin: Pick<Origin, "member" | "slackUser" | "channel">,
  now: number,
) => Promise<string>;

export function createTrial(deps: { registry: Registry; binder: Binder; rules: Rules; parse: ParseCommand }): Trial {
  const { registry, binder, rules, parse } = deps;

  /** The act as it would be asked, its price read; null where that takes what was not typed. */
  async function begun(bound: BoundOperation, invocation: Invocation, now: number) {
    const accepted = bound.operation.accept(invocation.input);
    if ("error" in accepted) return null;
    const { target } = invocation;
    const found = bound.operation.target && target !== undefined ? await bound.resolve(target) : null;
    if (found && found.is !== "id")
      throw new Refusal(`${code(target ?? "")} means more than one. Give an address or an id.`);
    try {
      const call = { id: randomUUID(), targetId: found?.id ?? null, input: withoutWhen(accepted.input), now };
      const act = await bound.begin(call);
      const asks = act.risk === "spend" || act.risk === "destroy";
      return {
        act,
        price: act.risk === "read" ? null : priceOf(act.risk, asks ? await act.review() : { price: null }),
      };
    } catch (error) {
      if (error instanceof InputError) return null;
      throw error;
    }
  }

  return async (text, origin, now) => {
    const parsed = parse(registry, text);
    if ("error" in parsed) throw new Refusal(parsed.error);
    if ("readings" in parsed) {
      const whole = parsed.readings.slice(0, 3).map(({ command }) => code(`/${command}`));
      throw new Refusal(`That can be said of more than one thing. Type it with its noun: ${listing(whole, "or")}.`);
    }
    const operation = registry.find(parsed.invocation.command);
    if (!operation || operation.api === "app")
      throw new Refusal("Rackbell's own commands are not under the policy: it is about what is done on the platform.");
    const bound = await binder.bind(operation, origin.member);
    const known = await begun(bound, parsed.invocation, now);
    const asked = { ...origin, responseUrl: null, until: 0, pressed: false, home: false, view: null, thread: null };
    const about: About = known
      ? aboutWanted({ bound, act: known.act, origin: asked }, known.price)
      : withoutFacts(operation, origin);
    const { demand, rule } = await rules.verdict(about);
    const by = rule ? `The rule: ${ruleWords(rule)}` : "No rule speaks of it, so this is what holds otherwise.";
    const facts = known ? "" : " What it costs and where it is could not be read without the rest of what it takes.";
    return `${code(`/${operation.command}`)}: ${demandWords[demand]}. ${by}${facts} Nothing was done.`;
  };
}

function withoutFacts(
  operation: Operation & PlatformOperation,
  { member, channel }: Pick<Origin, "member" | "channel">,
): About {
  const { risk, command } = operation;
  const price = risk === "spend" ? ("unknown" as const) : null;
  return { id: "", member, originator: null, risk, command, within: null, thing: null, at: null, channel, price };
}

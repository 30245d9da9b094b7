import { randomBytes } from "node:crypto";
import type { Clock } from "../../clock.ts";
import type { Json } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Act } from "../../operation/operation.ts";
import type { BoundOperation } from "../bound.ts";
import type { Verdict } from "../policy/judge.ts";
import { ruleWords } from "../policy/words.ts";
import type { RequestChecks, Who } from "./checks.ts";
import type { Copy, Request } from "./request.ts";
import { type About, aboutCopy, aboutOf, levelOf, type Rules } from "./rules.ts";

/** A copy that is about to be taken, with all that was read for it. */
export interface PreparedCopy {
  bound: BoundOperation;
  act: Act;
  copy: Copy;
  /** How it is held by the policy. */
  about: About;
  demand: Verdict["demand"];
}

/** Reads what a copy of a request's thing takes, and refuses where none can be taken. Nothing is written. */
export type PrepareCopy = (request: Request, who: Who) => Promise<PreparedCopy>;

export function createPrepareCopy(deps: { checks: RequestChecks; rules: Rules; clock: Clock }): PrepareCopy {
  const { checks, rules, clock } = deps;

  return async (request, who) => {
    const { copy, target } = request;
    // A press that asks for a copy never goes on without one.
    if (!copy || !target) throw new Refusal("No copy can be taken first of this. Nothing was done.");
    const operation = checks.operation(copy);
    const bound = operation && (await checks.requester(request, operation));
    if (!bound?.may(copy.command))
      throw new Refusal(`The key of <@${request.slackUser}> cannot take a copy any more. Nothing was done.`);
    // Who approves what is billed may do so themselves.
    if (request.mode === "peer") await checks.able(bound.operation, who);
    const about = aboutCopy(aboutOf(request), bound.operation);
    const demand = await allowedBy(about, request.mode);
    const name = copyName(target.name, clock.now());
    const act = await bound.begin({ id: request.id, targetId: target.id, input: { name }, now: clock.now() });
    await act.usable();
    const before = await beforeOf(act);
    return { bound, act, about, demand, copy: { ...copy, name, before, step: "taking" } };
  };

  async function allowedBy(about: About, mode: Request["mode"]): Promise<Verdict["demand"]> {
    const { demand, rule } = await rules.verdict(about);
    const words = rule ? ` The rule: ${ruleWords(rule)}` : "";
    if (demand === "never")
      throw new Refusal(`A rule of this workspace does not allow the copy, so nothing was done.${words}`);
    if (mode !== "peer" && levelOf(demand).needed > 0)
      throw new Refusal(`Others must approve the copy by now, so nothing was done.${words}`);
    return demand;
  }
}

/** What its reconcile compares with: what is asked first has it in its review. */
async function beforeOf(act: Act): Promise<Json> {
  return act.risk === "spend" ? (await act.review()).before : act.before();
}

/** "web-1-20261128-3fa9c1": what it is of and when, never the same twice, and within what any platform takes as a name. */
function copyName(name: string, now: number): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const day = new Date(now).toISOString().slice(0, 10).replaceAll("-", "");
  return `${plain.slice(0, 60) || "copy"}-${day}-${randomBytes(3).toString("hex")}`;
}

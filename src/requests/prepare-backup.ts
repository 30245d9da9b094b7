import { randomBytes } from "node:crypto";
import type { BoundOperation } from "../access/bound.ts";
import type { Clock } from "../clock.ts";
import type { Json } from "../operation/answer.ts";
import { Refusal } from "../operation/errors.ts";
import type { Act } from "../operation/operation.ts";
import type { RequiredApproval } from "../policy/evaluate.ts";
import { demandOf } from "../policy/words.ts";
import type { MemberRef, RequestChecks } from "./checks.ts";
import type { BackupFirst, Request } from "./request.ts";
import { approvalLevel, backupFacts, type PolicyFacts, policyFactsOf, type Rules } from "./rules.ts";

/** A backup that is ready to be taken, with everything that was read for it. */
export interface PreparedBackup {
  bound: BoundOperation;
  act: Act;
  copy: BackupFirst;
  /** The backup as an act of its own, for the approval rules. */
  policyFacts: PolicyFacts;
  demand: RequiredApproval["demand"];
  /** True if an emergency override may skip the approval of the backup. */
  breakable: boolean;
}

/** Reads everything that a backup needs. Throws a Refusal if none can be taken. Writes nothing at the platform. */
export type PrepareBackup = (request: Request, who: MemberRef) => Promise<PreparedBackup>;

export function createPrepareBackup(deps: { checks: RequestChecks; rules: Rules; clock: Clock }): PrepareBackup {
  const { checks, rules, clock } = deps;

  return async (request, who) => {
    const { copy, target } = request;
    // The presser asked for a backup, so the act must never run without one.
    if (!copy || !target) throw new Refusal("No copy can be taken first of this. Nothing was done.");
    const operation = checks.operation(copy);
    const bound = operation && (await checks.requester(request, operation));
    if (!bound?.may(copy.command))
      throw new Refusal(`The key of <@${request.slackUser}> cannot take a copy any more. Nothing was done.`);
    // The backup may cost money: an approver must be allowed to take one themselves.
    if (request.mode === "peer") await checks.able(bound.operation, who);
    const policyFacts = backupFacts(policyFactsOf(request), bound.operation);
    const { demand, rule } = await requireAllowed(policyFacts, request.mode);
    const name = backupName(target.name, clock.now());
    const act = await bound.begin({ id: request.id, targetId: target.id, input: { name }, now: clock.now() });
    await act.usable();
    const before = await beforeOf(act);
    const breakable = rule?.breakGlass ?? false;
    return { bound, act, policyFacts, demand, breakable, copy: { ...copy, name, before, step: "taking" } };
  };

  async function requireAllowed(policyFacts: PolicyFacts, mode: Request["mode"]): Promise<RequiredApproval> {
    const verdict = await rules.verdict(policyFacts);
    const { demand, rule } = verdict;
    const words = rule ? ` The rule: ${demandOf(rule)}` : "";
    if (demand === "never")
      throw new Refusal(`A rule of this workspace does not allow the copy, so nothing was done.${words}`);
    if (mode !== "peer" && approvalLevel(demand).needed > 0)
      throw new Refusal(`Others must approve the copy by now, so nothing was done.${words}`);
    return verdict;
  }
}

/** Reads the state that reconciling compares with. An act that costs money has it in its review. */
async function beforeOf(act: Act): Promise<Json> {
  return act.risk === "spend" ? (await act.review()).before : act.before();
}

/** Makes a unique name that every platform accepts, from the target and the day: "web-1-20261128-3fa9c1". */
function backupName(name: string, now: number): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const day = new Date(now).toISOString().slice(0, 10).replaceAll("-", "");
  return `${plain.slice(0, 60) || "copy"}-${day}-${randomBytes(3).toString("hex")}`;
}

import type { Logger } from "pino";
import type { Binder } from "../access/bound.ts";
import type { Clock } from "../clock.ts";
import type { BackupOffer } from "../operation/backup.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import { isPlatformError } from "../platform/http/errors.ts";
import { duration, moment } from "../views/format.ts";
import { code } from "../views/text.ts";
import type { Proposal } from "./create.ts";
import type { NewestBackups } from "./newest-backups.ts";
import type { Request } from "./request.ts";
import { approvalLevel, backupFacts, type PolicyFacts, type Rules } from "./rules.ts";

/** Finds the backup that can be taken first. `notice` is a sentence if there should be one but it is not possible. */
export type OfferBackup = (
  proposal: Proposal,
  terms: { policyFacts: PolicyFacts; needed: number },
) => Promise<{ copy: Request["copy"]; notice: string | null }>;

const none = { copy: null, notice: null };

export function createOfferBackup(deps: {
  registry: Registry;
  binder: Binder;
  newestBackups: NewestBackups;
  rules: Rules;
  clock: Clock;
  log: Logger;
}): OfferBackup {
  const { registry, binder, newestBackups, rules, clock, log } = deps;

  async function read(
    { bound: { actor } }: Proposal,
    operation: PlatformOperation,
    target: string,
  ): Promise<BackupOffer | null> {
    const bound = (await binder.bind(operation, actor.member)).in(actor.project);
    const { api, command } = operation;
    return bound.offerCopy(target, await newestBackups.last({ api, command, target }));
  }

  return async (proposal, { policyFacts, needed }) => {
    const { act, bound } = proposal;
    if (act.backupFirst === null || !act.target || !bound.may(act.backupFirst)) return none;
    const operation = registry.find(act.backupFirst);
    if (!operation || operation.api === "app" || !operation.copy) return none;
    try {
      const offer = await read(proposal, operation, act.target.id);
      if (!offer) return none;
      const { demand } = await rules.verdict(backupFacts(policyFacts, operation));
      if (demand === "never" || approvalLevel(demand).needed > needed) return { copy: null, notice: forbiddenNotice };
      return { copy: offeredBackup(operation, operation.copy, offer, clock.now()), notice: null };
    } catch (error) {
      // The request goes on without the offer: an unreadable list must not stop an operator at night.
      if (!isPlatformError(error)) throw error;
      log.warn({ err: error, command: operation.command }, "Whether a copy could come first could not be read");
      return { copy: null, notice: "Whether a copy could be taken first could not be read." };
    }
  };
}

const forbiddenNotice = "A rule of this workspace wants more for a copy than for this, so none is offered first.";

function offeredBackup(
  { command }: PlatformOperation,
  { label, step }: NonNullable<PlatformOperation["copy"]>,
  { words, brief, newest }: BackupOffer,
  now: number,
): Request["copy"] {
  const age = newest && `${code(newest.name)}, ${duration(now - newest.at)} old (taken ${moment(newest.at)})`;
  const said = { words, brief, newest: age ?? "none that was taken from here" };
  return { command, label, title: step, ...said, name: "", step: "offered", before: null, handle: null, next: [] };
}

import type { Origin } from "../../../messages/origin.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { RequestsApp } from "../../app.ts";
import { bindRequester, requireMay } from "../../checks.ts";
import { newestOf, type Request } from "../../request.ts";
import { approvalLevel, readRuling, ruledBackup, ruleReason } from "../../rules.ts";
import { findFor, sayState } from "../../state-answers.ts";
import { step } from "../../step.ts";
import { type BackupFirst, choiceWords } from "./record.ts";

/**
 * The requester chooses the backup of a waiting request, or takes that choice back. Another act is decided then, so the approvals so far no
 * longer count.
 */
export async function chooseBackup(
  app: RequestsApp,
  id: string,
  origin: Origin,
  event: "chooseBackup" | "leaveBackup",
): Promise<void> {
  const request = await findFor(app, event, id, origin);
  if (!request) return;
  await requireMay(app, event, request, origin);
  const { backupFirst, approvals, requester } = request;
  const by = origin.slackUser;
  const isChosen = event === "chooseBackup";
  if (!backupFirst || request.unsettled || (backupFirst.step === "chosen") === isChosen)
    return sayState(app, id, origin);
  if (!isChosen && backupFirst.chosenBy !== requester.slackUser)
    throw new Refusal(`<@${backupFirst.chosenBy}> chose the backup, so it comes first in any case. Nothing changed.`);
  const needed = isChosen ? await neededWith(app, request, backupFirst) : request.needed;
  const isDecided = approvals.length > 0;
  const changed = isChosen
    ? { ...backupFirst, step: "chosen" as const, chosenBy: by }
    : { ...backupFirst, step: "offered" as const, chosenBy: null };
  const change = {
    backupFirst: { ...changed, changedAt: isDecided ? app.clock.now() : backupFirst.changedAt },
    needed,
    outcome: isDecided ? `${choiceWords(changed, request)} The approvals so far no longer count.` : "",
    ...newestOf(request, origin),
  };
  if (!(await step(app, request, event, change, { auditOutcome: choiceWords(changed, request), by })))
    await sayState(app, id, origin);
}

/** The number of approvals that the act needs with the backup. Refuses one that a rule or the key stops. */
async function neededWith(app: RequestsApp, request: Request, { command }: BackupFirst): Promise<number> {
  const bound = await bindRequester(app, { ...request, command });
  if (!bound.may(command))
    throw new Refusal(`The key of <@${request.requester.slackUser}> can no longer make a backup. Nothing changed.`);
  const backup = ruledBackup(request, bound.operation, "");
  const ruling = await readRuling(app, backup);
  if (ruling.demand === "not-allowed")
    throw new Refusal(`A rule does not allow the backup. Nothing changed. ${ruleReason(ruling, backup.price) ?? ""}`);
  const { needed } = approvalLevel(ruling.demand);
  if (needed > 0 && request.mode !== "peer")
    throw new Refusal(
      `Others must approve the backup now. Nothing changed. Ask again with it. ${ruleReason(ruling, backup.price) ?? ""}`,
    );
  return Math.max(needed, request.needed);
}

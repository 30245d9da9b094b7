import { requestsAbout } from "../../../audit/audit.ts";
import type { StoredEffect } from "../../../operation/effects.ts";
import { actsWith } from "../../../operation/same-act.ts";
import type { RequestsApp } from "../../app.ts";
import { operationOf } from "../../checks.ts";
import { hasEnded, type Request, titleOf } from "../../request.ts";
import { markOfValue } from "../../sealed.ts";
import { amendNewest, readRequest } from "../../store.ts";
import { proposerOf } from "../agent/view.ts";
import { withTakenBack } from "../bulk/progress.ts";
import { readTargets } from "../bulk/targets.ts";
import type { LaterAct } from "./record.ts";

/** How many of the newest audit entries about a resource are searched: an act has about three. */
const entriesSearched = 50;

/** Milliseconds since the epoch; 0 of a request that was never sent. */
const sentAt = ({ attemptedAt }: Pick<Request, "attemptedAt">) => attemptedAt ?? 0;

/**
 * Removes the buttons of earlier requests that offer the act of this one, which is done, and has their messages say so. Otherwise a message
 * would go on saying that a machine ends, and offer to keep it, after somebody kept it.
 */
export async function noteLaterAct(app: RequestsApp, id: string): Promise<void> {
  const act = await readRequest(app, id);
  if (act?.state !== "done" || !act.target) return;
  const ids = await requestsAbout(app, act.target.id, entriesSearched);
  ids.delete(id);
  for (const earlier of ids) {
    const noted = await amendNewest(app, earlier, (newest) => afterAct(app, newest, act));
    if (noted) await noteInBulk(app, noted, act);
  }
}

/** The change of an earlier request by an act that it offers; null if it offers none of that kind. */
function afterAct(app: RequestsApp, earlier: Request, act: Request) {
  if (!hasEnded(earlier) || sentAt(earlier) >= sentAt(act)) return null;
  const next = earlier.next.filter((step) => !isStepOf(app, step, act));
  if (next.length === earlier.next.length) return null;
  return { next, laterActs: [...earlier.laterActs, laterActOf(act, { isBack: leadsBack(earlier, act) })] };
}

/** True if the step does this act on this resource, by whatever command, with the values that it carries. */
function isStepOf(app: RequestsApp, { command, target, input = {} }: Request["next"][number], act: Request): boolean {
  const operation = operationOf(app, { command });
  if (!operation || target !== act.target?.id || actsWith(operation, input)[0] !== act.acts[0]) return false;
  return Object.entries(input).every(([name, value]) => act.input.marks[name] === markOfValue(act.id, value));
}

/** True if the act led out of a state to which the earlier one had led. */
function leadsBack(earlier: Pick<Request, "effects">, act: Pick<Request, "effects">): boolean {
  return earlier.effects.some((was) => act.effects.some((now) => areOpposed(was, now)));
}

function areOpposed(was: StoredEffect, now: StoredEffect): boolean {
  if (was.aspect !== now.aspect || was.on !== "target" || now.on !== "target") return false;
  // A second change of what the first one changed leads elsewhere, and the first one offered it.
  if (now.to.includes("changed")) return true;
  return was.to.length > 0 && now.to.length > 0 && !now.to.some((state) => was.to.includes(state));
}

function laterActOf(act: Request, { isBack }: Pick<LaterAct, "isBack">): LaterAct {
  return { request: act.part?.of ?? act.id, by: proposerOf(act), at: sentAt(act), title: titleOf(act), isBack };
}

/** The same in the message of a bulk request, of which the earlier request was a target. */
async function noteInBulk(app: RequestsApp, { part, target, laterActs }: Request, act: Request): Promise<void> {
  const back = laterActs.find(({ request, isBack }) => isBack && request === (act.part?.of ?? act.id));
  if (!part || !back) return;
  const at = (await readTargets(app, part.of)).findIndex(({ id }) => id === target?.id);
  await amendNewest(app, part.of, (bulk) => withTakenBack(bulk, at, back));
}

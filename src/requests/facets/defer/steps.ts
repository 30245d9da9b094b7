import { errorText } from "../../../messages/answers/error-text.ts";
import type { Origin } from "../../../messages/origin.ts";
import { Refusal } from "../../../operation/errors.ts";
import { isPlatformError } from "../../../platform/http/errors.ts";
import { moment } from "../../../views/format.ts";
import type { RequestsApp } from "../../app.ts";
import { findApprovers } from "../../audience.ts";
import { admitRequester, bindRequester, Over, operationOf, readFacts, requireMay } from "../../checks.ts";
import { type Request, unsentOutcome } from "../../request.ts";
import { findFor, sayState } from "../../state-answers.ts";
import { step } from "../../step.ts";
import { readRequest } from "../../store.ts";
import { foundAnew } from "../approvers/record.ts";
import { isDeferred } from "./record.ts";

/** Milliseconds. The inputs of a request are erased a month after its end, so none waits for longer. */
const longest = 30 * 24 * 60 * 60_000;

/** The latest end of a request that is deferred: a month after it was made, its scheduled time, or the end that a rule sets. */
function latestExpiry({ createdAt, schedule, ruling, expiresAt }: Request): number {
  const byRule = ruling.expiresAfter === null ? createdAt + longest : expiresAt;
  return Math.min(byRule, schedule?.at ?? Number.POSITIVE_INFINITY);
}

/**
 * Defers a request: it waits until then, and those who decide have the usual time after it. `reason` is a sentence in mrkdwn, `until` in
 * milliseconds since the epoch.
 */
export async function defer(
  app: RequestsApp,
  id: string,
  origin: Origin,
  { until, reason }: { until: number; reason: string },
): Promise<void> {
  const request = await findFor(app, "defer", id, origin);
  if (!request) return;
  await requireMay(app, "defer", request, origin);
  const latest = latestExpiry(request);
  if (until >= latest)
    throw new Refusal(
      `This request cannot wait longer than ${moment(latest)}, so it cannot be deferred until ${moment(until)}. Nothing changed. Choose an earlier time.`,
    );
  const expiresAt = Math.max(request.expiresAt, Math.min(latest, until + app.ttl));
  const deferred = { at: app.clock.now(), slackUser: origin.slackUser, until, reason, overAt: null, unread: null };
  const auditOutcome = `Deferred until ${moment(until)}: ${reason} It expires ${moment(expiresAt)}.`;
  const extras = { auditOutcome, lookAt: until, by: origin.slackUser };
  if (!(await step(app, request, "defer", { deferred, expiresAt }, extras))) await sayState(app, id, origin);
}

/** Reads the facts again when the time of a deferral is over, and calls those who decide. A request whose facts changed ends. */
export async function resume(app: RequestsApp, id: string): Promise<void> {
  const request = await readRequest(app, id);
  if (!request?.deferred || !isDeferred(request)) return;
  const unread = await problemOfFacts(app, request);
  if (unread instanceof Over)
    return void (await step(app, request, "void", { outcome: unsentOutcome(request, unread.why, unread.advice) }));
  const operation = operationOf(app, request);
  const found = operation && (await findApprovers(app, request, operation));
  const approvers = found && request.approvers ? foundAnew(request.approvers, found) : request.approvers;
  const deferred = { ...request.deferred, overAt: app.clock.now(), unread };
  const auditOutcome = `Its deferral is over. ${unread ?? "Its facts were read again, and none changed."}`;
  await step(app, request, "resume", { deferred, approvers }, { auditOutcome, lookAt: request.expiresAt });
}

/** The reason why the request must end; a sentence if its facts cannot be read now; else null. The press reads them again anyway. */
async function problemOfFacts(app: RequestsApp, request: Request): Promise<Over | string | null> {
  try {
    await admitRequester(app, request);
    await readFacts(app, request, await bindRequester(app, request));
    return null;
  } catch (error) {
    if (error instanceof Over) return error;
    if (!(error instanceof Refusal || isPlatformError(error))) throw error;
    return `Its facts could not be read again: ${errorText(error, app.clock.now()).text}`;
  }
}

import { notificationTimer } from "../messages/outbox.ts";
import type { WaitingSubject } from "../policy/responsibility/responsibility.ts";
import { nobody, type Reached } from "../policy/responsibility/steps.ts";
import type { RequestsApp } from "./app.ts";
import { findApprovers } from "./audience.ts";
import { operationOf } from "./checks.ts";
import { foundAnew } from "./facets/approvers/record.ts";
import { reminderOf, waitsForOthers } from "./reminder.ts";
import { decider, type Request } from "./request.ts";
import { amendNewest, readRequest, requestSubject } from "./store.ts";

/** The wait for a person in the request of this id; null where nobody else is to act. */
export async function readRequestWaiting(app: RequestsApp, id: string): Promise<WaitingSubject | null> {
  const request = await readRequest(app, id);
  return request ? requestWaiting(app, request) : null;
}

/** The same of a request that was read. */
export function requestWaiting(app: RequestsApp, request: Request): WaitingSubject | null {
  if (!waitsForOthers(request)) return null;
  const { id, approvals, requester } = request;
  const reminder = reminderOf(request);
  return {
    steps: reminder
      ? [{ ...reminder, kind: "reminded", to: "the approvers", reach: () => renewApprovers(app, id) }]
      : [],
    audited: { ...request, ...requester, decidedBy: decider(request) },
    lastActOf: (slackUser) => approvals.find((one) => one.slackUser === slackUser)?.at ?? null,
    messageTimer: notificationTimer(requestSubject, id),
  };
}

/** Finds the approvers anew: since it was asked, one may have left, or linked a key of another account. */
async function renewApprovers(app: RequestsApp, id: string): Promise<Reached> {
  const request = await readRequest(app, id);
  const operation = request && operationOf(app, request);
  if (!request || !operation) return nobody;
  const found = await findApprovers(app, request, operation);
  const { mention, direct } = found;
  await amendNewest(app, id, ({ state, approvers }) =>
    state === "pending" && approvers ? { approvers: foundAnew(approvers, found) } : null,
  );
  const plain = { insteadOf: null, quietUntil: null };
  const asked = direct.map(({ slackUser }) => ({ ...plain, mention: `<@${slackUser}>`, slackUser, direct: true }));
  const mentioned = mention === null ? [] : [{ ...plain, mention, slackUser: null, direct: false }];
  const notified = [...mentioned, ...asked];
  return notified.length === 0 ? nobody : { notified, skipped: [] };
}

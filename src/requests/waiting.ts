import { slackUserOf } from "../members/identities/link.ts";
import { memberBeside } from "../members/identities/person.ts";
import type { PeopleList } from "../members/people/people-list.ts";
import { notificationTimer } from "../messages/outbox.ts";
import { namedPeople, reachPeople } from "../policy/responsibility/reach.ts";
import type { WaitingSubject } from "../policy/responsibility/responsibility.ts";
import { chainOf, nobody, type Reached, reachNotes, type WaitStep } from "../policy/responsibility/steps.ts";
import type { RequestsApp } from "./app.ts";
import { decidesAndSees, findApprovers } from "./audience.ts";
import { operationOf } from "./checks.ts";
import { actOwner, readRequesters, whyNotDecide } from "./deciders.ts";
import { asksDirectly, foundAnew } from "./facets/approvers/record.ts";
import { reminderOf, waitsForDecision, waitsForOthers } from "./reminder.ts";
import { decider, type Request } from "./request.ts";
import { amendNewest, readRequest, requestSubject } from "./store.ts";
import { accessOf } from "./visibility.ts";

/** The wait for a person in the request of this id; null where nobody else is to act. */
export async function readRequestWaiting(app: RequestsApp, id: string): Promise<WaitingSubject | null> {
  const request = await readRequest(app, id);
  return request ? requestWaiting(app, request) : null;
}

/** The same of a request that was read. */
export async function requestWaiting(app: RequestsApp, request: Request): Promise<WaitingSubject | null> {
  if (!waitsForOthers(request)) return null;
  const { id, approvals, requester, expiresAt } = request;
  const isUndecided = waitsForDecision(request);
  return {
    steps: isUndecided ? await stepsOf(app, request) : [],
    endsAt: isUndecided ? expiresAt : null,
    audited: { ...request, ...requester, decidedBy: decider(request) },
    lastActOf: (slackUser) => approvals.find((one) => one.slackUser === slackUser)?.at ?? null,
    messageTimer: notificationTimer(requestSubject, id),
  };
}

/** Its own mention, the steps of its rule, and the reminder. */
async function stepsOf(app: RequestsApp, request: Request): Promise<WaitStep[]> {
  const { id, ruling, approvers, createdAt, deferred } = request;
  const reminder = reminderOf(request);
  const since = deferred?.overAt ?? createdAt;
  const to = ruling.notify ? await namedPeople(app, ruling.notify) : "the approvers";
  const later = await Promise.all(
    ruling.steps.map(async ({ to: list, after }) => {
      return { to: await namedPeople(app, list), after, reach: () => reachDeciders(app, id, list) };
    }),
  );
  const isInChannel = reachNotes(approvers?.reached ?? nobody).length === 0 && !asksDirectly(approvers);
  const isPlain = ruling.notify === null && later.length === 0 && isInChannel;
  return [
    ...(approvers && !isPlain ? chainOf("asked", since, { first: { to, reach: approvers.reached }, later }) : []),
    ...(reminder ? [{ ...reminder, kind: "reminded", to, reach: () => renewApprovers(app, id) } as const] : []),
  ];
}

/** The people of a step who could decide the request now and may see it. */
async function reachDeciders(app: RequestsApp, id: string, to: PeopleList): Promise<Reached> {
  const request = await readRequest(app, id);
  const operation = request && operationOf(app, request);
  if (!request || !operation) return nobody;
  const requesters = await readRequesters(app, request);
  const check = decidesAndSees(app, request, (links) => {
    const hasApproved = request.approvals.some(({ slackUser }) => slackUser === slackUserOf(links));
    return hasApproved ? "has approved it already" : whyNotDecide(app, links, operation, actOwner(request), requesters);
  });
  return reachPeople(app, to, async (slackUser) => {
    const found = await check(slackUser);
    if ("why" in found) return found;
    const viewer = { member: memberBeside(request.requester.member, slackUser), slackUser };
    const isSeen = (await accessOf(app, viewer).at(request)) === "whole";
    return isSeen ? found : { why: "may not see this request" };
  });
}

/** Finds the approvers anew: since it was asked, one may have left, or linked a key of another account. */
async function renewApprovers(app: RequestsApp, id: string): Promise<Reached> {
  const request = await readRequest(app, id);
  const operation = request && operationOf(app, request);
  if (!request || !operation) return nobody;
  const found = await findApprovers(app, request, operation);
  const { reached, direct } = found;
  await amendNewest(app, id, ({ state, approvers }) =>
    state === "pending" && approvers ? { approvers: foundAnew(approvers, found) } : null,
  );
  const isReached = (user: string) => reached.notified.some(({ slackUser }) => slackUser === user);
  const apart = direct.filter(({ slackUser }) => !isReached(slackUser));
  const plain = { insteadOf: null, quietUntil: null, direct: true };
  const asked = apart.map(({ slackUser }) => ({ ...plain, mention: `<@${slackUser}>`, slackUser }));
  return { notified: [...reached.notified, ...asked], skipped: [] };
}

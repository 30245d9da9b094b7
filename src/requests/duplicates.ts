import { backupField } from "../operation/backup.ts";
import { Refusal } from "../operation/errors.ts";
import { reasonField } from "../operation/reason.ts";
import type { RequestsApp } from "./app.ts";
import type { Draft, Proposal } from "./create.ts";
import { isForRequesterAlone, type Request, resourceKeyOf } from "./request.ts";
import { openedInput } from "./sealed.ts";
import { openAbout } from "./store.ts";

/** An agent proposed what waits already: nobody is notified, and the agent gets that request if it is its own. */
export class DuplicateOpen extends Refusal {
  readonly request: Request;

  constructor(request: Request) {
    super("A request for this is open. Nothing new was requested.");
    this.request = request;
  }
}

/** A request of another proposal that waits, for a decision or its scheduled time. */
export type Duplicate = Request & { state: "pending" | "scheduled" };

/** Finds the request that waits for the same act, from any member; requests that the member may not know of are skipped. */
export async function findDuplicate(
  app: RequestsApp,
  draft: Draft,
  { replaces }: Pick<Proposal, "replaces">,
): Promise<Duplicate | undefined> {
  const { requester, schedule, acts } = draft;
  const now = app.clock.now();
  const comparable = comparableInput(app, draft);
  return (await openAbout(app, resourceKeyOf(draft))).find(
    (request): request is Duplicate =>
      request.id !== replaces?.request &&
      (request.state === "pending" || (request.state === "scheduled" && schedule !== null)) &&
      now < request.expiresAt &&
      request.schedule?.at === schedule?.at &&
      request.acts[0] === acts[0] &&
      (request.requester.member === requester.member || !isForRequesterAlone(request)) &&
      request.requester.project?.id === requester.project?.id &&
      comparableInput(app, request) === comparable,
  );
}

/** The comparable input: without the reason, a backup first, generated values, and the input that names the act. */
function comparableInput(app: RequestsApp, request: Pick<Request, "id" | "command" | "input">): string {
  const operation = app.registry.find(request.command);
  const does = operation?.api === "app" ? undefined : operation?.does;
  const naming = does && "input" in does ? does.input : null;
  const { generated } = request.input;
  const values = Object.entries(openedInput(app, request)).filter(
    ([name]) => ![reasonField, backupField, naming].includes(name) && !generated.includes(name),
  );
  return JSON.stringify(values.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

import { backupField } from "../operation/backup.ts";
import { Refusal } from "../operation/errors.ts";
import { reasonField } from "../operation/reason.ts";
import type { RequestsApp } from "./app.ts";
import type { Proposal } from "./create.ts";
import { isForRequesterAlone, type Request, resourceKeyOf } from "./request.ts";
import { inputOf } from "./sealed.ts";
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
  { bound, act, generated, bulk, when, replaces }: Proposal,
): Promise<Duplicate | undefined> {
  const { actor, operation } = bound;
  const now = app.clock.now();
  const open = await openAbout(
    app,
    resourceKeyOf({ target: act.target, bulk, member: actor.member, command: operation.command }),
  );
  return open.find(
    (request): request is Duplicate =>
      request.id !== replaces?.request &&
      (request.state === "pending" || (request.state === "scheduled" && Boolean(when))) &&
      now < request.expiresAt &&
      request.schedule?.at === when?.at &&
      request.acts[0] === act.acts[0] &&
      request.api === operation.api &&
      (request.requester.member === actor.member || !isForRequesterAlone(request)) &&
      request.requester.project?.id === actor.project?.id &&
      comparableInput(app, request.command, inputOf(app, request), request.input.generated) ===
        comparableInput(app, operation.command, act.input, generated),
  );
}

/** The comparable input: without the reason, a backup first, generated values, and the input that names the act. */
function comparableInput(
  { registry }: Pick<RequestsApp, "registry">,
  command: string,
  input: Record<string, unknown>,
  generated: string[],
): string {
  const operation = registry.find(command);
  const does = operation?.api === "app" ? undefined : operation?.does;
  const naming = does && "input" in does ? does.input : null;
  const values = Object.entries(input).filter(
    ([name]) => ![reasonField, backupField, naming].includes(name) && !generated.includes(name),
  );
  return JSON.stringify(values.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

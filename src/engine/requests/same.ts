import { reasonField } from "../../operation/reason.ts";
import type { Wanted } from "./create.ts";
import { isAskedAlone, type Request, thingOf } from "./request.ts";
import type { RequestStore } from "./store.ts";

/** The request that waits for the very same already, whoever asked it, if its asker may be told of it. */
export async function findSame(
  requests: RequestStore,
  { bound, act, generated, bulk, when }: Wanted,
  now: number,
): Promise<Request | undefined> {
  const { actor, operation } = bound;
  const open = await requests.about(thingOf({ target: act.target, member: actor.member, command: operation.command }));
  return open.find(
    (request) =>
      (request.state === "pending" || (request.state === "planned" && when)) &&
      now < request.expiresAt &&
      request.planned?.at === when?.at &&
      request.command === operation.command &&
      (request.member === actor.member || !isAskedAlone(request)) &&
      request.project?.id === actor.project?.id &&
      request.bulk?.digest === bulk?.digest &&
      contentOf(requests.input(request), request.generated) === contentOf(act.input, generated),
  );
}

/** What was asked, but for why, and for what was made up on the way. */
function contentOf(input: Record<string, unknown>, generated: string[]): string {
  const said = Object.entries(input).filter(([name]) => name !== reasonField && !generated.includes(name));
  return JSON.stringify(said.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

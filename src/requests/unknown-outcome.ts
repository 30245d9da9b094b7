import { NotYet } from "../operation/errors.ts";
import { isBackingUp, type Request, resourceKeyOf, titleOf } from "./request.ts";
import type { RequestStore } from "./store.ts";

/**
 * Throws a NotYet if an earlier act on the resource has an unknown outcome: a second one could run or cost it twice. A change waits for
 * changes only, not for a payment.
 */
export async function refuseWhileUnknown(
  requests: RequestStore,
  request: Pick<Request, "target" | "member" | "command">,
  risk: Request["risk"],
  own?: string,
): Promise<void> {
  const open = await requests.about(resourceKeyOf(request));
  const backingUp = risk === "change" ? undefined : open.find((other) => other.id !== own && isBackingUp(other));
  if (backingUp)
    throw new NotYet(
      `${titleOf(backingUp)}, asked for by <@${backingUp.slackUser}>, is under way: a copy is taken first. Nothing more was asked or done. Wait until it has ended, or stop it there.`,
    );
  const withUnknownOutcome = open.find(
    ({ id, state, risk: theirs }) =>
      id !== own && (state === "unknown" || state === "claimed") && (risk !== "change" || theirs !== "spend"),
  );
  if (!withUnknownOutcome) return;
  throw new NotYet(
    `${titleOf(withUnknownOutcome)} was asked for by <@${withUnknownOutcome.slackUser}> and its outcome is not clear yet. Nothing more was done. I am finding out what is really so; try again when that is told.`,
  );
}

import { Refusal } from "../../operation/errors.ts";
import { isCopying, type Request, thingOf } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { titleOf } from "./view.ts";

/**
 * One at a time on a thing whose last outcome nobody knows: a second act could do or cost it twice. What only interrupts waits for what
 * only interrupts, and not for a payment that is unclear.
 */
export async function refuseWhileUnclear(
  requests: RequestStore,
  wanted: Pick<Request, "target" | "member" | "command">,
  risk: Request["risk"],
  own?: string,
): Promise<void> {
  const open = await requests.about(thingOf(wanted));
  const copying = risk === "change" ? undefined : open.find((other) => other.id !== own && isCopying(other));
  if (copying)
    throw new Refusal(
      `${titleOf(copying)}, asked for by <@${copying.slackUser}>, is under way: a copy is taken first. Nothing more was asked or done. Wait until it has ended, or stop it there.`,
    );
  const unclear = open.find(
    ({ id, state, risk: theirs }) =>
      id !== own && (state === "unknown" || state === "claimed") && (risk !== "change" || theirs !== "spend"),
  );
  if (!unclear) return;
  throw new Refusal(
    `${titleOf(unclear)} was asked for by <@${unclear.slackUser}> and its outcome is not clear yet. Nothing more was done. I am finding out what is really so; try again when that is told.`,
  );
}

import { createHash } from "node:crypto";
import type { Link } from "../members/identities/link.ts";
import { NotYet } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { share } from "../operation/same-act.ts";
import { askedBy } from "./facets/agent/view.ts";
import { isBackingUp, type NewRequest, type Request, resourceKeyOf, titleOf } from "./request.ts";
import { openedInput } from "./sealed.ts";
import { openAbout, type RequestStoreApp, readUnfinished } from "./store.ts";

/** An act that may run: of a request that is stored, or will be. */
export type Sending = Pick<NewRequest, "id" | "target" | "bulk" | "requester" | "command" | "acts" | "input" | "risk">;

/**
 * The key of what an act could double: its target, else the resources that it would make. Of two acts with the same key, one is sent at a
 * time.
 */
export function subjectKeyOf(app: RequestStoreApp, operation: PlatformOperation | null, act: Sending): string {
  const made = act.target === null && operation ? operation.creates(openedInput(app, act)) : null;
  // A digest: a lock's name is stored, and inputs are stored sealed only.
  return made
    ? `${resourceKeyOf(act)} ${createHash("sha256").update(JSON.stringify(made)).digest("hex")}`
    : resourceKeyOf(act);
}

/** Throws a NotYet if an earlier act with an unknown outcome could run twice or cost twice by this one. */
export async function refuseWhileUnknown(
  app: RequestStoreApp,
  operation: PlatformOperation | null,
  act: Sending,
): Promise<void> {
  const open = (await openAbout(app, resourceKeyOf(act))).filter(({ id }) => id !== act.id);
  const backingUp = act.risk === "change" ? undefined : open.find(isBackingUp);
  if (backingUp)
    throw new NotYet(
      `${titleOf(backingUp)}, ${askedBy(backingUp)}, is under way: a backup is made first. Nothing else was requested or done. Wait for its end, or stop it there.`,
    );
  const withUnknownOutcome = open.find(
    (other) =>
      (other.state === "unknown" || other.state === "claimed") &&
      holdsUp(other, act) &&
      isAboutTheSame(app, operation, act, other),
  );
  if (!withUnknownOutcome) return;
  throw new NotYet(
    `${titleOf(withUnknownOutcome)} was ${askedBy(withUnknownOutcome)}, and its outcome is still unknown. Nothing else was done. Try again when its own message shows the outcome.`,
  );
}

/** True if a request with this key has an unknown outcome. */
export async function isUnclear(
  app: RequestStoreApp,
  { member, keyId }: Pick<Link, "member" | "keyId">,
): Promise<boolean> {
  const open = await readUnfinished(app, member);
  return open.some(
    (request) => request.requester.keyId === keyId && (request.state === "unknown" || request.state === "claimed"),
  );
}

type Sent = Pick<Request, "risk"> & { acts: readonly string[] };

/**
 * True if an act with an unknown outcome holds up another on the same resource. One act twice could be done twice, by whichever command;
 * two spends could be charged twice; nothing may be destroyed while the state of the resource is unknown. A change is held up by
 * changes alone: a server must start although a payment, or the deletion of a file, is unclear.
 */
export function holdsUp(unclear: Sent, act: Sent): boolean {
  if (share(unclear.acts, act.acts)) return true;
  if (act.risk === "change") return unclear.risk === "change";
  return act.risk === "destroy" || unclear.risk !== "change";
}

/** False if both acts make new resources, and no one of them is the same. Both have the same resource key. */
export function isAboutTheSame(
  app: RequestStoreApp,
  operation: PlatformOperation | null,
  act: Pick<Sending, "id" | "target" | "input">,
  other: Request,
): boolean {
  const made = act.target === null && operation ? operation.creates(openedInput(app, act)) : null;
  const others = made && operation?.creates(openedInput(app, other));
  return !made || !others || made.some((what) => others.includes(what));
}

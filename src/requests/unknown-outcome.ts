import { createHash } from "node:crypto";
import type { Link } from "../identities/link.ts";
import { NotYet } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { actsWith, share } from "../operation/same-act.ts";
import { askedBy } from "./facets/agent/view.ts";
import { actSubject, isBackingUp, type Request, resourceKeyOf, type Subject, titleOf } from "./request.ts";
import { inputOf } from "./sealed.ts";
import { openAbout, type RequestStoreApp, readUnfinished } from "./store.ts";

/** An act that may run, with its input as the request stores it. */
export interface Sending extends Subject {
  input: Record<string, unknown>;
}

export function sendingOf(app: RequestStoreApp, request: Request): Sending {
  return { ...actSubject(request), input: inputOf(app, request) };
}

/**
 * The key of what an act could double: its target, else the resources that it would make. Of two acts with the same key, one is sent at a
 * time.
 */
export function subjectKeyOf(operation: PlatformOperation | null, subject: Sending): string {
  const made = subject.target === null && operation ? operation.creates(subject.input) : null;
  // A digest: a lock's name is stored, and inputs are stored sealed only.
  return made
    ? `${resourceKeyOf(subject)} ${createHash("sha256").update(JSON.stringify(made)).digest("hex")}`
    : resourceKeyOf(subject);
}

/**
 * Throws a NotYet if an earlier act with an unknown outcome could run twice or cost twice by this one. `own`: the id of the request that
 * asks.
 */
export async function refuseWhileUnknown(
  app: RequestStoreApp,
  operation: PlatformOperation | null,
  subject: Sending,
  risk: Request["risk"],
  own?: string,
): Promise<void> {
  const open = await openAbout(app, resourceKeyOf(subject));
  const backingUp = risk === "change" ? undefined : open.find((other) => other.id !== own && isBackingUp(other));
  if (backingUp)
    throw new NotYet(
      `${titleOf(backingUp)}, ${askedBy(backingUp)}, is under way: a backup is made first. Nothing else was requested or done. Wait for its end, or stop it there.`,
    );
  const withUnknownOutcome = open.find(
    (other) =>
      other.id !== own &&
      (other.state === "unknown" || other.state === "claimed") &&
      holdsUp(other, { acts: operation ? actsWith(operation, subject.input) : [], risk }) &&
      isAboutTheSame(app, operation, subject, other),
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
  { target, input }: Sending,
  other: Request,
): boolean {
  const made = target === null && operation ? operation.creates(input) : null;
  const others = made && operation?.creates(inputOf(app, other));
  return !made || !others || made.some((what) => others.includes(what));
}

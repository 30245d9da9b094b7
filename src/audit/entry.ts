// audit/: the audit log: its entries, the proofs and checkpoints that reveal a rewrite, and the ways by which entries leave.

import * as z from "#zod";
import { characters, PlainText } from "../process/plain-text.ts";
import { Assertion, PasskeyChange } from "../process/webauthn/assertion.ts";
import type { StoreApp } from "../storage/foundation.ts";
import type { Log } from "../storage/store.ts";
import type { AuditKind } from "./kinds.ts";

/** The name of the log that contains the entries. */
export const auditLog = "audit";
/** Stands for the member in an entry about the environment, which no member changes. */
export const operator = "operator";
/** Stands for the member in an entry about something that Rackbell did by itself, for nobody. */
export const itself = "rackbell";
/** Single entries never expire: `cutOldEntries` cuts off old ones as a whole, at a checkpoint. */
export const keptForever = Number.POSITIVE_INFINITY;

export function auditEntries({ store }: StoreApp): Log {
  return store.log(auditLog, { retentionMs: keptForever });
}

/** The member's agent that proposed an act: its name, its program's name, its reason in its own words, and the digest of what it sent. */
export const AuditAgent = z.object({
  id: z.string(),
  name: PlainText,
  client: z.string().nullable(),
  why: z.string(),
  digest: z.string(),
});

/** How an act goes at the platform. `accepted`: the platform took it on, and its end is another entry, or never known. */
export const ActResult = z.enum(["accepted", "success", "failure", "unknown"]);
export type ActResult = z.infer<typeof ActResult>;

/** One decision or run: requester, decider, key, command, target and outcome. Never a secret input. */
export const AuditEntry = z.object({
  /** The event: one of `auditKinds`. A file that another version exported may have another. */
  what: z.string(),
  member: z.string(),
  slackUser: z.string(),
  /**
   * The person who pressed, or the one whose decision the act rests on: the requester, too. `peopleOf` tells them apart by the kind. Null
   * where nobody did, as while a request waits, or where a rule lets an agent run it.
   */
  decidedBy: z.string().nullable(),
  keyLabel: PlainText,
  command: z.string(),
  target: z.object({ id: z.string(), name: PlainText }).nullable(),
  /** The outcome as a sentence. */
  outcome: z.string(),
  /** Absent where nothing was sent, and where the result is an earlier one. */
  result: ActResult.optional(),
  /** The requester's reason, in their own words; absent when they gave none. */
  reason: PlainText.optional(),
  /** The request that it belongs to; null for a command of Rackbell's own. */
  request: z.string().nullable(),
  agent: AuditAgent.optional(),
  /** The passkeys that it registered or removed. */
  passkeys: z.array(PasskeyChange).optional(),
  /** The statement that a passkey signed for it. */
  assertion: Assertion.optional(),
  /** The channel in which its request was asked for. Who may read its reason depends on it, also once the request has expired. */
  channel: z.string().optional(),
  /** Only the requester had seen the request by then, so that nobody else is shown their reason. */
  alone: z.boolean().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
/** An entry of this version. */
export type NewAuditEntry = AuditEntry & { what: AuditKind };

/** The search keys of an entry. `made`: the platform's ids of what the act created, or another word by which it is found. */
export function entrySubjects(
  { member, decidedBy, command, target, request, agent }: AuditEntry,
  made: string[],
): string[] {
  const subjects = new Set([`member:${member}`, `about:${command}`, ...made.map((id) => `about:${id}`)]);
  if (request) subjects.add(`about:${request}`);
  if (agent) subjects.add(`agent:${characters(agent.name).toLowerCase()}`);
  if (decidedBy) subjects.add(`member:${decidedBy}`);
  if (target) subjects.add(`about:${target.id}`).add(`about:${characters(target.name).toLowerCase()}`);
  return [...subjects];
}

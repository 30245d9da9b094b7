// engine/audit/: the record of who did what: its entries, what proves that nobody rewrote them, and the ways in which it leaves.
// May import: engine/, engine/*, operation/, views/, chat/, platform/*, storage/, the clock.

import * as z from "zod";

/** The log that the entries are in. */
export const auditLog = "audit";

/** One decision or run: who asked, who decided, with which key, what, on what, what came of it. Never an input that is secret. */
export const AuditEntry = z.object({
  /** What happened: asked, begun, approved, withdrawn, denied, expired, void, refused, done, unknown, reconciled, ended … */
  what: z.string(),
  member: z.string(),
  slackUser: z.string(),
  /** Who decided it, when it was not the requester. */
  approver: z.string().nullable(),
  keyLabel: z.string(),
  command: z.string(),
  target: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Sentence that says what came of it. */
  outcome: z.string(),
  /** The request that it belongs to. */
  request: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** What an entry is found by. `made`: by the platform's ids, what it made. */
export function subjectsOf({ member, approver, command, target, request }: AuditEntry, made: string[]): string[] {
  const subjects = [`member:${member}`, `about:${command}`, ...made.map((id) => `about:${id}`)];
  if (request) subjects.push(`about:${request}`);
  if (approver) subjects.push(`member:${approver}`);
  if (target) subjects.push(`about:${target.id}`, `about:${target.name.toLowerCase()}`);
  // Of so few, one by one is quicker than by a set.
  return subjects.filter((subject, at) => subjects.indexOf(subject) === at);
}

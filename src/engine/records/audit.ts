// engine/records/: what is kept about people's work: the audit, drafts of orders, one-time secrets, settings.
// May import: engine/, engine/*, operation/, views/, platform/*, storage/, the clock.

import * as z from "zod";
import type { Clock } from "../../clock.ts";
import type { Batch, Store } from "../../storage/store.ts";

const year = 365 * 24 * 60 * 60_000;
const name = "audit";
const pageSize = 200;

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

/** What the audit is told of a request: any record that knows who wanted what. */
export interface Audited {
  id: string;
  member: string;
  slackUser: string;
  decidedBy: string | null;
  keyLabel: string;
  command: string;
  target: { id: string; name: string } | null;
  outcome: string;
}

export interface AuditQuery {
  /** Only entries of this member, as asker or approver. */
  member?: string;
  /** Only entries about this target's id or name, or with this command. */
  about?: string;
  limit: number;
  before?: string;
  /** With the entries that only say that something was begun: who reads wants to know what came of it. */
  begun?: boolean;
}

export interface Audit {
  /** The entry as a part of the step that it records. */
  entryOf(audited: Audited, note: { what: string; outcome?: string }): NonNullable<Batch["append"]>[number];
  /** Keeps what was done without a request: by an admin, to the workspace. */
  note(entry: AuditEntry): Promise<void>;
  newest(query: AuditQuery): Promise<{ id: string; at: number; entry: AuditEntry }[]>;
}

export function createAudit(deps: { store: Store; clock: Clock; onEntry?: (what: string) => void }): Audit {
  const { store, clock, onEntry } = deps;
  const log = store.log(name, { retentionMs: year });
  return {
    entryOf(audited, { what, outcome = audited.outcome }) {
      const { id, member, slackUser, decidedBy, keyLabel, command, target } = audited;
      const approver = decidedBy && decidedBy !== slackUser ? `${member.split(":")[0]}:${decidedBy}` : null;
      const data: AuditEntry = { what, member, slackUser, approver, keyLabel, command, target, outcome, request: id };
      onEntry?.(what);
      return { log: name, retentionMs: year, at: clock.now(), subjects: subjectsOf(data), data };
    },
    async note(data) {
      onEntry?.(data.what);
      await log.append({ at: clock.now(), subjects: subjectsOf(data), data });
    },
    async newest({ member, about, limit, before, begun = false }) {
      const subjects = [...(member ? [`member:${member}`] : []), ...(about ? [`about:${about.toLowerCase()}`] : [])];
      const found: { id: string; at: number; entry: AuditEntry }[] = [];
      let cursor = before;
      for (;;) {
        const page = await log.read({ limit: pageSize, before: cursor, subjects });
        for (const { id, at, data } of page) {
          const entry = AuditEntry.safeParse(data);
          if (entry.success && (begun || entry.data.what !== "begun")) found.push({ id, at, entry: entry.data });
          if (found.length === limit) return found;
        }
        cursor = page.at(-1)?.id;
        if (page.length < pageSize) return found;
      }
    },
  };
}

function subjectsOf({ member, approver, command, target, request }: AuditEntry): string[] {
  const subjects = [`member:${member}`, `about:${command}`, ...(request ? [`about:${request}`] : [])];
  if (approver) subjects.push(`member:${approver}`);
  if (target) subjects.push(`about:${target.id}`, `about:${target.name.toLowerCase()}`);
  return [...new Set(subjects)];
}

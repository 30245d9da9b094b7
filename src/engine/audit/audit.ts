import type { Clock } from "../../clock.ts";
import type { Signer } from "../../storage/signer.ts";
import type { Batch, LogEntry, Store } from "../../storage/store.ts";
import { AuditEntry, auditLog, subjectsOf } from "./entry.ts";
import { prove } from "./proof.ts";

const pageSize = 200;
/** What is too old is cut off as a whole. */
const retentionMs = Number.POSITIVE_INFINITY;

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

/** What is told of it by an entry. */
export interface Noted {
  what: string;
  /** What came of it, where that is not the request's own outcome. */
  outcome?: string;
  /** What it made, by the platform's ids: by these it is found, too. */
  made?: string[];
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
  entryOf(audited: Audited, note: Noted): NonNullable<Batch["append"]>[number];
  /** Keeps what was done without a request: by an admin, to the workspace. */
  note(entry: AuditEntry): Promise<void>;
  newest(query: AuditQuery): Promise<{ id: string; at: number; entry: AuditEntry }[]>;
}

export function createAudit(deps: {
  store: Store;
  signer: Signer;
  clock: Clock;
  onEntry?: (what: string) => void;
}): Audit {
  const { store, signer, clock, onEntry } = deps;
  const log = store.log(auditLog, { retentionMs });

  function written(said: AuditEntry, made: string[] = []): Omit<LogEntry, "id"> {
    const entry = { at: Math.trunc(clock.now()), subjects: subjectsOf(said, made), data: said };
    onEntry?.(said.what);
    return { ...entry, data: prove(signer, entry) };
  }

  return {
    entryOf(audited, { what, outcome = audited.outcome, made }) {
      const { id, member, slackUser, decidedBy, keyLabel, command, target } = audited;
      const approver = decidedBy && decidedBy !== slackUser ? `${member.split(":")[0]}:${decidedBy}` : null;
      const said: AuditEntry = { what, member, slackUser, approver, keyLabel, command, target, outcome, request: id };
      return { log: auditLog, retentionMs, ...written(said, made) };
    },
    async note(entry) {
      await log.append(written(entry));
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

import * as z from "zod";
import type { Clock } from "../../clock.ts";
import type { Store } from "../../storage/store.ts";

const year = 365 * 24 * 60 * 60_000;

/** One decision or run: who asked, who approved, with which key, what, on what, what came of it. Never an input that is secret. */
export const AuditEntry = z.object({
  /** What happened: asked, approved, discarded, expired, void, refused, done, unknown, settled … */
  what: z.string(),
  member: z.string(),
  slackUser: z.string(),
  /** Who pressed, when it was not the requester. */
  approver: z.string().nullable(),
  keyLabel: z.string(),
  command: z.string(),
  target: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Sentence that says what came of it. */
  words: z.string(),
  /** The request that it belongs to. */
  request: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export interface AuditQuery {
  /** Only entries of this member, as asker or approver. */
  member?: string;
  /** Only entries about this target's id or name, or with this command. */
  about?: string;
  limit: number;
  before?: string;
}

export interface Audit {
  add(entry: AuditEntry): Promise<void>;
  newest(query: AuditQuery): Promise<{ id: string; at: number; entry: AuditEntry }[]>;
}

export function createAudit(deps: { store: Store; clock: Clock; onEntry?: (what: string) => void }): Audit {
  const { store, clock, onEntry } = deps;
  const log = store.log("audit", { retentionMs: year });
  return {
    async add(entry) {
      const { member, approver, command, target } = entry;
      const subjects = [`member:${member}`, `about:${command}`];
      if (approver) subjects.push(`member:${approver}`);
      if (target) subjects.push(`about:${target.id}`, `about:${target.name.toLowerCase()}`);
      await log.append({ at: clock.now(), subjects: [...new Set(subjects)], data: entry });
      onEntry?.(entry.what);
    },
    async newest({ member, about, limit, before }) {
      const subject = member ? `member:${member}` : about ? `about:${about.toLowerCase()}` : undefined;
      const wanted = (entry: AuditEntry) => !member || !about || isAbout(entry, about);
      const found: { id: string; at: number; entry: AuditEntry }[] = [];
      let cursor = before;
      // Two filters: the log reads by one subject, the other is applied here, page by page.
      for (;;) {
        const page = await log.read({
          limit: 200,
          ...(cursor ? { before: cursor } : {}),
          subjects: subject ? [subject] : [],
        });
        for (const { id, at, data } of page) {
          const parsed = AuditEntry.safeParse(data);
          if (parsed.success && wanted(parsed.data)) found.push({ id, at, entry: parsed.data });
          if (found.length === limit) return found;
        }
        cursor = page.at(-1)?.id;
        if (page.length < 200 || !cursor) return found;
      }
    },
  };
}

function isAbout({ command, target }: AuditEntry, about: string): boolean {
  return command === about || target?.id === about || target?.name.toLowerCase() === about.toLowerCase();
}

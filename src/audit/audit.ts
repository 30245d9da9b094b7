import { memberBeside } from "../members/identities/person.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import type { Foundation, StoreApp } from "../storage/foundation.ts";
import type { LogEntry, Transaction } from "../storage/store.ts";
import { isFor } from "./assertions.ts";
import {
  AuditAgent,
  AuditEntry,
  auditEntries,
  auditLog,
  entrySubjects,
  keptForever,
  type NewAuditEntry,
} from "./entry.ts";
import type { AuditKind } from "./kinds.ts";
import { prove } from "./proof.ts";

const pageSize = 200;
/** Milliseconds. The clocks of two instances may be this far apart, so entries are in order but for that. */
const mostApart = 10 * 60_000;
const changedWords =
  "Something changed since you opened the page, or that was too long ago, so your passkey did not count. Press again.";

/** The facts of a request that an entry copies; any record with these fields will do. */
export interface Audited {
  /** Null for a command of Rackbell's own. */
  id: string | null;
  member: string;
  slackUser: string;
  /** The Slack id of the person who decided it; null where nobody did. */
  decidedBy: string | null;
  keyLabel: PlainText;
  command: string;
  target: { id: string; name: PlainText } | null;
  outcome: string;
  /** The requester's reason, in their own words; empty when they gave none. */
  reason?: PlainText;
  /** The member's agent that proposed it. */
  agent?: AuditEntry["agent"] | null;
}

/** The event that an entry adds to the facts of its request. */
export interface EntryEvent {
  what: AuditKind;
  /** The outcome, if it differs from the request's own. */
  outcome?: string;
  result?: AuditEntry["result"];
  /** The Slack id of the person who caused it by a press: the kind says in which part. Without one, those who decided the request before count. */
  by?: string | undefined;
  /** Only the requester has seen the request. */
  alone?: boolean;
  channel?: string | null;
  /** The platform's ids of what the act created, or other words; the entry is found by these, too. */
  made?: string[];
  passkeys?: AuditEntry["passkeys"];
  assertion?: AuditEntry["assertion"];
}

export interface AuditQuery {
  /** Only entries of this member, as requester or decider. */
  member?: string | undefined;
  /** Only entries of acts that an agent of this name proposed or made. */
  agent?: string | undefined;
  /** Only entries about this target's id or name, or with this command. */
  about?: string | undefined;
  /** Only entries of this span, in milliseconds since the epoch, both ends included; null: open. */
  from?: number | null;
  to?: number | null;
  limit: number;
  before?: string | undefined;
  /** Includes the entries that only record a start. Most readers want to know the outcome alone. */
  begun?: boolean;
}

/** Writes entries. */
export type Audit = ReturnType<typeof createAudit>;

export function createAudit({
  store,
  signer,
  clock,
  onEntry,
}: Pick<Foundation, "store" | "signer" | "clock"> & { onEntry?: (what: string) => void }) {
  function written(content: NewAuditEntry, made: string[] = []): Omit<LogEntry, "id"> {
    const at = Math.trunc(clock.now());
    const { assertion } = content;
    // Nobody could verify the entry later.
    if (assertion && !isFor({ at, entry: content }, assertion.statement)) throw new Refusal(changedWords);
    const entry = { at, subjects: entrySubjects(content, made), data: content };
    onEntry?.(content.what);
    return { ...entry, data: prove(signer, entry) };
  }

  return {
    /** Makes the entry for the transaction of the change that it records. */
    entryOf(audited: Audited, event: EntryEvent): NonNullable<Transaction["log"]>[number] {
      const { id, member, slackUser, decidedBy, keyLabel, command, target, reason, agent } = audited;
      const { what, outcome = audited.outcome, made } = event;
      const by = event.by ?? decidedBy;
      const content: NewAuditEntry = {
        what,
        member,
        slackUser,
        decidedBy: by === null ? null : memberBeside(member, by),
        keyLabel,
        command,
        target,
        outcome,
        request: id,
        ...(reason ? { reason } : {}),
        ...(agent ? { agent: AuditAgent.parse(agent) } : {}),
        ...presentFacts(event),
      };
      return { log: auditLog, retentionMs: keptForever, ...written(content, made) };
    },
    /** Stores an entry for an act without a request: an admin's change to the workspace. */
    async note(entry: NewAuditEntry): Promise<void> {
      await auditEntries({ store }).append(written(entry));
    },
  };
}

/** The optional facts of an event, without those that it lacks. */
function presentFacts({ result, alone, channel, passkeys, assertion }: EntryEvent) {
  return {
    ...(result ? { result } : {}),
    ...(alone ? { alone } : {}),
    ...(channel ? { channel } : {}),
    ...(passkeys ? { passkeys } : {}),
    ...(assertion ? { assertion } : {}),
  };
}

/** An entry that was read, with its place and its time; `subjects` and `data` as they are stored. */
export interface FoundEntry extends LogEntry {
  entry: AuditEntry;
}

/** Null if the stored entry is outside the span, only records a start that nobody asked for, or cannot be read. */
function entryWithin(
  stored: LogEntry,
  { from = null, to = null, begun = false }: Pick<AuditQuery, "from" | "to" | "begun">,
): FoundEntry | null {
  if ((from !== null && stored.at < from) || (to !== null && stored.at > to)) return null;
  const entry = AuditEntry.safeParse(stored.data).data;
  return entry && (begun || entry.what !== "begun") ? { ...stored, entry } : null;
}

const OfRequest = AuditEntry.pick({ request: true });

/** The requests of the `most` newest entries about a resource. Each act reads them, so nothing else of the entries is parsed. */
export async function requestsAbout(app: StoreApp, resource: string, most: number): Promise<Set<string>> {
  const found = await auditEntries(app).read({ limit: most, subjects: [`about:${resource.toLowerCase()}`] });
  return new Set(found.flatMap(({ data }) => OfRequest.safeParse(data).data?.request ?? []));
}

export async function newestEntries(
  app: StoreApp,
  { member, about, agent, limit, before, ...query }: AuditQuery,
): Promise<FoundEntry[]> {
  const { from = null, to = null, begun = false } = query;
  // A whole page of older ones would be read for nothing, where every entry fits.
  const size = begun && from === null && to === null ? Math.min(pageSize, limit) : pageSize;
  const subjects = [
    ...(member ? [`member:${member}`] : []),
    ...(about ? [`about:${about.toLowerCase()}`] : []),
    ...(agent ? [`agent:${agent.toLowerCase()}`] : []),
  ];
  const found: FoundEntry[] = [];
  let cursor = before;
  for (;;) {
    const page = await auditEntries(app).read({ limit: size, before: cursor, subjects });
    found.push(...page.flatMap((stored) => entryWithin(stored, query) ?? []).slice(0, limit - found.length));
    if (found.length === limit) return found;
    const last = page.at(-1);
    cursor = last?.id;
    if (page.length < size || (from !== null && last && last.at < from - mostApart)) return found;
  }
}

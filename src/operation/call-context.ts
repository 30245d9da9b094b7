import type { ApiClient } from "../platform/http/client.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import type { Assertion } from "../process/webauthn/assertion.ts";
import type { IndexedEntries, IndexedKind } from "./target.ts";

/** The member who acts, as far as an operation may know them. */
export interface Actor {
  /** `<enterprise or team>:<user>`. */
  member: string;
  slackUser: string;
  /** Label of the key in use, for audit entries and sentences. */
  keyLabel: PlainText;
  /** The project that the member has chosen, if any; their calls are narrowed to it. */
  project: { id: string; name: PlainText } | null;
  /** The facts that the member's passkey signed for this act; absent where none was asked for. */
  assertion?: Assertion | undefined;
}

/** The project, or the customer of the partner's, that a key may be confined to. */
interface Confinements {
  customer: { name: PlainText };
  reseller: { id: string; name: PlainText; externalId: string };
}

/** The parameters that every function of an operation receives: the key's client, the member, and their abilities. */
export interface CallContext<A extends ApiName, Writes extends string = never> {
  client: ApiClient<A, Writes>;
  actor: Actor;
  /** The one project or customer whose resources the key sees; null if it sees all. */
  confinedTo: Confinements[A] | null;
  /** True if this member's keys allow an operation, given its command. */
  may(command: string): boolean;
  /** True for an operation, given its command, that changes resources of a kind with states. */
  changesState(command: string): boolean;
  /** All entries of a kind from the name index, which polling keeps current. `everywhere`: of all projects, whichever the member chose. */
  listing(kind: IndexedKind<A>, options?: { fresh?: boolean; everywhere?: boolean }): Promise<IndexedEntries>;
}

/** The same for a function about one target. */
export interface TargetContext<A extends ApiName, T, Writes extends string = never> extends CallContext<A, Writes> {
  target: T;
  /** The target's name for a sentence, as mrkdwn. */
  name: string;
}

/** One value that a member can choose for an input. */
export interface Choice {
  value: string;
  label: PlainText;
  description?: PlainText;
  /** An ISO date-time that distinguishes the choice: shown before its description, in the reader's zone. */
  at?: string;
  /** Why it cannot be had now: it is found by its name, so that this can be said, and not offered. */
  closed?: string;
  /** Other names that a member may type for the same value. */
  aliases?: PlainText[];
}

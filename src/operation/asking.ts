import type { ApiName } from "../platform/http/errors.ts";
import type { ClientOf } from "../platform/platform.ts";
import type { Listed, Listing } from "./target.ts";

/** Who acts: what an operation may know of them. */
export interface Actor {
  /** `<enterprise or team>:<user>`. */
  member: string;
  slackUser: string;
  /** Label of the key that is used, for the audit and for sentences. */
  keyLabel: string;
  /** The project that the member works in, if one was chosen: what they do is narrowed to it. */
  project: { id: string; name: string } | null;
}

/** What everything that is asked of an operation comes with: the key's client, who acts, and what they may do. */
export interface Asking<A extends ApiName> {
  client: ClientOf[A];
  actor: Actor;
  /** Whether this member's keys allow an operation, by its command. */
  may(command: string): boolean;
  /** All entries of a kind, from the directory that is kept in the background (design section 9). */
  listing(kind: Listed<A>, options?: { fresh?: boolean }): Promise<Listing>;
}

/** One thing that can be chosen for an input. */
export interface Choice {
  value: string;
  label: string;
  description?: string;
  /** What else it is called: typed, it means the same. */
  aliases?: string[];
}

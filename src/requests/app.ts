// requests/: what changes something, from asking to its end: made, shown, checked at the press, run once, reconciled.

import type { Audit } from "../audit/audit.ts";
import type { AccessApp } from "../members/access/access.ts";
import type { BindingApp } from "../members/access/bound.ts";
import type { People } from "../messages/chat/people.ts";
import type { Reply } from "../messages/reply.ts";
import type { Progress } from "../operation/answer.ts";
import type { PasskeysApp } from "../passkeys/passkeys.ts";
import type { PolicyApp } from "../policy/policy.ts";
import type { Foundation } from "../storage/foundation.ts";
import type { AgentRightApp } from "./facets/agent/right.ts";

/** All that requests work with. */
export interface RequestsApp
  extends AccessApp,
    BindingApp,
    PolicyApp,
    PasskeysApp,
    AgentRightApp,
    Pick<Foundation, "log"> {
  people: People;
  audit: Audit;
  reply: Reply;
  /** Called after a call that was signed for the workspace, with its error if it failed. */
  onSigned(error?: unknown): Promise<void>;
  /** Milliseconds in which a request can be decided. */
  ttl: number;
  inProcess: InProcess;
}

/** The work of this process on requests. It ends with the process, and the next one finds out from the store what to do. */
export interface InProcess {
  /** The ids of the requests that are being sent. */
  running: Set<string>;
  /**
   * When this process first checked each unknown outcome, by the monotonic clock: a time of day that is set forward must not shorten the
   * wait for a late effect. After a restart the wait starts over.
   */
  firstChecks: Map<string, number>;
  /** The polls under way, by key and job. */
  polls: Map<string, Promise<Progress>>;
}

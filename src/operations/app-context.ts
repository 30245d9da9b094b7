import type * as z from "#zod";
import type { AlertsApp } from "../alerts/app.ts";
import type { Drift } from "../alerts/polling/drift.ts";
import type { Audit } from "../audit/audit.ts";
import type { AuditKind } from "../audit/kinds.ts";
import type { AuditApp } from "../audit/timers.ts";
import type { AccessApp } from "../members/access/access.ts";
import type { SupplierConnection } from "../members/identities/connection.ts";
import type { Identities } from "../members/identities/identities.ts";
import type { ResourcesApp } from "../members/resources/resources.ts";
import type { LastCommandsApp } from "../members/settings/last-commands.ts";
import type { People } from "../messages/chat/people.ts";
import type { Answer } from "../operation/answer.ts";
import { type AppOperationDeclaration, createAppOperation } from "../operation/app-operation.ts";
import type { AppOperation } from "../operation/operation.ts";
import type { RecoveryApp } from "../passkeys/recovery.ts";
import type { PolicyApp } from "../policy/policy.ts";
import type { RequestsApp } from "../requests/app.ts";
import type { ParseCommand } from "../requests/trial.ts";
import { StorageError } from "../storage/errors.ts";
import { section } from "../views/blocks.ts";

/** All that the app's own operations (`/rackbell …`) work with: the apps of the rooms, and what belongs to no single room. */
export interface AppContext
  extends AccessApp,
    AlertsApp,
    AuditApp,
    PolicyApp,
    RecoveryApp,
    ResourcesApp,
    LastCommandsApp {
  people: People;
  identities: Identities;
  connection: SupplierConnection;
  requests: RequestsApp;
  audit: Audit;
  /** The address for members' agents; null while `AGENTS` is off. */
  agentsUrl: string | null;
  parse: ParseCommand;
  drift: Drift;
  /** How many of the supplier's deliveries had each outcome at this instance, since it started (milliseconds since the epoch). */
  deliveries: { since: number; outcomes: Map<string, number> };
  /** The address for the supplier's webhooks; null when the address of this app is not configured. */
  webhookUrl: string | null;
  /** A sentence for each clock that differs too much from this machine's. */
  clockProblems: () => string[];
  /** The default approval of acts that destroy, and the life of a request in milliseconds. */
  approvals: { mode: "self" | "peer"; ttl: number };
}

/** Writes the member's act to the audit log. `outcome`: what changed, as a sentence in mrkdwn. */
export type Note = (what: AuditKind, outcome: string) => Promise<void>;

/**
 * Declares something that a member does with Rackbell itself: it works with the app's own rooms. `note` names the operation's own command,
 * by which `/rackbell audit` finds the entry.
 */
export function defineAppOperation<I extends z.ZodObject>(
  declaration: AppOperationDeclaration<AppContext, I, { note: Note }>,
): AppOperation<AppContext> {
  const { command, run } = declaration;
  return createAppOperation({
    ...declaration,
    run(call) {
      const { member, slackUser, keyLabel, assertion } = call.actor;
      const { audit, log } = call.context;
      const proven = assertion ? { assertion } : {};
      const act = { ...proven, member, slackUser, keyLabel, command, decidedBy: member, target: null, request: null };
      return runNoted((note) => run({ ...call, note }), {
        write: (what, outcome) => audit.note({ ...act, what, outcome }),
        warn: (error, words) => log.error({ err: error, command }, words),
      });
    },
  });
}

/** The answer of a run that notes what it changed. A note comes after its change, so a store that fails from there on shows nothing as not done. */
export async function runNoted(
  run: (note: Note) => Promise<Answer>,
  { write, warn }: { write: Note; warn: (error: unknown, words: string) => void },
): Promise<Answer> {
  const changes: string[] = [];
  let isNoted = true;
  async function note(what: AuditKind, outcome: string): Promise<void> {
    changes.push(outcome);
    try {
      await write(what, outcome);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      warn(error, "The audit entry of a change could not be written");
      isNoted = false;
    }
  }
  const answer = await run(note).catch((error: unknown): Answer => {
    if (!(error instanceof StorageError) || changes.length === 0) throw error;
    warn(error, "The answer to a change could not be made");
    return {
      text: `:white_check_mark: This was done: ${changes.join(" ")} ${silent} the rest of the answer is missing.`,
    };
  });
  if (isNoted) return answer;
  const unnoted = `:warning: ${silent} its audit entry may be missing.`;
  const { blocks = [section(answer.text)] } = answer;
  return { ...answer, text: `${answer.text} ${unnoted}`, blocks: [...blocks, section(unnoted)] };
}

const silent = "Rackbell's store did not answer, so";

import type { Access } from "../access/access.ts";
import type { Admins } from "../access/admins.ts";
import type { CommandWords } from "../access/named.ts";
import type { ReadScheduledTime } from "../access/when.ts";
import type { AlertsApp } from "../alerts/app.ts";
import type { DeliveryCounts } from "../alerts/delivery-counts.ts";
import type { SecretMonitor } from "../alerts/secret-monitor.ts";
import type { AuditSystem } from "../audit/assemble.ts";
import type { Audit } from "../audit/audit.ts";
import type { Agents } from "../identities/agents.ts";
import type { Connection } from "../identities/connection.ts";
import type { Identities } from "../identities/identities.ts";
import type { Link } from "../identities/link.ts";
import type { Origin } from "../notifications/origin.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { Recoveries } from "../passkeys/recovery.ts";
import type { Windows } from "../policy/maintenance-windows/windows.ts";
import type { PolicyStore } from "../policy/policy.ts";
import type { RuledProjects } from "../policy/ruled-projects.ts";
import type { Drift } from "../polling/drift.ts";
import type { Poller } from "../polling/polling.ts";
import type { LastCommandsApp } from "../records/last-commands.ts";
import type { RequestsApp } from "../requests/app.ts";
import type { ParseCommand } from "../requests/trial.ts";
import type { ResourcesApp } from "../resources/app.ts";

/** The services of the app's own operations (`/rackbell …`). */
export interface AppContext extends AlertsApp, ResourcesApp, LastCommandsApp {
  registry: Registry;
  identities: Identities;
  connection: Connection;
  access: Access;
  admins: Admins;
  requests: RequestsApp;
  audit: Audit;
  /** Verification, posted checkpoints and the stream to a collector. */
  auditSystem: Pick<AuditSystem, "verify" | "posting" | "stream">;
  passkeys: Passkeys;
  recoveries: Recoveries;
  /** Members' agents; null while `AGENTS` is off. */
  agents: Agents | null;
  /** Parses a typed command without its slash; returns the reason when it is not understood. */
  parse: (text: string) => ReturnType<ParseCommand>;
  /** The time zone that a member chose in Slack, by its IANA name. */
  zoneOf: (slackUser: string) => Promise<string>;
  policy: PolicyStore;
  ruledProjects: RuledProjects;
  windows: Windows;
  /** Reads the scheduled time from a member's input. */
  putOff: ReadScheduledTime;
  /** Explains in words which approval a command would need. */
  tryOut(text: string, origin: Pick<Origin, "member" | "slackUser" | "channel">, now: number): Promise<string>;
  /** A command with names in place of ids, as far as the member's key knows them. */
  named(operation: PlatformOperation, member: string, words: CommandWords): Promise<CommandWords>;
  /** The reason why no request can be posted in a channel, as the beginning of a sentence; null when one can. */
  placeProblem: (channel: string, name?: string) => Promise<string | null>;
  leavers: {
    /** Erases the data of a member whom Slack calls deactivated. */
    look(member: string): Promise<void>;
    /** Erases a member's keys and ends what depends on them; `why` is a sentence. Returns the erased links. */
    erase(member: string, why: string): Promise<Link[]>;
  };
  /** Milliseconds after which a link must be renewed; null means never. */
  linkMaxAgeMs: number | null;
  drift: Drift;
  /** The outcomes of the supplier's deliveries. */
  deliveries: DeliveryCounts;
  sweep: Poller;
  secretMonitor: SecretMonitor;
  /** The panel's own pages, where their addresses are known: where API keys are made, and a service's, with `{id}`. */
  panel: { keysUrl?: string; serviceUrl?: string };
  /** The address for the supplier's webhooks; null when the address of this app is not configured. */
  webhookUrl: string | null;
  /** A sentence for each clock that differs too much from this machine's. */
  clockProblems: () => string[];
  /** The default approval of acts that destroy, and the life of a request in milliseconds. */
  approvals: { mode: "self" | "peer"; ttl: number };
}

import type { Connection } from "../identities/connection.ts";
import type { Identities } from "../identities/identities.ts";
import type { Registry } from "../operation/registry.ts";
import type { Access } from "./access.ts";
import type { Audit } from "./audit/audit.ts";
import type { Trail } from "./audit/trail.ts";
import type { Alerts } from "./cards/alerts.ts";
import type { EventLog } from "./cards/event-log.ts";
import type { SecretWatch } from "./cards/secret-watch.ts";
import type { Drift } from "./drift.ts";
import type { Leavers } from "./leavers.ts";
import type { PolicyStore } from "./policy/policy.ts";
import type { ChannelDefaults } from "./records/channel-defaults.ts";
import type { LastCommands } from "./records/last-commands.ts";
import type { SettingsStore } from "./records/settings.ts";
import type { Templates } from "./records/templates.ts";
import type { WeeklyReport } from "./report/weekly.ts";
import type { Requests } from "./requests/requests.ts";
import type { ParseCommand, Trial } from "./requests/trial.ts";
import type { Sweep } from "./sweep/sweep.ts";
import type { Favourites } from "./things/favourites.ts";
import type { Finder } from "./things/finder.ts";
import type { Things } from "./things/things.ts";
import type { Watches } from "./watches/watches.ts";
import type { ReadPutOff } from "./when.ts";
import type { Windows } from "./windows/windows.ts";

/** What the app's own operations (`/rackbell …`) work with. */
export interface AppContext {
  registry: Registry;
  identities: Identities;
  connection: Connection;
  access: Access;
  requests: Requests;
  audit: Audit;
  /** What keeps the audit from being rewritten unseen. */
  trail: Pick<Trail, "verify" | "posting" | "stream">;
  settings: SettingsStore;
  /** Where lists and names that are typed in a channel start. */
  channelDefaults: ChannelDefaults;
  lastCommands: LastCommands;
  /** What members saved of forms in pages. */
  templates: Templates;
  /** What a typed command asks for, without its slash; or why it is not understood. */
  parse: (text: string) => ReturnType<ParseCommand>;
  report: WeeklyReport;
  /** The time zone that a member chose in Slack, by its IANA name. */
  zoneOf: (slackUser: string) => Promise<string>;
  policy: PolicyStore;
  windows: Windows;
  /** When a member wants something done, as they said it. */
  putOff: ReadPutOff;
  /** What would hold for a command, in words. */
  tryOut: Trial;
  /** Why no request can stand in a channel, as the beginning of a sentence; null where one can. */
  placeProblem: (channel: string) => Promise<string | null>;
  things: Things;
  finder: Finder;
  favourites: Favourites;
  watches: Watches;
  leavers: Pick<Leavers, "look" | "erase">;
  /** How long a link holds, in milliseconds; null: until it is ended. */
  linkMaxAgeMs: number | null;
  drift: Drift;
  events: EventLog;
  alerts: Alerts;
  sweep: Sweep;
  secretWatch: SecretWatch;
  /** The panel's own pages, where their addresses are known: where API keys are made, and a service's, with `{id}`. */
  panel: { keysUrl?: string; serviceUrl?: string };
  /** Where the supplier's events are taken; null where nobody told where this app is reached. */
  webhookUrl: string | null;
  /** A sentence for each clock that this machine's is too far from. */
  clockProblems: () => string[];
  /** How requests are decided: by whom, and within how many milliseconds. */
  approvals: { mode: "self" | "peer"; ttl: number };
}

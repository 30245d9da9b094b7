// engine/: runs operations: who may, with which key, on which target. What is asked first, told, followed and kept is in its folders.
// May import: engine/, engine/*, operation/, views/, chat/, identities/, platform/, platform/*, storage/, the clock.

import type { Chat } from "../chat/chat.ts";
import type { People } from "../chat/people.ts";
import { createConnection } from "../identities/connection.ts";
import { createIdentities, type Identities } from "../identities/identities.ts";
import { sealAnew } from "../identities/rotation.ts";
import { createWorkspaceSecrets } from "../identities/workspace.ts";
import type { Operation } from "../operation/operation.ts";
import { createRegistry, type Registry } from "../operation/registry.ts";
import type { Platform } from "../platform/platform.ts";
import { type Access, createAccess } from "./access.ts";
import { type ActOn, createActOn } from "./act-on.ts";
import { createExplain } from "./answers/explain.ts";
import { createHomeNotes, type HomeNotes } from "./answers/home-notes.ts";
import { createReply, type Reply } from "./answers/reply.ts";
import type { AppContext } from "./app-context.ts";
import { policyEntry } from "./audit/policy-entry.ts";
import type { Deliver } from "./audit/stream.ts";
import { assembleTrail } from "./audit/trail.ts";
import { type Binder, createBinder } from "./bound.ts";
import { createAlerts } from "./cards/alerts.ts";
import { createEventLog } from "./cards/event-log.ts";
import { createSecretWatch } from "./cards/secret-watch.ts";
import { createDirectory } from "./directory.ts";
import { createDrift } from "./drift.ts";
import type { Foundation } from "./foundation.ts";
import { createGuard, type Guard } from "./guard.ts";
import { createInvoke, type Invoke } from "./invoke.ts";
import { createLeavers } from "./leavers.ts";
import { createMembersOwn } from "./members-own.ts";
import { createNamedThings } from "./named-things.ts";
import { createPolicy, defaultsOf } from "./policy/policy.ts";
import { createSpending } from "./policy/spending.ts";
import { createChannelDefaults } from "./records/channel-defaults.ts";
import { createDrafts, type Drafts } from "./records/drafts.ts";
import { createSecrets, type Secrets } from "./records/secrets.ts";
import { createSettings } from "./records/settings.ts";
import { createReadWeek } from "./report/week.ts";
import { createWeeklyReport } from "./report/weekly.ts";
import { zoneOf } from "./report/zone-of.ts";
import { assembleRequests } from "./requests/assemble.ts";
import { placeProblem } from "./requests/place.ts";
import { createRules } from "./requests/rules.ts";
import { createTrial, type ParseCommand } from "./requests/trial.ts";
import { assembleSweep } from "./sweep/assemble.ts";
import { createEstate } from "./sweep/estate.ts";
import { createOutbox } from "./telling/outbox.ts";
import { createPostman } from "./telling/postman.ts";
import { assembleThings } from "./things/assemble.ts";
import { createReadPutOff } from "./when.ts";
import { createWhichNoun, type WhichNoun } from "./which-noun.ts";
import { createWindows } from "./windows/windows.ts";

/** The rooms that it uses to reach the platform and people. */
export interface Reach {
  platform: Platform;
  chat: Chat;
  people: People;
}

export interface EngineOptions {
  admins: readonly string[];
  /** How requests are decided where no rule says otherwise, and within how many milliseconds. */
  approvals: { mode: "self" | "peer"; ttl: number };
  parse: ParseCommand;
  panel: AppContext["panel"];
  webhookUrl: AppContext["webhookUrl"];
  /** How long a link holds, in milliseconds; null: until it is ended. */
  linkMaxAgeMs: number | null;
  /** How long the audit is kept, and who gets each entry of it. */
  audit: { retentionMs: number; deliver: Deliver | null };
  /** A sentence for each clock that this machine's is too far from. */
  clockProblems: () => string[];
  /** Told of every invocation that ended and every entry of the audit, for the metrics. */
  onInvoked: (command: string, outcome: "ok" | "refused" | "failed") => void;
  onAudited: (what: string) => void;
}

interface Levels {
  /** Open requests, by state. */
  requests: Record<"pending" | "claimed" | "unknown", number>;
  /** Jobs that are followed. */
  following: number;
  /** Cards that stand nowhere. */
  undelivered: number;
}

/** What the doors and the app work with. */
export interface Engine {
  context: AppContext;
  registry: Registry<AppContext>;
  access: Access;
  binder: Binder;
  identities: Identities;
  invoke: Invoke;
  whichNoun: WhichNoun;
  actOn: ActOn;
  guard: Guard;
  reply: Reply;
  homeNotes: HomeNotes;
  drafts: Drafts;
  secrets: Secrets;
  start(): void;
  stop(): void;
  /** How much there is of what is kept, for the metrics. */
  levels(): Promise<Levels>;
  /** Seals what lasts with the current encryption key; answers with the number of members who have linked a key. */
  sealAnew(): Promise<number>;
}

/** Puts the engine's own parts together. */
export function createEngine(
  foundation: Foundation,
  { platform, chat, people }: Reach,
  operations: Operation<AppContext>[],
  options: EngineOptions,
): Engine {
  const { store, clock, log } = foundation;
  const { admins, approvals, panel, webhookUrl, linkMaxAgeMs, clockProblems } = options;
  const registry = createRegistry(operations);
  const workspace = createWorkspaceSecrets(foundation);
  const identities = createIdentities({ foundation, platform, workspace });
  const connection = createConnection({ platform, identities, secrets: workspace, clock });
  const access = createAccess({ people, identities, admins, linkMaxAgeMs, clock });
  const directory = createDirectory({ clock, log });
  const binder = createBinder({ access, directory, registry, clock });
  const homeNotes = createHomeNotes();
  const reply = createReply({ chat, people, homeNotes, clock });
  const settings = createSettings(foundation);
  const secrets = createSecrets(foundation);
  const attempts = store.ephemeral("post-attempts");
  const postman = createPostman({ chat, people, reply, attempts, startedAt: clock.now() });
  const outbox = createOutbox({ store, postman, log });
  outbox.source("secret", secrets.tellings);
  const trail = assembleTrail(foundation, {
    ...{ settings, outbox, registry, ...options.audit, onEntry: options.onAudited },
  });
  const { audit } = trail;
  const policy = createPolicy({ ...foundation, defaults: defaultsOf(approvals.mode), entryOf: policyEntry(audit) });
  const windows = createWindows(foundation);
  const rules = createRules({ policy, spending: createSpending(foundation), windows, clock });
  const zoneOfUser = (user: string) => zoneOf(people, user);
  const putOff = createReadPutOff({ zoneOf: zoneOfUser, clock });
  const secretWatch = createSecretWatch(foundation, {
    ...{ access, outbox },
    setBy: async () => (await connection.about("signing-secret"))?.slackUser ?? null,
  });
  const assembled = assembleRequests(foundation, {
    ...{ registry, identities, access, binder, people, reply, audit, settings, secrets, outbox, approvals },
    ...{ policy, rules, putOff, onSigned: secretWatch.signed },
  });
  const { requests, hearing } = assembled;
  const { forget, ...membersOwn } = createMembersOwn(foundation);
  const leavers = createLeavers(foundation, { people, identities, requests, audit, forget });
  const things = assembleThings(foundation, { access, directory, binder, registry, audit, outbox });
  const drift = createDrift({ platform, registry, clock, log });
  const events = createEventLog(foundation);
  const alerts = createAlerts(foundation, {
    ...{ events, outbox, hearing, registry, access, windows },
    readingKey: () => connection.reader("reseller"),
  });
  const estate = createEstate(foundation);
  const sweep = assembleSweep(foundation, {
    ...{ connection, identities, events, alerts, audit, settings, outbox, estate },
    offer: (command) => registry.find(command) ?? null,
  });
  const readWeek = createReadWeek({ events, audit, estate, connection });
  const context: AppContext = {
    ...{ registry, identities, connection, access, requests, audit, settings, drift, approvals, panel, clockProblems },
    ...{ events, alerts, sweep, secretWatch, webhookUrl, policy, trail, linkMaxAgeMs, leavers },
    ...things,
    ...{ channelDefaults: createChannelDefaults(foundation), ...membersOwn },
    parse: (text) => options.parse(registry, text),
    report: createWeeklyReport(foundation, { readWeek, access, outbox, registry }),
    ...{ zoneOf: zoneOfUser, windows, putOff },
    tryOut: createTrial({ registry, binder, rules, parse: options.parse }),
    placeProblem: (channel) => placeProblem(people, channel),
  };
  const explain = createExplain({ access, identities, clock });
  const guard = createGuard({ access, registry, reply, clock, log });
  const named = createNamedThings({ registry, access, binder });
  const invoke = createInvoke({ registry, access, binder, explain, guard, context, reply, clock }, options.onInvoked);
  return {
    ...{ context, registry, access, binder, identities, invoke, guard, reply, homeNotes, secrets },
    whichNoun: createWhichNoun({ registry, access, binder, reply }),
    actOn: createActOn({ registry, access, binder, named, requests, invoke, reply }, clock),
    drafts: createDrafts(foundation),
    start() {
      assembled.start();
      trail.start();
      leavers.start();
      alerts.start();
      sweep.start();
      drift.start();
    },
    stop() {
      assembled.stop();
      directory.stop();
      drift.stop();
    },
    async levels() {
      const [requests, undelivered] = await Promise.all([assembled.counts(), alerts.countUndelivered()]);
      const { working, ...open } = requests;
      return { requests: open, following: working, undelivered };
    },
    async sealAnew() {
      await trail.seal();
      return sealAnew(identities, workspace);
    },
  };
}

import { createAccess } from "./access/access.ts";
import { createAdmins } from "./access/admins.ts";
import { createBinder } from "./access/bound.ts";
import { createNameIndex, lastWrites } from "./access/name-index.ts";
import { withNames } from "./access/named.ts";
import { createReadScheduledTime } from "./access/when.ts";
import { countUndelivered } from "./alerts/alert.ts";
import { alertTimers, registerAlertMessages } from "./alerts/alerts.ts";
import type { AlertsApp } from "./alerts/app.ts";
import { createDeliveryCounts } from "./alerts/delivery-counts.ts";
import { createFeedTrigger } from "./alerts/feed.ts";
import { createProducts } from "./alerts/products.ts";
import { createSecretMonitor } from "./alerts/secret-monitor.ts";
import { assembleAudit } from "./audit/assemble.ts";
import type { Deliver } from "./audit/stream.ts";
import type { Chat } from "./chat/chat.ts";
import type { People } from "./chat/people.ts";
import type { AppWith } from "./engine/app.ts";
import { createLeavers } from "./engine/leavers.ts";
import { createAgents } from "./identities/agents.ts";
import { createConnection } from "./identities/connection.ts";
import { createIdentities } from "./identities/identities.ts";
import { sealAnew } from "./identities/rotation.ts";
import { createWorkspaceSecrets } from "./identities/workspace.ts";
import { stepBlocks } from "./notifications/answers/answers.ts";
import { createHomeNotes, type HomeNotes } from "./notifications/home-notes.ts";
import { createOutbox, notificationTimer } from "./notifications/outbox.ts";
import { placeMessage } from "./notifications/postman.ts";
import { createReply } from "./notifications/reply.ts";
import { createSecrets, type Secrets } from "./notifications/secrets.ts";
import { unlinkedKind, unlinkedMessages } from "./notifications/unlink-notices.ts";
import type { Operation } from "./operation/operation.ts";
import { createRegistry } from "./operation/registry.ts";
import type { AppContext } from "./operations/app-context.ts";
import { passkeyNoticeKind, passkeyNotices } from "./passkeys/notices.ts";
import { createPasskeys, type PasskeyMode } from "./passkeys/passkeys.ts";
import { createRecoveries } from "./passkeys/recovery.ts";
import { noteStart } from "./passkeys/start.ts";
import type { Platform } from "./platform/platform.ts";
import { createWindows } from "./policy/maintenance-windows/windows.ts";
import { createPolicy, defaultsOf, proposalKind } from "./policy/policy.ts";
import { policyEntry } from "./policy/policy-entry.ts";
import { keepProposals } from "./policy/proposals.ts";
import { createRuledProjects } from "./policy/ruled-projects.ts";
import { createSpending } from "./policy/spending.ts";
import { assemblePolling } from "./polling/assemble.ts";
import { createDrift } from "./polling/drift.ts";
import type { ReportApp } from "./report/week.ts";
import { postWhenDue, reportKind, reportMessages, reportTimer } from "./report/weekly.ts";
import { zoneOf } from "./report/zone-of.ts";
import { assembleRequests } from "./requests/assemble.ts";
import { placeProblem } from "./requests/audience.ts";
import { requesterIn } from "./requests/lists.ts";
import { requestCounts } from "./requests/store.ts";
import { type ParseCommand, tryOut } from "./requests/trial.ts";
import type { ResourcesApp } from "./resources/app.ts";
import { pollWatches } from "./resources/watches/poll-watches.ts";
import { watchKind, watchWake } from "./resources/watches/watch-store.ts";
import { watchMessages } from "./resources/watches/watches.ts";
import type { Foundation } from "./storage/foundation.ts";
import type { LaneHandlers } from "./storage/store.ts";
import { handleLanes } from "./storage/timer.ts";

/** The rooms that it uses to reach the platform and people. */
export interface Reach {
  platform: Platform;
  chat: Chat;
  people: People;
}

export interface RoomOptions {
  admins: readonly string[];
  /** The default approval of acts that destroy, and the life of a request in milliseconds. */
  approvals: { mode: "self" | "peer"; ttl: number };
  parse: ParseCommand;
  panel: AppContext["panel"];
  webhookUrl: AppContext["webhookUrl"];
  /** `PASSKEYS`, `PUBLIC_URL` and the workspace that they are for. */
  passkeys: { mode: PasskeyMode; publicUrl: string | undefined; workspace: string };
  /** The address for agents; null while they are off. */
  agentsUrl: string | null;
  /** Milliseconds after which a link must be renewed; null means never. */
  linkMaxAgeMs: number | null;
  /** Retention of the audit log in milliseconds, and the collector of its entries. */
  audit: { retentionMs: number; deliver: Deliver | null };
  /** A sentence for each clock that differs too much from this machine's. */
  clockProblems: () => string[];
  /** Called for every finished invocation and every audit entry, for the metrics. */
  onInvoked: (command: string, outcome: "ok" | "refused" | "failed") => void;
  onAudited: (what: string) => void;
}

interface Levels {
  /** Open requests, by state. */
  requests: Record<"pending" | "claimed" | "unknown", number>;
  /** Jobs that are tracked. */
  following: number;
  /** Alerts that did not reach Slack yet. */
  undelivered: number;
}

/** The parts that the Slack and HTTP handlers and the metrics use. */
export interface Rooms {
  app: AppWith<AppContext>;
  context: AppContext;
  homeNotes: HomeNotes;
  secrets: Secrets;
  start(): void;
  stop(): void;
  /** Counts of stored items, for the metrics. */
  levels(): Promise<Levels>;
  /** Encrypts lasting secrets again with the current key; returns the number of members with a linked key. */
  sealAnew(): Promise<number>;
}

/** Builds all rooms and connects them. */
export function createRooms(
  foundation: Foundation,
  { platform, chat, people }: Reach,
  operations: Operation<AppContext>[],
  options: RoomOptions,
): Rooms {
  const { store, clock, log } = foundation;
  const { admins, approvals, panel, webhookUrl, linkMaxAgeMs, clockProblems } = options;
  const registry = createRegistry(operations);
  const workspace = createWorkspaceSecrets(foundation);
  const identities = createIdentities({ foundation, platform, workspace });
  const connection = createConnection({ platform, identities, secrets: workspace, clock });
  const access = createAccess({ people, identities, admins, linkMaxAgeMs, clock });
  const nameIndex = createNameIndex({
    ...{ lastWrites: store.keyv(lastWrites), clock, log },
    isCurrent: async ({ member, api, keyId }) => (await identities.links(member))[api]?.keyId === keyId,
  });
  const zoneOfUser = (user: string) => zoneOf(people, user);
  const binder = createBinder({ access, nameIndex, registry, zoneOf: zoneOfUser, clock });
  const agents = options.agentsUrl === null ? null : createAgents(foundation, { endpoint: options.agentsUrl });
  const homeNotes = createHomeNotes();
  const reply = createReply({ chat, people, homeNotes, clock });
  const secrets = createSecrets(foundation);
  const outbox = createOutbox({
    store,
    place: (placing) => placeMessage({ chat, people, reply, store }, placing),
    clock,
  });
  outbox.source("secret", secrets.notifications);
  const auditSystem = assembleAudit(foundation, {
    ...{ outbox, ...options.audit, onEntry: options.onAudited },
    buttons: (steps) => stepBlocks(steps, (command) => registry.find(command) ?? null),
  });
  const { audit } = auditSystem;
  const policy = createPolicy({
    ...{ ...foundation, defaults: defaultsOf(approvals.mode, options.passkeys.mode), entryOf: policyEntry(audit) },
    notificationTimerOf: (id) => `${notificationTimer}${proposalKind}:${id}`,
  });
  const adminRights = createAdmins(foundation, { people, identities, named: admins });
  const passkeys = createPasskeys(foundation, { audit, ...options.passkeys });
  outbox.source(passkeyNoticeKind, passkeyNotices(foundation));
  const recoveries = createRecoveries(foundation, { passkeys, admins: adminRights });
  const proposals = keepProposals(foundation, { policy, admins: adminRights, outbox, registry });
  const ruledProjects = createRuledProjects({ policy, identities, access, log });
  const windows = createWindows(foundation);
  const putOff = createReadScheduledTime({ zoneOf: zoneOfUser, clock });
  const secretSetBy = async () => (await connection.about("signing-secret"))?.slackUser ?? null;
  const secretMonitor = createSecretMonitor(foundation, { access, outbox, setBy: secretSetBy });
  const services = {
    ...{ store, seal: foundation.seal, clock, log, registry, identities, access, admins: adminRights, binder, people },
    ...{ reply, audit, secrets, passkeys, policy, spending: createSpending(foundation), windows, nameIndex },
    ...{ readScheduledTime: putOff, onSigned: secretMonitor.signed, ttl: approvals.ttl },
  };
  const assembled = assembleRequests(services, outbox);
  const { requests, causes } = assembled;
  const leavers = createLeavers(foundation, { people, identities, requests, audit, passkeys, admins: adminRights });
  const resources: ResourcesApp = { store, clock, log, access, nameIndex, binder, registry, audit };
  outbox.source(watchKind, watchMessages(resources));
  const drift = createDrift({ platform, registry, clock, log });
  const monitoringKey = () => connection.reader("reseller");
  const alerts: AlertsApp = {
    ...{ store, clock, log, outbox, registry, access, windows, causes, secretSetBy, monitoringKey },
    products: createProducts(foundation, monitoringKey),
    requesterIn: (id, channel) => requesterIn(requests, id, channel),
    wakeFeed: createFeedTrigger(store.wakeups, { clock, log }),
  };
  registerAlertMessages(outbox, alerts);
  const sweep = assemblePolling(alerts, { connection, identities, audit, outbox });
  const report: ReportApp = { store, clock, log, audit, connection, access, registry };
  outbox.source(reportKind, reportMessages(report));
  outbox.source(unlinkedKind, unlinkedMessages(foundation));
  // All that the app does by itself, later: each room's lanes of timers with their handlers.
  const timers: LaneHandlers[] = [
    outbox.timers,
    secrets.timers,
    assembled.timers,
    alertTimers(alerts),
    sweep.timers,
    { [watchWake]: (wakeId) => pollWatches(resources, wakeId) },
    { [reportTimer]: () => postWhenDue(report) },
    proposals,
    recoveries.timers,
    leavers.timers,
    auditSystem.timers,
  ];
  for (const handlers of timers) handleLanes(store.wakeups, handlers);
  const context: AppContext = {
    ...alerts,
    ...resources,
    deliveries: createDeliveryCounts(clock),
    ...{ registry, identities, connection, access, requests, audit, drift, approvals, panel, clockProblems },
    ...{ sweep, secretMonitor, webhookUrl, policy, ruledProjects, auditSystem, linkMaxAgeMs, leavers },
    admins: adminRights,
    seal: foundation.seal,
    ...{ agents, passkeys, recoveries },
    parse: (text) => options.parse(registry, text),
    ...{ zoneOf: zoneOfUser, windows, putOff },
    named: async (operation, member, words) => withNames(await binder.bind(operation, member), words),
    tryOut: (text, origin, now) => tryOut(requests, options.parse, text, origin, now),
    placeProblem: (channel, name) => placeProblem(people, channel, name),
  };
  return {
    app: { ...context, context, binder, reply, secrets, onInvoked: options.onInvoked, clock, log },
    ...{ context, homeNotes, secrets },
    start() {
      assembled.start();
      void ruledProjects.settle();
      noteStart(foundation, { passkeys, audit, admins: adminRights }).catch((error: unknown) =>
        log.error({ err: error }, "The change of PASSKEYS is not noted yet: the next start tries again"),
      );
      auditSystem.start();
      leavers.start();
      // The feed posts what a crash left stored and unposted.
      alerts.wakeFeed();
      sweep.start();
      drift.start();
    },
    stop() {
      assembled.stop();
      nameIndex.stop();
      drift.stop();
    },
    async levels() {
      const [requests, undelivered] = await Promise.all([requestCounts(foundation), countUndelivered(alerts)]);
      const { working, ...open } = requests;
      return { requests: open, following: working, undelivered };
    },
    async sealAnew() {
      await auditSystem.seal();
      return sealAnew(identities, workspace);
    },
  };
}

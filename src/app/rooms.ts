import { alertSubject } from "../alerts/alert.ts";
import { alertTimers, registerAlertMessages } from "../alerts/alerts.ts";
import { createFeedTrigger } from "../alerts/feed.ts";
import { readAlertWaiting } from "../alerts/mentions.ts";
import { secretUsed } from "../alerts/notices.ts";
import { createDrift } from "../alerts/polling/drift.ts";
import { pollingTimers, startPolling } from "../alerts/polling/polling.ts";
import { postWhenDue, reportMessages, reportSubject, reportTimer } from "../alerts/report/weekly.ts";
import { countUndelivered } from "../alerts/undelivered.ts";
import { pollWatches } from "../alerts/watches/poll-watches.ts";
import { watchSubject, watchTimer } from "../alerts/watches/watch.ts";
import { watchMessages } from "../alerts/watches/watches.ts";
import { createAudit } from "../audit/audit.ts";
import { takeCheckpoints } from "../audit/checkpoints.ts";
import { checkpointMessages, checkpointSubject } from "../audit/posting.ts";
import type { Deliver } from "../audit/stream.ts";
import { auditTimers, startAudit } from "../audit/timers.ts";
import type { AppWith, CommandOutcome } from "../commands/app.ts";
import { markRejected } from "../members/access/access.ts";
import { createNameIndex, lastWrites } from "../members/access/name-index.ts";
import { createConnection } from "../members/identities/connection.ts";
import { createIdentities, sealAnew } from "../members/identities/identities.ts";
import { createWorkspaceSecrets } from "../members/identities/workspace.ts";
import { checkTurns } from "../members/people/rotations.ts";
import { whyLeftOut } from "../members/slack-user.ts";
import { stepBlocks } from "../messages/answers/answers.ts";
import { noticeMessages, noticeSubject } from "../messages/answers/notices.ts";
import type { Chat } from "../messages/chat/chat.ts";
import type { People } from "../messages/chat/people.ts";
import { createHomeNotes, type HomeNotes } from "../messages/home-notes.ts";
import { createOutbox, type NotificationSource } from "../messages/outbox.ts";
import { placeMessage } from "../messages/postman.ts";
import { createReply } from "../messages/reply.ts";
import { secretMessages, secretSubject, secretTimers } from "../messages/secrets.ts";
import type { Registry } from "../operation/registry.ts";
import type { AppContext } from "../operations/app-context.ts";
import { turnTimers } from "../operations/rackbell/turns.ts";
import { adminLinkTimers } from "../passkeys/admin-links.ts";
import { hasPasskey, type PasskeyMode, passkeySetup } from "../passkeys/passkeys.ts";
import { recoveryTimers } from "../passkeys/recovery.ts";
import { noteStart } from "../passkeys/start.ts";
import type { Platform } from "../platform/platform.ts";
import { followGroups, pinTimers } from "../policy/pins.ts";
import {
  endProtection,
  type PolicyApp,
  proposalSubject,
  proposalTimer,
  ruleChangeSubject,
  ruleDefaults,
} from "../policy/policy.ts";
import { advanceProposal, proposalMessages } from "../policy/proposals.ts";
import { responsibilityTimers } from "../policy/responsibility/responsibility.ts";
import { delegationMessages, delegationSubject } from "../requests/delegate.ts";
import { tightenAll } from "../requests/endings.ts";
import { membershipTimers, startMembershipChecks } from "../requests/leavers.ts";
import { requesterIn } from "../requests/lists.ts";
import { ruleChangeMessages } from "../requests/rule-changes.ts";
import { requestCounts, requestSubject, sealRequestsAnew } from "../requests/store.ts";
import { assembleRequests } from "../requests/timers.ts";
import type { ParseCommand } from "../requests/trial.ts";
import { readRequestWaiting } from "../requests/waiting.ts";
import type { Foundation } from "../storage/foundation.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { handleLanes } from "../storage/timers.ts";

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
  onInvoked: (command: string, outcome: CommandOutcome) => void;
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
  app: AppContext & AppWith<AppContext>;
  context: AppContext;
  homeNotes: HomeNotes;
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
  registry: Registry<AppContext>,
  options: RoomOptions,
): Rooms {
  const { store, clock, log } = foundation;
  const { approvals, panel, webhookUrl, linkMaxAgeMs, clockProblems } = options;
  const workspace = createWorkspaceSecrets(foundation);
  const identities = createIdentities({ foundation, platform, workspace });
  const connection = createConnection({ platform, identities, secrets: workspace, clock });
  const nameIndex = createNameIndex({
    lastWrites: store.keyv(lastWrites),
    clock,
    log,
    async isCurrent({ member, slackUser, api, keyId }) {
      const link = (await identities.links(member))[api];
      const isAccepted = link?.keyId === keyId && link.rejectedAt === null;
      return isAccepted && whyLeftOut(await people.person(slackUser)) === null;
    },
    noteError: (link, error) => markRejected({ identities }, link, error),
  });
  async function zoneOf(slackUser: string): Promise<string> {
    return (await people.person(slackUser)).zone;
  }
  const homeNotes = createHomeNotes();
  const reply = createReply({ chat, people, homeNotes, clock });
  const outbox = createOutbox({
    store,
    placeMessage: (placing) => placeMessage({ chat, people, reply, store }, placing),
    clock,
  });
  const audit = createAudit({ ...foundation, onEntry: options.onAudited });
  const policy: PolicyApp = {
    store,
    clock,
    audit,
    approvalDefaults: ruleDefaults(approvals.mode, options.passkeys.mode),
    holdsPasskey: ({ statement: { member }, credential }) => hasPasskey(requests, member, credential),
    async onRulesChanged() {
      await tightenAll(requests);
      await followGroups(foundation, null);
    },
  };
  const services = {
    ...foundation,
    ...policy,
    registry,
    identities,
    namedAdmins: options.admins,
    people,
    nameIndex,
    passkeys: passkeySetup(options.passkeys),
    audit,
    reply,
    zoneOf,
    linkMaxAgeMs,
    panel,
    agentsUrl: options.agentsUrl,
    onSigned: (error?: unknown) => secretUsed(foundation, error),
    ttl: approvals.ttl,
  };
  const assembled = assembleRequests(services, outbox);
  const { requests, causes } = assembled;
  const drift = createDrift({ platform, registry, clock, log });
  const context: AppContext & typeof services = {
    ...services,
    connection,
    outbox,
    requests,
    causes,
    drift,
    parse: options.parse,
    approvals,
    webhookUrl,
    clockProblems,
    auditRetentionMs: options.audit.retentionMs,
    deliverEntry: options.audit.deliver,
    productReads: { notBefore: 0 },
    deliveries: { since: clock.now(), outcomes: new Map() },
    requesterIn: (id, channel) => requesterIn(requests, id, channel),
    onGone: (id, why) => endProtection(requests, id, why),
    wakeFeed: createFeedTrigger(store.timers, { clock, log }),
  };
  // All that the rooms say by themselves.
  const sources: Record<string, NotificationSource> = {
    [secretSubject]: secretMessages(foundation),
    [checkpointSubject]: checkpointMessages(foundation, (steps) => stepBlocks(steps, registry.find)),
    [noticeSubject]: noticeMessages(context),
    [proposalSubject]: proposalMessages(context),
    [ruleChangeSubject]: ruleChangeMessages(requests),
    [delegationSubject]: delegationMessages(requests),
    [watchSubject]: watchMessages(context),
    [reportSubject]: reportMessages(context),
  };
  for (const [kind, source] of Object.entries(sources)) outbox.source(kind, source);
  registerAlertMessages(outbox, context);
  // All that the app does by itself, later: each room's lanes of timers with their handlers.
  const lanes: LaneHandlers[] = [
    outbox.timers,
    secretTimers(foundation),
    assembled.timers,
    alertTimers(context),
    responsibilityTimers(context, {
      [alertSubject]: (id) => readAlertWaiting(context, id),
      [requestSubject]: (id) => readRequestWaiting(requests, id),
    }),
    pollingTimers(context),
    { [watchTimer]: (timerId) => pollWatches(context, timerId) },
    { [reportTimer]: () => postWhenDue(context) },
    { [proposalTimer]: (timerId) => advanceProposal(context, timerId) },
    pinTimers(context),
    turnTimers(context),
    recoveryTimers(context),
    adminLinkTimers(context),
    membershipTimers(requests),
    auditTimers(context),
  ];
  for (const handlers of lanes) handleLanes(store.timers, handlers);
  return {
    app: { ...context, context, onInvoked: options.onInvoked },
    context,
    homeNotes,
    start() {
      assembled.start();
      noteStart(context).catch((error: unknown) =>
        log.error({ err: error }, "The change of PASSKEYS is not noted yet: the next start tries again"),
      );
      startAudit(context);
      startMembershipChecks(requests);
      // The feed posts what a crash left stored and unposted.
      context.wakeFeed();
      startPolling(context);
      checkTurns(context).catch((error: unknown) =>
        log.error({ err: error }, "It is not known who is on call now: the next start looks again"),
      );
      drift.start();
    },
    stop() {
      assembled.stop();
      nameIndex.stop();
      drift.stop();
    },
    async levels() {
      const [requests, undelivered] = await Promise.all([requestCounts(foundation), countUndelivered(context)]);
      const { working, ...open } = requests;
      return { requests: open, following: working, undelivered };
    },
    async sealAnew() {
      await takeCheckpoints(foundation);
      await sealRequestsAnew(requests);
      return sealAnew(identities, workspace);
    },
  };
}

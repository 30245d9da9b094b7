import type { Logger } from "pino";
import { createChat } from "./chat/chat.ts";
import { createPeople } from "./chat/people.ts";
import { type Clock, sleep, systemClock } from "./clock.ts";
import { type Config, ConfigFault } from "./config.ts";
import { createAccess } from "./engine/access.ts";
import { createAudit } from "./engine/audit.ts";
import { createDirectory } from "./engine/directory.ts";
import { createDrafts } from "./engine/drafts.ts";
import { createDrift } from "./engine/drift.ts";
import { createEngine } from "./engine/engine.ts";
import { createFollow } from "./engine/follow.ts";
import { createRegistry } from "./engine/registry.ts";
import { createReply } from "./engine/reply.ts";
import { createRequestChecks } from "./engine/request-checks.ts";
import { createRequestPlacing } from "./engine/request-placing.ts";
import { createRequestRun } from "./engine/request-run.ts";
import { createRequestStore } from "./engine/request-store.ts";
import { createRequests } from "./engine/requests.ts";
import { createSecrets } from "./engine/secrets.ts";
import { createSettings } from "./engine/settings.ts";
import { alive, metricsPage, ready } from "./health.ts";
import { createHttp, type Handler } from "./http.ts";
import { createIdentities } from "./identities/identities.ts";
import { scrub, slackLogger } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { operations } from "./operations/index.ts";
import { createPlatform } from "./platform/transport.ts";
import { createBolt } from "./slack/bolt.ts";
import { openDoor } from "./slack/door.ts";
import { createForms } from "./slack/forms.ts";
import { createPagedForms } from "./slack/pages.ts";
import { createWork, type WorkLimits } from "./slack/work.ts";
import { openStore } from "./storage/open.ts";
import { checkSealKey, createSeal } from "./storage/seal.ts";

export interface Running {
  /** The app's own HTTP listener. */
  url: string;
  /** Ends what runs, keeps what is stored for the next start. */
  stop(): Promise<void>;
}

/** What is running gets this long to end when the app stops. */
const drainLimit = 25_000;

/** Wires the rooms together, connects to Slack and listens. */
export async function startApp(options: {
  config: Config;
  log: Logger;
  clock?: Clock;
  metrics?: Metrics;
  /** How much runs at once and how much may wait, where it is not the usual. */
  work?: WorkLimits;
}): Promise<Running> {
  const { config, log, clock = systemClock, metrics = createMetrics() } = options;
  const store = await openStore({ url: config.storeUrl, clock, log });
  const { key, previous } = config.encryption;
  const seal = createSeal({ key, ...(previous ? { previous } : {}) });
  await checkSealKey(store.values("seal"), seal, log);

  const bolt = createBolt(config.slack, slackLogger(log));
  const { client } = bolt.app;
  const me = await client.auth.test().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "no reason";
    throw new ConfigFault([
      `SLACK_BOT_TOKEN or SLACK_API_URL: Slack did not answer as it should (${scrub(reason)}). Check that the token is the one of this workspace's installation, and that Slack can be reached.`,
    ]);
  });
  const team = me.team_id ?? "";
  const home = me.enterprise_id ?? team;

  const platform = createPlatform({
    url: config.platformUrl,
    clock,
    log,
    onCall: ({ route, status, error, ms }) =>
      metrics.platformCalled(route, String(status ?? error ?? "unknown"), ms / 1000),
  });
  const chat = createChat({ client, clock, log });
  const people = createPeople({ client, clock, team });
  const identities = createIdentities({ store, seal, platform, clock });
  const registry = createRegistry(operations);
  const access = createAccess({ people, identities, admins: config.admins });
  const directory = createDirectory({ clock, log });
  const reply = createReply({ chat, people, clock });
  const audit = createAudit({ store, clock, onEntry: metrics.audited });
  const secrets = createSecrets({ store, seal, chat });
  const settings = createSettings(store);
  const follow = createFollow({ store, chat, access, registry, clock, log });
  const requestStore = createRequestStore({ store, seal, clock });
  const requestRun = createRequestRun({
    requests: requestStore,
    registry,
    access,
    reply,
    chat,
    follow,
    audit,
    secrets,
    clock,
    log,
    listing: (session, kind) => directory.listing(session.actor.member, session.client, kind),
  });
  const placing = createRequestPlacing({
    requests: requestStore,
    chat,
    people,
    reply,
    identities,
    settings,
    clock,
    ...config.approvals,
  });
  const requests = createRequests({
    requests: requestStore,
    run: requestRun,
    placing,
    checks: createRequestChecks({ access, identities, run: requestRun, clock }),
    registry,
    access,
    reply,
    clock,
    wakeups: store.wakeups,
    instance: store.instance,
  });
  const drift = createDrift({ platform, registry, clock, log });
  const { approvals } = config;
  const services = { registry, identities, access, directory, requests, follow, audit, settings, drift, approvals };
  const engine = createEngine({
    registry,
    access,
    identities,
    directory,
    requests,
    follow,
    audit,
    secrets,
    services,
    reply,
    inFlight: store.ephemeral("in-flight"),
    clock,
    log,
    onInvoked: metrics.commandRun,
  });
  const work = createWork(options.work);
  const forms = createForms({ registry, access, directory, engine, chat, reply, clock, log });
  const drafts = createDrafts({ store, seal, clock });
  const pagedForms = createPagedForms({ registry, access, directory, drafts, engine, chat, reply, clock, log });
  openDoor(bolt.app, {
    engine,
    services,
    secrets,
    forms,
    pagedForms,
    chat,
    people,
    reply,
    work,
    clock,
    log,
    home,
    onAcknowledged: metrics.acknowledged,
  });

  const routes: Record<string, Handler> = {
    "GET /healthz": alive,
    "GET /readyz": ready({
      checks: {
        storage: () => store.ready(),
        slack: async () => (bolt.connected() ? [] : ["Slack is not connected."]),
      },
      clock,
      log,
    }),
    "GET /metrics": metricsPage({
      registry: metrics.registry,
      collect: async () => {
        metrics.queueDepth("work", work.depth());
        metrics.queueDepth("chat", chat.waiting());
        metrics.operationsWithoutRoute(drift.last()?.missing.length ?? 0);
        metrics.followUpsRunning((await follow.running()).length);
      },
      ...(config.metricsToken ? { token: config.metricsToken } : {}),
    }),
    ...(bolt.events ? { "POST /slack/events": bolt.events } : {}),
  };
  const http = await createHttp({ host: config.host, port: config.port, routes, log });
  await store.wakeups.start();
  await bolt.start();
  drift.start();
  log.info({ url: http.url, mode: config.slack.mode }, "Rackbell is ready");

  async function drain(): Promise<void> {
    await bolt.stop();
    await http.close();
    await work.drained();
    await store.wakeups.stop();
    directory.stop();
    drift.stop();
    await platform.close();
  }

  return {
    url: http.url,
    async stop() {
      log.info("Rackbell is stopping");
      await Promise.race([drain(), sleep(systemClock, drainLimit)]);
      await store.close();
    },
  };
}

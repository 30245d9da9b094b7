import type { WebClient } from "@slack/web-api";
import type { Logger } from "pino";
import { createChat } from "./chat/chat.ts";
import { SlackRefused } from "./chat/errors.ts";
import { createSlackFetch } from "./chat/fetch.ts";
import { createPeople, type Workspace } from "./chat/people.ts";
import { createWire } from "./chat/wire.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createClockSkew } from "./clock-skew.ts";
import { type Config, ConfigError } from "./config.ts";
import { drain } from "./drain.ts";
import { createAccess } from "./engine/access.ts";
import { createReply } from "./engine/answers/reply.ts";
import type { AppContext } from "./engine/app-context.ts";
import { createBinder } from "./engine/bound.ts";
import { createChange } from "./engine/change.ts";
import { createDirectory } from "./engine/directory.ts";
import { createDrift } from "./engine/drift.ts";
import { createGuard } from "./engine/guard.ts";
import { createInvoke } from "./engine/invoke.ts";
import { createFollow } from "./engine/jobs/follow.ts";
import { createAudit } from "./engine/records/audit.ts";
import { createDrafts } from "./engine/records/drafts.ts";
import { createSecrets } from "./engine/records/secrets.ts";
import { createSettings } from "./engine/records/settings.ts";
import { createRequestChecks } from "./engine/requests/checks.ts";
import { createRequestPosting } from "./engine/requests/create.ts";
import { createRequests } from "./engine/requests/requests.ts";
import { createRequestRun } from "./engine/requests/run.ts";
import { createRequestStore } from "./engine/requests/store.ts";
import { alive, metricsPage, ready } from "./health.ts";
import { createHttp, type Handler } from "./http.ts";
import { createIdentities } from "./identities/identities.ts";
import { createWorkspaceSecrets } from "./identities/workspace.ts";
import { scrub, slackLogger } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createRegistry } from "./operation/registry.ts";
import { operations } from "./operations/index.ts";
import { createPlatform } from "./platform/platform.ts";
import { createBolt } from "./slack/bolt.ts";
import { createDispatch } from "./slack/dispatch.ts";
import { createForms } from "./slack/forms/form.ts";
import { createWizardForms } from "./slack/forms/wizard.ts";
import { createWizardPages } from "./slack/forms/wizard-pages.ts";
import { registerListeners } from "./slack/listeners/listeners.ts";
import { createQueue, type QueueLimits } from "./slack/queue.ts";
import { takeOnlyFrom } from "./slack/receivers/own-workspace.ts";
import { openStore } from "./storage/open.ts";
import { checkSealKey, createSeal } from "./storage/seal.ts";

export interface Running {
  /** The app's own HTTP listener. */
  url: string;
  /** Ends what runs, keeps what is stored for the next start. */
  stop(): Promise<void>;
}

/** Wires the rooms together, connects to Slack and listens. */
export async function startApp(options: {
  config: Config;
  log: Logger;
  clock?: Clock;
  metrics?: Metrics;
  /** How much runs at once and how much may wait, where it is not the usual. */
  work?: QueueLimits;
}): Promise<Running> {
  const { config, log, clock = systemClock, metrics = createMetrics() } = options;
  const store = await openStore({ url: config.storeUrl, clock, log });
  const { key, previous } = config.encryption;
  const seal = createSeal({ key, ...(previous ? { previous } : {}) });
  await checkSealKey(store.values("seal"), seal);

  const skew = createClockSkew(clock);
  const wire = createWire({ clock, onDate: (date, tookMs) => skew.learn("slack", date, tookMs) });
  const bolt = createBolt(config.slack, {
    fetch: createSlackFetch({ wire, clock }),
    clock,
    log,
    slackLogger: slackLogger(log),
    onRefused: metrics.slackRequestRefused,
  });
  const { client } = bolt.app;
  const installedIn = await whoWeAre(client);
  takeOnlyFrom(installedIn, bolt.app);

  const platform = createPlatform({
    url: config.platformUrl,
    clock,
    log,
    onCall: ({ api, route, status, error, ms }) =>
      metrics.platformCalled(api, route, String(status ?? error ?? "unknown"), ms / 1000),
  });
  const chat = createChat({ client, wire, clock, log });
  const people = createPeople({ client, clock, log, workspace: installedIn });
  const workspace = createWorkspaceSecrets({ store, seal });
  const identities = createIdentities({ store, seal, platform, workspace, clock });
  const registry = createRegistry(operations);
  const access = createAccess({ people, identities, admins: config.admins });
  const directory = createDirectory({ clock, log });
  const binder = createBinder({ access, directory, registry });
  const reply = createReply({ chat, people, clock });
  const audit = createAudit({ store, clock, onEntry: metrics.audited });
  const secrets = createSecrets({ store, seal, chat });
  const settings = createSettings(store);
  const follow = createFollow({ store, chat, access, binder, registry, clock, log });
  const requestStore = createRequestStore({ store, seal, clock });
  const requestRun = createRequestRun({
    requests: requestStore,
    registry,
    access,
    binder,
    reply,
    chat,
    follow,
    audit,
    secrets,
    clock,
    log,
  });
  const placing = createRequestPosting({
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
    checks: createRequestChecks({ access, binder, identities, run: requestRun, clock }),
    registry,
    access,
    reply,
    clock,
    wakeups: store.wakeups,
    instance: store.instance,
  });
  const drift = createDrift({ platform, registry, clock, log });
  const { approvals } = config;
  const context: AppContext = { registry, identities, access, requests, follow, audit, settings, drift, approvals };
  const guard = createGuard({ access, registry, reply, clock, log });
  const inFlight = store.values("in-flight");
  const change = createChange({ registry, requests, follow, audit, secrets, reply, inFlight, clock, log });
  const invoke = createInvoke({
    registry,
    access,
    binder,
    identities,
    guard,
    change,
    context,
    reply,
    clock,
    onInvoked: metrics.commandRun,
  });
  const queue = createQueue(options.work);
  const forms = createForms({ registry, access, binder, invoke, chat, reply, clock, log });
  const drafts = createDrafts({ store, seal, clock });
  const pages = createWizardPages({ access, binder, drafts, chat, clock, log });
  const wizardForms = createWizardForms({ registry, pages, invoke, guard, chat, reply });
  const openers = { plain: forms, wizard: wizardForms };
  registerListeners(bolt.app, {
    context,
    dispatch: createDispatch({ registry, invoke, guard, forms: openers, reply, queue }),
    guard,
    forms,
    wizardForms,
    secrets,
    chat,
    people,
    queue,
    clock,
    log,
    home: installedIn.enterprise ?? installedIn.team,
    onAcknowledged: metrics.acknowledged,
  });

  let stopping = false;
  const routes: Record<string, Handler> = {
    "GET /healthz": alive,
    "GET /readyz": ready({
      checks: {
        storage: () => store.ready(),
        slack: async () => (stopping ? ["Rackbell is stopping."] : bolt.problems()),
      },
      notes: skew.problems,
      clock,
      log,
    }),
    "GET /metrics": metricsPage({
      registry: metrics.registry,
      collect: async () => {
        metrics.queueDepth("work", queue.depth());
        metrics.queueDepth("chat", chat.waiting());
        metrics.operationsWithoutRoute(drift.last()?.missing.length ?? 0);
        metrics.followUpsRunning((await follow.running()).length);
      },
      ...(config.metricsToken ? { token: config.metricsToken } : {}),
    }),
    ...(bolt.events ? { "POST /slack/events": bolt.events } : {}),
  };
  const http = await createHttp({ host: config.host, port: config.port, routes, log });
  await bolt.start().catch(refusedToken);
  await store.wakeups.start();
  drift.start();
  log.info({ url: http.url, mode: config.slack.mode }, "Rackbell is ready");

  async function finish(): Promise<void> {
    directory.stop();
    drift.stop();
    await bolt.stop();
    await Promise.all([queue.onIdle(), store.wakeups.stop()]);
    await platform.close();
  }

  async function close(): Promise<void> {
    // The listener is the last to go: until here it tells Slack to come again, and whoever asks that the app is stopping.
    await Promise.all([http.close(), wire.close(), store.close()]);
  }

  return {
    url: http.url,
    async stop() {
      log.info("Rackbell is stopping");
      stopping = true;
      await drain({
        clock,
        graceMs: config.stopGraceMs,
        finish,
        interrupt: chat.stop,
        close,
        onLeft: (part, err) =>
          log.warn({ part, err }, "A stop does not wait for what has not ended; the next start goes on with it"),
      });
    },
  };
}

/** The workspace that the bot token belongs to. */
async function whoWeAre(client: WebClient): Promise<Workspace> {
  const me = await client.auth.test().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "no reason";
    throw new ConfigError([
      `SLACK_BOT_TOKEN or SLACK_API_URL: Slack did not answer as it should (${scrub(reason)}). Check that the token is the one of this workspace's installation, and that Slack can be reached.`,
    ]);
  });
  if (!me.team_id) {
    throw new ConfigError(["SLACK_BOT_TOKEN belongs to no workspace: install the app to one, and copy its token."]);
  }
  return { team: me.team_id, enterprise: me.enterprise_id ?? null };
}

function refusedToken(error: unknown): never {
  if (!(error instanceof SlackRefused)) throw error;
  throw new ConfigError([
    `SLACK_APP_TOKEN: Slack refused it (${error.reason}). Make an app-level token with connections:write on the Slack app's Basic Information page; it begins with xapp-.`,
  ]);
}

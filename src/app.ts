import type { Logger } from "pino";
import { createChat } from "./chat/chat.ts";
import { createPeople } from "./chat/people.ts";
import { type Clock, sleep, systemClock } from "./clock.ts";
import { type Config, ConfigError } from "./config.ts";
import { createEngine, type Engine, type Reach } from "./engine/engine.ts";
import type { Foundation } from "./engine/foundation.ts";
import { alive, metricsPage, ready } from "./health.ts";
import { createHttp, type Handler } from "./http.ts";
import { scrub, slackLogger } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { operations } from "./operations/index.ts";
import { createPlatform } from "./platform/platform.ts";
import { type Bolt, createBolt } from "./slack/bolt.ts";
import { createDispatch } from "./slack/dispatch.ts";
import { createForms } from "./slack/forms/form.ts";
import { createWizardForms } from "./slack/forms/wizard.ts";
import { createWizardModal } from "./slack/forms/wizard-modal.ts";
import { createWizardPages } from "./slack/forms/wizard-pages.ts";
import { registerListeners } from "./slack/listeners/listeners.ts";
import { createQueue, type QueueLimits, type WorkQueue } from "./slack/queue.ts";
import { openStore } from "./storage/open.ts";
import { checkSealKey, createSeal } from "./storage/seal.ts";
import type { Store } from "./storage/store.ts";

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
  work?: QueueLimits;
}): Promise<Running> {
  const { config, log, clock = systemClock, metrics = createMetrics() } = options;
  const foundation = await layFoundation(config, clock, log);
  const { store } = foundation;
  const bolt = createBolt(config.slack, slackLogger(log));
  const { team, home } = await askWhoWeAre(bolt);
  const reach = createReach(bolt, { config, team, metrics, clock, log });
  const { admins, approvals } = config;
  const engine = createEngine(foundation, reach, operations, {
    ...{ admins, approvals, onInvoked: metrics.commandRun, onAudited: metrics.audited },
  });
  const queue = createQueue(options.work);
  openDoors(bolt, { engine, foundation, reach, queue, home, onAcknowledged: metrics.acknowledged });

  const routes = routesOf({ bolt, engine, store, reach, queue, metrics, config, clock, log });
  const http = await createHttp({ host: config.host, port: config.port, routes, log });
  await store.wakeups.start();
  engine.start();
  await bolt.start();
  log.info({ url: http.url, mode: config.slack.mode }, "Rackbell is ready");

  async function drain(): Promise<void> {
    await bolt.stop();
    await http.close();
    await queue.onIdle();
    engine.stop();
    await store.wakeups.stop();
    await reach.platform.close();
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

async function layFoundation(config: Config, clock: Clock, log: Logger): Promise<Foundation> {
  const store = await openStore({ url: config.storeUrl, clock, log });
  const { key, previous } = config.encryption;
  const seal = createSeal({ key, ...(previous ? { previous } : {}) });
  await checkSealKey(store.values("seal"), seal, log);
  return { store, seal, clock, log };
}

/** The workspace that the token belongs to, and what its members are keyed by: the enterprise, or the team. */
async function askWhoWeAre({ app }: Bolt): Promise<{ team: string; home: string }> {
  const me = await app.client.auth.test().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "no reason";
    throw new ConfigError([
      `SLACK_BOT_TOKEN or SLACK_API_URL: Slack did not answer as it should (${scrub(reason)}). Check that the token is the one of this workspace's installation, and that Slack can be reached.`,
    ]);
  });
  const team = me.team_id ?? "";
  return { team, home: me.enterprise_id ?? team };
}

function createReach(
  { app: { client } }: Bolt,
  { config, team, metrics, clock, log }: { config: Config; team: string; metrics: Metrics; clock: Clock; log: Logger },
): Reach {
  const platform = createPlatform({
    url: config.platformUrl,
    clock,
    log,
    onCall: ({ api, route, status, error, ms }) =>
      metrics.platformCalled(api, route, String(status ?? error ?? "unknown"), ms / 1000),
  });
  return { platform, chat: createChat({ client, clock, log }), people: createPeople({ client, clock, team }) };
}

function openDoors(
  bolt: Bolt,
  {
    engine,
    foundation,
    reach,
    queue,
    ...rest
  }: {
    engine: Engine;
    foundation: Foundation;
    reach: Reach;
    queue: WorkQueue;
    home: string;
    onAcknowledged: (seconds: number) => void;
  },
): void {
  const { clock, log } = foundation;
  const { chat, people } = reach;
  const { registry, access, binder, drafts, invoke, guard, reply, secrets, context } = engine;
  const forms = createForms({ registry, access, binder, invoke, chat, reply, clock, log });
  const modal = createWizardModal({ chat, clock, log });
  const pages = createWizardPages({ access, binder, drafts, chat, modal });
  const wizardForms = createWizardForms({ registry, pages, invoke, guard, chat, reply });
  const openers = { plain: forms, wizard: wizardForms };
  const dispatch = createDispatch({ registry, invoke, guard, forms: openers, reply, queue });
  registerListeners(bolt.app, {
    ...{ context, dispatch, guard, forms, wizardForms, secrets, chat, people, queue, clock, log },
    ...rest,
  });
}

function routesOf(parts: {
  bolt: Bolt;
  engine: Engine;
  store: Store;
  reach: Reach;
  queue: WorkQueue;
  metrics: Metrics;
  config: Config;
  clock: Clock;
  log: Logger;
}): Record<string, Handler> {
  const { bolt, engine, store, reach, queue, metrics, config, clock, log } = parts;
  const checks = {
    storage: () => store.ready(),
    slack: async () => (bolt.connected() ? [] : ["Slack is not connected."]),
  };
  async function collect(): Promise<void> {
    metrics.queueDepth("work", queue.depth());
    metrics.queueDepth("chat", reach.chat.waiting());
    metrics.operationsWithoutRoute(engine.context.drift.last()?.missing.length ?? 0);
    metrics.followUpsRunning(await engine.following());
  }
  const token = config.metricsToken ? { token: config.metricsToken } : {};
  return {
    "GET /healthz": alive,
    "GET /readyz": ready({ checks, clock, log }),
    "GET /metrics": metricsPage({ registry: metrics.registry, collect, ...token }),
    ...(bolt.events ? { "POST /slack/events": bolt.events } : {}),
  };
}

import type { Logger } from "pino";
import { createSignatureMonitor } from "../alerts/notices.ts";
import { connectionGreeted, connectionProblem } from "../alerts/slack-connections.ts";
import { socketProblem, startSocketCheck } from "../alerts/socket-check.ts";
import { createResellerWebhook } from "../alerts/webhooks/reseller.ts";
import { createCollector, streamProblem } from "../audit/stream.ts";
import { SlackRefused } from "../messages/chat/errors.ts";
import type { Workspace } from "../messages/chat/people.ts";
import { createSlackFetch, createWire } from "../messages/chat/wire.ts";
import { notificationLane } from "../messages/outbox.ts";
import { registry } from "../operations/index.ts";
import { deadWords } from "../passkeys/start.ts";
import { type Clock, systemClock } from "../process/clock.ts";
import { type ClockSkew, createClockSkew } from "../process/clock-skew.ts";
import { drain } from "../process/drain.ts";
import { alive, metricsPage, ready } from "../process/health.ts";
import { createHttp, type Handler } from "../process/http.ts";
import { createIntake } from "../process/intake.ts";
import { slackLogger } from "../process/log.ts";
import { createMetrics, type Metrics } from "../process/metrics.ts";
import { createSigner } from "../process/signer.ts";
import { sayLost } from "../requests/state-answers.ts";
import { type Bolt, createBolt } from "../slack/bolt.ts";
import { parseCommand } from "../slack/command/parse.ts";
import { registerListeners } from "../slack/listeners/listeners.ts";
import { createPendingActs, type PendingActs } from "../slack/pending-acts.ts";
import { createQueue, type QueueLimits, type WorkQueue } from "../slack/queue.ts";
import { takeOnlyFrom } from "../slack/receivers/own-workspace.ts";
import type { Hello } from "../slack/receivers/socket-receiver.ts";
import type { SlackApp } from "../slack/slack-app.ts";
import { checkForms, noteForms } from "../storage/forms.ts";
import type { Foundation } from "../storage/foundation.ts";
import { openStore } from "../storage/open.ts";
import { checkSealKey, createSeal } from "../storage/seal.ts";
import type { Store } from "../storage/store.ts";
import { escapeText } from "../views/text.ts";
import type { ServeAgent } from "../web/mcp/endpoint.ts";
import { type Config, ConfigError } from "./config.ts";
import { createLevels } from "./levels.ts";
import { createReach, readWorkspace } from "./reach.ts";
import { createRooms, type Reach, type Rooms } from "./rooms.ts";

export interface Running {
  /** The app's own HTTP listener. */
  url: string;
  /** Stops the work in progress and closes the store. The next start continues what is stored. */
  stop(): Promise<void>;
}

/** Wires the rooms together, connects to Slack and listens. */
export async function startApp(options: {
  config: Config;
  log: Logger;
  clock?: Clock;
  metrics?: Metrics;
  /** The store of `config.storeUrl`, if the caller is opening it already. */
  opening?: Promise<Store>;
  /** Limits of the work queue; the usual ones if absent. */
  work?: QueueLimits;
  /** The server of an agent's call; the product's own if absent. */
  serveAgent?: ServeAgent;
}): Promise<Running> {
  const { config, log, clock = systemClock, metrics = createMetrics() } = options;
  const { opening = openStore({ url: config.storeUrl, prefix: config.storePrefix, clock, log }) } = options;
  const skew = createClockSkew(clock);
  const wire = createWire({ clock, onDate: (date, tookMs) => skew.addSample("slack", date, tookMs) });
  const intake = createIntake({ clock });
  const bolt = createBolt(config.slack, {
    intake,
    fetch: createSlackFetch({ wire }),
    clock,
    log,
    slackLogger: slackLogger(log),
    onRefused: (kind) => metrics.slackRequestsRefused.inc({ kind }),
    onHello: (hello) => noteHello(hello),
  });
  let noteHello = (_hello: Hello): void => {};
  // Both take a round trip: `auth.test` runs while the store opens.
  const [foundation, { workspace, appUser, takesFiles, readsQuiet }] = await Promise.all([
    opening.then((store) => createFoundation(config, store, clock, log)),
    readWorkspace(bolt),
  ]);
  const { store } = foundation;
  takeOnlyFrom(workspace, bolt.app);
  const reach = createReach(bolt, {
    store,
    config,
    workspace,
    takesFiles,
    readsQuiet,
    wire,
    skew,
    metrics,
    clock,
    log,
  });
  const { admins, approvals, panel } = config;
  const agentsUrl = config.agents && config.publicUrl !== undefined ? `${config.publicUrl}/mcp` : null;
  const collector = config.audit.collector ? createCollector({ ...config.audit.collector, clock }) : null;
  const rooms = createRooms(foundation, reach, registry, {
    // Slack escapes what members type in a command; this text was read from it, or comes from a form.
    parse: (registry, text) => parseCommand(registry, "rackbell", escapeText(text)),
    admins,
    approvals,
    panel,
    webhookUrl: config.publicUrl === undefined ? null : `${config.publicUrl}${webhookPath(workspace)}`,
    agentsUrl,
    passkeys: { mode: config.passkeys, publicUrl: config.publicUrl, workspace: workspace.team },
    linkMaxAgeMs: config.linkMaxAgeMs ?? null,
    audit: { retentionMs: config.audit.retentionMs, deliver: collector?.deliver ?? null },
    clockProblems: skew.problems,
    onInvoked: (command, outcome) => metrics.commands.inc({ command, outcome }),
    onAudited: (what) => metrics.auditEntries.inc({ what }),
  });
  const queue = createQueue(options.work, clock, (err) => log.error({ err }, "A queued task let out an error"));
  const home = workspace.enterprise ?? workspace.team;
  const { app, homeNotes } = rooms;
  const { chat, people } = reach;
  const pendingActs = connectSlack(
    bolt,
    { ...app, chat, people, homeNotes, queue },
    { home, appUser, onAcknowledged: (seconds) => metrics.acknowledgement.observe(seconds) },
  );

  noteHello = (hello) => {
    connectionGreeted(rooms.context, hello).catch((error: unknown) =>
      log.warn({ err: error }, "The connections that Slack counts could not be noted"),
    );
  };
  let stopping = false;
  async function problems(): Promise<string[]> {
    if (stopping) return ["Rackbell is stopping."];
    const check = bolt.socket ? await socketProblem({ store, clock }).catch(() => null) : null;
    return [...bolt.problems(), ...(check?.deaf ? [check.text] : [])];
  }
  const { connection, deliveries, wakeFeed } = rooms.context;
  // Loaded only if it is used: the protocol's library costs a tenth of the start.
  const mcp =
    agentsUrl === null
      ? null
      : (await import("../web/mcp/endpoint.ts")).createMcpEndpoint(rooms.app, {
          url: agentsUrl,
          intake,
          ...(options.serveAgent && { serve: options.serveAgent }),
        });
  const { passkeys } = rooms.context;
  const pages =
    passkeys.mode !== "off" && passkeys.site
      ? (await import("../web/passkeys/pages.ts")).createPages({
          ...rooms.app,
          site: passkeys.site,
          intake,
        })
      : {};
  const routes = {
    ...pages,
    ...routesOf({ bolt, rooms, store, reach, queue, metrics, config, clock, log, skew, problems }),
    ...(mcp ? { "POST /mcp": mcp.handle } : {}),
    [`POST ${webhookPath(workspace)}`]: createResellerWebhook({
      connection,
      store,
      intake,
      wakeFeed,
      clock,
      log,
      onSignature: createSignatureMonitor(rooms.context),
      onDelivery(outcome) {
        metrics.deliveries.inc({ outcome });
        deliveries.outcomes.set(outcome, (deliveries.outcomes.get(outcome) ?? 0) + 1);
      },
    }),
  };
  const http = await createHttp({ host: config.host, port: config.port, routes, log }).catch(cannotListen(config));
  await bolt.start().catch(refusedToken);
  await store.timers.start();
  rooms.start();
  pendingActs.start();
  const { socket } = bolt;
  const stopCheck = socket && config.socketCheck ? startSocketCheck({ ...rooms.context, chat, socket }) : () => {};
  log.info({ url: http.url, mode: config.slack.mode }, "Rackbell is ready");
  if (config.encryption.previous) finishRotation(rooms, log);

  async function finish(): Promise<void> {
    rooms.stop();
    pendingActs.stop();
    stopCheck();
    await bolt.stop();
    // A page's request decides while it is answered.
    await Promise.all([queue.onIdle(), http.settled(), mcp?.close(), store.timers.stop([notificationLane])]);
    // Notifications go last: work that ended during the stop notifies its requester now, not after the next start.
    await store.timers.settled(notificationLane);
    await store.timers.stop();
    await reach.platform.close();
  }

  async function close(): Promise<void> {
    // The listener closes last: until then Slack gets the answer to retry, and `/readyz` says that the app is stopping.
    await Promise.all([http.close(), wire.close(), store.close(), collector?.close()]);
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
        interrupt: reach.chat.stop,
        close,
        onLeft: (part, err) =>
          log.warn({ part, err }, "A stop does not wait for what has not ended; the next start goes on with it"),
      });
    },
  };
}

/** The path for the supplier's webhooks; each workspace has its own. */
function webhookPath({ team }: Workspace): string {
  return `/webhooks/reseller/${team}`;
}

/** Seals all that lasts with the new encryption key. A day later the operator can remove the previous one. */
function finishRotation(rooms: Rooms, log: Logger): void {
  rooms.sealAnew().then(
    (members) =>
      log.info(
        { members },
        "All linked keys are sealed with the new ENCRYPTION_KEY, and so are all requests. Take ENCRYPTION_KEY_PREVIOUS out once a day has passed: one-time secrets and last commands may still need it until then",
      ),
    (error: unknown) =>
      log.error(
        { err: error },
        "Not all linked keys and requests could be sealed with the new ENCRYPTION_KEY; keep ENCRYPTION_KEY_PREVIOUS and restart",
      ),
  );
}

async function createFoundation(config: Config, store: Store, clock: Clock, log: Logger): Promise<Foundation> {
  const seal = createSeal(config.encryption);
  await checkForms(store);
  await checkSealKey(store, seal);
  await noteForms(store);
  return { store, seal, signer: createSigner(config.encryption, "audit record"), clock, log };
}

/** Turns the common listen errors into a ConfigError that names the variable to mend. */
function cannotListen({ host, port }: Pick<Config, "host" | "port">): (error: unknown) => never {
  const reasons = new Map([
    ["EADDRINUSE", `PORT: another process listens on port ${port} of ${host} already. Stop it, or set another port.`],
    ["EACCES", `PORT: this user may not listen on port ${port}. Set one above 1023.`],
    ["ENOTFOUND", `HOST: no address was found for ${host}. Set one of this machine's own, or 0.0.0.0.`],
    ["EAI_AGAIN", `HOST: no address was found for ${host}. Set one of this machine's own, or 0.0.0.0.`],
    ["EADDRNOTAVAIL", `HOST: this machine does not have the address ${host}. Set one of its own, or 0.0.0.0.`],
  ]);
  return (error) => {
    const reason = error instanceof Error && "code" in error ? reasons.get(String(error.code)) : undefined;
    throw reason === undefined ? error : new ConfigError([reason]);
  };
}

function refusedToken(error: unknown): never {
  if (!(error instanceof SlackRefused)) throw error;
  throw new ConfigError([
    `SLACK_APP_TOKEN: Slack refused it (${error.reason}). Make an app-level token with connections:write on the Slack app's Basic Information page; it begins with xapp-.`,
  ]);
}

function connectSlack(
  bolt: Bolt,
  app: SlackApp,
  options: { home: string; appUser: string; onAcknowledged: (seconds: number) => void },
): PendingActs {
  const { store, reply, clock, log } = app;
  const pendingActs = createPendingActs({
    store,
    reply,
    sayLost: (request, origin, lead) => sayLost(app.requests, request, origin, lead),
    clock,
    log,
  });
  registerListeners(bolt.app, app, { ...options, pendingActs });
  return pendingActs;
}

function routesOf(parts: {
  bolt: Bolt;
  rooms: Rooms;
  store: Store;
  reach: Reach;
  queue: WorkQueue;
  metrics: Metrics;
  config: Config;
  clock: Clock;
  log: Logger;
  skew: ClockSkew;
  /** Problems that keep Slack from reaching the app, one sentence each. */
  problems: () => Promise<string[]>;
}): Record<string, Handler> {
  const { bolt, rooms, store, reach, queue, metrics, config, clock, log, skew, problems } = parts;
  const checks = { storage: () => store.ready(), slack: problems };
  const collect = createLevels({ metrics, rooms, store, queue, ...reach, clock, log });
  async function notes(): Promise<string[]> {
    const unsent = await streamProblem(rooms.context, "text").catch(() => null);
    const dead = await deadWords(rooms.context).catch(() => null);
    const ghosts = await connectionProblem(rooms.context).catch(() => null);
    const check = bolt.socket ? await socketProblem({ store, clock }).catch(() => null) : null;
    const lost = check && !check.deaf ? check.text : null;
    const site = config.passkeys === "off" ? null : rooms.context.passkeys.problem;
    return [
      ...skew.problems(),
      ...store.weaknesses(),
      ...[unsent, dead, ghosts, lost, site].filter((note) => note !== null),
    ];
  }
  return {
    "GET /healthz": alive,
    "GET /readyz": ready({ checks, notes, clock, log }),
    "GET /metrics": metricsPage({ registry: metrics.registry, collect, token: config.metricsToken }),
    ...(bolt.events ? { "POST /slack/events": bolt.events } : {}),
  };
}

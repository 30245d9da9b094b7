import { access, constants, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type FetchFunction, LogLevel, WebClient } from "@slack/web-api";
import type { Logger } from "pino";
import { connectionProblem } from "../../alerts/slack-connections.ts";
import { createSlackFetch, createWire } from "../../messages/chat/wire.ts";
import { readOpenApi } from "../../platform/http/openapi.ts";
import { createPlatform, type Platform } from "../../platform/platform.ts";
import type { Clock } from "../../process/clock.ts";
import { createClockSkew } from "../../process/clock-skew.ts";
import { scrub } from "../../process/log.ts";
import { botScopes } from "../../slack/manifest.ts";
import { StorageError } from "../../storage/errors.ts";
import { openStore } from "../../storage/open.ts";
import { createSeal, openProof } from "../../storage/seal.ts";
import { isInUse } from "../../storage/sqlite/failures.ts";
import type { Store } from "../../storage/store.ts";
import { type Config, ConfigError, readConfig, type SlackConfig } from "../config.ts";

/** The result of one check, as a line for the operator. */
interface Finding {
  about: "variables" | "Slack" | "platform" | "store" | "clock";
  fine: boolean;
  /** The fact, or the problem with its remedy. */
  says: string;
}

/** The reason of an error, as the end of a sentence without its full stop. */
function failureReason(error: unknown): string {
  return scrub(error instanceof Error ? error.message : "no reason was given").replace(/\.$/, "");
}

/**
 * Checks the variables, and if they are complete Slack, the platform, the store and the clock. A problem becomes a finding, not an error.
 */
export async function diagnose(
  env: Record<string, string | undefined>,
  tools: { clock: Clock; log: Logger },
): Promise<Finding[]> {
  const config = configOf(env);
  if (config instanceof ConfigError) {
    return config.faults.map((says) => ({ about: "variables", fine: false, says }));
  }
  const store = await checkStore(config, tools);
  return [
    { about: "variables", fine: true, says: "all required variables are set" },
    ...(await overNetwork(config, tools)),
    ...store,
  ];
}

function configOf(env: Record<string, string | undefined>): Config | ConfigError {
  try {
    return readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

async function overNetwork(config: Config, { clock, log }: { clock: Clock; log: Logger }): Promise<Finding[]> {
  const skew = createClockSkew(clock);
  const wire = createWire({ clock, onDate: (date, tookMs) => skew.addSample("slack", date, tookMs) });
  const platform = createPlatform({
    url: config.platformUrl,
    clock,
    log,
    onDate: (date, tookMs) => skew.addSample("platform", date, tookMs),
  });
  try {
    const found = await Promise.all([checkSlack(config.slack, createSlackFetch({ wire })), checkPlatform(platform)]);
    return [...found.flat(), ...clockFindings(skew)];
  } finally {
    await Promise.all([wire.close(), platform.close()]);
  }
}

/** Checks that the platform answers at PLATFORM_URL, by its public list of routes. */
async function checkPlatform(platform: Platform): Promise<Finding> {
  try {
    const { paths } = await readOpenApi(platform.anonymous("customer"));
    const says = `answers at ${platform.url}, and lists ${Object.keys(paths).length} routes`;
    return { about: "platform", fine: true, says };
  } catch (error) {
    const says = `PLATFORM_URL: ${failureReason(error)}. PLATFORM_URL must be the API's root. Open ${platform.url}/openapi.json in a browser: if the address is right, the page lists the API's routes.`;
    return { about: "platform", fine: false, says };
  }
}

function clockFindings({ problems, clockSkew }: ReturnType<typeof createClockSkew>): Finding[] {
  const wrong = problems();
  if (wrong.length > 0) return wrong.map((says) => ({ about: "clock", fine: false, says }));
  const wasMeasured = Object.keys(clockSkew()).length > 0;
  const says = wasMeasured
    ? "right: it agrees with the time of Slack and of the platform"
    : "neither Slack nor the platform reported its time, so the clock was not checked";
  return [{ about: "clock", fine: wasMeasured, says }];
}

/** Checks that Slack accepts the tokens, and that the installation has the scopes of this version's manifest. */
async function checkSlack(slack: SlackConfig, fetch: FetchFunction): Promise<Finding[]> {
  const client = new WebClient(slack.botToken, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
    fetch,
  });
  const installed = await checkInstallation(client);
  return [...installed, await checkConnection(client, slack)];
}

const pasteAnew =
  "paste this version's manifest.json under App Manifest at api.slack.com/apps, then reinstall the app to the workspace.";
const grantThem = "To grant them, reinstall the app to the workspace, and restart Rackbell";

function slackFinding(fine: boolean, says: string): Finding {
  return { about: "Slack", fine, says };
}

async function checkInstallation(client: WebClient): Promise<Finding[]> {
  try {
    const { team, user, response_metadata: metadata } = await client.auth.test();
    const given = metadata?.scopes ?? [];
    const absent = Object.entries(botScopes).filter(([scope]) => !given.includes(scope));
    const needed = absent.filter(([, { lost }]) => lost === undefined).map(([scope]) => scope);
    const optional = absent.flatMap(([scope, { lost }]) => (lost === undefined ? [] : [`${scope} (${lost})`]));
    return [
      slackFinding(true, `installed in “${team}” as ${user}`),
      ...(absent.length === 0 ? [slackFinding(true, "the installation has every scope of the manifest")] : []),
      ...(needed.length === 0
        ? []
        : [slackFinding(false, `the installation lacks ${needed.join(", ")}: ${pasteAnew}`)]),
      ...(optional.length === 0
        ? []
        : [slackFinding(true, `the installation leaves out optional scopes: ${optional.join("; ")}. ${grantThem}`)]),
    ];
  } catch (error) {
    const says = `SLACK_BOT_TOKEN or SLACK_API_URL: ${failureReason(error)}. Copy the bot token again from the Slack app's Install App page, and check that this machine reaches slack.com.`;
    return [slackFinding(false, says)];
  }
}

async function checkConnection(client: WebClient, slack: SlackConfig): Promise<Finding> {
  if (slack.mode === "http") {
    const says =
      "HTTP mode: Slack posts to /slack/events. Check the address and the signing secret under Event Subscriptions at api.slack.com/apps: only Slack can test them";
    return slackFinding(true, says);
  }
  try {
    await client.apiCall("apps.connections.open", { token: slack.appToken });
    return slackFinding(true, "Socket Mode: Slack accepts the app token");
  } catch (error) {
    const says = `SLACK_APP_TOKEN: ${failureReason(error)}. Make an app-level token with connections:write on the Slack app's Basic Information page, and check that Socket Mode is on.`;
    return slackFinding(false, says);
  }
}

/**
 * Checks that the store opens and that the encryption key fits it, and the connections that Slack counted. Changes no record, and does not
 * create a missing file.
 */
async function checkStore(config: Config, tools: { clock: Clock; log: Logger }): Promise<Finding[]> {
  const counted: string[] = [];
  const store = await openAndRead(config, tools, async (store) => {
    const problem = config.slack.mode === "socket" ? await connectionProblem({ store }, { stopped: true }) : null;
    if (problem !== null) counted.push(problem);
  });
  return [...counted.map((says): Finding => ({ about: "Slack", fine: false, says })), store];
}

async function openAndRead(
  config: Config,
  { clock, log }: { clock: Clock; log: Logger },
  read: (store: Store) => Promise<void>,
): Promise<Finding> {
  const path = /^sqlite:(.+)$/s.exec(config.storeUrl)?.[1];
  if (path !== undefined && path !== ":memory:" && !(await may(path, constants.F_OK))) return checkFolder(path);
  try {
    const store = await openStore({ url: config.storeUrl, clock, log, prefix: config.storePrefix });
    try {
      await openProof(store, createSeal(config.encryption));
      await read(store);
    } finally {
      await store.close();
    }
    const opens = "opens, and the encryption key fits it";
    return { about: "store", fine: true, says: [opens, ...store.weaknesses()].join(". But: ") };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (isInUse(error))
      return { about: "store", fine: true, says: "in use by a running Rackbell, so it was not opened" };
    return { about: "store", fine: false, says: error.message };
  }
}

/** For a missing file: checks the nearest existing folder, since the first start also creates missing folders. */
async function checkFolder(path: string): Promise<Finding> {
  let folder = dirname(resolve(path));
  while (!(await may(folder, constants.F_OK)) && folder !== dirname(folder)) folder = dirname(folder);
  if ((await stat(folder)).isDirectory() && (await may(folder, constants.W_OK))) {
    return { about: "store", fine: true, says: `${path} does not exist yet; the first start creates it` };
  }
  const says = `STORE_URL: ${path} does not exist, and Rackbell cannot create it in ${folder}. Let Rackbell's user write there, or name another place.`;
  return { about: "store", fine: false, says };
}

function may(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

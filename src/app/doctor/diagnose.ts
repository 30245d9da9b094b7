import type { Logger } from "pino";
import { createSlackFetch } from "../../messages/chat/fetch.ts";
import { createWire } from "../../messages/chat/wire.ts";
import { readOpenApi } from "../../platform/http/openapi.ts";
import { createPlatform, type Platform } from "../../platform/platform.ts";
import type { Clock } from "../../process/clock.ts";
import { createClockSkew } from "../../process/clock-skew.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { type Finding, failureReason } from "./finding.ts";
import { checkSlack } from "./slack.ts";
import { checkStore } from "./store.ts";

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

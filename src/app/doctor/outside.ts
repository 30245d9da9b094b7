import { LogLevel, WebClient } from "@slack/web-api";
import type { Logger } from "pino";
import { createSlackFetch, createWire } from "../../messages/chat/wire.ts";
import { readOpenApi } from "../../platform/http/openapi.ts";
import { createPlatform } from "../../platform/platform.ts";
import type { Clock } from "../../process/clock.ts";
import { createClockSkew } from "../../process/clock-skew.ts";
import { connectionFault } from "../../process/exchange.ts";
import { scrub } from "../../process/log.ts";
import { appIdIn, botScopes, installPage } from "../../slack/manifest.ts";
import type { SlackConfig } from "../config.ts";

/** The result of one check, as a line for the operator. */
export interface Finding {
  about: "variables" | "Slack" | "platform" | "store" | "clock";
  fine: boolean;
  /** Set if it stops no start, and data may be lost by it. */
  warns?: boolean;
  /** The fact, or the problem with its remedy. */
  says: string;
}

/** The checks of what Rackbell talks to. A problem becomes a finding, not an error. */
export interface Outside {
  /** Checks that Slack accepts the bot token, and that the installation has the scopes of this version's manifest. */
  checkInstallation(slack: InstallationAccess): Promise<Finding[]>;
  /** Checks that Slack lets the app token connect; says what cannot be checked in HTTP mode. */
  checkConnection(slack: Pick<SlackConfig, "apiUrl"> & { appToken?: string }): Promise<Finding>;
  /** Checks that the platform answers at this API root, by its public list of routes. */
  checkPlatform(url: string): Promise<Finding>;
  /** Compares the clock with the times in the answers until now. */
  checkClock(): Finding[];
  close(): Promise<void>;
}

/** `appToken`, where there is one, names the app whose page of installation a problem links to. */
type InstallationAccess = Pick<SlackConfig, "botToken" | "apiUrl"> & { appToken?: string };

/** Opens the connections of the checks. */
export function openOutside({ clock, log }: { clock: Clock; log: Logger }): Outside {
  const skew = createClockSkew(clock);
  const wire = createWire({ clock, onDate: (date, tookMs) => skew.addSample("slack", date, tookMs) });

  function clientFor(apiUrl: string, token?: string): WebClient {
    return new WebClient(token, {
      slackApiUrl: apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logLevel: LogLevel.ERROR,
      fetch: createSlackFetch({ wire }),
    });
  }

  return {
    checkInstallation: (slack) => checkInstallation(clientFor(slack.apiUrl, slack.botToken), slack),
    checkConnection: (slack) => checkConnection(clientFor(slack.apiUrl), slack.appToken),
    async checkPlatform(url) {
      const onDate = (date: string, tookMs: number) => skew.addSample("platform", date, tookMs);
      const platform = createPlatform({ url, clock, log, onDate });
      try {
        const { paths } = await readOpenApi(platform.anonymous("customer"));
        const says = `answers at ${url}, and lists ${Object.keys(paths).length} routes`;
        return { about: "platform", fine: true, says };
      } catch (error) {
        const says = `PLATFORM_URL: ${failureReason(error)}. PLATFORM_URL must be the API's root. Open ${url}/openapi.json in a browser: if the address is right, the page lists the API's routes.`;
        return { about: "platform", fine: false, says };
      } finally {
        await platform.close();
      }
    },
    checkClock: () => clockFindings(skew),
    close: () => wire.close(),
  };
}

/** The reason of an error, as the end of a sentence without its full stop. */
function failureReason(error: unknown): string {
  const reason = scrub(error instanceof Error ? error.message : "no reason was given").replace(/\.$/, "");
  return [reason, connectionFault(error)].filter((part) => part !== null).join(": ");
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

function slackFinding(fine: boolean, says: string): Finding {
  return { about: "Slack", fine, says };
}

async function checkInstallation(client: WebClient, slack: InstallationAccess): Promise<Finding[]> {
  try {
    const { team, user, bot_id: bot, response_metadata: metadata } = await client.auth.test();
    const strange = await otherApp(client, bot, slack.appToken);
    if (strange !== null) {
      const says = `SLACK_BOT_TOKEN is of another app, ${strange}, than SLACK_APP_TOKEN, so no command would arrive: copy the bot token from ${installPage(slack)}`;
      return [slackFinding(false, says)];
    }
    const given = metadata?.scopes ?? [];
    const absent = Object.entries(botScopes).filter(([scope]) => !given.includes(scope));
    const needed = absent.filter(([, { lost }]) => lost === undefined).map(([scope]) => scope);
    const optional = absent.flatMap(([scope, { lost }]) => (lost === undefined ? [] : [`${scope} (${lost})`]));
    const reinstall = `reinstall the app to the workspace at ${installPage(slack)}`;
    return [
      slackFinding(true, `installed in “${team}” as ${user}`),
      ...(absent.length === 0 ? [slackFinding(true, "the installation has every scope of the manifest")] : []),
      ...(needed.length === 0
        ? []
        : [
            slackFinding(
              false,
              `the installation lacks ${needed.join(", ")}: ${reinstall}. If that page does not ask for them, paste this version's manifest.json under App Manifest first.`,
            ),
          ]),
      ...(optional.length === 0
        ? []
        : [
            slackFinding(
              true,
              `the installation leaves out optional scopes: ${optional.join("; ")}. To grant them, ${reinstall}, and restart Rackbell`,
            ),
          ]),
    ];
  } catch (error) {
    const says = `SLACK_BOT_TOKEN or SLACK_API_URL: ${failureReason(error)}. Copy the bot token again from the Slack app's Install App page, and check that this machine reaches slack.com.`;
    return [slackFinding(false, says)];
  }
}

/** The id of the bot token's app if the app token is of another one; null if both agree, or if Slack does not say. */
async function otherApp(client: WebClient, bot?: string, appToken = ""): Promise<string | null> {
  const own = appIdIn(appToken);
  if (own === null || bot === undefined) return null;
  // Without the scope `users:read` Slack does not say; the missing scope is a finding of its own.
  const answer = await client.bots.info({ bot }).catch(() => null);
  const app = answer?.bot?.app_id ?? own;
  return app === own ? null : app;
}

async function checkConnection(client: WebClient, appToken: string | undefined): Promise<Finding> {
  if (appToken === undefined) {
    const says =
      "HTTP mode: Slack posts to /slack/events. Check the address and the signing secret under Event Subscriptions at api.slack.com/apps: only Slack can test them";
    return slackFinding(true, says);
  }
  try {
    await client.apiCall("apps.connections.open", { token: appToken });
    return slackFinding(true, "Socket Mode: Slack accepts the app token");
  } catch (error) {
    const says = `SLACK_APP_TOKEN: ${failureReason(error)}. Make an app-level token with connections:write on the Slack app's Basic Information page, and check that Socket Mode is on.`;
    return slackFinding(false, says);
  }
}

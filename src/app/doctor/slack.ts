import { type FetchFunction, LogLevel, WebClient } from "@slack/web-api";
import { botScopes } from "../../slack/manifest.ts";
import type { SlackConfig } from "../config.ts";
import { type Finding, failureReason } from "./finding.ts";

/** Checks that Slack accepts the tokens, and that the installation has the scopes of this version's manifest. */
export async function checkSlack(slack: SlackConfig, fetch: FetchFunction): Promise<Finding[]> {
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

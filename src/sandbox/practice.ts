import { randomBytes } from "node:crypto";
import type { Clock } from "../process/clock.ts";
import { createPracticePlatform, type PracticePlatform } from "./platform/practice-platform.ts";
import { createPracticeSlack, type PracticeSlack, type WorkspaceSnapshot } from "./slack/server.ts";

/** How the platform reaches the app: it looks public, and only the practice platform can resolve it. */
const publicHost = "rackbell.example";

/** A practice workspace and a practice platform, and the environment in which the real app works between them. */
export interface Practice {
  slack: PracticeSlack;
  platform: PracticePlatform;
  environment: Record<string, string>;
  /** From now on the platform's deliveries to the app's public address go to this one. */
  deliverTo(appUrl: string): void;
  close(): Promise<void>;
}

export interface PracticeOptions {
  clock: Clock;
  manifest: unknown;
  port?: number;
  /** The platform's jobs are this many times faster. */
  pace?: number;
  /** Its cool-downs are this many times shorter. */
  cooldownPace?: number;
  latencyMs?: number;
  bulk?: number;
  environment?: Record<string, string>;
  /** The state of another workspace, from which this one continues. */
  from?: WorkspaceSnapshot;
}

export async function startPractice(options: PracticeOptions): Promise<Practice> {
  const { clock, manifest, port = 0, pace = 1, cooldownPace = 1, latencyMs = 0, bulk = 0, from } = options;
  const slack = await createPracticeSlack({ clock, port, ...(from ? { from } : {}) });
  slack.manifest(manifest);
  const platform = await createPracticePlatform({ clock, pace, cooldownPace, latencyMs, bulk });
  return {
    slack,
    platform,
    environment: {
      PLATFORM_URL: platform.url,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      STORE_URL: "sqlite::memory:",
      HOST: "127.0.0.1",
      PORT: "0",
      PUBLIC_URL: `https://${publicHost}`,
      // Its message would be in the direct messages of an admin in every story.
      SOCKET_CHECK: "off",
      ...options.environment,
    },
    deliverTo: (appUrl) => platform.reseller.webhooks.resolve(publicHost, appUrl),
    async close() {
      await platform.close();
      await slack.close();
    },
  };
}

import type { Logger } from "pino";
import { createBlockSupport, refusedBlocks } from "../messages/chat/block-support.ts";
import { createChat } from "../messages/chat/chat.ts";
import { createPeople, peopleChanges, type Workspace } from "../messages/chat/people.ts";
import { createResponseUses } from "../messages/chat/response-uses.ts";
import type { Wire } from "../messages/chat/wire.ts";
import { createPlatform } from "../platform/platform.ts";
import type { Clock } from "../process/clock.ts";
import type { ClockSkew } from "../process/clock-skew.ts";
import { connectionFault } from "../process/exchange.ts";
import { scrub } from "../process/log.ts";
import type { Metrics } from "../process/metrics.ts";
import { version } from "../process/version.ts";
import type { Bolt } from "../slack/bolt.ts";
import type { Store } from "../storage/store.ts";
import { type Config, ConfigError } from "./config.ts";
import type { Reach } from "./rooms.ts";

/** The clients of the platform and of Slack: every call to the outside goes through them, is counted, and shows the outside's clock. */
export function createReach(
  { app: { client } }: Bolt,
  parts: {
    store: Store;
    config: Config;
    workspace: Workspace;
    takesFiles: boolean;
    readsQuiet: boolean;
    wire: Wire;
    skew: ClockSkew;
    metrics: Metrics;
    clock: Clock;
    log: Logger;
  },
): Reach {
  const { store, config, workspace, takesFiles, readsQuiet, wire, skew, metrics, clock, log } = parts;
  const platform = createPlatform({
    url: config.platformUrl,
    clock,
    log,
    onCall: metrics.countPlatformCall,
    onDate: (date, tookMs) => skew.addSample("platform", date, tookMs),
  });
  const values = store.keyv(refusedBlocks);
  const onCall = metrics.countSlackCall;
  const blockSupport = createBlockSupport({
    values,
    version,
    clock,
    log,
    barred: new Set(takesFiles ? [] : ["file_input"]),
  });
  const people = createPeople({
    client,
    wire,
    changes: store.keyv(peopleChanges),
    onCall,
    clock,
    log,
    workspace,
    readsQuiet,
  });
  return {
    platform,
    chat: createChat({
      client,
      people,
      wire,
      paces: store.paces,
      timers: store.timers,
      blockSupport,
      responseUses: createResponseUses(store),
      takesFiles,
      aheadOfSlack: () => skew.clockSkew().slack ?? 0,
      onCall,
      clock,
      log,
    }),
    people,
  };
}

/** The workspace of the bot token, the app's own user id there, and if its scopes let it read files and Do Not Disturb. Throws ConfigError if Slack refuses the token or does not answer. */
export async function readWorkspace({
  app: { client },
}: Bolt): Promise<{ workspace: Workspace; appUser: string; takesFiles: boolean; readsQuiet: boolean }> {
  const me = await client.auth.test().catch((error: unknown) => {
    const message = error instanceof Error ? error.message : "no reason";
    const reason = [message, connectionFault(error)].filter((part) => part !== null).join(": ");
    throw new ConfigError([
      `SLACK_BOT_TOKEN or SLACK_API_URL: Slack did not answer as it should (${scrub(reason)}). Check that the token is the one of this workspace's installation, and that Slack can be reached.`,
    ]);
  });
  if (!me.team_id || !me.user_id) {
    throw new ConfigError(["SLACK_BOT_TOKEN belongs to no workspace: install the app to one, and copy its token."]);
  }
  return {
    workspace: { team: me.team_id, enterprise: me.enterprise_id ?? null },
    appUser: me.user_id,
    // A proxy may drop the header that lists the scopes. Then Slack's refusals alone tell.
    takesFiles: me.response_metadata?.scopes?.includes("files:read") ?? true,
    readsQuiet: me.response_metadata?.scopes?.includes("dnd:read") ?? true,
  };
}

import type { Workspace } from "../messages/chat/people.ts";
import { scrub } from "../process/log.ts";
import type { Bolt } from "../slack/bolt.ts";
import { ConfigError } from "./config.ts";

/** The workspace of the bot token, the app's own user id there, and if its scopes let it read files. Throws ConfigError if Slack refuses the token or does not answer. */
export async function readWorkspace({
  app: { client },
}: Bolt): Promise<{ workspace: Workspace; appUser: string; takesFiles: boolean }> {
  const me = await client.auth.test().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "no reason";
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
  };
}

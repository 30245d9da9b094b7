import { refusedBlocks } from "../blocks/blocks.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Method, needed } from "./method.ts";
import { Refusal } from "./refusal.ts";

const authTest: Method = {
  handle: (_args, { workspace }) => ({
    url: `${workspace.url}/`,
    team: workspace.teamName,
    user: "rackbell",
    team_id: workspace.teamId,
    user_id: workspace.botUserId,
    bot_id: workspace.botId,
    app_id: workspace.appId,
    is_enterprise_install: false,
  }),
};

const connectionsOpen: Method = {
  token: "app",
  handle: (_args, { socketUrl }) => ({ url: socketUrl() }),
};

const teamInfo: Method = {
  scope: "team:read",
  handle: (_args, { workspace }) => ({ team: team(workspace) }),
};

function team({ teamId, teamName, teamDomain }: Workspace) {
  return { id: teamId, name: teamName, domain: teamDomain, email_domain: "", url: `https://${teamDomain}.example/` };
}

const botInfo: Method = {
  scope: "users:read",
  handle(args, { workspace: { botId, botUserId, appId } }) {
    if (needed(args, "bot") !== botId) throw new Refusal("bot_not_found");
    return {
      bot: { id: botId, deleted: false, name: "Rackbell", updated: 0, app_id: appId, user_id: botUserId, icons: {} },
    };
  },
};

const validate: Method = {
  handle(args) {
    const reasons = refusedBlocks(args.blocks ?? []);
    if (reasons.length > 0) throw new Refusal("invalid_blocks", reasons);
    return {};
  },
};

export const appMethods: Record<string, Method> = {
  "api.test": { handle: (args) => ({ args }) },
  "auth.test": authTest,
  "apps.connections.open": connectionsOpen,
  "bots.info": botInfo,
  "team.info": teamInfo,
  "blocks.validate": validate,
};

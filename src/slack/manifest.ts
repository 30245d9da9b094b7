import { nounWords } from "../operation/nouns.ts";
import { nounOf, type Registry, verbWordsOf } from "../operation/registry.ts";

/** A bot scope: its purpose, and what is lost without it; a scope without `lost` is needed. */
interface BotScope {
  purpose: string;
  lost?: string;
}

/** The bot scopes of the manifest. Whoever installs the app may leave out those that say what is lost. */
export const botScopes: Record<string, BotScope> = {
  commands: { purpose: "slash commands and shortcuts" },
  "app_mentions:read": {
    purpose: "messages that mention Rackbell in its channels; one that begins with the mention is a command",
  },
  "chat:write": { purpose: "posting answers, requests and alerts in channels that invited it, and in direct messages" },
  "users:read": { purpose: "finding out who is a guest, deactivated, of another organisation, or an admin" },
  "channels:read": {
    purpose:
      "checking if a public channel is shared with another organisation, who is in it, and if Rackbell is in any",
  },
  "groups:read": { purpose: "the same for private channels that invited it" },
  "im:write": { purpose: "opening direct messages for one-time secrets and notifications" },
  "dnd:read": {
    purpose:
      "finding out that somebody whom it notifies is in Do Not Disturb, so that the next person is notified at once",
    lost: "it does not see Do Not Disturb, and the next person is notified at the usual time",
  },
  "channels:history": {
    purpose:
      "finding Rackbell's own message again after a crash, so that it is not posted twice. It reads nobody else's messages",
    lost: "after a crash a message may come twice",
  },
  "groups:history": { purpose: "the same in private channels that invited it", lost: "the same" },
  "im:history": {
    purpose: "the same in direct messages with it, and reading the commands that you type there",
    lost: "the same, and only slash commands work in direct messages",
  },
  "files:write": {
    purpose: "sending files, such as the audit export",
    lost: "no exports, downloads and invoices as files",
  },
  "files:read": {
    purpose: "reading a file of user data in the order form, one for a game server, or one of approval rules",
    lost: "forms take texts and no files",
  },
  "usergroups:read": {
    purpose: "finding out who is in a user group that an alert, a rule or a rotation names",
    lost: "a user group is mentioned as a whole, and nobody is on call by a group",
  },
};

const optionalScopes = Object.keys(botScopes).filter((scope) => botScopes[scope]?.lost !== undefined);

/** Shortcuts of a message ("message") or of every place ("global"). Slack names them by `callback_id`. */
export const shortcuts = {
  act: {
    name: "Act on this",
    type: "message",
    callback_id: "act_on_this",
    description: "Find the machines that a message names, and what can be done with them",
  },
  find: {
    name: "Find anything",
    type: "global",
    callback_id: "find_anything",
    description: "Find a machine or anything else that your keys can see, and act on it",
  },
} as const;

/** The app manifest, generated from the operations. Without `url` for Socket Mode; with it Slack posts to `<url>/slack/events`. */
export function manifestOf(registry: Registry, url: string | null = null): unknown {
  const events = url === null ? null : `${url.replace(/\/$/, "")}/slack/events`;
  const commands = [...new Set(registry.all.map(nounOf))].map((noun) => {
    return {
      command: `/${noun}`,
      description: nounWords(noun).purpose,
      usage_hint: hintOf(wordsAfter(registry, noun)),
      should_escape: true,
      ...(events ? { url: events } : {}),
    };
  });
  return {
    display_information: {
      name: "Rackbell",
      description: "Run your hosting estate from Slack",
      background_color: "#1f2d3d",
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: "Rackbell", always_online: true },
      shortcuts: Object.values(shortcuts),
      slash_commands: commands,
    },
    // Slack wants an optional scope in both lists.
    oauth_config: { scopes: { bot: Object.keys(botScopes), bot_optional: optionalScopes } },
    settings: {
      event_subscriptions: {
        ...(events ? { request_url: events } : {}),
        bot_events: [
          "app_home_opened",
          "app_mention",
          "member_joined_channel",
          "message.im",
          "subteam_members_changed",
          "subteam_updated",
          "team_join",
          "user_change",
        ],
      },
      interactivity: { is_enabled: true, ...(events ? { request_url: events, message_menu_options_url: events } : {}) },
      org_deploy_enabled: false,
      socket_mode_enabled: events === null,
      token_rotation_enabled: false,
    },
  };
}

/** The words that can follow a noun: its verbs, or its sub-nouns. */
function wordsAfter(registry: Registry, noun: string): string[] {
  const verbs = registry.under(noun).map(verbWordsOf);
  return verbs.length > 0 ? verbs : registry.topicsOf(noun).map((topic) => topic.slice(noun.length + 1));
}

// Slack cuts a long hint anywhere, so end it after a whole verb.
function hintOf(verbs: string[]): string {
  const most = 95;
  let hint = "";
  for (const verb of verbs) {
    if (`${hint} | ${verb}`.length > most) return `${hint} | …`;
    hint = hint ? `${hint} | ${verb}` : verb;
  }
  return hint;
}

/** The page of Slack that makes an app, with the whole manifest filled in: its reader chooses the workspace and presses twice. */
export function newAppPage(manifest: unknown, apiUrl: string): string {
  return `${appsPage(apiUrl)}?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest))}`;
}

/** The page that installs the app, and again after a change of its scopes. An app token names its app; without one it is the list of apps. */
export function installPage({ apiUrl, appToken = "" }: { apiUrl: string; appToken?: string }): string {
  const app = appIdIn(appToken);
  return app === null ? appsPage(apiUrl) : `${appsPage(apiUrl)}/${app}/install-on-team`;
}

/** The id of the app that an app token is of, which lies in the token; null if it has another form. */
export function appIdIn(appToken: string): string | null {
  return /^xapp-\d+-(A[A-Z0-9]+)-/.exec(appToken)?.[1] ?? null;
}

/** The list of apps beside this Web API. GovSlack has its own; a local Slack has none. */
function appsPage(apiUrl: string): string {
  const { hostname } = new URL(apiUrl);
  return `https://api.${hostname.endsWith("slack-gov.com") ? "slack-gov.com" : "slack.com"}/apps`;
}

import { flagAt, isObject, type Json, objectAt, objectsAt, textAt, textsAt } from "../wire/json.ts";

export interface SlashCommand {
  command: string;
  description: string;
  usage_hint: string;
  should_escape: boolean;
}

export interface Shortcut {
  name: string;
  /** Beside messages, or everywhere. */
  type: "message" | "global";
  callback_id: string;
  description: string;
}

export interface Manifest {
  commands: SlashCommand[];
  shortcuts: Shortcut[];
  scopes: string[];
  events: string[];
  homeTab: boolean;
  messagesTab: boolean;
  /** Nobody can write in the app's direct messages. */
  messagesReadOnly: boolean;
}

/** The parts of an app manifest (the object in manifest.json) that the workspace uses. */
export function readManifest(manifest: unknown): Manifest {
  const root = isObject(manifest) ? manifest : {};
  const features = objectAt(root, "features") ?? {};
  const home = objectAt(features, "app_home") ?? {};
  const oauth = objectAt(objectAt(root, "oauth_config") ?? {}, "scopes") ?? {};
  const subscriptions = objectAt(objectAt(root, "settings") ?? {}, "event_subscriptions") ?? {};
  return {
    commands: objectsAt(features, "slash_commands").map(readCommand),
    shortcuts: objectsAt(features, "shortcuts").map(readShortcut),
    scopes: textsAt(oauth, "bot"),
    events: textsAt(subscriptions, "bot_events"),
    homeTab: flagAt(home, "home_tab_enabled"),
    messagesTab: home.messages_tab_enabled !== false,
    messagesReadOnly: flagAt(home, "messages_tab_read_only_enabled"),
  };
}

function readShortcut(shortcut: Json): Shortcut {
  return {
    name: textAt(shortcut, "name") ?? "",
    type: shortcut.type === "global" ? "global" : "message",
    callback_id: textAt(shortcut, "callback_id") ?? "",
    description: textAt(shortcut, "description") ?? "",
  };
}

function readCommand(command: Json): SlashCommand {
  return {
    command: textAt(command, "command") ?? "",
    description: textAt(command, "description") ?? "",
    usage_hint: textAt(command, "usage_hint") ?? "",
    should_escape: flagAt(command, "should_escape"),
  };
}

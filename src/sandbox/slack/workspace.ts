import type { Clock } from "../../clock.ts";
import { type Credentials, newCredentials, newUser, people, places, type Role, type User } from "./cast.ts";
import { createTimestamps, newId } from "./ids.ts";
import type { Json } from "./json.ts";
import type { Manifest } from "./manifest.ts";

/** A block as Slack keeps it: with its block_id, given or made up. Its other fields are as posted. */
export interface Block extends Json {
  type: string;
  block_id: string;
}

export interface PracticeFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  size: number;
  /** Who uploaded it: a user's id or the bot's. */
  user: string;
  created: number;
  content: Uint8Array;
  /** The channels that it was shared to. */
  channels: string[];
}

export interface Message {
  channel: string;
  ts: string;
  user: string;
  text: string;
  blocks: Block[];
  files: PracticeFile[];
  /** What rings somebody: `<!channel>`, `<!here>`, `<@U…>`, `<!subteam^S…>`, as written. */
  mentions: string[];
  /** What a reader could click in the text: written as a link, or made one by Slack. */
  links: string[];
  thread_ts?: string;
  edited?: { user: string; ts: string };
  metadata?: { event_type: string; event_payload: Json };
  /** The only user who sees it. */
  ephemeralTo?: string;
}

export interface Channel {
  id: string;
  name: string;
  kind: "public" | "private" | "im";
  is_archived: boolean;
  is_ext_shared: boolean;
  members: Set<string>;
  messages: Message[];
  /** For a direct message with the app: whose. */
  user?: string;
}

export interface ViewState extends Json {
  values: Record<string, Record<string, Json>>;
}

export interface View {
  id: string;
  type: "modal" | "home";
  user: string;
  blocks: Block[];
  private_metadata: string;
  callback_id: string;
  external_id: string;
  state: ViewState;
  hash: string;
  title: Json | null;
  submit: Json | null;
  close: Json | null;
  clear_on_close: boolean;
  notify_on_close: boolean;
  root_view_id: string;
  previous_view_id: string | null;
}

/** A request that the workspace refused, as Slack would have. */
export interface Violation {
  method: string;
  error: string;
  reasons: string[];
}

export interface Call {
  method: string;
  args: Json;
  /** `ok`, or the error that it was answered with. */
  outcome: string;
}

/** A payload that went to the app, and what became of it. */
export interface Sent {
  type: "slash_commands" | "interactive" | "events_api";
  payload: Json;
  /** 0 for the first attempt. */
  retry: number;
  outcome: "acknowledged" | "operation_timeout" | "dispatch_failed";
}

export interface Change {
  what: "channel" | "modal" | "home" | "state" | "call";
  channel?: string;
  /** The only user for whom something changed; everybody if absent. */
  user?: string;
}

export interface Workspace extends Credentials {
  clock: Clock;
  url: string;
  users: Map<string, User>;
  channels: Map<string, Channel>;
  ephemerals: Message[];
  /** The open modals of each user, the bottom one first. */
  modals: Map<string, View[]>;
  homes: Map<string, View>;
  files: Map<string, PracticeFile>;
  usergroups: Map<string, { id: string; handle: string; name: string; users: string[] }>;
  violations: Violation[];
  calls: Call[];
  deliveries: Sent[];
  scopes: Set<string>;
  manifest: Manifest | undefined;
  nextTs: () => string;
  changed: (change: Change) => void;
  onChange: (listener: (change: Change) => void) => () => void;
}

export const defaultScopes = [
  "commands",
  "chat:write",
  "users:read",
  "channels:read",
  "groups:read",
  "im:write",
  "files:write",
];

/** A workspace with its cast and channels, and nothing said yet. */
export function createWorkspace(clock: Clock, scopes: readonly string[] = defaultScopes): Workspace {
  const listeners = new Set<(change: Change) => void>();
  const workspace: Workspace = {
    ...newCredentials(),
    clock,
    url: "",
    users: new Map(),
    channels: new Map(),
    ephemerals: [],
    modals: new Map(),
    homes: new Map(),
    files: new Map(),
    usergroups: new Map(),
    violations: [],
    calls: [],
    deliveries: [],
    scopes: new Set(scopes),
    manifest: undefined,
    nextTs: createTimestamps(clock),
    changed(change) {
      for (const listener of listeners) listener(change);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  addBot(workspace);
  for (const [name, part] of Object.entries(people)) addUser(workspace, name, part);
  for (const name of Object.keys(places)) addPlace(workspace, name);
  return workspace;
}

function addBot(workspace: Workspace): void {
  const bot = { real_name: "Rackbell", role: "member" as const, tz: "Etc/UTC" };
  const user = newUser("rackbell", bot, workspace.teamId, workspace.otherTeamId);
  workspace.users.set(workspace.botUserId, { ...user, id: workspace.botUserId, is_bot: true });
}

/** Adds a person. Until they are invited somewhere they are in no channel. */
export function addUser(
  workspace: Workspace,
  name: string,
  part: { real_name: string; role: Role; tz: string } = { real_name: name, role: "member", tz: "Etc/UTC" },
): User {
  const user = newUser(name, part, workspace.teamId, workspace.otherTeamId);
  workspace.users.set(user.id, user);
  return user;
}

function addPlace(workspace: Workspace, name: string): void {
  const place = places[name];
  if (!place) return;
  const channel = addChannel(workspace, name, place.kind);
  channel.is_ext_shared = place.shared;
  for (const user of workspace.users.values()) {
    if (user.is_bot ? place.bot : place.members.includes(user.name)) channel.members.add(user.id);
  }
}

/** Adds an empty channel. */
export function addChannel(workspace: Workspace, name: string, kind: Channel["kind"]): Channel {
  const id = newId(kind === "im" ? "D" : "C");
  const channel: Channel = {
    id,
    name,
    kind,
    is_archived: false,
    is_ext_shared: false,
    members: new Set(),
    messages: [],
  };
  workspace.channels.set(id, channel);
  return channel;
}

const memory = 10_000;

/** Adds to what is remembered of the traffic; of a long run only the last 10,000 entries are kept. */
export function remember<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > memory) list.shift();
}

/** The same for what is looked up by an id. */
export function rememberAs<T>(map: Map<string, T>, id: string, entry: T): void {
  map.set(id, entry);
  const [oldest] = map.keys();
  if (map.size > memory && oldest !== undefined) map.delete(oldest);
}

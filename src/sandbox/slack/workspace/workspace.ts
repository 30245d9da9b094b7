// workspace/: the state of the workspace: users, channels, messages, views, files, and the small steps that change it.
// Nothing in here speaks to the app.

import type { Clock } from "../../../process/clock.ts";
import type { Block, ViewState } from "../blocks/block.ts";
import type { Json } from "../wire/json.ts";
import type { Credentials } from "./credentials.ts";
import type { Manifest } from "./manifest.ts";
import type { User } from "./users.ts";

export interface PracticeFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  size: number;
  /** The uploader: a user's id or the bot's. */
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
  /** The older kind of rich content, which other apps still send. */
  attachments?: Json[];
  /** Mentions that notify somebody: `<!channel>`, `<!here>`, `<@U…>`, `<!subteam^S…>`, as written. */
  mentions: string[];
  /** The clickable parts of the text: written as links, or made links by Slack. */
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
  /** The user of a direct message with the app. */
  user?: string;
}

export interface View {
  id: string;
  type: "modal" | "home";
  user: string;
  /** The one of the user's windows in which it opened; all of them if nobody said. */
  window: string | undefined;
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
  /** The fields beside `ok`. */
  answer?: Json;
}

/** A payload that went to the app, and what became of it. */
export interface Sent {
  type: "slash_commands" | "interactive" | "events_api";
  payload: Json;
  /** 0 for the first attempt. */
  retry: number;
  outcome: "acknowledged" | "operation_timeout" | "dispatch_failed";
  /** A dead or deaf connection took it, when, and how many connections would have brought it to the app. */
  swallowed?: { at: number; listening: number };
}

export interface Change {
  what: "channel" | "modal" | "home" | "state" | "call";
  channel?: string;
  /** The only user for whom something changed; everybody if absent. */
  user?: string;
  /** The live item that came or changed; absent where it went. */
  shown?: Message | View;
}

/** A notification on somebody's phone. `silencedUntil`: Do Not Disturb kept it quiet until then (milliseconds since the epoch). */
export interface PhoneNotification {
  user: string;
  channel: string;
  ts: string;
  text: string;
  silencedUntil: number | null;
}

/** A span of Do Not Disturb, in milliseconds since the epoch. Slack repeats a schedule each day. */
export interface QuietHours {
  from: number;
  to: number;
}

/** A user group; the dates are in seconds. Slack calls a group that is switched off deleted. */
export interface Usergroup {
  id: string;
  handle: string;
  name: string;
  users: string[];
  date_update: number;
  date_delete: number;
  /** The id of the user who changed it last. */
  updated_by: string;
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
  usergroups: Map<string, Usergroup>;
  /** Do Not Disturb, by the user's id. */
  quiet: Map<string, QuietHours>;
  /** The newest notifications on all phones, oldest first. */
  phones: PhoneNotification[];
  /** The steps that a newcomer is shown, by user name. */
  hints: Map<string, string[]>;
  /** The pages of the guide that the page shows: standard Markdown. */
  guide: GuidePage[];
  /** The agent that the page runs beside the channels; null where the app has no door for agents. */
  agent: PracticeAgent | null;
  /** The events outside of the workspace that the page offers to trigger. */
  happenings: Happening[];
  violations: Violation[];
  /** Kinds of block that Slack has not brought to this workspace yet. */
  withoutBlocks: Set<string>;
  calls: Call[];
  deliveries: Sent[];
  scopes: Set<string>;
  manifest: Manifest | undefined;
  nextTs: () => string;
  changed: (change: Change) => void;
  onChange: (listener: (change: Change) => void) => () => void;
}

/** A member's agent outside of Slack, which calls the app with a token that the member made. */
export interface PracticeAgent {
  /** Makes a token in the user's name, as they would in Slack. Rejects with a sentence. */
  token(user: string): Promise<string>;
  /** Calls a tool of the app with the token, and answers with its result or its sentence. */
  call(token: string, tool: string, input: Json): Promise<{ result?: Json; error?: string }>;
}

/** A page of the app's guide, beside the channels. */
export interface GuidePage {
  name: string;
  title: string;
  text: string;
}

/** Something outside of the workspace that happens at a press on the page; gives what has happened, as a sentence. */
export interface Happening {
  id: string;
  group: string;
  label: string;
  press(): string | Promise<string>;
}

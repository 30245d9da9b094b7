import type { Events } from "../delivery/events.ts";
import type { Triggers } from "../delivery/triggers.ts";
import { type Json, textAt } from "../wire/json.ts";
import { findChannel } from "../workspace/channels.ts";
import type { Channel, Workspace } from "../workspace/workspace.ts";
import { Refusal } from "./refusal.ts";

export interface MethodContext {
  workspace: Workspace;
  triggers: Triggers;
  events: Events;
  /** An address for one socket connection. */
  socketUrl(): string;
}

/** One Web API method: what it needs and what it does. `handle` returns the answer without `ok`, or throws a Refusal. */
export interface Method {
  /** The bot scope that it needs; a function where that depends on the channel. */
  scope?: string | ((args: Json, workspace: Workspace) => string | undefined);
  /** `app` for what takes the app-level token. */
  token?: "app";
  handle(args: Json, context: MethodContext): Json;
}

/** A text argument that must be there. */
export function needed(args: Json, name: string): string {
  const given = args[name];
  const value = typeof given === "number" ? String(given) : textAt(args, name);
  if (value === undefined || value === "")
    throw new Refusal("invalid_arguments", [`[ERROR] missing required field: ${name}`]);
  return value;
}

/** The channel that the arguments name and that the app may know of. */
export function knownChannel(workspace: Workspace, ref: string): Channel {
  const channel = findChannel(workspace, ref);
  const hidden = channel?.kind === "private" && !channel.members.has(workspace.botUserId);
  if (!channel || hidden) throw new Refusal("channel_not_found");
  return channel;
}

/** A scope per kind of channel, such as `channels:read`, `groups:read`, `im:read`. */
export function scopePerKind(verb: string): (args: Json, workspace: Workspace) => string | undefined {
  return (args, workspace) => {
    const channel = findChannel(workspace, textAt(args, "channel") ?? "");
    return channel && scopeFor(channel.kind, verb);
  };
}

export function scopeFor(kind: Channel["kind"], verb: string): string {
  const nouns = { public: "channels", private: "groups", im: "im" };
  return `${nouns[kind]}:${verb}`;
}

/** One page of a list, by `limit` and `cursor`. */
export function page<T>(
  all: T[],
  args: Json,
  standard: number,
): { items: T[]; response_metadata: { next_cursor: string } } {
  const limit = Math.max(1, Number(args.limit ?? standard) || standard);
  const cursor = textAt(args, "cursor");
  const start = cursor ? Number(Buffer.from(cursor, "base64").toString()) : 0;
  if (!Number.isInteger(start) || start < 0) throw new Refusal("invalid_cursor");
  const next = start + limit < all.length ? Buffer.from(String(start + limit)).toString("base64") : "";
  return { items: all.slice(start, start + limit), response_metadata: { next_cursor: next } };
}

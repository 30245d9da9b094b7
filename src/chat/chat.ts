// chat/: Slack as the app calls it: posting and updating at Slack's pace, people and channels, finding what was posted already.
// May import: views/, platform/*, storage/, the clock.

import type { WebClient } from "@slack/web-api";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Paces } from "../storage/store.ts";
import { fitted, type Message, type View } from "../views/blocks.ts";
import { createCaller } from "./caller.ts";
import { createCalling } from "./calling.ts";
import { SlackRefused, SlackUnanswered } from "./errors.ts";
import { downloadText } from "./file.ts";
import { findMarked, type Mark, metadataOf } from "./history.ts";
import { createMemory } from "./memory.ts";
import { createRateLimiter, type Priority } from "./rate-limiter.ts";
import type { Wire } from "./wire.ts";

/** Where a message stands. */
export interface MessageRef {
  channel: string;
  ts: string;
}

export interface PostOptions {
  thread?: string;
  priority?: Priority;
  mark?: Mark;
}

/** Every method rejects with SlackRefused or SlackUnanswered (chat/errors.ts), the latter at the latest when its time is up. */
export interface Chat {
  post(channel: string, message: Message, options?: PostOptions): Promise<MessageRef>;
  /** The app's own message with this mark, posted since then (milliseconds), in a channel or a thread; null where there is none. */
  find(channel: string, mark: Mark, since: number, thread?: string): Promise<MessageRef | null>;
  /** The channel of the app's direct messages with a member. */
  directChannel(user: string): Promise<string>;
  /** Edits a message. Edits that wait give way to newer ones of the same message. */
  update(ref: MessageRef, message: Message, priority?: Priority): Promise<void>;
  /** Shown to one member of a channel, and gone when their Slack reloads. */
  postEphemeral(channel: string, user: string, message: Message): Promise<void>;
  /** Posts in the app's direct messages with a member. */
  postDirectMessage(user: string, message: Message): Promise<MessageRef>;
  /** Answers an interaction by its response URL (5 uses in 30 minutes). */
  respond(url: string, message: Message, options?: { replace?: boolean }): Promise<void>;
  /** Takes away the message that an interaction came from. */
  deleteOriginal(url: string): Promise<void>;
  upload(user: string, file: { name: string; content: string }, comment: string): Promise<void>;
  /** The text of a file that a member gave the app; refused as `file_too_large` or `not_text`. Needs the scope files:read. */
  download(file: string, mostBytes: number): Promise<string>;
  openView(trigger: string, view: View): Promise<{ id: string; hash: string }>;
  pushView(trigger: string, view: View): Promise<{ id: string; hash: string }>;
  updateView(id: string, view: View, hash?: string): Promise<void>;
  publishHome(user: string, view: View): Promise<void>;
  waiting(): number;
  /** Refuses what waits, for its turn or because Slack asked to slow down, and all that comes after. */
  stop(): void;
}

const mostDirectChannels = 5_000;

export function createChat(deps: {
  client: WebClient;
  wire: Wire;
  /** Slack's pace, which all instances keep together. */
  paces: Paces;
  clock: Clock;
  log: Logger;
}): Chat {
  const { client, wire, paces, clock, log } = deps;
  const { call, signal, stop } = createCalling({ clock, log });
  const limiter = createRateLimiter({ paces, clock, stopping: signal });
  const caller = createCaller({ wire, apiUrl: client.slackApiUrl, token: client.token ?? "" });
  const directChannels = createMemory<string>({ clock, most: mostDirectChannels });

  async function directChannel(user: string): Promise<string> {
    return directChannels.recall(user, async () => {
      const opened = await call("conversations.open", () => client.conversations.open({ users: user }));
      const channel = opened.channel?.id;
      if (!channel) throw new SlackRefused("conversations.open", "no_channel");
      return channel;
    });
  }

  async function post(
    channel: string,
    message: Message,
    { thread, priority = "answer", mark }: PostOptions = {},
  ): Promise<MessageRef> {
    const unfurl = { unfurl_links: false, unfurl_media: false };
    const about = { ...(thread ? { thread_ts: thread } : {}), ...(mark ? { metadata: metadataOf(mark) } : {}) };
    const args = { channel, ...fitted(message), ...unfurl, ...about };
    const posted = await limiter.schedule(channel, priority, () =>
      call("chat.postMessage", () => caller.call("chat.postMessage", args)),
    );
    if (!posted?.ts || !posted.channel)
      throw new SlackUnanswered("chat.postMessage", { maybeApplied: true, why: "Slack did not say where it stands" });
    return { channel: posted.channel, ts: posted.ts };
  }

  function respond(url: string, body: Record<string, unknown>): Promise<void> {
    return call("response_url", () => caller.respond(url, body));
  }

  return {
    post,
    async find(channel, mark, since, thread) {
      const ts = await findMarked({ client, call }, { channel, since, thread }, mark);
      return ts === null ? null : { channel, ts };
    },
    directChannel,
    async update(ref, message, priority = "ending") {
      const args = { ...ref, ...fitted(message) };
      await limiter.schedule(
        ref.channel,
        priority,
        () => call("chat.update", () => caller.call("chat.update", args)),
        `${ref.channel}:${ref.ts}`,
      );
    },
    async postEphemeral(channel, user, message) {
      const args = { channel, user, ...fitted(message) };
      await call("chat.postEphemeral", () => caller.call("chat.postEphemeral", args));
    },
    postDirectMessage: async (user, message) => post(await directChannel(user), message),
    respond: (url, message, { replace = false } = {}) =>
      respond(url, {
        ...fitted(message),
        response_type: "ephemeral",
        replace_original: replace,
        unfurl_links: false,
      }),
    deleteOriginal: (url) => respond(url, { delete_original: true }),
    async upload(user, { name, content }, comment) {
      const channel_id = await directChannel(user);
      await call("files.uploadV2", () =>
        client.filesUploadV2({ channel_id, filename: name, content, initial_comment: comment }),
      );
    },
    download: (file, mostBytes) => call("files.info", () => downloadText({ client, wire }, file, mostBytes)),
    async openView(trigger, view) {
      return viewRef(await call("views.open", () => client.views.open({ trigger_id: trigger, view })));
    },
    async pushView(trigger, view) {
      return viewRef(await call("views.push", () => client.views.push({ trigger_id: trigger, view })));
    },
    async updateView(id, view, hash) {
      await call("views.update", () => client.views.update({ view_id: id, view, ...(hash ? { hash } : {}) }));
    },
    async publishHome(user, view) {
      await call("views.publish", () => client.views.publish({ user_id: user, view }));
    },
    waiting: limiter.waiting,
    stop,
  };
}

function viewRef(opened: { view?: { id?: string; hash?: string } }): { id: string; hash: string } {
  return { id: opened.view?.id ?? "", hash: opened.view?.hash ?? "" };
}

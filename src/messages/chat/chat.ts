// messages/chat/: the app's calls of Slack: posts and updates within its rate limits, people and channels, finding posted messages.

import type { WebClient } from "@slack/web-api";
import type { Logger } from "pino";
import type { Clock } from "../../process/clock.ts";
import type { Paces, RunToken, Timers } from "../../storage/store.ts";
import { type Message, textMessage } from "../../views/blocks.ts";
import { fitted } from "../../views/fit.ts";
import type { BlockSupport } from "./block-support.ts";
import { createCache } from "./cache.ts";
import { createCaller, createCalling, type OnSlackCall } from "./calling.ts";
import { refusalIn } from "./channel-problem.ts";
import { faultOfStatus, SlackRefused, SlackUnanswered } from "./errors.ts";
import { findMarked, type Mark, metadataOf } from "./history.ts";
import type { People } from "./people.ts";
import { createRateLimiter, type Priority, type RateLimiter } from "./rate-limiter.ts";
import type { ResponseUses } from "./response-uses.ts";
import { createViews, type Views } from "./views.ts";
import { fileLimitMs, type Wire } from "./wire.ts";

/** The place of a message in Slack. */
export interface MessageRef {
  channel: string;
  ts: string;
  /** The first message of its thread; absent outside a thread. */
  thread?: string | undefined;
}

/** `thread`: the `ts` of the thread's first message; null or absent outside a thread. */
export interface InThread {
  thread?: string | null | undefined;
}

/**
 * Order and ownership of an edit or a post. `run`: the timer's run that it is made for. Once another instance has that run, the call
 * rejects with RunLost.
 */
export interface TurnOptions {
  priority?: Priority;
  run?: RunToken | undefined;
}

export interface PostOptions extends InThread, TurnOptions {
  mark?: Mark;
}

/**
 * Every method rejects with SlackRefused or SlackUnanswered (messages/chat/errors.ts), the latter at the latest when its time limit is over, or
 * when Slack has put it off for a minute.
 */
export interface Chat extends Views {
  /** Posts a message. Rejects with `shared_channel` where another organisation reads the channel at its turn. */
  post(channel: string, message: Message, options?: PostOptions): Promise<MessageRef>;
  /** The app's own message with this mark, posted since `since` (milliseconds), in a channel or a thread; null if there is none. */
  find(channel: string, mark: Mark, since: number, thread?: string): Promise<MessageRef | null>;
  /** The channel of the app's direct messages with a member. */
  directChannel(user: string): Promise<string>;
  /**
   * Edits a message. A newer edit of the same message replaces one that still waits. Where another organisation reads the channel by then, a
   * line without facts takes the message's place, and the edit rejects with `shared_channel`.
   */
  update(ref: MessageRef, message: Message, options?: TurnOptions): Promise<void>;
  /** Shows a message to one member of a channel, or of a thread that has replies. Slack drops it when their client reloads. */
  postEphemeral(channel: string, user: string, message: Message, options?: InThread): Promise<void>;
  /** Posts in the app's direct messages with a member. */
  postDirectMessage(user: string, message: Message): Promise<MessageRef>;
  /** To be called when a payload brings a response URL. */
  received(url: string): void;
  /** Answers an interaction by its response URL (5 uses in 30 minutes); rejects with `used_url` before it would be used once too often. */
  respond(url: string, message: Message, options?: InThread & { replace?: boolean }): Promise<void>;
  /** Deletes the message that an interaction came from. */
  deleteOriginal(url: string): Promise<void>;
  upload(user: string, file: { name: string; content: string | Buffer }, comment: string): Promise<void>;
  /** The content of a file that a member uploaded. Rejects with `file_too_large` over `mostBytes`. Needs the scope files:read. */
  download(file: string, mostBytes: number): Promise<Buffer>;
  /** False if the installation lacks `files:read`: then forms show no field for a file. */
  takesFiles: boolean;
  /** The posts and edits that wait for their turn. */
  backlog: RateLimiter["backlog"];
  /** Rejects all calls that wait for their turn or for Slack's rate limit, and every later call. */
  stop(): void;
}

const mostDirectChannels = 5_000;

/** Takes the place of a message in a channel that another organisation came to read: its facts and buttons are not for them. */
const concealed = textMessage("Another organisation reads this channel, so Rackbell shows nothing more here.");

export function createChat(deps: {
  client: WebClient;
  people: Pick<People, "channel">;
  wire: Wire;
  /** Slack's rate limit per channel, shared by all instances. */
  paces: Paces;
  timers: Pick<Timers, "prove">;
  blockSupport: BlockSupport;
  responseUses: ResponseUses;
  takesFiles?: boolean;
  /** Called after every call, for the metrics. */
  onCall?: OnSlackCall;
  /** Milliseconds that this machine's clock is ahead of Slack's, if known. */
  aheadOfSlack?: () => number;
  clock: Clock;
  log: Logger;
}): Chat {
  const { client, people, wire, paces, timers, blockSupport, responseUses, takesFiles = true, clock, log } = deps;
  const { onCall = () => {}, aheadOfSlack = () => 0 } = deps;
  const { call, signal, stop } = createCalling({ clock, log, onCall });
  const limiter = createRateLimiter({ paces, timers, clock, stopping: signal });
  const caller = createCaller({ wire, apiUrl: client.slackApiUrl, token: client.token ?? "" });
  const directChannels = createCache<string>({ clock, most: mostDirectChannels });

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
    { thread, priority = "answer", mark, run }: PostOptions = {},
  ): Promise<MessageRef> {
    const unfurl = { unfurl_links: false, unfurl_media: false };
    const about = { ...threadOf(thread), ...(mark ? { metadata: metadataOf(mark) } : {}) };
    const posted = await limiter.schedule(channel, { priority, run }, async (prove) => {
      const refusal = await refusalIn(people, channel, "chat.postMessage");
      if (refusal) throw refusal;
      return blockSupport.send(message, (shown) =>
        call(
          "chat.postMessage",
          () => caller.call("chat.postMessage", { channel, ...fitted(shown), ...unfurl, ...about }),
          prove,
        ),
      );
    });
    if (!posted?.ts || !posted.channel)
      throw new SlackUnanswered("chat.postMessage", { maybeApplied: true, why: "Slack did not name the message" });
    return { channel: posted.channel, ts: posted.ts, ...(thread ? { thread } : {}) };
  }

  async function respond(url: string, body: Record<string, unknown>): Promise<void> {
    if (!(await responseUses.take(url))) throw new SlackRefused("response_url", "used_url");
    return call("response_url", () => caller.respond(url, body));
  }

  return {
    post,
    takesFiles,
    async find(channel, mark, since, thread) {
      // Slack dates messages by its own clock. If ours is ahead, a search from our time would miss the message.
      const ts = await findMarked({ client, call }, { channel, since: since - aheadOfSlack(), thread }, mark);
      return ts === null ? null : { channel, ts, ...(thread ? { thread } : {}) };
    },
    directChannel,
    async update({ channel, ts }, message, { priority = "ending", run } = {}) {
      await limiter.schedule(channel, { priority, run, key: `${channel}:${ts}` }, async (prove) => {
        const refusal = await refusalIn(people, channel, "chat.update");
        await blockSupport.send(refusal ? concealed : message, (shown) =>
          call("chat.update", () => caller.call("chat.update", { channel, ts, ...fitted(shown) }), prove),
        );
        if (refusal) throw refusal;
      });
    },
    async postEphemeral(channel, user, message, { thread } = {}) {
      const where = { channel, user, ...threadOf(thread) };
      await blockSupport.send(message, (shown) =>
        call("chat.postEphemeral", () => caller.call("chat.postEphemeral", { ...where, ...fitted(shown) })),
      );
    },
    postDirectMessage: async (user, message) => post(await directChannel(user), message),
    respond: (url, message, { replace = false, thread } = {}) =>
      blockSupport.send(message, (shown) =>
        respond(url, {
          ...fitted(shown),
          response_type: "ephemeral",
          replace_original: replace,
          unfurl_links: false,
          ...threadOf(thread),
        }),
      ),
    received: responseUses.received,
    deleteOriginal: (url) => respond(url, { delete_original: true }),
    async upload(user, { name, content }, comment) {
      const channel_id = await directChannel(user);
      await call("files.uploadV2", () =>
        client.filesUploadV2({ channel_id, filename: name, file: Buffer.from(content), initial_comment: comment }),
      );
    },
    download: (file, mostBytes) => call("files.info", () => downloadFile({ client, wire }, file, mostBytes)),
    ...createViews({ client, call, blockSupport }),
    backlog: limiter.backlog,
    stop,
  };
}

function threadOf(thread: string | null | undefined): { thread_ts?: string } {
  return thread ? { thread_ts: thread } : {};
}

/** The content of a file that a member uploaded. Rejects with SlackRefused: `file_too_large`, or Slack's own reason. */
async function downloadFile(
  { client, wire }: { client: WebClient; wire: Wire },
  id: string,
  mostBytes: number,
): Promise<Buffer> {
  const method = "files.info";
  const { file } = await client.files.info({ file: id });
  const url = file?.url_private_download;
  if (!url || !isSlacks(url, client.slackApiUrl)) throw new SlackRefused(method, "no_address");
  if ((file.size ?? 0) > mostBytes) throw new SlackRefused(method, "file_too_large");
  const headers = { authorization: `Bearer ${client.token}` };
  const { status, content } = await wire.send({ method, verb: "GET", url, headers, limitMs: fileLimitMs, mostBytes });
  if (status !== 200) throw faultOfStatus(method, status);
  return content;
}

/** Only Slack may get the bot's token, so the host is checked whatever URL an answer names. */
function isSlacks(address: string, apiUrl: string): boolean {
  const url = new URL(address);
  if (url.origin === new URL(apiUrl).origin) return true;
  return url.protocol === "https:" && /\.slack(-gov)?\.com$/.test(url.hostname);
}

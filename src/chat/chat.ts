import { WebAPIPlatformError, WebAPIRateLimitedError, type WebClient } from "@slack/web-api";
import type { Logger } from "pino";
import { type Clock, sleep } from "../clock.ts";
import { fitted, type Message, type View } from "../views/blocks.ts";
import { createRateLimiter, type Priority } from "./rate-limiter.ts";
import { post as send } from "./wire.ts";

/** Where a message stands. */
export interface MessageRef {
  channel: string;
  ts: string;
}

/** Slack said no; `reason` is its own code, such as "not_in_channel". */
export class SlackRefused extends Error {
  override readonly name = "SlackRefused";
  readonly reason: string;

  constructor(method: string, reason: string, options?: ErrorOptions) {
    super(`Slack refused ${method}: ${reason}`, options);
    this.reason = reason;
  }
}

/** What a message is about, so that it can be found again in its channel. */
export interface Mark {
  subject: string;
  slot: string;
}

export interface PostOptions {
  thread?: string;
  priority?: Priority;
  mark?: Mark;
}

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
}

const respondLimitMs = 10_000;

export function createChat({ client, clock, log }: { client: WebClient; clock: Clock; log: Logger }): Chat {
  const pace = createRateLimiter(clock);
  const directChannels = new Map<string, string>();

  /** One call of Slack's, repeated only where Slack itself said that it did nothing and when to come again. */
  async function call<T>(method: string, run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof WebAPIRateLimitedError)) throw refusal(method, error);
        log.warn({ method, seconds: error.retryAfter }, "Slack asks to slow down");
        await sleep(clock, error.retryAfter * 1000);
      }
    }
  }

  async function directChannel(user: string): Promise<string> {
    const known = directChannels.get(user);
    if (known) return known;
    const opened = await call("conversations.open", () => client.conversations.open({ users: user }));
    const channel = opened.channel?.id;
    if (!channel) throw new SlackRefused("conversations.open", "no_channel");
    directChannels.set(user, channel);
    return channel;
  }

  async function post(channel: string, message: Message, options: PostOptions = {}): Promise<MessageRef> {
    const { text, blocks } = fitted(message);
    const posted = await pace.schedule(channel, options.priority ?? "answer", () =>
      call("chat.postMessage", () =>
        client.chat.postMessage({
          channel,
          text,
          blocks,
          unfurl_links: false,
          unfurl_media: false,
          ...(options.thread ? { thread_ts: options.thread } : {}),
          ...(options.mark ? { metadata: metadataOf(options.mark) } : {}),
        }),
      ),
    );
    if (!posted?.ts || !posted.channel) throw new SlackRefused("chat.postMessage", "no_timestamp");
    return { channel: posted.channel, ts: posted.ts };
  }

  /** A page of what stands in a channel or a thread since then. */
  async function history(channel: string, oldest: string, thread: string | undefined, cursor: string | undefined) {
    const query = {
      channel,
      oldest,
      limit: historyPage,
      include_all_metadata: true,
      ...(cursor ? { cursor } : {}),
    };
    return thread === undefined
      ? call("conversations.history", () => client.conversations.history(query))
      : call("conversations.replies", () => client.conversations.replies({ ...query, ts: thread }));
  }

  async function find(channel: string, mark: Mark, since: number, thread?: string): Promise<MessageRef | null> {
    // Slack's clock and ours need not agree to the second.
    const oldest = String((since - clockTolerance) / 1000);
    let cursor: string | undefined;
    for (let page = 0; page < mostHistoryPages; page += 1) {
      const { messages = [], response_metadata: more } = await history(channel, oldest, thread, cursor);
      const found = messages.find(({ metadata }) => isMarked(metadata, mark));
      if (found?.ts) return { channel, ts: found.ts };
      cursor = more?.next_cursor || undefined;
      if (!cursor) return null;
    }
    return null;
  }

  return {
    post,
    find,
    directChannel,
    async update(ref, message, priority = "ending") {
      const { text, blocks } = fitted(message);
      await pace.schedule(
        ref.channel,
        priority,
        () => call("chat.update", () => client.chat.update({ ...ref, text, blocks })),
        `${ref.channel}:${ref.ts}`,
      );
    },
    async postEphemeral(channel, user, message) {
      const { text, blocks } = fitted(message);
      await call("chat.postEphemeral", () => client.chat.postEphemeral({ channel, user, text, blocks }));
    },
    postDirectMessage: async (user, message) => post(await directChannel(user), message),
    async respond(url, message, { replace = false } = {}) {
      await postTo(url, {
        ...fitted(message),
        response_type: "ephemeral",
        replace_original: replace,
        unfurl_links: false,
      });
    },
    async deleteOriginal(url) {
      await postTo(url, { delete_original: true });
    },
    async upload(user, file, comment) {
      const channel = await directChannel(user);
      await call("files.uploadV2", () =>
        client.filesUploadV2({
          channel_id: channel,
          filename: file.name,
          content: file.content,
          initial_comment: comment,
        }),
      );
    },
    async download(id, mostBytes) {
      const { file } = await call("files.info", () => client.files.info({ file: id }));
      const url = file?.url_private_download;
      if (!url || !isSlacks(url, client.slackApiUrl)) throw new SlackRefused("files.info", "no_address");
      if ((file.size ?? 0) > mostBytes) throw new SlackRefused("files.info", "file_too_large");
      const answer = await fetch(url, {
        headers: { authorization: `Bearer ${client.token}` },
        redirect: "error",
        signal: AbortSignal.timeout(respondLimitMs),
      });
      if (!answer.ok) throw new SlackRefused("files.info", `status_${answer.status}`);
      try {
        return new TextDecoder("utf-8", { fatal: true }).decode(await answer.arrayBuffer());
      } catch (cause) {
        throw new SlackRefused("files.info", "not_text", { cause });
      }
    },
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
    waiting: pace.waiting,
  };
}

const historyPage = 200;
const mostHistoryPages = 5;
const clockTolerance = 2 * 60_000;

const eventType = "rackbell_news";

function metadataOf({ subject, slot }: Mark) {
  return { event_type: eventType, event_payload: { subject, slot } };
}

function isMarked(metadata: { event_type?: string; event_payload?: object } | undefined, mark: Mark): boolean {
  const payload = new Map(Object.entries(metadata?.event_payload ?? {}));
  return (
    metadata?.event_type === eventType && payload.get("subject") === mark.subject && payload.get("slot") === mark.slot
  );
}

function viewRef(opened: { view?: { id?: string; hash?: string } }): { id: string; hash: string } {
  return { id: opened.view?.id ?? "", hash: opened.view?.hash ?? "" };
}

function refusal(method: string, error: unknown): unknown {
  if (!(error instanceof WebAPIPlatformError)) return error;
  return new SlackRefused(method, error.data.error, { cause: error });
}

/** The bot's token goes to Slack alone, whatever address an answer names. */
function isSlacks(address: string, apiUrl: string): boolean {
  const url = new URL(address);
  if (url.origin === new URL(apiUrl).origin) return true;
  return url.protocol === "https:" && /\.slack(-gov)?\.com$/.test(url.hostname);
}

async function postTo(url: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json; charset=utf-8" };
  const { status, text } = await send(url, headers, JSON.stringify(body), respondLimitMs);
  if (status < 200 || status > 299) throw new SlackRefused("response_url", text.slice(0, 100));
}

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

export interface Chat {
  post(channel: string, message: Message, options?: { thread?: string; priority?: Priority }): Promise<MessageRef>;
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

const respondLimitMs = 10_000;

export function createChat({ client, clock, log }: { client: WebClient; clock: Clock; log: Logger }): Chat {
  const stopping = new AbortController();
  const pace = createRateLimiter(clock, stopping.signal);
  const directChannels = new Map<string, string>();

  /** One call of Slack's, repeated only where Slack itself said that it did nothing and when to come again. */
  async function call<T>(method: string, run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof WebAPIRateLimitedError)) throw refusal(method, error);
        log.warn({ method, seconds: error.retryAfter }, "Slack asks to slow down");
        await sleep(clock, error.retryAfter * 1000, stopping.signal);
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

  async function post(
    channel: string,
    message: Message,
    options: { thread?: string; priority?: Priority } = {},
  ): Promise<MessageRef> {
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
        }),
      ),
    );
    if (!posted?.ts || !posted.channel) throw new SlackRefused("chat.postMessage", "no_timestamp");
    return { channel: posted.channel, ts: posted.ts };
  }

  return {
    post,
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
    stop: () => stopping.abort(new Error("Rackbell is stopping, so Slack was not asked")),
  };
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

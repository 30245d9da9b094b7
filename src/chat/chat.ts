import { WebAPIPlatformError, WebAPIRateLimitedError, type WebClient } from "@slack/web-api";
import type { Logger } from "pino";
import { type Clock, sleep } from "../clock.ts";
import { fitted, type Message, type View } from "../views/blocks.ts";
import { createPace, type Priority } from "./pace.ts";

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
  whisper(channel: string, user: string, message: Message): Promise<void>;
  /** Posts in the app's direct messages with a member. */
  direct(user: string, message: Message): Promise<MessageRef>;
  /** Answers an interaction by its response URL (5 uses in 30 minutes). */
  respond(url: string, message: Message, options?: { replace?: boolean }): Promise<void>;
  /** Takes away the message that an interaction came from. */
  retract(url: string): Promise<void>;
  upload(user: string, file: { name: string; content: string }, comment: string): Promise<void>;
  openView(trigger: string, view: View): Promise<{ id: string; hash: string }>;
  pushView(trigger: string, view: View): Promise<{ id: string; hash: string }>;
  updateView(id: string, view: View, hash?: string): Promise<void>;
  publishHome(user: string, view: View): Promise<void>;
  waiting(): number;
}

const respondLimitMs = 10_000;

export function createChat({ client, clock, log }: { client: WebClient; clock: Clock; log: Logger }): Chat {
  const pace = createPace(clock);
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

  async function post(
    channel: string,
    message: Message,
    options: { thread?: string; priority?: Priority } = {},
  ): Promise<MessageRef> {
    const { text, blocks } = fitted(message);
    const posted = await pace.turn(channel, options.priority ?? "answer", () =>
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
      await pace.turn(
        ref.channel,
        priority,
        () => call("chat.update", () => client.chat.update({ ...ref, text, blocks })),
        `${ref.channel}:${ref.ts}`,
      );
    },
    async whisper(channel, user, message) {
      const { text, blocks } = fitted(message);
      await call("chat.postEphemeral", () => client.chat.postEphemeral({ channel, user, text, blocks }));
    },
    direct: async (user, message) => post(await directChannel(user), message),
    async respond(url, message, { replace = false } = {}) {
      await postTo(url, {
        ...fitted(message),
        response_type: "ephemeral",
        replace_original: replace,
        unfurl_links: false,
      });
    },
    async retract(url) {
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

function viewRef(opened: { view?: { id?: string; hash?: string } }): { id: string; hash: string } {
  return { id: opened.view?.id ?? "", hash: opened.view?.hash ?? "" };
}

function refusal(method: string, error: unknown): unknown {
  if (!(error instanceof WebAPIPlatformError)) return error;
  return new SlackRefused(method, error.data.error, { cause: error });
}

async function postTo(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(respondLimitMs),
  });
  const text = await answer.text();
  if (!answer.ok) throw new SlackRefused("response_url", text.slice(0, 100));
}

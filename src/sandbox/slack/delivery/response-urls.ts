import { refusedMessage } from "../blocks/message.ts";
import { isToBlame } from "../blocks/rollout.ts";
import { setBounded } from "../wire/bounded.ts";
import { newSecret } from "../wire/ids.ts";
import { flagAt, type Json, textAt } from "../wire/json.ts";
import { edit, messageAt, post, remove } from "../workspace/messages.ts";
import type { Workspace } from "../workspace/workspace.ts";

const uses = 5;
const lifetime = 30 * 60_000;

export interface ResponseUrl {
  user: string;
  channel: string;
  /** The message that was pressed; none for a command. */
  original: string | undefined;
  thread: string | undefined;
  expires: number;
  left: number;
}

export interface Responses {
  /** A new response URL's address: for a command, for a press in a message, or for a shortcut beside one, which has no `ts`: it can replace nothing. */
  issue(user: string, channel: string, from?: { ts?: string; thread_ts?: string | undefined }): string;
  /** The answer to a post to it. */
  answer(path: string, body: unknown): { status: number; error?: string };
  /** Shows the body of the acknowledgement of a command. */
  show(user: string, channel: string, body: Json): void;
  /** The addresses that were issued, from which another workspace can continue. */
  snapshot(): Map<string, ResponseUrl>;
  restore(urls: Map<string, ResponseUrl>): void;
}

/** Response URLs: 5 uses within 30 minutes by the clock. */
export function createResponses(workspace: Workspace): Responses {
  const issued = new Map<string, ResponseUrl>();

  function refuse(status: number, error: string, reasons: string[] = []): { status: number; error: string } {
    if (isToBlame(reasons, workspace.withoutBlocks))
      workspace.violations.push({ method: "response_url", error, reasons });
    return { status, error };
  }

  function use(url: ResponseUrl, body: Json): { status: number; error?: string } {
    const original = url.original === undefined ? undefined : messageAt(workspace, url.channel, url.original, url.user);
    if (flagAt(body, "delete_original")) {
      if (original) remove(workspace, original);
      return { status: 200 };
    }
    const wrong = refusedMessage(body, workspace.withoutBlocks);
    if (wrong) return refuse(wrong.status, wrong.error, wrong.reasons);
    // Only a press has an original: after a command Slack posts anew even with replace_original.
    if (flagAt(body, "replace_original") && url.original !== undefined) return replace(original, body);
    show(url, body);
    return { status: 200 };
  }

  function replace(original: ReturnType<typeof messageAt>, body: Json): { status: number; error?: string } {
    if (!original) return refuse(404, "message_not_found");
    edit(workspace, original, workspace.botUserId, { text: textAt(body, "text") ?? "", blocks: body.blocks });
    return { status: 200 };
  }

  function show(to: { user: string; channel: string; thread?: string | undefined }, body: Json): void {
    const channel = workspace.channels.get(to.channel);
    if (!channel) return;
    post(workspace, channel, {
      user: workspace.botUserId,
      text: textAt(body, "text") ?? "",
      blocks: body.blocks,
      thread_ts: textAt(body, "thread_ts") ?? to.thread,
      ...(body.response_type !== "in_channel" && { ephemeralTo: to.user }),
    });
  }

  return {
    issue(user, channel, from) {
      const path = `/${from ? "actions" : "commands"}/${workspace.teamId}/${newSecret(6)}/${newSecret(12)}`;
      const expires = workspace.clock.now() + lifetime;
      setBounded(issued, path, { user, channel, original: from?.ts, thread: from?.thread_ts, expires, left: uses });
      return `${workspace.url}${path}`;
    },
    answer(path, body) {
      const url = issued.get(path);
      if (!url) return refuse(404, "no_service");
      if (workspace.clock.now() > url.expires) return refuse(404, "expired_url");
      if (url.left === 0) {
        // An app that counts its uses never asks for this one.
        workspace.violations.push({ method: "response_url", error: "used_url", reasons: [] });
        return refuse(404, "used_url");
      }
      if (typeof body !== "object" || body === null) return refuse(400, "invalid_payload");
      const answer = use(url, { ...body });
      if (answer.status === 200) url.left -= 1;
      return answer;
    },
    show(user, channel, body) {
      const wrong = refusedMessage(body, workspace.withoutBlocks);
      if (wrong) refuse(wrong.status, wrong.error, wrong.reasons);
      else show({ user, channel }, body);
    },
    snapshot: () => structuredClone(issued),
    restore(urls) {
      for (const [path, url] of urls) issued.set(path, url);
    },
  };
}

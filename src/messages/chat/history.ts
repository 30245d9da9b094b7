import type { WebClient } from "@slack/web-api";
import type { Calling } from "./calling.ts";
import { SlackUnanswered } from "./errors.ts";

/** Metadata of a message by which it can be found in its channel again. */
export interface Mark {
  subject: string;
  slot: string;
}

const eventType = "rackbell_message";
const pageSize = 200;
const mostPages = 5;
/**
 * Another instance, or this one before its clock was corrected, may have dated the message. Such a clock is at most five minutes ahead:
 * beyond that Slack's signatures fail.
 */
const clockTolerance = 6 * 60_000;

export function metadataOf({ subject, slot }: Mark) {
  return { event_type: eventType, event_payload: { subject, slot } };
}

/**
 * Finds the app's own message with a mark, posted since `since` (milliseconds, by Slack's clock), in a channel or a thread. Resolves with
 * its `ts`, or null.
 */
export async function findMarked(
  { client, call }: { client: WebClient; call: Calling["call"] },
  where: { channel: string; since: number; thread?: string | undefined },
  mark: Mark,
): Promise<string | null> {
  const { channel, since, thread } = where;
  const oldest = String((since - clockTolerance) / 1000);
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const common = { channel, oldest, limit: pageSize, include_all_metadata: true };
    const query = cursor ? { ...common, cursor } : common;
    const { messages, response_metadata: more } =
      thread === undefined
        ? await call("conversations.history", () => client.conversations.history(query))
        : await call("conversations.replies", () => client.conversations.replies({ ...query, ts: thread }));
    // A history that is missing must not read as empty: the message would be posted again.
    if (!Array.isArray(messages))
      throw new SlackUnanswered("conversations.history", { maybeApplied: false, why: "Slack gives no messages" });
    const found = messages.find(({ metadata }) => isMarked(metadata, mark));
    if (found?.ts) return found.ts;
    cursor = more?.next_cursor || undefined;
    if (!cursor) return null;
  }
  return null;
}

function isMarked(metadata: { event_type?: string; event_payload?: object } | undefined, mark: Mark): boolean {
  const payload = new Map(Object.entries(metadata?.event_payload ?? {}));
  const same = payload.get("subject") === mark.subject && payload.get("slot") === mark.slot;
  return metadata?.event_type === eventType && same;
}

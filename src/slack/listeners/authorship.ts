import * as z from "#zod";

/** The fields of a message or mention that show its text and its author. Slack guarantees only those of the text. */
export const MessageFields = z.looseObject({
  channel: z.string(),
  user: z.string(),
  ts: z.string(),
  thread_ts: z.string().nullish(),
  text: z.string().nullish(),
  subtype: z.string().nullish(),
  client_msg_id: z.string().nullish(),
  edited: z.looseObject({ ts: z.string().nullish() }).nullish(),
  attachments: z.array(z.unknown()).nullish(),
  app_id: z.unknown().optional(),
  bot_id: z.unknown().optional(),
  bot_profile: z.unknown().optional(),
});
export type MessageFields = z.infer<typeof MessageFields>;

export const Mention = MessageFields.extend({ type: z.literal("app_mention") });
/** A message to the app alone. */
export const DirectMessage = MessageFields.extend({ type: z.literal("message"), channel_type: z.literal("im") });

/**
 * The author of a message. "unproven": probably a person's, but without the marks of Slack's own clients; a message with a file lacks
 * them, too. "another's": an app's, a workflow's, or no plain message.
 */
export type Authorship = "typed" | "unproven" | "edited" | "forwarded" | "another's";

/** Subtypes of a person's own messages. */
const personal = ["file_share", "thread_broadcast"];

/** An app with a member's user token posts as that member, so only a message that was surely typed may run. */
export function authorshipOf(message: MessageFields): Authorship {
  const { subtype, edited, attachments, client_msg_id: clientId } = message;
  const isApps = [message.app_id, message.bot_id, message.bot_profile].some((mark) => (mark ?? null) !== null);
  if (isApps || (subtype && !personal.includes(subtype))) return "another's";
  if (edited) return "edited";
  // A message has attachments only if it shares another message, or if an app made it.
  if (attachments && attachments.length > 0) return "forwarded";
  return clientId && !subtype ? "typed" : "unproven";
}

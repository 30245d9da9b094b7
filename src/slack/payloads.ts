import * as z from "#zod";
import { alertBlock } from "../alerts/view.ts";
import type { ActingUser } from "../members/identities/identities.ts";
import { noInteraction, type Origin, responseLife } from "../messages/origin.ts";

const View = z.looseObject({
  id: z.string(),
  hash: z.string().optional(),
  root_view_id: z.string().nullish(),
  previous_view_id: z.string().nullish(),
  type: z.string(),
  callback_id: z.string().default(""),
  title: z.object({ text: z.string() }).nullish(),
  blocks: z.array(z.object({ type: z.string(), block_id: z.string().nullish() })).default([]),
  private_metadata: z.string().default(""),
  state: z.looseObject({ values: z.unknown() }).nullish(),
});

export type OpenView = z.infer<typeof View>;

/** The fields that the app uses of a press or a choice in a message, a modal or the Home tab. */
export const ActionBody = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  channel: z.looseObject({ id: z.string() }).nullish(),
  container: z
    .looseObject({
      channel_id: z.string().nullish(),
      message_ts: z.string().nullish(),
      thread_ts: z.string().nullish(),
      is_ephemeral: z.boolean().nullish(),
    })
    .nullish(),
  view: View.nullish(),
  response_url: z.string().nullish(),
  trigger_id: z.string().default(""),
});
export type ActionBody = z.infer<typeof ActionBody>;

const Words = z.looseObject({ text: z.string() });

export const Pressed = z.looseObject({
  action_id: z.string(),
  block_id: z.string().default(""),
  value: z.string().nullish(),
  selected_option: z.looseObject({ value: z.string(), text: Words.nullish() }).nullish(),
  /** A button's words. */
  text: Words.nullish(),
});
export type Pressed = z.infer<typeof Pressed>;

export const SubmissionBody = z.looseObject({ user: z.looseObject({ id: z.string() }), view: View });

export const SuggestionBody = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  view: View.nullish(),
  action_id: z.string(),
  value: z.string().default(""),
});
export type SuggestionBody = z.infer<typeof SuggestionBody>;

/** The thread in which the pressed message is a reply. A thread's first message belongs to the channel, so null. */
export function threadOfPress({ container }: Pick<ActionBody, "container">): string | null {
  const thread = container?.thread_ts ?? null;
  return thread === container?.message_ts ? null : thread;
}

/** The `ts` of the alert that contains the pressed button, since its answers go to the alert's thread; else null. */
export function pressedAlert(
  { container }: Pick<ActionBody, "container">,
  { block_id: block }: Pressed,
): string | null {
  return block.startsWith(alertBlock) ? (container?.message_ts ?? null) : null;
}

/** True for the third of the three modals that Slack stacks. */
export function isFull({ root_view_id: root, previous_view_id: previous }: OpenView): boolean {
  return Boolean(previous) && previous !== root;
}

/** A view as Slack sends it back, with the acting user. */
export interface ShownView {
  id: string;
  hash?: string | undefined;
  private_metadata: string;
  state: unknown;
  /** The user in Slack's payload. */
  by: ActingUser;
}

const ElementValue = z.looseObject({
  value: z.string().nullish(),
  selected_date_time: z.number().nullish(),
  selected_option: z.looseObject({ value: z.string(), text: Words.nullish() }).nullish(),
  selected_options: z.array(z.looseObject({ value: z.string() })).nullish(),
  selected_conversation: z.string().nullish(),
  selected_conversations: z.array(z.string()).nullish(),
  selected_user: z.string().nullish(),
  files: z.array(z.looseObject({ id: z.string(), name: z.string().nullish() })).nullish(),
});
export type ElementValue = z.infer<typeof ElementValue>;

/** The values of a modal, by the ids of block and action. */
export const ViewState = z.record(z.string(), z.record(z.string(), ElementValue));

/** The value of a modal's only field, whose action id is "value". */
export function onlyValue({ state }: Pick<ShownView, "state">, block: string): ElementValue | undefined {
  return ViewState.safeParse(state).data?.[block]?.value;
}

/** The parts of a view that forms read: its metadata, its values, and the user in the payload. */
export function shownView(view: z.infer<typeof View>, by: ActingUser): ShownView {
  const { id, hash, private_metadata, state } = view;
  return { id, hash, private_metadata, state: state?.values ?? {}, by };
}

/**
 * A view's metadata with the payload's user in it. The metadata (`private_metadata`) knows where the view was opened, but must not decide
 * who acts: the view of another member would then run with that member's key.
 */
export function actedBy<M extends { origin: Origin }>(memory: M, { member, slackUser }: ActingUser): M {
  const { origin } = memory;
  if (origin.member === member) return memory;
  // Its response URL would show this member's answer to the other one.
  return { ...memory, origin: { ...origin, member, slackUser, responseUrl: null, view: null } };
}

export function originOf(
  who: Pick<Origin, "member" | "slackUser" | "channel" | "responseUrl"> &
    Partial<Pick<Origin, "pressed" | "public" | "thread" | "alert" | "home" | "view">>,
  now: number,
): Origin {
  return { ...noInteraction, ...who, until: now + responseLife };
}

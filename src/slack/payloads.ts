import * as z from "zod";
import type { Origin } from "../engine/answers/origin.ts";
import { responseLife } from "../engine/answers/origin.ts";

const View = z.looseObject({
  id: z.string(),
  hash: z.string().optional(),
  root_view_id: z.string().nullish(),
  previous_view_id: z.string().nullish(),
  type: z.string(),
  callback_id: z.string().default(""),
  private_metadata: z.string().default(""),
  state: z.looseObject({ values: z.unknown() }).nullish(),
});

export type OpenView = z.infer<typeof View>;

/** What the app reads of a press or a choice, in a message, a modal or on the Home tab. */
export const ActionBody = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  channel: z.looseObject({ id: z.string() }).nullish(),
  container: z
    .looseObject({
      channel_id: z.string().nullish(),
      message_ts: z.string().nullish(),
      thread_ts: z.string().nullish(),
    })
    .nullish(),
  view: View.nullish(),
  response_url: z.string().nullish(),
  trigger_id: z.string().default(""),
});
export type ActionBody = z.infer<typeof ActionBody>;

export const Pressed = z.looseObject({
  action_id: z.string(),
  value: z.string().nullish(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
});

export const SubmissionBody = z.looseObject({ user: z.looseObject({ id: z.string() }), view: View });

export const SuggestionBody = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  view: View.nullish(),
  action_id: z.string(),
  value: z.string().default(""),
});
export type SuggestionBody = z.infer<typeof SuggestionBody>;

/** The thread that the pressed message is a reply in; the first message of a thread stands in the channel. */
export function threadOf({ container }: Pick<ActionBody, "container">): string | null {
  const thread = container?.thread_ts ?? null;
  return thread === container?.message_ts ? null : thread;
}

/** Whether it is the third modal of the three that Slack stacks. */
export function isFull({ root_view_id: root, previous_view_id: previous }: OpenView): boolean {
  return Boolean(previous) && previous !== root;
}

/** A view as the forms read it: its memory and what is filled in. */
export function formOf(view: z.infer<typeof View>): {
  id: string;
  hash?: string | undefined;
  private_metadata: string;
  state: unknown;
} {
  const { id, hash, private_metadata, state } = view;
  return { id, hash, private_metadata, state: state?.values ?? {} };
}

export function originOf(
  who: Pick<Origin, "member" | "slackUser" | "channel" | "responseUrl"> &
    Partial<Pick<Origin, "pressed" | "thread" | "home" | "view">>,
  now: number,
): Origin {
  return { pressed: false, thread: null, home: false, view: null, ...who, until: now + responseLife };
}

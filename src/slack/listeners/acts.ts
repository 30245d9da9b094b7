import * as z from "#zod";
import { answerCallback, placeOfAnswer } from "../../messages/answer-view.ts";
import { outsidePrefix } from "../../messages/answers/buttons.ts";
import { isDirect, Origin } from "../../messages/origin.ts";
import { readJson } from "../../process/json.ts";
import { requestActions } from "../../requests/actions.ts";
import { readControl } from "../../requests/shown-facts.ts";
import { code, escapeText } from "../../views/text.ts";
import { readCommand } from "../command/language.ts";
import { shortcuts } from "../manifest.ts";
import {
  ActionBody,
  actedBy,
  isFull,
  originOf,
  Pressed,
  pressedAlert,
  SubmissionBody,
  threadOfPress,
} from "../payloads.ts";
import type { MemberAct } from "../pending-acts.ts";
import type { ListenerApp } from "../slack-app.ts";
import { authorshipOf, DirectMessage, Mention } from "./authorship.ts";
import { originOfMessage, withoutMention } from "./typed.ts";

type Acting = Pick<ListenerApp, "clock" | "memberOf" | "appUser">;

const Command = z.looseObject({
  command: z.string(),
  text: z.string().default(""),
  user_id: z.string(),
  channel_id: z.string(),
  response_url: z.string(),
});
const Press = ActionBody.extend({ type: z.literal("block_actions"), actions: z.array(Pressed) });
const Submission = SubmissionBody.extend({ type: z.literal("view_submission") });
const Shortcut = z.looseObject({
  callback_id: z.enum([shortcuts.act.callback_id, shortcuts.find.callback_id]),
  user: z.looseObject({ id: z.string() }),
  channel: z.looseObject({ id: z.string() }).nullish(),
  response_url: z.string().nullish(),
});
const TypedMessage = z.looseObject({ event: z.union([Mention, DirectMessage]) });
/** The metadata of the forms that know where they were opened, and which request they are about. */
const FormMetadata = z.object({ origin: Origin, request: z.string().nullable().default(null) });

/** The act in a payload of Slack's, whose member waits for an answer; null in any other payload. */
export function actIn(acting: Acting, body: unknown): MemberAct | null {
  for (const read of [inCommand, inPress, inSubmission, inMessage, inShortcut]) {
    const act = read(acting, body);
    if (act) return act;
  }
  return null;
}

function inCommand({ clock, memberOf }: Acting, body: unknown): MemberAct | null {
  const parsed = Command.safeParse(body);
  if (!parsed.success) return null;
  const { command, text, user_id: user, channel_id: channel, response_url: responseUrl } = parsed.data;
  const origin = originOf({ member: memberOf(user), slackUser: user, channel, responseUrl }, clock.now());
  return { origin, kind: "command", label: code(`${command} ${wordsOf(text)}`.trim(), 200), request: null };
}

/** A typed text without the values in it, some of which may be secrets. */
function wordsOf(text: string): string {
  return readCommand(text).words.join(" ");
}

function inPress(acting: Acting, body: unknown): MemberAct | null {
  const parsed = Press.safeParse(body);
  const pressed = parsed.data?.actions[0];
  // A link button opens a URL; the app has nothing to do.
  if (!parsed.success || !pressed || pressed.action_id.startsWith(outsidePrefix)) return null;
  const { action_id: id, value, text, selected_option: selected } = pressed;
  const words = selected?.text?.text ?? text?.text ?? "a button";
  return {
    origin: originOfPress(acting, parsed.data, pressed),
    kind: "press",
    label: bold(words),
    request: deciding.has(id) && value ? readControl(value).id : null,
  };
}

const deciding = new Set(Object.entries(requestActions).flatMap(([id, decides]) => (decides ? [id] : [])));

/** The origin of a press: the member, and the place for its answer. */
export function originOfPress({ clock, memberOf }: Acting, body: ActionBody, pressed: Pressed): Origin {
  const { user, channel, container, view, response_url: responseUrl = null } = body;
  const inAnswer = view?.callback_id === answerCallback;
  const place = inAnswer ? placeOfAnswer(view.private_metadata) : null;
  return originOf(
    {
      member: memberOf(user.id),
      slackUser: user.id,
      channel: place ? place.channel : (channel?.id ?? container?.channel_id ?? null),
      thread: place ? place.thread : threadOfPress(body),
      alert: pressedAlert(body, pressed),
      responseUrl,
      pressed: true,
      public: isPublicMessage(body),
      home: view?.type === "home" || (inAnswer && place === null),
      view: inAnswer ? { id: view.id, full: isFull(view) } : null,
    },
    clock.now(),
  );
}

/** The response URL of a press would replace a message that all of a channel see. Slack says of those alone that they are not ephemeral. */
function isPublicMessage({ channel, container }: ActionBody): boolean {
  const id = channel?.id ?? container?.channel_id ?? null;
  return Boolean(container?.message_ts) && container?.is_ephemeral !== true && !isDirect({ channel: id });
}

function inSubmission({ clock, memberOf }: Acting, body: unknown): MemberAct | null {
  const parsed = Submission.safeParse(body);
  if (!parsed.success) return null;
  const { view, user } = parsed.data;
  const by = { member: memberOf(user.id), slackUser: user.id };
  const metadata = FormMetadata.safeParse(readJson(view.private_metadata)).data;
  const known = metadata && actedBy(metadata, by);
  return {
    origin: known?.origin ?? originOf({ ...by, channel: null, responseUrl: null }, clock.now()),
    kind: "form",
    label: bold(view.title?.text ?? "a form"),
    request: known?.request ?? null,
  };
}

function inMessage(acting: Acting, body: unknown): MemberAct | null {
  const message = TypedMessage.safeParse(body).data?.event;
  if (!message || authorshipOf(message) === "another's") return null;
  const typed = withoutMention(acting.appUser, message.text ?? "");
  // A message that only mentions the app is no command.
  if (typed === null && message.type === "app_mention") return null;
  const words = wordsOf(typed ?? message.text ?? "");
  const origin = originOfMessage(acting, message);
  return { origin, kind: "command", label: code(words === "" ? "your message" : words, 200), request: null };
}

function inShortcut({ clock, memberOf }: Acting, body: unknown): MemberAct | null {
  const parsed = Shortcut.safeParse(body);
  if (!parsed.success) return null;
  const { user, channel, callback_id: id, response_url: responseUrl = null } = parsed.data;
  const by = { member: memberOf(user.id), slackUser: user.id, channel: channel?.id ?? null, responseUrl };
  const name = Object.values(shortcuts).find(({ callback_id }) => callback_id === id)?.name ?? "a shortcut";
  return { origin: originOf(by, clock.now()), kind: "press", label: bold(name), request: null };
}

function bold(words: string): string {
  return `*${escapeText(words)}*`;
}

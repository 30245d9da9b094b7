import { globalShortcutPayload, messageShortcutPayload } from "../delivery/payloads.ts";
import type { Shortcut } from "../workspace/manifest.ts";
import type { User } from "../workspace/users.ts";
import type { Message, Workspace } from "../workspace/workspace.ts";
import { interact, type SlackContext } from "./composer.ts";
import { ShownError } from "./shown-error.ts";

/** Chooses a shortcut of the app's beside a message. */
export async function chooseByMessage(
  context: SlackContext,
  user: User,
  callbackId: string,
  message: Message,
): Promise<void> {
  const { workspace, triggers, responses } = context;
  const shortcut = shortcutOf(workspace, callbackId, "message");
  // A message for one person alone has no such menu.
  if (message.ephemeralTo !== undefined)
    throw new ShownError("not_found", "There are no shortcuts beside what only you see.");
  const common = {
    trigger_id: triggers.issue(user.id),
    response_url: responses.issue(user.id, message.channel, { thread_ts: message.thread_ts }),
  };
  await interact(context, messageShortcutPayload(workspace, user, callbackId, message, common), failureOf(shortcut));
}

/** Chooses a shortcut of the app's that is offered everywhere. */
export async function chooseAnywhere(context: SlackContext, user: User, callbackId: string): Promise<void> {
  const { workspace, triggers } = context;
  const shortcut = shortcutOf(workspace, callbackId, "global");
  const common = { trigger_id: triggers.issue(user.id) };
  await interact(context, globalShortcutPayload(workspace, user, callbackId, common), failureOf(shortcut));
}

function shortcutOf({ manifest }: Workspace, callbackId: string, type: Shortcut["type"]): Shortcut {
  const known = manifest?.shortcuts.find((one) => one.callback_id === callbackId && one.type === type);
  if (!known) throw new ShownError("not_found", `The app has no shortcut ${callbackId}.`);
  return known;
}

function failureOf({ name }: Shortcut): (error: string) => string {
  return (error) => `"${name}" failed with the error "${error}".`;
}

import type { Chat } from "../chat/chat.ts";
import { outsideButton } from "../notifications/answers/buttons.ts";
import type { Origin } from "../notifications/origin.ts";
import { revealSecrets, type SecretGone, type SecretsApp } from "../notifications/secrets.ts";
import type { Secret } from "../operation/answer.ts";
import { actions, type Block, context, plain, section, type View } from "../views/blocks.ts";
import { labelled } from "../views/labels.ts";
import { limits } from "../views/limits.ts";
import { escapeText, prose } from "../views/text.ts";
import { noticeView } from "./forms/form-view.ts";

export const revealCallback = "reveal";

/** Shows a one-time secret in a modal, to its requester alone. It is erased when they confirm that they have it. */
export async function reveal(
  app: SecretsApp & { chat: Chat },
  id: string,
  origin: Origin,
  trigger: string,
): Promise<void> {
  const found = await revealSecrets(app, id, origin.member);
  const view = "gone" in found ? noticeView("Gone", goneWords[found.gone]) : revealView(id, found);
  await app.chat.openView(trigger, view, origin.view);
}

function revealView(id: string, found: { title: string; secrets: Secret[] }): View {
  const blocks: Block[] = found.secrets.flatMap(({ label, value, link = false }) => [
    // A code block makes the password easy to copy; escape it, but keep a backtick as it is.
    section(`*${prose(secretWords(label), 100)}*\n\`\`\`${escapeText(value)}\`\`\``),
    ...(link && /^https:\/\//.test(value) ? actions(outsideButton("Open it", value)) : []),
  ]);
  return {
    type: "modal",
    callback_id: revealCallback,
    private_metadata: id,
    title: plain("Shown once", limits.view.title),
    submit: plain("I have it: erase", limits.view.submit),
    close: plain("Close", limits.view.close),
    blocks: [
      section(found.title),
      ...blocks,
      context("Closing keeps it for the rest of its hour; “I have it” erases it now."),
    ],
  };
}

/** Each reason has a sentence of its own, so that nobody looks for a fault that is none. */
const goneWords = {
  noted: "You acknowledged this secret, so Rackbell deleted it. Set a new password if you need one.",
  expired: "This secret's time is over, so Rackbell deleted it. Set a new password if you need one.",
  "not yours": "This secret is for somebody else.",
  unknown: "Rackbell no longer knows this secret. Set a new password if you need one.",
} as const satisfies Record<SecretGone, string>;

/** The platform's own name of a field, such as `sftp_password`, in words. A variable's name stays as its owner wrote it. */
function secretWords(label: string): string {
  return label.replace(/(?<![\w.])[a-z][a-z\d]*(?:[_.][a-z\d]+|[A-Z][a-z\d]*)+$/, (field) => labelled(field).label);
}

import { outsideButton } from "../messages/answers/buttons.ts";
import type { Chat } from "../messages/chat/chat.ts";
import type { Origin } from "../messages/origin.ts";
import { revealSecrets, type SecretGone, type SecretsApp, secretWords } from "../messages/secrets.ts";
import type { Secret } from "../operation/answer.ts";
import { type PlainText, plainly } from "../process/plain-text.ts";
import { actions, type Block, context, plain, section, type View } from "../views/blocks.ts";
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
  const view = "gone" in found ? goneView(found.gone) : revealView(id, found);
  await app.chat.openView(trigger, view, origin.view);
}

/** The modal in the place of a secret that the member cannot have. */
export function goneView(gone: SecretGone): View {
  return noticeView("Gone", goneWords[gone]);
}

/**
 * The modal of a secret: all of it, a long value in parts. If not everything fits, it names the rest, and no button erases anything: an
 * erased secret that nobody has read is lost.
 */
export function revealView(id: string, found: { title: string; secrets: Secret[] }): View {
  const parts = found.secrets.flatMap(partsOf);
  const shown: Part[] = [];
  // The title, and the context below.
  const left = { blocks: limits.view.blocks - 2, text: limits.view.allText - 2 * limits.section.text };
  for (const part of parts) {
    left.blocks -= part.blocks.length;
    left.text -= part.length;
    if (left.blocks < 0 || left.text < 0) break;
    shown.push(part);
  }
  const missing = parts.slice(shown.length);
  const view = {
    type: "modal",
    callback_id: revealCallback,
    private_metadata: id,
    title: plain("Shown once", limits.view.title),
    close: plain("Close", limits.view.close),
  } as const;
  const blocks = [section(found.title), ...shown.flatMap(({ blocks }) => blocks)];
  if (missing.length === 0)
    return {
      ...view,
      submit: plain("I have it: erase", limits.view.submit),
      blocks: [
        ...blocks,
        context("Closing keeps Rackbell's copy for the rest of its hour; “I have it” erases it now."),
      ],
    };
  const names = missing.map(({ name }) => prose(name, 100)).join(", ");
  return {
    ...view,
    blocks: [
      ...blocks,
      section(`:warning: *${missing.length} of ${parts.length} do not fit here.* Set these anew: ${names}`),
    ],
  };
}

interface Part {
  name: PlainText;
  blocks: Block[];
  /** The characters of its blocks. */
  length: number;
}

/** A value as code blocks, which make it easy to copy. */
function partsOf({ label, value, link = false }: Secret): Part[] {
  const isLink = link && /^https:\/\//.test(value);
  const pieces = inPieces(value);
  return pieces.map((piece, at) => {
    const name =
      pieces.length > 1 ? plainly`${secretWords(label)}, part ${at + 1} of ${pieces.length}` : secretWords(label);
    // Escape it, but keep a backtick as it is.
    const shown = section(`*${prose(name, 100)}*\n\`\`\`${escapeText(piece)}\`\`\``);
    const blocks = [shown, ...(isLink ? actions(outsideButton("Open it", value)) : [])];
    return { name, blocks, length: JSON.stringify(blocks).length };
  });
}

/** After escaping: below the limit of a section, with room for the name and the marks. */
const mostInPiece = limits.section.text - 300;

/** The value in pieces that fit after escaping, each up to the end of a line where it has one: a PEM is then joined line by line. */
function inPieces(value: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  let size = 0;
  for (const character of value) {
    const more = escapeText(character).length;
    if (size + more > mostInPiece) {
      const end = piece.lastIndexOf("\n") + 1 || piece.length;
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
      size = escapeText(piece).length;
    }
    piece += character;
    size += more;
  }
  return [...pieces, piece];
}

/** Each reason has a sentence of its own, so that nobody looks for a fault that is none. */
const goneWords = {
  noted: "You acknowledged this secret, so Rackbell erased it. Set a new password if you need one.",
  expired: "This secret's time is over, so Rackbell erased it. Set a new password if you need one.",
  "not yours": "This secret is for somebody else.",
  unknown: "Rackbell no longer knows this secret. Set a new password if you need one.",
} as const satisfies Record<SecretGone, string>;

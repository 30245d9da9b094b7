import { passkeyLinkMessage } from "../../../messages/answers/answers.ts";
import type { Manner } from "../../../passkeys/links.ts";
import type { Message } from "../../../views/blocks.ts";
import { type Request, titleOf } from "../../request.ts";

/** The answer to a press that needs a passkey: a link to the page, for the presser alone. */
export function passkeyMessage(request: Request, manner: Manner, url: string): Message {
  const act = manner.override === undefined ? (request.mode === "peer" ? "approve" : "confirm") : "override";
  const text = `:key: *${titleOf(request)}* asks for your passkey. Open the page, read it, and ${act} there. Until then nothing is decided.`;
  return passkeyLinkMessage(text, url, "once, and for five minutes");
}

/** One line below a waiting request that needs a passkey. */
export const passkeyNote = ":key: This needs a passkey: the button opens a page that asks for it.";

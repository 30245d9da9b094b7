import { isUtf8 } from "node:buffer";
import type { Chat } from "../../chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "../../chat/errors.ts";
import { Refusal } from "../../operation/errors.ts";
import type { FormValues } from "../../operation/wizard.ts";
import { bytes } from "../../views/format.ts";
import { noFilesTaken } from "../../views/plain.ts";
import { code } from "../../views/text.ts";
import type { AttachedFile } from "./wizard-view.ts";

/** Bytes. No user data is larger (customer spec section 2.8: 65,536 characters of up to four bytes). */
const mostText = 4 * 65_536;

/** Bytes per file in any form, as the platform's own limit (reseller spec section 8). */
const mostBytes = 4 * 1024 * 1024;

/** The texts of files in a wizard, by field. Throws Refusal with the name of a file that was not accepted, and the reason. */
export async function readFileTexts(chat: Chat, files: AttachedFile[]): Promise<FormValues> {
  const found: FormValues = {};
  for (const file of files) {
    const content = await contentOf(chat, file, mostText, "what may be sent with an order (65,536 characters)");
    found[file.field] = { name: file.name, content: textOf(file, content) };
  }
  return found;
}

/** The contents of files in a form, in base64, by field. Throws Refusal with the name of a file that was not accepted, and the reason. */
export async function readFiles(chat: Chat, files: AttachedFile[]): Promise<FormValues> {
  const found: FormValues = {};
  for (const file of files) {
    const content = await contentOf(chat, file, mostBytes, bytes(mostBytes));
    found[file.field] = { name: file.name, content: content.toString("base64") };
  }
  return found;
}

async function contentOf(chat: Chat, { id, name }: AttachedFile, most: number, words: string): Promise<Buffer> {
  try {
    return await chat.download(id, most);
  } catch (error) {
    if (!(error instanceof SlackRefused || error instanceof SlackUnanswered)) throw error;
    const reason = error instanceof SlackRefused ? error.reason : "";
    if (reason === "missing_scope") throw new Refusal(`${code(name)} was not taken. ${noFilesTaken}`);
    throw notTaken(name, reason === "file_too_large" ? `it is larger than ${words}.` : "Slack did not hand it over.");
  }
}

function textOf({ name }: AttachedFile, content: Buffer): string {
  if (!isUtf8(content)) throw notTaken(name, "it is not plain text.");
  return new TextDecoder().decode(content);
}

function notTaken(name: string, why: string): Refusal {
  return new Refusal(`The file ${code(name)} was not taken: ${why} Take it out or choose another.`);
}

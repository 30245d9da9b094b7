import type { Chat } from "../../messages/chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "../../messages/chat/errors.ts";
import { Refusal } from "../../operation/errors.ts";
import { bytes } from "../../views/format.ts";
import { noFilesTaken } from "../../views/plain.ts";
import { code } from "../../views/text.ts";
import { ViewState } from "../payloads.ts";
import type { FormFile } from "./submission.ts";

/** A file in a field; its content is still at Slack. */
export interface AttachedFile {
  field: string;
  id: string;
  name: string;
}

export function filesIn(state: unknown): AttachedFile[] {
  return Object.entries(ViewState.parse(state)).flatMap(([field, elements]) =>
    Object.values(elements).flatMap(({ files }) =>
      (files ?? []).map(({ id, name }) => ({ field, id, name: name ?? "file" })),
    ),
  );
}

/** Bytes per file in any form, as the platform's own limit (reseller spec section 8). */
const mostBytes = 4 * 1024 * 1024;

/** The contents of files in a form, in base64, by field. Throws Refusal with the name of a file that was not accepted, and the reason. */
export async function readFiles(chat: Chat, files: AttachedFile[]): Promise<Record<string, FormFile>> {
  const found: Record<string, FormFile> = {};
  for (const file of files) {
    const content = await readContent(chat, file);
    found[file.field] = { name: file.name, content: content.toString("base64") };
  }
  return found;
}

async function readContent(chat: Chat, { id, name }: AttachedFile): Promise<Buffer> {
  try {
    return await chat.download(id, mostBytes);
  } catch (error) {
    if (!(error instanceof SlackRefused || error instanceof SlackUnanswered)) throw error;
    const reason = error instanceof SlackRefused ? error.reason : "";
    if (reason === "missing_scope") throw new Refusal(`${code(name)} was not taken. ${noFilesTaken}`);
    throw notTaken(
      name,
      reason === "file_too_large" ? `it is larger than ${bytes(mostBytes)}.` : "Slack did not hand it over.",
    );
  }
}

function notTaken(name: string, why: string): Refusal {
  return new Refusal(`The file ${code(name)} was not taken: ${why} Take it out or choose another.`);
}

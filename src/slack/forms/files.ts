import type { Chat } from "../../chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "../../chat/errors.ts";
import { Refusal } from "../../operation/errors.ts";
import type { FormValues } from "../../operation/wizard.ts";
import { code } from "../../views/text.ts";
import type { Attached } from "./wizard-view.ts";

/** A file of more than this is no user data (customer spec section 2.8: 65,536 characters of up to four bytes). */
const mostBytes = 4 * 65_536;

const notTaken: Record<string, string> = {
  file_too_large: "it is larger than what may be sent with an order (65,536 characters).",
  not_text: "it is not plain text.",
};

/** The contents of files that were put into a form, by field; a Refusal says which one was not taken, and why. */
export async function readFiles(chat: Chat, files: Attached[]): Promise<FormValues> {
  const found: FormValues = {};
  for (const { field, id, name } of files) {
    try {
      found[field] = { name, content: await chat.download(id, mostBytes) };
    } catch (error) {
      if (!(error instanceof SlackRefused || error instanceof SlackUnanswered)) throw error;
      const reason = error instanceof SlackRefused ? error.reason : "";
      const why = notTaken[reason] ?? "Slack did not hand it over.";
      throw new Refusal(`The file ${code(name)} was not taken: ${why} Take it out or choose another.`);
    }
  }
  return found;
}

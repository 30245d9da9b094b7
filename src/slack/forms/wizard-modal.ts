import { errorText } from "../../access/error-text.ts";
import { SlackRefused } from "../../chat/errors.ts";
import type { View } from "../../views/blocks.ts";
import type { SlackApp } from "../slack-app.ts";
import { noticeView } from "./form-view.ts";
import type { OpenWizard } from "./wizard-view.ts";

type Showing = Pick<SlackApp, "chat" | "clock" | "log">;

export async function showPage({ chat }: Showing, open: OpenWizard, view: View): Promise<void> {
  try {
    await chat.updateView(open.viewId, view, open.hash);
  } catch (error) {
    // If the member has closed the form or moved on, there is nobody to notify.
    const over = error instanceof SlackRefused && (error.reason === "not_found" || error.reason === "hash_conflict");
    if (!over) throw error;
  }
}

/** Runs `work` for a page, and shows an error of it in the modal. */
export async function inWizard(app: Showing, open: OpenWizard, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await showPage(app, open, noticeView(open.operation.phrase, pageError(app, open, error)));
  }
}

/** Logs an error, and returns its sentence for the member. */
export function pageError({ clock, log }: Showing, open: OpenWizard, error: unknown): string {
  log.warn({ err: error, command: open.operation.command }, "A page was answered with a sentence");
  return errorText(error, clock.now()).text;
}

import type { Logger } from "pino";
import { errorText } from "../../access/error-text.ts";
import type { Chat } from "../../chat/chat.ts";
import { SlackRefused } from "../../chat/errors.ts";
import type { Clock } from "../../clock.ts";
import type { View } from "../../views/blocks.ts";
import { noticeView } from "./form-view.ts";
import type { OpenWizard } from "./wizard-view.ts";

/** The modal of an open wizard. */
export interface WizardModal {
  show(open: OpenWizard, view: View): Promise<void>;
  /** Runs `work` for a page, and shows an error of it in the modal. */
  inModal(open: OpenWizard, work: () => Promise<void>): Promise<void>;
  /** Logs an error, and returns its sentence for the member. */
  sentence(open: OpenWizard, error: unknown): string;
}

export function createWizardModal({ chat, clock, log }: { chat: Chat; clock: Clock; log: Logger }): WizardModal {
  async function show(open: OpenWizard, view: View): Promise<void> {
    try {
      await chat.updateView(open.viewId, view, open.hash);
    } catch (error) {
      // If the member has closed the form or moved on, there is nobody to notify.
      const over = error instanceof SlackRefused && (error.reason === "not_found" || error.reason === "hash_conflict");
      if (!over) throw error;
    }
  }

  function sentence(open: OpenWizard, error: unknown): string {
    log.warn({ err: error, command: open.operation.command }, "A page was answered with a sentence");
    return errorText(error, clock.now()).text;
  }

  return {
    show,
    sentence,
    async inModal(open, work) {
      try {
        await work();
      } catch (error) {
        await show(open, noticeView(open.operation.verb, sentence(open, error)));
      }
    },
  };
}

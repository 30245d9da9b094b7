import type { Logger } from "pino";
import type { Chat } from "../../chat/chat.ts";
import { SlackRefused } from "../../chat/errors.ts";
import type { Clock } from "../../clock.ts";
import { errorText } from "../../engine/answers/error-text.ts";
import type { View } from "../../views/blocks.ts";
import { noticeView } from "./form-view.ts";
import type { OpenWizard } from "./wizard-view.ts";

/** The modal that a wizard is open in. */
export interface WizardModal {
  show(open: OpenWizard, view: View): Promise<void>;
  /** Runs what a page needs; whatever goes wrong is told in the modal, where the member looks. */
  inModal(open: OpenWizard, work: () => Promise<void>): Promise<void>;
  /** What went wrong, as a sentence, having logged it. */
  sentence(open: OpenWizard, error: unknown): string;
}

export function createWizardModal({ chat, clock, log }: { chat: Chat; clock: Clock; log: Logger }): WizardModal {
  async function show(open: OpenWizard, view: View): Promise<void> {
    try {
      await chat.updateView(open.viewId, view, open.hash);
    } catch (error) {
      // The member may have closed the form meanwhile, or gone on; then there is nobody to tell.
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

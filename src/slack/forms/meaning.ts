import { randomUUID } from "node:crypto";
import * as z from "#zod";
import { admit } from "../../members/access/access.ts";
import { SlackRefused } from "../../messages/chat/errors.ts";
import type { Origin } from "../../messages/origin.ts";
import { isGiven } from "../../operation/act-input.ts";
import { aloneWords, InputError } from "../../operation/errors.ts";
import type { AppOperation } from "../../operation/operation.ts";
import type { AppContext } from "../../operations/app-context.ts";
import { sleep } from "../../process/clock.ts";
import { defineKind } from "../../storage/kind.ts";
import type { View } from "../../views/blocks.ts";
import { prose } from "../../views/text.ts";
import type { ShownView } from "../payloads.ts";
import type { SlackApp } from "../slack-app.ts";
import { actorBeforeRun } from "./faults.ts";
import { type AttachedFile, readFiles } from "./submission.ts";

/** Milliseconds. The form must not wait for a slow platform. */
const meaningLimit = 2_000;

/** The sentence that the values of a form mean, or the fault of a given value; null if they mean nothing yet or it takes too long. */
export async function readMeaning(
  { clock, context, log, chat }: SlackApp,
  operation: AppOperation<AppContext>,
  { values, files }: { values: Record<string, unknown>; files: AttachedFile[] },
  origin: Origin,
): Promise<string | null> {
  const read = async () => {
    const accepted = operation.accept({ ...values, ...(await readFiles(chat, files)) });
    if ("error" in accepted) throw accepted.error;
    await admit(context, origin.slackUser);
    return (await operation.preview?.({ context, actor: actorBeforeRun(origin), input: accepted.input })) ?? null;
  };
  const words = read().catch((error: unknown) => {
    if (!(error instanceof InputError)) {
      log.debug({ err: error }, "The meaning of a form could not be read");
      return null;
    }
    const wrong = error.fields.find(({ field }) => isGiven(values[field]));
    return wrong ? `:x: ${prose(aloneWords(wrong))}` : null;
  });
  return Promise.race([words, sleep(clock, meaningLimit).then(() => null)]);
}

/** The last press in each view. All instances share it: two presses in one form may come to two of them. */
const formTurns = defineKind({
  name: "turn of a form",
  namespace: "form-turns",
  schema: z.string(),
  ttlMs: 10 * 60_000,
  lasts: "memory",
});

/** Slack's codes for a view that was closed or sent meanwhile, and for one that another press has changed. */
const gone = ["not_found", "hash_conflict"];

/**
 * Replaces an open view as its last press wants it. A form that was closed or sent meanwhile shows nothing. `refused`: shown in place of a
 * view that Slack does not take; without it the form stays as it is.
 */
export async function showNewest(
  { chat, log, context: { store } }: SlackApp,
  view: ShownView,
  read: () => Promise<View>,
  refused?: (error: unknown) => View,
): Promise<void> {
  const turns = store.keyv(formTurns);
  const turn = randomUUID();
  // Without the store nobody knows of another press, and this one must not stay unanswered.
  const unknown = (error: unknown) => void log.warn({ err: error }, "The last press in a form is not known");
  const isNewest = async () => ((await turns.get(view.id).catch(unknown)) ?? turn) === turn;
  await turns.set(view.id, turn).catch(unknown);
  try {
    const next = await read();
    if (!(await isNewest())) return;
    await chat.updateView(view.id, next, view.hash).catch(async (error: unknown) => {
      // The update for the press before this one came between: this one knows its values, too.
      const isBehind = error instanceof SlackRefused && error.reason === "hash_conflict" && (await isNewest());
      if (!isBehind) throw error;
      return chat.updateView(view.id, next);
    });
  } catch (error) {
    if (!(error instanceof SlackRefused) || gone.includes(error.reason)) {
      log.debug({ err: error }, "The meaning of a form could not be shown");
      return;
    }
    log.warn({ err: error }, "Slack refuses the view of a form");
    if (refused && (await isNewest()))
      await chat
        .updateView(view.id, refused(error))
        .catch((second: unknown) => log.debug({ err: second }, "The reason could not be shown either"));
  }
}

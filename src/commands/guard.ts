import { AsyncLocalStorage } from "node:async_hooks";
import type { Links } from "../members/identities/link.ts";
import { type ErrorActions, errorAnswer, withProjectNote } from "../messages/answers/answers.ts";
import { type ErrorText, errorText, isRefused } from "../messages/answers/error-text.ts";
import { offerTo } from "../messages/answers/offer.ts";
import type { Origin } from "../messages/origin.ts";
import { failedTarget } from "../operation/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import { code } from "../views/text.ts";
import type { App, CommandOutcome } from "./app.ts";

type Answering = Pick<App, "identities" | "registry" | "reply" | "clock" | "log">;

/** The act of a member for which the current work runs. */
export interface CurrentAct {
  /** Records that Slack took no answer to it. */
  unanswered(): void;
  /** Keeps it stored until the returned function is called. */
  hold(): () => void;
}

export const currentAct = new AsyncLocalStorage<CurrentAct>();

export function commandOutcome(error: unknown): CommandOutcome {
  return isRefused(error) ? "refused" : "failed";
}

/** Runs `work` for a member and answers any error to them. Never throws. */
export async function guard(
  app: Answering,
  origin: Origin,
  work: () => Promise<void>,
  /** The buttons for the answer to an error. */
  waysOn: (error: unknown) => ErrorActions = () => none,
): Promise<CommandOutcome> {
  try {
    await work();
    return "ok";
  } catch (error) {
    app.log.warn({ err: error }, "An interaction was answered with a sentence");
    await answerError(app, error, origin, waysOn(error)).catch((second: unknown) => {
      app.log.error({ err: second }, "The member could not be notified");
      currentAct.getStore()?.unanswered();
    });
    return commandOutcome(error);
  }
}

async function answerError(
  { identities, registry, reply, clock }: Answering,
  error: unknown,
  origin: Origin,
  ways: ErrorActions,
): Promise<void> {
  const links = await identities.links(origin.member).catch(() => nothingLinked(origin.member));
  const message = errorAnswer(
    naming(errorText(error, clock.now()), failedTarget(error)),
    offerTo(links, registry),
    ways,
  );
  await reply.ephemeral(origin, withProjectNote(message, links.customer?.project ?? null));
}

/** Names the resource first: the answers to several commands come in any order. */
function naming(error: ErrorText, name: PlainText | null): ErrorText {
  if (name === null || error.text.includes(code(name))) return error;
  return { ...error, text: `${code(name)}: ${error.text}` };
}

const none: ErrorActions = { correct: null, delegate: null };

function nothingLinked(member: string): Links {
  return { member, customer: null, reseller: null };
}

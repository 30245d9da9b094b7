import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import { errorText } from "../access/error-text.ts";
import type { Clock } from "../clock.ts";
import type { Links } from "../identities/link.ts";
import { type ErrorActions, errorAnswer, narrowedAnswer } from "../notifications/answers/answers.ts";
import { offerTo } from "../notifications/answers/offer.ts";
import type { Origin } from "../notifications/origin.ts";
import type { Reply } from "../notifications/reply.ts";
import type { Registry } from "../operation/registry.ts";

/** Runs `work` for a member and answers any error to them. Returns false after an error; never throws. */
export type Guard = (
  origin: Origin,
  work: () => Promise<void>,
  /** The buttons for the answer to an error. */
  waysOn?: (error: unknown) => ErrorActions,
) => Promise<boolean>;

export function createGuard(deps: {
  access: Access;
  registry: Registry;
  reply: Reply;
  clock: Clock;
  log: Logger;
}): Guard {
  const { access, registry, reply, clock, log } = deps;

  async function answerError(error: unknown, origin: Origin, ways: ErrorActions): Promise<void> {
    const links = await access.links(origin.member).catch(() => nothingLinked(origin.member));
    const message = errorAnswer(errorText(error, clock.now()), offerTo(links, registry), ways);
    await reply.ephemeral(origin, narrowedAnswer(message, links.customer?.project ?? null));
  }

  return async (origin, work, waysOn = () => none) => {
    try {
      await work();
      return true;
    } catch (error) {
      log.warn({ err: error }, "An interaction was answered with a sentence");
      await answerError(error, origin, waysOn(error)).catch((second: unknown) =>
        log.error({ err: second }, "The member could not be told"),
      );
      return false;
    }
  };
}

const none: ErrorActions = { correct: null, handOver: null };

function nothingLinked(member: string): Links {
  return { member, customer: null, reseller: null };
}

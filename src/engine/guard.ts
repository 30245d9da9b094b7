import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Links } from "../identities/link.ts";
import type { Invocation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import type { Access } from "./access.ts";
import { errorAnswer, narrowedAnswer } from "./answers/answers.ts";
import { errorText } from "./answers/error-text.ts";
import { offerTo } from "./answers/offer.ts";
import type { Origin } from "./answers/origin.ts";
import type { Reply } from "./answers/reply.ts";

/** Runs `work` for a member and turns whatever goes wrong into an answer to them; false where something did. Throws nothing. */
export type Guard = (
  origin: Origin,
  work: () => Promise<void>,
  /** The form to put it right with, where what went wrong is about a field. */
  correct?: (error: unknown) => Invocation | null,
) => Promise<boolean>;

export function createGuard(deps: {
  access: Access;
  registry: Registry;
  reply: Reply;
  clock: Clock;
  log: Logger;
}): Guard {
  const { access, registry, reply, clock, log } = deps;

  async function tell(error: unknown, origin: Origin, correction: Invocation | null): Promise<void> {
    const links = await access.links(origin.member).catch(() => nothingLinked(origin.member));
    const message = errorAnswer(errorText(error, clock.now()), offerTo(links, registry), correction);
    await reply.ephemeral(origin, narrowedAnswer(message, links.customer?.project ?? null));
  }

  return async (origin, work, correct = () => null) => {
    try {
      await work();
      return true;
    } catch (error) {
      log.warn({ err: error }, "An interaction was answered with a sentence");
      await tell(error, origin, correct(error)).catch((second: unknown) =>
        log.error({ err: second }, "The member could not be told"),
      );
      return false;
    }
  };
}

function nothingLinked(member: string): Links {
  return { member, customer: null, reseller: null };
}

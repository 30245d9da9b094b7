import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Links } from "../identities/link.ts";
import type { Registry } from "../operation/registry.ts";
import type { Access } from "./access.ts";
import { errorAnswer, narrowedAnswer, type WaysOn } from "./answers/answers.ts";
import { errorText } from "./answers/error-text.ts";
import { offerTo } from "./answers/offer.ts";
import type { Origin } from "./answers/origin.ts";
import type { Reply } from "./answers/reply.ts";

/** Runs `work` for a member and turns whatever goes wrong into an answer to them; false where something did. Throws nothing. */
export type Guard = (
  origin: Origin,
  work: () => Promise<void>,
  /** The ways on from what went wrong, where there are any. */
  waysOn?: (error: unknown) => WaysOn,
) => Promise<boolean>;

export function createGuard(deps: {
  access: Access;
  registry: Registry;
  reply: Reply;
  clock: Clock;
  log: Logger;
}): Guard {
  const { access, registry, reply, clock, log } = deps;

  async function tell(error: unknown, origin: Origin, ways: WaysOn): Promise<void> {
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
      await tell(error, origin, waysOn(error)).catch((second: unknown) =>
        log.error({ err: second }, "The member could not be told"),
      );
      return false;
    }
  };
}

const none: WaysOn = { correct: null, handOver: null };

function nothingLinked(member: string): Links {
  return { member, customer: null, reseller: null };
}

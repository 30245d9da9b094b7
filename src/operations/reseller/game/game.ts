import type { Answer, Step } from "../../../operation/answer.ts";
import type { TargetKind } from "../../../operation/target.ts";
import { type Parted, partSecrets } from "../../../platform/reseller/secret-fields.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { section } from "../../../views/blocks.ts";
import { hiddenBlocks, jsonBlocks, renderJson } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { sideBySide } from "../../service/lines.ts";
import { nameOf, resoldService } from "../service/service.ts";

/** Lists and reads resold game servers. They are services, and no row of a service says its kind, so all are offered. */
export const game: TargetKind<"reseller", Service> = {
  ...resoldService,
  label: "game server that you sell on",
  plural: "game servers that you sell on",
};

/** The server's name for a sentence. */
export function quotedName(row: Service): string {
  return code(nameOf(row));
}

/** A button for another operation on the same game server. */
export function stepOf({ serviceId: target }: Service, label: string, verb: string, input?: Step["input"]): Step {
  return { label, command: `reseller game ${verb}`, target, ...(input ? { input } : {}) };
}

/** An answer with the game module's data in the module's layout. Secrets are listed by name only in the blocks. */
export function readAnswer(headline: string, answer: unknown, next: Step[] = []): Answer {
  return partedAnswer(headline, partSecrets(answer), next);
}

/** The same for data whose secrets are separated already. */
export function partedAnswer(headline: string, { rest, secrets }: Parted, next: Step[] = []): Answer {
  return {
    text: headline,
    blocks: [
      section(`*${headline}*`),
      ...jsonBlocks(rest, { none: "The game module tells nothing of it." }),
      ...hiddenBlocks(secrets),
    ],
    next,
    secrets: secrets.map(({ name, value }) => ({ label: name, value })),
  };
}

/** An answer to a write, with the game module's reply. Its secrets are one-time secrets for the requester. */
export function writtenAnswer(text: string, answered: unknown, next: Step[]): Answer {
  const { rest, secrets } = partSecrets(answered);
  const lines = rest === null ? "" : sideBySide(renderJson(rest), 900);
  return {
    text: lines === "" ? text : `${text}\nIts game module answered: ${lines}`,
    next,
    secrets: secrets.map(({ name, value }) => ({ label: name, value })),
  };
}

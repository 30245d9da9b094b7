import type { Answer, Step } from "../../../operation/answer.ts";
import type { TargetKind } from "../../../operation/target.ts";
import { type Parted, partSecrets } from "../../../platform/reseller/secret-fields.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { section } from "../../../views/blocks.ts";
import { jsonBlocks, renderJson } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { sideBySide } from "../../service/lines.ts";
import { nameOf, soldService } from "../service/service.ts";

/** How a game server that is sold on is found and read: it is a service, and no row of those tells its kind. */
export const game: TargetKind<"reseller", Service> = {
  ...soldService,
  label: "game server that you sell on",
  plural: "game servers that you sell on",
};

/** Its name, for a sentence. */
export function named(row: Service): string {
  return code(nameOf(row));
}

/** A button to another operation of the same game server. */
export function stepOf({ serviceId: target }: Service, label: string, verb: string, input?: Step["input"]): Step {
  return { label, command: `reseller game ${verb}`, target, ...(input ? { input } : {}) };
}

/** What was read of the game module, which lays it out as it likes: shown as it comes, and what is secret in it only named. */
export function readAnswer(headline: string, told: unknown, next: Step[] = []): Answer {
  return partedAnswer(headline, partSecrets(told), next);
}

/** The same of what was parted already. */
export function partedAnswer(headline: string, { rest, secrets }: Parted, next: Step[] = []): Answer {
  const hidden = secrets.map(({ name }) => code(name)).join(", ");
  return {
    text: headline,
    blocks: [
      section(`*${headline}*`),
      ...jsonBlocks(rest, { none: "The game module tells nothing of it." }),
      ...(hidden === "" ? [] : [section(`Secret, and so not shown: ${hidden}.`)]),
    ],
    next,
  };
}

/** What the game module answered to a write: told as it comes; what is secret in it is for who asked alone, once. */
export function writtenAnswer(text: string, answered: unknown, next: Step[]): Answer {
  const { rest, secrets } = partSecrets(answered);
  const lines = rest === null ? "" : sideBySide(renderJson(rest), 900);
  return {
    text: lines === "" ? text : `${text}\nIts game module answered: ${lines}`,
    next,
    secrets: secrets.map(({ name, value }) => ({ label: name, value })),
  };
}

import * as z from "#zod";
import type { Answer, Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { CommandOf, Declared, ScopeOf } from "../../operation/operation.ts";
import type { TargetKind } from "../../operation/target.ts";
import type { ApiClient } from "../../platform/http/client.ts";
import type { Endpoint } from "../../platform/http/endpoint.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { partSecrets, secretsIn } from "../../process/secret-parts.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { jsonBlocks, jsonLines } from "../../views/json.ts";
import { headed } from "./card.ts";

interface ReceivedDeclaration<A extends ApiName, T> {
  command: CommandOf[A];
  summary: string;
  example: Declared<A>["example"];
  synonyms?: readonly string[];
  act: Endpoint<A, ScopeOf[A], `GET ${string}`>;
  target: TargetKind<A, T>;
  read: (client: ApiClient<A>, target: T) => Promise<unknown>;
  /** "Usage": the first words above the answer. */
  title: string;
  /** The sentence for an answer without content. */
  none: string;
  /** More buttons for this target. */
  next?: (target: T) => Omit<Step, "target">[];
}

/** Declares a read whose answer the spec does not describe: it is shown as received, its secrets to the member alone. */
export function receivedOperation<A extends ApiName, T>(declared: ReceivedDeclaration<A, T>) {
  const { command, summary, example, synonyms = [], act, target: kind, next = () => [] } = declared;
  return defineOperation({
    command,
    summary,
    example,
    synonyms,
    act,
    risk: "read",
    target: kind,
    input: z.object({}),
    async run({ client, target, name }) {
      const { id } = kind.entry(target);
      const found = withoutAvailable(await declared.read(client, target));
      const refresh: Step = { label: "Refresh", command, target: id, replace: true };
      return {
        ...headed(`${declared.title} of ${name}`, jsonBlocks(found, { none: declared.none })),
        secrets: secretsIn(found),
        next: [...next(target).map((step) => ({ ...step, target: id })), refresh],
      };
    },
  });
}

/** The sentence after a write, and below it what the platform answered in a layout that the spec does not describe. */
export function withReceived(text: string, received: unknown): Pick<Answer, "text" | "blocks"> {
  return { text, blocks: [section(text), ...paragraphs(jsonLines(partSecrets(received).rest ?? {}))] };
}

/** The answer without "available: yes", which the figures beside it say themselves. */
function withoutAvailable(found: unknown): unknown {
  if (typeof found !== "object" || found === null || !("available" in found) || found.available !== true) return found;
  const { available: _, ...rest } = found;
  return Object.keys(rest).length > 0 ? rest : found;
}

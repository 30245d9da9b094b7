import * as z from "zod";
import type { Answer, Step } from "../../../operation/answer.ts";
import type { TargetKind } from "../../../operation/target.ts";
import type { Query } from "../../../platform/http/path.ts";
import type { GameBody } from "../../../platform/reseller/game/list.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { labelledSecrets, type Parted, partSecrets } from "../../../process/secret-parts.ts";
import { hiddenBlocks, jsonBlocks, jsonLines } from "../../../views/json.ts";
import { headed } from "../../kits/card.ts";
import { sideBySide } from "../../kits/lines.ts";
import { paramsWords, readParams, readTexts } from "../../kits/provider-action.ts";
import { requireNotOver, requireNotSuspended, resoldService } from "../service/service.ts";

/** Lists and reads resold game servers. They are services, and no row of a service says its kind, so all are offered. */
export const game: TargetKind<"reseller", Service> = {
  ...resoldService,
  label: "resold game server",
  plural: "resold game servers",
};

/** Buttons for other operations on the same game server, by label: the words after `reseller game`. */
export type Buttons = Record<string, string>;

/** The buttons that the platform would accept in the server's state. */
export function stepsOf(row: Service, buttons: Buttons, input?: Step["input"]): Step[] {
  const accepted = Object.entries(buttons).filter(([, verb]) => isAccepted(row, verb));
  return accepted.map(([label, verb]) => ({ label, command: `reseller game ${verb}`, target: row.serviceId, input }));
}

/** The acts that the platform refuses for a suspended server. Reseller spec section 4.3. */
const refusedSuspended = ["start", "console", "backup create"];

/** A server that is not built, withheld or over is only shown. `verb` is the words after `reseller game`. */
export function isAccepted({ status }: Service, verb: string): boolean {
  if (status === "suspended") return !refusedSuspended.includes(verb);
  return status === "active" || verb === "show";
}

/** Refuses a write before anybody fills in a form or approves it. */
export function requireAccepted(row: Service, verb: string): void {
  if (refusedSuspended.includes(verb)) requireNotSuspended(row);
  else requireNotOver(row);
}

/** An answer with the game module's data in the module's layout. Secrets are listed by name only in the blocks. */
export function readAnswer(headline: string, { rest, secrets }: Parted, next: Step[]): Answer {
  return {
    ...headed(headline, [...jsonBlocks(rest, { none: "The game module sent no details." }), ...hiddenBlocks(secrets)]),
    next,
    secrets: labelledSecrets(secrets),
  };
}

/** An answer to a write, with the game module's reply. Its secrets are one-time secrets for the requester. */
export function writtenAnswer(text: string, answered: unknown, next: Step[]): Answer {
  const { rest, secrets } = partSecrets(answered);
  const lines = rest === null ? "" : sideBySide(jsonLines(rest), 900);
  return {
    text: lines === "" ? text : `${text}\nIts game module answered: ${lines}`,
    next,
    secrets: labelledSecrets(secrets),
  };
}

const pairs = "name=value pairs, or a JSON object";
/** The sentence of a form whose fields the spec does not show. */
export const unnamedFields = "The platform's documents name no fields: ask its support for them.";

/** The body of a route whose body the spec does not show: the member types it for the game module. Reseller spec section 4. */
export const bodyField = z
  .string()
  .trim()
  .min(1)
  .max(3_000)
  .refine((text) => readParams(text) !== null, `write ${pairs}.`)
  .meta({
    title: "Body to send",
    format: "lines",
    unnamed: true,
    description: `${paramsWords}. ${unnamedFields} No secrets: they are shown`,
  });

/** Parses a body that `bodyField` has checked. */
export function parseBody(text: string): GameBody {
  return readParams(text) ?? {};
}

/** The same for a body whose values are texts: numbers among them stay as they were typed. */
export function parseTexts(text: string): GameBody {
  return readTexts(text) ?? {};
}

/** The same for a body that the member may leave out. */
export function parseOptionalBody(text: string | undefined): GameBody | undefined {
  return text === undefined ? undefined : parseBody(text);
}

/** An id from the game module; it becomes a path segment, so "." and ".." are refused. */
export function idField(title: string) {
  return z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^(?!\.{1,2}$)/, "this is not an id.")
    .meta({ title });
}

const Scalars = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Additional query values for a read whose query the spec does not show. */
export const queryField = z
  .string()
  .trim()
  .max(1_000)
  .optional()
  .refine((text) => text === undefined || readQuery(text) !== null, `write ${pairs} of texts, numbers, true or false.`)
  .meta({ title: "Query", description: `More query values: ${pairs}. ${unnamedFields}` });

/** Merges a checked query over the usual values of the read. */
export function mergeQuery(text: string | undefined, defaults: Query = {}): Query {
  return { ...defaults, ...(text === undefined ? {} : readQuery(text)) };
}

function readQuery(text: string): Query | null {
  return text === "" ? {} : (Scalars.safeParse(readParams(text)).data ?? null);
}

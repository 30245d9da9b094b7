import { Refusal } from "../../operation/errors.ts";
import type { Service } from "../../platform/customer/services.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { code, prose, sentence } from "../../views/text.ts";
import { nameOf } from "./service.ts";

/** Calls a service's provider and translates its refusals (spec sections 4.2 and 7). */
export async function askProvider<T>(row: Service, verb: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof PlatformRefused ? (providerRefusal(row, verb, error) ?? error) : error;
  }
}

/** A provider's verbs that only read, though some use a write endpoint. */
export const readings: readonly string[] = ["status", "stats", "backups.list"];

function providerRefusal(row: Service, verb: string, { code: refusal, reason }: PlatformRefused): Refusal | null {
  const name = code(nameOf(row));
  const actions = { label: "What it can do", command: "service actions", target: row.id };
  const show = { label: "Show", command: "service show", target: row.id };
  if (refusal === "ACTION_NOT_ALLOWED")
    return new Refusal(`The provider of ${name} does not let customers use ${code(verb)}. Nothing changed.`, [actions]);
  if (refusal === "ACTION_UNKNOWN")
    return new Refusal(`${name} has no action ${code(verb)}. Nothing changed.`, [actions]);
  // A failed write may have been done in part. Its outcome stays unknown until it is checked, under any noun.
  if (readings.includes(verb) && (refusal === "PROVIDER_ERROR" || refusal === "PROVIDER_UNAVAILABLE"))
    return new Refusal(
      `The provider of ${name} did not tell its ${prose(verb)}: ${sentence(prose(reason))} Try again in a minute.`,
      [show],
    );
  return null;
}

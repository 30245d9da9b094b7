import { Refusal } from "../../operation/errors.ts";
import type { Service } from "../../platform/customer/services.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { code, prose, sentence } from "../../views/text.ts";
import { nameOf } from "./service.ts";

/** Does what the provider of a service is asked for, and says its refusals in their own words (spec sections 4.2 and 7). */
export async function askProvider<T>(row: Service, verb: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof PlatformRefused ? (providerRefusal(row, verb, error) ?? error) : error;
  }
}

/** The verbs of a provider that only read, though some are sent as a write. */
export const readings: readonly string[] = ["status", "stats", "backups.list"];

function providerRefusal(row: Service, verb: string, { code: refusal, reason }: PlatformRefused): Refusal | null {
  const name = code(nameOf(row));
  const actions = { label: "What it can do", command: "service actions", target: row.id };
  const show = { label: "Show", command: "service show", target: row.id };
  if (refusal === "ACTION_NOT_ALLOWED")
    return new Refusal(`The provider of ${name} does not let customers use ${code(verb)}. Nothing changed.`, [actions]);
  if (refusal === "ACTION_UNKNOWN")
    return new Refusal(`${name} has no action ${code(verb)}. Nothing changed.`, [actions]);
  // What changes something may have been done in part: that stays unknown until it is read, under whichever noun it was asked for.
  if (readings.includes(verb) && (refusal === "PROVIDER_ERROR" || refusal === "PROVIDER_UNAVAILABLE"))
    return new Refusal(
      `The provider of ${name} did not tell its ${prose(verb)}: ${sentence(prose(reason))} It was only asked, so nothing changed. Try again in a minute.`,
      [show],
    );
  return null;
}

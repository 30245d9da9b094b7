import * as z from "zod";
import { parseJson } from "../../platform/http/json.ts";
import { interruptionBy } from "./power.ts";

/**
 * Reads the parameters of a provider's verb: a JSON object, or `name=value` pairs on one or several lines, whose values stay text
 * and may contain blanks. Null if the text is neither.
 */
export function readParams(text: string): Record<string, unknown> | null {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) return readObject(trimmed);
  const params: Record<string, unknown> = {};
  for (const pair of trimmed.split(/(?<!\s)\s+(?=[\w.-]+=)/)) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, equals));
    if (!/^[\w.-]+$/.test(name) || Object.hasOwn(params, name)) return null;
    Object.defineProperty(params, name, { value: pair.slice(equals + 1).trim(), enumerable: true });
  }
  return params;
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = parseJson(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** A provider's verbs with a well-known effect. */
export const plainPower: readonly string[] = ["start", "stop", "restart"];

/** The input and form of a provider's verb, with its parameters. `listed` names the command that lists the verbs. */
export function providerAction(listed: string) {
  return {
    verb: ({ action }: { action: string }) => `Run ${action} on`,
    interrupts: ({ action }: { action: string }) =>
      action === "stop" || action === "restart" ? interruptionBy[action] : null,
    input: z.object({
      action: z
        .string()
        .regex(/^[\w.:-]{1,100}$/, "an action is one word of letters, digits, dots and hyphens.")
        .meta({ title: "Action", description: listed }),
      params: z
        .string()
        .max(3_000)
        .optional()
        .refine((text) => text === undefined || readParams(text) !== null, "write name=value pairs, or a JSON object.")
        .meta({
          title: "Parameters",
          format: "lines",
          description: "name=value, whose values are sent as text; or a JSON object. No secrets: they are shown.",
        }),
    }),
  };
}

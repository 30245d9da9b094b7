import * as z from "zod";
import { interruptionBy } from "../vps/power.ts";
import { readParams } from "./params.ts";

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

import { type Clock, sleep } from "../../clock.ts";
import { errorText } from "../../engine/answers/error-text.ts";
import type { Origin } from "../../engine/answers/origin.ts";
import type { AppContext } from "../../engine/app-context.ts";
import { InputError } from "../../operation/errors.ts";
import type { Accepted } from "../../operation/input.ts";
import type { Operation } from "../../operation/operation.ts";
import { readWhen } from "../../operation/when.ts";
import { isPlatformError } from "../../platform/http/errors.ts";
import { unmarked } from "../../views/text.ts";

/** Milliseconds; leaves time for the way back within Slack's three seconds. */
const checkLimit = 2_000;

/** What Slack shows under which field. */
export function errorsOf(operation: Operation<AppContext>, { fields }: InputError): Record<string, string> {
  const known = Object.keys(operation.input.shape);
  const first = known[0] ?? "target";
  return Object.fromEntries(
    fields.map(({ field, message }) => {
      const words = message.replace(/^[^:]{1,60}: /, "");
      return [known.includes(field) ? field : first, `${words.charAt(0).toUpperCase()}${words.slice(1)}`];
    }),
  );
}

/** What a form says, as the operation means it, or what is wrong with it: a time that was picked may have passed. */
export function acceptNow(operation: Operation<AppContext>, values: Record<string, unknown>, now: number): Accepted {
  const accepted = operation.accept(values);
  if ("error" in accepted || operation.api === "app") return accepted;
  try {
    // A picked moment is the same in every zone.
    readWhen(values, { now, zone: "UTC" });
    return accepted;
  } catch (error) {
    if (error instanceof InputError) return { error };
    throw error;
  }
}

/**
 * What the operation itself can tell of its input before its form closes; null where that is nothing, or takes too long: the run, which
 * comes next, says it then.
 */
export async function faultsInTime(
  { context, clock }: { context: AppContext; clock: Clock },
  operation: Operation<AppContext>,
  { origin, input }: { origin: Origin; input: Record<string, unknown> },
): Promise<Record<string, string> | null> {
  if (operation.api !== "app") return null;
  const { member, slackUser } = origin;
  const actor = { member, slackUser, keyLabel: "", project: null };
  const check = async () => {
    await context.access.admit(slackUser);
    await operation.check({ context, actor, channel: origin.channel, input, now: clock.now() });
    return null;
  };
  const told = check().catch((error: unknown) => {
    if (error instanceof InputError) return errorsOf(operation, error);
    if (!isPlatformError(error)) return null;
    const { text } = errorText(error, clock.now());
    return errorsOf(operation, new InputError(unmarked(text)));
  });
  return Promise.race([told, sleep(clock, checkLimit).then(() => null)]);
}

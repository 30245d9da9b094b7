import { admit } from "../../members/access/access.ts";
import { errorText } from "../../messages/answers/error-text.ts";
import type { Origin } from "../../messages/origin.ts";
import type { Actor } from "../../operation/call-context.ts";
import { aloneWords, InputError } from "../../operation/errors.ts";
import type { Accepted } from "../../operation/input.ts";
import type { Operation } from "../../operation/operation.ts";
import { readScheduledTime } from "../../operation/schedule-input.ts";
import type { AppContext } from "../../operations/app-context.ts";
import { isPlatformError } from "../../platform/http/errors.ts";
import { type Clock, sleep } from "../../process/clock.ts";
import { characters } from "../../process/plain-text.ts";
import { inZone } from "../../views/format.ts";
import { capital, unmarked } from "../../views/text.ts";
import type { PrivateMetadata } from "./submission.ts";

/** Milliseconds. Leaves time for the answer within Slack's three seconds. */
const checkLimit = 2_000;

/** Error texts by field, for Slack to show under each. `pages`: a field that the form does not show takes no error. */
export function fieldErrors(
  operation: Operation<AppContext>,
  { fields }: InputError,
  pages?: PrivateMetadata["pages"],
): Record<string, string> {
  const known = pages?.first ?? Object.keys(operation.input.shape);
  const first = known[0] ?? "target";
  return Object.fromEntries(
    fields.map((each) =>
      known.includes(each.field)
        ? [each.field, characters(capital(each.message))]
        : [first, characters(capital(aloneWords(each)))],
    ),
  );
}

/** Validates a form's values, and checks that a picked time has not passed. */
export function acceptNow(operation: Operation<AppContext>, values: Record<string, unknown>, now: number): Accepted {
  const accepted = operation.accept(values);
  if ("error" in accepted || operation.api === "app") return accepted;
  try {
    // A picked moment is the same in every zone.
    readScheduledTime(values, { now, zone: "UTC" });
    return accepted;
  } catch (error) {
    if (error instanceof InputError) return { error };
    throw error;
  }
}

/** The member of a form, before its operation runs. */
export function actorBeforeRun({ member, slackUser }: Pick<Origin, "member" | "slackUser">): Actor {
  return { member, slackUser, keyLabel: "", project: null };
}

/** Runs the operation's own check before its form closes. Null if it finds no fault or takes too long; then the run reports the fault. */
export async function faultsInTime(
  { context, clock }: { context: AppContext; clock: Clock },
  operation: Operation<AppContext>,
  { origin, input, pages }: Pick<PrivateMetadata, "origin" | "pages"> & { input: Record<string, unknown> },
): Promise<Record<string, string> | null> {
  if (operation.api !== "app") return null;
  const { slackUser } = origin;
  const check = async () => {
    await admit(context, slackUser);
    await operation.check({ context, actor: actorBeforeRun(origin), channel: origin.channel, input, now: clock.now() });
    return null;
  };
  const faults = check().catch(async (error: unknown) => {
    if (error instanceof InputError) return fieldErrors(operation, error, pages);
    if (!isPlatformError(error)) return null;
    const { text } = errorText(error, clock.now());
    const plain = unmarked(inZone(await context.zoneOf(slackUser).catch(() => "UTC"), text));
    return fieldErrors(operation, new InputError(plain), pages);
  });
  return Promise.race([faults, sleep(clock, checkLimit).then(() => null)]);
}

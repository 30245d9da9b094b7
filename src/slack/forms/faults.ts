import { admit } from "../../members/access/access.ts";
import { errorText } from "../../messages/answers/error-text.ts";
import type { Origin } from "../../messages/origin.ts";
import type { Actor } from "../../operation/call-context.ts";
import { aloneWords, InputError, type WrongInput } from "../../operation/errors.ts";
import type { Accepted } from "../../operation/input.ts";
import type { Operation } from "../../operation/operation.ts";
import { readScheduledTime } from "../../operation/schedule-input.ts";
import type { AppContext } from "../../operations/app-context.ts";
import { isPlatformError } from "../../platform/http/errors.ts";
import { type Clock, sleep } from "../../process/clock.ts";
import { characters } from "../../process/plain-text.ts";
import { inZone } from "../../views/format.ts";
import { capital, prose, unmarked } from "../../views/text.ts";
import type { OpenView } from "../payloads.ts";
import { noticeView } from "./form-view.ts";
import { type PrivateMetadata, partMarks } from "./submission.ts";

/** Milliseconds. Leaves time for the answer within Slack's three seconds. */
const checkLimit = 2_000;

/** The answer to a modal that this version cannot read. */
export const unreadable = {
  field: "",
  message: "This form is from an older version of Rackbell, so nothing was done. Close it and ask again.",
} satisfies WrongInput;

/**
 * The answer that keeps a submitted modal open with what was entered. Each sentence is below its field, or below the first one if the
 * modal does not show that field: Slack refuses an error for any other block. Without a field, the modal shows the sentences alone.
 */
export function modalRefusal({ blocks, title }: Pick<OpenView, "blocks" | "title">, faults: readonly WrongInput[]) {
  const inputs = blocks.flatMap(({ type, block_id: id }) => (type === "input" && id ? [id] : []));
  const [first] = inputs;
  if (first === undefined) {
    const text = faults.map((fault) => prose(capital(aloneWords(fault)))).join(" ");
    return { response_action: "update" as const, view: noticeView(title?.text ?? "Rackbell", text) };
  }
  const errors: Record<string, string> = {};
  for (const fault of faults) {
    const at = inputs.find((id) => id === fault.field) ?? inputs.find((id) => isPartOf(id, fault.field)) ?? first;
    const words = characters(capital(at === fault.field ? fault.message : aloneWords(fault)));
    errors[at] = at in errors ? `${errors[at]} ${words}` : words;
  }
  return { response_action: "errors" as const, errors };
}

function isPartOf(id: string, field: string): boolean {
  return field !== "" && Object.values(partMarks).some((mark) => id.startsWith(`${field}${mark}`));
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
  { origin, input }: Pick<PrivateMetadata, "origin"> & { input: Record<string, unknown> },
): Promise<readonly WrongInput[] | null> {
  if (operation.api !== "app") return null;
  const { slackUser } = origin;
  const check = async () => {
    await admit(context, slackUser);
    await operation.check({ context, actor: actorBeforeRun(origin), channel: origin.channel, input, now: clock.now() });
    return null;
  };
  const faults = check().catch(async (error: unknown) => {
    if (error instanceof InputError) return error.fields;
    if (!isPlatformError(error)) return null;
    const { text } = errorText(error, clock.now());
    const message = unmarked(inZone(await context.zoneOf(slackUser).catch(() => "UTC"), text));
    return [{ field: "", message }];
  });
  return Promise.race([faults, sleep(clock, checkLimit).then(() => null)]);
}

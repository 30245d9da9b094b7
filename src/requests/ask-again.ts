import type { Origin } from "../notifications/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { Invocation } from "../operation/operation.ts";
import { withResolvedTime } from "../operation/schedule-input.ts";
import type { RequestsApp } from "./app.ts";
import { canBeAskedAgain } from "./request.ts";
import { sayState } from "./state-answers.ts";
import { inputAgain, readRequest } from "./store.ts";

/**
 * Returns the invocation that opens the prefilled form of a request that was not run, without its secrets. Returns null after telling the
 * state when asking again is not possible.
 */
export async function askAgain(app: RequestsApp, id: string, origin: Origin): Promise<Invocation | null> {
  const { clock } = app;
  const request = await readRequest(app, id);
  if (!request || !canBeAskedAgain(request)) {
    await sayState(app, id, origin);
    return null;
  }
  const { member, slackUser, command, target, draft, originator, planned } = request;
  // The form shows every input, and other members may not have been allowed to read them.
  if (origin.member !== member)
    throw new Refusal(`Only <@${slackUser}>, who asked, can ask again from here. Nothing was requested.`);
  const storedInput = inputAgain(app, request);
  const isStillAhead = planned !== null && planned.at > clock.now();
  return {
    command,
    input: isStillAhead ? withResolvedTime(storedInput, planned.at) : storedInput,
    // A form opens whenever an invocation has `faults`, even if no input is missing.
    faults: {},
    ...(target ? { target: target.id } : {}),
    ...(draft ? { draft } : {}),
    ...(originator ? { originator } : {}),
  };
}

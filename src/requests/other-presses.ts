import { ownFaults } from "../notifications/answers/correction.ts";
import type { Origin } from "../notifications/origin.ts";
import { pressTake, readTakeValue } from "../notifications/take.ts";
import { Refusal } from "../operation/errors.ts";
import type { Invocation } from "../operation/operation.ts";
import { withResolvedTime } from "../operation/schedule-input.ts";
import { section } from "../views/blocks.ts";
import type { RequestsApp } from "./app.ts";
import { operationOf } from "./checks.ts";
import { detailsMessage } from "./pending-view.ts";
import { canBeAskedAgain, isForRequesterAlone } from "./request.ts";
import { inputAgain } from "./sealed.ts";
import { sayState } from "./state-answers.ts";
import { amend, readRequest } from "./store.ts";
import { outcomeWords } from "./view.ts";
import { accessOf } from "./visibility.ts";

/** Answers *Details…* with all values and facts of a request, in the presser's modal. */
export async function showDetails(app: RequestsApp, id: string, origin: Origin): Promise<void> {
  const { reply, clock } = app;
  const request = await readRequest(app, id);
  const visible = request && (await accessOf(app, origin).show(request));
  const isOwn = request?.requester.member === origin.member;
  // A price is for its requester alone, also after the payment.
  if (visible?.visibility !== "whole" || (isForRequesterAlone(visible.request) && !isOwn))
    return sayState(app, id, origin);
  const { request: shown, may } = visible;
  const message = detailsMessage(shown, { alone: isForRequesterAlone(shown), now: clock.now(), may });
  const ended = shown.state === "pending" ? [] : [section(outcomeWords(shown))];
  await reply.ephemeral(origin, { ...message, blocks: [...message.blocks, ...ended] });
}

/** A press of *Take* or *Release* on a request that others decide. */
export async function takeRequest(app: RequestsApp, value: string, origin: Origin): Promise<void> {
  const { reply, clock } = app;
  const { id, release } = readTakeValue(value);
  const { slackUser } = origin;
  for (;;) {
    const request = await readRequest(app, id);
    if (request?.state !== "pending" || request.mode !== "peer") return sayState(app, id, origin);
    if ((await accessOf(app, origin).at(request)) !== "whole") return sayState(app, id, origin);
    if (slackUser === request.requester.slackUser) throw new Refusal(ownRequest);
    const pressed = pressTake(request.taken, { slackUser, release, now: clock.now() });
    if ("problem" in pressed) return reply.say(origin, pressed.problem);
    if (await amend(app, request, pressed, { aside: true })) return;
  }
}

const ownRequest =
  "You asked for this, so only a teammate can take it. *Withdraw* takes your request back. Nothing changed.";

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
  const { command, target, form, originator, schedule } = request;
  const { member, slackUser } = request.requester;
  // The form shows every input, and other members may not have been allowed to read them.
  if (origin.member !== member)
    throw new Refusal(`Only <@${slackUser}>, who asked, can ask again from here. Nothing was requested.`);
  const operation = operationOf(app, request);
  const storedInput = inputAgain(app, request);
  const isStillAhead = schedule !== null && schedule.at > clock.now();
  return {
    command,
    input: isStillAhead ? withResolvedTime(storedInput, schedule.at) : storedInput,
    // A form opens whenever an invocation has `faults`, even if no input is missing.
    faults: operation && form ? ownFaults(operation, Object.entries(form.faults)) : {},
    ...(target ? { target: target.id } : {}),
    ...(form?.draft ? { draft: form.draft } : {}),
    ...(originator ? { originator } : {}),
  };
}

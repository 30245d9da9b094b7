import { byField } from "../messages/answers/correction.ts";
import type { Origin } from "../messages/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { Invocation } from "../operation/operation.ts";
import { withResolvedTime } from "../operation/schedule-input.ts";
import { pressTake, readResponsibility } from "../policy/responsibility/responsibility.ts";
import { readTakeValue } from "../policy/responsibility/take-view.ts";
import { section } from "../views/blocks.ts";
import type { RequestsApp } from "./app.ts";
import { requireOperation } from "./checks.ts";
import { targetBlocks } from "./facets/bulk/view.ts";
import { detailsMessage } from "./pending-view.ts";
import { canBeAskedAgain, isForRequesterAlone, ownView, type Request, takesMore } from "./request.ts";
import { inputAgain, openedInput } from "./sealed.ts";
import { sayState } from "./state-answers.ts";
import { readRequest, requestSubject } from "./store.ts";
import { outcomeWords } from "./view.ts";
import { accessOf } from "./visibility.ts";
import { requestWaiting } from "./waiting.ts";

/** Answers *Details…* with all values and facts of a request, in the presser's modal. */
export async function showDetails(app: RequestsApp, id: string, origin: Origin): Promise<void> {
  const { reply } = app;
  const request = await readRequest(app, id);
  const visible = request && (await accessOf(app, origin).show(request));
  const isOwn = request?.requester.member === origin.member;
  // A price is for its requester alone, also after the payment.
  if (visible?.visibility !== "whole" || (isForRequesterAlone(visible.request) && !isOwn))
    return sayState(app, id, origin);
  const { may } = visible;
  const shown = isOwn ? ownView(visible.request) : visible.request;
  const responsibility = await readResponsibility(app, { kind: requestSubject, id });
  const waiting = await requestWaiting(app, shown);
  const listed = await targetBlocks(app, shown);
  const message = detailsMessage(shown, { alone: isForRequesterAlone(shown), listed, responsibility, waiting, may });
  const ended = shown.state === "pending" ? [] : [section(outcomeWords(shown))];
  await reply.ephemeral(origin, { ...message, blocks: [...message.blocks, ...ended] });
}

/** A press of *Take* or *Release* on a request that others decide. */
export async function takeRequest(app: RequestsApp, value: string, origin: Origin): Promise<void> {
  const { id, release } = readTakeValue(value);
  const { slackUser } = origin;
  const request = await readRequest(app, id);
  const waiting = request && (await requestWaiting(app, request));
  if (!request || !waiting) return sayState(app, id, origin);
  if ((await accessOf(app, origin).at(request)) !== "whole") return sayState(app, id, origin);
  if (request.state === "pending" && slackUser === request.requester.slackUser) throw new Refusal(ownRequest);
  const problem = await pressTake(app, { kind: requestSubject, id }, waiting, { slackUser, release });
  if (problem !== null) await app.reply.say(origin, problem);
}

const ownRequest =
  "You asked for this, so only a teammate can take it. *Withdraw* takes your request back. Nothing changed.";

/**
 * Returns the invocation that opens the prefilled form of a request that was not run, without its secrets. Returns null after telling the
 * state when asking again is not possible.
 */
export async function askAgain(app: RequestsApp, id: string, origin: Origin): Promise<Invocation | null> {
  const { clock } = app;
  const request = await ownRequestFor(app, id, origin, canBeAskedAgain);
  if (!request) return null;
  const { command, target, originator, schedule, form } = request;
  const operation = requireOperation(app, request);
  const storedInput = inputAgain(app, request);
  const isStillAhead = schedule !== null && schedule.at > clock.now();
  const again = (form?.secrets ?? []).map((name) => [name, "It is not kept: enter it again, or leave it out."]);
  const replaces = request.state === "pending" || operation.cart ? { replaces: { request: id } } : {};
  return {
    command,
    ...replaces,
    input: isStillAhead ? withResolvedTime(storedInput, schedule.at) : storedInput,
    // A form opens whenever an invocation has `faults`, even if no input is missing.
    faults: { ...Object.fromEntries(again), ...byField(operation, form?.faults ?? {}, storedInput) },
    ...(target ? { target: target.id } : {}),
    ...(originator ? { originator } : {}),
  };
}

/** The same for one more thing in a waiting request. Its form begins with what holds for all of them. */
export async function addTo(app: RequestsApp, id: string, origin: Origin): Promise<Invocation | null> {
  const request = await ownRequestFor(app, id, origin, takesMore);
  if (!request) return null;
  const { cart, leading } = requireOperation(app, request);
  if (!cart || !leading) return null;
  const { [leading.input]: _, [cart.rows]: __, ...rest } = openedInput(app, request);
  const begun = Object.entries(rest).filter(([name]) => cart.shared.includes(name) || cart.carried.includes(name));
  const { command } = request;
  return { command, input: Object.fromEntries(begun), replaces: { request: id, adds: true }, form: true };
}

/** The presser's own request, if it is still so. Tells its state otherwise, and resolves to null. */
async function ownRequestFor(
  app: RequestsApp,
  id: string,
  origin: Origin,
  fits: (request: Request) => boolean,
): Promise<Request | null> {
  const request = await readRequest(app, id);
  if (!request || !fits(request)) {
    await sayState(app, id, origin);
    return null;
  }
  const { member, slackUser } = request.requester;
  // The form shows every input, and other members may not have been allowed to read them.
  if (origin.member !== member)
    throw new Refusal(`Only <@${slackUser}>, who asked, can ask again from here. Nothing was requested.`);
  return request;
}

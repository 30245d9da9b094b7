import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { AuditAgent } from "../../../audit/entry.ts";
import type { AuditKind } from "../../../audit/kinds.ts";
import { passkeyLinkMessage } from "../../../messages/answers/answers.ts";
import type { Origin } from "../../../messages/origin.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { LinkFor, Manner } from "../../../passkeys/links.ts";
import { askForPasskey, hasPasskey, statementOf } from "../../../passkeys/passkeys.ts";
import type { PlainText } from "../../../process/plain-text.ts";
import { type Assertion, digestJson, isTimely, type Statement } from "../../../process/webauthn/assertion.ts";
import type { Message } from "../../../views/blocks.ts";
import type { RequestsApp } from "../../app.ts";
import { isForRequesterAlone, lossText, type Request, titleOf } from "../../request.ts";
import { readRuling } from "../../rules.ts";
import { openedInput, saltOf, sealInput } from "../../sealed.ts";
import { amend } from "../../store.ts";
import { readTargets } from "../bulk/targets.ts";
import { overrideOutcome } from "../override/record.ts";
import { decisionOf, type PasskeyPage, passkeyPage } from "./page.ts";

type DecisionLink = Pick<LinkFor<"decision">, "random" | "member" | "slackUser" | "madeAt" | "purpose">;

/** The page of a link, and the statement that a passkey signs on it, all as they are now. */
export async function signedStatement(
  app: RequestsApp,
  request: Request,
  link: DecisionLink,
): Promise<{ page: PasskeyPage; statement: Statement }> {
  const { manner } = link.purpose;
  const { id, version, identity, price, needed, mode, requester, command, target, schedule, agent, reason } = request;
  const { preconditions } = request.review;
  const { demand, rule, passkey, admin } = await readRuling(app, request);
  const targets = request.bulk ? await readTargets(app, id) : [];
  const page = await passkeyPage(app, request, manner, targets, link.slackUser);
  const salt = saltOf(app, request);
  const salted = (value: unknown) => digestJson([salt, value]);
  const { override } = manner;
  const isScheduled = schedule !== null && override === undefined;
  const statement: Statement = {
    ...statementOf(app, link),
    decision: decisionOf(manner, request),
    entries: entriesOf(request, override, isScheduled),
    request: id,
    version,
    requester: requester.member,
    keyLabel: requester.keyLabel,
    command,
    target,
    agent: agent && { ...AuditAgent.parse(agent), why: isForRequesterAlone(request) ? null : agent.why },
    reason: isForRequesterAlone(request) ? null : reason,
    scheduledFor: isScheduled ? schedule.at : null,
    outcome: override === undefined ? null : overrideOutcome(override),
    passkeys: [],
    digests: {
      input: salted([openedInput(app, request), targets.map((each) => each.id)]),
      loss: salted(lossText(request)),
      price: salted(price),
      preconditions: salted([preconditions, identity, targets]),
      rule: salted([demand, rule, passkey, admin, needed, mode]),
      page: salted(page),
    },
  };
  return { page, statement };
}

/** An approval may be one of several. One for a scheduled time is never an approval for now. */
function entriesOf({ mode }: Request, override: PlainText | undefined, isScheduled: boolean): AuditKind[] {
  if (override !== undefined) return ["overridden"];
  const now = mode === "self" ? "confirmed" : "approved";
  return [isScheduled ? "scheduled" : now, "approved in part"];
}

/** Answers a press that needs a passkey: the presser alone gets a link to the page. Nothing is decided yet. */
export async function offerPasskey(app: RequestsApp, request: Request, origin: Origin, manner: Manner): Promise<void> {
  // The salt keeps values from being guessed from their digests in the audit log. It is erased with the input.
  const by = request.proof?.by ?? [];
  const salt = request.proof?.salt ?? sealInput(app, request.id, { salt: randomBytes(16).toString("base64url") });
  const isSalted = request.proof !== null && request.proof.salt !== null;
  if (!isSalted && !(await amend(app, request, { proof: { by, salt } }, { aside: true, silent: true })))
    throw new Refusal("Another press came first. Nothing was done. Press again.");
  const url = await askForPasskey(app, origin, { is: "decision", request: request.id, manner });
  await app.reply.ephemeral(origin, passkeyMessage(request, manner, url));
}

/**
 * Refuses an assertion that is not for exactly this request as it is now. The page checked it moments ago; since then another press or a
 * changed rule may have come between.
 */
export async function requireSigned(
  app: RequestsApp,
  request: Request,
  { member, slackUser }: Pick<Origin, "member" | "slackUser">,
  { assertion, ...manner }: Manner & { assertion: Assertion },
): Promise<void> {
  const purpose = { is: "decision" as const, request: request.id, manner };
  const { random, at: madeAt } = assertion.statement;
  const { statement } = await signedStatement(app, request, { random, madeAt, member, slackUser, purpose });
  if (isDeepStrictEqual(statement, assertion.statement) && isTimely(statement, app.clock.now())) return;
  throw new Refusal(
    "The request changed after you read its page, so your passkey did not count. Nothing was done. Press again.",
  );
}

/** A sentence if a passkey that decided the request was removed since: it may have been stolen. Else null. */
export async function removedPasskey(
  app: Pick<RequestsApp, "store" | "passkeys">,
  { proof }: Pick<Request, "proof">,
): Promise<string | null> {
  for (const { member, credential } of proof?.by ?? [])
    if (!(await hasPasskey(app, member, credential))) return "A passkey with which it was decided was removed.";
  return null;
}

/** The answer to a press that needs a passkey: a link to the page, for the presser alone. */
function passkeyMessage(request: Request, manner: Manner, url: string): Message {
  const act = manner.override === undefined ? (request.mode === "peer" ? "approve" : "confirm") : "override";
  const text = `:key: *${titleOf(request)}* asks for your passkey. Open the page, read it, and ${act} there. Until then nothing is decided.`;
  return passkeyLinkMessage(text, url, "once, and for five minutes");
}

/** One line below a waiting request that needs a passkey. */
export const passkeyNote = ":key: This needs a passkey: the button opens a page that asks for it.";

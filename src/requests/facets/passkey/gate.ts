import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Origin } from "../../../notifications/origin.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { LinkFor, Manner } from "../../../passkeys/links.ts";
import { askForPasskey, passkeysOf } from "../../../passkeys/passkeys.ts";
import { type Assertion, digestOf, SignedFacts } from "../../../webauthn/assertion.ts";
import type { RequestsApp } from "../../app.ts";
import type { Request } from "../../request.ts";
import { policyFactsOf, verdictOf } from "../../rules.ts";
import { inputOf, saltOf, sealInput } from "../../sealed.ts";
import { amend } from "../../store.ts";
import { readTargets } from "../bulk/targets.ts";
import { decisionOf, type PasskeyPage, passkeyPage } from "./page.ts";
import { passkeyMessage } from "./view.ts";

type DecisionLink = Pick<LinkFor<"decision">, "random" | "member" | "purpose">;

/** The page of a link, and the facts that a passkey signs on it, all as they are now. */
export async function signedFacts(
  app: RequestsApp,
  request: Request,
  { random, member, purpose: { manner } }: DecisionLink,
): Promise<{ page: PasskeyPage; facts: SignedFacts }> {
  const { id, version, identity, price, needed, mode } = request;
  const { preconditions } = request.review;
  const { demand, rule, passkey, admin } = await verdictOf(app, policyFactsOf(request));
  const targets = request.bulk ? await readTargets(app, id) : [];
  const page = await passkeyPage(app, request, manner, targets);
  const facts = {
    random,
    member,
    version,
    workspace: app.passkeys.workspace,
    subject: id,
    decision: decisionOf(manner, request),
    input: digestOf([saltOf(app, request), inputOf(app, request), targets.map((target) => target.id)]),
    preconditions: digestOf([preconditions, identity, price, targets]),
    rule: digestOf([demand, rule, passkey, admin, needed, mode]),
    text: digestOf(page),
  };
  return { page, facts };
}

/** Answers a press that takes a passkey: the presser alone gets a link to the page. Nothing is decided yet. */
export async function offerPasskey(app: RequestsApp, request: Request, origin: Origin, manner: Manner): Promise<void> {
  // The salt keeps a password in the input from being guessed from the digest in the audit log. It is erased with the input.
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
  { member }: Pick<Origin, "member">,
  { assertion, ...manner }: Manner & { assertion: Assertion },
): Promise<void> {
  const purpose = { is: "decision" as const, request: request.id, manner };
  const { facts } = await signedFacts(app, request, { random: assertion.random, member, purpose });
  if (isDeepStrictEqual(facts, SignedFacts.parse(assertion))) return;
  throw new Refusal(
    "The request changed after you read its page, so your passkey did not count. Nothing was done. Press again.",
  );
}

/** A sentence if a passkey that decided the request was removed since: it may have been stolen. Else null. */
export async function removedPasskey(
  app: Pick<RequestsApp, "store" | "passkeys">,
  { proof }: Pick<Request, "proof">,
): Promise<string | null> {
  if (app.passkeys.mode === "off") return null;
  for (const { member, credential } of proof?.by ?? [])
    if (!(await passkeysOf(app, member)).some(({ id }) => id === credential))
      return "A passkey with which it was decided was removed.";
  return null;
}

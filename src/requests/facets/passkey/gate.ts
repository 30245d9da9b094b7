import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { People } from "../../../chat/people.ts";
import type { Origin } from "../../../notifications/origin.ts";
import type { Reply } from "../../../notifications/reply.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { LinkFor, Manner } from "../../../passkeys/links.ts";
import type { Passkeys } from "../../../passkeys/passkeys.ts";
import { type Assertion, digestOf, SignedFacts } from "../../../webauthn/assertion.ts";
import type { Request } from "../../request.ts";
import { policyFactsOf, type Rules } from "../../rules.ts";
import type { RequestStore } from "../../store.ts";
import { decisionOf, type PasskeyPage, passkeyPage } from "./page.ts";
import { passkeyMessage } from "./view.ts";

type DecisionLink = Pick<LinkFor<"decision">, "random" | "member" | "purpose">;

/** Asks for a passkey before a decision, and checks that what it signed is for this decision. */
export interface PasskeyGate {
  /** `PASSKEYS=off`: no rule asks for one. */
  isOff: boolean;
  /** Answers a press that takes a passkey: the presser alone gets a link to the page. Nothing is decided yet. */
  offer(request: Request, origin: Origin, manner: Manner): Promise<void>;
  /** The page of a link, and the facts that a passkey signs on it, all as they are now. */
  signedFacts(request: Request, link: DecisionLink): Promise<{ page: PasskeyPage; facts: SignedFacts }>;
  /**
   * Refuses an assertion that is not for exactly this request as it is now. The page checked it moments ago; since then another press or
   * a changed rule may have come between.
   */
  requireSigned(
    request: Request,
    who: Pick<Origin, "member">,
    signed: Manner & { assertion: Assertion },
  ): Promise<void>;
  /** A sentence if a passkey that decided the request was removed since: it may have been stolen. Else null. */
  removedSince(request: Pick<Request, "proven">): Promise<string | null>;
}

export function createPasskeyGate(deps: {
  requests: RequestStore;
  rules: Pick<Rules, "verdict">;
  people: Pick<People, "person">;
  passkeys: Passkeys;
  reply: Pick<Reply, "ephemeral">;
}): PasskeyGate {
  const { requests, rules, people, passkeys, reply } = deps;

  async function signedFacts(request: Request, { random, member, purpose: { manner } }: DecisionLink) {
    const { id, version, preconditions, identity, price, needed, mode } = request;
    const { demand, rule, passkey, admin } = await rules.verdict(policyFactsOf(request));
    const targets = request.bulk ? await requests.targets.read(id) : [];
    const page = await passkeyPage(request, manner, { targets, people });
    const facts = {
      ...{ random, member, version, workspace: passkeys.workspace, subject: id, decision: decisionOf(manner, request) },
      input: digestOf([requests.salt(request), requests.input(request), targets.map((target) => target.id)]),
      preconditions: digestOf([preconditions, identity, price, targets]),
      rule: digestOf([demand, rule, passkey, admin, needed, mode]),
      text: digestOf(page),
    };
    return { page, facts };
  }

  return {
    isOff: passkeys.mode === "off",
    signedFacts,
    async offer(request, origin, manner) {
      // The salt keeps a password in the input from being guessed from the digest in the audit log. It is erased with the input.
      const salt = request.salt ?? requests.seal(request.id, { salt: randomBytes(16).toString("base64url") });
      if (request.salt === null && !(await requests.amend(request, { salt }, { aside: true, silent: true })))
        throw new Refusal("Another press came first. Nothing was done. Press again.");
      const url = await passkeys.ask(origin, { is: "decision", request: request.id, manner });
      await reply.ephemeral(origin, passkeyMessage(request, manner, url));
    },
    async requireSigned(request, { member }, { assertion, ...manner }) {
      const purpose = { is: "decision" as const, request: request.id, manner };
      const { facts } = await signedFacts(request, { random: assertion.random, member, purpose });
      if (isDeepStrictEqual(facts, SignedFacts.parse(assertion))) return;
      throw new Refusal(
        "The request changed after you read its page, so your passkey did not count. Nothing was done. Press again.",
      );
    },
    async removedSince({ proven }) {
      if (passkeys.mode === "off") return null;
      for (const { member, credential } of proven)
        if (!(await passkeys.of(member)).some(({ id }) => id === credential))
          return "A passkey with which it was decided was removed.";
      return null;
    },
  };
}

import type { AppWith } from "../engine/app.ts";
import type { Identities } from "../identities/identities.ts";
import type { Intake } from "../intake.ts";
import { usablePasskeys } from "../passkeys/passkeys.ts";
import type { RecoveryApp } from "../passkeys/recovery.ts";
import { challengeOf, type SignedFacts } from "../webauthn/assertion.ts";
import type { PasskeySite } from "../webauthn/site.ts";

/** The parts of the app that the pages work with. `C`: the services of the app's own operations, which pass through. */
export interface WebApp<C> extends AppWith<C>, RecoveryApp {
  identities: Identities;
  site: PasskeySite;
  intake: Intake;
}

export const backToSlack = "You can close this page and go back to Slack.";

/** The options with which the page's script has the member's device sign these facts. */
export async function signOptions<C>(web: WebApp<C>, facts: SignedFacts) {
  const own = await usablePasskeys(web, facts.member);
  return {
    challenge: challengeOf(facts),
    rpId: web.site.rpId,
    passkeys: own.map(({ id, transports }) => ({ id, transports })),
  };
}

/** The answer to the page's script: how it ended, or (`again`) a sentence after which the person may try again. */
export type Ending = { title: string; text: string[]; again?: true } | { make: object };

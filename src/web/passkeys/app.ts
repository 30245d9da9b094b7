import type { AppWith } from "../../commands/app.ts";
import type { Identities } from "../../members/identities/identities.ts";
import type { Passkey } from "../../passkeys/record.ts";
import type { RecoveryApp } from "../../passkeys/recovery.ts";
import type { Intake } from "../../process/intake.ts";
import { challengeOf, type Statement } from "../../process/webauthn/assertion.ts";
import type { PasskeySite } from "../../process/webauthn/site.ts";

/** The parts of the app that the pages work with. `C`: the services of the app's own operations, which pass through. */
export interface WebApp<C> extends AppWith<C>, RecoveryApp {
  identities: Identities;
  site: PasskeySite;
  intake: Intake;
}

export const backToSlack = "You can close this page and go back to Slack.";

/** A passkey as a browser finds it. */
type Offered = Pick<Passkey, "id" | "transports">;

/** The options with which the page's script has the member's device sign the statement, by one of these passkeys. */
export function signOptions(statement: Statement, passkeys: readonly Offered[]) {
  return {
    challenge: challengeOf(statement),
    rpId: statement.rpId,
    passkeys: passkeys.map(({ id, transports }) => ({ id, transports })),
  };
}

/** The answer to the page's script: how it ended, or (`again`) a sentence after which the person may try again. */
export type Ending = { title: string; text: string[]; again?: true } | { make: object } | { sign: object };

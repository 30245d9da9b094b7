import type { AppWith } from "../engine/app.ts";
import type { Identities } from "../identities/identities.ts";
import type { Intake } from "../intake.ts";
import type { RecoveryApp } from "../passkeys/recovery.ts";
import type { PasskeySite } from "../webauthn/site.ts";

/** The parts of the app that the pages work with. `C`: the services of the app's own operations, which pass through. */
export interface WebApp<C> extends AppWith<C>, RecoveryApp {
  identities: Identities;
  site: PasskeySite;
  intake: Intake;
}

/** The answer to the page's script: how it ended, or (`again`) a sentence after which the person may try again. */
export type Ending = { title: string; text: string[]; again?: true } | { make: object };

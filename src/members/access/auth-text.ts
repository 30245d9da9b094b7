import type { AuthProblem, PlatformRefused } from "../../platform/http/errors.ts";
import { duration } from "../../views/format.ts";
import { capital } from "../../views/text.ts";
import type { Whose } from "./refusal-text.ts";

/**
 * Explains a failed authentication and its remedy (reseller spec section 5.1). `left`: what it left unchanged, as a
 * sentence after a blank; empty for a call that only reads.
 */
export function authText(
  error: PlatformRefused,
  problem: AuthProblem,
  now: number,
  { key, verb }: Whose,
  left: string,
): string {
  const texts: Record<AuthProblem, string> = {
    "key rejected":
      error.api === "customer"
        ? `The platform no longer accepts ${key}: it was revoked or has expired, or the platform does not know it.${left} ${capital(verb)} a new key.`
        : `The platform no longer accepts ${key}. The key was revoked or has expired, or the reseller profile is not active (suspended or closed).${left} Ask whether the profile is active before you ${verb} a new key.`,
    "signature missing": `The platform needs a signature, and found none.${left} ${connectWords}`,
    "signature malformed": `The platform could not read the signature.${left} ${connectWords}`,
    "signature wrong": `The platform does not accept the signature: the signing secret was probably rotated in the portal.${left} ${connectWords}`,
    "clock off": `${clockWords(error, now)}${left} An admin should set this machine's clock.`,
    "secret not configured": `The reseller account has no signing secret yet, so it accepts no changes.${left} Create the secret in the portal under API Settings.`,
  };
  return texts[problem];
}

const connectWords = "An admin sets the current secret with `/rackbell connect`.";

function clockWords({ answeredAt }: PlatformRefused, now: number): string {
  if (answeredAt === undefined) return "The platform says that Rackbell's clock is off by more than it allows.";
  const way = answeredAt > now ? "behind" : "ahead of";
  return `Rackbell's clock is ${duration(Math.abs(answeredAt - now))} ${way} the platform's, and the platform allows at most five minutes.`;
}

import {
  type ApiName,
  type AuthProblem,
  declaredReasons,
  hidesBalance,
  type PlatformRefused,
} from "../../platform/http/errors.ts";
import { findReason, type Reason } from "../../platform/http/refusals.ts";
import { ownValue } from "../../process/own-value.ts";
import { duration, moment } from "../../views/format.ts";
import { capital, code, prose, reasonWords } from "../../views/text.ts";

/** Words for the key's owner: the reader, or another member whom the sentence must name. */
export interface Whose {
  key: string;
  account: string;
  /** The reader is the key's owner alone: they may link another, and read what the platform says of their balance. */
  own: boolean;
  /** The verb for a new key: a member links their own, and an admin connects a monitoring key. */
  verb: "link" | "connect";
}

/** A refusal and what its sentence may need. */
interface RefusedCall {
  error: PlatformRefused;
  /** When it may be tried again, as a sentence after a blank; empty if unknown. */
  when: string;
  whose: Whose;
  /** The sentence about what the refusal left unchanged, after a blank; empty for a call that only reads. */
  left: string;
}

type RefusalText = (refused: RefusedCall) => string;

const scopeText: RefusalText = ({ error, whose: { key, verb }, left }) =>
  `The scope ${code(error.scope ?? "that this needs")} is missing: ${key} does not have it.${left} Scopes cannot be added to a key: make a new one with that scope in the panel, and ${verb} it.`;

const featureText: RefusalText = ({ error, left }) =>
  `The platform's operator has switched this off: ${reasonWords(error.reason)}${left}`;

const limitText: RefusalText = ({ when, whose: { key }, left }) =>
  `The hourly call limit of ${key} is used up.${left}${when}`;

/** Customer spec section 7. */
const customerCodes: Record<string, RefusalText> = {
  SCOPE_REQUIRED: scopeText,
  ACCOUNT_SUSPENDED: ({ whose: { account }, left }) => `${account} is suspended, so it can only read.${left}`,
  FEATURE_DISABLED: featureText,
  PERMISSION_DENIED: ({ error, whose: { account }, left }) =>
    `${account} does not permit this: ${reasonWords(error.reason)}${left}`,
  PROJECT_SCOPE_MISMATCH: ({ whose: { key, verb }, left }) =>
    `${capital(key)} belongs to one project, and this is about another.${left} ${capital(verb)} a key without a project, or a key of that project.`,
  UNKNOWN_PROJECT: ({ whose: { key }, left }) => `The chosen project no longer exists, or ${key} cannot see it.${left}`,
  RATE_LIMITED: limitText,
  ACTION_RATE_LIMITED: ({ when, left }) =>
    `The platform limits how often this is possible, and the limit is reached.${left}${when}`,
  "game.module_disabled": ({ left }) => `The platform's operator has switched game servers off.${left}`,
  "game.server_not_found": ({ left }) => `No game server is set up for this service, though its id is right.${left}`,
  "game.capability.runtime_stubbed": ({ left }) =>
    `Nothing runs behind this game server yet, so its power cannot be switched.${left} Ask the platform's operator.`,
  "game.power_action_unknown": ({ left }) => `The platform does not know this power action for game servers.${left}`,
};

/** The rate limit counts each call for an hour, so the platform can only say when all of them expire. Reseller spec section 8. */
const slidingLimitText: RefusalText = ({ error, when, whose: { key }, left }) => {
  const latest =
    error.limitEndsAt === undefined ? "" : ` It can be tried again by ${moment(error.limitEndsAt)} at the latest.`;
  return `The hourly call limit of ${key} and of the whole reseller account is used up.${left}${when || latest}`;
};

/** The platform's own words, with the reason that the endpoint declares for them. */
const refusedText: RefusalText = ({ error, when, whose, left }) => {
  const reason = findReason(declaredReasons(error), error.reason);
  const words = platformWords(error, whose);
  const details = isHidden(error, whose) ? [] : error.details;
  const lines = details.map(({ field, message }) => `\n• ${code(field)}: ${prose(message)}`).join("");
  return `The platform said no: ${words}${statedIn(reason)}${left}${when}${guessedIn(reason)}${lines}`;
};

/** The platform's own sentence, after a colon. One that may name a balance is for the key's owner alone: others read that it is. */
export function platformWords(error: PlatformRefused, whose: Pick<Whose, "own">): string {
  if (!isHidden(error, whose)) return reasonWords(error.reason);
  return "only the requester can read its sentence, in *Details*, since it may name a balance.";
}

function isHidden(error: PlatformRefused, { own }: Pick<Whose, "own">): boolean {
  return !own && hidesBalance(error);
}

/** The reason that is certain, after a blank. */
function statedIn(reason: Reason): string {
  return "stated" in reason && reason.stated.means !== undefined ? ` ${reason.stated.means}` : "";
}

/** Reasons that only may be so: the platform's sentence names none of them, and a guess is called one. */
function guessedIn(reason: Reason): string {
  const [guess, ...others] = "guesses" in reason ? reason.guesses : [];
  if (guess === undefined) return "";
  if (others.length === 0) return ` Perhaps this is the reason: ${guess}`;
  return ` Perhaps one of these is the reason:${[guess, ...others].map((one) => `\n• ${one}`).join("")}`;
}

/** The sentence for a refusal: by code for the customer API, else by route for the reseller API, which has one code only. */
export function refusedCallText(refused: RefusedCall): string {
  return selectors[refused.error.api](refused.error)(refused);
}

const selectors: Record<ApiName, (error: PlatformRefused) => RefusalText> = {
  customer: (error) => ownValue(customerCodes, error.code ?? "") ?? refusedText,
  reseller: (error) => {
    if (error.scope !== undefined) return scopeText;
    if (error.code === "FEATURE_DISABLED") return featureText;
    return error.status === 429 ? slidingLimitText : refusedText;
  },
};

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

import { linkStep } from "../../members/access/access.ts";
import { authText, platformWords, refusedCallText, type Whose } from "../../members/access/refusal-text.ts";
import type { Step } from "../../operation/answer.ts";
import { InputError, isBeforeAct, Refusal, ScopeMissing, unseenTarget } from "../../operation/errors.ts";
import { SigningSecretMissing } from "../../platform/http/client.ts";
import {
  type ApiName,
  hidesBalance,
  isPlatformError,
  isRefusal,
  mayHaveRun,
  type PlatformError,
  PlatformOffContract,
  PlatformRefused,
  PlatformTooLate,
  providerRefused,
} from "../../platform/http/errors.ts";
import { RecordUnreadable, SealBroken, StorageError } from "../../storage/errors.ts";
import { moment } from "../../views/format.ts";
import { code, prose, reasonWords } from "../../views/text.ts";
import { SlackRefused, SlackUnanswered } from "../chat/errors.ts";

/** A failure in words for a person. */
export interface ErrorText {
  /** mrkdwn: what happened, whether anything changed, what to do next. */
  text: string;
  /** When it may be tried again (milliseconds), if the platform said. */
  again: number | null;
  next: Step[];
}

const webhookStep: Step = { label: "Set the address…", command: "reseller webhook address" };
const allProjectsStep: Step = { label: "Work in all projects", command: "project use", input: { project: "all" } };

/** The fact of a SealBroken, as a sentence. */
export const sealLost = "The encryption key that sealed its input was removed, so Rackbell cannot open it any more.";

/** True for an everyday answer to the member, which is no fault of Rackbell's, of the platform's or of Slack's. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof Refusal ||
    error instanceof InputError ||
    error instanceof SigningSecretMissing ||
    (error instanceof PlatformRefused && error.status < 500)
  );
}

/** Turns anything that was thrown into a sentence for a person. It never shows a key, a stack or a path. */
export function errorText(error: unknown, now: number, whose: Whose = yours): ErrorText {
  const said = ownText(error, now, whose);
  return isBeforeAct(error) ? { ...said, text: `${said.text} Nothing was done.` } : said;
}

function ownText(error: unknown, now: number, whose: Whose): ErrorText {
  if (error instanceof Refusal) return plain(`${error.message}${ownSentence(error, whose)}`, error.next);
  if (error instanceof InputError) return plain(prose(error.message, 1_500));
  if (error instanceof SigningSecretMissing) {
    return plain(
      "This workspace is not connected to the reseller account yet: its signing secret is missing. Nothing was sent. An admin sets it with `/rackbell connect`.",
    );
  }
  if (error instanceof StorageError && !(error instanceof RecordUnreadable)) return plain(noRecords);
  if (error instanceof SealBroken) return plain(`${sealLost} Ask again if you still need it.`);
  if (error instanceof SlackUnanswered) return plain(slackSilent(error));
  if (error instanceof SlackRefused)
    return plain(
      `Slack refused a call that Rackbell needs for this, with the code ${code(error.reason)}. If you asked for a change, check whether it was made before you try again.`,
    );
  if (error instanceof PlatformRefused) return refused(error, now, whose);
  if (isPlatformError(error)) return unanswered(error);
  return plain(
    "Something went wrong inside Rackbell. Its log has the details. If you asked for a change, check whether it was made before you try again.",
  );
}

/** The platform's sentence that a Refusal left out because it may name a balance, after a blank: for the key's owner alone. */
function ownSentence({ cause }: Refusal, { own }: Whose): string {
  return own && cause instanceof PlatformRefused && hidesBalance(cause)
    ? ` The platform says: ${reasonWords(cause.reason)}`
    : "";
}

/** True where the text for everybody leaves out what the key's owner may read. */
export function isPartlyPersonal(error: unknown): boolean {
  return hidesBalance(error instanceof Refusal ? error.cause : error);
}

/** A change runs only after its start is stored. If its end was not stored, Rackbell checks the outcome. */
const noRecords =
  "Rackbell cannot write its records at the moment, and runs nothing that is not recorded. Later it checks the outcome of everything already begun, and runs nothing twice. Try again in a minute.";

/** Rackbell checks the member's rights first, so if these calls fail, nothing was done. */
function slackSilent({ method }: SlackUnanswered): string {
  if (method === "users.info" || method === "conversations.info")
    return "Slack does not answer at the moment, so Rackbell cannot check who you are. Nothing changed. Try again in a minute.";
  return "Slack did not answer while Rackbell worked on this. If you asked for a change, check whether it was made before you try again.";
}

const yours: Whose = { key: "your key", account: "Your account", own: true, verb: "link" };

/** The words for a key that is not the reader's own. */
export function whoseKey(slackUser: string): Whose {
  return {
    key: `the key of <@${slackUser}>`,
    account: `The account of <@${slackUser}>`,
    own: false,
    verb: "link",
  };
}

/** The words for a key that belongs to the workspace, not to a member. */
export function whoseMonitoringKey(api: ApiName): Whose {
  return { key: `the ${api} monitoring key`, account: "The account", own: false, verb: "connect" };
}

/** True for a call that only reads: its own sentence says nothing of the change for which it was read. */
export function isFailedRead(error: unknown): boolean {
  return isPlatformError(error) && isRead(error);
}

/** True where nobody knows whether a write took effect. */
export function outcomeUnknown(error: unknown): boolean {
  return isPlatformError(error) && !isRead(error) && mayHaveRun(error);
}

/** A definite refusal that changed nothing and may be tried again: the request stays open. */
export function mayComeAgain(error: unknown): boolean {
  if (!(error instanceof PlatformRefused) || lasting.has(error.code ?? "")) return false;
  return error.status === 409 || error.status === 429;
}

/** True when the platform would refuse it again in some minutes. An API that its operator switched off is often back by then. */
export function isLasting(error: unknown): boolean {
  if (!(error instanceof PlatformRefused) || error.code === "FEATURE_DISABLED") return false;
  return error.status < 500 && !mayComeAgain(error);
}

/** True where the platform would refuse the same of every other resource: it is about the key, its account or the whole API. */
export function meetsAll(error: unknown): boolean {
  if (error instanceof ScopeMissing || error instanceof SigningSecretMissing) return true;
  if (!(error instanceof PlatformRefused)) return false;
  return error.auth !== undefined || error.scope !== undefined || ofTheKey.has(error.code ?? "");
}

/** Customer spec section 7; of these the reseller API names FEATURE_DISABLED alone. */
const ofTheKey = new Set(["SCOPE_REQUIRED", "ACCOUNT_SUSPENDED", "FEATURE_DISABLED", "PERMISSION_DENIED"]);

/** Refusals that do not end by waiting: the operator or another document must end them. */
const lasting = new Set(["PRODUCT_UNAVAILABLE", "RENEWAL_PENDING"]);

function plain(text: string, next: Step[] = [], again: number | null = null): ErrorText {
  return { text, again, next };
}

function refused(error: PlatformRefused, now: number, whose: Whose): ErrorText {
  const again = error.retryAfterSeconds === undefined ? null : now + error.retryAfterSeconds * 1000;
  const when = again === null ? "" : ` It can be tried again ${moment(again)}.`;
  if (outcomeUnknown(error) && error.status < 500)
    return plain(
      `The platform's answer is one that its contract does not name: ${platformWords(error, whose)} ${unknownFact}`,
    );
  const left = isRead(error) ? "" : ` ${unchanged(error)}`;
  if (error.auth) {
    const steps = whose.own && error.auth === "key rejected" ? [linkStep] : [];
    return plain(authText(error, error.auth, now, whose, left), steps, again);
  }
  const unseen = unseenTarget(error);
  if (unseen)
    return plain(
      `There is no ${unseen.label} with the id ${code(unseen.id)}, or ${whose.key} cannot see it. Give its ${unseen.foundBy} or id. \`/rackbell search\` finds resources.`,
    );
  if (error.status >= 500) return platformFault(error, { when, again, whose });
  return plain(refusedCallText({ error, when, whose, left }), whose.own ? waysOut(error) : [], again);
}

/** Only for a refusal that ran nothing: of a route that charges it is declared. A member who orders must know that nothing was charged. */
function unchanged({ api, status, facts }: PlatformRefused): string {
  if (status === 424 && api === "customer") return "The attempt counts against the limit of attempts.";
  return facts.charges ? "Nothing was charged." : "Nothing changed.";
}

function waysOut(error: PlatformRefused): Step[] {
  if (isRefusal(error, "no webhook address")) return [webhookStep];
  if (error.scope !== undefined || error.code === "SCOPE_REQUIRED") return [linkStep];
  return error.code === "UNKNOWN_PROJECT" ? [allProjectsStep] : [];
}

/** For the words alone: after the customer API's 503, a write may still have run. Customer spec section 7. */
function isProviders(error: PlatformRefused): boolean {
  return providerRefused(error) || (error.status === 503 && providerCodes.has(error.code ?? ""));
}

/** The meaning of the 503 in each API's spec, section 7. */
const providerWords: Record<ApiName, string> = {
  customer: "A provider behind the platform refused, or could not be reached",
  reseller: "A provider behind the platform refused, or is switched off",
};

const providerCodes = new Set(["PROVIDER_ERROR", "PROVIDER_UNAVAILABLE"]);

function platformFault(
  error: PlatformRefused,
  { when, again, whose }: { when: string; again: number | null; whose: Whose },
): ErrorText {
  const what = isProviders(error) ? providerWords[error.api] : "The platform had a fault of its own";
  const words = `${what} (${error.status}): ${platformWords(error, whose)}`;
  if (!isRead(error)) return plain(`${words} ${mayHaveRun(error) ? unknownFact : unchanged(error)}`);
  return plain(`${words}${when || " Try again in a minute."}`, [], again);
}

/** Never says "try again": the change may have taken effect and would run twice. */
const unknownFact = "The outcome is unknown.";

function unanswered(error: PlatformError): ErrorText {
  const write = mayHaveRun(error) ? unknownFact : "Nothing was sent, so nothing changed. Try again in a minute.";
  return plain(`${unansweredFact(error)} ${isRead(error) ? "Try again in a minute." : write}`);
}

/** The bare fact, without its meaning for the call. */
export function unansweredFact(error: PlatformError): string {
  if (error instanceof PlatformOffContract) return "The platform's answer does not follow its contract.";
  return error instanceof PlatformTooLate
    ? "The platform took too long to answer."
    : "The platform could not be reached.";
}

function isRead(error: PlatformError): boolean {
  return error.method === "GET";
}

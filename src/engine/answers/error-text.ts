import { InputError, Refusal } from "../../operation/errors.ts";
import type { Step } from "../../operation/operation.ts";
import {
  applied,
  isPlatformError,
  type PlatformError,
  PlatformOffContract,
  PlatformRefused,
  PlatformTooLate,
} from "../../platform/http/errors.ts";
import { moment } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";

/** A failure as a person is told it. */
export interface ErrorText {
  /** mrkdwn: what happened, whether anything changed, what to do next. */
  text: string;
  /** When it may be tried again (milliseconds), if the platform said. */
  again: number | null;
  next: Step[];
}

export const linkStep: Step = { label: "Link a key", command: "rackbell link", style: "primary" };

const allProjectsStep: Step = { label: "Work in all projects", command: "project use", input: { project: "all" } };

/** Turns anything that was thrown into a sentence for a person (design section 9). It never shows a key, a stack or a path. */
export function errorText(error: unknown, now: number, whose: Whose = yours): ErrorText {
  if (error instanceof Refusal) return plain(error.message, error.next);
  if (error instanceof InputError) return plain(prose(error.message, 1_500));
  if (error instanceof PlatformRefused) return refused(error, now, whose);
  if (isPlatformError(error)) return unanswered(error);
  return plain(
    "Something went wrong inside Rackbell; its log has the details. If you asked for a change, look whether it was made before you ask again.",
  );
}

/** Who acts with the key: the reader, or somebody whom the reader must be told. */
export interface Whose {
  key: string;
  account: string;
  links: boolean;
}

const yours: Whose = { key: "your key", account: "Your account", links: true };

/** The words for a key that is not the reader's own. */
export function keyOf(slackUser: string): Whose {
  return {
    key: `the key of <@${slackUser}>`,
    account: `The account of <@${slackUser}>`,
    links: false,
  };
}

/** True where nobody knows whether a write took effect. */
export function outcomeUnknown(error: unknown): boolean {
  return isPlatformError(error) && !isRead(error) && applied(error) === "unknown";
}

/** A definite refusal that changed nothing and may be tried again: the request stays open. */
export function mayComeAgain(error: unknown): boolean {
  return error instanceof PlatformRefused && (error.status === 409 || error.status === 429);
}

function plain(text: string, next: Step[] = [], again: number | null = null): ErrorText {
  return { text, again, next };
}

type Told = (error: PlatformRefused, again: string, whose: Whose) => string;

const byCode: Record<string, Told> = {
  UNAUTHORIZED: (_error, _again, { key }) =>
    `The platform no longer accepts ${key}: it was revoked, has expired, or is used from an address that it does not allow. Nothing changed. A new key must be linked.`,
  SCOPE_REQUIRED: (error, _again, { key }) =>
    `The scope ${code(error.scope ?? "that this needs")} is missing: ${key} does not have it. Nothing changed. Scopes cannot be added to a key: make a new one with that scope in the panel, and link it.`,
  ACCOUNT_SUSPENDED: (_error, _again, { account }) => `${account} is suspended, so it can only read. Nothing changed.`,
  FEATURE_DISABLED: (error) =>
    `The platform's operator has switched this off: ${sentence(prose(error.reason))} Nothing changed.`,
  PERMISSION_DENIED: (error, _again, { account }) =>
    `${account} does not permit this: ${sentence(prose(error.reason))} Nothing changed.`,
  PROJECT_SCOPE_MISMATCH: (_error, _again, { key }) =>
    `This is not in the project that ${key} belongs to. Nothing changed. Link a key that is not bound to a project, or one of that project.`,
  UNKNOWN_PROJECT: (_error, _again, { key }) =>
    `The chosen project no longer exists, or ${key} cannot see it. Nothing changed.`,
  RATE_LIMITED: (_error, again, { key }) =>
    `The platform takes only so many calls an hour, and ${key} has used them up. Nothing changed.${again}`,
  ACTION_RATE_LIMITED: (_error, again) => `The platform lets this be done only so often. Nothing changed.${again}`,
  "game.module_disabled": () => "The platform's operator has switched game servers off. Nothing changed.",
  "game.server_not_found": () => "No game server is set up for this service, though its id is right. Nothing changed.",
  "game.capability.runtime_stubbed": () =>
    "Nothing runs behind this game server yet, so its power cannot be switched. Nothing changed. Ask the operator.",
  "game.power_action_unknown": () => "The platform does not know this power action for game servers. Nothing changed.",
};

const mendedByLinking = new Set(["UNAUTHORIZED", "SCOPE_REQUIRED"]);

function refused(error: PlatformRefused, now: number, whose: Whose): ErrorText {
  const again = error.retryAfterSeconds === undefined ? null : now + error.retryAfterSeconds * 1000;
  const when = again === null ? "" : ` It can be tried again ${moment(again)}.`;
  const told = byCode[error.code];
  if (told && error.status < 500) {
    const next = mendedByLinking.has(error.code)
      ? [linkStep]
      : error.code === "UNKNOWN_PROJECT"
        ? [allProjectsStep]
        : [];
    return plain(told(error, when, whose), whose.links ? next : [], again);
  }
  if (error.status >= 500) return platformFault(error, when, again);
  const details = error.details.map(({ field, message }) => `• ${code(field)}: ${prose(message)}`).join("\n");
  const fact =
    error.status === 424 ? "The attempt counts against the limit on how often it may be tried." : "Nothing changed.";
  return plain(
    `The platform said no: ${sentence(prose(error.reason))} ${fact}${when}${details ? `\n${details}` : ""}`,
    [],
    again,
  );
}

function platformFault(error: PlatformRefused, when: string, again: number | null): ErrorText {
  const words = `The platform had a fault of its own (${error.status}): ${sentence(prose(error.reason))}`;
  if (!isRead(error)) return plain(`${words} ${unknownFact}`);
  return plain(`${words} It was only asked, so nothing changed.${when || " Try again in a minute."}`, [], again);
}

/** Never "try again": what may have been done could be done twice. */
const unknownFact = "Whether it took effect is not known.";

function unanswered(error: PlatformError): ErrorText {
  const what =
    error instanceof PlatformOffContract
      ? "The platform answered something that its contract does not allow."
      : error instanceof PlatformTooLate
        ? "The platform took too long to answer."
        : "The platform could not be reached.";
  const write = applied(error) === "no" ? "Nothing was sent, so nothing changed. Try again in a minute." : unknownFact;
  return plain(`${what} ${isRead(error) ? "It was only asked, so nothing changed. Try again in a minute." : write}`);
}

function isRead(error: PlatformError): boolean {
  return error.method === "GET";
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

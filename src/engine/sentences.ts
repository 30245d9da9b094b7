import {
  applied,
  isPlatformError,
  type PlatformError,
  PlatformOffContract,
  PlatformRefused,
  PlatformTooLate,
} from "../platform/errors.ts";
import { moment } from "../views/format.ts";
import { code, prose } from "../views/text.ts";
import { InputFault, Refusal } from "./faults.ts";
import type { Step } from "./operation.ts";

/** A failure as a person is told it. */
export interface Trouble {
  /** mrkdwn: what happened, whether anything changed, what to do next. */
  text: string;
  /** When it may be tried again (milliseconds), if the platform said. */
  again: number | null;
  next: Step[];
}

export const linkStep: Step = { label: "Link a key", command: "rackbell link", style: "primary" };

/** Turns anything that was thrown into a sentence for a person (design section 9). It never shows a key, a stack or a path. */
export function troubleOf(error: unknown, now: number): Trouble {
  if (error instanceof Refusal) return plain(error.message, error.next);
  if (error instanceof InputFault) return plain(prose(error.message, 1_500));
  if (error instanceof PlatformRefused) return refused(error, now);
  if (isPlatformError(error)) return unanswered(error);
  return plain("Something went wrong inside Rackbell; its log has the details. Nothing more was sent.");
}

/** True where nobody knows whether a write took effect. */
export function outcomeUnknown(error: unknown): boolean {
  return isPlatformError(error) && !isRead(error) && applied(error) === "unknown";
}

/** A definite refusal that changed nothing and may be tried again: the request stays open. */
export function mayComeAgain(error: unknown): boolean {
  return error instanceof PlatformRefused && (error.status === 409 || error.status === 429);
}

function plain(text: string, next: Step[] = [], again: number | null = null): Trouble {
  return { text, again, next };
}

type Told = (error: PlatformRefused, again: string) => Trouble;

const byCode: Record<string, Told> = {
  UNAUTHORIZED: () =>
    plain(
      "The platform no longer accepts your key: it was revoked, has expired, or is used from an address that it does not allow. Nothing changed. Link a new key.",
      [linkStep],
    ),
  SCOPE_REQUIRED: (error) =>
    plain(
      `Your key lacks the scope ${code(error.scope ?? "that this needs")}. Nothing changed. Scopes cannot be added to a key: make a new one with that scope in the panel, and link it.`,
      [linkStep],
    ),
  ACCOUNT_SUSPENDED: () => plain("Your account is suspended, so it can only read. Nothing changed."),
  FEATURE_DISABLED: (error) => plain(`The platform's operator has switched this off: ${prose(error.words)}`),
  PERMISSION_DENIED: (error) => plain(`Your account does not permit this: ${prose(error.words)} Nothing changed.`),
  PROJECT_SCOPE_MISMATCH: () =>
    plain(
      "Your key belongs to another project than the one that this is about. Nothing changed. Link a key that is not bound to a project, or one of that project.",
    ),
  UNKNOWN_PROJECT: () =>
    plain("The project that you work in no longer exists, or your key cannot see it. Nothing changed."),
  RATE_LIMITED: (_, again) => plain(`The hourly number of calls of your key is used up. Nothing changed.${again}`),
  ACTION_RATE_LIMITED: (_, again) => plain(`The platform lets this be done only so often. Nothing changed.${again}`),
};

function refused(error: PlatformRefused, now: number): Trouble {
  const again = error.retryAfterSeconds === undefined ? null : now + error.retryAfterSeconds * 1000;
  const when = again === null ? "" : ` It can be tried again ${moment(again)}.`;
  const told = byCode[error.code];
  if (told) return { ...told(error, when), again };
  if (error.status >= 500) return platformFault(error, when, again);
  const details = error.details.map(({ field, message }) => `• ${code(field)}: ${prose(message)}`).join("\n");
  const fact =
    error.status === 424 ? "The attempt counts against the limit on how often it may be tried." : "Nothing changed.";
  return plain(
    `The platform said no: ${sentence(prose(error.words))} ${fact}${when}${details ? `\n${details}` : ""}`,
    [],
    again,
  );
}

function platformFault(error: PlatformRefused, when: string, again: number | null): Trouble {
  const words = `The platform had a fault of its own (${error.status}): ${sentence(prose(error.words))}`;
  const fact = isRead(error) ? "It was only asked, so nothing changed." : "Whether it took effect is not known yet.";
  return plain(`${words} ${fact}${when || " Try again in a minute."}`, [], again);
}

function unanswered(error: PlatformError): Trouble {
  const what =
    error instanceof PlatformOffContract
      ? "The platform answered something that its contract does not allow."
      : error instanceof PlatformTooLate
        ? "The platform took too long to answer."
        : "The platform could not be reached.";
  const write =
    applied(error) === "no"
      ? "Nothing was sent, so nothing changed. Try again in a minute."
      : "Whether it took effect is not known: look before you try again.";
  return plain(`${what} ${isRead(error) ? "It was only asked, so nothing changed. Try again in a minute." : write}`);
}

function isRead(error: PlatformError): boolean {
  return error.method === "GET";
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

import { characters, type PlainText, plainly } from "../process/plain-text.ts";
import { capital } from "../views/text.ts";
import type { Step } from "./answer.ts";

/** An error about one input ("target" for the target; empty for the whole). `label`: its name, where the message goes on from it. */
export interface WrongInput {
  field: string;
  label?: string | undefined;
  message: PlainText;
}

/**
 * The member must correct an input first. The messages are plain text without markup: Slack shows them below a form's fields as they are,
 * and they are escaped for a message.
 */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly fields: readonly WrongInput[];

  constructor(fields: readonly WrongInput[] | PlainText) {
    const list = Array.isArray(fields) ? fields : [{ field: "", message: fields }];
    super(list.map((one) => characters(aloneWords(one))).join(" "));
    this.fields = list;
  }
}

/** The message as it stands alone: with the name of its field. */
export function aloneWords({ label, message }: WrongInput): PlainText {
  return label === undefined ? message : plainly`${label}: ${message}`;
}

/** The messages as they stand below their fields. */
export function belowFields({ fields }: InputError): { field: string; message: PlainText }[] {
  return fields.map(({ field, message }) => ({ field, message: capital(message) }));
}

/** The error about one input. With a label, the message goes on from it. */
export function wrongInput(field: string, message: PlainText, label?: string): InputError {
  return new InputError([{ field, message, label }]);
}

/**
 * The member may not do this, or not now. The message is mrkdwn with the reason and the next move; `next` are buttons that help.
 */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly next: Step[];

  constructor(message: string, next: Step[] = []) {
    super(message);
    this.next = next;
  }
}

/** The same refusal, which words what the platform answered. */
export function causedBy(refusal: Refusal, cause: unknown): Refusal {
  refusal.cause = cause;
  return refusal;
}

/** The obstacle ends by itself within minutes, such as a build. A scheduled request waits for that; any other refusal ends it. */
export class NotYet extends Refusal {
  override readonly name = "NotYet";
}

/** The state of a target that a member wanted to delete and that no longer exists. */
export const goneState = "gone";

/** The target no longer exists, so no retry can succeed. `fact` says so, `aside` says that nothing was requested or sent. */
export class Gone extends Refusal {
  override readonly name: string = "Gone";
  readonly fact: string;

  constructor(fact: string, aside: string, next: Step[] = []) {
    super(`${fact} ${aside}`, next);
    this.fact = fact;
  }
}

/** The member's key lacks the scope; a colleague's key may have it. */
export class ScopeMissing extends Refusal {
  override readonly name = "ScopeMissing";
}

const targets = new WeakMap<Error, PlainText>();

/** Notes the name of the resource that the error is about, so that its sentence can name it. Gives the same error. */
export function withTarget(error: unknown, name: PlainText | null): unknown {
  if (error instanceof Error && name !== null) targets.set(error, name);
  return error;
}

const beforeActs = new WeakSet<Error>();

/** Notes that the error came before a change was begun, so that its sentence can say that nothing was done. Gives the same error. */
export function beforeAct(error: unknown): unknown {
  if (error instanceof Error) beforeActs.add(error);
  return error;
}

/** True if somebody noted that the error came before a change was begun. */
export function isBeforeAct(error: unknown): boolean {
  return error instanceof Error && beforeActs.has(error);
}

/** A resource that its own read did not find: its kind in words, and the id that was asked for. */
interface Unseen {
  label: string;
  /** The fields that find another. */
  foundBy: string;
  id: string;
}

const unseen = new WeakMap<Error, Unseen>();

/** Notes that the platform refused the read of the resource itself. The same refusal of another call may be about a part of it. */
export function withUnseen(error: Error, target: Unseen): Error {
  unseen.set(error, target);
  return error;
}

/** The resource that its own read did not find; null for every other error. */
export function unseenTarget(error: Error): Unseen | null {
  return unseen.get(error) ?? null;
}

/** The name of the resource that an error is about; null if it is about none, or nobody noted it. */
export function failedTarget(error: unknown): PlainText | null {
  return error instanceof Error ? (targets.get(error) ?? null) : null;
}

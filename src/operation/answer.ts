import { amountOf, unitsOf } from "../platform/amounts.ts";
import type { PlainText } from "../process/plain-text.ts";
import type { Block } from "../views/blocks.ts";
import type { Sheet } from "../views/csv.ts";
import type { Risk } from "./risk.ts";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A label and a value for people: they are shown, and never compared. */
export interface Fact {
  label: string;
  value: string;
  decides?: Decides | undefined;
}

/**
 * Nobody can decide without it, so the card shows it at any length: "known", unless the sentences of the card name it; "unknown", always,
 * since the same words elsewhere speak of something else.
 */
export const decisive = ["known", "unknown"] as const;
type Decides = (typeof decisive)[number];

/** A value that the decision relies on: if it is another one when the act begins, the request is void. Only people read the words. */
export interface Precondition {
  value: Json;
  label: string;
  /** mrkdwn. */
  text: string;
  /** As of a `Fact`; a value that is null, or a list that has one, is "unknown" without it. */
  decides?: Decides | undefined;
  /** The platform did not show it at that moment: a failed read is no change, so another value beside it voids nothing. */
  unread?: true | undefined;
}

/** By keys that stay the same from version to version: an open request is compared by them after an upgrade. */
export type Preconditions = Record<string, Precondition>;

/** An amount in its currency. */
export interface Price {
  amount: string;
  currency: string;
  /** The platform adds tax where tax is due, and names the rate only afterwards. */
  beforeTax?: true | undefined;
}

/** A price that includes all tax; unknown without its currency. */
export function priceIn(amount: string, currency: string | null): Price | "unknown" {
  return currency === null ? "unknown" : { amount, currency };
}

/** A price to which the platform may add tax; unknown without its currency. */
export function priceBeforeTax(amount: string, currency: string | null): Price | "unknown" {
  return currency === null ? "unknown" : { amount, currency, beforeTax: true };
}

/** The cost of an act, as the platform shows it once the act is done. */
export interface Cost {
  /** With all tax; null if nothing is charged for it, now or later. */
  price: Review["price"];
  /** The invoice or proforma that the act made: whoever pays it pays this cost. */
  document?: string | undefined;
}

/** In percent. No country has a higher value added tax. */
const highestTaxPercent = 27n;

/**
 * The amount that approval rules compare with their limits, with tax. If the platform names the tax only afterwards, the highest
 * tax is added: otherwise a purchase could pass a limit that its invoice exceeds.
 */
export function withTax({ amount, currency, beforeTax }: Price): { amount: string; currency: string } {
  return { amount: beforeTax ? amountOf(wholeCents(unitsOf(amount) * (100n + highestTaxPercent))) : amount, currency };
}

/** Hundredths of ten-thousandths as ten-thousandths, rounded up to the next cent. */
function wholeCents(hundredths: bigint): bigint {
  return ((hundredths + 9_999n) / 10_000n) * 100n;
}

/** The loss or the price of an act, read live for the person who decides. */
export interface Review {
  /** One sentence: the loss or the price. */
  consequence: string;
  /** Sentences about everything else that may be lost, interrupted or opened. A fact may be behind *Details…*, and a warning never is. */
  warnings: string[];
  /** The act and what it is about, if no resource names that: "Order 1 × VPS S". Plain text. Null: the operation's verb. */
  title?: PlainText | undefined;
  /** The label of the confirm button, without the price: the act and the resource ("Cancel web-2 now"). Null: made of the verb and the name. */
  press: PlainText | null;
  /** The price of an hour or a month in plain text, if no sum is known: the label of the confirm button ends with it. */
  rate?: string | null | undefined;
  /** The label of the cancel button ("Keep web-2"). */
  back: PlainText | null;
  /** A change in any of these voids the request. */
  preconditions: Preconditions;
  /** Information only: these facts may change without voiding the request. */
  shown: Fact[];
  /** Facts that only the requester sees, such as a balance. */
  personal: Fact[];
  /** The refusal if anybody but the requester would see the request: its sums show something personal. */
  confidential?: string | undefined;
  /** The ids of the resources that it destroys beside its target: their protection applies to it. */
  destroys?: readonly string[] | undefined;
  /** Null if it costs nothing. An operation with risk `destroy` that also charges without a named price says "unknown". */
  price: Price | "unknown" | null;
  /** The state before the act; `reconcile` compares the state after it with this. */
  before: Json;
}

/** The review of an act that destroys nothing and costs nothing. */
const nothingReviewed: Review = {
  consequence: "",
  warnings: [],
  press: null,
  back: null,
  preconditions: {},
  shown: [],
  personal: [],
  price: null,
  before: null,
};

/**
 * The review with what it leaves out, and with the sentence of what the act interrupts: whoever decides it reads the same as its requester.
 * The price of an act that spends is "unknown" if the platform names none.
 */
export function wholeReview(risk: Risk, review: Partial<Review>, interrupts: string | null = null): Review {
  const { consequence, warnings, price, ...whole } = { ...nothingReviewed, ...review };
  const [first = "", ...others] = [consequence, ...warnings, interrupts ?? ""].filter((sentence) => sentence !== "");
  return {
    ...whole,
    consequence: first,
    warnings: others,
    price: price ?? (risk === "spend" ? "unknown" : null),
  };
}

/** An act with its object, such as "Remove the rotation night", and what is lost by it, in mrkdwn. */
export interface StepQuestion {
  act: PlainText;
  loss: string;
}

/** A next step under an answer: an invocation of another operation. */
export interface Step {
  label: PlainText;
  command: string;
  target?: string | undefined;
  input?: Record<string, Json> | undefined;
  style?: "primary" | "danger" | undefined;
  replace?: boolean | undefined;
  /** The question of the button's dialog, for an act that a typed command does at once: its operation may have a verb for another act. */
  asks?: StepQuestion | undefined;
  /** True: the button opens the form, although nothing that the act needs is missing. False: it opens none, whatever its label promises. */
  form?: boolean | undefined;
  /** Same meaning as `Invocation.originator`. */
  originator?: string | undefined;
  /** The button works until then (milliseconds since the epoch). */
  until?: number | undefined;
  /** The button shows the details of a card, not the card. */
  details?: true | undefined;
  /** The button shows the previous or the next page of a list. */
  turn?: "back" | "more" | undefined;
}

export interface Secret {
  label: PlainText;
  value: string;
  /** The value is a URL: it also gets a button that opens it. */
  link?: boolean | undefined;
}

/** The result of a run, for display. */
export interface Answer {
  /** One or two sentences of mrkdwn; also the text of the Slack notification. */
  text: string;
  blocks?: Block[];
  /** The answer is the card of one resource, and these blocks are shown in the modal behind *Details* alone. */
  details?: Block[];
  /** On a card the first of them are buttons, and the others are in the menu *More…*. */
  next?: Step[];
  /** The operation lists something, and found nothing. */
  empty?: boolean;
  /** Shown once, to the requester alone. Never stored with the answer. */
  secrets?: Secret[];
  /** The ids of the resources that a list shows, in its order. */
  rows?: string[];
  /** For programs: the answer of an act that only reads, and by a write. Their own reads they have already. Never a secret. */
  data?: Json;
  /** Sent to the requester in their direct messages with the app. */
  file?: { name: string; content: string | Buffer | Sheet };
  /** The data that `follow.poll` needs to track the job; null if no job continues. */
  handle?: Json;
  /** Approval rules count it from now on, in place of the price that was shown before. Absent: the platform shows no more than before. */
  cost?: Cost | undefined;
  /** The supplier's order that this run made: later events name that order. */
  order?: string | undefined;
  /** The partner's own id of the customer who bought it; alert filters use it. */
  customer?: string | null | undefined;
  /** The platform accepted the call, and never reports its outcome. */
  endUnknown?: boolean;
  /** Expect no event for this run: it was done before, or it did nothing that causes one. */
  unheard?: boolean;
}

/** Another act of the same payer that Rackbell sent at the same time or since. */
export interface OtherCharge {
  command: string;
  price: Price;
  /** False while its own outcome is unknown. */
  confirmed: boolean;
}

/** The answer of an operation with `follow`. It says each time what is tracked: null if no job continues. */
export type TrackedAnswer<Handle> = Answer & { handle: Handle | null };

/** The steps of a long job, and the index of the current one (from 0). */
export interface Stages {
  stages: string[];
  at: number;
}

/** The current state of an accepted call. */
export interface Progress {
  state: "working" | "done" | "failed";
  text: string;
  /** With "done": the platform does not report the outcome, or only in part, so nobody can look it up. As a backup first it is none. */
  endUnknown?: boolean;
  next?: Step[];
  /** Milliseconds until the next poll; the operation's usual interval if absent. */
  every?: number;
  /** Shown as a list of steps with check marks. If the job failed, `at` is the step that failed. */
  plan?: Stages;
  /** Same as in `Answer`. */
  cost?: Cost | undefined;
  /** With "working": replaces the handle, for data that a later poll needs and can no longer read. */
  handle?: Json;
}

/**
 * The `reconcile` of an act that leaves nothing to read again. `text` names a place to look, or says that another try harms
 * nothing.
 */
export function unsure(text: string): () => Promise<Reconciled> {
  return async () => ({ is: "unsure", text });
}

/** The outcome that reading again decides: done, or not done, which `otherwise` says in other words where they differ. */
export function doneIf(isDone: boolean, text: string, otherwise = text): Reconciled {
  return isDone ? { is: "done", text } : { is: "not done", text: otherwise };
}

/** The real state after an unknown outcome. */
export interface Reconciled {
  is: "done" | "not done" | "unsure";
  text: string;
  /** It was read from the present state alone, which may have been so before the act. */
  stateAlone?: boolean;
  /** Same as in `Answer`, if the act is done and a job continues. */
  handle?: Json;
  /** Same as in `Answer`, if the act is done. */
  next?: Step[];
  cost?: Cost | undefined;
}

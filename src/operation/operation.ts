// operation/: what an operation is: its type, how one is declared, its target, input, form in pages and errors; the registry of all.
// May import: views/, platform/, platform/*.

import type * as z from "zod";
import type { CustomerScope } from "../platform/customer/client.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { ClientOf } from "../platform/platform.ts";
import type { ResellerScope } from "../platform/reseller/client.ts";
import type { EventName } from "../platform/reseller/events.ts";
import type { Answer, Fact, Json, Progress, Reconciled, Review } from "./answer.ts";
import type { Actor, Asking, Choice } from "./asking.ts";
import type { Bulk, Several } from "./bulk.ts";
import type { CopyOffer, LastCopy } from "./copy.ts";
import type { Accepted } from "./input.ts";
import type { Listed } from "./target.ts";
import type { Wizard } from "./wizard.ts";

/** The scopes of each API: two lists that share some words and no meaning. */
export interface ScopeOf {
  customer: CustomerScope;
  reseller: ResellerScope;
}

/** The manners of an operation: design section 1. */
export type Risk = "read" | "change" | "spend" | "destroy";

/** What a request to do one thing is made of: the same for a command, a form and a button. */
export interface Invocation {
  command: string;
  /** What the member typed, or the id that a button carries. */
  target?: string;
  /** In place of the target, where several are meant, or may be. */
  several?: Several;
  /** After how many failures nothing more is begun on several; the usual unless said. */
  stopAfter?: number;
  input: Record<string, unknown>;
  /** The answer takes the place of the message that the button stood in. */
  replace?: boolean;
  /** The answer is shown to the whole channel. */
  share?: boolean;
  /** Which part of an answer that is too long for one message; the first unless said. */
  part?: number;
  /** The caller was asked already whether to interrupt a service, or said that they need not be. */
  confirmed?: boolean;
  /** What is wrong with which input: the form opens with it, to be put right. */
  faults?: Record<string, string>;
  /** What was filled in page by page before: the form goes on with it. */
  draft?: string;
  /** The member who wanted it and could not, where somebody else takes it over. */
  originator?: string;
}

/** What a running operation is given. `id` identifies this run for good: it is the idempotency key where one exists. */
export interface Call<A extends ApiName, T, I> extends Asking<A> {
  id: string;
  target: T;
  input: I;
  now: number;
}

export interface BeginCall<A extends ApiName> extends Asking<A> {
  id: string;
  targetId: string | null;
  /** As `accept` gave it. */
  input: Record<string, unknown>;
  /** Names of choices in the input are ids by now: what was chosen may no longer be among the choices, and is meant all the same. */
  resolved?: boolean;
  now: number;
}

export interface ChoiceCall<A extends ApiName> extends Asking<A> {
  targetId: string | null;
}

/** An operation that takes a copy, as one that can come before another on the same target. */
export interface Copying<A extends ApiName> {
  label: string;
  step: string;
  /** What is said of it; null where no copy of this target can be taken now. */
  offer(call: ChoiceCall<A> & { last: LastCopy | null }): Promise<CopyOffer | null>;
}

/** A poll of an accepted call that works on. The input is gone by then: what is needed is in the handle. */
export interface PollCall<A extends ApiName> {
  client: ClientOf[A];
  actor: Actor;
  targetId: string;
  /** When it was accepted, and now: milliseconds. */
  since: number;
  now: number;
}

export interface Follow {
  /** Milliseconds between two polls. */
  every: number;
  /** Milliseconds after which the follow-up gives up. */
  deadline: number;
}

/** The supplier's events by which an act is heard of again once it is done. Reseller spec section 6. */
export interface Expected {
  /** One of these comes of it: where none does in its time, something is wrong. */
  first: readonly EventName[];
  /** These come of it as well, now or in days. */
  later?: readonly EventName[];
  /** These tell that it came to nothing: nobody expected them, though it is known who asked. */
  failing?: readonly EventName[];
  /** What somebody waits for before the message, in words: while it has not come, once it has, and where it has not in its time. */
  awaited?: { waits: string; came: string; missing: string };
}

/** What is the same for every operation, whichever API it calls, as the engine and the doors see it. */
interface OperationBase {
  command: string;
  summary: string;
  routes: string[];
  risk: Risk;
  input: z.ZodObject;
  /** The input that words after the verb fill where there is no target. */
  positional: string | null;
  /** That input takes all that follows, as it was typed. */
  verbatim: boolean;
  /** The inputs that a person chooses from a live list. */
  chosen: readonly string[];
  /** Those of them that can be typed where their list cannot be read. */
  typed: readonly string[];
  /** What is asked of the caller, in one press, before it interrupts a service; null where nothing is, or nothing with that input. */
  interrupts: ((input: Record<string, unknown>) => string | null) | null;
  /** Words on the red button: "Reinstall". */
  verb: string;
  /** Answers cannot be shared in a channel. */
  personal: boolean;
  /** What was typed or filled in as values, or what is wrong with it, before anything is read. */
  accept(raw: Record<string, unknown>): Accepted;
}

/** An operation of one of the platform's APIs; made by `defineOperation`. */
export interface ApiOperation<A extends ApiName> extends OperationBase {
  api: A;
  scope: ScopeOf[A];
  target: Listed<A> | null;
  follow: Follow | null;
  expects: Expected | null;
  /** Run again with the same id, it is the same act: a late first one is no second. */
  idempotent: boolean;
  /** Where it takes a copy. */
  copy: Copying<A> | null;
  /** Where it can be done to many in one request. */
  bulk: Bulk<A> | null;
  /** The form in pages, where one page with one field per input is not enough. */
  wizard: Wizard<A> | null;
  choices(field: string, call: ChoiceCall<A>): Promise<Choice[]>;
  /** Refuses what would be refused on this target whatever else is said. */
  usable(call: ChoiceCall<A>): Promise<void>;
  /** Parses the input and reads the target again; nothing is written yet. */
  begin(call: BeginCall<A>): Promise<Act>;
  poll(call: PollCall<A>, handle: unknown): Promise<Progress>;
  /** What a 404 on this target really means, or null when it means what it says. */
  explainMissing(client: ClientOf[A], targetId: string): Promise<string | null>;
}

export type CustomerOperation = ApiOperation<"customer">;
export type ResellerOperation = ApiOperation<"reseller">;
export type PlatformOperation = CustomerOperation | ResellerOperation;

/** What an operation of the app's own is given: `C` is what it works with, which only the engine knows. */
export interface AppCall<C> {
  context: C;
  actor: Actor;
  /** Where it was asked; null on the Home tab. */
  channel: string | null;
  input: Record<string, unknown>;
  now: number;
}

/** An operation that works with what Rackbell itself keeps; made by `defineAppOperation`. */
export interface AppOperation<C = never> extends OperationBase {
  api: "app";
  scope: null;
  /** The API whose key a member must have linked for it; null where none is needed. */
  needs: ApiName | null;
  target: null;
  follow: null;
  wizard: null;
  /** What stands above its form beside the summary: mrkdwn. */
  about(context: C): string | null;
  /** What can be told of the input while its form is still open: throws an InputError that names the field. */
  check(call: AppCall<C>): Promise<void>;
  run(call: AppCall<C>): Promise<Answer>;
}

export type Operation<C = never> = PlatformOperation | AppOperation<C>;

/** An operation that knows its target and input, ready to be reviewed and run. */
export interface Act {
  /** Of this run, for good. */
  id: string;
  target: { id: string; name: string } | null;
  /** The project that it is in, by name; null where that is not told. */
  project: string | null;
  /** Every text that means the target, as it was read now. */
  names: readonly string[];
  /** Every word that says how the target is, as it was read now. */
  states: readonly string[];
  /** The input with what was chosen by name replaced by its id: what a request keeps, so that it means the same later. */
  input: Record<string, unknown>;
  /** The input as parsed, for the record and for sentences; secrets are left out. */
  described: Fact[];
  /** Why it is asked; empty where nobody said. */
  reason: string;
  risk: Risk;
  /** What it is called, in words: "Reinstall"; where the input decides it, that of this input. */
  verb: string;
  /** The command that takes a copy of the target, which can come first; null where none is. */
  copyFirst: string | null;
  /** Refuses what would be refused whatever the input; nothing is written. */
  usable(): Promise<void>;
  review(): Promise<Review>;
  /** What `reconcile` of something that is done at once compares with: read right before it is sent. */
  before(): Promise<Json>;
  /** The one write. `before` is what the review told `reconcile` of the state that was shown. */
  run(before?: Json): Promise<Answer>;
  reconcile(before: Json, since: number): Promise<Reconciled>;
}

/** Runs it. Only the write itself is caught: a failure to tell of it must not read as a failure to do it. */
export async function attempt(act: Act, before: Json = null): Promise<{ answer: Answer } | { error: unknown }> {
  try {
    return { answer: await act.run(before) };
  } catch (error) {
    return { error };
  }
}

/** "vps snapshot delete" -> "Snapshot delete". */
export function verbOf(command: string): string {
  const words = command.split(" ").slice(1).join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

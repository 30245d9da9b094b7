import type * as z from "zod";
import type { AppContext } from "../engine/app-context.ts";
import type { Page } from "../platform/http/pages.ts";
import type { Client } from "../platform/http/transport.ts";
import type { Block } from "../views/blocks.ts";
import type { InputError } from "./errors.ts";
import type { Wizard } from "./wizard.ts";

/** `app` operations concern Rackbell itself and need no linked key. */
export type Api = "customer" | "reseller" | "app";
export type Scope = "read" | "services" | "orders" | "billing" | "destructive" | "customers" | "account";
/** The manners of an operation: design section 1. */
export type Risk = "read" | "change" | "spend" | "destroy";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What a request to do one thing is made of: the same for a command, a form and a button. */
export interface Invocation {
  command: string;
  /** What the member typed, or the id that a button carries. */
  target?: string;
  input: Record<string, unknown>;
  /** The answer takes the place of the message that the button stood in. */
  replace?: boolean;
  /** The answer is shown to the whole channel. */
  share?: boolean;
  /** What is wrong with which input: the form opens with it, to be put right. */
  faults?: Record<string, string>;
}

/** Who acts: what an operation may know of them. */
export interface Actor {
  /** `<enterprise or team>:<user>`. */
  member: string;
  slackUser: string;
  scopes: readonly string[];
  /** Label of the key that is used, for the audit and for sentences. */
  keyLabel: string;
  /** The project that the member works in, if one was chosen: what they do is narrowed to it. */
  project: { id: string; name: string } | null;
}

/** A thing that can be found by name: the row that the directory keeps of it. */
export interface Entry {
  id: string;
  name: string;
  /** Every other text that means it: host name, addresses. */
  aliases: string[];
  /** Short state for lists and pickers, such as "running". */
  state: string;
  project: string;
  /** One line of what it is, for pickers. */
  detail: string;
}

/** Every entry of one kind that an identity can see, and when that was read. */
export interface Listing {
  entries: Entry[];
  /** Milliseconds since the epoch. */
  at: number;
}

/** A kind of resource that operations act on. */
export interface TargetKind<T> {
  /** The noun of the command language: "vps". */
  noun: string;
  /** What a person calls one: "VPS". */
  label: string;
  list(client: Client, query: { page: number; limit: number }): Promise<Page<T>>;
  read(client: Client, id: string): Promise<T>;
  entry(row: T): Entry;
  /** What a refusal with 404 means while the id itself is right ("no machine yet"); null when it is not. */
  missing?(row: T): string | null;
}

/** A target kind as the directory sees it: pages of entries. */
export interface Listed {
  noun: string;
  label: string;
  entries(client: Client, query: { page: number; limit: number }): Promise<Page<Entry>>;
}

export interface Choice {
  value: string;
  label: string;
  description?: string;
}

/** What a running operation is given. `id` identifies this run for good: it is the idempotency key where one exists. */
export interface Call<T, I> {
  id: string;
  client: Client;
  actor: Actor;
  target: T;
  input: I;
  now: number;
  /** All entries of a kind, from the directory that is kept in the background (design section 9). */
  listing(kind: Listed): Promise<Listing>;
}

/** One thing that a request states. The values of material facts are compared when the button is pressed. */
export interface Fact {
  label: string;
  value: string;
}

/** What will be lost or charged, read now (design section 4). */
export interface Review {
  /** One sentence for the confirm dialog: what is lost or charged. */
  consequence: string;
  /** A change in any of these voids the request. */
  material: Fact[];
  /** Shown, but allowed to drift. */
  shown: Fact[];
  /** For the requester's eyes alone (a balance). */
  personal: Fact[];
  /** The state before, for `reconcile` to compare with. */
  before: Json;
}

/** A next step under an answer: an invocation of another operation. */
export interface Step {
  label: string;
  command: string;
  target?: string;
  input?: Record<string, Json>;
  style?: "primary" | "danger";
  replace?: boolean;
}

export interface Secret {
  label: string;
  value: string;
}

export interface Answer {
  /** What happened, as one or two sentences of mrkdwn; also the notification. */
  text: string;
  blocks?: Block[];
  next?: Step[];
  /** Shown once, to the requester alone. */
  secrets?: Secret[];
  file?: { name: string; content: string };
  /** What `follow` needs to know; null when nothing goes on. */
  handle?: Json;
}

/** How far an accepted call has come. */
export interface Progress {
  state: "working" | "done" | "failed";
  text: string;
  next?: Step[];
  /** Milliseconds to the next look, where that is not the operation's usual pace. */
  every?: number;
}

export interface Follow {
  /** Milliseconds between two looks. */
  every: number;
  /** Milliseconds after which the follow-up gives up. */
  deadline: number;
}

/** What is really so after an outcome that nobody knows. */
export interface Reconciled {
  is: "done" | "not done" | "unsure";
  text: string;
  /** As in `Answer`, when it turns out to be done and something goes on. */
  handle?: Json;
  /** As in `Answer`, when it turns out to be done. */
  next?: Step[];
}

/** An operation as the engine and the doors see it; made by `defineOperation` or `defineAppOperation`. */
export interface Operation {
  command: string;
  summary: string;
  api: Api;
  routes: string[];
  scope: Scope | null;
  risk: Risk;
  target: Listed | null;
  input: z.ZodObject;
  /** The input that words after the verb fill where there is no target. */
  positional: string | null;
  /** The inputs that a person chooses from a live list. */
  chosen: readonly string[];
  /** What a pressed button asks before it interrupts a service. */
  interrupts: string | null;
  /** Words on the red button: "Reinstall". */
  verb: string;
  /** Answers cannot be shared in a channel. */
  personal: boolean;
  follow: Follow | null;
  /** The form in pages, where one page with one field per input is not enough. */
  wizard: Wizard | null;
  choices(field: string, call: ChoiceCall): Promise<Choice[]>;
  /** Names what is wrong with an input, before anything is read. */
  check(input: Record<string, unknown>): InputError | null;
  /** Parses the input and reads the target again; nothing is written yet. */
  begin(call: BeginCall): Promise<Act>;
  /** One look at what goes on. */
  poll(call: PollCall, handle: unknown): Promise<Progress>;
  /** What a 404 on this target really means, or null when it means what it says. */
  explainMissing(client: Client, targetId: string): Promise<string | null>;
}

/** A look at an accepted call that works on. The input is gone by then: what is needed is in the handle. */
export interface PollCall {
  client: Client;
  actor: Actor;
  targetId: string;
  /** When it was accepted, and now: milliseconds. */
  since: number;
  now: number;
}

export interface ChoiceCall {
  client: Client;
  actor: Actor;
  targetId: string | null;
  listing(kind: Listed): Promise<Listing>;
}

export interface BeginCall {
  id: string;
  /** Null for an operation of the app's own, which gets `services` instead. */
  client: Client | null;
  context: AppContext | null;
  actor: Actor;
  targetId: string | null;
  input: Record<string, unknown>;
  /** The input is an act's own: what was chosen may no longer be among the choices, and is meant all the same. */
  resolved?: boolean;
  now: number;
  listing(kind: Listed): Promise<Listing>;
}

/** An operation that knows its target and input, ready to be reviewed and run. */
export interface Act {
  target: { id: string; name: string } | null;
  /** The input with what was chosen by name replaced by its id: what a request keeps, so that it means the same later. */
  input: Record<string, unknown>;
  /** The input as parsed, for the record and for sentences; secrets are left out. */
  described: Fact[];
  risk: Risk;
  review(): Promise<Review>;
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

// operation/: the Operation type and its parts: declaration, target, input, form in pages, errors; the registry of all operations.

import type * as z from "#zod";
import type { CustomerScope } from "../platform/customer/client.ts";
import type { Endpoint, WriteRoute } from "../platform/http/endpoint.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { ResellerScope } from "../platform/reseller/client.ts";
import type { WebhookEventName } from "../platform/reseller/events.ts";
import type { PlainText } from "../process/plain-text.ts";
import type { PasskeyChange } from "../process/webauthn/assertion.ts";
import type { Act } from "./act.ts";
import type { Answer, Fact, Json, Progress } from "./answer.ts";
import type { BackupOffer, LastBackup } from "./backup.ts";
import type { BulkCall, BulkRead, BulkSelection } from "./bulk.ts";
import type { Actor, CallContext, Choice, TargetContext } from "./call-context.ts";
import type { Identity } from "./identity.ts";
import type { Accepted, Given } from "./input.ts";
import type { Cart, CartRow, Leading, Led, Replacing } from "./leading.ts";
import type { CustomerNoun } from "./nouns.ts";
import type { Group, Risk } from "./risk.ts";
import type { Entry, IndexedKind } from "./target.ts";

/** The scopes of each API: some names are in both lists, with different meanings. */
export interface ScopeOf {
  customer: CustomerScope;
  reseller: ResellerScope;
}

/**
 * The scopes of an act that needs no review for its loss: with a route that both specs put under `destructive` (section 5), only the risk
 * `destroy` compiles.
 */
export type NonDestructiveScope<A extends ApiName> = Exclude<ScopeOf[A], "destructive">;

/** An act that needs no review: it takes nothing away, and charges nothing. With any other, the risk `change` does not compile. */
export type HarmlessAct<A extends ApiName, Route extends string = string> = Endpoint<
  A,
  NonDestructiveScope<A>,
  Route,
  false,
  false
>;

/** One call of an operation, by a command, a form or a button. */
export interface Invocation {
  command: string;
  /** The typed name, or the id that a button or a chosen option carries. */
  target?: string;
  /** The label of the chosen option: a list may be minutes old, and nothing is done to a target that bears another name by now. */
  chosenLabel?: string;
  /** Used instead of `target` if the command names several targets, or may. */
  several?: BulkSelection;
  /** The number of failures after which a bulk begins no further target; the default if absent. */
  stopAfter?: number;
  input: Record<string, unknown>;
  /** A member typed it before it became a button, which then does what the typed line would do. */
  typed?: boolean;
  /** The answer replaces the message with the button. */
  replace?: boolean;
  /** The answer is shown to the whole channel. */
  share?: boolean;
  /** The secrets of the answer are offered to the caller alone. */
  reveal?: boolean;
  /** A modal shows the whole answer, with what its card leaves out. */
  details?: boolean;
  /** The part of an answer that is too long for one message; the first by default. */
  part?: number;
  /** The caller confirmed the interruption already, or typed force=yes. */
  confirmed?: boolean;
  /** Errors by input name: the form opens with them for correction. */
  faults?: Record<string, string>;
  /** Opens the form even if no input is missing. */
  form?: boolean;
  /** The member who first wanted it, if a colleague took the request over. */
  originator?: string;
  /** The message to colleagues from which it was taken. */
  delegation?: string;
  /** The request that it takes the place of. */
  replaces?: Replacing;
}

/** The commands of each API: a noun tells the member which of their keys is used. */
export interface CommandOf {
  customer: `${CustomerNoun} ${string}`;
  reseller: `reseller ${string}`;
}

/**
 * The parameters of a running operation. `id` identifies this run for good: it is the idempotency key if the platform takes one.
 */
export interface Call<A extends ApiName, T, I, Writes extends string = never> extends TargetContext<A, T, Writes> {
  id: string;
  input: I;
  now: number;
}

/** The parameters of a run before its target is read and its input parsed. */
export interface BeginCall {
  id: string;
  targetId: string | null;
  /** The input as `accept` returned it. */
  input: Record<string, unknown>;
  /** Choices in the input are ids already. Do not match them again: a chosen entry may have left the list, and is still meant. */
  resolved?: boolean;
  now: number;
}

/** The values that pre-fill a form. `untouched` says if unchanged values are sent with the others or left out. */
export interface InitialValues {
  values: Record<string, unknown>;
  untouched: "sent" | "left out";
}

/** A poll of an accepted call. The input is erased by then: the handle holds the needed data. */
interface Poll {
  targetId: string;
  /** The time of acceptance, and now: milliseconds since the epoch. */
  since: number;
  now: number;
}

/** The same with the member's client. */
export type PollCall<A extends ApiName> = CallContext<A> & Poll;

export interface Tracking {
  /** Milliseconds between two polls. */
  every: number;
  /** Milliseconds after which tracking gives up. */
  deadline: number;
}

/** An event of the supplier's that is the whole result of an act, and that its message waits for. Reseller spec section 6. */
export interface AwaitedEvent {
  event: WebhookEventName;
  /** The texts while the message waits, after the event arrived, and after it failed to arrive in time. */
  texts: { waits: string; came: string; missing: string };
}

/**
 * The acts of an operation. The first is the one that it is named by, and it does the others as well: cutting the power stops a machine,
 * while a rule about cutting the power is not about stopping. With `input`, the value of that input decides. `open`: it may
 * have any value, and one that is not listed is an act of its own; a rule about such a command is about its verb alone.
 */
export type DeclaredActs =
  | readonly string[]
  | { input: string; acts: Readonly<Record<string, readonly string[]>>; open?: true };

/** The members that every declaration has, and that its operation keeps as they are. */
export interface Described {
  /** One line for help, the reference and the form. */
  summary: string;
  /** Other words for its verb, under the same noun ("restart"), or with a slash another noun's whole command ("/vps upgrade"). */
  synonyms?: readonly (string | Synonym)[];
  /** The group in which help and menus show it; by its risk if absent (`groupOf`). */
  group?: Group;
  /** If there is no target, words after the verb fill this input: `/vps list web`. */
  positional?: string;
  /** That input takes all the rest of the text exactly as typed; "words": its words, with the quotes in which they were typed. */
  verbatim?: boolean | "words";
}

/** The same, of an operation on the platform. */
export interface Declared<A extends ApiName> extends Described {
  /** "<noun> <verb…>", as a member types it. */
  command: CommandOf[A];
  /** The endpoint that does it: API, scope and signing follow from it. */
  act: Endpoint<A, ScopeOf[A]>;
  /** A line that types it, with all that it needs but secrets, on a resource of the practice estate. */
  example: `/${CommandOf[A]}`;
  /** The acts that it does, if these are not its verb: see `same-act.ts`. */
  does?: DeclaredActs;
  /** The kinds of resources that it acts on, if these are not its target. */
  on?: readonly string[];
  /**
   * "by rule": an approval rule can let a member's agent run it at once. "never": agents neither find nor use it. Without it agents may use
   * a read and propose anything else. A new operation is so in no list that lets an agent act.
   */
  agents?: "by rule" | "never";
  /** The endpoints that it writes by beside `act`: for another kind of target, or after it. */
  writes?: readonly Endpoint<A, ScopeOf[A], WriteRoute>[];
  /** The endpoints that it reads before or after the act, beside those of its target's kind. */
  reads?: readonly Endpoint<A, ScopeOf[A], `GET ${string}`>[];
  leading?: Leading;
  cart?: Cart;
  /** Its review describes every input in words of its own, so that they are not listed beside it. */
  describesInput?: true;
  /** Inputs of `choices` whose list the spec does not describe: if the list cannot be read, a member may type an id. */
  typed?: readonly string[];
  /** Inputs of `choices` that may name something new: a text that fits none of the list is taken as it is. */
  open?: readonly string[];
  /** True if only the requester may see the answer, and nobody can share it. */
  personal?: boolean;
  /** True if the call's id is the platform's idempotency key: a second run with the same id changes nothing more. */
  idempotent?: boolean;
  /** The requester waits for this event. The events about the states of `effects` are expected without it. */
  awaits?: AwaitedEvent;
  /** A job continues at the platform after the act. */
  follow?: Tracking;
  /** It backs up its target: the words for offering it before another act. */
  copy?: { label: string; step: string; does: string };
  /** A backup can be taken before it: see `CommonDeclaration`. */
  backupFirst?: string | ((target: never) => string | null);
  /** One request can do it to several targets. */
  bulk?: true | object;
}

/** The members that follow from a declaration. */
interface Derived {
  routes: string[];
  risk: Risk;
  /** With the reason and the schedule, which every act takes. */
  input: z.ZodObject;
  /** The inputs that a member chooses from a live list. */
  chosen: readonly string[];
  /** The question before it interrupts a service; null if this operation, or this input, interrupts nothing. */
  interrupts: ((input: Record<string, unknown>) => string | null) | null;
  /** It may ask before it runs at once; `force=yes` is the answer. */
  asksFirst: boolean;
  /** The label of the confirm button: "Reinstall". */
  verb: string;
  /** The act as words that stand alone, in at most 24 characters: "Reinstall VPS". */
  phrase: string;
  /** Converts typed or submitted values, or returns the error. Reads nothing. */
  accept(raw: Record<string, unknown>): Accepted;
}

/** An operation of one of the platform's APIs: its declaration, with the members that `defineOperation` derives. */
export interface ApiOperation<A extends ApiName> extends Declared<A>, Derived {
  api: A;
  scope: ScopeOf[A];
  /** The usual risk first. If input or target decide, all others follow, also those that they never lead to. */
  risks: readonly Risk[];
  target: IndexedKind<A> | null;
  /** It may give its target another name. */
  renames: boolean;
  /** It pays its target, such as an invoice. */
  pays: boolean;
  /** The new resources that a stored input makes: equal texts mean the same one. Null if it acts on something that exists. */
  creates(input: Record<string, unknown>): string[] | null;
  /** Binds it to a member's client; the types of its target, input and handle are known only inside. */
  bind(context: CallContext<A, string>): BoundCalls;
  /** The same without its run, for an operation that does the same under another noun. Its client need not write. */
  look(context: CallContext<A>): LookingCalls;
}

export type CustomerOperation = ApiOperation<"customer">;
export type ResellerOperation = ApiOperation<"reseller">;
export type PlatformOperation = CustomerOperation | ResellerOperation;

/** Everything that one member can do with an operation. */
export interface BoundCalls extends Omit<LookingCalls, "begin"> {
  /** Parses the input and reads the target again; writes nothing. */
  begin(call: BeginCall): Promise<Act>;
}

/** Everything but the act itself. */
export interface LookingCalls {
  begin(call: BeginCall): Promise<Omit<Act, "run">>;
  /** Reads what a bulk run of several targets would do. Throws for an operation without bulk. */
  readBulk(call: BulkCall): Promise<BulkRead>;
  poll(call: Poll, handle: unknown): Promise<Progress>;
  /** The live list of an input. */
  choices(field: string, targetId: string | null, given?: Given): Promise<Choice[]>;
  /** Reads the form's part that follows from a value of the leading input. Throws a Refusal if that cannot be had. */
  led(chosen: string, given: Given): Promise<Led>;
  /** The names of rows, for its form. */
  rowNames(rows: readonly CartRow[]): Promise<PlainText[]>;
  /** The values that pre-fill its form. */
  present(targetId: string | null): Promise<InitialValues>;
  /** Reads a target and the facts by which people know it. */
  identify(targetId: string): Promise<{ entry: Entry; identity: Identity }>;
  /** Refuses a target that the platform would refuse for any input. */
  usable(targetId: string): Promise<void>;
  /** The inputs that the target takes none of, each with the sentence that says so. */
  unasked(targetId: string): Promise<Readonly<Record<string, string>>>;
  /** The offer to back up the target first; null when the operation takes no backup or none can be made. */
  offerCopy(targetId: string, last: LastBackup | null): Promise<BackupOffer | "unknown" | null>;
  /** Explains a 404 on a target whose id is right; null if the target really does not exist. */
  explainMissing(targetId: string): Promise<string | null>;
}

/** The parameters of an app operation. `C` is its context, which only the engine knows. */
export interface AppCall<C> {
  context: C;
  actor: Actor;
  /** The channel of the command; null on the Home tab. */
  channel: string | null;
  input: Record<string, unknown>;
  now: number;
}

/** Other words for a command, which may stand for it with some of its values: "watch stop" stands for `watch stop=yes`. */
export interface Synonym {
  words: string;
  /** The spec says that it is the same. So it runs as the verb does, and nobody confirms the verb first. */
  exact?: true;
  /** The values that the words say. What is typed beside them comes first. */
  input?: Readonly<Record<string, string>>;
  /** The input that the words after it fill, if that is not the operation's. */
  positional?: string;
  /** The present names of values by the names under which they are typed after these words. */
  renamed?: Readonly<Record<string, string>>;
}

/** The members of an operation on Rackbell itself that mean the same in its declaration. */
export interface AppDeclared<C> extends Described {
  command: string;
  /** A line that types it. */
  example: `/${string}`;
  /** The API whose key the member must have linked; none by default. */
  needs?: ApiName;
  /** Admins of the workspace alone may run it; "to change": with any input, and everybody without one. A list names the inputs. */
  admins?: true | "to change" | readonly string[];
  /** The act of an input that is asked about first, if the verb is of another act. */
  asked?(input: Record<string, unknown>): PlainText | undefined;
  /** A line of mrkdwn above its form, beside the summary. */
  about?(context: C): string | null;
  /** The current values that pre-fill its form, by what was typed already; unchanged values are then left out. */
  present?(context: C, typed: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The fields of its form, by the values that were given. Without it, the form shows all. */
  pages?(given: Record<string, unknown>): FormPages;
}

/** The fields that a form shows at first, and those that its button *More conditions* adds. */
export interface FormPages {
  first: readonly string[];
  more: readonly string[];
  /** The label of a button that shows what the values mean, for a text of several lines. */
  check?: string;
}

/** An act of the app's own that takes the member's passkey. */
export interface PasskeyAsked {
  /** The consequence, as mrkdwn. */
  text: string;
  /** Facts that the page shows beside the input. */
  shown?: Fact[];
  /** Values that it rests on. If they change before the passkey signs, it signed something else. */
  facts: Json;
  /** The kinds of audit entries that it can lead to; and their outcome and changes of passkeys, where they are known before. */
  entries: readonly string[];
  outcome?: string;
  passkeys?: PasskeyChange[];
}

/** An operation on data that Rackbell itself stores: its declaration, with the members that `defineAppOperation` derives. */
export interface AppOperation<C = never> extends AppDeclared<C>, Derived {
  api: "app";
  scope: null;
  target: null;
  leading?: undefined;
  cart?: undefined;
  follow?: undefined;
  /** Answers cannot be shared in a channel. */
  personal: true;
  /** Validates the input while the form is still open: throws an InputError that names the field. */
  check(call: AppCall<C>): Promise<void>;
  /** Null if this invocation takes no passkey. Throws as `run` would; changes nothing. */
  passkey?(call: Pick<AppCall<C>, "context" | "actor" | "input">): Promise<PasskeyAsked | null>;
  /** The input so far as one mrkdwn sentence, which its form shows while it is filled in. Throws as `check` does; changes nothing. */
  preview?(call: Pick<AppCall<C>, "context" | "actor" | "input">): Promise<string>;
  run(call: AppCall<C>): Promise<Answer>;
}

export type Operation<C = never> = PlatformOperation | AppOperation<C>;

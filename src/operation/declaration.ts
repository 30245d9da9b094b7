import type * as z from "#zod";
import type { Endpoint, WriteOf, WriteRoute } from "../platform/http/endpoint.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { CreatedResource } from "./act.ts";
import type { Answer, Json, OtherCharge, Price, Progress, Reconciled, Review, TrackedAnswer } from "./answer.ts";
import type { BackupDeclaration } from "./backup.ts";
import type { BulkDeclaration, RelocationFinder } from "./bulk.ts";
import type { TargetContext } from "./call-context.ts";
import type { Effects } from "./effects.ts";
import type { Chooser, CurrentValues, Given } from "./input.ts";
import type { Interrupts, Replaces } from "./interrupts.ts";
import type { CartDeclaration, LeadingDeclaration } from "./leading.ts";
import type { Call, Declared, HarmlessAct, NonDestructiveScope, PollCall, ScopeOf, Tracking } from "./operation.ts";
import type { Risk } from "./risk.ts";
import type { NamedAct } from "./same-act.ts";
import type { ProjectRef, TargetKind } from "./target.ts";

/**
 * An operation on the platform, declared once. `A` is the API, which decides the nouns, the client, the key
 * and the scopes; `T` is the target, `I` the input, `H` the handle. The risk decides which other members are needed.
 */
export type OperationDeclaration<
  A extends ApiName,
  T,
  I extends z.ZodObject,
  H extends z.ZodType = z.ZodType,
  R extends string = string,
> = CommonDeclaration<A, T, I, H, R> &
  (OneTarget<A, T, I> | SeveralTargets<A, T, I>) &
  (
    | ReadDeclaration<A, T, I>
    | ChangeDeclaration<A, T, I>
    | SpendDeclaration<A, T, I>
    | DestroyDeclaration<A, T, I>
    | VariableDeclaration<A, T, I>
    | VariableSpendDeclaration<A, T, I>
  );

/** It runs at once and changes nothing on the platform: any route but GET fails to compile. */
interface ReadDeclaration<A extends ApiName, T, I extends z.ZodObject> {
  /** A function, if an input makes the app keep a message current. */
  risk: "read" | { usual: "read"; of: (call: Call<NoInfer<A>, T, z.output<I>>) => "read" | "change" };
  act: Endpoint<A, ScopeOf[A], `GET ${string}`>;
  writes?: undefined;
  review?: undefined;
  reconcile?: undefined;
}

/** A member of all declarations that change something: without it, polling and alerts would not know what its act leads to. */
interface Effective {
  // Its type is that of `CommonDeclaration`: a union of it here would keep the compiler from inferring the other members.
  effects: object;
}

interface ChangeDeclaration<A extends ApiName, T, I extends z.ZodObject> extends Effective {
  risk: "change";
  /** Of any method: a GET can open a session on a console. */
  act: HarmlessAct<A>;
  reconcile: Reconcile<A, T, I>;
  /** Shown if an approval rule makes a person decide first. */
  review?: ReviewOf<A, T, I, Reviewed>;
}

/** A person decides on the price, so a declaration without it does not compile; "unknown" if the platform names none beforehand. */
interface SpendDeclaration<A extends ApiName, T, I extends z.ZodObject> extends Effective {
  risk: "spend";
  act: Endpoint<A, NonDestructiveScope<A>, WriteRoute, boolean, false>;
  review: ReviewOf<A, T, I, Reviewed & { price: Price | "unknown" }>;
  reconcile: Reconcile<A, T, I>;
}

/** A person decides on the loss, so a declaration without it does not compile. */
interface DestroyDeclaration<A extends ApiName, T, I extends z.ZodObject> extends Effective {
  risk: "destroy";
  act: Endpoint<A, ScopeOf[A], WriteRoute>;
  review: ReviewOf<A, T, I, Reviewed>;
  reconcile: Reconcile<A, T, I>;
}

/** The input decides on the risk, as with an unknown plugin verb. The command reference shows `usual`. */
interface VariableDeclaration<A extends ApiName, T, I extends z.ZodObject> extends Effective {
  risk: { usual: "change" | "destroy"; of: RiskOf<A, T, I, Exclude<Risk, "spend">> };
  act: Endpoint<A, NonDestructiveScope<A>, WriteRoute, false>;
  review: ReviewOf<A, T, I, Reviewed>;
  reconcile: Reconcile<A, T, I>;
}

/** One of the risks is `spend`, so the review names the price; null if this input costs nothing. */
interface VariableSpendDeclaration<A extends ApiName, T, I extends z.ZodObject> extends Effective {
  risk: { usual: Exclude<Risk, "read">; of: RiskOf<A, T, I, Risk> };
  act: Endpoint<A, NonDestructiveScope<A>, WriteRoute>;
  review: ReviewOf<A, T, I, Reviewed & Pick<Review, "price">>;
  reconcile: Reconcile<A, T, I>;
}

type RiskOf<A extends ApiName, T, I extends z.ZodObject, R extends Risk> = (
  call: Call<NoInfer<A>, T, z.output<I>>,
) => R | Promise<R>;

type Reviewed = Partial<Review> & { consequence: string };

/** Reads the loss or the price at this moment. */
type ReviewOf<A extends ApiName, T, I extends z.ZodObject, R extends Reviewed> = (
  call: Call<A, T, z.output<I>>,
) => Promise<R>;

/**
 * After an unknown outcome: reads again and returns the real state. `unsure` is for an act of which the platform shows nothing: it
 * says why, or names a place to look.
 */
type Reconcile<A extends ApiName, T, I extends z.ZodObject> = (
  call: Call<A, T, z.output<I>>,
  was: { before: Json; since: number; others: readonly OtherCharge[] },
) => Promise<Reconciled>;

/** A name that the input lacks does not compile. */
type ChoosersOf<A extends ApiName, T, I extends z.ZodObject> = { readonly [Name in keyof z.output<I>]?: Chooser<A, T> };

// A name that is looked up for one target may mean another thing for the next, so `choices` with `bulk` do not compile. Both members
// are optional: if one were required, the compiler would ask for it wherever `review` or `reconcile` is missing.

interface OneTarget<A extends ApiName, T, I extends z.ZodObject> {
  bulk?: undefined;
  /** Live lists for inputs; typed names are matched against them. */
  choices?: ChoosersOf<NoInfer<A>, T, NoInfer<I>>;
}

interface SeveralTargets<A extends ApiName, T, I extends z.ZodObject> {
  /**
   * It can run on several targets in one request; `true` if nothing is lost or charged beyond the text of `interrupts`. Its input
   * holds no secret.
   */
  bulk?: true | BulkDeclaration<NoInfer<A>, T, z.output<I>>;
  choices?: undefined;
}

/** An answer without a handle would end the request as done while its job goes on. */
type AnswerOf<H extends z.ZodType> = [H] extends [z.ZodNull] ? Answer : TrackedAnswer<z.input<H>>;

interface CommonDeclaration<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>
  extends Declared<NoInfer<A>> {
  /** The states that it leads to, aspect by aspect; empty if no aspect of `operation/effects.ts` changes. All but a read declare it. */
  effects?: Effects<NoInfer<T>, z.output<NoInfer<I>>>;
  act: Endpoint<A, ScopeOf[A], R>;
  // The compiler infers nothing from `R & WriteRoute`, and `R` alone may be a read.
  writes?: readonly (Endpoint<A, ScopeOf[A], R> & Endpoint<A, ScopeOf[A], WriteRoute>)[];
  target: TargetKind<NoInfer<A>, T>;
  input: I;
  /** As `choices`, but they look at no target, so that a name means the same for each of several targets. */
  sharedChoices?: ChoosersOf<NoInfer<A>, unknown, NoInfer<I>>;
  /** The words after the verb name the target, so that only an operation without one has this. */
  positional?: [NoInfer<T>] extends [null] ? keyof z.output<I> & string : never;
  typed?: readonly (keyof z.output<I> & string)[];
  open?: readonly (keyof z.output<I> & string)[];
  leading?: LeadingDeclaration<NoInfer<A>, NoInfer<I>>;
  cart?: CartDeclaration<NoInfer<A>, NoInfer<I>>;
  /** The current values of inputs that replace a value: the confirmation and the result show both. */
  current?: (target: NoInfer<T>) => CurrentValues;
  /** The values that pre-fill a form whose inputs are an absolute set. All of them are sent, changed or not. */
  present?: (call: TargetContext<A, T>) => Promise<Record<string, unknown>>;
  /**
   * Refuses a target that the platform would refuse for any input. Runs before a form asks for more, before a request, and before
   * the act.
   */
  usable?: (call: TargetContext<A, T>) => Promise<void> | void;
  /**
   * The inputs that this target takes none of, each with the sentence that says so. Its form leaves them out, and they are neither sent nor
   * generated.
   */
  unasked?: (call: TargetContext<A, T>) => Promise<Readonly<Record<string, string>>>;
  /** The input with what the member's key itself decides. Throws an InputError for a given value that the key contradicts. */
  settled?: (call: TargetContext<A, T>, input: Given) => Promise<Given>;
  /** The question before it interrupts a service; a function if the input decides. */
  interrupts?: Interrupts<z.output<I>>;
  /** The secret that it replaces, such as a root password: it asks first, and every decision says if the old one ends. */
  replaces?: Replaces<NoInfer<T>, z.output<NoInfer<I>>>;
  /** The label of a button; made from the command by default. With a function, the default label is the command's. */
  verb?: string | ((input: z.output<I>) => string);
  /** The act as words that stand alone, in at most 24 characters; made of the verb and the target by default (`phraseOf`). */
  phrase?: string;
  copy?: BackupDeclaration<NoInfer<A>, NoInfer<T>>;
  /** The command that backs up the target, offered before this act; a function if the target decides. */
  backupFirst?: string | ((target: NoInfer<T>) => string | null);
  /** The resources that it creates, known from the input alone; see `Act.makes`. */
  makes?: (input: z.output<I>) => CreatedResource[];
  /**
   * The acts of other commands that this call does as well, and on which kinds: a payment can start a change of plan. Strict rules about
   * those commands hold for it.
   */
  also?: (call: Call<A, T, z.output<I>>) => Promise<Pick<NamedAct, "acts" | "kinds">>;
  /** The project that gets the new resource, if the input names one; otherwise undefined. */
  place?: (call: Call<A, T, z.output<I>>) => Promise<ProjectRef | undefined>;
  /**
   * The moves from one project into another, for each target. `ruled` are the projects that approval rules name: if a resource
   * does not name its project, knowing which of those it is in is enough.
   */
  relocates?: RelocationFinder<NoInfer<A>, T, z.output<I>>;
  /**
   * For operations that run at once: the state that `reconcile` compares with, read right before the call. A reviewed operation
   * has it in its review.
   */
  before?: (call: Call<A, T, z.output<I>>) => Promise<Json>;
  /**
   * Does the one write (or read) and returns the answer. `before` comes from the review that was shown. Its client writes by `act` and
   * `writes` alone, and no other function's client writes: a call of another endpoint does not compile.
   */
  run: (call: Call<A, T, z.output<I>, WriteOf<NoInfer<R>>>, before: Json) => Promise<AnswerOf<NoInfer<H>>>;
  follow?: Tracking & {
    handle: H;
    poll: (call: PollCall<A>, handle: z.output<H>) => Promise<Progress>;
  };
}

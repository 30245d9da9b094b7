import type * as z from "zod";
import type { Endpoint } from "../platform/http/endpoint.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { ClientOf } from "../platform/platform.ts";
import type { Answer, Json, Progress, Reconciled, Review } from "./answer.ts";
import type { BackupDeclaration, BackupOffer } from "./backup.ts";
import type { BulkDeclaration, RelocationFinder } from "./bulk.ts";
import { bulkOf } from "./bulk-reading.ts";
import type { CallContext } from "./call-context.ts";
import { InputError, Refusal } from "./errors.ts";
import {
  acceptInput,
  type Chooser,
  type CurrentValues,
  describeInput,
  type MatchedInput,
  matchChoices,
  parseInput,
} from "./input.ts";
import { type Interrupts, interruptsOf } from "./interrupts.ts";
import {
  type ApiOperation,
  type BackupOperation,
  type BeginCall,
  type Call,
  type CreatedResource,
  type ExpectedEvents,
  type PollCall,
  type Risk,
  type RouteOf,
  type ScopeOf,
  type Tracking,
  verbOf,
} from "./operation.ts";
import { reasonIn, withReason } from "./reason.ts";
import { withScheduleInputs } from "./schedule-input.ts";
import { type Entry, indexedKindOf, type ProjectRef, type TargetKind } from "./target.ts";
import type { Wizard } from "./wizard.ts";

/**
 * An operation on the platform, declared once (design section 1). `A` is the API, which decides the client, the key and the
 * scopes; `T` is the target, `I` the input, `H` the handle.
 */
export type OperationDeclaration<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType> = CommonDeclaration<
  A,
  T,
  I,
  H
> &
  (ReadDeclaration<A, T, I> | ChangeDeclaration<A, T, I> | ReviewedDeclaration<A, T, I>);

/** It runs at once and changes nothing on the platform: any route but GET fails to compile. */
interface ReadDeclaration<A extends ApiName, T, I extends z.ZodObject> {
  /** A function, if an input makes the app keep a message current. */
  risk: "read" | { usual: "read"; of: (call: Call<NoInfer<A>, T, z.output<I>>) => "read" | "change" };
  act: Endpoint<A, ScopeOf[A], `GET ${string}`>;
}

interface ChangeDeclaration<A extends ApiName, T, I extends z.ZodObject> {
  risk: "change";
  act: Endpoint<A, ScopeOf[A]>;
  reconcile: ReconcileFunction<A, T, I>;
  /** Shown if an approval rule makes a person decide first. */
  review?: ReviewFunction<A, T, I>;
}

/** After an unknown outcome: reads again and returns the real state; `unsure` if the platform shows nothing of it. */
type ReconcileFunction<A extends ApiName, T, I extends z.ZodObject> = (
  call: Call<A, T, z.output<I>>,
  was: { before: Json; since: number },
) => Promise<Reconciled>;

/** Reads the loss or the price at this moment. */
type ReviewFunction<A extends ApiName, T, I extends z.ZodObject> = (
  call: Call<A, T, z.output<I>>,
) => Promise<Partial<Review> & { consequence: string }>;

/** A person decides first, so a declaration without the loss or the price does not compile. */
interface ReviewedDeclaration<A extends ApiName, T, I extends z.ZodObject> {
  /**
   * A function, if the input decides (an unknown plugin verb) or the service's add-ons do. The command reference then shows
   * `usual`.
   */
  risk: "spend" | "destroy" | { usual: Risk; of: (call: Call<NoInfer<A>, T, z.output<I>>) => Risk | Promise<Risk> };
  act: Endpoint<A, ScopeOf[A]>;
  review: ReviewFunction<A, T, I>;
  reconcile: ReconcileFunction<A, T, I>;
}

interface CommonDeclaration<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType> {
  /** "<noun> <verb…>", as a member types it. */
  command: string;
  /** One line for help, the reference and the form. */
  summary: string;
  /** The endpoint that does it: API, scope and signing follow from it. */
  act: Endpoint<A, ScopeOf[A]>;
  /** Other routes of the spec that do the same. */
  aliases?: readonly RouteOf[NoInfer<A>][];
  /** The endpoints that it reads before or after the act. */
  reads?: readonly Endpoint<NoInfer<A>>[];
  target: TargetKind<NoInfer<A>, T>;
  input: I;
  /** If there is no target, words after the verb fill this input: `/vps list web`. */
  positional?: string;
  /** A form in pages; it fills the one input that is an object. */
  wizard?: Wizard<NoInfer<A>>;
  /** Live lists for inputs; typed names are matched against them. */
  choices?: Record<string, Chooser<NoInfer<A>, T>>;
  /** Inputs of `choices` whose list the spec does not describe: if the list cannot be read, a member may type an id. */
  typed?: readonly (keyof z.output<I> & string)[];
  /** The current values of inputs that replace a value: the confirmation and the result show both. */
  current?: (target: NoInfer<T>) => CurrentValues;
  /** The values that pre-fill a form whose inputs are an absolute set. All of them are sent, changed or not. */
  present?: (call: CallContext<A> & { target: T }) => Promise<Record<string, unknown>>;
  /**
   * Refuses a target that the platform would refuse for any input. Runs before a form asks for more, before a request, and before
   * the act.
   */
  usable?: (call: CallContext<A> & { target: T }) => Promise<void> | void;
  /** The question before it interrupts a service; a function if the input decides. */
  interrupts?: Interrupts<z.output<I>>;
  /** The label of a button; made from the command by default. With a function, the default label is the command's. */
  verb?: string | ((input: z.output<I>) => string);
  /** True if only the requester may see the answer, and nobody can share it. */
  personal?: boolean;
  /** True if the call's id is the platform's idempotency key: a second run with the same id changes nothing more. */
  idempotent?: boolean;
  /**
   * It can run on several targets in one request; `true` if nothing is lost or charged beyond the text of `interrupts`. Its input
   * holds no secret.
   */
  bulk?: true | BulkDeclaration<NoInfer<A>, T, z.output<I>>;
  /** It backs up its target: the texts for offering it before another act. */
  copy?: BackupDeclaration<NoInfer<A>, NoInfer<T>>;
  /** The command that backs up the target, offered before this act; a function if the target decides. */
  backupFirst?: string | ((target: NoInfer<T>) => string | null);
  /** The resources that it creates, known from the input alone; see `Act.makes`. */
  makes?: (input: z.output<I>) => CreatedResource[];
  /** The supplier's events that this act causes; none by default. */
  expects?: ExpectedEvents;
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
  /** Does the one write (or read) and returns the answer. `before` comes from the review that was shown. */
  run: (call: Call<A, T, z.output<I>>, before: Json) => Promise<Answer>;
  follow?: Tracking & {
    handle: H;
    poll: (call: PollCall<A>, handle: z.output<H>) => Promise<Progress>;
  };
}

/** Builds the operation that the engine, the commands and the forms work with. */
export function defineOperation<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType = z.ZodNull>(
  declaration: OperationDeclaration<A, T, I, H>,
): ApiOperation<A> {
  const {
    command,
    act,
    aliases = [],
    reads = [],
    target,
    risk,
    follow,
    verb = verbOf(declaration.command),
    choices = {},
    backupFirst = null,
  } = declaration;
  const usualRisk = typeof risk === "string" ? risk : risk.usual;
  const input = withScheduleInputs(withReason(declaration.input, usualRisk), usualRisk);
  const interrupts = interruptsOf(declaration.input, declaration.interrupts);
  const verbFor = typeof verb === "string" ? () => verb : verb;

  async function readTarget(client: ClientOf[A], id: string | null): Promise<T> {
    if (id === null && target.noun !== "")
      throw new InputError([{ field: "target", message: `Choose a ${target.label}.` }]);
    return target.read(client, id ?? "");
  }

  async function prepare(call: BeginCall<A>): Promise<{ call: Call<A, T, z.output<I>>; matched: MatchedInput }> {
    const found = await readTarget(call.client, call.targetId);
    const chosen = { ...callContext(call), target: found };
    const matchOptions = { typable: declaration.typed, nameIds: usualRisk !== "read" };
    const matched = call.resolved
      ? { input: call.input, labels: new Map<string, string>() }
      : await matchChoices(call.input, choices, chosen, matchOptions);
    return { call: { ...call, target: found, input: parseInput(declaration.input, matched.input) }, matched };
  }

  return {
    api: act.api,
    command,
    summary: declaration.summary,
    routes: [act.route, ...aliases, ...reads.map(({ route }) => route)],
    scope: act.scope,
    risk: usualRisk,
    risks: typeof risk === "string" ? [risk] : [...new Set([risk.usual, ...variableRisks])],
    target: target.noun === "" ? null : indexedKindOf(target),
    input,
    positional: declaration.positional ?? null,
    verbatim: false,
    chosen: Object.keys(choices),
    typed: declaration.typed ?? [],
    interrupts,
    verb: typeof verb === "string" ? verb : verbOf(command),
    personal: declaration.personal ?? false,
    idempotent: declaration.idempotent ?? false,
    copy: backupOperationOf(declaration, readTarget),
    bulk: bulkOf({ ...declaration, choices, verb: verbFor, interrupts }),
    follow: follow ? { every: follow.every, deadline: follow.deadline } : null,
    expects: declaration.expects ?? null,
    wizard: declaration.wizard ?? null,
    accept: (raw) => acceptInput(input, raw),
    async usable(call) {
      if (!declaration.usable) return;
      await declaration.usable({ ...callContext(call), target: await readTarget(call.client, call.targetId) });
    },
    async present(call) {
      if (!declaration.present && !declaration.current) return { values: {}, untouched: "sent" };
      const found = await readTarget(call.client, call.targetId);
      if (declaration.present)
        return { values: await declaration.present({ ...callContext(call), target: found }), untouched: "sent" };
      return { values: declaration.current?.(found) ?? {}, untouched: "left out" };
    },
    async choices(field, call) {
      const chooser = choices[field];
      return chooser ? chooser({ ...callContext(call), target: await readTarget(call.client, call.targetId) }) : [];
    },
    async begin(raw) {
      const { call, matched } = await prepare(raw);
      const resolvedInput = matched.input;
      const entry = target.entry(call.target);
      return {
        id: call.id,
        target: target.noun === "" ? null : { id: entry.id, name: entry.name },
        project: (await declaration.place?.(call)) ?? (target.noun === "" ? call.actor.project : projectIn(entry)),
        hostname: entry.hostname ?? null,
        relocations: async (ruled) => (await declaration.relocates?.({ ...call, targets: [call.target] }, ruled)) ?? [],
        names: [entry.name, ...entry.aliases],
        states: [entry.state, ...(entry.states ?? [])],
        input: resolvedInput,
        described: describeInput(declaration.input, call.input, {
          labels: matched.labels,
          current: declaration.current?.(call.target) ?? {},
        }),
        reason: reasonIn(resolvedInput),
        risk: typeof risk === "string" ? risk : await risk.of(call),
        verb: verbFor(call.input),
        makes: declaration.makes?.(call.input) ?? [],
        backupFirst: typeof backupFirst === "function" ? backupFirst(call.target) : backupFirst,
        usable: async () => declaration.usable?.({ ...callContext(call), target: call.target }),
        async review() {
          return { ...nothingReviewed, ...("review" in declaration ? await declaration.review?.(call) : {}) };
        },
        before: async () => (await declaration.before?.(call)) ?? null,
        run: (before = null) => declaration.run(call, before),
        async reconcile(before, since) {
          if ("reconcile" in declaration) return declaration.reconcile(call, { before, since });
          return { is: "unsure", text: "It only reads, so nothing was changed." };
        },
      };
    },
    async poll(call, handle) {
      if (!follow) throw new Error(`${command} has nothing to follow`);
      return follow.poll(call, follow.handle.parse(handle));
    },
    async explainMissing(client, id) {
      return target.missing?.(await target.read(client, id)) ?? null;
    },
  };
}

/** The risks that an input or a target can decide on, beside the usual one. */
const variableRisks: readonly Risk[] = ["change", "spend", "destroy"];

const nothingReviewed: Review = {
  ...{ consequence: "", press: null, back: null, material: [], shown: [], personal: [], price: null, before: null },
};

/** Returns null as the offer if the platform would refuse the backup: the member is not offered a button that fails. */
function backupOperationOf<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType>(
  { copy, usable }: OperationDeclaration<A, T, I, H>,
  readTarget: (client: ClientOf[A], id: string | null) => Promise<T>,
): BackupOperation<A> | null {
  if (!copy) return null;
  return {
    label: copy.label,
    step: copy.step,
    async offer({ targetId, last, ...call }): Promise<BackupOffer | null> {
      const found = { ...callContext(call), target: await readTarget(call.client, targetId) };
      try {
        await usable?.(found);
      } catch (error) {
        if (error instanceof Refusal) return null;
        throw error;
      }
      return copy.offer({ ...found, last });
    },
  };
}

/**
 * The project that the target's own row names. The member's chosen project proves nothing: the spec leaves open whether it
 * narrows a read by id.
 */
function projectIn({ projectId, project, name }: Entry): ProjectRef | null {
  return projectId ? { id: projectId, name: project || name } : null;
}

function callContext<A extends ApiName>({ client, actor, may, listing }: CallContext<A>): CallContext<A> {
  return { client, actor, may, listing };
}

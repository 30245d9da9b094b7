import type * as z from "zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { ClientOf } from "../platform/platform.ts";
import type { Answer, Json, Progress, Reconciled, Review } from "./answer.ts";
import type { Asking } from "./asking.ts";
import type { BulkDeclaration } from "./bulk.ts";
import { bulkOf } from "./bulk-reading.ts";
import type { CopyDeclaration, CopyOffer } from "./copy.ts";
import { InputError, Refusal } from "./errors.ts";
import { acceptInput, type Chooser, describeInput, matchChoices, parseInput } from "./input.ts";
import { type Interrupts, interruptsOf } from "./interrupts.ts";
import {
  type ApiOperation,
  type BeginCall,
  type Call,
  type Copying,
  type Expected,
  type Follow,
  type PollCall,
  type Risk,
  type ScopeOf,
  verbOf,
} from "./operation.ts";
import { reasonIn, withReason } from "./reason.ts";
import { listedOf, type TargetKind } from "./target.ts";
import { withWhen } from "./when.ts";
import type { Wizard } from "./wizard.ts";

/**
 * What a member can do on the platform, declared once (design section 1). `A` is the API, which decides the client, the key and the
 * scopes; `T` the target, `I` the input, `H` the handle.
 */
export interface OperationDeclaration<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType> {
  api: A;
  /** "<noun> <verb…>", as it is typed. */
  command: string;
  /** One line for help, the reference and the form. */
  summary: string;
  /** As the spec writes them: the act itself first, then what is read for it. */
  routes: string[];
  scope: ScopeOf[A];
  /** A function where the input decides (an unknown plugin verb), or what is held (a whole set of add-ons); `usual` is then what the reference says. */
  risk: Risk | { usual: Risk; of: (call: Call<NoInfer<A>, T, z.output<I>>) => Risk | Promise<Risk> };
  target: TargetKind<NoInfer<A>, T>;
  input: I;
  /** The input that words after the verb fill where there is no target: `/vps list web`. */
  positional?: string;
  /** A form in pages; it fills the one input that is an object. */
  wizard?: Wizard<NoInfer<A>>;
  /** Live lists to choose an input from; typed names are matched against them. */
  choices?: Record<string, Chooser<NoInfer<A>, T>>;
  /** Inputs of `choices` whose list the spec does not show: where it cannot be read, an id can be typed. */
  typed?: readonly (keyof z.output<I> & string)[];
  /** Refuses what the platform would refuse whatever else is said, before a form asks for more and again before it is asked or done. */
  usable?: (call: Asking<A> & { target: T }) => Promise<void> | void;
  /** What is said before it interrupts a service, however it was asked for; a function where the input decides. */
  interrupts?: Interrupts<z.output<I>>;
  /** The word on a button; made from the command otherwise. A function where the input decides it: the usual word is the command's then. */
  verb?: string | ((input: z.output<I>) => string);
  /** True where an answer is for its asker alone and cannot be shared. */
  personal?: boolean;
  /** True where the call's id is its key at the platform: run again with the same id, it is the same act. */
  idempotent?: boolean;
  /** It makes sense for many in one request: true where nothing is lost or charged but what `interrupts` says. Its input holds no secret. */
  bulk?: true | BulkDeclaration<NoInfer<A>, T, z.output<I>>;
  /** It takes a copy of its target: what is said of that, where it is to come before something else. */
  copy?: CopyDeclaration<NoInfer<A>, NoInfer<T>>;
  /** The command that takes a copy of the target, offered to come first; a function where the target decides. */
  copyFirst?: string | ((target: NoInfer<T>) => string | null);
  /** The supplier's events that come of it; none where nothing is said. */
  expects?: Expected;
  /** What will be lost or charged, read at this moment. */
  review?: (call: Call<A, T, z.output<I>>) => Promise<Partial<Review> & { consequence: string }>;
  /** For what is done at once: the state that `reconcile` compares with, read right before. What is asked first has it in its review. */
  before?: (call: Call<A, T, z.output<I>>) => Promise<Json>;
  /** The one write (or the read), and what to show of it. `before` is the review's, as it was shown. */
  run: (call: Call<A, T, z.output<I>>, before: Json) => Promise<Answer>;
  /** After an unknown outcome: reads again, and says what is really so. */
  reconcile?: (call: Call<A, T, z.output<I>>, was: { before: Json; since: number }) => Promise<Reconciled>;
  follow?: Follow & {
    handle: H;
    poll: (call: PollCall<A>, handle: z.output<H>) => Promise<Progress>;
  };
}

/** Turns a declaration into the operation that the engine and the doors work with. */
export function defineOperation<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType = z.ZodNull>(
  declaration: OperationDeclaration<A, T, I, H>,
): ApiOperation<A> {
  const {
    command,
    target,
    risk,
    follow,
    verb = verbOf(declaration.command),
    choices = {},
    copyFirst = null,
  } = declaration;
  const usualRisk = typeof risk === "string" ? risk : risk.usual;
  const input = withWhen(withReason(declaration.input, usualRisk), usualRisk);
  const interrupts = interruptsOf(declaration.input, declaration.interrupts);
  const verbFor = typeof verb === "string" ? () => verb : verb;

  async function readTarget(client: ClientOf[A], id: string | null): Promise<T> {
    if (id === null && target.noun !== "")
      throw new InputError([{ field: "target", message: `Choose a ${target.label}.` }]);
    return target.read(client, id ?? "");
  }

  async function prepare(
    call: BeginCall<A>,
  ): Promise<{ call: Call<A, T, z.output<I>>; kept: Record<string, unknown> }> {
    const found = await readTarget(call.client, call.targetId);
    const chosen = { ...asking(call), target: found };
    const kept = call.resolved ? call.input : await matchChoices(call.input, choices, chosen, declaration.typed);
    return { call: { ...call, target: found, input: parseInput(declaration.input, kept) }, kept };
  }

  return {
    api: declaration.api,
    command,
    summary: declaration.summary,
    routes: declaration.routes,
    scope: declaration.scope,
    risk: usualRisk,
    target: target.noun === "" ? null : listedOf(target),
    input,
    positional: declaration.positional ?? null,
    verbatim: false,
    chosen: Object.keys(choices),
    typed: declaration.typed ?? [],
    interrupts,
    verb: typeof verb === "string" ? verb : verbOf(command),
    personal: declaration.personal ?? false,
    idempotent: declaration.idempotent ?? false,
    copy: copyingOf(declaration, readTarget),
    bulk: bulkOf({ ...declaration, choices, verb: verbFor, interrupts }),
    follow: follow ? { every: follow.every, deadline: follow.deadline } : null,
    expects: declaration.expects ?? null,
    wizard: declaration.wizard ?? null,
    accept: (raw) => acceptInput(input, raw),
    async usable(call) {
      if (!declaration.usable) return;
      await declaration.usable({ ...asking(call), target: await readTarget(call.client, call.targetId) });
    },
    async choices(field, call) {
      const chooser = choices[field];
      return chooser ? chooser({ ...asking(call), target: await readTarget(call.client, call.targetId) }) : [];
    },
    async begin(raw) {
      const { call, kept } = await prepare(raw);
      const entry = target.entry(call.target);
      return {
        id: call.id,
        target: target.noun === "" ? null : { id: entry.id, name: entry.name },
        project: entry.project || call.actor.project?.name || null,
        names: [entry.name, ...entry.aliases],
        states: [entry.state, ...(entry.states ?? [])],
        input: kept,
        described: describeInput(declaration.input, call.input, Object.keys(choices)),
        reason: reasonIn(kept),
        risk: typeof risk === "string" ? risk : await risk.of(call),
        verb: verbFor(call.input),
        copyFirst: typeof copyFirst === "function" ? copyFirst(call.target) : copyFirst,
        usable: async () => declaration.usable?.({ ...asking(call), target: call.target }),
        async review() {
          return { ...nothingReviewed, ...(await declaration.review?.(call)) };
        },
        before: async () => (await declaration.before?.(call)) ?? null,
        run: (before = null) => declaration.run(call, before),
        async reconcile(before, since) {
          if (declaration.reconcile) return declaration.reconcile(call, { before, since });
          return { is: "unsure", text: "The platform keeps no trace of it that could be read again." };
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

const nothingReviewed: Review = {
  ...{ consequence: "", press: null, back: null, material: [], shown: [], personal: [], price: null, before: null },
};

/** Says what can be offered of a copy: nothing where it would be refused. */
function copyingOf<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType>(
  { copy, usable }: OperationDeclaration<A, T, I, H>,
  readTarget: (client: ClientOf[A], id: string | null) => Promise<T>,
): Copying<A> | null {
  if (!copy) return null;
  return {
    label: copy.label,
    step: copy.step,
    async offer({ targetId, last, ...call }): Promise<CopyOffer | null> {
      const found = { ...asking(call), target: await readTarget(call.client, targetId) };
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

function asking<A extends ApiName>({ client, actor, may, listing }: Asking<A>): Asking<A> {
  return { client, actor, may, listing };
}

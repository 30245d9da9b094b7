import * as z from "#zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import { code, withArticle } from "../views/text.ts";
import type { Act } from "./act.ts";
import { type Answer, type Json, wholeReview } from "./answer.ts";
import { asksBackup, withBackupInput } from "./backup.ts";
import { readBulk } from "./bulk-reading.ts";
import type { CallContext, TargetContext } from "./call-context.ts";
import { withCaution, withStateNote } from "./caution.ts";
import type { OperationDeclaration } from "./declaration.ts";
import { type Effects, type StoredEffect, storedEffect } from "./effects.ts";
import { Refusal, wrongInput } from "./errors.ts";
import { identityIn } from "./identity.ts";
import { acceptInput, type Choosers, describeInput, matchChoices, parseInput, readChoices } from "./input.ts";
import type { ReplacedSecret } from "./interrupts.ts";
import { interruptsOf } from "./interrupts.ts";
import { readNamedIdentity } from "./named-places.ts";
import type { ApiOperation, BeginCall, BoundCalls, Call, LookingCalls } from "./operation.ts";
import { phraseOf, verbOf } from "./phrase.ts";
import { boundPreconditions } from "./preconditions.ts";
import { answerSkipping, choosingClient } from "./reading.ts";
import { reasonIn, withReason } from "./reason.ts";
import { verbWordsOf } from "./registry.ts";
import type { Risk } from "./risk.ts";
import { actsWith, kindsIn } from "./same-act.ts";
import { withScheduleInputs } from "./schedule-input.ts";
import { type Entry, indexEntry, indexedKindOf, type ProjectRef, readOne } from "./target.ts";

/** A line that types another command does not compile. */
interface Exemplified<C extends string> {
  command: C;
  example: `/${NoInfer<C>}` | `/${NoInfer<C>} ${string}`;
}

/** The declaration itself, with the members that follow from it: the engine, the commands and the forms work with these. */
export function defineOperation<
  A extends ApiName,
  T,
  I extends z.ZodObject,
  H extends z.ZodType = z.ZodNull,
  R extends string = string,
  C extends string = string,
>(declaration: OperationDeclaration<A, T, I, H, R> & Exemplified<C>): ApiOperation<A> {
  const { command, act, writes = [], reads = [], target } = declaration;
  const named = [...writes, ...reads, ...(target.reads ?? [])];
  const risks = risksOf(declaration.risk);
  const [risk] = risks;
  const verb = typeof declaration.verb === "string" ? declaration.verb : verbOf(command);
  const input = wholeInput(declaration, risk);
  return {
    ...declaration,
    api: act.api,
    routes: [...new Set([act, ...named].flatMap(({ serves }) => serves))],
    scope: act.scope,
    risk,
    risks,
    target: target.noun === "" ? null : indexedKindOf(target),
    get renames() {
      return declaration.current !== undefined && "name" in declaration.input.shape;
    },
    pays: paysTarget(declaration.effects),
    creates: (stored) => createdBy(declaration, stored),
    input,
    chosen: Object.keys(choosersOf(declaration)),
    interrupts: interruptsOf(declaration.input, declaration.interrupts),
    asksFirst: declaration.interrupts !== undefined || (declaration.replaces !== undefined && risks.includes("change")),
    verb,
    phrase:
      declaration.phrase ?? phraseOf({ words: verbWordsOf({ command }), verb, risk, label: target.label || null }),
    accept: (raw) => acceptInput(input, raw),
    bind: (context) => bind(declaration, risk, context),
    look: (context) => look(declaration, risk, context),
  };
}

/** The input with those that Rackbell adds to it. */
const wholeInput = z.late(
  (declaration: { input: z.ZodObject; backupFirst?: unknown; copy?: unknown }, risk: Risk): z.ZodObject =>
    withBackupInput(withScheduleInputs(withReason(declaration.input, risk), risk), declaration),
);

function choosersOf<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>({
  choices,
  sharedChoices,
}: OperationDeclaration<A, T, I, H, R>): Choosers<A, T> {
  return { ...sharedChoices, ...choices };
}

/** Read off the effects that are the same in each call. */
function paysTarget<T, I>(effects: Effects<T, I> | undefined): boolean {
  if (effects === undefined || typeof effects === "function") return false;
  return effects
    .map(storedEffect)
    .some(({ aspect, on, to }) => aspect === "payment" && on === "target" && to.includes("paid"));
}

/** A POST without a target makes something new; the same input twice makes the same twice, unless the declaration says more. */
function createdBy<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>(
  { act, target, input, makes }: OperationDeclaration<A, T, I, H, R>,
  stored: Record<string, unknown>,
): string[] | null {
  if (target.noun !== "" || !act.route.startsWith("POST ")) return null;
  const parsed = input.safeParse(stored);
  if (!parsed.success) return null;
  if (!makes) return [JSON.stringify(parsed.data)];
  const whats = makes(parsed.data).map(({ what }) => what);
  return whats.length > 0 ? whats : null;
}

/** The usual risk, then all others if an input or a target decides. A declaration does not say which of them it leads to. */
function risksOf(risk: Risk | { usual: Risk }): readonly [Risk, ...Risk[]] {
  if (typeof risk === "string") return [risk];
  const others: Risk[] = ["change", "spend", "destroy"];
  return [risk.usual, ...others.filter((other) => other !== risk.usual)];
}

function bind<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>(
  declaration: OperationDeclaration<A, T, I, H, R>,
  usualRisk: Risk,
  context: CallContext<A, string>,
): BoundCalls {
  return {
    ...look(declaration, usualRisk, context),
    async begin(begun) {
      const { call, act } = await readAct(declaration, usualRisk, context, begun);
      const running = { ...call, client: context.client };
      return {
        ...act,
        run: (before = null) =>
          act.risk === "read"
            ? answerSkipping<A, string>(context.client, (client) =>
                answerCautiously(declaration, act, { ...running, client }, before),
              )
            : declaration.run(running, before),
      };
    },
  };
}

/** The answer of a read. About a target in a state that no spec lists, it offers no act on a resource with states. */
async function answerCautiously<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>(
  { command, target, run }: OperationDeclaration<A, T, I, H, R>,
  { unlisted }: Pick<Act, "unlisted">,
  call: Parameters<OperationDeclaration<A, T, I, H, R>["run"]>[0],
  before: Json,
): Promise<Answer> {
  if (unlisted.length === 0) return run(call, before);
  let isKept = false;
  const offers = (other: string) => {
    const changes = call.changesState(other);
    isKept ||= changes;
    return !changes;
  };
  const answer: Answer = await run({ ...call, may: (other) => offers(other) && call.may(other) }, before);
  const offered = { ...answer, next: (answer.next ?? []).filter((step) => offers(step.command)) };
  return isKept || command === target.card ? withStateNote(offered, unlisted) : offered;
}

function look<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>(
  declaration: OperationDeclaration<A, T, I, H, R>,
  usualRisk: Risk,
  context: CallContext<A>,
): LookingCalls {
  const { command, target, present, current, usable, unasked, copy, follow, bulk, leading, cart } = declaration;
  const { client } = context;

  const onTarget = (id: string | null) => readTarget(declaration, context, id);

  return {
    async readBulk(call) {
      if (!bulk) throw new Error(`${command} is for one at a time`);
      return readBulk({ ...declaration, bulk }, verbFor(declaration), context, call);
    },
    begin: async (call) => (await readAct(declaration, usualRisk, context, call)).act,
    async identify(targetId) {
      const read = await onTarget(targetId);
      const identity = await readNamedIdentity(target, context, read.target);
      return { entry: indexEntry(target, read.target), identity };
    },
    async usable(targetId) {
      if (usable) await usable(await onTarget(targetId));
    },
    async unasked(targetId) {
      return (await unasked?.(await onTarget(targetId))) ?? {};
    },
    async present(targetId) {
      if (present) return { values: await present(await onTarget(targetId)), untouched: "sent" };
      if (current) return { values: current((await onTarget(targetId)).target), untouched: "left out" };
      return { values: {}, untouched: "sent" };
    },
    async choices(field, targetId, given = {}) {
      const chooser = choosersOf(declaration)[field];
      return chooser ? (await readChoices(chooser, { ...(await onTarget(targetId)), given })).choices : [];
    },
    async led(chosen, given) {
      if (!leading) throw new Error(`${command} has no leading input`);
      return leading.read({ ...context, client: choosingClient(client) }, chosen, given);
    },
    rowNames: async (rows) => (await cart?.names({ ...context, client: choosingClient(client) }, rows)) ?? [],
    async offerCopy(targetId, last) {
      if (!copy) return null;
      const read = await onTarget(targetId);
      try {
        await usable?.(read);
      } catch (error) {
        // The platform would refuse the backup: the member is not offered a button that fails.
        if (error instanceof Refusal) return null;
        throw error;
      }
      return copy.offer({ ...read, last });
    },
    async poll(call, handle) {
      if (!follow) throw new Error(`${command} has nothing to follow`);
      return follow.poll({ ...context, ...call }, follow.handle.parse(handle));
    },
    async explainMissing(id) {
      return target.missing?.(await target.read(client, id)) ?? null;
    },
  };
}

async function readTarget<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>(
  { target }: OperationDeclaration<A, T, I, H, R>,
  context: CallContext<A>,
  id: string | null,
): Promise<TargetContext<A, T>> {
  if (id === null && target.noun !== "") throw wrongInput("target", `Choose ${withArticle(target.label)}.`);
  const row = await readOne(target, context.client, id ?? "");
  return { ...context, target: row, name: code(target.entry(row).name) };
}

/** The act on a target that is read now, with an input whose choices are matched, and the call that it describes. */
async function readAct<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>(
  declaration: OperationDeclaration<A, T, I, H, R>,
  usualRisk: Risk,
  context: CallContext<A>,
  begun: BeginCall,
): Promise<{ call: Call<A, T, z.output<I>>; act: Omit<Act, "run"> }> {
  const { typed, open, unasked, settled } = declaration;
  const read = await readTarget(declaration, context, begun.targetId);
  const matchOptions = { typable: typed, open, nameIds: usualRisk !== "read" };
  const asked = withoutUnasked(begun.input, (await unasked?.(read)) ?? {});
  const taken = settled ? await settled(read, asked) : asked;
  const { input, labels } = begun.resolved
    ? { input: taken, labels: new Map<string, PlainText>() }
    : await matchChoices(taken, choosersOf(declaration), read, matchOptions);
  const { id, now } = begun;
  const call = { ...read, id, now, input: parseInput(declaration.input, input) };
  return { call, act: await makeAct(declaration, call, input, labels) };
}

function withoutUnasked(input: Record<string, unknown>, unasked: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !(name in unasked)));
}

/** The act of a call, without its run. `resolvedInput`: its input, whose choices are ids, before it is parsed. */
async function makeAct<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>(
  declaration: OperationDeclaration<A, T, I, H, R>,
  call: Call<A, T, z.output<I>>,
  resolvedInput: Record<string, unknown>,
  labels: ReadonlyMap<string, PlainText>,
): Promise<Omit<Act, "run">> {
  const { target, risk, backupFirst = null } = declaration;
  const entry = indexEntry(target, call.target);
  const identity = target.noun === "" ? null : identityIn(target, call.target);
  const interrupts = interruptsOf(declaration.input, declaration.interrupts)?.(resolvedInput) ?? null;
  const known = typeof risk === "string" ? risk : await risk.of(call);
  const named = target.noun === "" ? null : { id: entry.id, name: entry.name };
  const unlisted = target.states?.unlisted(call.target) ?? [];
  const { acts: alsoDoes = [], kinds: alsoOn = [] } = (await declaration.also?.(call)) ?? {};
  return {
    id: call.id,
    target: named,
    project: (await declaration.place?.(call)) ?? (target.noun === "" ? call.actor.project : projectIn(entry)),
    identity,
    readIdentity: async () => identity && readNamedIdentity(target, call, call.target),
    relocations: async (ruled) => (await declaration.relocates?.({ ...call, targets: [call.target] }, ruled)) ?? [],
    acts: [...actsWith(declaration, resolvedInput), ...alsoDoes],
    kinds: [...kindsIn(declaration, [entry]), ...alsoOn],
    names: [entry.name, ...entry.aliases],
    states: [entry.state, ...(entry.states ?? [])],
    unlisted,
    input: resolvedInput,
    described: declaration.describesInput
      ? []
      : describeInput(declaration.input, call.input, { labels, current: declaration.current?.(call.target) ?? {} }),
    reason: reasonIn(resolvedInput),
    risk: known,
    verb: verbFor(declaration)(call.input),
    makes: declaration.makes?.(call.input) ?? [],
    backupFirst: typeof backupFirst === "function" ? backupFirst(call.target) : backupFirst,
    asksBackup: asksBackup(resolvedInput),
    usable: async () => declaration.usable?.(call),
    interrupts,
    replaces: replacedBy(declaration, call),
    async review() {
      const { preconditions = {}, ...reviewed } = (await declaration.review?.(call)) ?? {};
      const bound = { ...reviewed, preconditions: boundPreconditions(preconditions) };
      return withCaution(wholeReview(known, bound, interrupts), { target: named, unlisted });
    },
    before: async () => (await declaration.before?.(call)) ?? null,
    reconcile: async (before, since, others = []) =>
      declaration.reconcile?.(call, { before, since, others }) ?? onlyRead,
    effects: (before) => effectsOf(declaration, call, before),
  };
}

function effectsOf<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>(
  { effects = [] }: OperationDeclaration<A, T, I, H, R>,
  { target, input }: Pick<Call<A, T, z.output<I>>, "target" | "input">,
  before: Json,
): StoredEffect[] {
  return (typeof effects === "function" ? effects({ target, input, before }) : effects).map(storedEffect);
}

function replacedBy<A extends ApiName, T, I extends z.ZodObject, H extends z.ZodType, R extends string>(
  { replaces }: OperationDeclaration<A, T, I, H, R>,
  call: Pick<Call<A, T, z.output<I>>, "target" | "input">,
): ReplacedSecret | null {
  return typeof replaces === "function" ? replaces(call) : (replaces ?? null);
}

const onlyRead = { is: "unsure", text: "It only reads, so nothing was changed." } as const;

/** The label of the button for an input. */
function verbFor<Input>({
  command,
  verb = verbOf(command),
}: {
  command: string;
  verb?: string | ((input: Input) => string);
}): (input: Input) => string {
  return typeof verb === "string" ? () => verb : verb;
}

/**
 * The project that the target's own row names. The member's chosen project proves nothing: the spec leaves open whether it
 * narrows a read by id.
 */
function projectIn({ projectId, project, name }: Entry): ProjectRef | null {
  return projectId ? { id: projectId, name: project || name } : null;
}

import type * as z from "#zod";
import type { ApiClient } from "../platform/http/client.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { BulkCall, BulkDeclaration, BulkRead, RelocationFinder } from "./bulk.ts";
import type { CallContext } from "./call-context.ts";
import { unlistedHeading, unlistedPreconditions } from "./caution.ts";
import { Refusal } from "./errors.ts";
import { identityIn } from "./identity.ts";
import { type Choosers, describeInput, matchChoices, parseInput } from "./input.ts";
import { type Interrupts, interruptsOf } from "./interrupts.ts";
import { namedPlaces } from "./named-places.ts";
import { boundPreconditions } from "./preconditions.ts";
import { reasonIn } from "./reason.ts";
import { kindsIn } from "./same-act.ts";
import { indexEntry, isNotFound, readRows, type TargetKind } from "./target.ts";

/** The members of a declaration that a bulk run reads. */
interface BulkSource<A extends ApiName, T, I extends z.ZodObject> {
  command: string;
  act: { api: A };
  on?: readonly string[];
  /** `true` if nothing is lost or charged beyond the text of `interrupts`. */
  bulk: true | BulkDeclaration<A, T, z.output<I>>;
  target: TargetKind<A, T>;
  input: I;
  sharedChoices?: Choosers<A, unknown>;
  typed?: readonly string[];
  relocates?: RelocationFinder<A, T, z.output<I>>;
  interrupts?: Interrupts<z.output<I>>;
}

/** Reads what a bulk run of several targets would do. */
export async function readBulk<A extends ApiName, T, I extends z.ZodObject>(
  declaration: BulkSource<A, T, I>,
  verbOf: (input: z.output<I>) => string,
  context: CallContext<A>,
  { input: raw, ids, pick }: BulkCall,
): Promise<BulkRead> {
  const { bulk, target, input: schema, sharedChoices = {}, typed, interrupts, relocates } = declaration;
  const listed = await (ids === null ? readRows(context.client, target) : readEach(context.client, target, ids));
  const byId = new Map(listed.map((row) => [target.entry(row).id, row]));
  const entries = [...byId.values()].map((row) => indexEntry(target, row));
  const picked = (await pick(entries)).flatMap((entry) => {
    const row = byId.get(entry.id);
    return row === undefined ? [] : [{ entry, row }];
  });
  const matchOptions = { typable: typed, nameIds: true };
  const matched = await matchChoices(raw, sharedChoices, { ...context, target: null }, matchOptions);
  const resolvedInput = matched.input;
  const input = parseInput(schema, resolvedInput);
  const targets = picked.map(({ row }) => row);
  const [rows, identities] = await Promise.all([
    bulk === true ? [] : (bulk.rows?.({ ...context, targets, input }) ?? []),
    namedPlaces(
      target,
      context,
      targets.map((row) => identityIn(target, row)),
    ),
  ]);
  const interrupted = interruptsOf(schema, interrupts)?.(resolvedInput) ?? null;
  const refusals = rows.map(({ refusal }) => refusal ?? null);
  const unlisted = picked.map(({ row }, at) => (refusals[at] ? [] : (target.states?.unlisted(row) ?? [])));
  refuseIfAll(refusals);
  return {
    targets: picked.flatMap(({ entry: { id, name, state } }, at) => {
      const { preconditions = {}, price = null } = rows[at] ?? {};
      const identity = identities[at];
      const known = { ...boundPreconditions(preconditions), ...unlistedPreconditions(unlisted[at] ?? []) };
      return refusals[at] || !identity ? [] : [{ id, name, state, ...identity, preconditions: known, price }];
    }),
    kinds: kindsIn(
      declaration,
      picked.map(({ entry }) => entry),
    ),
    leftOut: picked.flatMap(({ entry }, at) => (refusals[at] ? [entry.name] : [])),
    warnings: Map.groupBy(
      picked.flatMap(({ entry: { name } }, at) => {
        const [own = [], states = []] = [rows[at]?.warnings, unlisted[at]];
        const warnings = [...own, ...(states.length > 0 ? [unlistedHeading(states)] : [])];
        return refusals[at] ? [] : warnings.map((warning) => ({ warning, name }));
      }),
      ({ warning }) => warning,
    ),
    all: ids === null && picked.length === entries.length,
    input: resolvedInput,
    described: describeInput(schema, input, { labels: matched.labels }),
    reason: reasonIn(resolvedInput),
    verb: verbOf(input),
    relocations: async (ruled) => (await relocates?.({ ...context, targets, input }, ruled)) ?? [],
    personal: bulk === true ? [] : ((await bulk.personal?.(context)) ?? []),
    each: eachOf(bulk === true ? null : bulk.each(input, targets, matched.labels), interrupted),
    harmless: (bulk === true || bulk.harmless === true) && interrupted === null,
    unlisted: unlisted.flat(),
  };
}

/** The loss of each target, and what is interrupted on it. */
function eachOf(loss: string | null, interrupts: string | null): string | null {
  const sentences = [loss, interrupts].filter((sentence) => sentence !== null);
  return sentences.length > 0 ? sentences.join(" ") : null;
}

/** Nobody is asked to decide on a request of which nothing would be done. */
function refuseIfAll(refusals: (Refusal | null)[]): void {
  const [first] = refusals;
  if (!first || refusals.includes(null)) return;
  if (refusals.length === 1) throw first;
  throw new Refusal(
    `The platform would refuse this for all ${refusals.length}. Nothing was requested. ${first.message}`,
  );
}

/** The rows that are there: of one that is gone, as in a list, nothing is found. */
async function readEach<A extends ApiName, T>(
  client: ApiClient<A>,
  kind: TargetKind<A, T>,
  ids: readonly string[],
): Promise<T[]> {
  const found = ids.map(async (id) => {
    try {
      return [await kind.read(client, id)];
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}

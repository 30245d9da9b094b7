import type * as z from "zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { ClientOf } from "../platform/platform.ts";
import type { Bulk, BulkDeclaration, BulkPreconditions, RelocationFinder } from "./bulk.ts";
import { type Chooser, describeInput, matchChoices, parseInput } from "./input.ts";
import { reasonIn } from "./reason.ts";
import type { TargetKind } from "./target.ts";

interface BulkSource<A extends ApiName, T, I extends z.ZodObject> {
  /** `true` if nothing is lost or charged beyond the text of `interrupts`. */
  bulk?: true | BulkDeclaration<A, T, z.output<I>>;
  target: TargetKind<A, T>;
  input: I;
  choices: Record<string, Chooser<A, T>>;
  typed?: readonly string[];
  verb: (input: z.output<I>) => string;
  relocates?: RelocationFinder<A, T, z.output<I>>;
  interrupts: ((input: Record<string, unknown>) => string | null) | null;
}

/** The bulk form of an operation, from its declaration; null if the operation takes one target at a time. */
export function bulkOf<A extends ApiName, T, I extends z.ZodObject>(declared: BulkSource<A, T, I>): Bulk<A> | null {
  const { bulk, target, input: schema, choices, typed, verb, interrupts, relocates } = declared;
  if (!bulk) return null;
  return {
    async read({ input: raw, ids, pick, ...asking }) {
      const rows = await (ids === null ? readAll(asking.client, target) : readEach(asking.client, target, ids));
      const byId = new Map(rows.map((row) => [target.entry(row).id, row]));
      const entries = [...byId.values()].map(target.entry);
      const picked = (await pick(entries)).flatMap((entry) => {
        const row = byId.get(entry.id);
        return row === undefined ? [] : [{ entry, row }];
      });
      const [first] = picked;
      const matchOptions = { typable: typed, nameIds: true };
      const matched = first
        ? await matchChoices(raw, choices, { ...asking, target: first.row }, matchOptions)
        : { input: raw, labels: new Map<string, string>() };
      const resolvedInput = matched.input;
      const input = parseInput(schema, resolvedInput);
      const noPreconditions: BulkPreconditions[] = picked.map(() => ({ material: [], price: null }));
      const targets = picked.map(({ row }) => row);
      const preconditions = bulk === true ? noPreconditions : await bulk.rows({ ...asking, targets, input });
      return {
        targets: picked.map(({ entry: { id, name, state, project, projectId, hostname = null } }, at) => {
          const { material = [], price = null } = preconditions[at] ?? {};
          const projectRef = projectId ? { id: projectId, name: project } : null;
          return { id, name, hostname, state, project: projectRef, material, price };
        }),
        all: ids === null && picked.length === entries.length,
        input: resolvedInput,
        described: describeInput(schema, input, { labels: matched.labels }),
        reason: reasonIn(resolvedInput),
        verb: verb(input),
        relocations: async (ruled) => (await relocates?.({ ...asking, targets, input }, ruled)) ?? [],
        personal: bulk === true ? [] : ((await bulk.personal?.(asking)) ?? []),
        each: bulk === true ? (interrupts?.(resolvedInput) ?? null) : bulk.each(input),
      };
    },
  };
}

async function readAll<A extends ApiName, T>(client: ClientOf[A], kind: TargetKind<A, T>): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const found = await kind.list(client, { page, limit: kind.pageSize });
    rows.push(...found.rows);
    pages = found.pagination.pages;
  }
  const { among } = kind;
  return among ? rows.filter((row) => kind.entry(row).type === among.type) : rows;
}

function readEach<A extends ApiName, T>(
  client: ClientOf[A],
  kind: TargetKind<A, T>,
  ids: readonly string[],
): Promise<T[]> {
  return Promise.all(ids.map((id) => kind.read(client, id)));
}

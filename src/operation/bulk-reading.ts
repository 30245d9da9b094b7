import type * as z from "zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { ClientOf } from "../platform/platform.ts";
import type { Bulk, BulkDeclaration, Pinned } from "./bulk.ts";
import { type Chooser, describeInput, matchChoices, parseInput } from "./input.ts";
import { reasonIn } from "./reason.ts";
import type { TargetKind } from "./target.ts";

interface Declared<A extends ApiName, T, I extends z.ZodObject> {
  /** True where nothing is lost or charged but what `interrupts` says. */
  bulk?: true | BulkDeclaration<A, T, z.output<I>>;
  target: TargetKind<A, T>;
  input: I;
  choices: Record<string, Chooser<A, T>>;
  typed?: readonly string[];
  verb: (input: z.output<I>) => string;
  interrupts: ((input: Record<string, unknown>) => string | null) | null;
}

/** How an operation is done to many, from its declaration; null where it is for one at a time. */
export function bulkOf<A extends ApiName, T, I extends z.ZodObject>(declared: Declared<A, T, I>): Bulk<A> | null {
  const { bulk, target, input: schema, choices, typed, verb, interrupts } = declared;
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
      const kept = first ? await matchChoices(raw, choices, { ...asking, target: first.row }, typed) : raw;
      const input = parseInput(schema, kept);
      const nothing: Pinned[] = picked.map(() => ({ material: [], price: null }));
      const targets = picked.map(({ row }) => row);
      const pinned = bulk === true ? nothing : await bulk.rows({ ...asking, targets, input });
      return {
        targets: picked.map(({ entry: { id, name, state, project } }, at) => {
          const { material = [], price = null } = pinned[at] ?? {};
          return { id, name, state, project, material, price };
        }),
        all: ids === null && picked.length === entries.length,
        input: kept,
        described: describeInput(schema, input, Object.keys(choices)),
        reason: reasonIn(kept),
        verb: verb(input),
        personal: bulk === true ? [] : ((await bulk.personal?.(asking)) ?? []),
        each: bulk === true ? (interrupts?.(kept) ?? null) : bulk.each(input),
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

import { Refusal } from "../operation/errors.ts";
import type { TargetKind } from "../operation/target.ts";
import { type ApiName, PlatformRefused } from "../platform/http/errors.ts";
import type { ClientOf } from "../platform/platform.ts";

/** What a deletion acts on: after an unknown outcome, that it is gone is the answer, not a failure to read it. */
export interface MaybeGone<T> {
  id: string;
  row: T | null;
}

/** A kind of target that may be gone by the time that it is read again. */
export function maybeGone<A extends ApiName, T>(kind: TargetKind<A, T>): TargetKind<A, MaybeGone<T>> {
  return {
    noun: kind.noun,
    label: kind.label,
    pageSize: kind.pageSize,
    async list(client, query) {
      const { rows, pagination } = await kind.list(client, query);
      return { pagination, rows: rows.map((row) => ({ id: kind.entry(row).id, row })) };
    },
    read: async (client, id) => ({ id, row: await readOrNull(kind, client, id) }),
    entry: ({ id, row }) =>
      row === null ? { id, name: id, aliases: [], state: "gone", project: "", detail: "" } : kind.entry(row),
  };
}

/** The row of a target that must still be there. */
export function present<T>({ row }: MaybeGone<T>, label: string): T {
  if (row === null) throw new Refusal(`That ${label} is not there, or your key cannot see it. Nothing was deleted.`);
  return row;
}

/** Where a kind has a list only, its reading says with this that a row is not in it. */
export class NotListed extends Refusal {}

function isMissing(error: unknown): boolean {
  return error instanceof NotListed || (error instanceof PlatformRefused && error.status === 404);
}

async function readOrNull<A extends ApiName, T>(
  kind: TargetKind<A, T>,
  client: ClientOf[A],
  id: string,
): Promise<T | null> {
  try {
    return await kind.read(client, id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

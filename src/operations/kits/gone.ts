import { Gone, goneState } from "../../operation/errors.ts";
import { identityIn } from "../../operation/identity.ts";
import { findSkipping, type SkippingClient } from "../../operation/reading.ts";
import type { TargetKind } from "../../operation/target.ts";
import type { ApiClient } from "../../platform/http/client.ts";
import { type ApiName, PlatformRefused } from "../../platform/http/errors.ts";
import { inOnePage, largestPage } from "../../platform/http/pages.ts";

/**
 * The target of a deletion. After an unknown outcome, a missing row proves that the deletion worked, and must not fail the check.
 */
export interface MaybeGone<T> {
  id: string;
  row: T | null;
}

/** Wraps a kind whose target may be gone when it is read again: `row` is then null. */
export function maybeGone<A extends ApiName, T>(kind: TargetKind<A, T>): TargetKind<A, MaybeGone<T>> {
  const { states } = kind;
  return {
    noun: kind.noun,
    label: kind.label,
    pageSize: kind.pageSize ?? largestPage,
    async list(client, query) {
      const { rows, pagination } = await kind.list(client, query);
      return { pagination, rows: rows.map((row) => ({ id: kind.entry(row).id, row })) };
    },
    read: async (client, id) => ({ id, row: await readOrNull(kind, client, id) }),
    reads: kind.reads,
    ...(states && {
      states: { all: states.all, unlisted: ({ row }: MaybeGone<T>) => (row === null ? [] : states.unlisted(row)) },
    }),
    entry: ({ id, row }) =>
      row === null ? { id, name: id, aliases: [], state: goneState, detail: "" } : kind.entry(row),
    identity: {
      project: ({ row }) => row && identityIn(kind, row).project,
      address: ifPresent(kind.identity.address),
      hostname: ifPresent(kind.identity.hostname),
      location: ifPresent(kind.identity.location),
      apart: ({ row }) => (row && identityIn(kind, row).apart) ?? [],
    },
  };
}

/** The same fact of a row that may be gone. */
function ifPresent<T, V, F extends string>(fact: ((row: T) => V | null) | F) {
  return typeof fact === "string" ? fact : ({ row }: MaybeGone<T>) => (row === null ? null : fact(row));
}

/** The row of a target that must still exist; otherwise throws Gone. */
export function present<T>({ row }: MaybeGone<T>, label: string): T {
  if (row === null) throw new Gone(`That ${label} is not there, or your key cannot see it.`, "Nothing was deleted.");
  return row;
}

/** A kind without a page of its own throws this if a row is not in the list. */
export class NotListed extends Gone {}

/** The reads of a kind that the platform sends as a whole list alone. `missing` is the sentence about a row that is not in it. */
export function inWholeList<C extends SkippingClient<C>, T extends { id: string }>(
  rows: (client: C) => Promise<T[]>,
  missing: string,
) {
  return {
    ...inOnePage(rows),
    async read(client: C, id: string): Promise<T> {
      const found = await findSkipping(client, async (own) => (await rows(own)).find((row) => row.id === id));
      if (found) return found;
      throw new NotListed(missing, "Nothing changed.");
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof NotListed || (error instanceof PlatformRefused && error.status === 404);
}

async function readOrNull<A extends ApiName, T>(
  kind: TargetKind<A, T>,
  client: ApiClient<A>,
  id: string,
): Promise<T | null> {
  try {
    return await kind.read(client, id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

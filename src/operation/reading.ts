import type { ApiClient } from "../platform/http/client.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { UnreadRow } from "../platform/http/unread.ts";
import { context, section } from "../views/blocks.ts";
import { code, listing, listingOf } from "../views/text.ts";
import type { Answer } from "./answer.ts";

// One row that is off the contract must not hide the others from a member who only looks. It is named, so that nobody takes it for gone.
// An act that decides, compares or sums up reads with the plain client: there, one such row makes the list unreadable.

/** The client for the choices of a form: rows that it cannot read are not offered. A list without any readable row still throws. */
export function choosingClient<A extends ApiName, Writes extends string = never>(
  client: ApiClient<A, Writes>,
  note?: (row: UnreadRow) => void,
): ApiClient<A, Writes> {
  return client.skipping((row) => {
    if (row.others === 0) throw row.error;
    note?.(row);
  });
}

/** The answer of a read, with a line that names each row that could not be read. */
export async function answerSkipping<A extends ApiName, Writes extends string>(
  client: ApiClient<A, Writes>,
  read: (client: ApiClient<A, Writes>) => Promise<Answer>,
): Promise<Answer> {
  const unread: UnreadRow[] = [];
  const answer = await read(choosingClient<A, Writes>(client, (row) => unread.push(row)));
  if (unread.length === 0) return answer;
  const note = leftOut(unread);
  const [first = section(answer.text), ...rest] = answer.blocks ?? [];
  return { ...answer, text: `${answer.text} ${note}`, blocks: [first, context(`:warning: ${note}`), ...rest] };
}

/** A client whose lists can leave out rows that are off the contract. */
export interface SkippingClient<C> {
  skipping(skip: (row: UnreadRow) => void): C;
}

/** The row that `find` finds among those that can be read. Throws the list's error if it may be one that cannot. */
export async function findSkipping<C extends SkippingClient<C>, T>(
  client: C,
  find: (client: C) => Promise<T | undefined>,
): Promise<T | undefined> {
  const unread: UnreadRow[] = [];
  const found = await find(client.skipping((row) => unread.push(row)));
  if (found === undefined && unread[0]) throw unread[0].error;
  return found;
}

const mostFields = 3;
const mostNamed = 5;

function leftOut(unread: readonly UnreadRow[]): string {
  const rows = [...new Map(unread.map((row) => [JSON.stringify([row.id, row.name, row.fields]), row])).values()];
  const named = rows.map((row) => {
    const fields = row.fields.slice(0, mostFields).map((field) => code(field));
    const label = code(row.name ?? row.id ?? `row ${row.place}`);
    return fields.length > 0 ? `${label} (its ${listing(fields)})` : label;
  });
  return `I leave out ${listingOf(named, mostNamed, "other row")}: the platform sent it in a form that its contract does not allow.`;
}

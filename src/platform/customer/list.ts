import type * as z from "zod";
import { listInPages } from "../http/pages.ts";
import type { Path } from "../http/path.ts";
import type { CustomerClient } from "./client.ts";

/** Reads every row of a list of which the spec does not say whether it comes whole or in pages. Spec sections 4 and 8. */
export async function readList<S extends z.ZodType>(
  client: CustomerClient,
  path: string | Path,
  name: string,
  row: S,
): Promise<z.output<S>[]> {
  const { rows, pages } = await client.get(path, listInPages(name, row));
  for (let page = 2; page <= pages; page += 1) {
    rows.push(...(await client.get(path, listInPages(name, row), { page })).rows);
  }
  return rows;
}

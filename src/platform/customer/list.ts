import type * as z from "zod";
import type { RouteCall } from "../http/endpoint.ts";
import { listInPages } from "../http/pages.ts";

/** Reads every row of a list. The spec leaves open whether such a list comes whole or in pages. Spec sections 4 and 8. */
export async function readList<Route extends `GET ${string}`, S extends z.ZodType>(
  call: RouteCall<Route>,
  values: Parameters<RouteCall<Route>["data"]>[0],
  name: string,
  row: S,
): Promise<z.output<S>[]> {
  const { rows, pages } = await call.envelope(values, listInPages(name, row));
  for (let page = 2; page <= pages; page += 1) {
    rows.push(...(await call.envelope(values, listInPages(name, row), { query: { page } })).rows);
  }
  return rows;
}

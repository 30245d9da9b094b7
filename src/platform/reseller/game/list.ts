import * as z from "zod";
import { unspecified } from "../../http/data.ts";
import type { Query } from "../../http/path.ts";
import { rowsIn } from "../../http/rows.ts";
import { Id } from "../../ids.ts";

const Row = z.looseObject({ id: Id });

/** A list that the spec does not show. `rows` are the rows with an id, which a member can choose; `answer` is all of it. */
export const GameList = unspecified.transform((answer) => {
  const found = rowsIn(answer, "", Row);
  return { answer, rows: "rows" in found ? found.rows : [] };
});
export type GameList = z.infer<typeof GameList>;

/** A body whose fields the spec does not show. */
export type GameBody = Record<string, unknown>;

/** Of a route that takes such a body, or such a query. */
export const inGameBody = { sends: (body: GameBody) => ({ body }) };
export const byGameQuery = { sends: (query: Query) => ({ query }) };

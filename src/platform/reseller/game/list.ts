import * as z from "zod";
import { notShown } from "../../http/data.ts";
import { rowsIn } from "../../http/rows.ts";
import { Id } from "../../ids.ts";

const Row = z.looseObject({ id: Id });

/** A list of which the spec shows nothing: `told` is all of it, `rows` those that can be chosen, since they have an id. */
export const GameList = notShown.transform((told) => {
  const found = rowsIn(told, "", Row);
  return { told, rows: "rows" in found ? found.rows : [] };
});
export type GameList = z.infer<typeof GameList>;

/** A body whose fields the spec does not show. */
export type GameBody = Record<string, unknown>;

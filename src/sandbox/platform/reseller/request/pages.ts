import { badField } from "../../http/refusal.ts";
import { type ApiResponse, ok } from "../../http/response.ts";
import type { Call } from "./call.ts";

interface Limits {
  usual: number;
  most: number;
}

/** A page counted by pages (spec 2.1). A limit over the most is clamped in silence. */
export function byPage<T>(call: Call, name: string, all: T[], limits: Limits, row: (one: T) => object): ApiResponse {
  const page = whole(call, "page", 1, 1);
  const limit = Math.min(whole(call, "limit", limits.usual, 1), limits.most, call.world.settings.pageCap);
  const rows = all.slice((page - 1) * limit, page * limit).map(row);
  return placedPage(call, name, rows, { page, limit, total: all.length, totalPages: Math.ceil(all.length / limit) });
}

/** A page counted from an offset (spec 2.1). */
export function byOffset<T>(call: Call, name: string, all: T[], limits: Limits, row: (one: T) => object): ApiResponse {
  const limit = Math.min(whole(call, "limit", limits.usual, 1), limits.most, call.world.settings.pageCap);
  const offset = whole(call, "offset", 0, 0);
  const rows = all.slice(offset, offset + limit).map(row);
  return placedPage(call, name, rows, { total: all.length, limit, offset, hasMore: offset + limit < all.length });
}

/** The spec does not show the place of the rows and the figures. */
function placedPage(call: Call, name: string, rows: object[], fields: object): ApiResponse {
  const { pagination, named } = call.world.settings.shapes;
  if (pagination === "beside") return ok(named ? { [name]: rows } : rows, { pagination: fields });
  return ok(named ? { [name]: rows, ...fields } : { [name]: rows, pagination: fields });
}

function whole(call: Call, name: string, usual: number, least: number): number {
  const text = call.query.get(name);
  if (text === null || text === "") return usual;
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) {
    throw badField(name, `${name} must be a whole number from ${least}`);
  }
  return Number(text);
}

import { badField } from "../../http/refusal.ts";
import type { Call } from "./call.ts";

export interface Page<T> {
  rows: T[];
  page: number;
  limit: number;
  total: number;
  pages: number;
}

/** Cuts one page out of `all`. `limit` over 200 is clamped in silence (spec section 8). */
export function pageOf<T>(call: Call, all: T[], defaultLimit: 20 | 50): Page<T> {
  const page = positive(call, "page", 1);
  const limit = Math.min(positive(call, "limit", defaultLimit), call.world.settings.pageCap);
  const rows = all.slice((page - 1) * limit, page * limit);
  return { rows, page, limit, total: all.length, pages: Math.ceil(all.length / limit) };
}

export function pagination({ page, limit, total, pages }: Page<unknown>) {
  return { page, limit, total, pages };
}

function positive(call: Call, name: string, fallback: number): number {
  const text = call.query.get(name);
  if (text === null || text === "") return fallback;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw badField(name, `${name} must be a whole number from 1`);
  return Number(text);
}

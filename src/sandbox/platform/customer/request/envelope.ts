import type { Refusal } from "../../http/refusal.ts";
import { type ApiResponse, json, ok, success } from "../../http/response.ts";
import type { Call } from "./call.ts";
import { pageOf, pagination } from "./pages.ts";

export function refused(refusal: Refusal): ApiResponse {
  const { status, code, message, extra } = refusal;
  const response = json(status, { success: false, error: message, code, ...extra });
  Object.assign(response.headers, refusal.headers);
  if (extra.retry_after_seconds !== undefined) response.headers["retry-after"] = String(extra.retry_after_seconds);
  return response;
}

/** A value whose place the spec leaves open: `data` itself, or under `name` within it. */
export function underName(call: Call, name: string, value: unknown, status = 200): ApiResponse {
  return success(status, call.world.settings.shapes.named ? { [name]: value } : value);
}

/** A list: the spec says neither its place nor whether it has pages. */
export function placedList(call: Call, name: string, rows: unknown[]): ApiResponse {
  const { pagedLists, named } = call.world.settings.shapes;
  if (!pagedLists) return underName(call, name, rows);
  const page = pageOf(call, rows, 20);
  if (named) return ok({ [name]: page.rows, pagination: pagination(page) });
  return ok(page.rows, { pagination: pagination(page) });
}

/** A page whose answer has `pageInfo` beside the rows or among them: the spec leaves the place open. */
export function placedPage(call: Call, name: string, rows: object[], pageInfo: object, more: object = {}): ApiResponse {
  if (call.world.settings.shapes.pagination === "inside") return ok({ [name]: rows, pagination: pageInfo, ...more });
  return ok({ [name]: rows, ...more }, { pagination: pageInfo });
}

import type { Refusal } from "../../http/refusal.ts";
import { type ApiResponse, json } from "../../http/response.ts";

/** The customer API's envelope (spec 2.1); `beside` stands beside `data` in it. */
export function success(status: number, data: unknown, beside: object = {}): ApiResponse {
  return json(status, { success: true, data, ...beside });
}

export function ok(data: unknown, beside: object = {}): ApiResponse {
  return success(200, data, beside);
}

export function refused(refusal: Refusal): ApiResponse {
  const { status, code, message, extra } = refusal;
  const response = json(status, { success: false, error: message, code, ...extra });
  Object.assign(response.headers, refusal.headers);
  if (extra.retry_after_seconds !== undefined) response.headers["retry-after"] = String(extra.retry_after_seconds);
  return response;
}

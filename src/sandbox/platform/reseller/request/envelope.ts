import type { Refusal } from "../../http/refusal.ts";
import { type ApiResponse, json } from "../../http/response.ts";

/** The reseller API's envelope (spec 2.1); `beside` stands beside `data` in it. */
export function success(status: number, data: unknown, beside: object = {}): ApiResponse {
  return json(status, { success: true, data, ...beside });
}

export function ok(data: unknown, beside: object = {}): ApiResponse {
  return success(200, data, beside);
}

/** No code but FEATURE_DISABLED is told; a failed validation is an object (spec 2.1 and 7). */
export function refused({ status, code, message, extra, headers }: Refusal): ApiResponse {
  const error = extra.details === undefined ? message : { message, details: extra.details };
  const response = json(status, {
    success: false,
    error,
    ...(code === "FEATURE_DISABLED" ? { code } : {}),
  });
  return { ...response, headers: { ...headers } };
}

import type { Refusal } from "../../http/refusal.ts";
import { type ApiResponse, json, success } from "../../http/response.ts";
import type { Call } from "./call.ts";

/** An answer names no code but FEATURE_DISABLED; a failed validation is an object (spec 2.1 and 7). */
export function refused({ status, code, message, extra, headers }: Refusal): ApiResponse {
  const error = extra.details === undefined ? message : { message, details: extra.details };
  const response = json(status, {
    success: false,
    error,
    ...(code === "FEATURE_DISABLED" ? { code } : {}),
  });
  return { ...response, headers: { ...headers } };
}

/** A value or a list whose place the spec leaves open: `data` itself, or under `name` within it. */
export function underName(call: Call, name: string, value: unknown, status = 200, beside: object = {}): ApiResponse {
  return success(status, call.world.settings.shapes.named ? { [name]: value } : value, beside);
}

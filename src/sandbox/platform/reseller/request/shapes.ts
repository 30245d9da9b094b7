import type { ApiResponse } from "../../http/response.ts";
import { shapeById } from "../../world/ids.ts";
import type { Call } from "./call.ts";
import { success } from "./envelope.ts";

/** Which of `count` shapes to give a payload that the spec does not show. */
export function shapeOf(call: Call, id: string, count: number): number {
  const { payload } = call.world.settings.shapes;
  return payload === null ? shapeById(id, count) : payload % count;
}

/** A thing or a list whose place the spec leaves open: `data` itself, or under `name` within it. */
export function placed(call: Call, name: string, value: unknown, status = 200, beside: object = {}): ApiResponse {
  return success(status, call.world.settings.shapes.named ? { [name]: value } : value, beside);
}

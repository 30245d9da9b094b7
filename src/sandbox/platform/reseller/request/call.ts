// reseller/request/: what every route of the reseller API goes through: keys, the window, signatures, bodies, pages,
// whose a service is, and the envelope of the answer.

import type { z } from "zod";
import { checkedBody } from "../../http/body.ts";
import { Refusal } from "../../http/refusal.ts";
import type { ApiResponse } from "../../http/response.ts";
import type { Partner } from "../../programme/partner.ts";
import type { Programme } from "../../programme/programme.ts";
import type { World } from "../../world/world.ts";
import type { ResellerKey, ResellerKeys, ResellerScope } from "./keys.ts";

/** A request that has passed the checks every route shares. */
export interface Call {
  world: World;
  programme: Programme;
  keys: ResellerKeys;
  partner: Partner;
  key: ResellerKey;
  params: Record<string, string>;
  query: URLSearchParams;
  /** "" where the body came without its content type. */
  text: string;
}

export interface Route {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As the spec writes it; `{id}` and every `{…Id}` must be a uuid. */
  path: string;
  scope: ResellerScope;
  handle(call: Call): ApiResponse;
}

/** Reads the body by `schema`; an absent one reads as `{}`. Throws a validation failure with each faulty field. */
export function readBody<T>(call: Call, schema: z.ZodType<T>): T {
  return checkedBody(call.text, schema, "Validation failed");
}

export function unauthorized(message: string): Refusal {
  return new Refusal(401, "", message);
}

/** The answer to what the platform takes on and a part of it refuses. */
export function unavailable(message: string): Refusal {
  return new Refusal(503, "", message);
}

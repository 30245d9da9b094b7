// customer/request/: what every route of the customer API goes through: keys, checks in the order of the spec, cool-
// downs, bodies, pages, whose a service is, and the envelope of the answer.

import { z } from "zod";
import { checkedBody } from "../../http/body.ts";
import type { RateLimit } from "../../http/rate-window.ts";
import type { ApiResponse } from "../../http/response.ts";
import type { Project } from "../../world/project.ts";
import type { Permission, User } from "../../world/users.ts";
import type { World } from "../../world/world.ts";
import type { Cooldowns } from "./cooldowns.ts";
import type { Key, Scope } from "./keys.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** A request that has passed the checks every route shares. */
export interface Call {
  world: World;
  cooldowns: Cooldowns;
  key: Key;
  user: User;
  /** The project that the request is narrowed to: the key's, or the one it names. */
  project: Project | null;
  /** The calls left in the key's hourly window. */
  rate: RateLimit;
  params: Record<string, string>;
  query: URLSearchParams;
  header(name: string): string | undefined;
  text: string;
}

export interface Route {
  method: Method;
  /** As the spec writes it; `{id}` and every `{…Id}` must be a uuid. */
  path: string;
  scope: Scope;
  permission?: Permission;
  /** `{id}` may be the slug of a project. */
  takesSlug?: true;
  /** The operator's module that this route needs; off answers FEATURE_DISABLED. */
  module?: "inventory" | "native_vps";
  handle(call: Call): ApiResponse;
}

/** The most usual routes: they show services, change them, cost money, or end something. */
export const viewing = { method: "GET", scope: "read", permission: "services.view" } as const;
export const managing = { method: "POST", scope: "services", permission: "services.manage" } as const;
export const ordering = { method: "POST", scope: "orders", permission: "services.manage" } as const;
export const ending = { method: "DELETE", scope: "destructive", permission: "services.cancel" } as const;

/** Reads the body by `schema`. An absent body reads as `{}`; throws INVALID_JSON, or BAD_REQUEST with each faulty field. */
export function readBody<T>(call: Call, schema: z.ZodType<T>): T {
  return checkedBody(call.text, schema);
}

/** Lets a body spell a field in other ways: `aliased({ image_id: ["osImageId"] }, schema)`. */
export function aliased<T>(aliases: Record<string, string[]>, schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((body) => {
    if (!isRecord(body)) return body;
    const renamed: Record<string, unknown> = { ...body };
    for (const [field, others] of Object.entries(aliases)) {
      const spelt = others.find((other) => renamed[other] !== undefined);
      if (renamed[field] === undefined && spelt !== undefined) renamed[field] = renamed[spelt];
    }
    return renamed;
  }, schema);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

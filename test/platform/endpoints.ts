import { globSync } from "node:fs";
import { join } from "node:path";
import type { Endpoint } from "../../src/platform/http/endpoint.ts";
import type { ApiName } from "../../src/platform/http/errors.ts";

const folder = join(import.meta.dirname, "..", "..", "src", "platform");

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "function" && "route" in value && "serves" in value;
}

async function endpointsIn(api: ApiName): Promise<Endpoint[]> {
  const files = globSync(`${api}/**/*.ts`, { cwd: folder }).sort();
  const modules = await Promise.all(files.map((file): Promise<object> => import(join(folder, file))));
  const values = modules.flatMap((module): unknown[] => Object.values(module));
  return values.flatMap((value) => [value, ...Object.values(Object(value))]).filter(isEndpoint);
}

/** Every endpoint of both APIs, from all files of their folders. */
export const endpoints: Record<ApiName, Endpoint[]> = {
  customer: await endpointsIn("customer"),
  reseller: await endpointsIn("reseller"),
};

/** The routes of an API's spec that are called by an endpoint or are another's twin, each once, with their endpoint. */
export function routesOf(api: ApiName): Map<string, Endpoint> {
  return new Map(endpoints[api].flatMap((one) => one.serves.map((route) => [route, one])));
}

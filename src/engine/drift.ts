import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Operation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import { readOpenApi } from "../platform/customer/openapi.ts";
import { type ApiName, PlatformRefused } from "../platform/http/errors.ts";
import type { OpenApi } from "../platform/http/openapi.ts";
import type { Platform } from "../platform/platform.ts";
import { readOpenApi as readResellerOpenApi } from "../platform/reseller/documentation.ts";

/** What the platform's own list of routes no longer has, of those that the operations use. */
export interface DriftReport {
  /** When it was read, in milliseconds. */
  at: number;
  missing: { operation: Operation; routes: string[] }[];
}

/** The API is in beta and publishes what it offers: it is compared with what is used here, before somebody finds out at night. */
export interface Drift {
  /** Reads the platform's list now. Platform errors pass through. */
  look(): Promise<DriftReport>;
  /** The newest report, if there is one. */
  last(): DriftReport | null;
  start(): void;
  stop(): void;
}

const every = 6 * 60 * 60_000;

export function createDrift(deps: { platform: Platform; registry: Registry; clock: Clock; log: Logger }): Drift {
  const { platform, registry, clock, log } = deps;
  let report: DriftReport | null = null;
  let cancel = () => {};

  async function look(): Promise<DriftReport> {
    const [own, sold] = await Promise.all([
      readOpenApi(platform.anonymous("customer")),
      readResellerOpenApi(platform.anonymous("reseller")).catch(notOffered),
    ]);
    const missing = [...missingIn(registry, "customer", own), ...(sold ? missingIn(registry, "reseller", sold) : [])];
    report = { at: clock.now(), missing };
    return report;
  }

  function watch(): void {
    look()
      .then(({ missing }) => {
        if (missing.length > 0)
          log.warn(
            { commands: missing.map(({ operation }) => operation.command) },
            "The platform no longer offers what some commands need",
          );
      })
      .catch((error: unknown) => log.warn({ err: error }, "The platform's list of routes could not be read"));
    cancel = clock.after(every, watch);
  }

  return { look, last: () => report, start: watch, stop: () => cancel() };
}

/** A platform without a reseller programme has no such list, and nobody there has a key for it. */
function notOffered(error: unknown): null {
  if (error instanceof PlatformRefused && (error.status === 403 || error.status === 404)) return null;
  throw error;
}

function missingIn(registry: Registry, api: ApiName, { paths }: OpenApi): DriftReport["missing"] {
  const offered = new Set(
    Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => shapeOf(method, path))),
  );
  return registry.all.flatMap((operation) => {
    if (operation.api !== api) return [];
    const routes = operation.routes.filter((route) => {
      const [method = "", path = ""] = route.split(" ");
      return !offered.has(shapeOf(method, path));
    });
    return routes.length > 0 ? [{ operation, routes }] : [];
  });
}

/** A route regardless of what its ids are called, and of the base path that a document may repeat. */
function shapeOf(method: string, path: string): string {
  const bare = path.replace(/^(\/api\/v1)?(\/reseller)?(?=\/|$)/, "").replace(/\/$/, "");
  return `${method.toUpperCase()} ${bare.replaceAll(/\{[^}]*\}/g, "{}") || "/"}`;
}

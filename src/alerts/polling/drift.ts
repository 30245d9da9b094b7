import type { Logger } from "pino";
import type { Operation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { type ApiName, nullIfRefused } from "../../platform/http/errors.ts";
import { type OpenApi, readOpenApi } from "../../platform/http/openapi.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Clock, repeat } from "../../process/clock.ts";

/** The routes that operations use and that the platform's own list no longer has. */
export interface DriftReport {
  /** When the list was read, in milliseconds since the epoch. */
  at: number;
  missing: { operation: Operation; routes: string[] }[];
}

export type Drift = ReturnType<typeof createDrift>;

const every = 6 * 60 * 60_000;
/** A start, perhaps one of many in a row, has more urgent work. */
const firstAfter = 10 * 60_000;

/** Compares the platform's published routes with those that Rackbell uses: the API is in beta, and a route may disappear. */
export function createDrift(deps: { platform: Platform; registry: Registry; clock: Clock; log: Logger }) {
  const { platform, registry, clock, log } = deps;
  let report: DriftReport | null = null;
  let stop = () => {};

  /** Reads the platform's lists now. Rejects with the platform's errors. */
  async function look(): Promise<DriftReport> {
    const [own, reseller] = await Promise.all([
      readOpenApi(platform.anonymous("customer")),
      // A platform without a reseller programme refuses its list: then there is nothing to compare.
      readOpenApi(platform.anonymous("reseller")).catch(nullIfRefused(403, 404)),
    ]);
    const missing = [
      ...missingIn(registry, "customer", own),
      ...(reseller ? missingIn(registry, "reseller", reseller) : []),
    ];
    report = { at: clock.now(), missing };
    return report;
  }

  async function warnOfDrift(): Promise<void> {
    const { missing } = await look();
    if (missing.length === 0) return;
    const commands = missing.map(({ operation }) => operation.command);
    log.warn({ commands }, "The platform no longer offers what some commands need");
  }

  function watch(): void {
    stop = repeat(clock, every, warnOfDrift, (error) =>
      log.warn({ err: error }, "The platform's list of routes could not be read"),
    );
  }

  return {
    look,
    /** The newest report, if there is one. */
    last: () => report,
    start(): void {
      stop = clock.after(firstAfter, watch);
    },
    stop: () => stop(),
  };
}

function missingIn(registry: Registry, api: ApiName, { paths }: OpenApi): DriftReport["missing"] {
  const offered = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => partsOf(method, path)),
  );
  return registry.all.flatMap((operation) => {
    if (operation.api !== api) return [];
    const routes = operation.routes.filter((route) => {
      const [method = "", path = ""] = route.split(" ");
      const wanted = partsOf(method, path);
      return !offered.some((parts) => isSameRoute(parts, wanted));
    });
    return routes.length > 0 ? [{ operation, routes }] : [];
  });
}

/** The method and the segments, without the base path, which the platform's document may repeat. */
function partsOf(method: string, path: string): string[] {
  const bare = path.replace(/^(\/api\/v1)?(\/reseller)?(?=\/|$)/, "").replace(/\/$/, "");
  return [method.toUpperCase(), ...bare.split("/").slice(1)];
}

/** The specs write the names of ids in several ways. For `{action}` and `{op}` a document may list each word as a route of its own. */
function isSameRoute(offered: string[], wanted: string[]): boolean {
  if (offered.length !== wanted.length) return false;
  return offered.every((part, at) => {
    const other = wanted[at] ?? "";
    if (part === other || (isPlaceholder(part) && isPlaceholder(other))) return true;
    return verbPlaceholders.has(part) || verbPlaceholders.has(other);
  });
}

const verbPlaceholders = new Set(["{action}", "{op}"]);

function isPlaceholder(part: string): boolean {
  return part.startsWith("{") && part.endsWith("}");
}

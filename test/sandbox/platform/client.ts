import { onTestFinished } from "vitest";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { matchRoute } from "../../../src/sandbox/platform/customer/routes.ts";
import type { LoggedCall } from "../../../src/sandbox/platform/http/call-log.ts";
import {
  createPracticePlatform,
  type KeyLabel,
  type PracticePlatformOptions,
} from "../../../src/sandbox/platform/practice-platform.ts";
import { noteAccepted, proveCoverage } from "../coverage.ts";

export interface Asked {
  status: number;
  body: unknown;
  headers: Headers;
}

interface Ask {
  /** A label of the cast, or the key itself. */
  as?: KeyLabel | { key: string };
  body?: unknown;
  headers?: Record<string, string>;
}

proveCoverage();

/** The route that took this call; none when it was refused. */
function routeOf({ method, path, status }: LoggedCall): string[] {
  const match = status !== null && status < 300 ? matchRoute(method, path) : undefined;
  return match === undefined ? [] : [`${method} ${match.route.path}`];
}

/** A practice platform that ends with the test, and a bare client for it. */
export async function practice(options: Partial<PracticePlatformOptions> = {}) {
  const clock = createSandboxClock();
  const platform = await createPracticePlatform({ clock, ...options });
  onTestFinished(() => {
    noteAccepted(platform.calls().flatMap(routeOf));
    return platform.close();
  });

  /** `ask("POST /vps/web-1/reboot")`: a name between slashes is replaced by the service's id. */
  async function ask(line: string, { as = "ana", body, headers = {} }: Ask = {}): Promise<Asked> {
    const [method = "GET", path = "/"] = line.split(" ");
    const key = typeof as === "string" ? platform.keys[as].key : as.key;
    const response = await fetch(platform.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  }

  const id = (name: string, nth?: number) => platform.find(name, nth).id;
  return { clock, platform, ask, id };
}

/** The value at `path`, such as `data.snapshots.0.name`. */
export function at(asked: Asked, path: string): unknown {
  let value: unknown = asked.body;
  for (const part of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.entries(value).find(([name]) => name === part)?.[1];
  }
  return value;
}

export function textAt(asked: Asked, path: string): string {
  const value = at(asked, path);
  if (typeof value !== "string") throw new Error(`There is no text at ${path}: ${JSON.stringify(asked.body)}`);
  return value;
}

export function listAt(asked: Asked, path: string): unknown[] {
  const value = at(asked, path);
  if (!Array.isArray(value)) throw new Error(`There is no list at ${path}: ${JSON.stringify(asked.body)}`);
  return value;
}

/** What a refusal looks like, for toMatchObject. */
export function refusal(status: number, code: string, more: object = {}) {
  return { status, body: { success: false, code, ...more } };
}

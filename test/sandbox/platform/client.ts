import { createHmac } from "node:crypto";
import { onTestFinished } from "vitest";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import {
  createPracticePlatform,
  type KeyLabel,
  type PracticePlatformOptions,
} from "../../../src/sandbox/platform/practice-platform.ts";
import type { ResellerKeyLabel } from "../../../src/sandbox/platform/reseller-controls.ts";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";

export interface PlatformAnswer {
  status: number;
  body: unknown;
  headers: Headers;
}

interface RequestOptions {
  /** A label of the cast, or the key itself. */
  as?: KeyLabel | { key: string };
  body?: unknown;
  headers?: Record<string, string>;
}

interface ResellerRequestOptions {
  as?: ResellerKeyLabel | { key: string };
  body?: unknown;
  /** In place of what a signed request has, or beside it. */
  headers?: Record<string, string>;
  /** Signs a write by default. */
  signed?: boolean;
}

/** As the spec has it (5.1): over the timestamp, a dot and the bytes. */
export function sign(secret: string, timestamp: string, body: string): string {
  return `hmac-sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

/** A practice platform that ends with the test, and a bare client for it. */
export async function createPractice(options: Partial<PracticePlatformOptions> = {}) {
  const clock = createSandboxClock();
  const platform = await createPracticePlatform({ clock, ...options });
  onTestFinished(() => platform.close());

  /** The method and the path of `POST /vps/{web-1}/reboot`, with the service's id in place of its name. */
  function partsOf(line: string): [method: string, path: string] {
    const [method = "GET", path = "/"] = line.split(" ");
    return [method, path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => platform.find(name).id)];
  }

  /** `ask("POST /vps/{web-1}/reboot")`. */
  async function ask(line: string, { as = "ana", body, headers = {} }: RequestOptions = {}): Promise<PlatformAnswer> {
    const [method, path] = partsOf(line);
    const key = typeof as === "string" ? platform.keys[as].key : as.key;
    return send(platform.url + path, method, textOf(body), {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...headers,
    });
  }

  /** The same of the reseller API, below its own base; what writes is signed. */
  async function resell(
    line: string,
    { as = "ana", body, headers = {}, signed }: ResellerRequestOptions = {},
  ): Promise<PlatformAnswer> {
    const [method, path] = partsOf(line);
    const key = typeof as === "string" ? platform.reseller.keys[as].key : as.key;
    const text = textOf(body);
    const timestamp = String(Math.floor(clock.now() / 1000));
    const own = typeof as === "string" ? platform.reseller.keys[as].partner.signingSecret : undefined;
    const secret = own ?? platform.reseller.signingSecret() ?? "";
    const signature = {
      "x-reseller-timestamp": timestamp,
      "x-reseller-signature": sign(secret, timestamp, text ?? ""),
    };
    return send(`${platform.url}/reseller${path}`, method, text, {
      authorization: `Bearer ${key}`,
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...((signed ?? method !== "GET") ? signature : {}),
      ...headers,
    });
  }

  const id = (name: string) => platform.find(name).id;
  return { clock, platform, ask, resell, id };
}

export type Practice = Awaited<ReturnType<typeof createPractice>>;

export const webhookUrl = "https://rackbell.example/webhooks/reseller/T1?a=b";

/** The same with an address for the programme's events, so that it stores them. */
export async function createPracticeWithEvents() {
  const practice = await createPractice();
  await practice.resell("PUT /account/webhook", { body: { webhookUrl } });
  const events = () => practice.platform.reseller.deliveries().map(({ event }) => event);
  /** A job that begins while time is skipped begins at the end of the skip. */
  const built = () => {
    practice.clock.skip(60_000);
    practice.clock.skip(180_000);
  };
  return { ...practice, events, built };
}

/** The document of a new order of a VPS, for 12.10, which nobody has paid yet. */
export async function unpaidDocument({ ask }: Pick<Practice, "ask">): Promise<string> {
  const body = { productId: productId("VPS M"), billingCycle: "monthly", location: "es-mad" };
  return textAt(await ask("POST /orders", { body }), "data.document.id");
}

/** An order of a VPS at wholesale. */
export function wholesaleOrder(more: object = {}, configuration: object = {}) {
  return {
    productId: productId("VPS M"),
    billingCycle: "monthly",
    externalOrderId: "ext-1",
    configuration: { hostname: "shop.example.com", location: "es-mad", ...configuration },
    ...more,
  };
}

function textOf(body: unknown): string | undefined {
  return body === undefined || typeof body === "string" ? body : JSON.stringify(body);
}

async function send(
  url: string,
  method: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<PlatformAnswer> {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}

/** The shape of a refusal of the reseller API, for toMatchObject. */
export function resellerRefusal(status: number, error: unknown) {
  return { status, body: { success: false, error } };
}

/** The value at `path`, such as `data.snapshots.0.name`. */
export function at(answer: PlatformAnswer, path: string): unknown {
  let value: unknown = answer.body;
  for (const part of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.entries(value).find(([name]) => name === part)?.[1];
  }
  return value;
}

/** The names of the fields there, or what else it is. */
export function layout(answer: PlatformAnswer, path = "data"): string {
  const value = at(answer, path);
  if (typeof value === "string") return "text";
  return Array.isArray(value) ? "list" : Object.keys(Object(value)).sort().join();
}

export function textAt(answer: PlatformAnswer, path: string): string {
  const value = at(answer, path);
  if (typeof value !== "string") throw new Error(`There is no text at ${path}: ${JSON.stringify(answer.body)}`);
  return value;
}

export function listAt(answer: PlatformAnswer, path: string): unknown[] {
  const value = at(answer, path);
  if (!Array.isArray(value)) throw new Error(`There is no list at ${path}: ${JSON.stringify(answer.body)}`);
  return value;
}

/** The shape of an answer that holds this data, for toMatchObject. */
export function success(data: unknown, status = 200) {
  return { status, body: { success: true, data } };
}

/** The shape of a refusal, for toMatchObject. */
export function refusal(status: number, code: string, more: object = {}) {
  return { status, body: { success: false, code, ...more } };
}

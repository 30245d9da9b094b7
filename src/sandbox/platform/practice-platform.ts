// platform/: the practice platform: an imitation of the hosting platform, in memory, on loopback. Starting it, and
// what a test or the demo sees and changes behind its APIs (controls.ts).

import { once } from "node:events";
import { createServer } from "node:http";
import type { Clock } from "../../process/clock.ts";
import { type Controls, createControls, userNamed } from "./controls.ts";
import { createCustomerApi } from "./customer/api.ts";
import { type Key, type KeyOptions, type Keys, mintKey, type Scope } from "./customer/request/keys.ts";
import { createCallLog, type LoggedCall } from "./http/call-log.ts";
import { createFaultInjector, type Faults } from "./http/faults.ts";
import { createListener, type ListenerLog } from "./http/listener.ts";
import { showInterludes } from "./provisioning/interludes.ts";
import { createResellerSide, type ResellerControls } from "./reseller-controls.ts";
import { seed, seedBulk } from "./seed/seed.ts";
import { createJobs, type JobKind } from "./world/jobs.ts";
import type { Settings } from "./world/settings.ts";
import { holderOf } from "./world/users.ts";
import { createWorld, type World } from "./world/world.ts";

export interface PracticePlatformOptions {
  clock: Clock;
  host?: string;
  port?: number;
  /** Work takes its usual time divided by this. */
  pace?: number;
  /** Cool-downs take their usual time divided by this. */
  cooldownPace?: number;
  /** How long every answer takes, in milliseconds. */
  latencyMs?: number;
  hourlyLimit?: number;
  /** Plain machines beside the seeded ones. */
  bulk?: number;
  log?: ListenerLog;
}

export type KeyLabel = "ana" | "ben" | "caro" | "dave" | "reader" | "zoe" | "expired" | "revoked" | "bound";

export interface PracticePlatform extends Controls {
  /** The API root; ends in /api/v1. */
  url: string;
  /** The practice users' keys, made at random at every start. `bound` is ana's, confined to the project production. */
  keys: Record<KeyLabel, Key>;
  /** The reseller programme, in which the practice team is a partner. */
  reseller: ResellerControls;
  settings: Settings;
  faults: Faults;
  /** The calls, oldest first. */
  calls(): LoggedCall[];
  clearCalls(): void;
  /** Gets the body of each answer from now on. */
  onAnswer(listener: (body: string) => void): void;
  /** The next work of this kind on this service fails. */
  failJob(kind: JobKind, serviceId: string): void;
  addVps(count: number, prefix?: string): void;
  addKey(options: KeyOptions): Key;
  revoke(key: Key): void;
  setScopes(key: Key, scopes: Scope[]): void;
  close(): Promise<void>;
}

/** Starts an imitation of the hosting platform, both of its APIs, in memory, on loopback. */
export async function createPracticePlatform(options: PracticePlatformOptions): Promise<PracticePlatform> {
  const { clock, host = "127.0.0.1", port = 0, pace = 1, cooldownPace = 1, latencyMs = 0, bulk = 0, log } = options;
  const { hourlyLimit = 1000 } = options;
  const jobs = createJobs(clock, pace, (kind, resource) => showInterludes(world, kind, resource));
  const world: World = createWorld({ clock, jobs, hourlyLimit });
  const team = holderOf(userNamed(world, "ana"));
  const outsider = holderOf(userNamed(world, "zoe"));
  seed(world, team, outsider);
  seedBulk(world, team, bulk);

  const calls = createCallLog();
  const answerListeners: ((body: string) => void)[] = [];
  const faults = createFaultInjector();
  const keys: Keys = new Map();
  const customer = createCustomerApi(world, keys, { cooldownPace });
  const reseller = createResellerSide(world, { team, outsider, pace, hourlyLimit });
  const wallClock = () => clock.now() + world.settings.clockAhead;
  const apis: [typeof customer, typeof reseller.api] = [customer, reseller.api];
  const answered = (body: string | Buffer) => {
    for (const listener of answerListeners) listener(body.toString());
  };
  const listener = createListener({ clock, wallClock, apis, faults, calls, latencyMs, log, answered });
  const server = createServer(listener.handle);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The practice platform has no port");
  world.url = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}/api/v1`;
  const controls = createControls(world, team);

  return {
    ...controls,
    url: world.url,
    keys: mintKeys(world, keys, controls.projectId("production")),
    reseller: reseller.controls,
    settings: world.settings,
    faults,
    calls: calls.all,
    clearCalls: calls.clear,
    onAnswer(listener) {
      answerListeners.push(listener);
    },
    failJob: jobs.failNext,
    addVps: (count, prefix) => seedBulk(world, team, count, prefix),
    addKey: (options) => mintKey(world, keys, options),
    revoke(key) {
      key.revoked = true;
    },
    setScopes(key, scopes) {
      key.scopes = scopes;
    },
    async close() {
      if (!server.listening) return;
      jobs.close();
      reseller.close();
      listener.close();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function mintKeys(world: World, keys: Keys, production: string): Record<KeyLabel, Key> {
  const mint = (label: KeyLabel, options: Partial<KeyOptions> = {}) =>
    mintKey(world, keys, { owner: "ana", label, ...options });
  return {
    ana: mint("ana"),
    ben: mint("ben", { owner: "ben" }),
    caro: mint("caro", { owner: "caro" }),
    dave: mint("dave", { owner: "dave", scopes: ["read"] }),
    reader: mint("reader", { owner: "dave", scopes: ["read"] }),
    zoe: mint("zoe", { owner: "zoe" }),
    expired: mint("expired", { expiresAt: world.clock.now() - 1 }),
    revoked: mint("revoked", { revoked: true }),
    bound: mint("bound", { project: production }),
  };
}

import { once } from "node:events";
import { createServer } from "node:http";
import type { Clock } from "../../clock.ts";
import { createCallLog, type LoggedCall } from "./call-log.ts";
import { createCooldowns } from "./cooldowns.ts";
import type { Service, Snapshot, Vps } from "./estate.ts";
import { createFaultDesk, type Faults } from "./faults.ts";
import { createJobs, type JobKind } from "./jobs.ts";
import { createListener, type ListenerLog } from "./listener.ts";
import { holderOf, type Key, type KeyWish, mintKey, type Scope, type User } from "./people.ts";
import { createRateWindow } from "./rate-window.ts";
import { seed, seedBulk } from "./seed.ts";
import { createWorld, type Settings, type World } from "./world.ts";

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
  /** Plain machines on top of the cast. */
  bulk?: number;
  log?: ListenerLog;
}

export const castLabels = ["ana", "ben", "caro", "dave", "zoe", "expired", "revoked", "bound"] as const;
export type CastLabel = (typeof castLabels)[number];

export interface PracticePlatform {
  /** The API root; ends in /api/v1. */
  url: string;
  /** The cast's keys, made at random at every start. `bound` is ana's, confined to the project production. */
  keys: Record<CastLabel, Key>;
  settings: Settings;
  faults: Faults;
  /** A copy of the `nth` service of this name, or of the one with this id; throws when there is none. */
  find(name: string, nth?: number): Service;
  findVps(name: string, nth?: number): Vps;
  /** The id of a project of the team, by slug. */
  projectId(slug: string): string;
  /** Changes facts of a service, as happens behind everybody's back. An instance or capabilities may be given in part. */
  change(id: string, patch: ServicePatch): void;
  changeSnapshot(vpsId: string, name: string, patch: Partial<Snapshot>): void;
  changeUser(name: string, patch: Partial<Pick<User, "balance" | "permissions" | "account" | "suspended">>): void;
  calls(): LoggedCall[];
  clearCalls(): void;
  /** The next work of this kind on this service fails. */
  failJob(kind: JobKind, serviceId: string): void;
  addVps(count: number, prefix?: string): void;
  addKey(wish: KeyWish): Key;
  revoke(key: Key): void;
  setScopes(key: Key, scopes: Scope[]): void;
  /** Suspends a user, and their whole team. */
  suspendAccount(user: string, suspended?: boolean): void;
  apiOff(off?: boolean): void;
  close(): Promise<void>;
}

export interface ServicePatch extends Partial<Omit<Vps, "kind" | "instance" | "capabilities">> {
  instance?: Partial<NonNullable<Vps["instance"]>> | null;
  capabilities?: Partial<Vps["capabilities"]>;
}

/** Starts an imitation of the hosting platform's customer API, in memory, on loopback. */
export async function createPracticePlatform(options: PracticePlatformOptions): Promise<PracticePlatform> {
  const { clock, host = "127.0.0.1", port = 0, pace = 1, cooldownPace = 1 } = options;
  const jobs = createJobs(clock, pace);
  const world = createWorld({
    clock,
    jobs,
    cooldowns: createCooldowns(clock, cooldownPace),
    hourlyLimit: options.hourlyLimit ?? 1000,
  });
  const team = holderOf(userOf(world, "ana"));
  seed(world, team, holderOf(userOf(world, "zoe")));
  seedBulk(world, team, options.bulk ?? 0);

  const calls = createCallLog();
  const desk = createFaultDesk();
  const listener = createListener({
    world,
    window: createRateWindow(world),
    desk,
    calls,
    latencyMs: options.latencyMs ?? 0,
    log: options.log,
  });
  const server = createServer(listener.handle);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The practice platform has no port");
  world.url = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}/api/v1`;

  return {
    url: world.url,
    keys: mintCast(world, team),
    settings: world.settings,
    faults: desk,
    find: (name, nth) => structuredClone(serviceNamed(world, name, nth)),
    findVps: (name, nth) => structuredClone(vpsNamed(world, name, nth)),
    projectId: (slug) => projectIdOf(world, team, slug),
    change: (id, patch) => patchService(serviceNamed(world, id), patch),
    changeSnapshot(vpsId, name, patch) {
      const snapshot = vpsNamed(world, vpsId).snapshots.find((one) => one.name === name);
      if (snapshot === undefined) throw new Error(`There is no snapshot ${name}`);
      Object.assign(snapshot, patch);
    },
    changeUser: (name, patch) => Object.assign(userOf(world, name), patch),
    calls: calls.all,
    clearCalls: calls.clear,
    failJob: jobs.failNext,
    addVps: (count, prefix) => seedBulk(world, team, count, prefix),
    addKey: (wish) => mintKey(world.people, wish),
    revoke(key) {
      key.revoked = true;
    },
    setScopes(key, scopes) {
      key.scopes = scopes;
    },
    suspendAccount(name, suspended = true) {
      const holder = holderOf(userOf(world, name));
      for (const user of world.people.users.values()) if (holderOf(user) === holder) user.suspended = suspended;
    },
    apiOff(off = true) {
      world.settings.api = !off;
    },
    async close() {
      jobs.close();
      listener.close();
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
  };
}

function mintCast(world: World, team: string): Record<CastLabel, Key> {
  const mint = (wish: KeyWish & { label: string }) => mintKey(world.people, wish);
  return {
    ana: mint({ owner: "ana", label: "ana" }),
    ben: mint({ owner: "ben", label: "ben" }),
    caro: mint({ owner: "caro", label: "caro" }),
    dave: mint({ owner: "dave", label: "dave", scopes: ["read"] }),
    zoe: mint({ owner: "zoe", label: "zoe" }),
    expired: mint({ owner: "ana", label: "expired", expiresAt: world.clock.now() - 1 }),
    revoked: mint({ owner: "ana", label: "revoked", revoked: true }),
    bound: mint({ owner: "ana", label: "bound", project: projectIdOf(world, team, "production") }),
  };
}

function userOf(world: World, name: string): User {
  const user = world.people.users.get(name);
  if (user === undefined) throw new Error(`Nobody is called ${name}`);
  return user;
}

function projectIdOf(world: World, holder: string, slug: string): string {
  const project = [...world.projects.values()].find((one) => one.holder === holder && one.slug === slug);
  if (project === undefined) throw new Error(`There is no project ${slug}`);
  return project.id;
}

function serviceNamed(world: World, name: string, nth = 0): Service {
  const named = [...world.services.values()].filter((one) => one.name === name);
  const service = named[nth] ?? world.services.get(name);
  if (service === undefined) throw new Error(`There is no service ${name}`);
  return service;
}

function vpsNamed(world: World, name: string, nth?: number): Vps {
  const service = serviceNamed(world, name, nth);
  if (service.kind !== "vps") throw new Error(`${name} is no VPS`);
  return service;
}

function patchService(service: Service, { instance, capabilities, ...facts }: ServicePatch): void {
  Object.assign(service, facts);
  if (service.kind !== "vps") return;
  if (capabilities !== undefined) Object.assign(service.capabilities, capabilities);
  if (instance === null) service.instance = null;
  else if (instance !== undefined && service.instance !== null) Object.assign(service.instance, instance);
}

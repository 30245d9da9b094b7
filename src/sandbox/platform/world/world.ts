// world/: the practice platform's data, shared by its APIs: users, services, the catalogue, records of money,
// settings, and the jobs that run. Records and look-ups; what happens to them is decided above.

import type { Clock } from "../../../process/clock.ts";
import type { AddOn, BillingDocument, LedgerEntry, Upgrade } from "./billing.ts";
import { type Catalogue, createCatalogue } from "./catalogue.ts";
import type { CustomImage } from "./custom-image.ts";
import type { Jobs } from "./jobs.ts";
import type { Order } from "./order.ts";
import { createPlugins, type Plugin } from "./plugins.ts";
import type { Project } from "./project.ts";
import type { Service } from "./service.ts";
import { createSettings, type Settings } from "./settings.ts";
import type { SshKey } from "./ssh-key.ts";
import { createUsers, type User } from "./users.ts";

/** All the data of the practice platform, shared by its APIs. */
export interface World {
  clock: Clock;
  settings: Settings;
  /** By name. */
  users: Map<string, User>;
  jobs: Jobs;
  catalogue: Catalogue;
  plugins: Map<string, Plugin>;
  services: Map<string, Service>;
  /** By service: the password that it was given last, where it was given one. */
  passwords: Map<string, string>;
  projects: Map<string, Project>;
  customImages: Map<string, CustomImage>;
  sshKeys: Map<string, SshKey>;
  orders: Map<string, Order>;
  documents: Map<string, BillingDocument>;
  upgrades: Map<string, Upgrade>;
  addOns: Map<string, AddOn>;
  /** Newest first. */
  ledger: LedgerEntry[];
  /** How many IP addresses have been given out. */
  takenAddresses: number;
  /** Called after each change of a service's status. */
  watchers: StatusWatcher[];
  /** The address of the API root. */
  url: string;
}

type StatusWatcher = (service: Service, from: Service["status"], reason: string | null) => void;

export function createWorld(parts: { clock: Clock; jobs: Jobs; hourlyLimit: number }): World {
  return {
    clock: parts.clock,
    jobs: parts.jobs,
    settings: createSettings(parts.hourlyLimit),
    users: createUsers(),
    catalogue: createCatalogue(),
    plugins: createPlugins(),
    services: new Map(),
    passwords: new Map(),
    projects: new Map(),
    customImages: new Map(),
    sshKeys: new Map(),
    orders: new Map(),
    documents: new Map(),
    upgrades: new Map(),
    addOns: new Map(),
    ledger: [],
    takenAddresses: 0,
    watchers: [],
    url: "",
  };
}

/** The one way in which a service changes its status after it was made. */
export function changeStatus(
  world: World,
  service: Service,
  status: Service["status"],
  reason: string | null = null,
): void {
  const from = service.status;
  service.status = status;
  if (from !== status) for (const watch of [...world.watchers]) watch(service, from, reason);
}

export function isoNow(world: World): string {
  return new Date(world.clock.now()).toISOString();
}

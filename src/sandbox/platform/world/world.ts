import type { Clock } from "../../../clock.ts";
import type { AddOn } from "../customer/billing/add-ons.ts";
import type { Upgrade } from "../customer/billing/upgrade-run.ts";
import type { Order } from "../customer/orders/rows.ts";
import type { Project } from "../customer/projects/projects.ts";
import type { SshKey } from "../customer/projects/ssh-keys.ts";
import type { Cooldowns } from "../customer/request/cooldowns.ts";
import type { BillingDocument } from "../money/documents.ts";
import { type Catalogue, createCatalogue } from "./catalogue.ts";
import type { CustomImage } from "./custom-image.ts";
import type { Jobs } from "./jobs.ts";
import { createPlugins, type Plugin } from "./plugins.ts";
import type { FailureCode, Service, Vps } from "./service.ts";
import { createPeople, type People } from "./users.ts";

/** What the operator of the platform decides. A test changes them in place. */
export interface Settings {
  /** False: every route, the public ones too, answers FEATURE_DISABLED. */
  api: boolean;
  hourlyLimit: number;
  modules: { inventory: boolean; native_vps: boolean; game: boolean };
  /** No answer from the hosts: 503 at the last of the checks. */
  hypervisorDown: boolean;
  customImagesMax: number;
  reservedSnapshotPrefixes: string[];
  /** What billing issues. */
  document: "invoice" | "proforma";
  /** Credit pays orders and add-ons by itself; upgrades never. */
  autoCredit: boolean;
  /** A converted proforma names its invoice. */
  recordsConversion: boolean;
  /** In percent. */
  vatRate: number;
  /** In cents: what hourly products want to see on the balance. */
  hourlyMinimum: number;
  /** While set, every build fails with this code. */
  buildFailure: FailureCode | null;
  /** Where the spec does not say so, payloads stand under a name within `data` instead of being it. */
  wrapped: boolean;
  /** Routes such as `"POST /vps/{id}/capture"` that this platform does not have. */
  dropped: string[];
}

/** A movement of a user's credit; amounts in cents. */
interface LedgerEntry {
  id: string;
  user: string;
  type: "deposit" | "payment";
  amount: number;
  balance: number;
  description: string;
  created_at: string;
}

/** Everything the practice platform knows. */
export interface World {
  clock: Clock;
  settings: Settings;
  people: People;
  jobs: Jobs;
  cooldowns: Cooldowns;
  catalogue: Catalogue;
  plugins: Map<string, Plugin>;
  services: Map<string, Service>;
  projects: Map<string, Project>;
  customImages: Map<string, CustomImage>;
  sshKeys: Map<string, SshKey>;
  orders: Map<string, Order>;
  documents: Map<string, BillingDocument>;
  upgrades: Map<string, Upgrade>;
  addOns: Map<string, AddOn>;
  /** Newest first. */
  ledger: LedgerEntry[];
  /** The address of the API root. */
  url: string;
}

export function createWorld(parts: { clock: Clock; jobs: Jobs; cooldowns: Cooldowns; hourlyLimit: number }): World {
  return {
    clock: parts.clock,
    jobs: parts.jobs,
    cooldowns: parts.cooldowns,
    settings: {
      api: true,
      hourlyLimit: parts.hourlyLimit,
      modules: { inventory: true, native_vps: true, game: true },
      hypervisorDown: false,
      customImagesMax: 10,
      reservedSnapshotPrefixes: ["auto-", "system-", "backup-"],
      document: "invoice",
      autoCredit: false,
      recordsConversion: true,
      vatRate: 21,
      hourlyMinimum: 500,
      buildFailure: null,
      wrapped: false,
      dropped: [],
    },
    people: createPeople(),
    catalogue: createCatalogue(),
    plugins: createPlugins(),
    services: new Map(),
    projects: new Map(),
    customImages: new Map(),
    sshKeys: new Map(),
    orders: new Map(),
    documents: new Map(),
    upgrades: new Map(),
    addOns: new Map(),
    ledger: [],
    url: "",
  };
}

export function isoNow(world: World): string {
  return new Date(world.clock.now()).toISOString();
}

/** Cancellations whose day has come take effect. Run before each request rather than by a timer that waits for weeks. */
export function endWhatIsDue(world: World): void {
  const now = world.clock.now();
  for (const service of world.services.values()) {
    if (service.cancellation === null || service.status !== "active") continue;
    if (Date.parse(service.cancellation.scheduled_date) <= now) terminate(service);
  }
}

/** The service ends and its disk is gone. */
export function terminate(service: Service): void {
  service.status = "terminated";
  service.cancellation = null;
  service.failure = null;
  if (service.kind === "vps") destroyMachine(service);
}

function destroyMachine(vps: Vps): void {
  vps.instance = null;
  vps.ip_addresses = [];
  vps.snapshots = [];
  vps.disk_job = null;
  vps.os_installation_status = null;
}

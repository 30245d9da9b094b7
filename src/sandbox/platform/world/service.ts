import type { Template } from "./os-images.ts";

/** A state of tomorrow: no spec lists it, and a client must not take it for one of the list. Nothing here leads to it but a test. */
export type StateOfTomorrow = "locked";

type Status =
  | StateOfTomorrow
  | "pending"
  | "pending_payment"
  | "installing"
  | "active"
  | "suspended"
  | "terminated"
  | "provisioning_failed"
  | "cancelled";

export type FailureCode =
  | "ip_capacity"
  | "storage_capacity"
  | "capacity"
  | "install_timeout"
  | "configuration"
  | "name_conflict"
  | "provider_unreachable"
  | "unknown";

export type Cycle = "hourly" | "monthly" | "quarterly" | "semi-annually" | "annually";

/** The fields of every kind of service. Their names are the wire's, so that a test patches with the spec's words. */
export interface ServiceBase {
  id: string;
  /** The account, or the user without one, that it belongs to. */
  holder: string;
  name: string;
  hostname: string | null;
  status: Status;
  provider: string;
  product: { id: string; name: string };
  billing: { cycle: Cycle; amount: string; currency: string | null; next_due_date: string | null };
  cancellation: { scheduled_date: string } | null;
  location: string | null;
  failure: { code: FailureCode; message: string } | null;
  specs: Record<string, unknown> | null;
  project_id: string;
  created_at: string;
  order_id: string | null;
}

export interface IpAddress {
  address: string;
  version: 4 | 6;
  prefix_length: number | null;
  gateway: string | null;
  subnet_cidr: string | null;
  purpose: string;
}

export interface Instance {
  state:
    | StateOfTomorrow
    | "creating"
    | "running"
    | "stopped"
    | "paused"
    | "migrating"
    | "error"
    | "orphaned"
    | "terminated_pending_wipe";
  vcpus: number | null;
  memory_mb: number | null;
  disk_gb: number | null;
  os: string | null;
  rescue_mode: boolean;
  updated_at: string;
}

export interface Capabilities {
  actions: ("start" | "shutdown" | "reboot")[];
  console: boolean;
  reinstall: boolean;
  password_reset: boolean;
  snapshots: boolean;
  images: boolean;
  shared: boolean;
  frozen: boolean;
  shared_managed: boolean;
  unavailable_reason: "shared_cluster" | "frozen_cluster" | null;
  provider_dependent: boolean;
}

export interface Snapshot {
  id: string;
  name: string;
  description: string | null;
  status: "creating" | "available" | "reverting" | "deleting" | "error";
  size_bytes: number | null;
  crash_consistent: boolean | null;
  created_at: string;
  completed_at: string | null;
  /** Why it failed; null unless status is error. */
  error: string | null;
  /** The host no longer has it, whatever the row says. */
  missing: boolean;
}

type OsInstallation = StateOfTomorrow | "in_progress" | "completed" | "failed" | null;

export interface Vps extends ServiceBase {
  kind: "vps";
  instance: Instance | null;
  ip_addresses: IpAddress[];
  os_installation_status: OsInstallation;
  capabilities: Capabilities;
  snapshots: Snapshot[];
  snapshots_max: number;
  /** The disk job that runs on the machine now: only one may. */
  disk_job: "build" | "reinstall" | "resize" | "migration" | "snapshot" | null;
  /** The images its reinstall accepts. */
  templates: Template[];
  /** The image that its first build installs. */
  ordered_os: string | null;
}

export interface Dedicated extends ServiceBase {
  kind: "dedicated";
  hardware: {
    name: string;
    manufacturer: string;
    model: string;
    specs: Record<string, unknown>;
    status: string;
  } | null;
  power_state: "on" | "off" | "unknown";
  provision_state: string;
  /** In a word of its own: the spec shows none of a server's. */
  os_installation: string | null;
  /** A provisioning system rebuilds it on a password change. */
  provisioning_managed: boolean;
  /** The management controller does not complete power actions. */
  controller_broken: boolean;
  ip_addresses: IpAddress[];
  templates: Template[];
}

export interface Game extends ServiceBase {
  kind: "game";
  game: { title: string; state: "running" | "stopped" | "starting"; slots: number; runtime: boolean; linked: boolean };
}

/** The state that each power action on a game server ends in. */
export const gameOutcome: Record<string, Game["game"]["state"]> = {
  start: "running",
  stop: "stopped",
  restart: "running",
  kill: "stopped",
};

/** A plugin-provisioned service that is no machine: mail, storage, licences. */
export interface PluginService extends ServiceBase {
  kind: "unknown";
}

export type Service = Vps | Dedicated | Game | PluginService;

/** A fault of a build, in one sentence that is safe to show. */
export const failureMessages: Record<FailureCode, string> = {
  ip_capacity: "No free address was left in this location.",
  storage_capacity: "The storage of this location had no room for the disk.",
  capacity: "No host in this location could take the server.",
  install_timeout: "The installation did not finish in time.",
  configuration: "The requested configuration cannot be built.",
  name_conflict: "Another server already uses this name.",
  provider_unreachable: "The provider could not be reached.",
  unknown: "The build failed for an unknown reason.",
};

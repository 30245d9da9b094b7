import type { Precondition } from "../../operation/answer.ts";
import { NotYet, Refusal } from "../../operation/errors.ts";
import { idFact } from "../../operation/identity.ts";
import { type Entry, indexedKindOf, type TargetKind } from "../../operation/target.ts";
import { InstallationState, InstanceState } from "../../platform/customer/states.ts";
import { listVps, readVps, type Vps } from "../../platform/customer/vps.ts";
import { mayBeActive, unlistedStatus } from "../../platform/service-stage.ts";
import { unlistedIn } from "../../platform/unlisted.ts";
import { ownValue } from "../../process/own-value.ts";
import { code, dotted } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { locationNames } from "../catalog/places.ts";
import { byHostname } from "../kits/by-hostname.ts";
import { machineStates, machineTakes, serviceStates, stageRefusal, troubleIn } from "../kits/service-states.ts";
import { project } from "../project/project.ts";

const unbuilt = "no machine yet";

/** All states of a VPS (spec sections 3.1 and 3.2). */
const vpsStates = [...serviceStates, ...machineStates, unbuilt];

/** VPS of the account. */
export const vps: TargetKind<"customer", Vps> = {
  noun: "vps",
  label: "VPS",
  plural: "VPSes",
  foundBy: "name, host name, address",
  inPanel: true,
  states: { all: vpsStates, unlisted: unlistedOf },
  // Its snapshots are on its own node (spec section 2.9).
  lostWith: ["snapshots", "add-ons", "addresses"],
  projects: indexedKindOf(project),
  card: "vps show",
  inProjects: true,
  list: listVps,
  read: readVps,
  reads: [readVps],
  find: byHostname(readVps),
  entry: (row) => ({
    id: row.id,
    name: row.name,
    aliases: [row.hostname, row.primary_ip, ...row.ip_addresses.map(({ address }) => address)].filter(
      (text) => text !== null,
    ),
    state: vpsState(row),
    // Without the location: the row has its code alone, and only a list has the names.
    detail: dotted([vpsState(row), row.primary_ip ?? row.hostname]),
    states: [row.status],
    columns: { Address: row.primary_ip ?? "", Location: row.location ?? "", "Host name": row.hostname ?? "" },
    ...troubleOf(row),
    ...nextDateOf(row),
    ...(isAwaited(row) ? { awaitedSince: row.created_at } : {}),
  }),
  places: locationNames,
  identity: {
    project: (row) => row.project,
    address: (row) => row.primary_ip ?? row.ip_addresses[0]?.address ?? null,
    hostname: (row) => row.hostname,
    location: (row) => row.location,
    apart: ({ id }) => [idFact(id)],
  },
  missing: (row) => (row.instance === null ? noMachine : null),
};

const noMachine =
  "This VPS has no machine yet, so nothing changed. Its id is right: wait until the platform has built it.";

function unlistedOf({ status, instance, os_installation_status: installation }: Vps): string[] {
  return [
    ...unlistedStatus(status),
    ...unlistedIn(InstanceState, instance?.state),
    ...unlistedIn(InstallationState, installation),
  ];
}

function troubleOf(row: Vps): Pick<Entry, "trouble"> {
  const { status, instance, os_installation_status: installation } = row;
  const [unlisted] = unlistedOf(row);
  if (status !== "active" || unlisted !== undefined) return troubleIn(unlisted ?? status);
  if (instance?.state === "error") return { trouble: "its machine is in error" };
  if (instance?.state === "orphaned") return { trouble: "its machine has lost its host" };
  return installation === "failed" ? { trouble: "its installation failed" } : {};
}

function nextDateOf({ status, billing, cancellation }: Vps): Pick<Entry, "due"> {
  if (!mayBeActive(status) && status !== "suspended") return {};
  if (cancellation) return { due: { at: cancellation.scheduled_date, what: "ends" } };
  const at = billing.cycle === "hourly" ? null : billing.next_due_date;
  return at === null ? {} : { due: { at, what: "due for renewal" } };
}

/** True for a VPS that is paid for, and not built yet. */
function isAwaited({ status, instance }: Vps): boolean {
  return status === "pending" || status === "installing" || (status === "active" && instance === null);
}

/** The state of a VPS: the machine's state while it is active, otherwise the billing state. */
export function vpsState({ status, instance }: Vps): string {
  if (status !== "active") return stateWords(status);
  return instance ? stateWords(instance.state) : unbuilt;
}

/** The states that say little, or are no English, behind a plain "is". */
const inSentence: Readonly<Record<string, string>> = {
  [unbuilt]: `has ${unbuilt}`,
  error: "is in error",
  orphaned: "is orphaned: it has lost its host",
};

/** The state after a name in a sentence: "is running". */
export function isInState(state: string): string {
  return ownValue(inSentence, state) ?? `is ${state}`;
}

const lacking = {
  password_reset: "takes no new password from Rackbell",
  reinstall: "cannot be reinstalled with Rackbell",
  snapshots: "has no snapshots",
  images: "cannot be captured as an image",
};

/** A capability that an act needs; null for an act that needs none. */
type Needed = keyof typeof lacking | null;

/**
 * The refusal of a request that the platform would refuse after approval, in the order of the platform's checks (spec section 5);
 * null if nothing is known against it. The platform itself decides about outside providers.
 */
function refusalOf(target: Vps, what: Needed): Refusal | null {
  const { name, status, instance, capabilities, os_installation_status: installation } = target;
  const byStage = stageRefusal(status, code(name));
  if (byStage) return byStage;
  if (instance === null) return new NotYet(noMachine);
  if (capabilities?.frozen)
    return new NotYet(
      `The cluster of ${code(name)} is frozen: it cannot be controlled until the platform's operator unfreezes the cluster. Nothing changed.`,
    );
  if (what && capabilities && !capabilities[what] && !capabilities.provider_dependent)
    return new Refusal(`${code(name)} ${lacking[what]}. Nothing changed.`);
  const host = machineTakes(instance.state);
  if (host === "lost")
    return new Refusal(
      `${code(name)} is ${vpsState(target)}, so no action on it is possible. Nothing changed. Ask the platform's operator.`,
    );
  if (host === "busy" || installation === "in_progress")
    return new NotYet(
      `${code(name)} is ${host === "busy" ? vpsState(target) : "being installed"} at the moment. Nothing changed. Try again when that has ended.`,
    );
  return null;
}

export function requireUsable(target: Vps, what: Needed = null): void {
  const refusal = refusalOf(target, what);
  if (refusal) throw refusal;
}

/** True where `requireUsable` refuses nothing: only then an answer offers the act. */
export function isUsable(target: Vps, what: Needed = null): boolean {
  return refusalOf(target, what) === null;
}

/** The machines that take each power action, and the capability that it needs. Spec sections 2.3 and 4.3. */
const powerNeeds = new Map<string, { capability: string; of: readonly ReturnType<typeof machineTakes>[] }>([
  ["start", { capability: "start", of: ["off", "stuck"] }],
  ...["stop", "shutdown"].map((name) => [name, { capability: "shutdown", of: ["on"] }] as const),
  ["poweroff", { capability: "shutdown", of: ["on", "stuck"] }],
  ...["reboot", "restart"].map((name) => [name, { capability: "reboot", of: ["on", "stuck"] }] as const),
]);

/** True if nothing is known against the action now; a verb of an outside provider is its own affair. */
export function takes(target: Vps, action: string): boolean {
  if (action === "reinstall") return isUsable(target, "reinstall");
  if (action === "password") return isUsable(target, "password_reset") && target.instance?.state === "running";
  const needs = powerNeeds.get(action);
  if (!needs) return true;
  const { capabilities, instance } = target;
  if (!capabilities || !instance || !needs.of.includes(machineTakes(instance.state)) || !isUsable(target)) return false;
  const { actions, provider_dependent: depends } = capabilities;
  return actions.includes(needs.capability) || (depends && actions.length > 0);
}

/** "2 vCPU, 4 GB memory, 80 GB disk", with the known parts; null if nothing is known. */
export function sizeOf({ instance }: Vps): string | null {
  if (!instance) return null;
  const parts = [
    instance.vcpus === null ? null : `${instance.vcpus} vCPU`,
    instance.memory_mb === null ? null : `${Math.round(instance.memory_mb / 102.4) / 10} GB memory`,
    instance.disk_gb === null ? null : `${instance.disk_gb} GB disk`,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(", ") : null;
}

export function diskOf({ instance }: Vps): string {
  return instance?.disk_gb ? `${instance.disk_gb} GB` : "of unknown size";
}

/** A request is about the disk that was shown. */
export function diskIs(label: string, target: Vps): Precondition {
  return { value: target.instance?.disk_gb ?? null, label, text: diskOf(target) };
}

/**
 * The login command as a line to copy. `opens` names the secret: "the new root password". Null while the VPS has no address.
 */
export function loginLine({ primary_ip, ip_addresses, instance }: Vps, opens: string): string | null {
  const address = primary_ip ?? ip_addresses[0]?.address;
  if (!address) return null;
  if (/windows/i.test(instance?.os ?? "")) return `Log in by remote desktop at ${code(address)} with ${opens}.`;
  return `Log in with ${code(`ssh root@${address}`)} and ${opens}.`;
}

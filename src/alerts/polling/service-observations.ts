import { type AlertLimits, dueStage } from "../../members/settings/settings.ts";
import type { Vps } from "../../platform/customer/vps.ts";
import { mayBeActive, serviceStage } from "../../platform/service-stage.ts";
import { characters, type PlainText } from "../../process/plain-text.ts";
import { type EventName, eventReporting, isServiceEnd, reportedState } from "../events.ts";
import { type EventCandidate, noState, type Observation } from "./observations.ts";

const day = 24 * 60 * 60_000;

/** A service as the lists of either API show it. */
export interface ObservedService {
  id: string;
  name: PlainText | null;
  hostname: PlainText | null;
  serverIp?: string | null;
  kind: string | null;
  status: string | undefined;
  failure?: string | null;
  dueAt: string | null;
  /** When it ends instead of being renewed; null or absent where it is renewed. */
  endsAt?: string | null;
  source: EventCandidate["source"];
  externalCustomerId?: string | null;
}

/** The events of a return to the active state, by the state before. */
const returns = new Map<string | null, EventName>([
  ["suspended", "service.unsuspended"],
  ["fraud", "service.released"],
  ["provisioning_failed", "service.provisioned"],
]);
/** Before a resold service first runs. Leaving another state, such as being withheld, makes nothing ready. */
function isUnbuilt(status: string | null): boolean {
  return status === null || serviceStage(status) === "starting";
}

/** The observation of the billing status: of an own service, or of a resold one ("sold"), which the supplier's webhooks report too. */
export function billingObservations(service: ObservedService, aspect: "billing" | "sold"): Observation[] {
  const patient = aspect === "sold";
  const { status } = service;
  if (status === undefined) return [];
  const returnFrom = (before: string | null) =>
    returns.get(before) ?? (patient && isUnbuilt(before) ? "service.provisioned" : null);
  return [
    {
      aspect,
      state: status,
      patient,
      returns: status === "active",
      eventFor(before) {
        const event = status === "active" ? returnFrom(before) : eventReporting("service", "billing", status);
        // A service whose end is observed first ended long ago.
        return event === null || (before === null && isServiceEnd({ event })) ? null : candidateFor(service, event);
      },
    },
  ];
}

/** The observation of the renewal of a service that is active, as far as is known. It counts as overdue after a day: booking a payment takes that long. A date that has moved ends it. */
export function dueObservations(service: ObservedService, { renewalDays }: AlertLimits, now: number): Observation[] {
  const { status, dueAt, endsAt = null } = service;
  if (!mayBeActive(status)) return [];
  if (endsAt !== null) {
    const eventFor = () => candidateFor({ ...service, dueAt: endsAt }, "service.ending");
    return [{ aspect: "due", state: noState, eventFor }];
  }
  if (dueAt === null) return [];
  const stage = dueStage(dueAt, { now, days: renewalDays, grace: day });
  const event = stage === null ? "service.renewed" : (`service.${stage}` as const);
  const state = stage === null ? noState : `${stage} ${dueAt.slice(0, 10)}`;
  return [
    {
      aspect: "due",
      state,
      // A changed setting leaves the date as it was: then nobody has renewed anything.
      eventFor: (before) =>
        stage === null && before?.endsWith(dueAt.slice(0, 10)) ? null : candidateFor(service, event),
    },
  ];
}

/** The states in which a machine is broken. */
const broken: readonly string[] = ["error", "orphaned"];

/** The observation of a machine's lasting state; empty while it is being built or moved. */
export function machineObservations(service: ObservedService, machine: Vps["instance"]): Observation[] {
  // A suspended or terminated service stops its machine, so only the billing is observed.
  if (!mayBeActive(service.status) || machine === null) return [];
  const { state, updated_at } = machine;
  const event = eventReporting("machine", "power", state);
  if (!event) return [];
  return [
    {
      aspect: "power",
      state,
      reportedAt: updated_at === undefined ? null : Date.parse(updated_at),
      // A new machine runs or not, as it was ordered. A broken one needs an alert.
      eventFor: (before) => (before === null && !broken.includes(state) ? null : candidateFor(service, event)),
    },
  ];
}

function candidateFor(service: ObservedService, event: EventName): EventCandidate {
  const { id, name, hostname, serverIp, kind, status, failure, dueAt, source, externalCustomerId } = service;
  const data = {
    serviceId: id,
    name: name && characters(name),
    hostname: hostname && characters(hostname),
    serverIp,
    kind,
    status,
    dueAt,
    // The own account's list has no customer, and must not hide the one of the supplier's events.
    ...(externalCustomerId === undefined ? {} : { externalCustomerId }),
    ...(event === "service.provisioning_failed" && failure ? { provisioningError: failure } : {}),
  };
  // An act that ends a service may leave it cancelled, too.
  return { event, data, source, led: reportedState(isServiceEnd({ event }) ? "service.terminated" : event) };
}

import type { EventName } from "../alerts/events.ts";
import { type AlertLimits, stageOf } from "../records/settings.ts";
import type { EventCandidate, Observation } from "./observations.ts";

const day = 24 * 60 * 60_000;

/** The members' commands that end a service, and those that suspend it or undo that. */
const ends = /\b(cancel|terminate)\b/;
const suspends = /\b(suspend|unsuspend|cancel|terminate)\b/;

/** A service as the lists of either API show it. */
export interface ObservedService {
  id: string;
  name: string | null;
  hostname: string | null;
  kind: string | null;
  status: string | undefined;
  failure?: string | null;
  dueAt: string | null;
  source: EventCandidate["source"];
  externalCustomerId?: string | null;
}

const commands: Partial<Record<EventName, Pick<EventCandidate, "by" | "whenever">>> = {
  "service.suspended": { by: suspends },
  "service.unsuspended": { by: suspends },
  "service.terminated": { by: ends },
  "service.provisioning_failed": { by: /\border\b/, whenever: true },
};
const events = new Map<string, EventName>([
  ["suspended", "service.suspended"],
  ["provisioning_failed", "service.provisioning_failed"],
  ["terminated", "service.terminated"],
]);
/** The states before a resold service first runs. Leaving another one, such as being withheld, makes nothing ready. */
const unbuilt = new Set<string | null>([null, "pending", "pending_payment", "installing", "provisioning_failed"]);

/** The observation of the billing status: of an own service, or of a resold one ("sold"), which the supplier's webhooks report too. */
export function billingObservations(service: ObservedService, aspect: "billing" | "sold"): Observation[] {
  const patient = aspect === "sold";
  const { status } = service;
  if (status === undefined) return [];
  const named = (event: EventName) => candidateFor(service, event, commands[event]);
  return [
    {
      aspect,
      state: status,
      patient,
      eventFor(before) {
        // A service that is first observed as terminated ended long ago.
        if (status === "terminated" && before === null) return null;
        if (status === "active") {
          if (before === "suspended") return named("service.unsuspended");
          return patient && unbuilt.has(before) ? named("service.provisioned") : null;
        }
        const event = events.get(status);
        return event ? named(event) : null;
      },
    },
  ];
}

/** The observation of an active service's renewal. It counts as overdue after a day: booking a payment takes that long. */
export function dueObservations(service: ObservedService, { renewalDays }: AlertLimits, now: number): Observation[] {
  const { status, dueAt } = service;
  if (status !== "active" || dueAt === null) return [];
  const stage = stageOf(dueAt, { now, days: renewalDays, grace: day });
  if (stage === null) return [];
  return [
    {
      aspect: "due",
      state: `${stage} ${dueAt.slice(0, 10)}`,
      eventFor: () => candidateFor(service, `service.${stage}`),
    },
  ];
}

const restarts = "reboot|restart|power|reinstall|revert|restore|password|rescue|unrescue|upgrade|run";

/** The lasting states of a machine, and the members' commands that lead there; null: no command does. */
const lasting: { state: string; event: EventName; by: RegExp | null }[] = [
  { state: "running", event: "machine.running", by: new RegExp(`\\b(start|on|unsuspend|${restarts})\\b`) },
  {
    state: "stopped",
    event: "machine.stopped",
    by: new RegExp(`\\b(stop|shutdown|off|kill|suspend|cancel|terminate|${restarts})\\b`),
  },
  { state: "paused", event: "machine.paused", by: /\b(revert|restore|snapshot|capture|run)\b/ },
  { state: "error", event: "machine.error", by: null },
  { state: "orphaned", event: "machine.orphaned", by: null },
];

/** The observation of a machine's lasting state; empty while it is being built or moved. */
export function machineObservations(service: ObservedService, state: string | null): Observation[] {
  // A suspended or terminated service stops its machine, so only the billing is observed.
  if (service.status !== "active") return [];
  const known = lasting.find((one) => one.state === state);
  if (!known) return [];
  const { event, by } = known;
  return [
    {
      aspect: "machine",
      state: known.state,
      // A new machine runs or not, as it was ordered. A broken one needs an alert.
      eventFor: (before) => (before === null && by !== null ? null : candidateFor(service, event, { by })),
    },
  ];
}

function candidateFor(
  service: ObservedService,
  event: EventName,
  asked: Pick<EventCandidate, "by" | "whenever"> = { by: null },
): EventCandidate {
  const { id, name, hostname, kind, status, failure, dueAt, source, externalCustomerId } = service;
  const data = {
    serviceId: id,
    name,
    hostname,
    kind,
    status,
    dueAt,
    externalCustomerId,
    ...(event === "service.provisioning_failed" && failure ? { provisioningError: failure } : {}),
  };
  return { event, data, source, ...asked };
}

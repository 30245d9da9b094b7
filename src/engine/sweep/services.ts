import type { EventName } from "../cards/events.ts";
import { type Limits, stageOf } from "./limits.ts";
import type { News, Sighting } from "./sightings.ts";

const day = 24 * 60 * 60_000;

/** Commands of members' that lead to the end, or to a machine that does not run. */
const ends = /\b(cancel|terminate)\b/;
const suspends = /\b(suspend|unsuspend|cancel|terminate)\b/;
const moves =
  /\b(start|stop|shutdown|reboot|restart|power|on|off|kill|reinstall|revert|restore|password|rescue|unrescue|suspend|unsuspend|cancel|terminate|upgrade|run)\b/;

/** A service as the lists of either API show it. */
export interface SeenService {
  id: string;
  name: string | null;
  hostname: string | null;
  kind: string | null;
  status: string | undefined;
  failure?: string | null;
  dueAt: string | null;
  source: News["source"];
  externalCustomerId?: string | null;
}

const events = new Map<string, EventName>([
  ["suspended", "service.suspended"],
  ["provisioning_failed", "service.provisioning_failed"],
  ["terminated", "service.terminated"],
]);

/** Where a service stands with its billing. `patient`: events of the supplier's tell the same. */
export function billingSighting(service: SeenService, patient: boolean): Sighting[] {
  const { status } = service;
  if (status === undefined) return [];
  const named = (event: EventName, by: RegExp | null) => newsOf(service, event, by);
  return [
    {
      side: patient ? "sold" : "billing",
      state: status,
      patient,
      news(before) {
        // What was never seen alive has not ended now.
        if (status === "terminated" && before === null) return null;
        if (status === "active") {
          if (before === "suspended") return named("service.unsuspended", suspends);
          return patient ? named("service.provisioned", null) : null;
        }
        const event = events.get(status);
        return event ? named(event, status === "suspended" ? suspends : ends) : null;
      },
    },
  ];
}

/** When a service that runs is to be renewed. A renewal that waits a day for its payment to be booked is not overdue yet. */
export function dueSighting(service: SeenService, { renewalDays }: Limits, now: number): Sighting[] {
  const { status, dueAt } = service;
  if (status !== "active" || dueAt === null) return [];
  const stage = stageOf(dueAt, { now, days: renewalDays, grace: day });
  if (stage === null) return [];
  return [
    {
      side: "due",
      state: `${stage} ${dueAt.slice(0, 10)}`,
      news: () => newsOf(service, `service.${stage}`, null),
    },
  ];
}

const settled = {
  running: "machine.running",
  stopped: "machine.stopped",
  paused: "machine.paused",
  error: "machine.error",
  orphaned: "machine.orphaned",
} as const;

/** How a machine is, where that lasts: what is being built or moved is on its way. */
export function machineSighting(service: SeenService, state: string | null): Sighting[] {
  // A machine that is suspended or at its end is stopped by that.
  if (service.status !== "active") return [];
  const event = Object.entries(settled).find(([known]) => known === state)?.[1];
  if (!event || state === null) return [];
  return [
    {
      side: "machine",
      state,
      news: (before) => (before === null && !isBroken(state) ? null : newsOf(service, event, moves)),
    },
  ];
}

function isBroken(state: string): boolean {
  return state === "error" || state === "orphaned";
}

function newsOf(service: SeenService, event: EventName, by: RegExp | null): News {
  const { id, name, hostname, kind, status, failure, dueAt, source, externalCustomerId } = service;
  const data = {
    ...{ serviceId: id, name, hostname, kind, status, dueAt, externalCustomerId },
    ...(event === "service.provisioning_failed" && failure ? { provisioningError: failure } : {}),
  };
  return { event, data, source, by };
}

import type { EventName } from "../cards/events.ts";
import { type Limits, stageOf } from "./limits.ts";
import type { News, Sighting } from "./sightings.ts";

const day = 24 * 60 * 60_000;

/** Members' commands that lead to the end of a service, or to its suspension and back. */
const ends = /\b(cancel|terminate)\b/;
const suspends = /\b(suspend|unsuspend|cancel|terminate)\b/;

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

const commands: Partial<Record<EventName, Pick<News, "by" | "whenever">>> = {
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

/** Where a service stands with its billing. `patient`: events of the supplier's tell the same. */
export function billingSighting(service: SeenService, patient: boolean): Sighting[] {
  const { status } = service;
  if (status === undefined) return [];
  const named = (event: EventName) => newsOf(service, event, commands[event]);
  return [
    {
      side: patient ? "sold" : "billing",
      state: status,
      patient,
      news(before) {
        // What was never seen alive has not ended now.
        if (status === "terminated" && before === null) return null;
        if (status === "active") {
          if (before === "suspended") return named("service.unsuspended");
          return patient ? named("service.provisioned") : null;
        }
        const event = events.get(status);
        return event ? named(event) : null;
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
      news: () => newsOf(service, `service.${stage}`),
    },
  ];
}

const restarts = "reboot|restart|power|reinstall|revert|restore|password|rescue|unrescue|upgrade|run";

/** The states of a machine that last, and members' commands that lead there. Nobody asks for an error. */
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

/** How a machine is, where that lasts: what is being built or moved is on its way. */
export function machineSighting(service: SeenService, state: string | null): Sighting[] {
  // A machine that is suspended or at its end is stopped by that.
  if (service.status !== "active") return [];
  const known = lasting.find((one) => one.state === state);
  if (!known) return [];
  const { event, by } = known;
  return [
    {
      side: "machine",
      state: known.state,
      // A machine that is new runs or does not, as it was ordered; one that is broken is news.
      news: (before) => (before === null && by !== null ? null : newsOf(service, event, { by })),
    },
  ];
}

function newsOf(service: SeenService, event: EventName, asked: Pick<News, "by" | "whenever"> = { by: null }): News {
  const { id, name, hostname, kind, status, failure, dueAt, source, externalCustomerId } = service;
  const data = {
    ...{ serviceId: id, name, hostname, kind, status, dueAt, externalCustomerId },
    ...(event === "service.provisioning_failed" && failure ? { provisioningError: failure } : {}),
  };
  return { event, data, source, ...asked };
}

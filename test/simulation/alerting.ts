import { said } from "../../src/sandbox/slack/server.ts";
import { watched } from "./actions.ts";
import { type Aftermath, allMessages } from "./observing.ts";
import { by } from "./oracles.ts";
import type { Plan } from "./plan.ts";
import type { Deployment } from "./world/deployment.ts";

interface Happened {
  plan: Plan;
  /** When the watched machine stopped at the platform. */
  failedAt: number | null;
}

/** Each service that an event was about has an alert, which agrees with the platform; in a digest, with polling, also each change without an event. */
export function heldAlerts(aftermath: Aftermath, deployment: Deployment, happened: Happened): string[] {
  const isAside = allMessages(aftermath.state).some((message) => /Rackbell set aside \d+ event/.test(said(message)));
  // Only a clock that was set twice can be so far behind. The app notifies its admins in place of the channel.
  if (isAside)
    return by(
      "alerts agree with the platform",
      clockFaultsOf(happened.plan) > 1 ? [] : ["an event was set aside, and the clocks agree"],
    );
  return happened.plan.world === "monitored"
    ? checkDigests(aftermath, deployment, happened)
    : by("alerts agree with the platform", heldCards(aftermath, deployment));
}

/** How often the clock of the app's machine was set in a plan. */
export function clockFaultsOf({ steps, faults }: Plan): number {
  const struck = steps.flatMap(({ does }) => (does.is === "strike" ? [does.fault] : []));
  return [...faults.map(({ kind }) => kind), ...struck].filter((kind) => kind === "clock set").length;
}

/** How often the supplier suspended each resold service, by the name in its alerts. */
export function suspensionsByName({ practice: { platform } }: Deployment): Map<string, number> {
  const names = platform.reseller
    .deliveries()
    .filter(({ event }) => event === "service.suspended")
    .flatMap(({ data }) => ("serviceId" in data ? [platform.find(String(data.serviceId))] : []))
    .map((service) => ("hostname" in service && service.hostname) || service.name);
  return new Map(names.map((name) => [name, names.filter((one) => one === name).length]));
}

const suspensions = /^service\.(?:un)?suspended$/;

/** For each time that the supplier suspended a service or lifted it, the service's id; `come`: those of which an event came. */
function timesSuspended({ practice: { platform } }: Deployment, come: boolean): string[] {
  return platform.reseller
    .deliveries()
    .filter(({ event, state }) => (!come || state === "delivered") && suspensions.test(event))
    .flatMap(({ data }) => ("serviceId" in data ? [String(data.serviceId)] : []));
}

/** The services that the supplier suspended or lifted; `come`: of which an event came. */
function suspended(deployment: Deployment, come: boolean) {
  return [...new Set(timesSuspended(deployment, come))].map((id) => deployment.practice.platform.find(id));
}

function messagesAbout({ channels }: Aftermath["state"], subject: string) {
  return Object.values(channels)
    .flat()
    .filter(
      ({ metadata, thread_ts }) =>
        thread_ts === undefined &&
        String(metadata?.event_payload.subject).startsWith(`${subject}:`) &&
        // The state at the time of a step.
        !String(metadata?.event_payload.slot).startsWith("step:"),
    )
    .map(said);
}

function heldCards({ state }: Aftermath, deployment: Deployment): string[] {
  // The sixth alert of a minute and those after it are lines of one message.
  const together = messagesAbout(state, "alert-burst").flatMap((one) => one.split("\n"));
  const alerts = [...together, ...messagesAbout(state, "alert")];
  return suspended(deployment, true).flatMap((service) => {
    const last = alerts.findLast((one) => one.includes(service.name));
    if (last === undefined) return [`${service.name} was suspended, and no alert says so`];
    // Events bear no time of their own: of several that come late or the last one first, nobody can know which is the last.
    const isUnsure = /perhaps in the wrong order/.test(last);
    const saysSuspended = /is suspended/.test(last);
    return isUnsure || saysSuspended === (service.status === "suspended")
      ? []
      : [`${service.name} is ${service.status}, and its alert says: ${last.slice(0, 120)}`];
  });
}

function checkDigests({ state }: Aftermath, deployment: Deployment, { plan, failedAt }: Happened): string[] {
  const lines = messagesAbout(state, "alert-digest").flatMap((one) =>
    one.split("\n").filter((line) => line.startsWith("<!date")),
  );
  const again = lines.filter((line, at) => lines.indexOf(line) !== at);
  const isReversed = plan.steps.some(({ does }) => does.is === "supply" && (does.reversed || does.lateMs > 0));
  const suspendedNames = new Set(suspended(deployment, true).map(({ name }) => name));
  const times = timesSuspended(deployment, false);
  const changed = (service: string) => times.filter((id) => id === service).length % 2 === 1;
  const wrong = suspended(deployment, false).flatMap(({ id, name, status }) => {
    const last = lines.findLast((line) => line.includes(`\`${name}.`) && / suspended/.test(line));
    const isSuspended = status === "suspended";
    // Of one that was changed back before anybody looked nothing is left to find, unless an event came.
    if (last === undefined)
      return changed(id) || suspendedNames.has(name) ? [`${name} is ${status}, and no digest names it`] : [];
    return isReversed || / is suspended/.test(last) === isSuspended
      ? []
      : [`${name} is ${status}, and the last digest says: ${last.slice(-120)}`];
  });
  const stopped = lines.some((line) => line.includes(`\`${watched}.`) && line.includes("has stopped"));
  return [
    ...by("a digest has each event once", again),
    ...by("polling finds what no event reported", [
      ...wrong,
      ...(failedAt === null || stopped ? [] : [`${watched} stopped, and no digest says so`]),
    ]),
  ];
}

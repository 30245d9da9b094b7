import * as z from "zod";
import { PaymentStatus, ServiceStatus } from "../platform/reseller/states.ts";
import { moment } from "../views/format.ts";
import { stateWords } from "../views/states.ts";
import type { LoggedEvent } from "./event-log.ts";

/** The state of an order, or of a service without one, as a read with the monitoring key showed it. */
export const CrossCheckResult = z.object({
  cards: z.array(z.string()),
  askedAt: z.number(),
  /** Milliseconds since the epoch; null where nothing was read. */
  readAt: z.number().nullable(),
  payment: PaymentStatus.nullable(),
  services: z.record(z.string(), ServiceStatus),
  /** Why the read failed, as the end of a sentence. */
  problem: z.string().nullable(),
});
export type CrossCheckResult = z.infer<typeof CrossCheckResult>;

/** The events that are worth a read: money, failures and ends, and a release that may have come before its suspension. */
const checkedEvents = new Set([
  "order.paid",
  "order.invoiced",
  "order.payment_failed",
  "service.provisioning_failed",
  "service.suspended",
  "service.unsuspended",
  "service.terminated",
]);

/** The order, or the service without one, to read for a supplier's event; null where no read is needed. */
export function resourceToCheck({ event, source, data }: LoggedEvent): string | null {
  if (source !== "told" || !checkedEvents.has(event)) return null;
  if (data.orderId) return `order:${data.orderId}`;
  return data.serviceId ? `service:${data.serviceId}` : null;
}

/** The line under an event, in mrkdwn: the platform agrees, disagrees, or could not be read. Empty while no read has ended. */
export function crossCheckLine(event: LoggedEvent, result: CrossCheckResult | null): string {
  if (!result || resourceToCheck(event) === null) return "";
  const { readAt, problem } = result;
  if (readAt === null) return problem === null ? "" : `\n:grey_question: Not confirmed: ${problem}.`;
  if (readAt < event.at) return "";
  const state = stateOf(event, result);
  if (state === null) return `\n:grey_question: Not confirmed: the platform did not name its state ${moment(readAt)}.`;
  if (agreeingStates[event.event]?.includes(state)) return `\nThe platform says so, too: read ${moment(readAt)}.`;
  return `\n:warning: The platform says otherwise, read ${moment(readAt)}: ${stateWords(state)}.`;
}

const agreeingStates: Record<string, string[]> = {
  "order.paid": ["paid"],
  "order.invoiced": ["pending", "processing"],
  "order.payment_failed": ["failed"],
  "service.provisioning_failed": ["provisioning_failed"],
  "service.suspended": ["suspended"],
  "service.unsuspended": ["active"],
  "service.terminated": ["terminated"],
};

function stateOf({ event, data }: LoggedEvent, { payment, services }: CrossCheckResult): string | null {
  if (event.startsWith("order.")) return payment;
  if (data.serviceId) return services[data.serviceId] ?? null;
  // An order that failed before it had a service names none: then any service of the order that failed counts.
  const failed = Object.values(services).find((status) => status === "provisioning_failed");
  return failed ?? Object.values(services)[0] ?? null;
}

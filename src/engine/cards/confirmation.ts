import * as z from "zod";
import { PaymentStatus, ServiceStatus } from "../../platform/reseller/states.ts";
import { moment } from "../../views/format.ts";
import type { KeptEvent } from "./event-log.ts";

/** What a read with the reading key has shown of an order, or of a service without one. */
export const Confirmation = z.object({
  cards: z.array(z.string()),
  askedAt: z.number(),
  /** When it was read; null where it was not. */
  readAt: z.number().nullable(),
  payment: PaymentStatus.nullable(),
  services: z.record(z.string(), ServiceStatus),
  /** Why it could not be read, as the end of a sentence. */
  problem: z.string().nullable(),
});
export type Confirmation = z.infer<typeof Confirmation>;

/** Money, failures and ends: what is worth a read. */
const matters = new Set([
  "order.paid",
  "order.invoiced",
  "order.payment_failed",
  "service.provisioning_failed",
  "service.suspended",
  "service.terminated",
]);

/** The order, or the service without one, that an event of the supplier's is confirmed by; null where it need not be. */
export function toConfirm({ event, source, data }: KeptEvent): string | null {
  if (source !== "told" || !matters.has(event)) return null;
  if (data.orderId) return `order:${data.orderId}`;
  return data.serviceId ? `service:${data.serviceId}` : null;
}

/** What stands under an event's line: that the platform says so, too, or otherwise, or could not be asked. Empty while that is not known. */
export function confirmedWords(event: KeptEvent, confirmation: Confirmation | null): string {
  if (!confirmation || toConfirm(event) === null) return "";
  const { readAt, problem } = confirmation;
  if (readAt === null) return problem === null ? "" : `\n:grey_question: Not confirmed: ${problem}.`;
  if (readAt < event.at) return "";
  const state = stateOf(event, confirmation);
  if (state === null) return `\n:grey_question: Not confirmed: the platform did not name its state ${moment(readAt)}.`;
  if (expected[event.event]?.includes(state)) return `\nThe platform says so, too: read ${moment(readAt)}.`;
  return `\n:warning: The platform says otherwise, read ${moment(readAt)}: ${state.replaceAll("_", " ")}.`;
}

const expected: Record<string, string[]> = {
  "order.paid": ["paid"],
  "order.invoiced": ["pending", "processing"],
  "order.payment_failed": ["failed"],
  "service.provisioning_failed": ["provisioning_failed"],
  "service.suspended": ["suspended"],
  "service.terminated": ["terminated"],
};

function stateOf({ event, data }: KeptEvent, { payment, services }: Confirmation): string | null {
  if (event.startsWith("order.")) return payment;
  if (data.serviceId) return services[data.serviceId] ?? null;
  // A failure before any service was there lists what was to be built.
  const failed = Object.values(services).find((status) => status === "provisioning_failed");
  return failed ?? Object.values(services)[0] ?? null;
}

import { z } from "zod";
import { badRequest } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { cancelDocument, openDocumentsOf } from "../../money/documents.ts";
import { terminate } from "../../provisioning/termination.ts";
import type { Service } from "../../world/service.ts";
import type { World } from "../../world/world.ts";
import { serviceOf } from "../request/access.ts";
import { type Call, ending, managing, type Route, readBody } from "../request/call.ts";
import { cooled } from "../request/cooldowns.ts";

const path = "/services/{id}/cancel";

export const cancellationRoutes: Route[] = [
  { ...ending, method: "POST", path, handle: (call) => cancel(call, serviceOf(call)) },
  { ...managing, method: "DELETE", path, handle: withdrawCancellation },
];

const cancelBody = z.object({
  reason: z
    .string()
    .regex(/\S+\s+\S+/, "reason must have at least two words")
    .default("Cancelled via API"),
  immediate: z.boolean().default(false),
});

/** The spec lists these as refused (section 3.1), and is silent of a service that awaits payment. */
const refused: readonly string[] = ["pending", "installing", "suspended", "terminated", "cancelled"];

/** Ends a service: now, or at the end of the time that is paid for. One that was never built is ended at once either way. */
export function cancel(call: Call, service: Service) {
  const { immediate } = readBody(call, cancelBody);
  const now = immediate || isUnbuilt(service);
  if (refused.includes(service.status)) throw badRequest(`A service that is ${service.status} cannot be cancelled`);
  if (!now && service.cancellation !== null) throw badRequest("The service is already set to be cancelled");
  return cooled(call, "cancel", service.id, () => (now ? end(call.world, service) : schedule(call.world, service)));
}

function schedule(world: World, service: Service) {
  const date = service.billing.next_due_date ?? endOfHour(world);
  service.cancellation = { scheduled_date: date };
  return ok({ cancellation_scheduled_date: date });
}

function isUnbuilt({ status }: Service): boolean {
  return status === "provisioning_failed" || status === "pending_payment";
}

/** A service that was never built is not billed either. */
function end(world: World, service: Service) {
  if (isUnbuilt(service)) openDocumentsOf(world, service.id).forEach(cancelDocument);
  terminate(world, service);
  return ok({ immediate: true });
}

function withdrawCancellation(call: Call) {
  const service = serviceOf(call);
  if (service.cancellation === null) throw badRequest("No cancellation is scheduled for this service");
  service.cancellation = null;
  return ok({ cancellation: null }, { message: "The cancellation was withdrawn" });
}

/** An hourly service is paid for up to the end of the hour. */
function endOfHour(world: World): string {
  const hour = 3_600_000;
  return new Date(Math.ceil((world.clock.now() + 1) / hour) * hour).toISOString();
}

import { badRequest, conflict } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { documentRow, issue, openDocumentsOf, stateOf } from "../../money/documents.ts";
import { addCycle, toCents } from "../../money/money.ts";
import { refuseOutOfService, serviceOf } from "../request/access.ts";
import type { Call, Route } from "../request/call.ts";
import { cooled } from "../request/cooldowns.ts";

export const renewalRoutes: Route[] = [
  { method: "POST", path: "/services/{id}/renew", scope: "billing", permission: "invoices.pay", handle: renew },
];

/** Issues the next period's document before its time; paying it moves the due date. */
function renew(call: Call) {
  const { world } = call;
  const service = serviceOf(call);
  refuseOutOfService(service);
  const { cycle, next_due_date, amount } = service.billing;
  if (service.status !== "active") throw badRequest("Only an active service can be renewed");
  if (cycle === "hourly") throw badRequest("An hourly service is not renewed");
  return cooled(call, "renew", service.id, () => {
    if (openDocumentsOf(world, service.id).length > 0) {
      throw conflict("A document of this service is still open", "RENEWAL_PENDING");
    }
    const document = issue(world, {
      holder: service.holder,
      cause: "renewal",
      lines: [{ description: `Renewal of ${service.name}`, amount: toCents(amount) }],
      service_ids: [service.id],
      whenPaid() {
        const due = next_due_date === null ? world.clock.now() : Date.parse(next_due_date);
        service.billing.next_due_date = addCycle(due, cycle);
      },
    });
    // The spec does not show the answer to a renewal.
    if (world.settings.shapes.payload === 1) return ok({ [document.type]: documentRow(document) });
    return ok({
      invoice: document.type === "invoice" ? documentRow(document) : null,
      proforma: document.type === "proforma" ? documentRow(document) : null,
      document: stateOf(document),
      settled: false,
    });
  });
}

import * as z from "#zod";
import type { Progress, Step } from "../../operation/answer.ts";
import type { PollCall, Tracking } from "../../operation/operation.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { documentReads } from "../../platform/customer/billing.ts";
import { type Order, readOrder } from "../../platform/customer/orders.ts";
import { readVps, type Vps } from "../../platform/customer/vps.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { serviceStage, unlistedStatus } from "../../platform/service-stage.ts";
import { type PlainText, plainly } from "../../process/plain-text.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { currencyFor, detailed, owedWords, payStep, unpaidSteps } from "../billing/bill.ts";
import { type DocumentRef, openDocumentFor } from "../billing/open-documents.ts";
import { unpaidPace } from "../kits/ordering.ts";
import { failureMeaning } from "../vps/show.ts";
import { loginLine } from "../vps/vps.ts";

/** The steps of an order (spec section 3.1). */
const stages = ["Place the order", "Pay for the order", "Find a machine", "Install the system"];

export const OrderHandle = z.object({
  order: z.string(),
  /** Null if there is none, or it is not identified yet. */
  document: z.object({ type: z.enum(["invoice", "proforma"]), id: z.string() }).nullable(),
  /**
   * The unpaid documents before the order. If the answer that named the order's document was lost, a document outside of them is
   * the one.
   */
  openBefore: z.array(z.string()).nullable(),
});
export type OrderHandle = z.infer<typeof OrderHandle>;

type Service = NonNullable<Order["services"]>[number];

const mostNamed = 10;

/** Tracks an order through payment and building, and reports the addresses of its servers or the failure. */
export const provisioning: Tracking & {
  handle: typeof OrderHandle;
  poll: (call: PollCall<"customer">, handle: OrderHandle) => Promise<Progress>;
} = {
  every: 5_000,
  deadline: 24 * 60 * 60_000,
  handle: OrderHandle,
  async poll(call, handle) {
    // Search all projects: the order may be in another one than the member's chosen project.
    const client = call.client.in(null);
    const order = await readOrder(client, handle.order);
    let { services = [] } = order;
    const unpaid = services.filter(({ status }) => status === "pending_payment");
    if (unpaid.length > 0 || services.length === 0) {
      const document = handle.document ?? (await documentOf({ ...call, client }, order, handle.openBefore));
      const waiting = await paymentProgress({ ...call, client }, { ...handle, document });
      if (waiting) return waiting;
    }
    // Its document was read after the order, and may have been paid in between: the order names its services from then on.
    if (services.length === 0) ({ services = [] } = await readOrder(client, handle.order));
    if (services.length === 0)
      return {
        ...{ state: "done", endUnknown: true },
        text: "The order is paid. The platform names no service that it builds for it.",
        next: [{ label: "Show", command: "order show", target: handle.order }],
      };
    // A state that no spec lists may still become another one; the deadline ends the wait.
    const building = services.filter(({ status }) => [null, "starting"].includes(serviceStage(status)));
    if (building.length > 0) return buildingProgress(services, building);
    return endProgress({ ...call, client }, handle.order, services);
  },
};

/** The progress of an order that waits for payment; null once its document is settled. */
async function paymentProgress(call: PollCall<"customer">, { order, document }: OrderHandle): Promise<Progress | null> {
  const { client } = call;
  const every = unpaidPace(call);
  const show: Step = { label: "Show", command: "order show", target: order };
  if (!document) {
    return {
      state: "working",
      text: "Ordered. The order waits for its payment.",
      plan: { stages, at: 1 },
      every,
      next: [...unpaidSteps, show],
    };
  }
  const found = await documentReads[document.type](client, document.id);
  if (found.settled) return null;
  if (found.document.status === "cancelled")
    return {
      state: "failed",
      text: `The ${document.type} was cancelled, so nothing is built.`,
      next: [show],
      // Nobody says if a part that was paid comes back.
      cost: unitsOf(found.paid_amount) === 0n ? { price: null } : undefined,
    };
  const owed = detailed(document.type, found);
  const currency = await currencyFor(client, owed.currency);
  return {
    state: "working",
    text: `Ordered. ${code(owed.name)}: ${owedWords(owed, currency)}. The platform builds the server after the payment.`,
    plan: { stages, at: 1 },
    every,
    next: [payStep(document.id), show],
    cost: { price: "unknown", document: document.id },
  };
}

function builtName(service: Service): PlainText {
  const name = service.name ?? service.hostname;
  return typeof name === "string" ? name : service.id;
}

function buildingProgress(services: Service[], building: Service[]): Progress {
  const ready = services.length - building.length;
  const shown = building.slice(0, 3).map((service) => `${code(builtName(service), 60)} is ${wordOf(service.status)}`);
  const more = building.length > 3 ? ` and ${building.length - 3} more are under way` : "";
  const done = ready > 0 ? `${ready} of ${services.length} are ready; ` : "";
  const installing = building.every(({ status }) => status === "installing");
  const lead = building.every(({ status }) => unlistedStatus(status).length > 0)
    ? "Ordered"
    : "Paid for and being built";
  return {
    state: "working",
    text: `${lead}: ${done}${listing(shown)}${more}.`,
    plan: { stages, at: installing ? 3 : 2 },
  };
}

function wordOf(status: Service["status"]): string {
  if (unlistedStatus(status).length > 0) return `${stateWords(status ?? "")}, a state that Rackbell does not know`;
  if (status === "installing") return "being installed";
  return status === "pending" || status === "pending_payment" || !status
    ? "waiting for its machine"
    : stateWords(status);
}

async function endProgress({ client }: PollCall<"customer">, order: string, services: Service[]): Promise<Progress> {
  const reported = services.slice(0, mostNamed);
  const machines = await Promise.all(
    reported.map(async (service) => ({
      service,
      // A service of another kind is no VPS, and reads as 404 here.
      vps: await readVps(client, service.id).catch(nullIfRefused(404)),
    })),
  );
  const lines = machines.map(({ service, vps }) =>
    vps ? machineLine(vps) : `${code(builtName(service), 60)} is ${wordOf(service.status)}.`,
  );
  const more = services.length > mostNamed ? [`${services.length - mostNamed} more are in the order.`] : [];
  const failed = services.filter(({ status }) => status !== "active");
  const headline =
    failed.length === 0
      ? `${count(services.length, "server is", "servers are")} ready.`
      : `${failed.length} of ${count(services.length, "server")} did not come up.`;
  return {
    state: failed.length === 0 ? "done" : "failed",
    text: [headline, ...lines, ...more].join("\n"),
    plan: { stages, at: failed.length === 0 ? stages.length : 2 },
    next: [
      ...machines.flatMap(({ vps }) => (vps ? stepsOf(vps) : [])).slice(0, 6),
      { label: "The order", command: "order show", target: order },
    ],
  };
}

function machineLine(vps: Vps): string {
  const name = code(vps.name, 60);
  if (vps.failure) return `${name} was not built: ${prose(vps.failure.message)} ${failureMeaning[vps.failure.code]}`;
  const addresses = vps.ip_addresses.slice(0, 4).map(({ address }) => code(address));
  if (vps.status !== "active") return `${name} is ${wordOf(vps.status)}.`;
  if (addresses.length === 0) return `${name} is ready and has no address yet.`;
  return `${name} is at ${listing(addresses)}. ${loginLine(vps, "an SSH key of the order; without one, set a password") ?? ""}`.trim();
}

function stepsOf({ id, name, status, failure, product }: Vps): Step[] {
  const show: Step = { label: plainly`Show ${name}`, command: "vps show", target: id };
  if (unlistedStatus(status).length > 0) return [show];
  if (status !== "provisioning_failed")
    return [show, { label: plainly`New password of ${name}`, command: "vps password", target: id }];
  const elsewhere = failure?.code === "capacity" || failure?.code === "ip_capacity";
  return [
    show,
    { label: elsewhere ? "Order elsewhere…" : "Order again…", command: "order new", input: { product: product.id } },
    { label: plainly`Cancel ${name}…`, command: "vps cancel", target: id },
  ];
}

/**
 * The document of an order whose answer was lost. It is the only unpaid document that is not among those `before` the order, or
 * else the only new one that names the order. Null if that is not certain. Spec sections 2.6 and 3.1.
 */
async function documentOf(
  call: PollCall<"customer">,
  order: Order,
  before: string[] | null,
): Promise<DocumentRef | null> {
  if (!before) return null;
  const { services = [] } = order;
  // A service that waits for its payment has exactly one unpaid document.
  const waits = services.some(({ status }) => status === "pending_payment");
  const ids = services.map(({ id }) => id);
  const payable = {
    words: [order.id, ...ids],
    services: ids,
    names: [order.hostname, ...services.map(({ hostname }) => hostname)],
  };
  return openDocumentFor(call, payable, { before, only: waits });
}

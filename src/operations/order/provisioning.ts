import * as z from "zod";
import type { Progress, Step } from "../../operation/answer.ts";
import type { Follow, PollCall } from "../../operation/operation.ts";
import { documentReads } from "../../platform/customer/billing.ts";
import { type Order, readOrder } from "../../platform/customer/orders.ts";
import { readVps, type Vps } from "../../platform/customer/vps.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import { currencyFor, detailed } from "../billing/bill.ts";
import { owedWords } from "../billing/owed.ts";
import { failureMeaning } from "../vps/card.ts";
import { wayIn } from "../vps/way-in.ts";
import { documentOf } from "./document.ts";

/** What an order goes through (spec section 3.1). */
const stages = ["Place the order", "Pay for it", "Find a machine", "Install the system"];

export const OrderHandle = z.object({
  order: z.string(),
  /** Null where it is not known which one it is, or there is none. */
  document: z.object({ type: z.enum(["invoice", "proforma"]), id: z.string() }).nullable(),
  /** By what its document is found where the answer that named it was lost: those that waited for money before it. */
  openBefore: z.array(z.string()).nullable().default(null),
});
type OrderHandle = z.infer<typeof OrderHandle>;

type Service = NonNullable<Order["services"]>[number];

/** An unpaid order waits for a person: it is looked at ever more seldom, so that it does not use up the key's hour. */
function unpaidPace({ since, now }: PollCall<"customer">): number {
  return Math.min(5 * 60_000, Math.max(30_000, (now - since) / 5));
}
const mostTold = 10;

/** Follows an order through payment and building, to the addresses of its servers or to what went wrong. */
export const provisioning: Follow & {
  handle: typeof OrderHandle;
  poll: (call: PollCall<"customer">, handle: OrderHandle) => Promise<Progress>;
} = {
  every: 5_000,
  deadline: 24 * 60 * 60_000,
  handle: OrderHandle,
  async poll(call, handle) {
    // The order may stand in another project than the one that its member works in.
    const client = call.client.in(null);
    const order = await readOrder(client, handle.order);
    const services = order.services ?? [];
    const unpaid = services.filter(({ status }) => status === "pending_payment");
    if (unpaid.length > 0 || services.length === 0) {
      const document = handle.document ?? (await documentOf(client, order, handle.openBefore));
      const waiting = await paymentProgress({ ...call, client }, { ...handle, document });
      if (waiting) return waiting;
    }
    const building = services.filter(({ status }) => !status || isUnderWay(status));
    if (building.length > 0) return buildingProgress(services, building);
    return endProgress({ ...call, client }, handle.order, services);
  },
};

function isUnderWay(status: string): boolean {
  return status === "pending_payment" || status === "pending" || status === "installing";
}

/** What an order waits for before it is built; null once its document is settled. */
async function paymentProgress(call: PollCall<"customer">, { order, document }: OrderHandle): Promise<Progress | null> {
  const { client } = call;
  const every = unpaidPace(call);
  const show: Step = { label: "Show", command: "order show", target: order };
  if (!document) {
    return {
      state: "working",
      text: "Ordered. It waits for its payment.",
      plan: { stages, at: 1 },
      every,
      next: [
        { label: "Unpaid invoices", command: "billing invoices", input: { status: "unpaid" } },
        { label: "Unpaid proformas", command: "billing proformas", input: { status: "unpaid" } },
        show,
      ],
    };
  }
  const found = await documentReads[document.type](client, document.id);
  if (found.settled) return null;
  if (found.document.status === "cancelled")
    return { state: "failed", text: `Its ${document.type} was cancelled, so nothing is built.`, next: [show] };
  const owed = detailed(document.type, found);
  const currency = await currencyFor(client, owed.currency);
  return {
    state: "working",
    text: `Ordered. ${code(owed.name)}: ${owedWords(owed, currency)}. The server is built once that is paid.`,
    plan: { stages, at: 1 },
    every,
    next: [{ label: "Pay…", command: "billing pay", target: document.id, style: "primary" }, show],
  };
}

function nameOf(service: Service): string {
  const name = service.name ?? service.hostname;
  return code(typeof name === "string" ? name : service.id, 60);
}

function buildingProgress(services: Service[], building: Service[]): Progress {
  const ready = services.length - building.length;
  const shown = building.slice(0, 3).map((service) => `${nameOf(service)} is ${wordOf(service.status)}`);
  const more = building.length > 3 ? ` and ${building.length - 3} more are under way` : "";
  const done = ready > 0 ? `${ready} of ${services.length} are ready; ` : "";
  const installing = building.every(({ status }) => status === "installing");
  return {
    state: "working",
    text: `Paid for and being built: ${done}${listing(shown)}${more}.`,
    plan: { stages, at: installing ? 3 : 2 },
  };
}

function wordOf(status: Service["status"]): string {
  if (status === "installing") return "being installed";
  return status === "pending" || status === "pending_payment" || !status
    ? "waiting for its machine"
    : status.replaceAll("_", " ");
}

async function endProgress({ client }: PollCall<"customer">, order: string, services: Service[]): Promise<Progress> {
  const told = services.slice(0, mostTold);
  const machines = await Promise.all(
    told.map(async (service) => ({
      service,
      vps: await readVps(client, service.id).catch((error: unknown) => {
        // Not every service is a VPS.
        if (error instanceof PlatformRefused && error.status === 404) return null;
        throw error;
      }),
    })),
  );
  const lines = machines.map(({ service, vps }) =>
    vps ? machineLine(vps) : `${nameOf(service)} is ${wordOf(service.status)}.`,
  );
  const more = services.length > mostTold ? [`${services.length - mostTold} more are in the order.`] : [];
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
  if (vps.status !== "active") return `${name} is ${vps.status.replaceAll("_", " ")}.`;
  if (addresses.length === 0) return `${name} is ready and has no address yet.`;
  return `${name} is at ${listing(addresses)}. ${wayIn(vps, "an SSH key of the order; without one, set a password") ?? ""}`.trim();
}

function stepsOf({ id, name, status, failure, product }: Vps): Step[] {
  const show: Step = { label: `Show ${name}`, command: "vps show", target: id };
  if (status !== "provisioning_failed")
    return [show, { label: `New password of ${name}`, command: "vps password", target: id }];
  const elsewhere = failure?.code === "capacity" || failure?.code === "ip_capacity";
  return [
    show,
    { label: elsewhere ? "Order elsewhere…" : "Order again…", command: "order new", input: { product: product.id } },
    { label: `End ${name}…`, command: "vps cancel", target: id },
  ];
}

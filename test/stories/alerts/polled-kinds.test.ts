import { expect, test } from "vitest";
import type { EventName } from "../../../src/alerts/events.ts";
import { createOrder } from "../../../src/platform/customer/orders.ts";
import type { WebhookEventName } from "../../../src/platform/reseller/events.ts";
import { placeOrder } from "../../../src/platform/reseller/place-order.ts";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";
import type { Vps } from "../../../src/sandbox/platform/world/service.ts";
import { cards, elsewhere, passRound, read } from "../polled.ts";
import { type Story, said } from "../story.ts";

// Each kind of event that reading finds, and what its card says: a kind without a line here does not compile.

const day = 24 * 60 * 60_000;

interface Found {
  /** How it comes to be as it was before: reading learns it first. */
  before?: (story: Story) => unknown;
  /** An event that then happens elsewhere. */
  now: (story: Story) => unknown;
  says: string;
  /** An event that may say the same before it, and then stands for it. */
  or?: string;
}

/** The supplier's events that polling finds, too. Name an event here that no read can show. */
type PolledSupplierEvent = Exclude<WebhookEventName, "webhook.test">;
/** Those that it finds of the own account. */
type Own =
  | Exclude<EventName, WebhookEventName | "event.missing">
  | Exclude<PolledSupplierEvent, `order.${string}` | "service.provisioned">;

const machine = (state: NonNullable<Vps["instance"]>["state"]) => (story: Story) =>
  story.platform.change("web-1", { instance: { state } });
const image = (status: "capturing" | "available" | "error") => (story: Story) =>
  story.platform.changeImage("golden-web", { status });
const suspended = ({ platform }: Story) => platform.change("mail", { status: "suspended" });
const active = ({ platform }: Story) => platform.change("mail", { status: "active" });
const ended = ({ platform }: Story) => platform.change("mail", { status: "terminated" });
const failed = ({ platform }: Story) => platform.change("mail", { status: "provisioning_failed" });
const billed = (type: "invoice" | "proforma") => (story: Story) => {
  story.platform.settings.document = type;
  story.platform.bill("Colocation", 1_000);
};

function newest({ platform }: Story): string {
  return platform.documents().findLast(({ status }) => status === "unpaid")?.id ?? "";
}

function documents(type: "invoice" | "proforma", name: string) {
  const before = billed(type);
  return {
    new: { now: before, says: `${name} ` },
    due_soon: { before, now: (story: Story) => story.platform.fallDue(newest(story), 2), says: "falls due" },
    overdue: { before, now: (story: Story) => story.platform.fallDue(newest(story), -1), says: "is overdue" },
    paid: { before, now: (story: Story) => story.platform.payByOperator(newest(story)), says: "is paid" },
    cancelled: { before, now: (story: Story) => story.platform.cancelByOperator(newest(story)), says: "was cancelled" },
  };
}

const invoice = documents("invoice", "Invoice");
const proforma = documents("proforma", "Proforma");

async function ordered(story: Story): Promise<void> {
  const plan = { productId: productId("VPS M"), billingCycle: "monthly", location: "es-mad" } as const;
  await createOrder(elsewhere(story).customer, "elsewhere-1", { ...plan, hostname: "new-1.example.test" });
}

function paid({ platform }: Story): void {
  platform.payByOperator(platform.orders().at(-1)?.document_id ?? "");
}

const own: Record<Own, Found> = {
  "service.suspended": { now: suspended, says: "`mail.example.test` is suspended" },
  "service.unsuspended": { before: suspended, now: active, says: "`mail.example.test` is no longer suspended" },
  "service.terminated": { now: ended, says: "`mail.example.test` was terminated" },
  "service.provisioning_failed": { now: failed, says: "`mail.example.test` could not be built" },
  "service.due_soon": { now: ({ platform }) => platform.renewIn("web-1", 1), says: "is to be renewed" },
  "service.overdue": { now: ({ platform }) => platform.renewIn("web-1", -2), says: "was to be renewed" },
  "machine.running": { before: machine("stopped"), now: machine("running"), says: "`web-1.example.test` runs" },
  "machine.stopped": { now: machine("stopped"), says: "has stopped" },
  "machine.paused": { now: machine("paused"), says: "is paused" },
  "machine.error": { now: machine("error"), says: "is in error" },
  "machine.orphaned": { now: machine("orphaned"), says: "has lost its host" },
  "order.completed": { before: ordered, now: paid, says: "All of order" },
  "order.failed": {
    before: ordered,
    now(story) {
      story.platform.settings.buildFailure = "capacity";
      paid(story);
    },
    says: "could not be built",
    or: "service.provisioning_failed",
  },
  "invoice.new": invoice.new,
  "invoice.due_soon": invoice.due_soon,
  "invoice.overdue": invoice.overdue,
  "invoice.paid": invoice.paid,
  "invoice.cancelled": invoice.cancelled,
  "proforma.new": proforma.new,
  "proforma.due_soon": proforma.due_soon,
  "proforma.overdue": proforma.overdue,
  "proforma.paid": proforma.paid,
  "proforma.cancelled": proforma.cancelled,
  "image.ready": { before: image("capturing"), now: image("available"), says: "is ready to be used" },
  "image.failed": { before: image("capturing"), now: image("error"), says: "could not be made" },
};

async function sellServer(story: Story): Promise<void> {
  const plan = { productId: productId("VPS M"), billingCycle: "monthly", quantity: 1 } as const;
  const configuration = { location: "es-mad", hostname: "shop-7.example.test" };
  const order = placeOrder(elsewhere(story).reseller, { ...plan, externalOrderId: "shop-7", configuration });
  await order.catch((error: unknown) => expect(String(error)).toContain("402"));
}

const missed: Record<PolledSupplierEvent, Found> = {
  "service.suspended": { now: suspended, says: "`mail.example.test` is suspended" },
  "service.unsuspended": { before: suspended, now: active, says: "`mail.example.test` is no longer suspended" },
  "service.terminated": { now: ended, says: "`mail.example.test` was terminated" },
  "service.provisioning_failed": { now: failed, says: "`mail.example.test` could not be built" },
  "service.provisioned": {
    before: ({ platform }) => platform.change("mail", { status: "installing" }),
    now: active,
    says: "`mail.example.test` is ready",
  },
  "order.paid": { now: sellServer, says: "is paid" },
  "order.invoiced": {
    now(story) {
      story.platform.reseller.settings.mode = "invoice";
      return sellServer(story);
    },
    says: "was invoiced instead of charged",
  },
  "order.payment_failed": {
    now(story) {
      story.platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
      return sellServer(story);
    },
    says: "Your card was declined",
  },
};

test.each(Object.entries(own))("%s is found by reading one's own account, and says so", async (event, found) => {
  const story = await read();
  await found.before?.(story);
  if (found.before) await passRound(story);
  await found.now(story);
  for (let rounds = 0; rounds < 2; rounds += 1) await passRound(story);
  const card = await story.passes(() => cards(story, found.says)[0], `the card of ${event}`);
  expect(said(card)).toContain("found by polling");
  const events = [event, ...(found.or ? [found.or] : [])].join(",");
  await story.ask(story.ana, `/rackbell alerts try events=${events}`, "would have let 1 of the last");
});

test.each(Object.entries(missed))("%s without an event is found by reading, and says so", async (event, found) => {
  const story = await read({ apis: ["reseller"], withEvents: true });
  story.platform.reseller.webhooks.faults.lateMs = day;
  await found.before?.(story);
  if (found.before) for (let rounds = 0; rounds < 3; rounds += 1) await passRound(story, { api: "reseller" });
  await found.now(story);
  for (let rounds = 0; rounds < 3; rounds += 1) await passRound(story, { api: "reseller" });
  const card = await story.passes(() => cards(story, found.says)[0], `the card of ${event}`);
  expect(said(card)).toContain("the webhook never arrived");
  await story.ask(story.ana, `/rackbell alerts try events=${event}`, "would have let 1 of the last");
});

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
  /** The rounds of one story follow each other, and each kind has a resource of its own, or a later round of one. */
  round: number;
  /** How it comes to be as it was before: the round before learns it. */
  before?: (story: Story) => unknown;
  /** An event that then happens elsewhere. */
  now: (story: Story) => unknown;
  says: RegExp;
  /** How often it happens in its story; once by default. */
  times?: number;
}

/** The supplier's events that polling finds, too. Name an event here that no read can show. */
type PolledSupplierEvent = Exclude<WebhookEventName, "webhook.test">;
/** Those of a state that only resold services have. */
type Withholding = "service.withheld" | "service.released";
/** Those that it finds of the own account. */
type Own =
  | Exclude<EventName, WebhookEventName | Withholding | "event.missing">
  | Exclude<PolledSupplierEvent, `order.${string}`>;

type OrderEvent = `order.${string}`;

const machine = (name: string, state: NonNullable<Vps["instance"]>["state"]) => (story: Story) =>
  story.platform.change(name, { instance: { state } });
const image = (name: string, status: "capturing" | "available" | "error") => (story: Story) =>
  story.platform.changeImage(name, { status });
const service = (name: string, status: Vps["status"]) => (story: Story) => story.platform.change(name, { status });

type DocumentType = "invoice" | "proforma";

function bill({ platform }: Story, type: DocumentType): void {
  platform.settings.document = type;
  platform.bill("Colocation", 1_000);
}

function newest({ platform }: Story, type: DocumentType): string {
  return platform.documents().findLast((one) => one.status === "unpaid" && one.type === type)?.id ?? "";
}

/** One document from its bill to its payment, and another that is cancelled. */
function documents(type: DocumentType, name: string) {
  const says = (words: string) => new RegExp(`${name} \`[^\`]+\` ${words}`);
  const fallDue = (days: number) => (story: Story) => story.platform.fallDue(newest(story, type), days);
  return {
    new: { round: 1, now: (story: Story) => bill(story, type), says: says("waits to be paid"), times: 2 },
    due_soon: { round: 2, now: fallDue(2), says: says("falls due") },
    overdue: { round: 3, now: fallDue(-1), says: says("is overdue") },
    postponed: { round: 4, now: fallDue(20), says: says("was postponed: it falls due") },
    paid: {
      round: 5,
      now: (story: Story) => story.platform.payByOperator(newest(story, type)),
      says: says("is paid"),
    },
    cancelled: {
      round: 6,
      before: (story: Story) => bill(story, type),
      now: (story: Story) => story.platform.cancelByOperator(newest(story, type)),
      says: says("was cancelled"),
    },
  };
}

const invoice = documents("invoice", "Invoice");
const proforma = documents("proforma", "Proforma");

/** Those of a service, which both APIs show. */
const services = {
  "service.suspended": { round: 1, now: service("mail", "suspended"), says: /`mail.example.test` is suspended/ },
  "service.unsuspended": {
    round: 2,
    now: service("mail", "active"),
    says: /`mail.example.test` is no longer suspended/,
  },
  "service.terminated": {
    round: 1,
    now: service("worker-1", "terminated"),
    says: /`worker-1.example.test` was terminated/,
  },
  "service.provisioning_failed": {
    round: 1,
    now: service("web-2", "provisioning_failed"),
    says: /`web-2.example.test` could not be built/,
  },
  "service.cancelled": { round: 3, now: service("mail", "cancelled"), says: /`mail.example.test` was cancelled/ },
} satisfies Partial<Record<EventName, Found>>;

const own: Record<Exclude<Own, OrderEvent>, Found> = {
  ...services,
  "service.provisioned": { round: 2, now: service("web-2", "active"), says: /`web-2.example.test` is ready/ },
  "service.due_soon": {
    round: 1,
    now: ({ platform }) => platform.renewIn("db-1", 1),
    says: /The renewal of .* falls due/,
  },
  "service.overdue": {
    round: 1,
    now: ({ platform }) => platform.renewIn("six-only", -2),
    says: /The renewal of .* is overdue since/,
  },
  "service.renewed": { round: 2, now: ({ platform }) => platform.renewIn("six-only", 28), says: /is renewed until/ },
  "service.ending": {
    round: 2,
    now: ({ platform, clock }) =>
      platform.change("db-1", { cancellation: { scheduled_date: new Date(clock.now() + day).toISOString() } }),
    says: /`db-1.example.test` is not renewed and ends/,
  },
  "resource.gone": {
    round: 2,
    now: ({ platform }) => platform.remove("worker-3"),
    says: /The platform no longer shows `worker-3.example.test`/,
  },
  "machine.stopped": { round: 1, now: machine("web-1", "stopped"), says: /`web-1.example.test` has stopped/ },
  "machine.running": { round: 2, now: machine("web-1", "running"), says: /`web-1.example.test` runs/ },
  "machine.paused": { round: 1, now: machine("worker-3", "paused"), says: /is paused/ },
  "machine.error": { round: 1, now: machine("db-1", "error"), says: /is in error/ },
  "machine.orphaned": { round: 1, now: machine("windows-1", "orphaned"), says: /has lost its host/ },
  "invoice.new": invoice.new,
  "invoice.due_soon": invoice.due_soon,
  "invoice.overdue": invoice.overdue,
  "invoice.postponed": invoice.postponed,
  "invoice.paid": invoice.paid,
  "invoice.cancelled": invoice.cancelled,
  "proforma.new": proforma.new,
  "proforma.due_soon": proforma.due_soon,
  "proforma.overdue": proforma.overdue,
  "proforma.postponed": proforma.postponed,
  "proforma.paid": proforma.paid,
  "proforma.cancelled": proforma.cancelled,
  "image.ready": {
    round: 2,
    before: image("golden-web", "capturing"),
    now: image("golden-web", "available"),
    says: /`golden-web` is ready to be used/,
  },
  "image.failed": {
    round: 2,
    before: image("legacy-import", "capturing"),
    now: image("legacy-import", "error"),
    says: /`legacy-import` could not be made/,
  },
};

/** Lets each kind happen in its round, and looks for its card after it, which a later event may change. */
async function findsEach(story: Story, kinds: Record<string, Found>, found: string, rounds: () => Promise<void>) {
  const all = Object.entries(kinds);
  const last = Math.max(...all.map(([, { round }]) => round));
  for (let round = 1; round <= last; round += 1) {
    const now = all.filter(([, kind]) => kind.round === round);
    for (const [, kind] of now) await kind.now(story);
    for (const [, kind] of all.filter((one) => one[1].round === round + 1)) await kind.before?.(story);
    await rounds();
    for (const [event, { says }] of now) {
      const card = await story.passes(() => cards(story).find((one) => says.test(said(one))), `the card of ${event}`);
      expect(said(card), event).toContain(found);
    }
  }
  for (const [event, { times = 1 }] of all)
    await story.ask(story.ana, `/rackbell alerts try events=${event}`, `would have let ${times} of the last`);
}

async function ordered(story: Story): Promise<void> {
  const plan = { productId: productId("VPS M"), billingCycle: "monthly", location: "es-mad" } as const;
  await createOrder(elsewhere(story).customer, "elsewhere-1", { ...plan, hostname: "new-1.example.test" });
}

/** Each in a story of its own: what becomes of an order is a setting of the platform. `or` may say the same before it, and stands for it. */
const ownOrders: Record<Extract<Own, OrderEvent>, { failure: "capacity" | null; says: string; or?: string }> = {
  "order.completed": { failure: null, says: "All of order" },
  "order.failed": { failure: "capacity", says: "could not be built", or: "service.provisioning_failed" },
};

async function sellServer(story: Story): Promise<void> {
  const plan = { productId: productId("VPS M"), billingCycle: "monthly", quantity: 1 } as const;
  const configuration = { location: "es-mad", hostname: "shop-7.example.test" };
  const order = placeOrder(elsewhere(story).reseller, { ...plan, externalOrderId: "shop-7", configuration });
  await order.catch((error: unknown) => expect(String(error)).toContain("402"));
}

const withhold = (name: string, withheld: boolean) => (story: Story) => {
  const { platform } = story;
  platform.reseller.withhold(platform.find(name).id, withheld);
};

const missed: Record<Exclude<PolledSupplierEvent, OrderEvent> | Withholding, Found> = {
  ...services,
  "service.withheld": { round: 1, now: withhold("web-1", true), says: /The platform withholds `web-1.example.test`/ },
  "service.released": {
    round: 2,
    now: withhold("web-1", false),
    says: /The platform no longer withholds `web-1.example.test`/,
  },
  "service.provisioned": {
    round: 2,
    before: service("plugin-1", "installing"),
    now: service("plugin-1", "active"),
    says: /`plugin-1.example.test` is ready/,
  },
};

const missedOrders: Record<
  Extract<PolledSupplierEvent, OrderEvent>,
  { before(story: Story): void; says: string; offers?: string }
> = {
  "order.paid": { before() {}, says: "is paid" },
  "order.invoiced": {
    before({ platform }) {
      platform.reseller.settings.mode = "invoice";
    },
    says: "was invoiced instead of charged",
    offers: "Pay…",
  },
  "order.payment_failed": {
    before: ({ platform }) =>
      platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" }),
    says: "Your card was declined",
  },
};

/** A story in which the supplier's events come a day late. */
async function readLate(): Promise<Story> {
  const story = await read({ apis: ["reseller"], withEvents: true });
  story.platform.reseller.webhooks.faults.lateMs = day;
  return story;
}

async function passLateRounds(story: Story): Promise<void> {
  for (let rounds = 0; rounds < 3; rounds += 1) await passRound(story, { api: "reseller" });
}

test("each kind of event is found by reading one's own account, and says so", async () => {
  const story = await read();
  await findsEach(story, own, "found by polling", async () => {
    for (let rounds = 0; rounds < 2; rounds += 1) await passRound(story);
  });
});

test.each(Object.entries(ownOrders))("%s is found by reading one's own account, and says so", async (event, found) => {
  const story = await read();
  const { platform } = story;
  await ordered(story);
  await passRound(story);
  platform.settings.buildFailure = found.failure;
  platform.payByOperator(platform.orders().at(-1)?.document_id ?? "");
  for (let rounds = 0; rounds < 2; rounds += 1) await passRound(story);
  const card = await story.passes(() => cards(story, found.says)[0], `the card of ${event}`);
  expect(said(card)).toContain("found by polling");
  const events = [event, ...(found.or ? [found.or] : [])].join(",");
  await story.ask(story.ana, `/rackbell alerts try events=${events}`, "would have let 1 of the last");
});

test("each kind of event of a resold service is found by reading where its webhook never comes, and says so", async () => {
  const story = await readLate();
  await findsEach(story, missed, "the webhook had not arrived by then", () => passLateRounds(story));
});

test.each(Object.entries(missedOrders))(
  "%s without an event is found by reading, and says so",
  async (event, found) => {
    const story = await readLate();
    found.before(story);
    await sellServer(story);
    await passLateRounds(story);
    const card = await story.passes(() => cards(story, found.says)[0], `the card of ${event}`);
    expect(said(card)).toMatch(/\d EUR excl\. VAT/);
    expect(said(card)).toContain(found.offers ?? "Show order");
    expect(said(card)).toContain("the webhook had not arrived by then");
    await story.ask(story.ana, `/rackbell alerts try events=${event}`, "would have let 1 of the last");
  },
);

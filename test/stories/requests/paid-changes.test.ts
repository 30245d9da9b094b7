import { expect, test } from "vitest";
import { z } from "zod";
import { agentsOn, connect, newToken } from "../agents/agent.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { decision, everybody, goAhead, type Story, said, startStory, writeRoutes } from "../story.ts";

// A change of plan takes effect when its document is paid. So whoever pays it decides about the disk, wherever the change was requested.

/** A plan with a smaller disk at a higher price: its change has a document. */
const smaller = { specs: { cpu: 4, ram: 8192, storage: 25 } };

/** A change of `web-2` that waits for its payment, as its request by a colleague leaves it. */
async function startUnpaid(options: Parameters<typeof startStory>[0] = {}, change = smaller) {
  const story = await startStory({ linked: ["ana", "ben"], ...options });
  const { ben, platform } = story;
  platform.changeProduct("VPS L", change);
  const request = await story.ask(ben, '/service upgrade web-2 to="VPS L"', "VPS L");
  await story.pressing(ben, request, goAhead, "is requested");
  const bill = newest(story);
  platform.clearCalls();
  return { ...story, story, request, bill };
}

function newest({ platform }: Pick<Story, "platform">) {
  const bill = platform.documents().at(-1);
  if (!bill) throw new Error("No document");
  return bill;
}

const loss = "The disk will shrink from 50 GB to 25 GB. Data that does not fit will be lost.";

test("a payment that starts a downgrade tracks it under that name, to its end", async () => {
  const { story, ana, bill } = await startUnpaid();
  const request = await story.ask(ana, `/billing pay ${bill.number}`, "asks to");
  const paid = await story.pressing(ana, request, goAhead, "begins now");
  await story.pressing(ana, paid, "Track it", "The downgrade of `web-2` to `VPS L` is paid and being carried out");
  await story.comesToSee(ana, "The downgrade of `web-2` to `VPS L` took effect");
});

test.each(["the change itself", "a card", "an agent"])("a payment by way of %s shows the same loss", async (way) => {
  const { story, ana, ben, bill } = await startUnpaid({ environment: agentsOn });
  if (way === "the change itself") {
    const answer = await story.sees(ben, "The downgrade of `web-2` to `VPS L` is requested");
    await ben.press(answer, "Pay…");
    await story.sees(ben, "asks to", loss);
  }
  if (way === "a card") {
    const card = await story.ask(ana, `/billing show ${bill.number}`, "left to pay");
    await ana.press(card, "Pay…");
    await story.sees(ana, "asks to", loss);
  }
  if (way === "an agent") {
    const agent = await connect(story, await newToken(story, ana, "claude", "may=propose"));
    const call = { command: "billing pay", target: bill.number, why: "It is due", key: "pay-web-2" };
    const proposed = await agent.call("propose", call);
    expect(JSON.stringify(proposed)).toContain("The disk will shrink from 50 GB to 25 GB");
    await story.seesIn("dm", ana, "proposes to", loss);
  }
});

test("a payment whose new disk the platform does not name counts as one that shrinks it", async () => {
  const { story, ana, platform, bill } = await startUnpaid();
  platform.changeProduct("VPS M", { upgrades: [] });
  const request = await story.ask(
    ana,
    `/billing pay ${bill.number}`,
    "asks to",
    "The platform does not name the new disk",
  );
  expect(said(request)).toContain("This will start the change of `web-2` (");
  expect((await decision(ana, request)).style).toBe("danger");
});

test("a payment whose new plan the platform does not name may end the add-ons of the machine", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.changeProduct(platform.find("web-1").product.name, { upgrades: [platform.product("VPS L").id] });
  const change = await story.ask(ana, '/service upgrade web-1 to="VPS L"', "VPS L");
  await story.pressing(ana, change, goAhead, "is requested");
  platform.changeProduct(platform.find("web-1").product.name, { upgrades: [] });
  const words = ["The platform does not name the new add-ons. `Daily backup` may end."];
  await story.ask(ana, `/billing pay ${newest(story).number}`, "asks to", ...words);
});

test.each([
  ["demand=two-approvals risk=destroy", "demand=one-approval risk=spend"],
  ["demand=one-approval risk=destroy", "demand=two-approvals risk=spend"],
  ["demand=one-approval risk=destroy", 'demand=two-approvals command="service upgrade"'],
])("of the rules about the loss, the price and the change itself the strictest applies: %s, %s", async (...rules) => {
  const { story, ana, ben, caro, platform } = await startUnpaidAs(rules);
  const request = await story.ask(ana, `/billing pay ${newest({ platform }).number}`, "asks to", "Two others than");
  await story.pressing(ben, request, goAhead, "1 of 2");
  expect(writeRoutes(story)).toEqual([]);
  await story.pressing(caro, request, goAhead, "The downgrade of `web-2` to `VPS L` begins now");
  expect(writeRoutes(story)).toEqual(["POST /invoices/{id}/pay"]);
});

/** The change was requested in the panel, where no rule of the workspace applies. */
async function startUnpaidAs(rules: string[]) {
  const story = await startStory({ linked: everybody, rules });
  const { platform } = story;
  platform.changeProduct("VPS L", smaller);
  await fetch(`${platform.url}/services/${platform.find("web-2").id}/upgrades`, {
    method: "POST",
    headers: { authorization: `Bearer ${platform.keys.ana.key}`, "content-type": "application/json" },
    body: JSON.stringify({ toProductId: platform.product("VPS L").id }),
  });
  platform.clearCalls();
  return { ...story, story };
}

const proven = ["order names it", "it names order"] as const;
const readings = [...proven, "it names its number", "neither"] as const;

function isProven(reading: (typeof readings)[number]): boolean {
  return proven.some((one) => one === reading);
}

test.each(readings)("the loss is shown where of the document and its order %s", async (documentOrder) => {
  const { story, ana, platform, bill } = await startUnpaid();
  platform.settings.shapes.documentOrder = documentOrder;
  const request = await story.ask(ana, `/billing pay ${bill.number}`, "asks to", loss);
  expect(said(request)).toContain(
    isProven(documentOrder)
      ? "This will start the downgrade of `web-2` to `VPS L`"
      : "The platform does not show if this will start the downgrade of `web-2` to `VPS L`",
  );
});

test.each(readings)("a renewal of another machine is paid as before where %s", async (documentOrder) => {
  const { story, ana, platform } = await startUnpaid();
  platform.settings.shapes.documentOrder = documentOrder;
  const renewal = await story.ask(ana, "/service renew web-1", "the next renewal of `web-1`");
  await story.pressing(ana, renewal, goAhead, "The renewal of `web-1` was issued");
  const request = await story.ask(ana, `/billing pay ${newest(story).number}`, "from the credit balance");
  expect(request.ephemeralTo).toBeDefined();
  expect(said(request)).not.toMatch(/start|lost/);
});

test.each(proven)("an add-on of the same machine is paid as before where %s", async (documentOrder) => {
  const { story, ana, platform } = await startUnpaid();
  platform.settings.shapes.documentOrder = documentOrder;
  const addOn = await story.ask(ana, "/service option add web-2 option=Monitoring", "Monitoring");
  await story.pressing(ana, addOn, goAhead, "was ordered");
  const request = await story.ask(ana, `/billing pay ${newest(story).number}`, "from the credit balance");
  expect(request.ephemeralTo).toBeDefined();
  expect(said(request)).not.toMatch(/start|lost/);
});

test.each(proven)(
  "a document that names nothing is paid as before where the change has another: %s",
  async (documentOrder) => {
    const { story, ana, platform } = await startUnpaid();
    platform.settings.shapes.documentOrder = documentOrder;
    const request = await story.ask(
      ana,
      `/billing pay ${platform.bill("Consulting", 1_000).number}`,
      "from the credit",
    );
    expect(request.ephemeralTo).toBeDefined();
    expect(said(request)).not.toMatch(/start|lost/);
  },
);

test("a document that names nothing counts as that of the change while the platform shows no link", async () => {
  const { story, ana, platform } = await startUnpaid();
  platform.settings.shapes.documentOrder = "neither";
  const { number } = platform.bill("Consulting", 1_000);
  await story.ask(ana, `/billing pay ${number}`, "asks to", "does not show if this will start the downgrade", loss);
});

test("a document is held against several pending changes by one reading of the unpaid documents", async () => {
  const { story, ana, ben, platform } = await startUnpaid();
  const other = await story.ask(ben, '/service upgrade worker-2 to="VPS L"', "VPS L");
  await story.pressing(ben, other, goAhead, "is requested");
  platform.settings.shapes.documentOrder = "neither";
  const { number } = platform.bill("Consulting", 1_000);
  const card = await story.ask(ana, `/billing show ${number}`, "left to pay");
  platform.clearCalls();
  await ana.press(card, "Pay…");
  await story.sees(ana, "asks to", "`web-2`", "`worker-2`");
  const lists = platform.calls().flatMap(({ path, query }) => (query.status ? [`${path} ${query.status}`] : []));
  expect([...new Set(lists)]).toHaveLength(4);
  expect(lists).toHaveLength(4);
});

test("a key that sees one project, or no orders, cannot tell what it pays, so its payment counts as a loss", async () => {
  const { story, ana, ben, platform } = await startUnpaid();
  const { number } = platform.bill("Consulting", 1_000);
  platform.changeUser("ben", { permissions: new Set(["invoices.view", "invoices.pay", "billing.view"]) });
  await story.ask(ben, `/billing pay ${number}`, "asks to", "Your key may not read orders.", "Data may be lost.");
  await story.link(ana, platform.keys.bound.key);
  await story.ask(
    ana,
    `/billing pay ${newest(story).number} amount=5`,
    "asks to",
    "sees only the project `Production`",
  );
});

/** A change of `web-2` on a platform that numbers orders and documents each by the year, with one of each before it. */
async function startByYear(documentOrder: (typeof readings)[number], before: (story: Story) => Promise<void>) {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ben, platform } = story;
  Object.assign(platform.settings.shapes, { numbers: "by the year", documentOrder });
  platform.changeProduct("VPS L", smaller);
  await before(story);
  const request = await story.ask(ben, '/service upgrade web-2 to="VPS L"', "VPS L");
  await story.pressing(ben, request, goAhead, "is requested");
  return { ...story, story, bill: newest(story), order: platform.orders().at(-1) };
}

test.each(readings)(
  "the number of the change's order on another document links nothing where %s",
  async (documentOrder) => {
    const consulting: { id?: string } = {};
    const { story, ana, platform, bill, order } = await startByYear(documentOrder, async ({ platform: { bill } }) => {
      consulting.id = bill("Consulting", 4_000).id;
    });
    const other = platform.documents().find(({ id }) => id === consulting.id);
    expect(other?.number).toBe(order?.number);
    const paid = await story.ask(ana, `/billing pay ${other?.id} amount=1`, "the credit balance");
    const isShown = isProven(documentOrder);
    expect(said(paid).includes("does not show if this will start the downgrade")).toBe(!isShown);
    expect(said(paid)).not.toContain("This will start");
    await story.pressing(ana, paid, goAhead, "47.40 EUR left");
    const withdrawal = await story.ask(ana, "/service upgrade cancel web-2", isShown ? "is withdrawn" : "asks to");
    expect(said(withdrawal)).not.toContain("for it is paid already");
    await story.ask(ana, `/billing pay ${bill.id}`, isShown ? "nothing is left to pay" : loss);
  },
);

test.each(readings)(
  "the number of the change's document on an old order hides no loss where %s",
  async (documentOrder) => {
    const { story, ana, platform, bill } = await startByYear(documentOrder, async (begun) => {
      const free = await begun.ask(begun.ben, '/service upgrade worker-2 to="VPS S"', "costs nothing today");
      await begun.pressing(begun.ben, free, goAhead, "took effect at once");
    });
    expect(platform.orders().map(({ number }) => number)).toContain(bill.number);
    await story.ask(ana, `/billing pay ${bill.id}`, "asks to", "the downgrade of `web-2` to `VPS L`", loss);
  },
);

const unshown = ["Rackbell cannot see what this document pays.", "Data may be lost."];
const unlisted = (["empty", "left out"] as const).flatMap((services) =>
  readings.map((documentOrder) => [services, documentOrder] as const),
);

test.each(unlisted)(
  "a payment for a change whose order's services are %s counts as a loss where of document and order %s",
  async (changedServices, documentOrder) => {
    const { story, ana, platform, bill } = await startUnpaid();
    Object.assign(platform.settings.shapes, { changedServices, documentOrder });
    const reason = "The order of a change names no service.";
    const request = await story.ask(ana, `/billing pay ${bill.number}`, "asks to", reason, ...unshown);
    expect((await decision(ana, request)).style).toBe("danger");
    const { number } = platform.bill("Consulting", 1_000);
    const other = await story.ask(ana, `/billing pay ${number}`, "from the credit balance");
    expect(said(other).includes("Data may be lost")).toBe(!isProven(documentOrder));
  },
);

const refused = readings.flatMap((documentOrder) => [
  ["/services/{id}/upgrades", 400, documentOrder] as const,
  ["/services/{id}/upgrades", 404, documentOrder] as const,
  // Of the service that is gone, only a link shows that the document pays its change.
  ...(documentOrder === "neither" ? [] : [["/services/{id}", 404, documentOrder] as const]),
]);

test.each(refused)(
  "a payment for a change counts as a loss where %s answers %i, and where of document and order %s",
  async (path, status, documentOrder) => {
    const { story, ana, platform, bill } = await startUnpaid();
    platform.settings.shapes.documentOrder = documentOrder;
    const body = { success: false, error: "Not shown", code: "NOT_SHOWN" };
    platform.faults.next({ how: { status, body }, method: "GET", path, times: 1_000 });
    const reason = "The platform does not show what an order changes.";
    const request = await story.ask(ana, `/billing pay ${bill.number}`, "asks to", reason, ...unshown);
    expect((await decision(ana, request)).style).toBe("danger");
  },
);

test("a payment for a change whose order names many services counts as a loss, and reads none of them", async () => {
  const { story, ana, platform, bill } = await startUnpaid();
  platform.settings.shapes.changedServices = "left out";
  const services = Array.from({ length: 21 }, (_, at) => ({ id: `service-${at}` }));
  const rewrite = (body: unknown) => {
    const { order } = z.object({ data: z.object({ order: z.looseObject({}) }) }).parse(body).data;
    return { success: true, data: { order: { ...order, services } } };
  };
  platform.faults.next({ how: { rewrite }, method: "GET", path: "/orders/{id}", times: 1_000 });
  const reason = "The account has too many changes of services.";
  const request = await story.ask(ana, `/billing pay ${bill.number}`, "asks to", reason, ...unshown);
  expect((await decision(ana, request)).style).toBe("danger");
  expect(platform.calls().filter(({ path }) => path.startsWith("/services/service-"))).toEqual([]);
});

test("a part payment shows the loss of the whole, and asks for the part where the balance does not cover it", async () => {
  const { story, ana, ben, platform, bill } = await startUnpaid();
  platform.changeUser("ben", { balance: 100 });
  await story.ask(ben, `/billing pay ${bill.number}`, "others would see how much is in it", "Nothing was requested");
  const request = await story.ask(ana, `/billing pay ${bill.number} amount=1`, "asks to", loss);
  expect(said(request)).toContain("This will happen when the rest is paid, also if another member pays it.");
  const paid = await story.pressing(ana, request, goAhead, "left to pay");
  expect(said(paid)).not.toContain("begins now");
});

test("a change that is withdrawn, or made smaller, after the question voids the payment, and nothing is charged", async () => {
  const { story, ana, platform, bill } = await startUnpaid({}, { specs: { cpu: 4, ram: 8192, storage: 100 } });
  const request = await story.ask(ana, `/billing pay ${bill.number}`, "start the upgrade");
  platform.changeProduct("VPS L", smaller);
  await story.pressing(ana, request, goAhead, "Something changed since this request", "Disk");
  expect(writeRoutes(story)).toEqual([]);
});

test("a payment whose answer was lost says what it started", async () => {
  const { story, ana, platform, bill } = await startUnpaid();
  const request = await story.ask(ana, `/billing pay ${bill.number}`, "asks to");
  platform.faults.next({ how: "reset", method: "POST", path: "/invoices/{id}/pay", applied: true });
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "It was done after all", "The downgrade of `web-2` to `VPS L` begins now");
  expect(writeRoutes(story)).toEqual(["POST /invoices/{id}/pay"]);
});

test("paying the document of a resold service's other package shows the same loss", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.reseller.settings.mode = "invoice";
  platform.changeProduct("VPS L", smaller);
  const change = await story.ask(ana, '/reseller service upgrade ACME-001 to="VPS L"', "asks to", loss);
  const accepted = await story.pressing(
    ana,
    change,
    goAhead,
    "The downgrade of `web-2.example.test` to `VPS L` is accepted",
  );
  await story.pressing(ana, accepted, "Pay…", "asks to", "This will start the downgrade of `web-2` to `VPS L`", loss);
});

test("paying a change of add-ons shows the add-on that it ends", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const values = 'add="Monitoring, Extra IPv4 address" remove="Daily backup"';
  const change = await story.ask(ana, `/service options change web-1 ${values}`, "asks to");
  await story.pressing(ana, change, goAhead, "is requested");
  const request = await story.ask(ana, `/billing pay ${newest(story).number}`, "asks to");
  expect(said(request)).toContain("This will start the change of add-ons of `web-1` (");
  expect(said(request)).toContain("`Daily backup` will end");
  expect((await decision(ana, request)).style).toBe("danger");
  await story.pressing(ana, request, goAhead, "The change of add-ons of `web-1` begins now");
});

test("nobody learns a balance from the sum that it covers, nor from one that it no longer covers", async () => {
  const story = await startStory({ linked: ["ana", "ben"], rules: ["demand=one-approval risk=spend"] });
  const { ana, ben, platform } = story;
  const bill = platform.bill("Consulting", 40_000);
  await story.ask(ana, `/billing pay ${bill.number}`, "others would see how much is in it");
  const part = await story.ask(ana, `/billing pay ${bill.number} amount=100`, "asks to");
  const whole = await story.ask(ana, `/billing pay ${platform.bill("Support", 10_000).number}`, "asks to");
  platform.changeUser("ana", { balance: 1_234 });
  await story.pressing(ben, part, goAhead, /The balance of <@\w+> does not cover 100\.00 EUR/);
  await story.pressing(ben, whole, goAhead, "Something changed since this request", "all that the balance has");
  expect([...ben.sees(), ...ben.sees("dm")].map(said).join()).not.toMatch(/250\.00|12\.34/);
  expect(writeRoutes(story)).toEqual([]);
});

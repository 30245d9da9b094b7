import { expect, test } from "vitest";
import type { Actor, Message } from "../../../src/sandbox/slack/server.ts";
import { reviewOf } from "../ordering.ts";
import { decision, goAhead, type Story, said, startStory, writes } from "../story.ts";

const path = { options: /\/options$/, upgrades: /\/upgrades(\/options)?$/, renew: /\/renew$/ };

function sent({ platform }: Story, to: RegExp) {
  return platform.calls().filter((call) => call.method === "POST" && to.test(call.path));
}

function openDocuments({ platform }: Story) {
  return platform.documents().filter(({ status }) => status === "unpaid").length;
}

test("the plans can be compared: fee, credit, tax, total and days, and each has its button", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const preview = await story.ask(ana, "/service upgrades web-2", "`web-2` can go to 3 plans");
  for (const text of ["VPS S", "VPS L", "VPS M plus", "Fee", "Credit for unused time", "Tax", "Days left"])
    expect(said(preview)).toContain(text);
  expect(said(preview)).toContain("EUR");
});

test("an upgrade shows its price to the requester alone, waits for its payment, and is tracked to the end", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  const request = await story.ask(
    ana,
    '/service upgrade web-2 to="VPS L"',
    "costs",
    "today, tax included",
    "Your balance",
  );
  expect(ben.sees().map(said).join()).not.toContain("Your balance");
  expect(sent(story, path.upgrades)).toEqual([]);
  await ana.press(request, goAhead);
  const waiting = await story.sees(ana, "· <@", ":hourglass_flowing_sand:", "An invoice of", "EUR waits to be paid");
  expect(said(waiting)).toContain("Pay…");
  expect(said(waiting)).toContain("Withdraw");
  const bill = platform.documents().find(({ cause }) => cause === "upgrade");
  platform.payByOperator(bill?.id ?? "");
  await story.comesToSee(ana, "took effect");
  expect(platform.find("web-2").product.name).toBe("VPS L");
  expect(sent(story, path.upgrades)).toHaveLength(1);
});

test("an upgrade that costs nothing is said to be done at once, and owes nothing", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const before = openDocuments(story);
  const request = await story.ask(
    ana,
    '/service upgrade web-2 to="VPS S"',
    "costs nothing today",
    "cannot be withdrawn",
  );
  await ana.press(request, goAhead);
  await story.sees(ana, "took effect at once");
  expect(platform.find("web-2").product.name).toBe("VPS S");
  expect(openDocuments(story)).toBe(before);
});

test.each([true, false])(
  "a fee is to be paid, and money rules judge it, where it is in the net: %s",
  async (feeInNet) => {
    const story = await startStory({ linked: ["ana"], rules: ['demand=not-allowed risk=spend over="5 EUR"'] });
    const { ana, platform } = story;
    platform.settings.shapes.feeInNet = feeInNet;
    for (const plan of ["VPS S", "VPS M plus"]) platform.changeProduct(plan, { upgrade_fee: 1_000 });
    const preview = await story.ask(ana, "/service upgrades web-2", "`VPS M plus`*: *12.10 EUR* to pay today");
    expect(said(preview)).not.toContain("nothing");
    await story.ask(ana, '/service upgrade web-2 to="VPS M plus"', "does not allow");
    await story.ask(ana, '/service upgrade web-2 to="VPS S"', "does not allow");
    expect(writes(story)).toEqual([]);
  },
);

test("a second change waits for the first, which can be shown, followed and withdrawn", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/service upgrade show web-2", "No change of `web-2` is pending");
  const request = await story.ask(ana, '/service upgrade web-2 to="VPS L"', "costs");
  await ana.press(request, goAhead);
  await story.sees(ana, "waits to be paid", "· <@");
  await story.ask(ana, '/service upgrade web-2 to="VPS M plus"', "is awaiting payment already", "Nothing was sent");
  await story.ask(ana, "/service options change web-2 add=Monitoring", "is awaiting payment already");
  expect(sent(story, path.upgrades)).toHaveLength(1);
  const shown = await story.ask(ana, "/service upgrade show web-2", "The upgrade of `web-2` to `VPS L` awaits payment");
  await ana.press(shown, "Track it");
  await story.sees(ana, "Upgrade show", "awaits payment");
  await story.ask(ana, "/service upgrade cancel web-2", "is withdrawn", "Nothing changed");
  await story.comesToSee(ana, "Upgrade show", "The upgrade of `web-2` to `VPS L` was withdrawn");
  expect(platform.documents().find(({ cause }) => cause === "upgrade")?.status).toBe("cancelled");
  // The same command within a moment would count as a double press.
  story.clock.skip(60_000);
  await story.ask(ana, "/service upgrade cancel web-2", "No change of `web-2` is pending");
});

/** The number of the unpaid document of a change. Others of the account are unpaid as well, one of them in part. */
function changeDocument({ platform }: Story): string {
  const isOpen = ({ cause, status }: { cause: string; status: string }) => cause === "upgrade" && status === "unpaid";
  return platform.documents().find(isOpen)?.number ?? "";
}

test.each([
  ["plan", '/service upgrade web-2 to="VPS L"', "costs"],
  ["add-ons", "/service options change web-2 add=Monitoring", "add-ons of `web-2` will change"],
])(
  "a change of %s that is paid in part is withdrawn only after a question with the paid sum",
  async (_, command, words) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    await story.pressing(ana, await story.ask(ana, command, words), goAhead, "waits to be paid");
    const number = changeDocument(story);
    const pay = await story.ask(ana, `/billing pay ${number} amount=0.10`, "0.10 EUR from the credit balance");
    await story.pressing(ana, pay, goAhead, "0.10 EUR paid on");
    platform.clearCalls();
    const part = `0.10 EUR of the invoice \`${number}\` for it is paid already.`;
    const back = "The platform does not say if it gives that money back.";
    const request = await story.ask(ana, "/service upgrade cancel web-2", "This will withdraw the", part, back);
    const { asks } = await decision(ana, request);
    expect(asks).toContain("0.10 EUR of the invoice");
    expect(asks).toContain(back);
    expect(writes(story)).toEqual([]);
    await story.pressing(ana, request, goAhead, "is withdrawn", "nothing more is to be paid", part, back);
    expect(writes(story)).toHaveLength(1);
  },
);

test("a change of which a part is paid after its withdrawal was asked about is not withdrawn", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.pressing(
    ana,
    await story.ask(ana, '/service upgrade web-2 to="VPS L"', "costs"),
    goAhead,
    "waits to be paid",
  );
  const number = changeDocument(story);
  const payPart = async (amount: string) =>
    story.pressing(
      ana,
      await story.ask(ana, `/billing pay ${number} amount=${amount}`, `${amount} EUR from`),
      goAhead,
      "paid on",
    );
  await payPart("0.50");
  const request = await story.ask(ana, "/service upgrade cancel web-2", "0.50 EUR of the invoice");
  await payPart("0.25");
  await story.pressing(ana, request, goAhead, "*Paid already* changed", "0.75 EUR of the invoice", "Nothing was done");
});

test("a change whose documents cannot be read is withdrawn only after a question that says so", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.pressing(
    ana,
    await story.ask(ana, '/service upgrade web-2 to="VPS L"', "costs"),
    goAhead,
    "waits to be paid",
  );
  const refused = { status: 403, body: { success: false, code: "FORBIDDEN", error: "Not yours" } };
  platform.faults.next({ how: refused, path: "/invoices", times: 100 });
  const unread = "Rackbell cannot read all unpaid documents: a part of the one for it may be paid already.";
  await story.ask(ana, "/service upgrade cancel web-2", "This will withdraw the upgrade of `web-2` to `VPS L`", unread);
});

test("an add-on is bought for its full cycle, and removed by the catalogue's id", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const offered = await story.ask(ana, "/service options available web-2", "3 add-ons are available");
  await ana.press(offered, { label: "Buy…", index: 1 });
  const request = await story.sees(ana, "Extra IPv4 address", "full cycle (monthly)", "Your balance");
  await ana.press(request, goAhead);
  await story.sees(ana, "was ordered for `web-2`", "An invoice of 3.03", "· <@");
  expect(sent(story, path.options)[0]?.body).toMatchObject({
    billingType: "recurring",
    billingCycle: "monthly",
    quantity: 1,
  });
  platform.payByOperator(platform.documents().find(({ cause }) => cause === "add-on")?.id ?? "");
  const options = await story.ask(ana, "/service options web-2", "has 1 add-on", "active");
  await ana.press(options, "Remove…");
  const removal = await story.sees(ana, "asks to", "at once", "from `web-2`");
  await ana.press(removal, goAhead);
  await story.sees(ana, "To have it again, buy it again");
  await story.ask(ana, "/service options web-2", "has no add-ons");
});

test("an add-on of another billing type than the usual one is bought as it is said", async () => {
  const story = await startStory({ linked: ["ana"] });
  const command = '/service option add web-2 option="Extra IPv4 address" type=one_time';
  const request = await story.ask(story.ana, command, "Billing type", "one_time", "Your balance");
  expect(said(request)).not.toContain("renews");
  await story.ana.press(request, goAhead);
  await story.sees(story.ana, "was ordered for `web-2`", "An invoice of 3.03", "· <@");
  expect(sent(story, path.options)[0]?.body).toMatchObject({ billingType: "one_time" });
});

test("an add-on that credit pays at once is reported as paid", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, platform } = story;
  platform.settings.autoCredit = true;
  platform.settings.document = "proforma";
  const request = await story.ask(ana, "/service option add web-2 option=monitoring quantity=2", "Monitoring");
  await ana.press(request, goAhead);
  await story.sees(ana, "was bought for `web-2`, and it is paid");
  expect(ben.sees().map(said).join()).not.toContain("balance");
});

test("several of one add-on are counted where they end, and are bought back as many", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.settings.autoCredit = true;
  const bought = await story.ask(ana, "/service option add web-2 option=monitoring quantity=2", "Monitoring");
  await story.pressing(ana, bought, goAhead, "it is paid");
  await story.ask(ana, "/service options change web-2 remove=Monitoring", "2 × `Monitoring` will end, and their data");
  const removal = await story.ask(ana, "/service option remove web-2 option=Monitoring", "remove 2 × `Monitoring` at");
  const answer = await story.pressing(ana, removal, goAhead, "To have it again, buy it again");
  await story.pressing(ana, answer, "Buy it again…", "2 × `Monitoring` for `web-2`");
});

test("an add-on that credit covers in part is reported with the sum that is still to be paid", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.settings.autoCredit = true;
  platform.changeUser("ana", { balance: 100 });
  const request = await story.ask(ana, "/service option add web-2 option=Monitoring", "Monitoring");
  await ana.press(request, goAhead);
  await story.sees(ana, "Of an invoice of 1.21 EUR, 0.21 EUR is still to be paid");
});

test("add-ons change in one go: what both adds and removes, is held, or is not there is named", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const [values, words] of [
    ['add="Daily backup"', "has “Daily backup” already"],
    ['add="Daily backup" remove="Daily backup"', "is both added and removed"],
    ["remove=Monitoring", "no “Monitoring” to choose here. There is Daily backup"],
    ["add=Coffee", "no “Coffee” to choose here"],
    [`add=${platform.find("web-1").id}`, "is not offered for this service"],
  ])
    await story.ask(ana, `/service options change web-1 ${values}`, words ?? "");
  await ana.type("/service options change web-1");
  await story.modal(ana, "Remove");
  const request = await story.ask(
    ana,
    '/service options change web-1 add="Monitoring, Extra IPv4 address" remove="Daily backup"',
    "asks to",
    "are charged for the rest of the paid period",
    "`Daily backup` will end",
  );
  expect(sent(story, path.upgrades)).toEqual([]);
  await ana.press(request, goAhead);
  await story.sees(ana, "The change of add-ons of `web-1` is requested");
  const bill = platform.documents().find(({ cause }) => cause === "upgrade");
  platform.payByOperator(bill?.id ?? "");
  await story.comesToSee(ana, "took effect");
  await story.ask(ana, "/service options web-1", "has 2 add-ons", "Monitoring", "Extra IPv4 address");
});

test("a renewal issues one document, and a second press within the cool-down says when", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const first = await story.ask(
    ana,
    "/service renew db-1",
    "the next renewal of `db-1`",
    "20.00 EUR",
    /afterwards, less the tax, once it is paid/,
  );
  await ana.press(first, goAhead);
  await story.sees(ana, "The renewal of `db-1` was issued", "An invoice of 24.20 EUR waits to be paid");
  const renewals = () =>
    platform
      .documents()
      .filter(({ cause, service_ids }) => cause === "renewal" && service_ids.includes(platform.find("db-1").id));
  platform.payByOperator(renewals()[0]?.id ?? "");
  const second = await story.ask(ana, "/service renew db-1", "the next renewal of `db-1`", "It expires");
  await ana.press(second, goAhead);
  await story.sees(ana, "limits how often this is possible", "can be tried again");
  expect(renewals()).toHaveLength(1);
});

test("a renewal is refused while a document is open, and what cannot be renewed is not sent", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/service renew web-2", "An invoice for `web-2` is open already", "Pay…");
  expect(sent(story, path.renew)).toHaveLength(0);
  await story.ask(ana, "/service renew cache-1", "billed by the hour");
  await story.ask(ana, "/service renew suspended-1", "only an active service");
  expect(sent(story, path.renew)).toHaveLength(0);
});

/** The client tells all of these apart from an answer in one place, so one purchase meets them all, and the others two of them. */
const faults = ["reset", "half-json", "500", "late", "html"] as const;

interface Purchase {
  what: string;
  command: string;
  to: RegExp;
  /** The words for the requester once the outcome is found out. */
  truth: string;
}

const purchases: Purchase[] = [
  {
    what: "add-on",
    command: "/service option add web-2 option=Monitoring",
    to: path.options,
    truth: "there is an order for the add-on",
  },
  {
    what: "upgrade",
    command: '/service upgrade web-2 to="VPS L"',
    to: path.upgrades,
    truth: "awaiting payment",
  },
  {
    what: "change of add-ons",
    command: "/service options change web-2 add=Monitoring",
    to: path.upgrades,
    truth: "awaiting payment",
  },
  {
    what: "renewal",
    command: "/service renew db-1",
    to: path.renew,
    truth: "there is a new document for `db-1`. Of the invoice, 24.20 EUR is to be paid",
  },
];

async function requested(story: Story, { command }: Purchase): Promise<Message> {
  const { ana } = story;
  await ana.type(command);
  return story.slack.until(
    () =>
      ana
        .sees()
        .toReversed()
        .find((message) => JSON.stringify(message.blocks).includes(goAhead)),
    `the request for ${command}`,
  );
}

/** Another press of the same card, which must change nothing. */
async function pressAgain(ana: Actor, card: Message, label: string): Promise<void> {
  await ana.press(card, label).catch(() => {});
}

for (const [at, purchase] of purchases.entries()) {
  test.each(faults.slice(0, at === 0 ? faults.length : 2))(
    `the platform makes the ${purchase.what} and answers %s: it is found out, and made once`,
    async (how) => {
      const story = await startStory({ linked: ["ana"] });
      const { ana, platform } = story;
      const before = platform.documents().length;
      const request = await requested(story, purchase);
      platform.faults.next({ how, method: "POST", path: purchase.to, applied: true });
      await ana.press(request, goAhead);
      await pressAgain(ana, request, goAhead);
      await story.comesToSee(ana, "It was done after all", purchase.truth);
      await pressAgain(ana, request, goAhead);
      expect(sent(story, purchase.to)).toHaveLength(1);
      expect(platform.documents()).toHaveLength(before + 1);
    },
  );

  test(`the ${purchase.what} that the platform did not make is said not to be, and may be asked for again`, async () => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const before = platform.documents().length;
    const request = await requested(story, purchase);
    platform.faults.next({ how: "500", method: "POST", path: purchase.to });
    await ana.press(request, goAhead);
    await story.sees(ana, "Do not ask again until");
    await story.ask(ana, purchase.command, "its outcome is still unknown");
    await story.comesToSee(ana, "It was not done", "Check once more before you ask again");
    expect(platform.documents()).toHaveLength(before);
    const again = await requested(story, purchase);
    await ana.press(again, goAhead);
    await story.sees(ana, /was ordered|was issued|(web-2|VPS L)` is requested/);
    expect(platform.documents()).toHaveLength(before + 1);
  });
}

test.each(purchases.filter(({ to }) => to !== path.upgrades))(
  "the $what whose answer is lost is found out by the document that names its service, though another was made meanwhile",
  async (purchase) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const before = platform.documents().length;
    const request = await requested(story, purchase);
    platform.faults.next({ how: "hang", method: "POST", path: purchase.to, applied: true });
    await ana.press(request, goAhead);
    await expect.poll(() => platform.documents().length).toBe(before + 1);
    await ana.press(await reviewOf(story, ana, "VPS S"), goAhead);
    await story.sees(ana, "Ordered 1 × `VPS S`");
    await story.comesToSee(ana, "It was done after all", purchase.truth);
    expect(platform.documents()).toHaveLength(before + 2);
    expect(sent(story, purchase.to)).toHaveLength(1);
  },
);

test("an add-on that only a nameless document shows is not claimed to be bought, nor not to be", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { hostname: null });
  const [purchase] = purchases;
  if (!purchase) throw new Error("There is no purchase");
  const request = await requested(story, purchase);
  platform.faults.next({ how: "500", method: "POST", path: path.options, applied: true });
  await ana.press(request, goAhead);
  await story.sees(ana, "Do not ask again until");
  const isNotified = () => ana.sees().some((message) => said(message).includes("outcome stays unknown"));
  await story.passes(isNotified, "the end of the checks", 60_000);
  await story.sees(ana, "outcome stays unknown", "Check the resource yourself");
  expect(sent(story, path.options)).toHaveLength(1);
});

test("a renewal whose answer names no document is reported with the document that was made", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/service renew db-1", "the next renewal of `db-1`");
  platform.faults.next({ how: "wrong-shape", method: "POST", path: path.renew, applied: true });
  await ana.press(request, goAhead);
  await story.sees(ana, "The renewal of `db-1` was issued. Of the invoice, 24.20 EUR is to be paid");
  expect(sent(story, path.renew)).toHaveLength(1);
});

test("an add-on that credit paid at once is found out by itself, though it was asked for by its name", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.settings.autoCredit = true;
  const request = await story.ask(ana, "/service option add web-2 option=Monitoring", "full cycle");
  platform.faults.next({ how: "500", method: "POST", path: path.options, applied: true });
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "It was done after all", "`web-2` has it; it is active");
  expect(platform.documents().filter(({ cause }) => cause === "add-on")).toHaveLength(1);
});

test("a zero-cost upgrade whose answer is lost is found out from the plan", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, '/service upgrade web-2 to="VPS S"', "costs nothing today");
  platform.faults.next({ how: "reset", method: "POST", path: path.upgrades, applied: true });
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "It was done after all", "`web-2` is `VPS S` now");
  expect(sent(story, path.upgrades)).toHaveLength(1);
});

test("a member who may buy and not see the documents gets the rest of the answer", async () => {
  const story = await startStory({ linked: ["ben"] });
  const { ben, platform } = story;
  platform.changeUser("ben", {
    permissions: new Set(["services.view", "services.manage", "services.power", "billing.view", "invoices.pay"]),
  });
  const request = await story.ask(ben, "/service renew db-1", "the next renewal of `db-1`");
  platform.faults.next({ how: "500", method: "POST", path: path.renew });
  await ben.press(request, goAhead);
  await story.sees(ben, "Do not ask again until");
  const isNotified = () => ben.sees().some((message) => said(message).includes("outcome stays unknown"));
  await story.passes(isNotified, "the end of the checks", 60_000);
  await story.sees(ben, "outcome stays unknown", "Rackbell cannot read all your documents");
});

test("a renewal names the account's currency where the service names none, and a change of add-ons says when it takes effect", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const [command, ...texts] of [
    ["/service renew metal-1", "89.00 EUR", "This will issue the next renewal"],
    ["/service renew price-unknown", "96.00 EUR", "This will issue the next renewal"],
    ["/service renew price-unknown web-1", "EUR", "In sum"],
  ] as const) {
    const request = said(await story.ask(ana, command, ...texts));
    expect(request, command).not.toContain("does not name the price");
    expect(request, command).not.toMatch(/: \d+\.\d\d[,.]/);
  }
  for (const [change, words] of [
    ["web-1 remove", "It takes effect at once and cannot be withdrawn"],
    ["web-2 add", "A change with a price takes effect when it is paid"],
  ] as const)
    await story.ask(ana, `/service options change ${change}="Daily backup"`, words);
  const bought = await story.ask(ana, '/service option add web-2 option="Daily backup"', "before tax");
  await story.pressing(ana, bought, goAhead, "was ordered for", /An invoice of [\d.]+ EUR waits to be paid/);
});

import { expect, test } from "vitest";
import { listProducts } from "../../../src/platform/reseller/products.ts";
import { listServices } from "../../../src/platform/reseller/services.ts";
import { elsewhere } from "../polled.ts";
import { goAhead, type Message, type Story, said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

const path = "/reseller/services/{serviceId}/options";
const set = "/reseller service options set ACME-002";
const anew = "will change";
const one = `${set} options="Extra IPv4 address"`;

/** A service with one add-on, ordered and charged before the story begins. */
async function holding(options: Parameters<typeof startResellerStory>[0] = {}): Promise<Story> {
  const story = await startResellerStory(options);
  story.platform.settings.shapes.payload = 0;
  await story.pressing(story.ana, await story.ask(story.ana, one, anew), goAhead, "are set");
  story.platform.clearCalls();
  return story;
}

const sets = (story: Story) => resellerWrites(story).filter(({ method }) => method === "PUT");

/** True when anybody but the requester sees the request. */
const isPublic = ({ ben }: Story, request: Message) => ben.sees("#ops").some(({ ts }) => ts === request.ts);

test.each([0, 1])(
  "a set that only adds is shown to its requester alone, with its price and payment method, and sent once (%s)",
  async (payload) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    platform.settings.shapes.payload = payload;
    const options = await story.ask(ana, "/reseller service options ACME-002", "Available", "Extra IPv4 address");
    expect(said(options)).toContain("excl. VAT");
    const request = await story.ask(ana, one, anew, "1 × `Extra IPv4 address`", "Due now: 2.80 EUR");
    expect(isPublic(story, request)).toBe(false);
    await story.pressing(ana, request, goAhead, "2.80 EUR excl. VAT", "was charged to your saved payment method");
    await story.ask(ana, one, "has exactly these add-ons already");
    const charged = "Like your last order, this charges `Company card ending in 4242` at once";
    await story.ask(ana, `${set} options="2 x extra ipv4 address"`, "1 × `Extra IPv4 address`", charged);
    expect(sets(story)).toHaveLength(1);
  },
);

test("a set that the platform answers without a word of its charge is not called free", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await story.ask(ana, one, anew, "Due now: 2.80 EUR");
  platform.faults.next({ how: { status: 200, body: { success: true, data: {} } }, method: "PUT", path, applied: true });
  await story.pressing(ana, request, goAhead, "does not say what it charged");
  expect(ana.sees().map(said).join()).not.toContain("Nothing was charged");
});

test("an add-on is on offer by its own id, not because another one names it", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.settings.shapes.payload = 0;
  const { reseller } = elsewhere(story);
  const [service] = (await listServices(reseller, { page: 1, limit: 100 })).rows.filter(
    ({ externalServiceId }) => externalServiceId === "ACME-002",
  );
  const product = (await listProducts(reseller)).find(({ name }) => name === service?.productName);
  const [option, other] = product?.options ?? [];
  const data = { active: [], available: [{ optionId: option?.id, goesWith: other?.id }] };
  platform.faults.next({ how: { status: 200, body: { success: true, data } }, path });
  const shown = said(await story.ask(ana, "/reseller service options ACME-002", "Available"));
  expect(shown).toContain(`• ${option?.name}: `);
  expect(shown).not.toContain(other?.name ?? "another");
});

test("a set that removes add-ons is requested in the channel with its loss, whatever else it adds", async () => {
  const story = await holding();
  const { ana } = story;
  const request = await story.ask(ana, `${set} options="Daily backup"`, "asks to", "1 × `Extra IPv4 address`");
  expect(said(request)).toContain("Removed add-ons end at once, and nothing is refunded.");
  expect(said(request)).toContain("New add-ons are charged");
  expect(isPublic(story, request)).toBe(true);
  await story.pressing(ana, request, goAhead, "was charged", "The removed add-ons are gone, and nothing is refunded");
  const none = await story.ask(ana, `${set} options=none`, "asks to", "1 × `Daily backup`", "nothing is charged");
  await story.pressing(ana, none, goAhead, "Nothing was charged. The removed add-ons are gone");
  await story.ask(ana, "/reseller service options ACME-002", "This service has no add-ons");
});

test("the form of a set begins with the present add-ons, offers each in its quantities, and takes what is typed in old words", async () => {
  const story = await holding();
  const { ana } = story;
  await ana.type(set);
  await story.modal(ana, "Extra IPv4 address");
  const offered = JSON.stringify(await ana.suggest("modal", "Add-ons", "ipv4"));
  expect(offered).toContain("8 × Extra IPv4 address");
  expect(offered).not.toContain("9 × Extra IPv4 address");
  expect(JSON.stringify(await ana.suggest("modal", "Add-ons", ""))).toContain("None: remove all add-ons");
  await ana.choose("modal", "choose:options", "3 × Extra IPv4 address");
  await ana.submit();
  await story.sees(ana, anew, "2 × `Extra IPv4 address`");
  for (const typed of ["3x Extra IPv4 address", "3 × extra ipv4 address", "3 x Extra IPv4"])
    await story.ask(ana, `${set} options="${typed}"`, "awaits a decision, so nothing new was requested");
});

test("an add-on that a colleague adds meanwhile cancels the request for a set, which would remove it", async () => {
  const story = await startResellerStory({ partners: ["ana", "ben"] });
  const { ana, ben } = story;
  const request = await story.ask(ana, one, anew);
  const other = await story.ask(ben, `${set} options="Daily backup"`, anew);
  await story.pressing(ben, other, goAhead, "are set");
  await story.pressing(ana, request, goAhead, "Something changed since this request", "Daily backup");
  expect(sets(story)).toHaveLength(1);
});

test("an add-on that is invoiced waits for its payment, is paid from its message, and is present afterwards", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.reseller.settings.mode = "invoice";
  const request = await story.ask(ana, one, anew);
  await story.pressing(
    ana,
    request,
    goAhead,
    "Nothing was charged yet",
    "after you pay their document of 2.80 EUR excl. VAT (",
  );
  await story.ask(ana, "/reseller service options ACME-002", /awaiting payment/i);
  const waiting = await story.comesToSee(ana, "The document of 2.80 EUR excl. VAT waits to be paid", "Pay…");
  const pay = await story.pressing(ana, waiting, "Pay…", "balance");
  await story.pressing(ana, pay, goAhead, "paid");
  await story.comesToSee(ana, "The add-ons are paid, and are there now");
  const now = said(await story.ask(ana, "/reseller service options ACME-002", "Present"));
  expect(now).not.toMatch(/awaiting payment/i);
  await story.ask(ana, one, "has exactly these add-ons already");
});

test("a credit that is too small charges nothing and says how much it is; a sufficient one pays the add-on", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.settings.mode = "credit";
  platform.changeUser("ana", { balance: 10 });
  const request = await story.ask(ana, one, anew);
  const short = await story.pressing(
    ana,
    request,
    goAhead,
    "Insufficient credit balance",
    "0.10",
    "Nothing was charged",
  );
  expect(said(short)).toContain("Add credit in the platform's panel first.");
  platform.changeUser("ana", { balance: 10_000 });
  await ana.press(short, "Ask again…");
  await story.modal(ana, "Extra IPv4 address");
  await ana.submit();
  const again = await story.sees(ana, anew, "Only you see this");
  await story.pressing(ana, again, goAhead, "was taken from your credit");
});

const words = (error: unknown) => ({ success: false, error });
const field = { field: "options", message: "3.51 needed, 0.10 available" };

test.each([
  ["the platform's usual words", null],
  ["other words", { status: 400, body: words("3.51 needed, only 0.10 left") }],
  ["figures of a field", { status: 400, body: words({ message: "Not enough", details: [field] }) }],
  ["a failed charge", { status: 402, body: words("The credit of 0.10 does not cover 3.51") }],
  ["a status that the spec does not name", { status: 422, body: words("The credit of 0.10 does not cover 3.51") }],
])("a balance that a refusal names in %s is read by the requester alone", async (_, how) => {
  const story = await holding({ partners: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  platform.reseller.settings.mode = "credit";
  platform.changeUser("ana", { balance: 10 });
  const request = await story.ask(ana, `${set} options="Daily backup"`, "asks to");
  if (how) platform.faults.next({ how, method: "PUT", path });
  const refused = await story.pressing(ana, request, goAhead, /The charge failed|only the requester can read/);
  await ana.press(refused, "Details…");
  await story.modal(ana, "0.10");
  const noted = await story.ask(ana, "/rackbell audit mail.example.test", "options set", "*confirmed*");
  const others = [...ben.sees("#ops"), ...ben.sees("dm"), noted].map(said).join();
  expect(others).toContain("Daily backup");
  expect(others).not.toContain("0.10");
});

test.each([0, 1])(
  "a charge that fails leaves the add-ons as they are, and its order can be charged again (%s)",
  async (payload) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    platform.settings.shapes.payload = payload;
    platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
    const request = await story.ask(ana, one, anew);
    const failed = await story.pressing(ana, request, goAhead, "The charge failed", "declined", "did not change");
    await story.ask(ana, "/reseller service options ACME-002", "This service has no add-ons");
    platform.reseller.changePaymentMethod("Company card", { refusal: null });
    const again = await story.pressing(ana, failed, "Charge again…", "will charge the order");
    const paid = await story.pressing(ana, again, goAhead, "is paid now");
    expect(said(paid)).not.toContain("being built");
    await story.comesToSee(ana, "The add-ons are paid, and are there now");
    await story.ask(ana, one, "has exactly these add-ons already");
    expect(sets(story)).toHaveLength(1);
  },
);

test.each([
  ["an answer that came too late", { how: "late", lateMs: 600_000 }],
  ["an answer that was cut", { how: "half-json", applied: true }],
] as const)("after %s the set is looked up, and charged once", async (_, fault) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await story.ask(ana, one, anew);
  platform.faults.next({ ...fault, method: "PUT", path });
  await ana.press(request, goAhead);
  await story.passes(() => sets(story).length === 1, "the set is sent");
  story.clock.skip(90_000);
  await story.comesToSee(ana, "It was done after all", "has exactly these add-ons");
  expect(sets(story)).toHaveLength(1);
  expect(platform.reseller.orders()).toHaveLength(1);
});

test("a set that never arrived is reported as not done, and a second press sends the same set", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.faults.next({ how: "reset", method: "PUT", path });
  await story.pressing(ana, await story.ask(ana, one, anew), goAhead, "I am checking the outcome");
  const open = await story.comesToSee(ana, "It was not done", "nothing was ordered since", "keeps its id");
  await story.pressing(ana, open, goAhead, "are set");
  const [first, second] = sets(story).map(({ body }) => body);
  expect(first).toMatchObject({ externalReference: expect.any(String) });
  expect(second).toEqual(first);
  expect(platform.reseller.orders()).toHaveLength(1);
});

test("a failed charge whose answer got lost is found by its order, and nothing is charged by looking", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
  platform.faults.next({ how: "reset", applied: true, method: "PUT", path });
  await story.pressing(ana, await story.ask(ana, one, anew), goAhead, "I am checking the outcome");
  await story.comesToSee(ana, "It was not done: the charge failed", "`RES-1000`", "/reseller order retry");
  expect(sets(story)).toHaveLength(1);
});

test("a set that had been charged before says so, and that nothing was charged twice", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const body = { success: true, data: { added: [], options: [], charge: null, idempotent: true } };
  platform.faults.next({ how: { status: 200, body }, method: "PUT", path });
  const request = await story.ask(ana, one, anew);
  await story.pressing(ana, request, goAhead, "were set by this request already", "Nothing was charged twice");
});

test.each([
  ['options="Extra IPv6"', "There is no “Extra IPv6” to choose here", "Extra IPv4 address"],
  ['options="101 x Extra IPv4 address"', "There is no “101 x Extra IPv4 address” to choose here", ""],
  ['options="none, Daily backup"', "none stands alone", ""],
])("a set with %s is refused with the reason, and nothing is sent", async (words, sentence, more) => {
  const story = await startResellerStory();
  await story.ask(story.ana, `${set} ${words}`, sentence, more);
  expect(resellerWrites(story)).toEqual([]);
});

test("a whole set is not sent if the platform does not say how many of each add-on a service has", async () => {
  const story = await holding();
  const { ana, platform } = story;
  const data = { priceBasis: "wholesale", active: [{ id: "7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11" }], available: [] };
  platform.faults.next({ how: { status: 200, body: { success: true, data } }, method: "GET", path, times: 5 });
  await story.ask(ana, `${set} options=none`, "could remove some unseen", "Nothing was charged");
  expect(resellerWrites(story)).toEqual([]);
});

const remove = '/reseller service option remove ACME-002 option="Extra IPv4 address"';

test("one add-on is removed by its name once it was asked, and nothing is refunded", async () => {
  const story = await holding();
  const { ana } = story;
  const request = await story.ask(ana, remove, "asks to", "Nothing is refunded");
  await story.pressing(ana, request, goAhead, "is removed from `mail.example.test`", "The add-on is no longer billed");
  await story.ask(ana, "/reseller service options ACME-002", "This service has no add-ons");
  await story.ask(ana, remove, "to choose here");
});

test("a removal says how many of the add-on end, and is void once there are more", async () => {
  const story = await holding();
  const { ana } = story;
  const three = await story.ask(ana, `${set} options="3 x Extra IPv4 address"`, anew);
  await story.pressing(ana, three, goAhead, "are set");
  const request = await story.ask(
    ana,
    remove,
    "asks to",
    "Remove 3 × Extra IPv4 address",
    "This will remove 3 × `Extra IPv4 address` at once, with their",
  );
  const five = await story.ask(ana, `${set} options="5 x Extra IPv4 address"`, anew);
  await story.pressing(ana, five, goAhead, "are set");
  await story.pressing(ana, request, goAhead, "*Quantity* changed: it was 3 and is 5 now", "Nothing was done");
});

test("two rows of one add-on are told apart by their quantity and state before one is removed", async () => {
  const story = await holding();
  const { ana, platform } = story;
  const named = (id: string, status: string, quantity: number) => ({
    id,
    name: "Extra IPv4 address",
    status,
    quantity,
  });
  const ids = ["7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11", "7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b12"] as const;
  const active = [named(ids[0], "active", 3), named(ids[1], "pending_payment", 2)];
  const body = { success: true, data: { active, available: [] } };
  platform.faults.next({ how: { status: 200, body }, method: "GET", path, times: 20 });
  await story.ask(ana, remove, "awaiting payment", "active");
  await story.ask(ana, remove.replace("Extra", "2 × Extra"), "asks to", "This will remove 2 × `Extra IPv4 address`");
});

test("an add-on whose quantity the platform does not show is not called one", async () => {
  const story = await holding();
  const { ana, platform } = story;
  const active = [{ id: "7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11", name: "Extra IPv4 address" }];
  const body = { success: true, data: { active, available: [] } };
  platform.faults.next({ how: { status: 200, body }, method: "GET", path, times: 20 });
  await story.ask(ana, remove, "will remove an unknown quantity of `Extra IPv4 address`");
  const end = await story.ask(ana, "/reseller service terminate ACME-002", "add-ons (an unknown quantity of `Extra");
  platform.faults.resume();
  const two = { success: true, data: { active: active.map((row) => ({ ...row, quantity: 2 })), available: [] } };
  platform.faults.next({ how: { status: 200, body: two }, method: "GET", path, times: 20 });
  await story.pressing(ana, end, goAhead, "*Add-ons* changed", "is 2 × `Extra IPv4 address` now");
});

test("a removal whose answer got lost is looked up", async () => {
  const story = await holding();
  const { ana, platform } = story;
  const request = await story.ask(ana, remove, "asks to", "Nothing is refunded");
  platform.faults.next({ how: "500", applied: true, method: "DELETE" });
  await story.pressing(ana, request, goAhead, "I am checking the outcome");
  await story.comesToSee(ana, "It was done after all: the add-on is gone");
  expect(resellerWrites(story)).toHaveLength(1);
});

test("add-ons of a suspended service, which are still billed, are changed and removed like those of an active one, unless the platform refuses", async () => {
  const story = await holding();
  const { ana, platform } = story;
  await story.ask(ana, "/reseller service suspend ACME-002 force=yes", "suspended");
  const offered = await story.ask(ana, "/reseller service options ACME-002", "Present");
  expect(JSON.stringify(offered)).toContain("Remove one…");
  const body = { success: false, error: "The service is suspended" };
  platform.faults.next({ how: { status: 409, body }, method: "DELETE" });
  const request = await story.ask(ana, remove, "asks to", "Nothing is refunded");
  await story.pressing(ana, request, goAhead, "The platform said no: The service is suspended. Nothing changed.");
  await story.pressing(ana, request, goAhead, "is removed from `mail.example.test`");
  await story.ask(ana, one, anew, "Due now: 2.80 EUR");
});

import { expect, test } from "vitest";
import { goAhead, type Message, type Story, said, writes } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

const path = "/reseller/services/{serviceId}/change-package";
const change = '/reseller service upgrade ACME-001 to="VPS L"';
const changes = "will change from `VPS M` to `VPS L`";

const requestChange = ({ ask, ana }: Story): Promise<Message> => ask(ana, change, changes);

/** A job that is polled ever more seldom takes longer than usual to be seen. */
function passesSlowly(story: Story, text: string): Promise<Message> {
  return story.passes(() => {
    story.clock.skip(60_000);
    return story.ana.sees().find((message) => said(message).includes(text));
  }, text);
}

test.each([0, 1])("a package is changed, charged, and followed by the product's name (%s)", async (payload) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.settings.shapes.payload = payload;
  platform.settings.shapes.named = payload === 1;
  await story.ask(ana, "/reseller service upgrades ACME-001", "VPS L");
  const request = await requestChange(story);
  expect(said(request)).toContain("sold to `acme-bakery`");
  expect(said(request)).toContain("Later billing is 16.00 EUR monthly, excl. VAT.");
  if (payload === 0)
    expect(said(request)).toMatch(/Specs\*: `4 CPU · 8 GB memory · 100 GB disk`[\s\S]*Due now\*: \d+\.\d\d EUR/);
  expect(said(request)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
  await story.pressing(ana, request, goAhead, "is accepted", "The change is being applied", "Its document is");
  await story.comesToSee(ana, "`web-2.example.test` is `VPS L` now");
  expect(resellerWrites(story)).toHaveLength(1);
});

test("one that the supplier must agree to is followed for days, until it is there", async () => {
  const story = await startResellerStory();
  const { ana, clock, platform } = story;
  platform.reseller.settings.approvesChanges = true;
  await story.pressing(
    ana,
    await requestChange(story),
    goAhead,
    "The platform must approve the change, which may take days",
  );
  await story.ask(ana, change, "A package change of `web-2.example.test` is pending already", "Nothing was charged");
  clock.skip(2 * 24 * 60 * 60_000);
  await passesSlowly(story, "is still `VPS M`. The upgrade waits for payment, the platform's approval");
  const [waiting] = platform.reseller.waitingChanges();
  platform.reseller.decideChange(waiting ?? "", true);
  await passesSlowly(story, "`web-2.example.test` is `VPS L` now");
});

test("one that the supplier does not agree to ends as that, and says whom to ask", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.settings.approvesChanges = true;
  await story.pressing(ana, await requestChange(story), goAhead, "The platform must approve the change");
  const [waiting] = platform.reseller.waitingChanges();
  platform.reseller.decideChange(waiting ?? "", false);
  await passesSlowly(story, "is still `VPS M`, and no change is pending any more: it was withdrawn or refused. Ask");
});

test("a change that takes effect between two reads of it is never called withdrawn", async () => {
  const story = await startResellerStory();
  const { ana, clock, platform } = story;
  platform.reseller.settings.approvesChanges = true;
  const request = await requestChange(story);
  // Whichever is read first shows the change as waiting, and the next one shows it in effect.
  let reads = 0;
  const isOver = () => reads++ > 0;
  const service = replacing("productName", () => (isOver() ? "VPS L" : "VPS M"));
  const pending = replacing("pendingUpgrade", (was) => (isOver() ? null : was));
  const read = { method: "GET", times: Number.POSITIVE_INFINITY };
  const takesEffect = () => {
    platform.faults.next({ how: { rewrite: service }, path: "/reseller/services/{serviceId}", ...read });
    platform.faults.next({ how: { rewrite: pending }, path: "/reseller/services/{serviceId}/upgrades", ...read });
  };
  await story.pressing(ana, request, goAhead, "The platform must approve");
  takesEffect();
  clock.skip(2 * 60_000);
  await passesSlowly(story, "`web-2.example.test` is `VPS L` now");
  expect(ana.sees().map(said).join()).not.toMatch(/no change is pending|withdrawn/);
});

/** The body with other values of each field of this name. */
function replacing(field: string, other: (was: unknown) => unknown) {
  return (body: unknown) =>
    JSON.parse(JSON.stringify(body, (name: string, value: unknown) => (name === field ? other(value) : value)));
}

test("a change that the platform never shows as pending is not reported as refused", async () => {
  const story = await startResellerStory();
  const { ana, clock, platform } = story;
  const upgrades = "/reseller/services/{serviceId}/upgrades";
  const none = { status: 200, body: { success: true, data: { available: {}, addons: [], pendingUpgrade: null } } };
  platform.reseller.settings.approvesChanges = true;
  platform.faults.next({ how: none, method: "GET", path: upgrades, times: 100 });
  const request = await requestChange(story);
  await story.pressing(ana, request, goAhead, "The platform must approve the change");
  clock.skip(60 * 60_000);
  await passesSlowly(story, "is still `VPS M`. The upgrade waits");
  expect(ana.sees().filter((one) => said(one).includes("any more"))).toEqual([]);
});

/** From now on the service's package has the name of the one that it changes to. */
function nameAlike({ platform }: Story): void {
  const { product } = platform.find("web-2");
  platform.change("web-2", { product: { ...product, name: "VPS L" } });
}

test.each([true, false])(
  "a change to a package of the same name is not reported as done by its name (%s)",
  async (agreed) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    platform.reseller.settings.approvesChanges = true;
    nameAlike(story);
    const request = await story.ask(ana, change, "will change from `VPS L` to another `VPS L` (");
    expect(said(request)).toContain("to another `VPS L` (16.00 EUR monthly");
    await story.pressing(ana, request, goAhead, "The platform must approve the change");
    await passesSlowly(story, "is still `VPS L`. The change waits");
    const [waiting] = platform.reseller.waitingChanges();
    platform.reseller.decideChange(waiting ?? "", agreed);
    await passesSlowly(story, "Both packages are called `VPS L`, so nothing shows if it changed");
    expect(ana.sees().filter((one) => said(one).includes("`VPS L` now"))).toEqual([]);
  },
);

test.each([true, false])(
  "a lost change to a package of the same name is not called done by its name (%s)",
  async (applied) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    platform.reseller.settings.approvesChanges = true;
    nameAlike(story);
    const request = await story.ask(ana, change, "another `VPS L`");
    platform.faults.next({ how: "reset", applied, method: "POST", path });
    await story.pressing(ana, request, goAhead, "I am checking the outcome");
    await story.comesToSee(ana, applied ? "is pending" : "which is the name of both packages");
    expect(ana.sees().filter((one) => said(one).includes("`VPS L` now"))).toEqual([]);
  },
);

test.each([
  [{ status: "pending", billingDocumentType: null }, true],
  [{ status: "executing", billingDocumentType: null }, true],
  // The field is missing, which says nothing.
  [{ status: "executing" }, false],
  [{ status: "awaiting_payment", billingDocumentType: null }, false],
  [{ status: "awaiting_admin", billingDocumentType: null }, false],
  [{ status: "executing", billingDocumentType: null, orderId: "7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11" }, false],
  [{ status: "executing", billingDocumentType: null, billingDocumentNumber: "PF-77" }, false],
])("a change with %j says that it costs nothing: %s, and always what the platform adds", async (change, isFree) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const message = "It joins the month's proforma PF-2026-77.";
  const data = { billingDocumentId: null, billingDocumentNumber: null, orderId: null, message, ...change };
  platform.faults.next({ how: { status: 202, body: { success: true, data } }, method: "POST", path });
  const answer = await story.pressing(ana, await requestChange(story), goAhead, "is accepted", message);
  expect(said(answer).includes("costs nothing")).toBe(isFree);
});

test("right after its acceptance a change is not called withdrawn, though the platform shows it as over", async () => {
  const story = await startResellerStory();
  const { ana, clock, platform } = story;
  platform.reseller.settings.approvesChanges = true;
  const request = await requestChange(story);
  await story.pressing(ana, request, goAhead, "The platform must approve the change");
  const none = { status: 200, body: { success: true, data: { available: {}, addons: [], pendingUpgrade: null } } };
  platform.faults.next({ how: none, method: "GET", path: "/reseller/services/{serviceId}/upgrades", times: 100 });
  clock.skip(15_000);
  await story.sees(ana, "is still `VPS M`. The upgrade waits");
  expect(ana.sees().filter((one) => said(one).includes("any more"))).toEqual([]);
});

test("one whose document waits is paid from here, and applied then", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.reseller.settings.mode = "invoice";
  const taken = await story.pressing(
    ana,
    await requestChange(story),
    goAhead,
    "The change applies after you pay its document",
    "Pay…",
  );
  const pay = await story.pressing(ana, taken, "Pay…", "balance");
  await story.pressing(ana, pay, goAhead, "paid");
  await story.comesToSee(ana, "`web-2.example.test` is `VPS L` now");
});

test("a product that is not sold on the service's cycle is refused before anybody is asked", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.change("web-2", { billing: { ...platform.find("web-2").billing, cycle: "hourly" } });
  await story.ask(ana, '/reseller service upgrade ACME-001 to="VPS M plus"', "VPS M plus", "Correct it…");
});

test("of the catalogue only the packages that the service can go to are there to choose", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, '/reseller service upgrade ACME-001 to="VPS Windows"', "VPS Windows", "VPS L", "VPS S");
  await ana.type("/reseller service upgrade ACME-001");
  await story.modal(ana, "New package");
  const choices = await ana.suggest("modal", "New package", "");
  expect(choices.map(({ text }) => text)).toEqual(["VPS S", "VPS M plus", "VPS L"]);
  expect(writes(story)).toEqual([]);
});

test("a product that the supplier has made no way to is refused in a sentence that says what to do", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  // The platform does not say which packages there are.
  const withoutPending = { status: 200, body: { success: true, data: { available: {}, pendingUpgrade: null } } };
  platform.faults.next({
    how: withoutPending,
    method: "GET",
    path: "/reseller/services/{serviceId}/upgrades",
    times: 100,
  });
  const request = await story.ask(ana, '/reseller service upgrade ACME-001 to="VPS Windows"', "to `VPS Windows`");
  await story.pressing(
    ana,
    request,
    goAhead,
    "offers no change from the present product to that one",
    "Nothing was charged",
  );
});

test("after an error that came once it was taken on the change is found, followed, and asked for once", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await requestChange(story);
  platform.faults.next({ how: "500", applied: true, method: "POST", path });
  await story.pressing(ana, request, goAhead, "I am checking the outcome");
  await story.comesToSee(ana, "`web-2.example.test` is `VPS L` now");
  expect(resellerWrites(story)).toHaveLength(1);
});

test("a change that never arrived is reported as not done once that is sure", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await requestChange(story);
  platform.faults.next({ how: "reset", method: "POST", path });
  await story.pressing(ana, request, goAhead, "I am checking the outcome");
  await story.comesToSee(ana, "It was not done: `web-2.example.test` is still `VPS M`", "before you ask again");
  expect(resellerWrites(story)).toHaveLength(1);
});

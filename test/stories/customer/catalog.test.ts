import { expect, test } from "vitest";
import { reviewOf } from "../ordering.ts";
import { said, startStory } from "../story.ts";

test("the products are listed with their prices, found by text and turned page by page", async () => {
  const { ana, platform, slack, ...story } = await startStory({ linked: ["ana"] });
  platform.clearCalls();
  const list = await story.ask(ana, "/catalog products", "15 products", "page 1 of 2");
  expect(said(list)).toContain("VPS S");
  expect(said(list)).toContain("`VPS S` · 1 CPU · 2 GB memory · 25 GB disk");
  await story.ask(ana, "/catalog products page=999", "There is no page 999: the products fill 2 pages");
  expect(said(list)).toContain("5.00 EUR a month · 0.0075 EUR an hour");
  expect(platform.calls().filter(({ path }) => path === "/products")).toHaveLength(2);
  await ana.press(list, "Next");
  await story.sees(ana, "page 2 of 2", "Mail hosting");
  const found = await story.ask(ana, "/catalog products metal", "1 product", "Metal 1");
  expect(said(found)).not.toContain("VPS S");
  await story.ask(ana, "/catalog products zeppelin", "There are no products");
});

test("a product shows its cycles, systems, options, and locations with what they cost more and what is sold out", async () => {
  const { ana, slack, ...story } = await startStory({ linked: ["ana"] });
  const shown = await story.ask(ana, "/catalog show VPS M", "2 CPU · 4 GB memory · 50 GB disk");
  const card = await story.details(ana, shown, "Billing cycles");
  expect(card).toContain("Quarterly: 30.00 EUR a quarter");
  expect(card).toContain("Debian 13 (default)");
  expect(card).toContain("2 CPU · 4 GB memory · 50 GB disk");
  expect(card).not.toContain("retired");
  expect(card).toContain("Daily backup · monthly price 3.00 EUR");
  expect(card).toContain("Frankfurt `de-fra` · +2.00 EUR a month and +5.00 EUR for the setup");
  expect(card).toContain("Helsinki `fi-hel` · sold out");
  expect(card).toContain("New York (partner) `us-nyc` · run by a partner");
  await ana.press(shown, "Order…");
  await story.modal(ana, "Order", "VPS M", '"submit":{');
});

test("a product without a system says that it cannot be ordered as a VPS", async () => {
  const { ana, ...story } = await startStory({ linked: ["ana"] });
  const card = await story.ask(ana, '/catalog show "VPS without images"', "none enabled");
  await story.details(ana, card, "cannot be ordered", "ask the platform's operator");
});

test("locations say which are sold out everywhere, for all products or for one", async () => {
  const { ana, slack, ...story } = await startStory({ linked: ["ana"] });
  const all = said(await story.ask(ana, "/catalog locations", "4 locations"));
  expect(all).toContain("Helsinki `fi-hel` · sold out");
  await story.ask(ana, "/catalog locations Game box", "There is no location to choose");
  await story.ask(ana, "/catalog locations Zeppelin", "There is no “Zeppelin” to choose here");
});

test("availability tells sold out from a check that could not be made, and names the places that are left", async () => {
  const { ana, slack, ...story } = await startStory({ linked: ["ana"] });
  const open = await story.ask(ana, "/catalog availability VPS S location=Madrid", "can be ordered now");
  expect(said(open)).toContain("Frankfurt `de-fra` can be ordered now");
  await story.ask(ana, "/catalog availability VPS S location=fi-hel", "Helsinki is sold out");
  const answer = await story.ask(ana, '/catalog availability "VPS sold out"', "`VPS sold out` is sold out");
  expect(JSON.stringify(answer.blocks)).not.toContain("Order…");
  const unsure = await story.ask(ana, '/catalog availability "VPS unchecked"', "could not be checked");
  expect(said(unsure)).toContain("Ordering is still possible");
  expect(JSON.stringify(unsure.blocks)).toContain("Order…");
  await story.ask(ana, '/catalog availability "VPS full"', "has no room at the moment");
  await story.ask(ana, '/catalog availability "VPS withdrawn"', "the operator has stopped it");
});

test("a product of a module that is off is as good as absent", async () => {
  const { ana, platform, ...story } = await startStory({ linked: ["ana"] });
  platform.settings.modules.inventory = false;
  await story.ask(ana, "/catalog show Metal 1", "no product called “Metal 1”");
});

test("a check that only lacks a location keeps nobody from ordering: the form asks for the location", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const data = { available: false, code: "no_location", reason: null, location: null, location_required: true };
  const body = { success: true, data: { ...data, product_id: crypto.randomUUID(), locations: [] } };
  platform.faults.next({ how: { status: 200, body }, method: "GET", path: "/products/{id}/availability", times: 9 });
  await reviewOf(story, ana, "VPS S");
  await story.ask(ana, '/catalog availability "VPS S"', "has no location that the platform could check");
});

test("a code or a part that the specification does not have is called neither unknown to the platform nor none", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const changed = (name: string, value: unknown) => (name === "code" && value === "available" ? "under_review" : value);
  const rewrite = (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body), (name, value) => (name === "options" ? null : changed(name, value)));
  platform.faults.next({ how: { rewrite }, method: "GET", path: /^\/products\//, times: 9 });
  const answer = said(
    await story.ask(ana, '/catalog availability "VPS S"', "is in a state that Rackbell does not know"),
  );
  expect(answer).not.toContain("could not be checked");
  const card = await story.ask(ana, '/catalog show "VPS S"', "Systems");
  expect(await story.details(ana, card, "The platform does not show them")).not.toContain("None.");
});

import { expect, test } from "vitest";
import { changeCustomer, createCustomer, listCustomers } from "../../../src/platform/reseller/customers.ts";
import type { SendByHand } from "../../../src/sandbox/platform/http/faults.ts";
import { elsewhere } from "../polled.ts";
import { goAhead, said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

test("customers are listed with their number of services, and opened by the partner's own id", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const list = said(await story.ask(ana, "/reseller customer list", "customers"));
  expect(list).toContain("Acme Bakery");
  expect(list).toContain("3 services");
  expect(said(await story.ask(ana, "/reseller customer list bore", "with “bore”"))).not.toContain("Acme");
  const card = await story.ask(ana, "/reseller customer show acme-bakery", "`Acme Bakery` is a customer", "it@acme");
  await story.pressing(ana, card, "Services", "services resold to `acme-bakery`");
});

test("a key that is bound to one customer sees that one, without a count of services", async () => {
  const story = await startResellerStory({ connected: false, partners: [] });
  await story.link(story.ana, story.platform.reseller.keys.bound.key);
  const list = said(await story.ask(story.ana, "/reseller customer list", "1 "));
  expect(list).not.toContain("service");
  expect(list).toContain("Acme Bakery");
});

test("a customer is recorded once: the same id again leaves the record as it was, and says so", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, '/reseller customer create delta name="Delta Ltd" email=it@delta.example.test', "is added");
  await story.ask(ana, '/reseller customer create delta name="Another"', "already", "`Delta Ltd`", "Nothing changed");
  await story.ask(ana, "/reseller customer create delta email=nonsense", "no e-mail address");
});

test("a new customer is called added although the platform answers it as it answers a known one", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const send: SendByHand = (response, own) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(own().body);
  };
  platform.faults.next({ how: { send }, method: "POST", path: "/reseller/customers" });
  await story.ask(ana, "/reseller customer create delta", "`delta` is added");
});

test("a customer whose record got lost is found on a later page of those that the search finds", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const { reseller } = elsewhere(story);
  for (let number = 0; number < 101; number += 1)
    await createCustomer(reseller, { externalCustomerId: `delta-${number}` });
  platform.faults.next({ how: "reset", applied: true, method: "POST", path: "/reseller/customers" });
  await story.ask(ana, "/reseller customer create delta", "outcome is unknown");
  await story.comesToSee(ana, "the customer exists");
});

test("the services of a customer are found by the own id, though another customer is called like it", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/reseller customer create zulu name=acme-bakery", "is added");
  await story.ask(ana, "/reseller service list customer=acme-bakery", "services resold to `acme-bakery`");
});

test("a card shows in one call that a customer has an active service", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.clearCalls();
  const card = await story.ask(ana, "/reseller customer show acme-bakery", "is a customer");
  expect(JSON.stringify(card)).not.toContain("Delete…");
  const reads = platform.calls().filter(({ path }) => path === "/reseller/services");
  expect(reads).toHaveLength(1);
});

test("a change of a customer keeps the fields that it does not name", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await story.ask(ana, '/reseller customer change acme-bakery name="Acme & Sons"', "is now called `Acme &amp; Sons`");
  const card = await story.ask(ana, "/reseller customer show acme-bakery", "Acme &amp; Sons");
  const details = await story.details(ana, card, "gold");
  expect(details).toContain("it@acme-bakery.example.test");
  expect(details).toContain("Iris");
  platform.clearCalls();
  await story.ask(ana, "/reseller customer change acme-bakery metadata=gold", "must be a JSON object");
  const long = `metadata='{"deal":12345678901234567890}'`;
  await story.ask(ana, `/reseller customer change acme-bakery ${long}`, "cannot be sent exactly", "Put it in quotes");
  expect(resellerWrites(story)).toEqual([]);
});

test("new metadata that keeps all stored fields is set at once, and may change their values", async () => {
  const story = await startResellerStory();
  const kept = '{"tier":"silver","contact":{"name":"Iris","phone":"1"},"tags":["a"]}';
  await story.ask(story.ana, `/reseller customer change acme-bakery metadata='${kept}'`, "in place of all");
  const more = kept.replace('["a"]', '["b","c"]');
  await story.ask(story.ana, `/reseller customer change acme-bakery metadata='${more}'`, "in place of all");
  await story.ask(story.ana, `/reseller customer change acme-bakery metadata='${kept}'`, "leaves out `tags.1`");
});

test("metadata that would be lost is named before anything is sent, and one that a colleague adds meanwhile voids the request", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const change = `/reseller customer change acme-bakery metadata='{"tier":"silver","contact":"Iris"}'`;
  platform.clearCalls();
  const first = await story.ask(ana, change, "asks to", "leaves out `contact.name`, which will be lost");
  expect(said(first)).toContain("gold");
  expect(resellerWrites(story)).toEqual([]);
  const { reseller } = elsewhere(story);
  const [row] = (await listCustomers(reseller, { search: "acme" })).rows;
  await changeCustomer(reseller, row?.id ?? "", { metadata: { ...row?.metadata, since: 2019 } });
  await story.pressing(ana, first, goAhead, "*Metadata now* changed", "*Since*", "Nothing was done");
  const second = await story.ask(ana, change, "asks to", "`contact.name` and `since`");
  await story.pressing(ana, second, goAhead, "in place of all");
  const card = await story.ask(ana, "/reseller customer show acme-bakery", "is a customer");
  const details = await story.details(ana, card, "silver");
  expect(details).not.toContain("2019");
});

test("new metadata in place of some that the platform does not show asks first, and says so", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const row = { id: "c1", external_customer_id: "acme-bakery", external_customer_name: "Acme Bakery" };
  const pagination = { page: 1, limit: 100, total: 1, totalPages: 1 };
  const how = { status: 200, body: { success: true, data: [row], pagination } };
  platform.faults.next({ how, method: "GET", path: "/reseller/customers", times: 10 });
  const change = `/reseller customer change acme-bakery metadata='{"tier":"silver"}'`;
  await story.ask(ana, change, "asks to", "does not show the stored metadata", "will be lost");
});

test("a customer who still has services is not deleted: they are named before anybody is asked", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.clearCalls();
  await story.ask(ana, "/reseller customer delete acme-bakery", "neither terminated nor cancelled", "Nothing changed");
  expect(resellerWrites(story)).toEqual([]);
});

test("a customer without services is deleted after asking, and keys that are bound to them end", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const key = platform.reseller.addKey({ customer: platform.reseller.customerId("newcomer") });
  story.secrets.add(key.key);
  const request = await story.ask(ana, "/reseller customer delete newcomer", "asks to", "revoke every key");
  await story.pressing(ana, request, goAhead, "The customer `Newcomer Ltd` is deleted");
  expect(key.revoked).toBe(true);
});

test("one who got a service between the question and the press is refused by the platform, in its words", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await story.ask(ana, "/reseller customer delete newcomer", "asks to");
  const error = "The customer still has 1 services that are not terminated";
  platform.faults.next({ how: { status: 400, body: { success: false, error } }, method: "DELETE" });
  await story.pressing(ana, request, goAhead, error, "Terminate this customer's remaining services first");
});

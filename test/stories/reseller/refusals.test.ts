import { expect, test } from "vitest";
import { goAhead, type Message, type Story, said } from "../story.ts";
import { orderOne, ordersSent, reviewOf } from "./ordering.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

const refusedOrders = [
  [400, "Product is not sold on the 'monthly' billing cycle", "names the cycles of this product"],
  [400, "A datacentre must be selected", "choose one"],
  [400, "The minimum order amount is 50.00", "below the platform's minimum: order more"],
  [400, "Insufficient credit balance: 9.00 needed, 1.00 available", "Add credit in the platform's panel first"],
  [400, "These options are not sold with this product: 7b6f0d8e", "7b6f0d8e"],
  [400, "The plan's disk is smaller than the image", "smaller than the image"],
  [404, "Product not found", "not in your catalogue"],
  [409, "Quantity limit reached", "reached the platform's limit for this product"],
  [409, "The image is capturing", "still being captured, it cannot be ordered from"],
  [409, "The node node-7 that holds the image has no room", "on one node, which is full"],
  [
    400,
    {
      message: "Validation failed",
      details: [{ field: "configuration.hostname", message: "must be a full host name" }],
    },
    "`configuration.hostname`: must be a full host name",
  ],
] as const;

test("an order that is refused says what to do, that nothing was charged, and is sent once", async () => {
  const story = await startResellerStory();
  const { platform } = story;
  for (const [status, error, words] of refusedOrders) {
    const how = { status, body: { success: false, error } };
    platform.clearCalls();
    platform.faults.next({ how, method: "POST", path: "/reseller/orders" });
    await orderOne(story, words, "Nothing was charged");
    expect(ordersSent(story)).toHaveLength(1);
  }
  expect(platform.reseller.orders()).toEqual([]);
});

test("an order under the supplier's minimum, or over the cap, is refused by the platform and can be asked again", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.settings.minimumOrder = 5_000;
  await orderOne(story, "minimum order amount is 50.00", "Nothing was charged");
  platform.reseller.settings.minimumOrder = 0;
  platform.reseller.settings.caps.set(platform.product("VPS S").id, 0);
  const open = await orderOne(story, "Quantity limit reached", "Nothing was charged");
  platform.reseller.settings.caps.clear();
  await story.pressing(ana, open, goAhead, "Ordered 1 × `VPS S`");
});

test("a product that left the catalogue between the question and the press voids the question", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S"');
  platform.reseller.settings.notResold.add(platform.product("VPS S").id);
  await story.pressing(ana, review, goAhead, "Something changed since this request", "Nothing was done");
  expect(ordersSent(story)).toEqual([]);
});

test("an order from an image of one's own is built from it; an obstacle to another is reported, and charges nothing", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const fromImage = (product: string, System: string) => reviewOf(story, ana, product, { details: { System } });
  const capturing = await fromImage('"VPS S"', "golden-web");
  expect(said(capturing)).toContain("Your image `golden-web`");
  platform.changeImage("golden-web", { status: "capturing" });
  const open = await story.pressing(ana, capturing, goAhead, "still being captured, it cannot be ordered from");
  platform.changeImage("golden-web", { status: "available" });
  await story.pressing(ana, open, goAhead, "Ordered 1 × `VPS S`");
  await story.comesToSee(ana, "1 service is ready");
  const full = await fromImage('"VPS S"', "crowded-node");
  await story.pressing(
    ana,
    full,
    goAhead,
    "has no room for another server",
    "on one node, which is full",
    "Nothing was charged",
  );
  const small = await fromImage('"VPS S"', "huge-disk");
  await story.pressing(ana, small, goAhead, "smaller than the image", "Nothing was charged");
  expect(platform.reseller.orders()).toHaveLength(1);
});

/** The request of a command whose form asks for a password. */
async function openRequest(story: Story, command: string, label: string): Promise<Message> {
  const { ana } = story;
  story.secrets.add("correct horse battery");
  await ana.type(command);
  await story.modal(ana, "Slack does not hide");
  await ana.fill({ [label]: "correct horse battery" });
  await ana.submit();
  return story.sees(ana, "asks to");
}

const refusedReinstalls = [
  [400, "osTemplate must be the uuid of an image", "a system by its id"],
  [404, "OS image not found", "There is no such system for this service"],
  [409, "Debian 13 is not offered for this product", "An image that is not offered cannot be installed"],
  [409, "A reinstall is in progress", "Another reinstall is under way"],
  [403, "The service is suspended", "A suspended service cannot be started, opened, reinstalled"],
  [503, "The provider acme-cloud refused reinstall", "A provider behind the platform refused"],
] as const;

test("a reinstall that is refused says what that means, that nothing changed, and is sent once", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  for (const [status, error, words] of refusedReinstalls) {
    platform.clearCalls();
    await ana.type('/reseller service reinstall ACME-001 system="Debian 13"');
    const request = await story.comesToSee(ana, "asks to");
    platform.faults.next({ how: { status, body: { success: false, error } }, method: "POST", path: /reinstall$/ });
    await story.pressing(ana, request, goAhead, words, "Nothing changed");
    expect(resellerWrites(story)).toHaveLength(1);
  }
});

test("a new password needs a machine that runs, and says so", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await ana.type("/reseller service password db-2.example.test");
  await story.modal(ana, "is stopped, and a password can be set only while the VPS runs");
  expect(JSON.stringify(ana.modal())).not.toContain("New root password");
  await ana.closeModal();
  platform.faults.next({ how: "500", method: "GET", path: /\/stats$/, times: 5 });
  const request = await openRequest(story, "/reseller service password ACME-001", "New root password");
  const body = { success: false, error: "The VPS is not running" };
  platform.faults.next({ how: { status: 409, body }, method: "POST", path: /password$/ });
  await story.pressing(ana, request, goAhead, "not running", "the machine must run", "Nothing changed");
  platform.faults.resume();
  platform.change("web-2", { instance: { state: "stopped" } });
  await story.pressing(ana, request, goAhead, "is stopped", "Nothing was sent");
});

test("a second job on a machine's disk waits for the first, and says so", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/reseller service backup ACME-001 name=first", "Backing");
  await story.ask(ana, "/reseller service backup ACME-001 name=second", "Another job is using the machine's disk");
});

test("the ceiling of the whole reseller account is reported with the latest time at which calls are taken again", async () => {
  const story = await startResellerStory();
  const { ana, clock, platform } = story;
  platform.reseller.settings.hourlyLimit = 1;
  const answer = said(await story.ask(ana, "/reseller product list", "of the whole reseller account", "at the latest"));
  const [, latest = ""] = answer.match(/<!date\^(\d+)\^[^>]*>[^.]* at the latest/) ?? [];
  expect(Math.abs(Number(latest) * 1_000 - clock.now() - 60 * 60_000)).toBeLessThan(60_000);
  clock.skip(61 * 60_000);
  platform.reseller.settings.hourlyLimit = 1_000;
  await story.ask(ana, "/reseller product list", "at wholesale");
});

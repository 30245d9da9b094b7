import { expect, test } from "vitest";
import { goAhead, said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

const waits = "I wait here for the test event";

test("saved cards and wallets are listed to who may see them alone, and another is made the default", async () => {
  const story = await startResellerStory({ partners: ["ana", "dave"] });
  const { ana, dave } = story;
  const list = await story.ask(ana, "/reseller payment list", "payment methods");
  expect(said(list)).toContain("Company card");
  expect(said(list)).not.toContain("Show to channel");
  await story.ask(ana, "/reseller payment default Wallet", "`Wallet` pays for later orders");
  await story.ask(ana, "/reseller payment list", ":white_check_mark: `Wallet`");
  await story.ask(dave, "/reseller payment list", "needs the scope `account`");
});

test("the address for events is set after asking, since nobody can read the one before", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const url = "https://hooks.example.com/supplier";
  const request = await story.ask(
    ana,
    `/reseller webhook address ${url}`,
    "asks to",
    "Rackbell cannot show which one that is",
  );
  const set = await story.pressing(ana, request, goAhead, "Events now go to", url);
  expect(said(set)).not.toContain(waits);
  expect(platform.reseller.webhookUrl()).toBe(url);
  await story.ask(ana, "/reseller webhook test", "The platform is sending a test event", waits);
});

test("an address that is set while its test event is refused says so, and waits for no event", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await story.ask(ana, "/reseller webhook address https://hooks.example.com/s test=yes", "asks to");
  const body = { success: false, code: "CONFLICT", error: "A test is queued already" };
  platform.faults.next({ how: { status: 409, body }, method: "POST", path: "/reseller/webhooks/test" });
  const set = await story.pressing(ana, request, goAhead, "Events now go to", "did not accept a request");
  expect(said(set)).not.toContain(waits);
});

test("an address that the supplier could not reach is refused in its words, and waits for no test event", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await story.ask(ana, "/reseller webhook address hooks.example.com", "begins with https://");
  const request = await story.ask(ana, "/reseller webhook address http://10.0.0.7/hook test=yes", "asks to");
  const refused = await story.pressing(ana, request, goAhead, "The platform said no");
  expect(said(refused)).not.toContain(waits);
  expect(platform.reseller.webhookUrl()).toBeNull();
});

test("a test without an address names the way to set one, and is not waited for", async () => {
  const story = await startResellerStory();
  const answer = await story.ask(story.ana, "/reseller webhook test", "No webhook URL configured", "Set the address…");
  expect(said(answer)).toContain("`/reseller webhook address`");
  expect(said(answer)).not.toContain(waits);
  expect(resellerWrites(story).filter(({ status }) => status !== null && status < 400)).toEqual([]);
});

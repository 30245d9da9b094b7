import { expect, test } from "vitest";
import { goAhead, type Message, type Story, said } from "../story.ts";
import { cards, replies, startAlertStory, supplierSuspends } from "./alerting.ts";
import { orderOne } from "./ordering.ts";
import { connect, startResellerStory } from "./selling.ts";

const minute = 60_000;

async function suspends(story: Story): Promise<string> {
  await story.ask(story.ana, "/reseller service suspend ACME-002 force=yes", "is suspended");
  const [newest] = story.platform.reseller.deliveries().toReversed();
  return JSON.stringify(newest?.data).match(/"serviceId":"([^"]+)"/)?.[1] ?? "";
}

const aloud = (story: Story) => replies(story).filter((reply) => said(reply).startsWith(":"));

test("the webhook of a member's own suspension is added to its message and thread, and posts no alert", async () => {
  const story = await startAlertStory();
  const { ben, platform } = story;
  const id = await suspends(story);
  story.clock.skip(40_000);
  await platform.reseller.webhooks.postDue();
  const message = await story.sees(ben, "is suspended", /Expected: asked by <@\w+>, 4\d s before/);
  const reply = await story.passes(() => replies(story)[0], "the word in the thread");
  expect(reply).toMatchObject({ thread_ts: message.ts, text: expect.stringContaining("expected: asked by") });
  // Rackbell notifies once: the next event of the supplier raises an alert.
  platform.reseller.supplier.unsuspend(id);
  platform.reseller.supplier.suspend(id, "Too much mail");
  await platform.reseller.webhooks.postDue();
  await story.sees(ben, "Too much mail", "by webhook,");
  // The end of the member's own suspension is one alert, and the new suspension is another, which reaches the channel.
  expect(cards(story)).toHaveLength(2);
});

test("an existing alert in another channel names the requester without a reply, and no new alert is posted there", async () => {
  const story = await startAlertStory("none");
  const { ana, ben, platform } = story;
  await story.ask(ana, `/rackbell alerts add #general`, "Saved");
  const id = await supplierSuspends(story, "mail.example.test");
  await story.seesIn("#general", ben, "`mail.example.test` is suspended", "by webhook,");
  await story.ask(ana, `/reseller service unsuspend ${id}`, "is no longer suspended");
  await story.ask(ana, `/reseller service suspend ${id} force=yes`, "is suspended");
  const [other] = platform.reseller.sold().filter(({ status }) => status === "active");
  await story.ask(ana, `/reseller service suspend ${other?.id} force=yes`, "is suspended");
  await platform.reseller.webhooks.postDue();
  const requester = `Asked by <@${ana.user.id}>`;
  await story.passes(() => cards(story, "#general").some((card) => said(card).includes(requester)), "who asked");
  await story.passes(() => ben.sees().some((one) => said(one).match(/web-2.*Expected/s)), "what joined");
  expect(cards(story, "#general")).toHaveLength(1);
  expect(aloud(story)).toEqual([]);
});

test("an alert elsewhere does not name the requester of a private request, and the requester's own event list does", async () => {
  const story = await startAlertStory("none", { partners: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  await story.ask(ana, `/rackbell alerts add #general`, "Saved");
  const id = await supplierSuspends(story, "mail.example.test");
  await story.seesIn("#general", ben, "`mail.example.test` is suspended", "by webhook,");
  await story.askIn("dm", ana, `/reseller service unsuspend ${id}`, "is no longer suspended");
  await platform.reseller.webhooks.postDue();
  await story.passes(() => cards(story, "#general").some((card) => said(card).includes("no longer")), "the card");
  expect(JSON.stringify(cards(story, "#general"))).not.toContain(`<@${ana.user.id}>`);
  const own = await story.askIn(
    "dm",
    ana,
    `/reseller event list ${id}`,
    "no longer suspended",
    "attached to the request of",
  );
  expect(said(own)).toContain(`<@${ana.user.id}>`);
});

test("an order's alert in another channel names the requester; a failed build posts an alert with the requester in its own channel", async () => {
  const story = await startAlertStory();
  const { ana, ben, platform } = story;
  await story.ask(ana, "/rackbell alerts add #general", "Saved");
  platform.reseller.supplier.failNextBuild();
  await orderOne(story, "Ordered");
  await platform.reseller.webhooks.postDue();
  await story.seesIn("#general", ben, "is paid", `Asked by <@${ana.user.id}>`, "by webhook,");
  await story.sees(ben, "Ordered", `Expected: asked by <@${ana.user.id}>`);
  expect(cards(story)).toEqual([]);
  const failure = (message: Message) => said(message).includes("could not be built");
  const alert = await story.passes(() => cards(story).find(failure), "the failure");
  expect(said(alert)).toContain(`Asked by <@${ana.user.id}>`);
  const reply = await story.passes(() => aloud(story).find(failure), "the reply");
  expect(said(reply)).toContain(`asked by <@${ana.user.id}>`);
  await story.seesIn("#general", ben, "is paid", "could not be built");
});

test("the digest of another channel has a member's new order, and not the outcome of an act on a service", async () => {
  const story = await startAlertStory();
  const { ana, ben, platform } = story;
  await story.ask(ana, "/rackbell alerts add #general", "Saved");
  const at = new Date(story.clock.now() + 12 * 60 * minute).getUTCHours();
  await story.ask(ana, `/rackbell alerts mode #general how=digest hours=${at} zone=UTC`, "by the clocks of");
  await orderOne(story, "Ordered");
  await story.ask(ana, "/reseller service suspend ACME-002 force=yes", "is suspended");
  await platform.reseller.webhooks.postDue();
  await story.comesToSee(ana, "1 service is ready");
  const digests = () => ben.sees("#general").map(said).join();
  story.clock.skip(24 * 60 * minute);
  await story.passes(() => digests().includes("is paid"), "the digest with the order");
  // An event that comes while a digest is composed waits for the next one.
  story.clock.skip(24 * 60 * minute);
  await story.passes(() => digests().includes("is ready"), "the digest with the service");
  expect(digests()).not.toContain("is suspended");
});

test("an invoiced order that is paid days later gets its webhooks in the same thread, and no alert", async () => {
  const story = await startAlertStory("", { linked: ["ana"] });
  const { ana, platform } = story;
  platform.reseller.settings.mode = "invoice";
  const ordered = await orderOne(story, "waits to be paid", "Pay…");
  await platform.reseller.webhooks.postDue();
  await story.sees(ana, "waits to be paid", "Expected: asked by");
  story.clock.skip(2 * 24 * 60 * minute);
  const pay = await story.pressing(ana, ordered, "Pay…", "balance");
  await story.pressing(ana, pay, goAhead, "paid");
  await story.comesToSee(ana, "1 service is ready");
  await platform.reseller.webhooks.postDue();
  await story.passes(
    () => replies(story).some((reply) => said(reply).match(/is paid.*is ready/s)),
    "both in the thread",
  );
  expect(cards(story)).toEqual([]);
});

test("a webhook that does not arrive is reported to the requester, and is added to the message when it arrives late", async () => {
  const story = await startAlertStory();
  const { ana, ben, platform } = story;
  await connect(story, ana);
  await platform.reseller.webhooks.postDue();
  platform.reseller.webhooks.faults.lateMs = 120 * minute;
  await suspends(story);
  story.clock.skip(10 * minute);
  const notification = await story.passes(
    () => aloud(story).find((reply) => said(reply).includes("webhook arrived in 10 min")),
    "the word that nothing came",
  );
  expect(said(notification)).toContain(`<@${ana.user.id}>`);
  await story.sees(ben, "is suspended", "webhook arrived in 10 min");
  story.clock.skip(120 * minute);
  await platform.reseller.webhooks.postDue();
  await story.sees(ben, "is suspended", "Expected: asked by");
  expect(cards(story)).toEqual([]);
});

test.each(["a member", "the supplier"])(
  "a suspension whose webhook was lost does not explain one by the supplier, after %s ended it",
  async (who) => {
    const story = await startAlertStory();
    const { ana, ben, clock, platform } = story;
    await platform.reseller.webhooks.postDue();
    platform.reseller.webhooks.faults.lateMs = 40 * 60 * minute;
    const id = await suspends(story);
    platform.reseller.webhooks.faults.lateMs = 0;
    clock.skip(20 * minute);
    if (who === "a member") await story.ask(ana, `/reseller service unsuspend ${id}`, "is no longer suspended");
    else platform.reseller.supplier.unsuspend(id);
    await platform.reseller.webhooks.postDue();
    const origin = who === "a member" ? "Expected: asked by" : "by webhook,";
    await story.sees(ben, "is no longer suspended", origin);
    clock.skip(8 * 60 * minute);
    await supplierSuspends(story, "mail.example.test", "Unpaid");
    await story.sees(ben, "`mail.example.test` is suspended", "Unpaid", "by webhook,");
    expect(replies(story).filter((one) => said(one).match(/Unpaid.*expected/s))).toEqual([]);
  },
);

test("a webhook that comes after that of the next act still belongs to its own act", async () => {
  const story = await startAlertStory();
  const { ana, ben, clock, platform } = story;
  await platform.reseller.webhooks.postDue();
  platform.reseller.webhooks.faults.lateMs = 12 * minute;
  const id = await suspends(story);
  platform.reseller.webhooks.faults.lateMs = 0;
  await story.ask(ana, `/reseller service unsuspend ${id}`, "is no longer suspended");
  await platform.reseller.webhooks.postDue();
  await story.sees(ben, "is no longer suspended", "Expected: asked by");
  clock.skip(13 * minute);
  await platform.reseller.webhooks.postDue();
  await story.sees(ben, "took this back", "Expected: asked by");
  expect(cards(story)).toEqual([]);
});

test("no webhook is reported as missing if none has ever arrived", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/rackbell alerts add #ops", "Saved");
  await story.ask(ana, "/reseller service suspend ACME-002 force=yes", "is suspended");
  story.clock.skip(30 * minute);
  await story.ask(ana, "/rackbell alerts log", "No events in the last 30 days");
  expect(aloud(story)).toEqual([]);
});

test("a termination that was done already expects no webhook: a later one posts an alert", async () => {
  const story = await startAlertStory();
  const { ana, ben, platform } = story;
  const request = await story.ask(ana, "/reseller service terminate ACME-002", "asks to");
  const body = { success: true, data: { status: "terminated", alreadyTerminated: true } };
  platform.faults.next({ how: { status: 200, body }, method: "DELETE" });
  await story.pressing(ana, request, goAhead, "was terminated already. Nothing changed");
  const service = platform.reseller.sold().find(({ hostname }) => hostname === "mail.example.test");
  platform.change(service?.id ?? "", { status: "terminated" });
  await platform.reseller.webhooks.postDue();
  await story.sees(ben, "mail.example.test", "by webhook,");
  expect(ben.sees().map(said).join()).not.toMatch(/Expected: asked by/);
});

import { expect, test } from "vitest";
import { fileStore, said } from "../story.ts";
import { cards, replies, startAlertStory, supplierLifts, supplierSuspends } from "./alerting.ts";
import { orderOne } from "./ordering.ts";

test("a filter keeps a customer's events out of the channel, and the dry run counts the events that pass", async () => {
  const story = await startAlertStory("none");
  const { ana, ben } = story;
  const left = "not=service.unsuspended except=acme-bakery";
  await supplierSuspends(story, "mail.example.test");
  await story.ask(ana, "/rackbell alerts try events=service.*", "would have let 1 of the last", "is suspended");
  await story.ask(ana, "/rackbell alerts try events=service.* not=service.suspended", "would have let 0 of the last");
  await story.ask(ana, "/rackbell alerts try events=service.exploded", "there is no event “service.exploded”");
  await story.ask(ana, `/rackbell alerts add #ops ${left}`, "but not `service.unsuspended`", "`acme-bakery`");
  const { reseller } = story.platform;
  const theirs = reseller.sold().filter(({ status }) => status === "active");
  for (const { id } of theirs) reseller.supplier.suspend(id, "Power");
  await reseller.webhooks.postDue();
  await story.sees(ben, "is suspended", "Power");
  await story.ask(ana, "/rackbell alerts log", "is suspended");
  expect(cards(story).filter((card) => said(card).includes("acme-bakery"))).toEqual([]);
});

test("a filter is tried in a form, and its channel and mention are chosen from Slack's own lists", async () => {
  const story = await startAlertStory("none");
  const { ana, ben } = story;
  const overview = await story.ask(ana, "/rackbell alerts", "No channel gets alerts");
  await ana.press(overview, "Add a channel…");
  await story.modal(ana, "But not these events");
  await ana.fill({ Channel: "ops", Events: "service.*", "But not these events": "service.unsuspended" });
  await story.modal(ana, "nothing to try this filter on");
  await ana.fill({ Mention: "caro" });
  await ana.submit();
  await story.sees(ana, "Saved", "`service.*`, but not `service.unsuspended`", `<@${story.caro.user.id}>`);
  const id = await supplierSuspends(story, "mail.example.test");
  await story.sees(ben, "`mail.example.test` is suspended", `<@${story.caro.user.id}>`);
  await supplierLifts(story, id);
  await story.ask(ana, "/rackbell alerts log", "is no longer suspended");
  expect(cards(story).map(said).join()).not.toContain("is no longer suspended");
});

test("an alert of a service shows its address, also beside the id of one without a host name", async () => {
  const story = await startAlertStory();
  const { ben, platform } = story;
  await orderOne(story, "Ordered 1 × `VPS S`");
  await story.comesToSee(story.ana, "1 service is ready");
  const [id = ""] = platform.reseller.orders().at(-1)?.serviceIds ?? [];
  platform.reseller.supplier.suspend(id, "Power");
  await platform.reseller.webhooks.postDue();
  await story.sees(ben, `\`${id}\` is suspended: Power`, "address `192.0.2.");
});

test("an alert is edited as its service changes, and a second suspension is a new message in the channel", async () => {
  const story = await startAlertStory();
  const { ben } = story;
  const id = await supplierSuspends(story, "mail.example.test");
  await story.sees(ben, "`mail.example.test` is suspended", "by webhook,");
  await supplierLifts(story, id);
  await story.passes(() => cards(story).some((card) => said(card).includes("is no longer suspended")), "the edit");
  await supplierSuspends(story, "mail.example.test", "Again");
  await story.passes(() => cards(story).some((card) => said(card).includes("is suspended: Again")), "the new alert");
  expect(cards(story)).toHaveLength(2);
  expect(
    cards(story)
      .map(said)
      .filter((card) => card.includes("is no longer suspended")),
  ).toHaveLength(1);
  expect(replies(story).filter((reply) => said(reply).startsWith(":no_entry:"))).toEqual([]);
});

test("an alert names the member who suspended its service through Rackbell, and gets no reply about it", async () => {
  const story = await startAlertStory();
  const { ana, ben, platform } = story;
  const id = await supplierSuspends(story, "mail.example.test");
  await story.sees(ben, "`mail.example.test` is suspended", "by webhook,");
  await story.ask(ana, `/reseller service unsuspend ${id}`, "is no longer suspended");
  await story.ask(ana, `/reseller service suspend ${id} force=yes`, "is suspended");
  await platform.reseller.webhooks.postDue();
  await story.passes(() => cards(story).some((card) => said(card).includes("Asked by")), "who asked");
  expect(replies(story).filter((reply) => said(reply).startsWith(":no_entry:"))).toEqual([]);
});

test("a muted service gets no alert until the mute is over", async () => {
  const story = await startAlertStory();
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell alerts mute mail.example.test hours=2", "are muted in all channels");
  const id = await supplierSuspends(story, "mail.example.test");
  await story.ask(ana, "/rackbell alerts log", "`mail.example.test` is suspended");
  expect(cards(story)).toEqual([]);
  story.clock.skip(3 * 60 * 60_000);
  await supplierLifts(story, id);
  await story.sees(ben, "`mail.example.test` is no longer suspended", "by webhook,");
});

test("an alert that its channel does not take is kept, shown to the admins, and replayed", async () => {
  const story = await startAlertStory("", { slackRefuses: ["is_archived"] });
  const { ana, slack } = story;
  slack.archive("ops");
  await supplierSuspends(story, "mail.example.test");
  // Rackbell posts beside the command: read the list again until it shows the failed post.
  let shown = await story.askIn("dm", ana, "/rackbell alerts log", "newest first");
  for (let time = 0; time < 20 && !said(shown).includes("could not be posted"); time += 1)
    shown = await story.askIn("dm", ana, "/rackbell alerts log", "newest first");
  expect(said(shown)).toContain("could not be posted: This channel is archived");
  await story.pressing(ana, shown, "Replay", "Rackbell tries again to post it now");
});

test("an event that arrives after a restart of the app posts one alert", async () => {
  const story = await startAlertStory("", { environment: { STORE_URL: fileStore() } });
  const { ben, platform } = story;
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ben, "by webhook,");
  await story.restart();
  const [first] = platform.reseller.sold().filter(({ status }) => status === "active");
  platform.reseller.supplier.suspend(first?.id ?? "", "Power");
  await platform.reseller.webhooks.postDue();
  await story.passes(() => cards(story).some((card) => said(card).includes("Power")), "the card after the restart");
  expect(cards(story)).toHaveLength(2);
});

import { expect, test } from "vitest";
import { signed } from "../../../src/sandbox/bench/deliveries.ts";
import { type Actor, type Story, said } from "../story.ts";
import { cards, startAlertStory, supplierLifts, supplierSuspends } from "./alerting.ts";
import { orderOne } from "./ordering.ts";

const hour = 60 * 60_000;
const hostname = "mail.example.test";
/** The end of a line about that service: a person knows by it whom the event concerns. */
const facts = " · address `192.0.2.9` · customer `acme-bakery`";
const billed = "The service is still billed to you until you terminate it";

/** The list, once it says that: events are brought to their channels beside what is typed. */
async function listed(story: Story, actor: Actor, text: string): Promise<string> {
  let list = "";
  for (let time = 0; time < 30 && !list.includes(text); time += 1) {
    list = said(await story.askIn("dm", actor, "/reseller event list", /event/i));
    // Slack takes a message a second in each channel.
    story.clock.skip(1_000);
  }
  expect(list).toContain(text);
  return list;
}

test("each event says what became of it: an alert, on its card, muted, joined, for a digest, not delivered, or shown to nobody", async () => {
  const story = await startAlertStory("none", { slackRefuses: ["is_archived"] });
  const { ana, slack, platform } = story;
  const id = await supplierSuspends(story, hostname);
  await listed(story, ana, `is suspended: Too much mail. ${billed}${facts}\nno channel is subscribed to it`);
  await story.ask(ana, "/rackbell alerts add #ops", "Saved");
  await supplierLifts(story, id);
  const listing = await listed(story, ana, `lifted by the supplier${facts}\nraised an alert in <#`);
  const ops = /raised an alert in (<#\w+>)/.exec(listing)?.[1];
  await supplierSuspends(story, hostname);
  await listed(story, ana, `is suspended: Too much mail. ${billed}${facts}\nraised an alert in ${ops}`);
  await supplierLifts(story, id);
  await listed(story, ana, `lifted by the supplier${facts}\nadded to its alert in ${ops}, without notification`);
  await story.ask(ana, "/rackbell alerts mute plugin-1.example.test hours=2", "are muted in all channels");
  await supplierSuspends(story, "plugin-1.example.test");
  await listed(story, ana, `muted in ${ops}`);
  await story.ask(ana, "/reseller service suspend ACME-001 force=yes", "is suspended");
  await platform.reseller.webhooks.postDue();
  await listed(story, ana, `attached to the request of <@${ana.user.id}>, as expected`);
  await story.ask(ana, "/rackbell alerts mode #ops how=digest", "all in one message");
  await supplierSuspends(story, "metal-1.example.test");
  await listed(story, ana, `for the digest of ${ops}`);
  await story.ask(ana, "/rackbell alerts mode #ops how=thread", "one alert per order or service");
  slack.archive("ops");
  await supplierSuspends(story, "arena-1.example.test");
  await listed(story, ana, `not delivered to ${ops}: This channel is archived`);
});

test("a key of one customer sees that customer's events alone; a member without a key gets a refusal, and no offer", async () => {
  const story = await startAlertStory();
  const { ana, ben, caro, platform } = story;
  await story.link(ben, platform.reseller.keys.bound.key);
  await supplierSuspends(story, hostname);
  await supplierSuspends(story, "plugin-1.example.test");
  const all = await listed(story, ana, "`plugin-1.example.test` is suspended");
  expect(all).toContain(`\`${hostname}\` is suspended`);
  expect(all).toContain("A test event");
  const theirs = await listed(story, ben, `\`${hostname}\` is suspended`);
  expect(theirs).not.toMatch(/plugin-1|test event/i);
  await story.ask(ben, "/reseller event list plugin-1.example.test", "No event about `plugin-1.example.test`");
  await story.ask(ben, "/reseller event list webhook.test", "No event about `webhook.test`");
  await story.ask(caro, "/reseller event list", "You have not linked a reseller key yet");
  await story.ask(caro, "/reseller help", "It needs a reseller key");
  await story.ask(ben, "/reseller help", "`/reseller event` list");
});

test("older events are a page on, a time narrows them, and all are in the file", async () => {
  const story = await startAlertStory();
  const { ana, clock, slack } = story;
  for (let time = 0; time < 6; time += 1) {
    const id = await supplierSuspends(story, hostname);
    clock.skip(hour);
    await supplierLifts(story, id);
    clock.skip(hour);
  }
  const page = await story.ask(ana, `/reseller event list ${hostname}`, "newest first", "Older");
  expect(said(page).match(/suspended/g)).toHaveLength(10);
  const older = await story.pressing(ana, page, "Older", "newest first");
  expect(said(older).match(/suspended/g)).toHaveLength(2);
  expect(said(older)).not.toContain("Older");
  const some = await story.ask(ana, `/reseller event list ${hostname} since=290m until=2h`, "newest first");
  expect(said(some).match(/suspended/g)).toHaveLength(3);
  await story.ask(ana, "/reseller event list until=2020-01-01", "No event");
  await story.ask(ana, "/reseller event list since=someday", "Give how long ago");
  await story.pressing(ana, page, "As a file", "in your direct messages");
  const file = await slack.until(() => slack.state().files[0], "the file");
  const lines = Buffer.from(file.content).toString().trimEnd().split("\r\n");
  expect(lines).toHaveLength(13);
  expect(lines[0]).toContain("time,event,order,service,customer");
  expect(lines[1]).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(Europe\/Madrid\),service\.unsuspended,.*mail\.example\.test.*acme-bakery/,
  );
  expect(lines.at(-1)).toMatch(/service\.suspended,.*Too much mail\..*,raised an alert in C\w+,/);
});

test("a failed build that lists services names them in its alert, its mute and the file of events", async () => {
  const story = await startAlertStory();
  const { ana, app, platform, slack } = story;
  await orderOne(story, "Ordered");
  const [order] = platform.reseller.orders().slice(-1);
  const data = {
    ...{ orderId: order?.id, orderNumber: "RES-9000", provisioningError: "No room" },
    services: ["a", "b"].map((id) => ({ serviceId: `id-${id}`, hostname: `${id}.example.test` })),
  };
  const send = async (id: string, services: object[]) => {
    const event = { id, event: "service.provisioning_failed", data: { ...data, services } };
    const { body, headers } = signed(platform.reseller.signingSecret() ?? "", event);
    await fetch(`${app.url}/webhooks/reseller/${slack.teamId}`, { method: "POST", body, headers });
  };
  await send("both", data.services);
  const words = "`a.example.test` and `b.example.test` of order `RES-9000` could not be built: No room";
  await story.passes(() => cards(story).find((card) => said(card).includes(words)), "the alert");
  await listed(story, ana, words);
  await story.askIn("dm", ana, "/reseller event list RES-9000 export=csv", "as a file");
  const file = await slack.until(() => slack.state().files[0], "the file");
  const text = Buffer.from(file.content).toString();
  expect(text).toContain('"a.example.test, b.example.test"');
  expect(text).toContain('"id-a, id-b"');
  await send("one", data.services.slice(0, 1));
  await listed(story, ana, "`a.example.test` of order `RES-9000` could not be built");
  await story.ask(ana, `/rackbell alerts mute ${order?.id} hours=1`, "`RES-9000` are muted");
});

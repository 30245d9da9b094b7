import { expect, test } from "vitest";
import { offered, reviewOf } from "../ordering.ts";
import { cards, passRound, read } from "../polled.ts";
import { startAlertStory, supplierSuspends } from "../reseller/alerting.ts";
import { goAhead, type Message, type Story, said } from "../story.ts";

// An alert is current as soon as what somebody did about it has ended: the next reading may be minutes away.

/** A message is in the thread of the alert, and not beside it. */
function underIt({ slack }: Story, alert: Message, text: string): Message | undefined {
  return Object.values(slack.state().channels)
    .flat()
    .find((message) => message.thread_ts === alert.ts && said(message).includes(text));
}

async function stopped(story: Story): Promise<Message> {
  await passRound(story);
  story.platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  return story.sees(story.ben, "The machine of `web-1.example.test` has stopped", "Start");
}

test("a machine that somebody starts from its alert is no longer called stopped once it runs, and the result is in its thread", async () => {
  const story = await read();
  const { ana, slack } = story;
  const alert = await stopped(story);
  await ana.press(alert, "Start");
  await slack.until(() => underIt(story, alert, "Start `web-1`"), "the act in its thread");
  story.clock.skip(30_000);
  const current = await slack.until(() => cards(story, "The machine of `web-1.example.test` runs")[0], "the alert");
  expect(current.ts).toBe(alert.ts);
  expect(said(current)).toContain("done through Rackbell");
  expect(said(current)).toContain(`Asked by <@${ana.user.id}>`);
  expect(JSON.stringify(current.blocks)).not.toContain('"text":"Start"');
  await slack.until(() => underIt(story, alert, "`web-1` is running"), "the result in its thread");
  // The machine may stop again at once: that raises an alert.
  story.platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "The machine of `web-1.example.test` has stopped")[0], "the second stop");
});

test("a machine that stops by itself after a refused reboot alerts as any other, and names nobody", async () => {
  const story = await read();
  const { ana, ben, platform } = story;
  await passRound(story);
  const body = { success: false, code: "CONFLICT", error: "The machine is busy with another task" };
  platform.faults.next({ how: { status: 409, body }, method: "POST", path: "/vps/{id}/reboot" });
  await story.ask(ana, "/vps reboot web-1 force=yes", "busy with another task");
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  const alert = await story.sees(ben, "The machine of `web-1.example.test` has stopped", "Start");
  expect(said(alert)).not.toContain("Asked by");
});

test("an add-on that is bought for a stopped machine does not have its alert say that it runs", async () => {
  const story = await read();
  const { ana } = story;
  await stopped(story);
  const request = await story.ask(ana, "/service option add web-1 option=Monitoring", "Monitoring");
  await story.pressing(ana, request, goAhead, /was (bought|ordered)/);
  let looks = 0;
  await story.passes(() => ++looks > 30, "half a minute");
  expect(said(await story.sees(ana, "The machine of `web-1.example.test`"))).toContain("has stopped");
  expect(cards(story, "done through Rackbell")).toEqual([]);
});

test("an invoice that is paid from its alert is no longer to be paid at once; of one that is paid in part the alert stays", async () => {
  const story = await read();
  const { ana, platform, slack } = story;
  const { id, number } = platform.bill("Colocation", 1_000);
  platform.fallDue(id, -1);
  await passRound(story);
  const alert = await story.passes(() => cards(story, `Invoice \`${number}\` is overdue`)[0], "the alert");
  const part = await story.ask(ana, `/billing pay ${number} amount=2.00`, "2.00 EUR");
  await story.pressing(ana, part, goAhead, "left to pay");
  const review = await story.pressing(ana, alert, "Pay…", "Your balance");
  expect(said(cards(story, String(number))[0] ?? alert)).toContain("is overdue");
  await ana.press(review, goAhead);
  const current = await slack.until(() => cards(story, `Invoice \`${number}\` is paid`)[0], "the alert");
  expect(current.ts).toBe(alert.ts);
  expect(said(current)).toContain("done through Rackbell");
  expect(JSON.stringify(current.blocks)).not.toContain("Pay…");
  await slack.until(() => underIt(story, alert, "is paid (10.10 EUR)"), "the result in its thread");
});

test("an order that is paid from its message offers no payment any more, long before it would be looked at again", async () => {
  const story = await read();
  const { ana, slack, clock } = story;
  const review = await reviewOf(story, ana, "VPS S", { "Host name": "shop.example.test" });
  await ana.press(review, goAhead);
  const ordered = await offered(story, ana, "Pay…");
  // Not looked at for a minute by then.
  clock.skip(5 * 60_000);
  const payReview = await story.pressing(ana, ordered, "Pay…", "Your balance");
  await ana.press(payReview, goAhead);
  const now = () => ana.sees().find(({ ts }) => ts === ordered.ts) ?? ordered;
  await slack.until(() => said(now()).includes("Paid for and being built"), "the order, paid");
  expect(JSON.stringify(now().blocks)).not.toContain("Pay…");
});

test("a suspended service that somebody lets run again from its alert is said to, before the supplier sends its event", async () => {
  const story = await startAlertStory();
  const { ana, ben, slack, platform } = story;
  await supplierSuspends(story, "mail.example.test");
  const alert = await story.sees(ben, "`mail.example.test` is suspended", "by webhook,");
  await ana.press(alert, "Unsuspend");
  const current = await slack.until(() => cards(story, "`mail.example.test` is no longer suspended")[0], "the alert");
  expect(current.ts).toBe(alert.ts);
  expect(said(current)).toContain("done through Rackbell");
  const result = await slack.until(() => underIt(story, alert, "Unsuspend `mail"), "the result in its thread");
  expect(said(result)).not.toContain("The webhook arrived");
  await platform.reseller.webhooks.postDue();
  await story.passes(() => cards(story, "by webhook,")[0], "the supplier's own word");
  expect(cards(story)).toHaveLength(1);
});

test("a machine that somebody cancels at once is no longer called stopped, nor its renewal overdue", async () => {
  const story = await read();
  const { ana, platform } = story;
  await stopped(story);
  platform.renewIn("web-1", -2);
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "The renewal of `web-1.example.test` is overdue")[0], "the renewal");
  await cancelAtOnce(story, "web-1");
  await story.passes(() => cards(story, "`web-1.example.test` was terminated").length === 2, "both alerts");
  expect(cards(story, "`web-1.example.test`")).toHaveLength(2);
  for (const card of cards(story, "`web-1.example.test`")) {
    expect(said(card)).toContain("done through Rackbell");
    expect(JSON.stringify(card.blocks)).not.toMatch(/"text":"(Start|Take|Renew…)"/);
  }
  await story.ask(ana, "/rackbell alerts log web-1.example.test", /was terminated(?!.*was terminated)/s);
});

test("a machine that stopped in a mute and was cancelled at once raises no alert when the mute ends", async () => {
  const story = await read();
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell alerts mute web-1 hours=1", "are muted");
  for (const name of ["web-1", "web-2"]) platform.change(name, { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "The machine of `web-2.example.test` has stopped")[0], "the other alert");
  await cancelAtOnce(story, "web-1");
  for (let rounds = 0; rounds < 5; rounds += 1) await passRound(story);
  expect(cards(story, "web-1.example.test")).toEqual([]);
});

async function cancelAtOnce(story: Story, name: string): Promise<void> {
  const request = await story.ask(story.ana, `/vps cancel ${name} immediate=yes`, "asks to");
  await story.pressing(story.ana, request, goAhead, name);
}

test("a failed image that somebody deletes is no longer called failed", async () => {
  const story = await read();
  const { ana, platform } = story;
  platform.changeImage("golden-web", { status: "capturing" });
  await passRound(story);
  platform.changeImage("golden-web", { status: "error" });
  await passRound(story);
  const alert = await story.passes(() => cards(story, "`golden-web` could not be made")[0], "the failure");
  const request = await story.ask(ana, "/image delete golden-web", "golden-web");
  await story.pressing(ana, request, goAhead, "golden-web");
  const current = await story.passes(
    () => cards(story, "The platform no longer shows `golden-web`").find(({ ts }) => ts === alert.ts),
    "the alert",
  );
  expect(said(current)).not.toContain("could not be made");
  expect(JSON.stringify(current.blocks)).not.toMatch(/"text":"(Take|Show image)"/);
});

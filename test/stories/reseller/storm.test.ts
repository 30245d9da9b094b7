import { expect, test } from "vitest";
import { signed } from "../../../src/sandbox/bench/deliveries.ts";
import { type Message, type Story, said } from "../story.ts";
import { cards, startAlertStory } from "./alerting.ts";

/** The supplier's events about so many services, through its signed deliveries. */
async function deliver(
  { app, slack, platform }: Story,
  event: string,
  many: number,
  { from = 0, more = () => ({}) }: { from?: number; more?: (number: number) => Record<string, string> } = {},
): Promise<void> {
  const secret = platform.reseller.signingSecret() ?? "";
  for (let number = from; number < from + many; number += 1) {
    const data = { serviceId: `service-${number}`, hostname: `host-${number}`, reason: "Power", ...more(number) };
    const { body, headers } = signed(secret, { id: `${event}-${number}`, event, data });
    const answer = await fetch(`${app.url}/webhooks/reseller/${slack.teamId}`, { method: "POST", body, headers });
    expect(answer.status).toBe(200);
  }
}

const named = ({ ben }: Story): Message[] => ben.sees("#ops").filter((one) => said(one).includes("more alerts since"));
const alone = (story: Story): Message[] => cards(story).filter((card) => said(card).includes("is suspended"));

test("from the sixth alert in a minute on, one message counts them and names the first twenty, and the others are behind its button", async () => {
  const story = await startAlertStory();
  const { ana, ben, slack } = story;
  slack.addUsergroup("oncall", ["ben"]);
  await story.ask(ana, "/rackbell alerts set #ops mention=@oncall", "`@oncall`");
  await deliver(story, "service.suspended", 30, { more: () => ({ externalCustomerId: "acme" }) });
  const burst = await story.passes(() => named(story).find((one) => said(one).includes("25 more alerts")), "the count");
  expect(said(burst)).toContain("25 services are suspended");
  expect(said(burst)).toContain("And 5 more.");
  expect(said(burst).match(/`host-\d+` is suspended.*still billed.*customer `acme`/g)).toHaveLength(20);
  await story.passes(() => alone(story).length === 5, "the cards of the first five");
  expect(named(story)).toHaveLength(1);
  expect(alone(story).filter((card) => said(card).includes("<!subteam"))).toHaveLength(1);
  const first = await story.pressing(ben, burst, "Show all…", "25 alerts in one message");
  const rest = await story.pressing(ben, first, "More", "`host-29` is suspended");
  await story.pressing(ben, rest, "Post it", "It is posted in its channel");
  await story.passes(() => alone(story).length === 6, "the alert that was opened");
  // Once the pause is over, one mention names what is down still, and posts the alert that it stands under.
  await story.passes(
    () =>
      Object.values(slack.state().channels)
        .flat()
        .some((one) => one.text.includes("Not over yet")),
    "the mention that was owed",
    30_000,
  );
});

test("hundreds of alerts in a minute are a handful of messages, and the one that names them shows their present state", async () => {
  const many = Number(process.env.STORM ?? 400);
  const story = await startAlertStory();
  const { ben, slack } = story;
  await deliver(story, "service.suspended", many);
  const isWhole = (one: Message) => said(one).includes(`${(many - 5).toLocaleString("en")} more alerts since`);
  const burst = await story.passes(() => named(story).find(isWhole), "the count");
  await story.passes(() => alone(story).length === 5, "the cards of the first five");
  expect(named(story)).toHaveLength(1);
  expect(slack.calls("chat.postMessage").length).toBeLessThan(20);
  await deliver(story, "service.unsuspended", 7);
  await story.passes(
    () => named(story).find((one) => said(one).includes("`host-6` is no longer suspended")),
    "the state of now",
  );
  await story.pressing(ben, burst, "Show all…", "alerts in one message");
});

test("an order that was paid among many and fails later is a new message, and fifty that fail within a minute are six", async () => {
  const story = await startAlertStory();
  const { clock } = story;
  const ofOrder = (number: number) => ({ orderId: `order-${number}`, orderNumber: `RES-${number}` });
  const failed = () =>
    cards(story).filter((card) => /`host-\d+` of order `RES-\d+` could not be built/.test(said(card)));
  const heading = (text: string) => () => named(story).find((one) => said(one).includes(text));
  const fails = (from: number, many: number) =>
    deliver(story, "service.provisioning_failed", many, { from, more: ofOrder });
  await deliver(story, "order.paid", 58, { more: ofOrder });
  await story.passes(heading("53 orders are paid."), "the message about the others");
  clock.skip(10 * 60_000);
  await fails(7, 1);
  await story.passes(() => failed().length === 1, "the alert of order 7");
  expect(failed().map(said).join()).toContain("`host-7`");
  await story.passes(
    heading("52 orders are paid. 1 service could not be built."),
    "its present state beside the others",
  );
  clock.skip(2 * 60_000);
  await fails(8, 50);
  await story.passes(heading("45 more alerts"), "the further message");
  await story.passes(heading("2 orders are paid. 51 services could not be built."), "the present state of all");
  await story.passes(heading("45 services could not be built."), "the count of the further message");
  await story.passes(() => failed().length === 6, "the cards of the first five that fail");
  expect(named(story)).toHaveLength(2);
  // The order itself fails right after its service: a line of that message says so, and no further one comes.
  await deliver(story, "order.failed", 50, { from: 8, more: ofOrder });
  clock.skip(10 * 60_000);
  await deliver(story, "service.terminated", 1, { from: 57, more: ofOrder });
  await story.passes(
    () => cards(story).some((card) => said(card).includes("`host-57` was terminated")),
    "the end of one",
  );
  expect(named(story)).toHaveLength(2);
  expect(failed()).toHaveLength(6);
});

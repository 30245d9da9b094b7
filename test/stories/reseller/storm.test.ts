import { expect, test } from "vitest";
import { signed } from "../../../src/sandbox/bench/deliveries.ts";
import { type Message, type Story, said } from "../story.ts";
import { cards, startAlertStory } from "./alerting.ts";

/** The supplier's events about so many services, through its signed deliveries. */
async function deliver({ app, slack, platform }: Story, event: string, many: number): Promise<void> {
  const secret = platform.reseller.signingSecret() ?? "";
  for (let number = 0; number < many; number += 1) {
    const data = { serviceId: `service-${number}`, hostname: `host-${number}`, reason: "Power" };
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
  await deliver(story, "service.suspended", 30);
  const burst = await story.passes(() => named(story).find((one) => said(one).includes("25 more alerts")), "the count");
  expect(said(burst)).toContain("25 services are suspended");
  expect(said(burst)).toContain("And 5 more.");
  expect(said(burst).match(/`host-\d+` is suspended/g)).toHaveLength(20);
  expect(alone(story)).toHaveLength(5);
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
  expect(alone(story)).toHaveLength(5);
  expect(named(story)).toHaveLength(1);
  expect(slack.calls("chat.postMessage").length).toBeLessThan(20);
  await deliver(story, "service.unsuspended", 7);
  await story.passes(
    () => named(story).find((one) => said(one).includes("`host-6` is no longer suspended")),
    "the state of now",
  );
  await story.pressing(ben, burst, "Show all…", "alerts in one message");
});

import { expect, test } from "vitest";
import { signed } from "../../../src/sandbox/bench/deliveries.ts";
import { goAhead, type Story, said } from "../story.ts";
import { cards, replies, startAlertStory } from "./alerting.ts";

const machines = Array.from({ length: 12 }, (_, number) => number);

/** The supplier's event about each machine. `pauseMs`: time that passes in between. */
async function deliver({ app, slack, platform, clock }: Story, event: string, pauseMs = 0): Promise<void> {
  const secret = platform.reseller.signingSecret() ?? "";
  for (const number of machines) {
    const data = { serviceId: `service-${number}`, hostname: `host-${number}` };
    const { body, headers } = signed(secret, { id: `${event}-${number}`, event, data });
    const answer = await fetch(`${app.url}/webhooks/reseller/${slack.teamId}`, { method: "POST", body, headers });
    expect(answer.status).toBe(200);
    clock.skip(pauseMs);
  }
}

const suspensions = (story: Story) => replies(story).filter((reply) => said(reply).startsWith(":no_entry:"));

test("an approval's result comes before the alerts that wait in its channel, and those come before the edits of older alerts", async () => {
  const story = await startAlertStory("", { linked: ["ana"] });
  const { ana } = story;
  // No six alerts of a minute: those come in one message.
  await deliver(story, "service.provisioned", 15_000);
  await story.passes(() => cards(story).length === machines.length, "a card for each machine");
  const review = await story.ask(ana, "/vps cancel web-2", "`web-2` ends");
  await deliver(story, "service.suspended");
  await story.passes(() => suspensions(story).length > 0, "the first alert");
  await story.pressing(ana, review, goAhead, "`web-2` ends", "Keep it");
  expect(suspensions(story).length).toBeLessThan(machines.length / 2);
  const edited = () => cards(story).filter((card) => said(card).includes("is suspended")).length;
  await story.passes(() => suspensions(story).length === machines.length, "every alert");
  expect(edited()).toBeLessThan(machines.length / 2);
  await story.passes(() => edited() === machines.length, "every card");
});

import { expect, test } from "vitest";
import { goAhead, peer, said, startStory } from "../story.ts";
import { reviewOf } from "./ordering.ts";
import { connect, resellerWrites } from "./selling.ts";

test("a partner links a key, connects the account, orders for a customer, watches it come up, suspends and unsuspends it, changes its package, opens a console link, and ends it with a peer's approval", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer, pace: 30 });
  const { ana, ben, platform } = story;
  for (const actor of [ana, ben]) {
    const name = actor === ana ? "ana" : "ben";
    await story.link(actor, platform.reseller.keys[name].key);
  }
  await connect(story, ana);
  const review = await reviewOf(story, ana, '"VPS S" customer=acme-bakery hostname=shop.example.test own=ACME-9');
  await story.pressing(ana, review, goAhead, "Ordered 1 × `VPS S`");
  await story.comesToSee(ana, "1 service is ready");

  const service = "shop.example.test";
  await story.ask(ana, `/reseller service show ${service}`, "is running");
  await story.ask(ana, `/reseller service suspend ${service} force=yes`, "is suspended", "still billed");
  await story.ask(ana, `/reseller service unsuspend ${service}`, "no longer suspended");
  const change = await story.ask(ana, `/reseller service upgrade ${service} to="VPS M"`, "VPS M");
  await story.pressing(ana, change, goAhead, "VPS M");
  await story.comesToSee(ana, "is `VPS M` now");
  await story.ask(ana, `/reseller service console-cast ${service}`, "is made");

  const request = await story.ask(ana, `/reseller service terminate ${service}`, "asks to", "Somebody other than");
  await story.pressing(ana, request, goAhead, "so a teammate has to approve it");
  const ended = await story.pressing(ben, request, goAhead, ":white_check_mark:");
  expect(said(ended)).toContain(`approved by <@${ben.user.id}>`);
  await story.ask(ana, `/reseller service show ACME-9`, "terminated");
  expect(resellerWrites(story).filter(({ path }) => path === "/reseller/orders")).toHaveLength(1);
}, 60_000);

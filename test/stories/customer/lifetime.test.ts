import { expect, test } from "vitest";
import { offered, orderCalls, payCalls, reviewOf } from "../ordering.ts";
import { goAhead, peer, said, startStory } from "../story.ts";

test("a server is ordered, paid, watched to its address, upgraded, snapshotted, and cancelled with a peer's approval", async () => {
  const story = await startStory({ pace: 4, linked: ["ana", "caro"], environment: peer });
  const { ana, caro, platform, slack } = story;
  const isShown = (text: string) => ana.sees().some((message) => said(message).includes(text));

  await ana.press(await reviewOf(story, ana, "VPS S", { "Host name": "shop.example.test" }), goAhead);
  await story.sees(ana, "Ordered 1 ×");
  await ana.press(await offered(story, ana, "Pay…"), "Pay…");
  await ana.press(await story.sees(ana, "from the credit balance"), goAhead);
  await story.passes(() => isShown("1 server is ready"), "the server arrives");
  const { name } = platform.findVps("shop");
  await story.ask(ana, `/vps show ${name}`, "is running");

  await story.ask(ana, `/service upgrades ${name}`, "can go to");
  await ana.press(await story.ask(ana, `/service upgrade ${name} to="VPS L"`, "costs"), goAhead);
  const bill = await slack.until(
    () => platform.documents().find(({ cause }) => cause === "upgrade"),
    "the upgrade's document",
  );
  const owed = await story.ask(ana, `/billing pay ${bill.number}`, "from the credit balance");
  await ana.press(owed, goAhead);
  await story.passes(() => isShown("took effect"), "the upgrade takes effect");

  await story.ask(ana, `/vps snapshot ${name} name=first-one`, "Taking the snapshot");
  await story.passes(() => isShown("The snapshot `first-one` is taken"), "the snapshot is taken");

  const request = await story.ask(
    ana,
    `/vps cancel ${name}`,
    "asks to",
    "You can withdraw the cancellation until then",
  );
  await caro.press(request, goAhead);
  await story.sees(ana, ":white_check_mark:", "You can withdraw the cancellation until then", "approved by");
  expect(platform.findVps(name).cancellation).not.toBeNull();
  expect([orderCalls(story).length, payCalls(story).length]).toEqual([1, 2]);
});

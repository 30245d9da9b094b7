import { describe, expect, test } from "vitest";
import {
  type Actor,
  everybody,
  goAhead,
  type Message,
  peer,
  type Story,
  said,
  startStory,
  withControl,
} from "../story.ts";

const hour = 60 * 60_000;

/** Presses *Defer…* in the details, and sends its form. */
async function defer(story: Story, actor: Actor, request: Message, hours: number, why: string): Promise<void> {
  await actor.press(await withControl(actor, request, { actionId: "request:defer" }, story.slack.until), {
    actionId: "request:defer",
  });
  await story.modal(actor, "Defer the request");
  const at = Math.floor((story.clock.now() + hours * hour) / 1_000);
  await actor.fill({ "Until when?": at, "Why?": why });
  await actor.submit();
}

function inThread(actor: Actor, { ts }: Message): string[] {
  return actor.sees().flatMap((one) => (one.thread_ts === ts ? [said(one)] : []));
}

describe("a request is deferred", () => {
  test("its requester is notified, nobody is reminded, and those who decide are notified anew at its time", async () => {
    const story = await startStory({ linked: everybody, environment: peer });
    const { ana, ben, caro, clock } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    await defer(story, ben, request, 5, "After the release.");
    const shown = said(await story.sees(ana, "asks to", `<@${ben.user.id}> deferred it until`, "After the release."));
    expect(shown).not.toContain("Take");
    await story.sees(ana, `<@${ana.user.id}>, <@${ben.user.id}> deferred your request until`, "It expires");
    expect(said(await story.ask(caro, "/rackbell approvals", "web-1"))).toContain("deferred it until");
    // It would have expired after an hour, and reminded after a third of it.
    clock.skip(4.5 * hour);
    await story.ask(caro, "/rackbell approvals", "web-1");
    expect(inThread(ana, request).join()).not.toContain("still awaits a decision");
    await story.passes(
      () => inThread(ana, request).some((text) => text.includes("awaits a decision again")),
      "those who decide to be called again",
      60_000,
    );
    const [call = ""] = inThread(ana, request).filter((text) => text.includes("awaits a decision again"));
    expect(call).toContain(`<@${caro.user.id}>`);
    expect(call).toContain("none changed");
    expect(inThread(ana, request).join()).not.toContain("still awaits a decision");
    await story.pressing(caro, request, goAhead, "approved by");
    const entries = said(await story.ask(ana, "/rackbell audit", "Its deferral is over."));
    expect(entries).toContain("After the release.");
  });

  test("whose facts changed meanwhile ends at its time, and says so to its requester", async () => {
    const story = await startStory({ linked: everybody, environment: peer });
    const { ana, ben, platform } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    await defer(story, ben, request, 2, "Later.");
    await story.sees(ana, "deferred your request");
    platform.remove("web-1");
    await story.passes(
      () =>
        inThread(ana, request).some((text) => /changed since this request|no longer|is gone|There is no/.test(text)),
      "the requester to read that it ended",
      60_000,
    );
  });

  test("is decided before its time all the same, and its requester, or somebody without the scope, cannot defer it", async () => {
    const story = await startStory({ linked: everybody, environment: peer });
    const { ana, ben, caro, dave } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    await ben.press(await withControl(ben, request, { actionId: "request:defer" }, story.slack.until), {
      actionId: "request:defer",
    });
    await story.modal(ben, "Defer the request");
    const view = ben.modal();
    if (!view) throw new Error("There is no form");
    await ana.press(await withControl(ana, request, { actionId: "request:details" }, story.slack.until), {
      actionId: "request:details",
    });
    await story.modal(ana, "web-1");
    expect(JSON.stringify(ana.modal())).not.toContain("request:defer");
    await dave.press(request, { actionId: "request:details" });
    await story.slack.until(() => dave.modal(), "the details of dave");
    expect(JSON.stringify(dave.modal())).not.toContain("request:defer");
    await ben.fill({ "Until when?": Math.floor((story.clock.now() + hour) / 1_000), "Why?": "Later." });
    await ben.submit();
    await story.sees(ana, "deferred your request");
    await story.pressing(caro, request, goAhead, "approved by");
  });

  test("no longer than a month, and not beyond its scheduled time", async () => {
    const story = await startStory({ linked: everybody, environment: peer });
    const { ana, ben } = story;
    const request = await story.ask(ana, "/vps cancel web-1 in=3h", "asks to");
    await defer(story, ben, request, 4, "Later.");
    await story.modal(ben, "cannot wait longer than", "Nothing changed");
  });
});

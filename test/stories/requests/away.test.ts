import { describe, expect, test } from "vitest";
import { everybody, goAhead, peer, type Story, said, startStory } from "../story.ts";

const hour = 60 * 60_000;

/** All that a member sees, as one text. */
const home = ({ slack }: Story, actor: Story["ana"], ...texts: string[]) =>
  slack.until(
    () => {
      const shown = JSON.stringify(actor.home() ?? {});
      return texts.every((text) => shown.includes(text)) ? shown : undefined;
    },
    `Home to show ${texts.join(" + ")}`,
  );

describe("a member is away", () => {
  test("the stand-in is mentioned in a request, the member is named without a mention, and gets back all with one press", async () => {
    const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
    const { ana, ben, caro } = story;
    const set = await story.ask(
      caro,
      '/rackbell away until="tomorrow 8:00" to=@ben reason="A week at sea"',
      "You are away",
    );
    expect(said(set)).toContain(`<@${ben.user.id}> is notified in your place`);
    const note = said(await story.seesIn("dm", ben, "named you as their stand-in"));
    expect(note).toContain(`<@${caro.user.id}> is away until`);
    expect(note).toContain("A week at sea");
    const request = said(await story.ask(ana, "/vps cancel web-1", "asks to"));
    expect(request).toContain(`<@${ben.user.id}> is notified for @caro, who is away until`);
    expect(request).toContain(`<@${ben.user.id}> (their key allows`);
    expect(request).not.toContain(`<@${caro.user.id}>`);
    expect(request).not.toContain("sea");
    await caro.openHome();
    await home(story, caro, "You are away", ben.user.id);
    await ben.openHome();
    await home(story, ben, "You are the stand-in of", caro.user.id);
    await story.ask(caro, "/rackbell back", "Welcome back");
    await story.seesIn("dm", ben, `<@${caro.user.id}> is back`);
    const next = said(await story.ask(ana, "/vps cancel web-2", "asks to"));
    expect(next).toContain(`<@${caro.user.id}>`);
    expect(next).not.toContain("who is away");
    const entries = said(await story.ask(caro, "/rackbell audit", "They are back."));
    expect(entries).toContain("Away until");
  });

  test("the member can still decide, and the stand-in who could not decide before cannot now", async () => {
    const story = await startStory({ linked: everybody, environment: peer });
    const { ana, ben, caro, dave } = story;
    await story.ask(caro, '/rackbell away until="tomorrow 8:00" to=@dave or=@ben', "You are away");
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    expect(said(request)).toContain(`<@${ben.user.id}> is notified for @caro`);
    expect(said(request)).toContain("@dave, who was named, cannot decide it.");
    expect(said(request)).not.toContain(`<@${dave.user.id}>`);
    await story.pressing(dave, request, goAhead, "Nothing was");
    await story.pressing(caro, request, goAhead, "approved by");
  });

  test("without a stand-in the request says that nobody is notified, and it ends by itself", async () => {
    const story = await startStory({ linked: ["ana", "ben"], environment: peer });
    const { ana, ben, clock } = story;
    await story.ask(ben, "/rackbell away until=8:00", "Nobody is notified in your place");
    const request = said(await story.ask(ana, "/vps cancel web-1", "asks to"));
    expect(request).toContain("@ben is away until");
    expect(request).toContain("nobody is notified in their place");
    expect(request).not.toContain(`<@${ben.user.id}>`);
    // It is in the list of whoever was not notified.
    await story.ask(ben, "/rackbell approvals", "web-1");
    clock.skip(25 * hour);
    await story.ask(ben, "/rackbell away", "You are here");
    expect(said(await story.ask(ana, "/vps cancel web-2", "asks to"))).toContain(`<@${ben.user.id}>`);
  });

  test("nobody is left for a stand-in who is away too: their own is notified, and a circle is refused", async () => {
    const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
    const { ana, ben, caro } = story;
    await story.ask(ben, '/rackbell away until="tomorrow 8:00" to=@ana', "You are away");
    await story.ask(ana, '/rackbell away until="tomorrow 8:00" to=@ben', "you are their stand-in", "Nothing changed");
    const chain = said(await story.ask(caro, '/rackbell away until="tomorrow 8:00" to=@ben', "You are away"));
    expect(chain).toContain(`<@${ben.user.id}> is away as well`);
    expect(chain).toContain(`So <@${ana.user.id}> is notified`);
    await story.ask(ana, "/rackbell away", "You are the stand-in of", `<@${ben.user.id}>`, `<@${caro.user.id}>`);
  });

  test("each stand-in who makes no sense has its sentence, and so has each time", async () => {
    const story = await startStory({ linked: ["ana"] });
    const { ana } = story;
    const refused: [string, string][] = [
      ["until=8:00 to=@ana", "You cannot be your own stand-in"],
      ["until=8:00 to=@gus", "cannot be a stand-in"],
      ["until=8:00 to=@zed", "cannot be a stand-in"],
      ["until=8:00 to=@ben or=@ben", "Name somebody else than the first stand-in"],
      ["until=someday", "I don't know that time"],
    ];
    for (const [typed, sentence] of refused) await story.ask(ana, `/rackbell away ${typed}`, sentence);
    await story.ask(ana, "/rackbell away", "You are here");
    await story.ask(ana, "/rackbell away until=now", "You are here already");
    await story.ask(ana, "/rackbell away until=8:00 to=@ben", "You are away", "has linked no key yet");
  });

  test("a vacation in Slack's status is offered once, with the form filled in, and sets nothing", async () => {
    const story = await startStory({ linked: ["ana", "ben"] });
    const { ana, ben, clock, slack } = story;
    const ends = Math.ceil((clock.now() + 5 * 24 * hour) / 60_000) * 60;
    const status = { text: "Vacationing", emoji: ":palm_tree:", expiration: ends };
    slack.setStatus("ben", status);
    const offer = await story.seesIn("dm", ben, "you are on vacation");
    await story.ask(ben, "/rackbell away", "You are here");
    slack.setStatus("ben", { ...status, text: "On the beach" });
    slack.setStatus("ana", { text: "In a meeting", emoji: ":calendar:", expiration: ends });
    await ben.press(offer, "Set an absence…");
    await story.modal(ben, "Stand-in");
    expect(JSON.stringify(ben.modal())).toContain(`"initial_date_time":${ends}`);
    await ben.fill({ "Stand-in": "ana" });
    await ben.submit();
    await story.seesIn("dm", ben, ":palm_tree: You are away until", `<@${ana.user.id}>`);
    expect(ben.sees("dm").filter((message) => said(message).includes("you are on vacation"))).toHaveLength(1);
    expect(ana.sees("dm").filter((message) => said(message).includes("you are on vacation"))).toHaveLength(0);
  });

  test("a request that waits already calls the stand-in, unless it notified that one before", async () => {
    const story = await startStory({ linked: ["ana", "ben", "caro"] });
    const { ana, ben, caro } = story;
    const named = `<@${caro.user.id}>`;
    const both = `"<@${ben.user.id}> ${named}"`;
    await story.ask(ana, `/rackbell policy set demand=one-approval risk=destroy approvers=${both}`, "In effect now");
    await story.ask(ben, '/rackbell away until="tomorrow 8:00"', "You are away");
    const request = await story.ask(ana, "/vps cancel web-1", "asks to", named);
    expect(request.mentions).not.toContain(`<@${ben.user.id}>`);
    await story.ask(ben, "/rackbell back", "Welcome back");
    await story.ask(caro, '/rackbell away until="tomorrow 8:00" to=@ben', "You are away");
    const call = await story.sees(ben, `<@${ben.user.id}>, you are notified for @caro, who is away now`, "It expires");
    expect(call.thread_ts).toBe(request.ts);
    await story.pressing(ben, request, goAhead, "approved by");
  });
});

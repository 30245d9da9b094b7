import { expect, test } from "vitest";
import { type Message, said, startStory } from "../story.ts";

test("a rule is changed in its own place from the list, by a form with its values, and removed after a question", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy command=vps", "Added");
  const rules = await story.ask(ana, "/rackbell policy", "two approvals", "Change…");
  expect(JSON.stringify(await story.ask(ben, "/rackbell policy", "two approvals"))).not.toContain("Change…");
  const [, id = ""] = /`([0-9a-f]{8})`/.exec(said(rules)) ?? [];
  await ana.press(rules, "Change…");
  await story.modal(ana, id, "two-approvals", "destroy");
  await ana.fill({ Needs: "It is not allowed" });
  await ana.submit();
  await story.sees(ana, "Changed: ", "not allowed", "Before: ", "In effect now");
  const after = await story.ask(ana, "/rackbell policy", "The rules of this workspace");
  expect([...said(after).matchAll(/`([0-9a-f]{8})`/g)].map(([, one]) => one)).toEqual([id]);
  expect((await ana.press(after, "Remove…", { confirm: false })).confirm?.title).toBe("Remove this approval rule?");
  expect(said(await story.ask(ana, "/rackbell policy", "not allowed"))).toContain(id);
  await story.pressing(ana, after, "Remove…", "Removed: ");
});

test("a maintenance window is moved from the list by its maker, and keeps what the form was not asked to change", async () => {
  const story = await startStory({ linked: ["ana", "ben", "dave"] });
  const { ana, ben, dave } = story;
  await story.ask(ben, "/rackbell maintenance web-1 web-2 22:00-23:00 on=sat every=week", "are under maintenance");
  const listed = await story.ask(ben, "/rackbell maintenance list", "`web-1` and `web-2`", "Change…");
  expect(JSON.stringify(await story.ask(dave, "/rackbell maintenance list", "web-1"))).not.toContain("Change…");
  await ben.press(listed, "Change…");
  await story.modal(ben, "web-1 web-2 22:00-23:00", "week");
  await ben.fill({ "Machines and time": "web-1 web-2 mail 21:00-23:00" });
  await ben.submit();
  await story.sees(ben, "`web-1`, `web-2` and `mail` are under maintenance", "every week");
  const moved = await story.ask(ana, "/rackbell maintenance list", "`mail`", "every week");
  expect(said(moved).match(/:construction:/g)).toHaveLength(1);
  const { confirm } = await ana.press(moved, "Remove…", { confirm: false });
  expect(confirm?.title).toBe("Remove this maintenance window?");
  expect(confirm?.text).toMatch(/web-1, web-2 and mail.*Alerts of these machines come again/);
  expect(confirm?.text).not.toContain("Remove:");
  expect(confirm?.confirm).toBe("Yes, remove");
  await story.pressing(ana, moved, "Remove…", "Removed: ");
});

test("the alerts of a channel are changed from the list: what is emptied in the form is no filter any more", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell alerts add #ops events=service.* about=acme-bakery mention=@ben", "Saved");
  await story.ask(ana, "/rackbell alerts mute web-1 hours=2", "are muted");
  expect(JSON.stringify(await story.ask(ben, "/rackbell alerts", "service."))).not.toContain("Change…");
  const listed = await story.ask(ana, "/rackbell alerts", "Alerts by channel", "Change…", "Unmute");
  await ana.press(listed, "Change…");
  await story.modal(ana, "service.*", "acme-bakery");
  await ana.fill({ About: "" });
  await ana.submit();
  const saved = said(await story.sees(ana, /Saved: (?!.*acme).*service/));
  expect(saved).toContain(`<@${ben.user.id}>`);
  await story.pressing(ana, listed, "Unmute", "no longer muted");
  const present = await story.ask(ana, "/rackbell alerts", "Alerts by channel", "Stop…");
  const { confirm } = await ana.press(present, "Stop…", { confirm: false });
  expect(confirm?.title).toBe("Stop these alerts?");
  expect(confirm?.text).toBe("The channel gets no more of these alerts.");
  await story.pressing(ana, present, "Stop…", "No longer: ");
});

test("a watch is prolonged from the list of watches", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, slack, clock } = story;
  await story.ask(ana, "/rackbell watch web-1 days=2", "I watch");
  const watches = await story.ask(ana, "/rackbell watches", "`web-1`", "Change…");
  await ana.press(watches, "Change…");
  await story.modal(ana, "web-1", "For so many days");
  await ana.fill({ "For so many days": "20" });
  await ana.submit();
  const end = (days: number) => Math.floor(clock.now() / 1_000) + days * 24 * 60 * 60;
  const until = (message: Message) => Number(/I watch `web-1` for you until <!date\^(\d+)/.exec(said(message))?.[1]);
  await slack.until(() => ana.sees().some((message) => until(message) > end(19)), "the watch to end in 20 days");
});

/** Rows with values at the edge of their form's fields, and the list that shows them. */
const changeable: [list: string, headline: RegExp, setUps: string[]][] = [
  [
    "/rackbell policy",
    /The rules of this workspace/,
    [
      '/rackbell policy add demand=two-approvals risk=spend command=vps over="50 EUR" in=#ops glass=yes',
      '/rackbell policy add demand=one-approval risk=spend day="1000.50 EUR" outside=#general,#ops',
    ],
  ],
  [
    "/rackbell maintenance list",
    /Maintenance windows/,
    ["/rackbell maintenance web-1 mail 22:00-23:00 on=sat every=week"],
  ],
  ["/rackbell watches", /You watch 1 resource/, ["/rackbell watch web-1 days=9"]],
  [
    "/rackbell alerts",
    /Alerts by channel/,
    [
      "/rackbell alerts add #ops events=service.*,order.paid except=acme-bakery mention=@oncall",
      '/rackbell alerts add #general product="VPS *" mention=@ben',
      '/rackbell alerts mute web-1 channel=#ops until="DAY 08:00"',
      "/rackbell alerts mode #ops how=digest hours=7,19 zone=Asia/Kolkata",
    ],
  ],
  // Apart from the mute above: of two, the changed one comes last.
  ["/rackbell alerts", /No channel gets alerts/, ["/rackbell alerts mute hours=0.5"]],
];

test.each(changeable)("a form of %s that is sent as it came changes nothing", async (list, headline, setUps) => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, slack } = story;
  slack.addUsergroup("oncall", ["ben"]);
  const day = new Date(story.clock.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  for (const setUp of setUps)
    await story.ask(
      ana,
      setUp.replace("DAY", day),
      /In effect now|are under maintenance|I watch|Saved|are muted|gets all in one message/,
    );
  // A window in place of another has an id of its own.
  const time = /<!date\^(\d+)[^>]*>|`[0-9a-f]{8}`/g;
  const times = (message: Message) => [...said(message).matchAll(time)].map(([, seconds = "0"]) => Number(seconds));
  for (const index of setUps.keys()) {
    const before = await story.ask(ana, list, headline);
    await ana.press(before, { label: "Change…", index });
    const isFilled = () => /"type":"input"/.test(JSON.stringify(ana.modal() ?? null));
    await slack.until(isFilled, `form ${index}`);
    const seen = ana.sees().length;
    await ana.submit();
    await slack.until(() => ana.sees().length > seen, `the answer to form ${index}`);
    const after = await story.ask(ana, list, headline);
    expect(said(after).replaceAll(time, ""), `form ${index}`).toBe(said(before).replaceAll(time, ""));
    // A watch of some days begins anew.
    for (const [at, seconds] of times(before).entries())
      expect(Math.abs((times(after)[at] ?? 0) - seconds), `form ${index}`).toBeLessThan(60);
  }
});

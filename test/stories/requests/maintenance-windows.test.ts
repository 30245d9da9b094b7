import { expect, test } from "vitest";
import { passNameOn } from "../renamed.ts";
import { cards, startAlertStory, supplierLifts, supplierSuspends } from "../reseller/alerting.ts";
import { goAhead, type Message, peer, pressInDetails, type Story, said, startStory, writes } from "../story.ts";

const hour = 60 * 60_000;

/** "22:05", as the clocks in Madrid show it so many milliseconds from now: ana's zone. */
function clockIn({ clock }: Story, ms: number): string {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Madrid", hour: "2-digit", minute: "2-digit" });
  return format.format(clock.now() + ms);
}

/** "22:00-23:00": from so long after now on, for an hour. */
function timesIn(story: Story, ms: number): string {
  return `${clockIn(story, ms)}-${clockIn(story, ms + hour)}`;
}

const onlyInWindows = "/rackbell policy add demand=not-allowed risk=destroy window=outside";

test("a window shows on the card of its machine, is listed, and is removed by who made it or an admin", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ben, "/rackbell maintenance list", "There are no maintenance windows that you can see");
  const made = await story.ask(
    ana,
    `/rackbell maintenance web-1 ${timesIn(story, 2 * hour)}`,
    "`web-1` is under maintenance",
    "muted then",
  );
  expect(said(made)).not.toContain("overlaps");
  await story.ask(ben, "/vps show web-1", "Maintenance: from", "until");
  const listed = await story.ask(ben, "/rackbell maintenance list", "Maintenance windows", "`web-1`");
  const id = /`([0-9a-f]{8})`/.exec(said(listed))?.[1];
  await story.ask(ben, `/rackbell maintenance remove ${id}`, "who made it, or an admin can change or remove it");
  await story.ask(ana, `/rackbell maintenance remove ${id}`, "Removed");
  await story.ask(ana, `/rackbell maintenance remove ${id}`, "There is no such window");
});

test("two windows that overlap hold together, and the second says so", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock } = story;
  await story.ask(ana, `/rackbell maintenance web-1 ${timesIn(story, hour)} every=day`, "every day at that time");
  await story.ask(
    ana,
    `/rackbell maintenance web-1 web-2 ${timesIn(story, 1.5 * hour)}`,
    "It overlaps others, and all of them hold together",
  );
  // By the command of an older version, it is made, listed and removed as well.
  const mail = await story.ask(ana, `/rackbell window mail ${timesIn(story, hour)}`, "`mail` is under maintenance");
  expect(JSON.stringify(mail)).toContain("Remove it");
  const id = /`mail`[^`]*`([0-9a-f]{8})`/.exec(said(await story.ask(ana, "/rackbell window list", "`mail`")))?.[1];
  await story.ask(ana, `/rackbell window remove ${id}`, "Removed", "`mail`");
  await story.ask(ana, onlyInWindows, "In effect now", "outside a maintenance window");
  clock.skip(2.3 * hour);
  // The first has closed by now, and the second has not.
  await story.ask(ana, "/vps cancel web-1", "asks to");
});

test("machines of a window are named in code marks, or in quotes where the name has blanks", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { name: "web 2 old" });
  await story.ask(
    ana,
    '/rackbell maintenance `web-1` "web 2 old" 22:00-23:30',
    "`web-1` and `web 2 old` are under maintenance",
  );
});

test("a window command that is not understood is answered with how to write it, or with the unknown name or day", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell maintenance web-1 tonight", "such as web-1 22:00-23:30");
  await story.ask(ana, "/rackbell maintenance nothing-1 22:00-23:30", "You have nothing called");
  await story.ask(ana, "/rackbell maintenance web-1 22:00-23:30 on=someday", "I don't know the day");
});

test("outside its windows a rule allows nothing; the refusal plans it for the next one in one press, and it runs then", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, clock, platform } = story;
  await story.ask(ana, onlyInWindows, "In effect now");
  await story.ask(ana, "/vps cancel web-1", "does not allow it", "No such maintenance window is scheduled");
  // A window that is no admin's opens nothing.
  await story.ask(ben, `/rackbell maintenance web-1 ${timesIn(story, 5 * hour)}`, "No rule goes by it");
  await story.ask(ana, "/vps cancel web-1", "does not allow it", "No such maintenance window is scheduled");
  await story.ask(ana, `/rackbell maintenance web-1 ${timesIn(story, 2 * hour)}`, "is under maintenance");
  const refused = await story.ask(
    ana,
    "/vps cancel web-1",
    "does not allow it",
    "The next one opens",
    "Schedule it for then",
  );
  await story.ask(ana, "/vps cancel web-1 in=90m", "does not allow it");
  const request = await story.pressing(ana, refused, "Schedule it for then", "asks to", "*When*");
  await story.pressing(ana, request, goAhead, "It is scheduled for");
  expect(platform.findVps("web-1").cancellation).toBeNull();
  clock.skip(2 * hour);
  await story.passes(() => platform.findVps("web-1").cancellation !== null, "the end");
});

test("of several machines, one that is outside its window at its turn is left as it is, and the others go on", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock, platform } = story;
  await story.ask(ana, onlyInWindows, "In effect now");
  await story.ask(ana, `/rackbell maintenance web-2 ${timesIn(story, hour)}`, "is under maintenance");
  clock.skip(1.5 * hour);
  const request = await story.ask(ana, "/vps cancel web-1 web-2", "Cancel 2 VPSes");
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "1 of 2 was done and 1 left out", "outside a maintenance window", "it was left as it is");
  expect(platform.findVps("web-1").cancellation).toBeNull();
  expect(platform.findVps("web-2").cancellation).not.toBeNull();
});

test("its window was removed before the time came: nothing is done, and a message says so", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock, platform } = story;
  await story.ask(ana, onlyInWindows, "In effect now");
  await story.ask(ana, `/rackbell maintenance web-1 ${timesIn(story, 2 * hour)}`, "is under maintenance");
  const request = await story.ask(ana, "/vps cancel web-1 in=150m", "asks to");
  await story.pressing(ana, request, goAhead, "It is scheduled for");
  const listed = await story.ask(ana, "/rackbell maintenance list", "Maintenance windows");
  await story.ask(ana, `/rackbell maintenance remove ${/`([0-9a-f]{8})`/.exec(said(listed))?.[1]}`, "Removed");
  clock.skip(2.5 * hour);
  await story.sees(ana, "it did not start", "does not allow it", "outside a maintenance window");
  expect(platform.findVps("web-1").cancellation).toBeNull();
});

test.each([
  ["approval", "demand=one-approval", {}],
  ["a confirmation", "demand=confirm", {}],
  ["a passkey", "demand=confirm passkey=yes", { PASSKEYS: "on" }],
])(
  "a schedule that nobody confirmed stays at its time when it is moved to one at which a rule wants %s",
  async (_, demand, environment) => {
    const story = await startStory({ linked: ["ana", "ben"], environment });
    const { ana, clock } = story;
    await story.ask(ana, `/rackbell maintenance web-1 ${timesIn(story, 2 * hour)}`, "is under maintenance");
    await story.ask(ana, `/rackbell policy add ${demand} risk=change window=outside`, "In effect now");
    const card = await story.ask(ana, "/vps snapshot web-1 name=before in=150m", "It is scheduled for");
    await moves(story, card, 5 * hour);
    await story.sees(ana, "Nothing changed", "the rules ask for more at that time", "outside a maintenance window");
    clock.skip(2.5 * hour);
    await story.passes(() => writes(story).length > 0, "the snapshot");
  },
);

test("a request that only its requester sees is not moved to a time at which others must approve it, pending or scheduled", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, clock, platform } = story;
  await story.ask(ana, "/rackbell policy add demand=one-approval risk=destroy window=outside", "In effect now");
  await story.ask(ana, `/rackbell maintenance web-1 ${timesIn(story, 2 * hour)}`, "is under maintenance");
  const request = await story.ask(ana, "/vps cancel web-1 in=150m", "asks to");
  await pressInDetails(story, ana, request, "request:move");
  await picks(story, 5 * hour);
  await story.modal(ana, "Nothing changed", "the rules ask for more at that time");
  await ana.closeModal({ all: true });
  const card = await story.pressing(ana, request, goAhead, "It is scheduled for");
  await moves(story, card, 5 * hour);
  await story.sees(ana, "Nothing changed", "the rules ask for more at that time");
  clock.skip(2.5 * hour);
  await story.passes(() => platform.findVps("web-1").cancellation !== null, "the end");
});

async function moves(story: Story, card: Message, ms: number): Promise<void> {
  await story.ana.press(card, "request:move");
  await picks(story, ms);
}

/** Ana picks a time so many milliseconds from now in the open modal. */
async function picks({ ana, clock, ...story }: Story, ms: number): Promise<void> {
  await story.modal(ana, "When?");
  await ana.fill({ "When?": Math.floor((clock.now() + ms) / 1000) });
  await ana.submit();
}

test("alerts of its machines are muted while a window is open, and come again after it", async () => {
  const story = await startAlertStory();
  const { ana, ben, clock } = story;
  await story.ask(
    ana,
    `/rackbell maintenance mail.example.test ${timesIn(story, -10 * 60_000)}`,
    "under maintenance now until",
  );
  const id = await supplierSuspends(story, "mail.example.test");
  await expect
    .poll(async () => said(await story.askIn("dm", ana, "/reseller event list", /event/i)), { timeout: 15_000 })
    .toMatch(/`mail.example.test` is suspended.*\nmuted in/);
  expect(cards(story)).toEqual([]);
  clock.skip(hour);
  await supplierLifts(story, id);
  await story.sees(ben, "`mail.example.test` is no longer suspended", "by webhook,");
});

test("an override of a schedule runs now, so a rule that allows the act only in a window refuses it", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, slack, platform } = story;
  await story.ask(ana, onlyInWindows, "In effect now");
  await story.ask(ana, "/rackbell policy add demand=one-approval risk=destroy glass=yes", "In effect now");
  slack.setRole("caro", "admin");
  await story.ask(ana, `/rackbell maintenance web-1 ${timesIn(story, 2 * hour)}`, "is under maintenance");
  const request = await story.ask(ana, "/vps cancel web-1 in=150m", "asks to", "*Override*");
  await pressInDetails(story, ana, request, "Override…");
  await story.modal(ana, "Run without approval");
  await ana.fill({ "Why?": "I do not want to wait" });
  await ana.submit();
  await story.sees(ana, "A rule of this workspace", "outside a maintenance window");
  expect(platform.findVps("web-1").cancellation).toBeNull();
});

test.each(["confirm", "one-approval"])(
  "a rule that demands %s outside windows applies to several machines, too",
  async (approval) => {
    const story = await startStory({ linked: ["ana", "ben"] });
    const { ana, ben, platform } = story;
    const rule = `demand=${approval} command="vps snapshot" window=outside`;
    await story.ask(ana, `/rackbell policy add ${rule}`, "In effect now");
    platform.clearCalls();
    const words = approval === "one-approval" ? "Somebody other than" : "Leave them as they are";
    const request = await story.ask(ana, "/vps snapshot web-1 web-2 name=before", words);
    expect(writes(story)).toEqual([]);
    await (approval === "one-approval" ? ben : ana).press(request, goAhead);
    await story.comesToSee(ana, "All 2 are done");
  },
);

test("a taken-over request keeps its first requester when it is scheduled for the window that a rule allows", async () => {
  const story = await startStory({ linked: ["ana", "ben", "dave"], environment: peer });
  const { ana, ben, dave } = story;
  await story.ask(ana, onlyInWindows, "In effect now");
  await story.ask(ana, `/rackbell maintenance web-1 ${timesIn(story, 2 * hour)}`, "is under maintenance");
  const refused = await story.ask(dave, "/vps cancel web-1", "needs the scope `destructive`");
  await story.pressing(dave, refused, "Ask someone who can…", "The member who takes it uses their own key");
  const offer = await story.sees(ben, "asks somebody to", "web-1");
  const forbidden = await story.pressing(ben, offer, "Take it…", "does not allow it", "Schedule it for then");
  await story.pressing(ben, forbidden, "Schedule it for then", "asks to", `<@${dave.user.id}>, who cannot do it`);
});

test("a time that no clock shows opens no window", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/rackbell maintenance web-1 99:99-23:00", "I don't understand");
  await story.ask(story.ana, "/rackbell maintenance list", "There are no maintenance windows that you can see");
});

test("a window that is set on the day before a clock change opens and closes at the typed times on every day", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock } = story;
  const momentsIn = (words: string) =>
    [...words.matchAll(/<!date\^(\d+)/g)].map(([, seconds]) => new Date(Number(seconds) * 1_000).toISOString());
  // The clocks in Madrid go from 02:00 to 03:00 on this night.
  clock.adjust(Date.parse("2027-03-27T20:00:00Z") - clock.now());
  const once = await story.ask(ana, "/rackbell maintenance web-1 01:30-04:00 on=2027-03-28", "under maintenance");
  expect(momentsIn(said(once))).toEqual(["2027-03-28T00:30:00.000Z", "2027-03-28T02:00:00.000Z"]);
  await story.ask(ana, "/rackbell maintenance web-2 01:30-04:00 every=day", "every day at that time");
  await story.ask(ana, "/rackbell maintenance mail 02:30-04:00 every=day", "every day at that time");
  const night = await story.ask(ana, "/rackbell maintenance list", "`mail`");
  await ana.press(night, { label: "Change…", index: 2 });
  await story.modal(ana, "mail 02:30-04:00");
  await ana.closeModal();
  clock.adjust(Date.parse("2027-03-30T20:00:00Z") - clock.now());
  const listed = said(await story.ask(ana, "/rackbell maintenance list", "`web-2`", "`mail`"));
  const rowOf = (name: string) => listed.split("\n").find((line) => line.includes(`\`${name}\``)) ?? "";
  expect(momentsIn(rowOf("web-2"))).toEqual(["2027-03-30T23:30:00.000Z", "2027-03-31T02:00:00.000Z"]);
  expect(momentsIn(rowOf("mail"))).toEqual(["2027-03-31T00:30:00.000Z", "2027-03-31T02:00:00.000Z"]);
});

test("24:00 ends a window at midnight, and any other time that no clock shows is answered with how to write two", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell maintenance web-1 22:00-24:00", "`web-1` is under maintenance");
  for (const times of ["1:30-24:30", "24:00-01:00", "25:00-26:00"]) {
    const answer = await story.ask(ana, `/rackbell maintenance web-2 ${times}`, "I don't understand the time");
    expect(said(answer)).toContain("Write two times from 00:00 to 23:59");
    expect(said(answer)).not.toContain("at=");
  }
  await story.ask(ana, "/rackbell maintenance web-2 22:00-23:00 on=someday", "Write a day like on=mon");
});

test("the audit entry of a removed window names its machines, also where an admin without them removed it", async () => {
  const story = await startStory({ linked: ["ben"] });
  const { ana, ben } = story;
  await story.ask(ben, "/rackbell maintenance web-1 01:30-02:00", "under maintenance");
  const listed = await story.ask(ana, "/rackbell maintenance list", "machines that your keys do not list");
  const removed = said(await story.pressing(ana, listed, "Remove…", "Removed: machines that your keys do not list"));
  expect(removed).not.toContain("web-1");
  await story.ask(ana, "/rackbell audit", "window removed", "Removed: `web-1`");
});

test("a window stays with its machine after that is renamed and another one has its name, and its form never takes the other", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell maintenance web-1 22:00-23:30 every=day", "`web-1` is under maintenance");
  const stale = await story.ask(ana, "/rackbell maintenance list", "`web-1`");
  passNameOn(story, "web-1", "web-2");
  await ana.press(stale, "Change…");
  await story.modal(ana, "web-1 22:00-23:30");
  await ana.submit();
  await story.sees(ana, "that was called “web-1” is “db-9” now");
  const listed = await story.ask(ana, "/rackbell maintenance list", "`db-9`");
  await ana.press(listed, "Change…");
  await story.modal(ana, "db-9 22:00-23:30");
  await ana.submit();
  await story.sees(ana, "`db-9` is under maintenance");
  await story.ask(ana, "/vps show db-9", "Maintenance:");
  expect(said(await story.ask(ana, `/vps show ${platform.findVps("web-1").id}`, "`web-1`"))).not.toContain(
    "Maintenance",
  );
  await story.pressing(ana, listed, "Remove…", "There is no such window");
  const changed = await story.ask(ana, "/rackbell maintenance list", "`db-9`");
  await story.pressing(ana, changed, "Remove…", "Removed: `db-9`");
  await story.ask(ana, "/rackbell audit", "window removed", "Removed: `db-9`");
});

test("a window of one of two machines with the same name keeps that one in its form, in which it is made once again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const { id } = platform.findVps("twin", 1);
  await story.ask(ana, `/rackbell maintenance ${id} 22:00-23:30`, "`twin` is under maintenance");
  const listed = await story.ask(ana, "/rackbell maintenance list", "`twin`");
  await ana.press(listed, "Change…");
  await story.modal(ana, "twin 22:00-23:30");
  await ana.fill({ Again: "day" });
  await ana.submit();
  await story.sees(ana, "`twin` is under maintenance", "every day");
  await story.ask(ana, `/vps show ${id}`, "Maintenance:");
  await ana.press(await story.ask(ana, "/rackbell maintenance list", "every day"), "Change…");
  await story.modal(ana, "twin 22:00-23:30");
  await ana.fill({ Again: "once" });
  await ana.submit();
  await story.sees(ana, /`twin` is under maintenance .* until \S+ .*>\. Alerts/);
  expect(said(await story.ask(ana, "/rackbell maintenance list", "`twin`"))).not.toContain("every day");
});

test("a name that a machine got in the panel since the last list is that machine's for a protection, a window and a watch", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell star web-1", "`web-1` is among your favourites now");
  await story.ask(ana, "/rackbell star service web-1", "is among your favourites already");
  passNameOn(story, "web-1", "web-2");
  const { id } = platform.findVps("web-1");
  await story.ask(ana, "/rackbell protect service web-1", "`web-1` is protected now");
  await story.ask(ana, `/vps show ${id}`, "Protected by");
  await story.ask(ana, "/rackbell maintenance web-1 22:00-23:30", "`web-1` is under maintenance");
  await story.ask(ana, `/vps show ${id}`, "Maintenance:");
  platform.change(id, { name: "web-old", hostname: "old.example.test" });
  platform.change("db-2", { name: "web-1" });
  await story.ask(ana, "/rackbell watch web-1", "I watch `web-1`");
});

test("a rule that applies outside of windows applies at any time where its form says so", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, onlyInWindows, "In effect now");
  await ana.press(await story.ask(ana, "/rackbell policy", "outside a maintenance window"), "Change…");
  await story.modal(ana, "Only outside maintenance windows");
  await ana.fill({ "Only outside maintenance windows": "At any time" });
  await ana.submit();
  await story.sees(ana, "Changed: Destroying something: is not allowed", "In effect now");
});

import { expect, test } from "vitest";
import { nextWeekly } from "../../../src/alerts/report/schedule.ts";
import { passRound, read, untilReported } from "../polled.ts";
import { rest } from "../rest.ts";
import { fileStore, type Message, type Story, said, startStory } from "../story.ts";

const minute = 60_000;
const hour = 60 * minute;
const madrid = { day: 1, minutes: 9 * 60, zone: "Europe/Madrid" };

/** Lets the time of the report come, and so much more. */
function untilDue({ clock }: Story, late = 1_000): void {
  clock.skip(nextWeekly(madrid, clock.now()) - clock.now() + late);
}

function reports(story: Story, channel = "#general"): Message[] {
  return story.ana.sees(channel).filter((message) => !message.ephemeralTo && said(message).includes("Weekly report:"));
}

/** The report is posted in #general, and the monitoring key has shown what there is. */
async function reporting(options: Parameters<typeof read>[0] = {}): Promise<Story> {
  const story = await read(options);
  await story.slack.until(
    () => story.platform.calls().some(({ path }) => path === "/dedicated"),
    "all lists to be read",
  );
  await story.ask(story.ana, "/rackbell report #general monday 09:00", "every Monday at 09:00", "Europe/Madrid");
  return story;
}

function chartOf(message: Message): string {
  return JSON.stringify(message.blocks.find(({ type }) => type === "data_visualization"));
}

test("the report comes at its time: what changed, what was done and by whom, what falls due, and prices with their chart", async () => {
  const story = await reporting();
  const { ana, platform } = story;
  await story.ask(ana, "/vps reboot web-1 force=yes", "ebooting");
  untilDue(story);
  const report = await story.seesIn("#general", story.ben, "Weekly report:");
  const text = said(report);
  expect(text).toContain(`<@${ana.user.id}>: 1 × \`vps reboot\``);
  expect(text).toContain("Due in the next 14 days");
  expect(text).toMatch(/\*[\d,.]+ EUR a month\*: Production [\d,.]+ EUR \(\d+ servers\)/);
  expect(chartOf(report)).toContain("Recurring price by project");
  expect(text).not.toMatch(/balance is|late/i);
  platform.clearCalls();
  await story.pressing(ana, report, "Unpaid invoices", /unpaid/i);
  expect(platform.calls().map(({ path }) => path)).toContain("/invoices");
});

test("the second report shows how prices have changed since, drawn over the weeks", async () => {
  const story = await reporting();
  const { platform } = story;
  untilDue(story);
  await story.seesIn("#general", story.ben, "Weekly report:");
  const { billing } = platform.find("web-1");
  platform.change("web-1", { billing: { ...billing, amount: "1009.0000" } });
  await passRound(story);
  await untilReported(story, "more than in the last report");
  untilDue(story);
  await story.slack.until(() => reports(story).length === 2, "the second report");
  const second = reports(story).find((message) => said(message).includes("more than in the last report"));
  expect(second && chartOf(second)).toContain('"type":"line"');
});

/** Until the round of polling that is under way has made its last call. */
async function untilQuiet({ platform }: Story): Promise<void> {
  for (let before = -1; before < platform.calls().length; await rest(500)) before = platform.calls().length;
}

test("the report causes no call to the platform: polling has read its facts", async () => {
  const story = await reporting();
  const { ana, platform } = story;
  await untilQuiet(story);
  platform.clearCalls();
  await story.ask(ana, "/rackbell report preview", "Weekly report:", "a month");
  await story.ask(ana, "/rackbell report post", "goes to");
  await story.seesIn("#general", story.ben, "Weekly report:");
  expect(platform.calls()).toEqual([]);
});

test("prices of several currencies are kept apart, and what has no price for each month is said and not counted", async () => {
  const story = await read();
  const { platform } = story;
  const { billing } = platform.find("web-1");
  platform.change("web-1", {
    billing: { ...billing, currency: "USD", amount: "12.0000", cycle: "annually" },
    name: "<!channel> *x*",
  });
  platform.change("web-2", { billing: { ...billing, currency: null } });
  platform.change("db-1", { billing: { ...billing, cycle: "hourly" } });
  await passRound(story);
  const text = await untilReported(story, /\*1\.00 USD a month\*: Production 1\.00 USD \(1 server\)/);
  expect(text).toMatch(
    /Not counted: \d+ servers? billed by the hour, \d+ servers? with an unknown price, \d+ suspended/,
  );
});

test("a week in which nothing happened says so, and what cannot be shown without a monitoring key is said, too", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell report #general", "every Monday at 09:00", "No customer monitoring key is set");
  untilDue(story);
  const text = said(await story.seesIn("#general", ana, "Weekly report:"));
  expect(text).toContain("No changes.");
  expect(text).toContain("no customer monitoring key is set");
});

test("it comes once, whatever is restarted around it", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  await story.ask(story.ana, "/rackbell report #general", "every Monday");
  untilDue(story);
  await story.restart();
  await story.seesIn("#general", story.ana, "Weekly report:");
  await story.restart();
  story.clock.skip(hour);
  await rest(1_000);
  expect(reports(story)).toHaveLength(1);
  expect(said(reports(story)[0] as Message)).not.toContain("Late");
});

test("a report that missed its time comes up to a day late and says so; after that it is left out, and the next says so", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  await story.ask(story.ana, "/rackbell report #general", "every Monday");
  await story.app.stop();
  untilDue(story, 3 * hour);
  await story.restart();
  await story.seesIn("#general", story.ana, "Weekly report:", "Late: it was due");
  await story.app.stop();
  untilDue(story, 30 * hour);
  await story.restart();
  await story.ask(story.ana, "/rackbell report", "the next one");
  expect(reports(story)).toHaveLength(1);
  untilDue(story);
  await story.seesIn("#general", story.ana, "was not posted: Rackbell did not run in the day after");
});

test("a report that is due shortly before midnight comes, although its timer runs after it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock } = story;
  await story.ask(ana, "/rackbell report #general sunday 23:58", "every Sunday at 23:58");
  const at = nextWeekly({ ...madrid, day: 0, minutes: 23 * 60 + 58 }, clock.now());
  clock.skip(at - clock.now() + 3 * minute);
  await story.seesIn("#general", ana, "Weekly report:");
});

test("a late report begins where the last one ended: what was done in between is in it, and in no other", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  const { ana, clock } = story;
  await story.ask(ana, "/rackbell report #general", "every Monday");
  untilDue(story);
  await story.seesIn("#general", ana, "Weekly report:");
  clock.skip(hour);
  await story.ask(ana, "/vps reboot web-1 force=yes", "ebooting");
  await story.ask(ana, "/rackbell audit web-1", "vps reboot");
  await story.app.stop();
  untilDue(story, 3 * hour);
  await story.restart();
  const late = await story.seesIn("#general", ana, "Weekly report:", "Late: it was due");
  expect(said(late)).toContain("1 × `vps reboot`");
  untilDue(story);
  const next = await story.slack.until(() => reports(story)[2], "the third report");
  expect(said(next)).not.toContain("vps reboot");
});

function restore({ slack }: Story): void {
  const { general } = slack.channels;
  if (general) general.is_archived = false;
}

test.each([
  ["is archived", (story: Story) => story.slack.archive("#general"), "is archived", restore],
  [
    "was left by the app",
    (story: Story) => story.slack.kick("#general", "rackbell"),
    "not in this channel",
    (story: Story) => story.slack.invite("#general", "rackbell"),
  ],
])(
  "when the channel %s, the admins get a message with a button that posts the report once that is put right",
  async (_, act, words, mend) => {
    const story = await startStory({ linked: ["ana", "ben"], slackRefuses: ["is_archived", "not_in_channel"] });
    const { ana, ben } = story;
    await story.ask(ana, "/rackbell report #general", "every Monday");
    act(story);
    untilDue(story);
    const problem = await story.seesIn("dm", ana, "could not be posted", words, "Post it now");
    expect(reports(story)).toEqual([]);
    expect(ben.sees("dm").map(said).join()).not.toContain("could not be posted");
    mend(story);
    await story.pressing(ana, problem, "Post it now", "goes to");
    await story.seesIn("#general", ben, "Weekly report:");
    expect(reports(story)).toHaveLength(1);
  },
);

test("members who are no admins set nothing and preview nothing; a channel that others read is refused", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ben, "/rackbell report #general monday 09:00", "Only an admin");
  await story.ask(ben, "/rackbell report preview", "Only an admin");
  await story.ask(ben, "/rackbell report post", "Only an admin");
  await story.ask(ana, "/rackbell report #shared-partner monday 09:00", "Another organisation reads");
  await story.ask(ana, "/rackbell report #general someday", "“someday” is no channel, day or time");
  await story.ask(ana, "/rackbell report #general zone=Nowhere/Land", "there is none of that name");
  await story.ask(ana, "/rackbell report", "No channel gets a weekly report");
  await story.ask(ana, "/rackbell report post", "nothing was posted");
});

test("the day, the time or the channel alone can be changed, and it can be ended", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(
    ana,
    "/rackbell report #general fri 8:30 zone=America/New_York",
    "every Friday at 08:30 (`America/New_York`)",
  );
  await story.ask(ana, "/rackbell report tuesday", "every Tuesday at 08:30 (`America/New_York`)");
  await story.ask(ana, "/rackbell report #ops", "gets none any more");
  const shown = await story.ask(ben, "/rackbell report", "every Tuesday at 08:30");
  expect(said(shown)).not.toContain("No more reports");
  await story.ask(ana, "/rackbell report off", "no weekly report any more");
  untilDue(story, 30 * hour);
  await story.ask(ana, "/rackbell report", "No channel gets a weekly report");
  expect(reports(story, "#ops")).toEqual([]);
});

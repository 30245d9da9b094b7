import { describe, expect, test } from "vitest";
import type { Running } from "../../../src/app/app.ts";
import { ownRedis } from "../../storage/redis/opened.ts";
import { hasRedis } from "../../storage/redis/server.ts";
import { type Story, type StoryOptions, said, startStory } from "../story.ts";
import { withOther } from "../two-instances.ts";

const minute = 60_000;
const lost = "of Rackbell's last";
const again = "Slack's payloads reach Rackbell again";

async function readiness(app: Running): Promise<{ status: number; problems: string[] }> {
  const answer = await fetch(`${app.url}/readyz`);
  const { problems }: { problems: string[] } = await answer.json();
  return { status: answer.status, problems };
}

/** The edits that Rackbell has made to see if they come back. */
function edits({ slack }: Story): number {
  return slack.calls("chat.update").filter(({ args }) => / Check \d+\.$/.test(String(args.text))).length;
}

/** Those that came back. */
function heard({ slack }: Story): number {
  return slack
    .deliveries("events_api")
    .filter(({ payload, outcome }) => outcome === "acknowledged" && / Check \d+\./.test(JSON.stringify(payload)))
    .length;
}

function notices({ ana }: Story, text: string): string[] {
  return ana
    .sees("dm")
    .map(said)
    .filter((message) => message.includes(text));
}

/** A story in which the first edits have come back: from then on silence means something. */
async function startChecked(options: StoryOptions = {}): Promise<Story> {
  const environment = { SOCKET_CHECK: "on", ...options.environment };
  const story = await startStory({ linked: ["ana"], ...options, environment });
  await story.passes(() => heard(story) > 1, "two edits that came back", 10_000);
  return story;
}

function logSays({ log }: Story, text: string): boolean {
  return log.some((line) => line.includes(text));
}

test("a socket that answers pings and delivers nothing is noticed within a minute, said to the admins and the operator, and made anew", async () => {
  const story = await startChecked();
  const { slack, clock, ana, app } = story;
  const opened = slack.calls("apps.connections.open").length;
  slack.faults.deafenSocket();
  const since = clock.now();
  await expect(ana.type("/rackbell help")).rejects.toThrow();
  await story.passes(() => logSays(story, "do not all reach Rackbell"), "the log to say so", 250);
  expect(clock.now() - since).toBeLessThan(minute);
  await story.passes(() => notices(story, lost).length > 0, "the notice to the admin");
  expect(notices(story, lost)).toEqual([expect.stringContaining("Slack may lose a press")]);

  await slack.until(() => slack.calls("apps.connections.open").length > opened, "the new connection");
  await slack.connected();
  await story.ask(ana, "/rackbell help", "Rackbell");
  await story.passes(() => notices(story, again).length > 0, "the end of it", 5_000);
  expect(notices(story, lost)).toEqual([]);
  expect(await readiness(app)).toEqual({ status: 200, problems: [] });
  expect(slack.calls("apps.connections.open")).toHaveLength(opened + 1);
});

test("while nothing at all arrives Rackbell is not ready, and it connects anew ever more seldom", async () => {
  const story = await startChecked();
  const { slack, app } = story;
  const opened = slack.calls("apps.connections.open").length;
  const openedNow = () => slack.calls("apps.connections.open").length - opened;
  const deafen = () => {
    slack.faults.clear();
    slack.faults.deafenSocket();
    return false;
  };
  // Each new connection is deaf, too.
  await story.passes(() => deafen() || logSays(story, "do not all reach Rackbell"), "the log to say so");
  await story.passes(() => deafen() || openedNow() === 1, "a new connection");
  await expect
    .poll(() => deafen() || readiness(app))
    .toEqual({ status: 503, problems: [expect.stringMatching(/^Slack lost \d of Rackbell's last \d checks/)] });
  const edited = edits(story);
  await story.passes(() => deafen() || edits(story) > edited + 24, "eight minutes of edits", 5_000);
  expect(openedNow()).toBeLessThanOrEqual(3);
  expect(notices(story, lost)).toHaveLength(1);
});

test("a dead connection that nobody counted is noticed by the edits that Slack had to repeat, and nothing connects anew", async () => {
  const story = await startChecked();
  const { slack, app } = story;
  const opened = slack.calls("apps.connections.open").length;
  slack.faults.holdGhosts(1);
  await story.passes(() => notices(story, lost).length > 0, "the notice to the admin");
  // Rackbell hears what Slack repeats, so it is ready.
  await expect
    .poll(() => readiness(app), { timeout: 15_000 })
    .toEqual({ status: 200, problems: [expect.stringContaining("It may lose presses, too.")] });
  slack.faults.holdGhosts(0);
  await story.passes(() => notices(story, again).length > 0, "the end of it", 5_000);
  expect(slack.calls("apps.connections.open")).toHaveLength(opened);
});

test("an hour in which nobody does anything alarms nobody, and costs three edits a minute", async () => {
  const story = await startChecked();
  const { slack, clock, app } = story;
  const [from, before] = [clock.now(), { edits: edits(story), posts: slack.calls("chat.postMessage").length }];
  await story.passes(() => clock.now() - from > 60 * minute, "an hour", 5_000);
  const minutes = (clock.now() - from) / minute;
  expect(edits(story) - before.edits).toBeLessThanOrEqual(3 * minutes + 1);
  expect(edits(story) - before.edits).toBeGreaterThan(minutes);
  expect(slack.calls("chat.postMessage")).toHaveLength(before.posts);
  expect(notices(story, "Check ")).toHaveLength(1);
  expect(await readiness(app)).toEqual({ status: 200, problems: [] });
  expect(logSays(story, "do not all reach Rackbell")).toBe(false);
});

test("a workspace that does not bring edits back is asked three times, and nobody is alarmed", async () => {
  const story = await startStory({
    environment: { SOCKET_CHECK: "on" },
    linked: ["ana"],
    without: ["im:history"],
    slackRefuses: ["missing_scope"],
  });
  await story.passes(() => edits(story) === 3, "three edits", 5_000);
  const from = story.clock.now();
  await story.passes(() => story.clock.now() - from > 30 * minute, "half an hour", 5_000);
  expect(edits(story)).toBe(3);
  expect(notices(story, lost)).toEqual([]);
  expect(logSays(story, "do not all reach Rackbell")).toBe(false);
});

test("an edited message that somebody deleted is posted once more", async () => {
  const story = await startChecked({ slackRefuses: ["message_not_found"] });
  const { slack, ana } = story;
  const [checked] = ana.sees("dm").filter((message) => said(message).includes("Check "));
  await fetch(`${slack.apiUrl}chat.delete`, {
    method: "POST",
    headers: { authorization: `Bearer ${slack.botToken}`, "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ channel: checked?.channel, ts: checked?.ts }),
  });
  const before = heard(story);
  await story.passes(() => heard(story) > before + 1, "edits that come back again", 5_000);
  expect(notices(story, "Check ")).toHaveLength(1);
});

test.each(["warning", "refresh_requested"] as const)(
  "a connection that Slack ends by %s is made anew, and nobody is alarmed",
  async (reason) => {
    const story = await startChecked();
    const { slack, ana, app } = story;
    const opened = slack.calls("apps.connections.open").length;
    slack.faults.refreshSocket(reason);
    await slack.until(() => slack.calls("apps.connections.open").length > opened, "the new connection");
    await slack.connected();
    await story.ask(ana, "/rackbell help", "Rackbell");
    const before = heard(story);
    await story.passes(() => heard(story) > before + 3, "more edits that come back", 5_000);
    expect(await readiness(app)).toEqual({ status: 200, problems: [] });
    expect(logSays(story, "do not all reach Rackbell")).toBe(false);
  },
);

test("the operator reads that Socket Mode was turned off", async () => {
  const story = await startStory();
  const { slack, app } = story;
  slack.faults.fail("apps.connections.open", "internal_error", 1_000);
  slack.faults.refreshSocket("link_disabled");
  await expect
    .poll(() => readiness(app))
    .toEqual({ status: 503, problems: [expect.stringContaining("Socket Mode was turned off for this app")] });
});

describe.runIf(hasRedis)("two instances on one Redis", () => {
  test("of which one is deaf notice it, and that one alone connects anew", async () => {
    const redis = await ownRedis();
    const story = await startChecked({ environment: { STORE_URL: redis.url } });
    const { slack } = story;
    slack.faults.deafenSocket();
    const { other } = await withOther(story, "socket");
    await slack.connected(2);
    const opened = slack.calls("apps.connections.open").length;
    await story.passes(() => notices(story, lost).length > 0, "the notice to the admin");
    for (const app of [story.app, other]) expect((await readiness(app)).status).toBe(200);
    // Redis keeps Slack's pace by its own clock, one edit a second, so this takes longer than other waits.
    const passed = () => {
      story.clock.skip(1_000);
      return notices(story, again);
    };
    await expect.poll(passed, { interval: 50, timeout: 75_000 }).toHaveLength(1);
    expect(slack.calls("apps.connections.open")).toHaveLength(opened + 1);
    // Only one of them edits at a time.
    expect(notices(story, "Check ")).toHaveLength(1);
  });
});

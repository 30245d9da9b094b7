import { expect, test } from "vitest";
import { said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

test("a resold VPS is stopped after asking, and the message follows it until it is off, with the way back", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const question = await story.ask(ana, "/reseller service stop ACME-001", "Everything that runs on the machine stops");
  await story.pressing(ana, question, "Stop web-2.example.test", "Stopping", "sold to `acme-bakery`");
  const stopped = await story.comesToSee(ana, "`web-2.example.test` is stopped");
  await story.pressing(ana, stopped, "Start", "Starting");
  await story.comesToSee(ana, "`web-2.example.test` is running");
});

test("a VPS is restarted, or shut down, after a word of what that interrupts", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const restart = await story.ask(ana, "/reseller service restart ACME-001", "is interrupted while it restarts");
  await story.pressing(ana, restart, "invoke:confirmed", "Restarting");
  const answer = await story.comesToSee(ana, "Nothing shows when that has ended");
  expect(said(answer)).not.toContain(":white_check_mark:");
  await story.ask(ana, "/reseller service shutdown ACME-001 force=yes", "Stopping");
});

test("a dedicated server that is on already is said to be, and nothing is followed", async () => {
  const story = await startResellerStory();
  await story.ask(story.ana, "/reseller service start BOR-002", "is running already");
});

test("a start at a provider that does not show a state ends as sent, and not as a success", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/reseller service start BOR-004", "Starting");
  const ended = await story.comesToSee(ana, "does not show here if");
  expect(said(ended)).not.toMatch(/:white_check_mark:|It took/);
});

test.each([
  ["unreachable", "has a management controller that cannot be reached"],
  ["unknown", "reports its power as `unknown`"],
])("a dedicated server whose controller is %s for one poll is tracked on until it is off", async (word, words) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const rewrite = rewritten("powerState", word);
  platform.faults.next({ how: { rewrite }, method: "GET", path: "/reseller/services/{serviceId}/stats" });
  await story.ask(ana, "/reseller service stop BOR-002 force=yes", "Stopping");
  await story.comesToSee(ana, words);
  const stopped = await story.comesToSee(ana, "`metal-1.example.test` is stopped.");
  expect(said(stopped)).toContain(":white_check_mark:");
});

test("a dedicated server that reports no power is never taken for a provider's", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const rewrite = rewritten("powerState", null);
  platform.faults.next({ how: { rewrite }, method: "GET", path: "/reseller/services/{serviceId}/stats", times: 99 });
  const usage = said(await story.ask(ana, "/reseller service stats BOR-002", "Power", "not reported"));
  expect(usage).toContain("Hardware");
  await story.ask(ana, "/reseller service stop BOR-002 force=yes", "Stopping");
  const ended = await story.comesToSee(ana, "does not report its power", "Nothing shows when that has ended");
  expect(said(ended)).not.toContain(":white_check_mark:");
});

test.each([
  ["2026-11-01T10:00:00.000Z", "2026-11-01 10:00 UTC"],
  [null, "The platform does not say when"],
])("the usage of a dedicated server says when its network was measured (%s)", async (sampled, words) => {
  const story = await startResellerStory();
  const rewrite = rewritten("sampledAt", sampled);
  story.platform.faults.next({
    how: { rewrite },
    method: "GET",
    path: "/reseller/services/{serviceId}/stats",
    times: 9,
  });
  await story.ask(story.ana, "/reseller service stats BOR-002", "Network measured", words);
});

/** The body with another value of each field of this name. */
function rewritten(field: string, other: string | null) {
  return (body: unknown) =>
    JSON.parse(JSON.stringify(body, (name: string, value: unknown) => (name === field ? other : value)));
}

test.each([
  ["a game server", 400],
  ["a plugin that refuses", 503],
])("a service without statistics, as %s (%i), ends as what was sent, and not as an error", async (_, status) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const none = { status, body: { success: false, error: "No statistics" } };
  platform.faults.next({ how: none, method: "GET", path: "/reseller/services/{serviceId}/stats", times: 100 });
  const taken = { status: 200, body: { success: true, data: { task: "7" } } };
  platform.faults.next({ how: taken, method: "POST", path: "/reseller/services/{serviceId}/power" });
  await story.ask(ana, "/reseller service stop BOR-003 force=yes", "Stopping");
  await story.comesToSee(ana, "does not show here if");
});

const _refused = [
  ["suspended-1", "is suspended. Unsuspend it first"],
  ["gone-1", "is terminated: it accepts no more actions"],
  ["arena-1", "The platform said no"],
  ["metal-2", "no management controller"],
  ["metal-broken-controller", "management controller did not do it"],
] as const;

test("a suspended service can still be stopped", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const question = await story.ask(ana, "/reseller service stop ACME-003", "Everything that runs on the machine stops");
  await story.pressing(ana, question, "Stop suspended-1.example.test", "suspended-1");
  expect(resellerWrites(story)).toMatchObject([{ path: expect.stringContaining("/power") }]);
});

test("usage, traffic, network and health are shown as far as they are read", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  for (const payload of [null, 0, 1, 2]) {
    platform.settings.shapes.payload = payload;
    const vps = said(
      await story.ask(ana, "/reseller service stats web-1.example.test", "Usage of `web-1.example.test`"),
    );
    expect(vps).toContain("of the whole");
    expect(vps).toContain("bit/s in");
    expect(vps).toContain("/s read");
    const off = said(await story.ask(ana, "/reseller service stats db-2.example.test", "Usage of `db-2.example.test`"));
    expect(off).toContain("unknown");
    await story.ask(ana, "/reseller service stats metal-2.example.test", "its management controller cannot be reached");
    await story.ask(ana, "/reseller service stats plugin-1.example.test", "Usage of `plugin-1.example.test`");
    await story.ask(
      ana,
      "/reseller service traffic web-1.example.test range=7d",
      "Traffic of `web-1.example.test`, 7 d",
      "This month so far",
      "Traffic",
    );
    await story.ask(ana, "/reseller service network metal-1.example.test", "Network of `metal-1.example.test`");
    const health = said(
      await story.ask(
        ana,
        "/reseller service health metal-1.example.test",
        "Hardware health of `metal-1.example.test`",
      ),
    );
    expect(health).toMatch(/FAN ?1/i);
  }
});

test("a service without usage, traffic or health figures says so in a sentence", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/reseller service stats arena-1.example.test", "The platform said no");
  await story.ask(ana, "/reseller service traffic plugin-1.example.test", "not measured");
  await story.ask(ana, "/reseller service health web-1.example.test", "Only a dedicated server");
  await story.ask(
    ana,
    "/reseller service traffic web-1.example.test range=2h",
    "it must be one of 1h, 6h, 24h, 7d, 30d",
  );
});

test("systems to reinstall with are listed, and an upstream service has none to list", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/reseller service templates web-1.example.test", "can be reinstalled with", "Debian");
  await story.ask(
    ana,
    "/reseller service templates plugin-1.example.test",
    "debian-13-minimal",
    "`acme-cloud` names them",
  );
  await story.ask(ana, "/reseller service templates leased-1.example.test", "tells no templates");
});

test("a card has the buttons that the service's state and backend allow, and no others", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const labels = async (name: string) =>
    [
      ...JSON.stringify(
        await story.ask(ana, `/reseller service show ${name}.example.test`, `\`${name}.example.test\``),
      ).matchAll(/"plain_text","text":"([^"]+)"/g),
    ].map(([, label]) => label);
  const running = await labels("web-1");
  expect(running).toEqual(
    expect.arrayContaining(["Stop", "Restart", "Usage", "Traffic", "Watch usage…", "Suspend", "Terminate…"]),
  );
  expect(running).not.toContain("Start");
  expect(running).not.toContain("Health");
  const metal = await labels("metal-1");
  expect(metal).toEqual(expect.arrayContaining(["Health"]));
  const suspended = await labels("suspended-1");
  expect(suspended).toContain("Unsuspend");
  expect(suspended).not.toContain("Start");
  const ended = await labels("gone-1");
  expect(ended).not.toContain("Stop");
  expect(ended).not.toContain("Terminate…");
  const arena = await labels("arena-1");
  expect(arena).not.toContain("Restart");
});

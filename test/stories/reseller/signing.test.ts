import { expect, test } from "vitest";
import { resellerWrites, startResellerStory } from "./selling.ts";

const refused = (status: number, error: string) => ({ status, body: { success: false, error } });
const suspend = "/reseller service suspend ACME-002 force=yes";

test("the reseller account without a secret takes no change, and it is said where one is made", async () => {
  const story = await startResellerStory();
  story.platform.reseller.forgetSecret();
  await story.ask(story.ana, suspend, "has no signing secret yet", "in the portal under API Settings");
});

const refusals = [
  [
    401,
    "Request signature required for this operation. Include X-Reseller-Signature header.",
    "needs a signature, and found none",
  ],
  [400, "Invalid signature format", "could not read the signature"],
  [400, "Invalid X-Reseller-Timestamp", "could not read the signature"],
  [401, "Invalid signature", "probably rotated in the portal"],
  [401, "Missing or invalid Authorization header", "no longer accepts your key"],
  [401, "Invalid API key format", "no longer accepts your key"],
  [401, "Invalid API key", "no longer accepts your key"],
] as const;

test("each refusal of a signature or a key has its own words, and nothing is tried twice", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  for (const [status, error, words] of refusals) {
    platform.clearCalls();
    platform.faults.next({ how: refused(status, error), path: "/reseller/services/{serviceId}/suspend" });
    await story.ask(ana, suspend, words);
    // A key that the platform rejected is tried again first, which asks for its rights anew.
    expect(
      resellerWrites(story).filter(({ path }) => path.endsWith("/suspend")),
      error,
    ).toHaveLength(1);
  }
});

const tooFar = {
  ...refused(401, "Request timestamp outside the allowed window"),
  path: "/reseller/services/{id}/suspend",
};

test("a clock that is off is mended by the platform's own time: the member sees what they asked for, done once", async () => {
  const story = await startResellerStory();
  const { ana, platform, clock } = story;
  platform.clearCalls();
  const headers = { date: new Date(clock.now()).toUTCString() };
  platform.faults.next({ how: { status: 401, body: tooFar.body, headers }, path: tooFar.path });
  await story.ask(ana, suspend, "is suspended");
  expect(resellerWrites(story).map(({ status }) => status)).toEqual([401, 200]);
});

test("a clock that the platform's time does not mend is reported with how far it is off", async () => {
  const story = await startResellerStory();
  const { ana, platform, clock } = story;
  const headers = { date: new Date(clock.now() + 3 * 60 * 60_000).toUTCString() };
  platform.faults.next({ how: { status: 401, body: tooFar.body, headers }, path: tooFar.path, times: 2 });
  await story.ask(ana, suspend, /clock is (2 h 59 min|3 h)[^.]* behind the platform's/, "Nothing changed");
});

test("a scope that the key lost since is named before anything of the signature is", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.keys.ana.scopes = ["read"];
  await story.ask(ana, suspend, "no longer has", "`services`");
});

test("an hour's calls that are used up are said, with the latest time at which they are back", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const headers = { "x-ratelimit-reset": String(Math.floor(story.clock.now() / 1000) + 3_600) };
  const how = { ...refused(429, "Rate limit exceeded"), headers };
  platform.faults.next({ how, path: "/reseller/services", times: 3 });
  await story.ask(ana, "/reseller service list", "hourly call limit", "at the latest");
});

test("a programme that is switched off says so", async () => {
  const story = await startResellerStory();
  story.platform.reseller.settings.feature = false;
  await story.ask(story.ana, "/reseller service list", "operator has switched this off");
});

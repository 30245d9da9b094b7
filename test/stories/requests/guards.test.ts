import { expect, test } from "vitest";
import { billOf } from "../ordering.ts";
import { goAhead, peer, said, startStory, writes } from "../story.ts";

test("a member who could not approve a request cannot deny it, and the request stays open", async () => {
  const story = await startStory({ linked: ["ana", "ben", "dave"], environment: peer });
  const { ana, ben, dave } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(dave, request, "Deny…", "needs the scope `destructive`");
  expect(dave.modal()).toBeUndefined();
  await story.pressing(ben, request, goAhead, "approved by");
  expect(writes(story)).toHaveLength(1);
});

test("a member who unlinks while the form to deny is open denies nothing, and the request stays open", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro, slack } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await ben.press(request, "Deny…");
  await story.modal(ben, "Why?");
  // On another device of theirs.
  await story.ask(slack.as("ben"), "/rackbell unlink force=yes", "is erased here");
  await ben.fill({ "Why?": "Still in use" });
  await ben.submit();
  await story.sees(ben, "You have not linked a key yet");
  await story.pressing(caro, request, goAhead, "approved by");
  expect(writes(story)).toHaveLength(1);
});

test("a requester who may not decide reads so in place of the form to deny or to type the number", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ana, request, "Deny…", "you cannot deny it: withdraw it");
  expect(ana.modal()).toBeUndefined();
  platform.addVps(12, "crowd");
  const many = await story.ask(ana, "/vps cancel text=crowd", "asks to");
  await story.pressing(ana, many, "request:count", "a teammate has to approve it");
  expect(ana.modal()).toBeUndefined();
  await ben.press(many, "request:count");
  await story.modal(ben, "How many?");
  expect(writes(story)).toEqual([]);
});

test("a price that changes in the middle of a bulk leaves that service as it is", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const [first, second] = ["web-1", "db-1"].map((name) => platform.findVps(name));
  const request = await story.ask(ana, "/service renew web-1 db-1", "Renew 2 services");
  platform.faults.hang(`/services/${first?.id}/renew`);
  await ana.press(request, goAhead);
  await expect.poll(() => writes(story)).toMatchObject([{ path: `/services/${first?.id}/renew` }]);
  platform.change("db-1", { billing: { ...platform.findVps("db-1").billing, amount: "99.00" } });
  platform.faults.resume();
  await story.comesToSee(ana, "1 of 2", "Its price changed");
  expect(writes(story).map(({ path }) => path)).not.toContain(`/services/${second?.id}/renew`);
});

test("a rule that becomes stricter in the middle of a bulk leaves the rest as it is", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, platform } = story;
  platform.addVps(8, "box");
  const names = Array.from({ length: 8 }, (_, at) => `box-0000${at + 1}`);
  const request = await story.ask(ana, `/vps reboot ${names.join(" ")}`, "For each of 8 VPSes");
  await ana.press(request, goAhead);
  await expect.poll(() => writes(story).length).toBe(5);
  await story.ask(ana, '/rackbell policy add demand=one-approval command="vps reboot"', "In effect now");
  await story.comesToSee(ana, "5 of 8 were done and 3", "It needs more approvals now");
  expect(writes(story)).toHaveLength(5);
});

test("a payment that the platform refused does not count towards the daily limit", async () => {
  const story = await startStory({ linked: ["ana"], rules: ['demand=not-allowed risk=spend day="3 EUR"'] });
  const { ana, platform } = story;
  const pay = (amount: string) => `/billing pay ${billOf(story, "Renewal of web-2").number} amount=${amount}`;
  const refusal = { status: 409, body: { success: false, code: "CONFLICT", error: "The document is being changed" } };
  platform.faults.next({ how: refusal, method: "POST" });
  const first = await story.ask(ana, pay("2.00"), "2.00", "Your balance");
  await story.pressing(ana, first, goAhead, "being changed");
  await story.ask(ana, pay("2.50"), "2.50", "Your balance");
});

test("one message that Slack refuses does not hold back the others about the same request", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, slack, clock } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  slack.faults.failHttp("chat.update", 503, Number.POSITIVE_INFINITY);
  await ben.press(request, goAhead);
  await expect.poll(() => writes(story).length).toBe(1);
  clock.skip(30_000);
  await story.passes(
    () => slack.calls("chat.postMessage").some((call) => JSON.stringify(call).includes(":white_check_mark:")),
    "the reply that names the end",
  );
});

test("a reply in a thread is not edited while the message above it is edited", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, clock } = story;
  await ana.type("/vps snapshot web-1 name=nightly in=1h");
  await slack.until(() => ana.sees().some((message) => said(message).includes("Withdraw")), "the scheduled snapshot");
  clock.skip(60 * 60_000);
  await story.comesToSee(ana, "nightly", ":white_check_mark:");
  const replies = await story.passes(() => {
    const found = Object.values(slack.state().channels)
      .flat()
      .filter(({ thread_ts, ts }) => thread_ts !== undefined && thread_ts !== ts);
    return found.length > 0 && found;
  }, "a reply");
  const edited = slack.calls("chat.update").map(({ args }) => args.ts);
  expect(edited.length).toBeGreaterThan(0);
  for (const { ts } of replies) expect(edited).not.toContain(ts);
});

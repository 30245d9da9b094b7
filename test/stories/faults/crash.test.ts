import { expect, test } from "vitest";
import { refusedCalls } from "../always.ts";
import { type Crashing, startCrashingStory } from "../crashing.ts";
import { billOf, reviewOf } from "../ordering.ts";
import { reviewOf as resellerReviewOf } from "../reseller/ordering.ts";
import { startCrashingResellerStory } from "../reseller/selling.ts";
import { goAhead, type Message, pressInDetails, said, writes } from "../story.ts";

// The app dies as a power cut has it die: a real process, its thread and its file. The simulation kills it at every other moment of a
// request; here each kind of thing that a start takes up again is taken up once.

/** Writes that the platform was sent, as `DELETE vps` or `POST orders`. */
function sent(story: Crashing): string[] {
  return writes(story).map(({ method, path }) => `${method} ${endOf(path)}`);
}

function endOf(path: string): string {
  return (path.split("/").at(-1) ?? "").replace(/^[0-9a-f-]{36}$/, "vps");
}

function timesSent(story: Crashing, machine: string): number {
  const { id } = story.platform.findVps(machine);
  return writes(story).filter(({ path }) => path.includes(id)).length;
}

function reads({ platform }: Crashing, path: RegExp): number {
  return platform.calls().filter((call) => call.method === "GET" && path.test(call.path)).length;
}

/** A call that hangs goes on hanging: taken up by the platform, it would arrive after all. */
async function dies(story: Crashing): Promise<void> {
  await story.kill();
  story.slack.faults.clear();
  await story.start();
}

interface LostAnswer {
  name: string;
  /** As far as the button whose press hangs on its way. */
  review(story: Crashing): Promise<Message>;
  path: string | RegExp;
  /** Words of its own message alone. */
  end: string | RegExp;
  sent: string;
}

const lost: LostAnswer[] = [
  {
    name: "a charge that was tried again",
    async review(story) {
      const { ana, platform } = story;
      platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
      await ana.press(await resellerReviewOf(story, ana, '"VPS S"'), goAhead);
      await story.sees(ana, "The charge failed: nothing was charged");
      platform.reseller.changePaymentMethod("Company card", { refusal: null });
      return story.ask(ana, "/reseller order retry RES-1000", "will charge the order");
    },
    path: /\/retry$/,
    // The tracking of an order goes on at once, and on a busy machine its text has replaced the outcome by then.
    end: /It was done after all: the platform shows the order `RES-1000` as “paid|Charge again `RES-1000`[\s\S]*Paid for and being built/,
    sent: "POST retry",
  },
  {
    name: "a cancellation that took effect",
    review: (story) => story.ask(story.ana, "/vps cancel web-1", "asks to"),
    path: "/vps/{id}",
    end: /web-1[\s\S]*:white_check_mark: It was done after all/,
    sent: "DELETE vps",
  },
  {
    name: "a payment that was made",
    review(story) {
      const { number } = billOf(story, "Renewal of web-2");
      return story.ask(story.ana, `/billing pay ${number} amount=5`, "5.00 EUR from the credit balance");
    },
    path: /\/pay$/,
    end: "It was done after all: 5.00 EUR arrived",
    sent: "POST pay",
  },
  {
    name: "an order that was placed",
    review: (story) => reviewOf(story, story.ana, "VPS S"),
    path: "/orders",
    end: /It was done after all: the order exists|Ordered\. `INV-\d+`: .* left to pay/,
    sent: "POST orders",
  },
  {
    name: "a wholesale order that was placed",
    review: (story) => resellerReviewOf(story, story.ana, '"VPS S"'),
    path: "/reseller/orders",
    end: /It was done after all: the order `RES-1001` exists|Order 1 × VPS S[\s\S]*Paid for and being built/,
    sent: "POST orders",
  },
];

test(`killed before it heard of ${lost.map(({ name }) => name).join(", of ")}: it finds each out, says so, and sends nothing again; and it begins once, at its time, a request that waited`, async () => {
  const story = await startCrashingResellerStory();
  const { ana, platform, slack } = story;
  const requests: Message[] = [];
  for (const one of lost) requests.push(await one.review(story));
  platform.clearCalls();
  // Five minutes of the app's own take fifteen seconds: more than all presses on a busy machine.
  await ana.press(await story.ask(ana, "/vps cancel db-1 in=5m", "asks to", "*When*"), goAhead);
  await story.sees(ana, "It is scheduled for");
  for (const { path, sent: one } of lost)
    platform.faults.next({ how: "hang", path, method: one.split(" ")[0] ?? "", applied: true });
  // All at once: a call that hangs for long would be looked into by the process that made it.
  await Promise.all(requests.map((request) => ana.press(request, goAhead)));
  await story.later(() => sent(story).length === lost.length, "the calls");
  expect(timesSent(story, "db-1")).toBe(0);
  await dies(story);
  for (const { end } of lost) await story.sees(ana, end);
  await story.sees(ana, "db-1", "Keep it", ":white_check_mark:");
  expect(timesSent(story, "db-1")).toBe(1);
  expect(sent(story).toSorted()).toEqual([...lost.map((one) => one.sent), "DELETE vps"].toSorted());
  expect(refusedCalls(slack)).toEqual([]);
}, 300_000);

test("killed at each step of a copy before a cancellation: the copy and the act happen once each, and the end is told", async () => {
  const story = await startCrashingStory();
  const { ana, platform, later } = story;
  const request = await story.ask(ana, "/vps cancel web-1 immediate=yes", "asks to", "Back up first");
  platform.clearCalls();

  // The app dies during the call for the backup. The platform did it, and its answer is lost.
  platform.faults.next({ how: "hang", method: "POST", path: "/vps/{id}/capture", applied: true });
  await pressInDetails(story, ana, request, "request:copy");
  await later(() => sent(story).length === 1, "the call for the backup");
  await story.kill();
  await story.start();
  await story.sees(ana, /The backup began after all|Capturing as/, "Nothing else runs before");

  // While the facts are read for the act: nothing of it was sent.
  platform.faults.hang("/vps/{id}");
  const copies = platform
    .calls()
    .filter(({ path }) => path.endsWith("/capture"))
    .flatMap(({ body }) => /web-1-\d{8}-[0-9a-f]{6}/.exec(JSON.stringify(body ?? "")) ?? []);
  expect(copies).toHaveLength(1);
  for (const copy of copies) platform.changeImage(copy, { status: "available" });
  const facts = reads(story, /^\/vps\/[^/]+$/);
  await later(() => reads(story, /^\/vps\/[^/]+$/) > facts, "the facts are read");
  expect(sent(story)).toEqual(["POST capture"]);
  await story.kill();
  platform.faults.resume();

  // The app dies during the call for the act. The platform did it, and its answer is lost.
  platform.faults.next({ how: "hang", method: "DELETE", applied: true });
  await story.start();
  await later(() => sent(story).length === 2, "the call for the act");
  await dies(story);
  const end = await story.sees(ana, "It was done after all", "is terminated", "Order from the image");
  expect(end.ts).toBe(request.ts);
  expect(said(end)).toContain("Check the backup, and read the facts again");
  expect(sent(story)).toEqual(["POST capture", "DELETE vps"]);
}, 120_000);

const unreached = [1, 2, 3, 4, 5, 6, 7].map((number) => `box-0000${number}`);
const partlyMoved = [1, 2, 3, 4, 5, 6, 7].map((number) => `crate-0000${number}`);

test("killed with five machines of seven under way that nothing reached: they are looked into, done with the others, and counted as no failures; killed when some were moved, each is sent it at most once", async () => {
  const story = await startCrashingStory();
  const { ana, platform } = story;
  platform.addVps(unreached.length, "box");
  platform.addVps(partlyMoved.length, "crate");
  platform.clearCalls();
  platform.faults.next({ how: "hang", method: "PATCH", times: 5 });
  await ana.type(`/vps move ${unreached.join(" ")} project=Empty`);
  await story.later(() => sent(story).length === 5, "five to be sent");
  await dies(story);
  await story.sees(ana, "All 7 are done");
  expect(new Set(unreached.map((name) => platform.findVps(name).project_id)).size).toBe(1);

  // Some were moved, and others are under way.
  platform.clearCalls();
  await ana.type(`/vps move ${partlyMoved.join(" ")} project=Empty`);
  await story.later(() => sent(story).length >= 3, "three to be sent");
  await dies(story);
  const end = await story.sees(ana, /All 7 are done|of 7 were done/, "crate-00001");
  // Rackbell reports a call that was cut off before it arrived as not done.
  const failed = partlyMoved.filter((name) => said(end).includes(`${name}: failed`));
  const target = platform.findVps(partlyMoved.find((name) => !failed.includes(name)) ?? "").project_id;
  expect(partlyMoved.filter((name) => platform.findVps(name).project_id !== target)).toEqual(failed);
  expect(partlyMoved.filter((name) => timesSent(story, name) > 1)).toEqual([]);
}, 120_000);

test.each([
  [true, "All 2 are done"],
  [false, "1 of 2 was done"],
])(
  "killed while the first of two machines was being cancelled (applied: %s): the first is not sent it again, and the second is cancelled",
  async (applied, end) => {
    const story = await startCrashingStory();
    const { ana, platform } = story;
    const request = await story.ask(ana, "/vps cancel web-1 db-1 stop-after=1", "asks to");
    platform.clearCalls();
    platform.faults.next({ how: "hang", method: "DELETE", applied });
    await ana.press(request, goAhead);
    await story.later(() => sent(story).length === 1, "the first to be sent");
    await dies(story);
    await story.sees(ana, end);
    expect(sent(story)).toEqual(["DELETE vps", "DELETE vps"]);
  },
  90_000,
);

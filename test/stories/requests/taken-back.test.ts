import { expect, test } from "vitest";
import { cooling } from "../bulk/machines.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { type Actor, goAhead, type Message, peer, type Story, said, startStory } from "../story.ts";

// A message that offers an act says so when that act was done since, by whom and when, and does not offer it again.

/** The message as it is now. */
function newest(actor: Actor, { ts }: Message): Message {
  const found = actor.sees("#ops").find((one) => one.ts === ts);
  if (!found) throw new Error("The message is gone");
  return found;
}

function now(actor: Actor, message: Message): string {
  return said(newest(actor, message));
}

interface Row {
  start: () => Promise<Story>;
  /** The act, and the words of its end. */
  act: string;
  ends: string;
  /** The button of the way back. */
  offers: string;
  back: string;
  done: string;
  title: string;
}

const customer = () => startStory({ linked: ["ana", "ben"] });
const reseller = () => startResellerStory({ partners: ["ana", "ben"], linked: ["ana", "ben"] });

const rows: Row[] = [
  {
    start: customer,
    act: "/vps cancel web-2",
    ends: "You can withdraw the cancellation until then",
    offers: "Keep it",
    back: "/vps keep web-2",
    done: "its cancellation is withdrawn",
    title: "Keep `web-2`",
  },
  {
    start: customer,
    act: "/vps cancel web-2",
    ends: "You can withdraw the cancellation until then",
    offers: "Keep it",
    back: "/service keep web-2",
    done: "its cancellation is withdrawn",
    title: "Keep `web-2`",
  },
  {
    start: customer,
    act: "/vps stop web-2 force=yes",
    ends: "`web-2` is stopped",
    offers: "Start",
    back: "/vps power web-2 action=start",
    done: "`web-2` is running",
    title: "Start `web-2`",
  },
  {
    start: customer,
    act: "/vps move mail project=Staging",
    ends: "to `Staging`",
    offers: "Move back",
    back: "/vps move mail project=Default",
    done: "to `Default`",
    title: "Move `mail`",
  },
  {
    start: reseller,
    act: "/reseller service suspend ACME-001 force=yes",
    ends: "is suspended",
    offers: "Unsuspend",
    back: "/reseller service unsuspend ACME-001",
    done: "is no longer suspended",
    title: "Unsuspend `web-2.example.test` (resold)",
  },
  {
    start: reseller,
    act: "/reseller service rescue BOR-002 force=yes",
    ends: "is booting its rescue system",
    offers: "End the rescue",
    back: "/reseller service unrescue BOR-002 force=yes",
    done: "boots its own system",
    title: "End the rescue of `metal-1.example.test` (resold)",
  },
];

test.each(rows)(
  "the message of $act says that $back took it back, by whom and when, and its button is gone",
  async (row) => {
    const story = await row.start();
    const { ana, ben } = story;
    const asked = await story.ask(ana, row.act, /asks to|:hourglass|:white_check_mark:/);
    if (said(asked).includes("asks to")) await ana.press(asked, goAhead);
    const message = await story.comesToSee(ana, row.ends, row.offers);
    await ben.type(row.back);
    await story.comesToSee(ben, row.done);
    const changed = () => now(ana, message);
    await story.passes(() => changed().includes("took this back"), `${row.act} to be taken back: ${changed()}`);
    expect(changed()).toMatch(new RegExp(`<@${ben.user.id}> took this back <!date\\^\\d+\\^`));
    expect(changed()).toContain(row.title);
    expect(changed()).toContain(":leftwards_arrow_with_hook:");
    expect(changed().split("\n")).not.toContain(row.offers);
  },
);

test("the message of an order says that its invoice was paid since, and does not offer to pay again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const request = await story.ask(ana, "/service renew web-1", "next renewal");
  const renewed = await story.pressing(ana, request, goAhead, "Pay");
  const paying = await story.pressing(ana, renewed, "Pay…", "from the credit balance");
  await story.pressing(ana, paying, goAhead, "is paid");
  await story.passes(() => now(ana, renewed).includes("did the next step"), "the renewal to say that it is paid");
  expect(now(ana, renewed)).not.toContain("took this back");
  expect(now(ana, renewed).split("\n")).not.toContain("Pay…");
});

test.each(["web-1", "web-2", "db-1"])(
  "a bulk request says how many of its machines were taken back, and offers the way back for the others alone, after %s was the first",
  async (first) => {
    const story = await startStory({ linked: ["ana", "ben"] });
    const { ana, ben, platform } = story;
    const request = await story.ask(ana, "/vps cancel web-1 web-2 db-1", "For each of 3 VPSes");
    await ana.press(request, goAhead);
    const ended = await story.comesToSee(ana, "All 3 are done", "Keep all 3");
    await story.ask(ben, `/vps keep ${first}`, "its cancellation is withdrawn");
    await story.passes(() => now(ana, ended).includes("1 of 3 was taken back"), "one to be taken back");
    expect(now(ana, ended)).toContain(`the last by <@${ben.user.id}>`);
    await story.pressing(ana, newest(ana, ended), "Keep the other 2", "All 2 are done");
    await story.passes(() => now(ana, ended).includes("3 of 3 were taken back"), "all to be taken back");
    expect(now(ana, ended)).not.toMatch(/^Keep/m);
    for (const name of ["web-1", "web-2", "db-1"]) expect(platform.find(name).cancellation).toBeNull();
  },
);

test("a bulk request offers the way back for the others alone, after one was taken back before its end", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, clock, platform } = story;
  platform.faults.next({ how: cooling, method: "DELETE", path: `/vps/${platform.find("db-1").id}` });
  const request = await story.ask(ana, "/vps cancel web-1 web-2 db-1", "For each of 3 VPSes");
  await ana.press(request, goAhead);
  const working = await story.comesToSee(ana, "2 of 3 done", "the platform asked to wait");
  await story.ask(ben, "/vps keep web-1", "its cancellation is withdrawn");
  await story.passes(() => now(ana, working).includes("1 of 3 was taken back"), "one to be taken back");
  clock.skip(900_000);
  const ended = await story.comesToSee(ana, "All 3 are done", "Keep the other 2");
  await story.pressing(ana, ended, "Keep the other 2", "All 2 are done");
  for (const name of ["web-1", "web-2", "db-1"]) expect(platform.find(name).cancellation).toBeNull();
});

test("the way back of a bulk request is for those that have not ended, and goes with the last", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock, platform } = story;
  const day = 24 * 60 * 60_000;
  for (const [at, name] of ["web-1", "web-2", "db-1"].entries()) {
    const ends = new Date(clock.now() + (at + 1) * day).toISOString();
    platform.change(name, { billing: { ...platform.findVps(name).billing, next_due_date: ends } });
  }
  const request = await story.ask(ana, "/vps cancel web-1 web-2 db-1", "For each of 3 VPSes");
  await ana.press(request, goAhead);
  const ended = await story.comesToSee(ana, "All 3 are done", "Keep all 3");
  clock.skip(day);
  await story.passes(() => now(ana, ended).includes("Keep 2"), "the first to end");
  await story.pressing(ana, newest(ana, ended), "Keep 2", "Keep 2 VPSes", "All 2 are done");
  await story.passes(() => now(ana, ended).includes("2 of 3 were taken back"), "the others to be taken back");
  expect(now(ana, ended)).not.toMatch(/^Keep/m);
  expect(platform.find("db-1").cancellation).toBeNull();
});

test("an act of somebody who was refused, and the same act on another machine, take nothing back", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben } = story;
  const message = await story.ask(ana, "/vps stop web-2 force=yes", ":hourglass");
  await story.comesToSee(ana, "`web-2` is stopped", "Start");
  await story.ask(ben, "/vps start worker-2", "worker-2");
  await story.comesToSee(ben, "`worker-2` is running");
  expect(now(ana, message)).not.toContain("took this back");
  expect(now(ana, message).split("\n")).toContain("Start");
});

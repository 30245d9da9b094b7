import { expect, test } from "vitest";
import { cards, passRound, read } from "../polled.ts";
import { type Actor, type Message, type Story, said } from "../story.ts";

const minute = 60_000;
const hour = 60 * minute;

async function readWithSteps(): Promise<Story> {
  const story = await read();
  await story.ask(story.ana, "/rackbell alerts set #ops mention=@ben then=@caro after=20m", "Saved");
  return story;
}

function machineIs(story: Story, state: "running" | "stopped" | "error"): Promise<void> {
  story.platform.change("web-1", { instance: { state } });
  return passRound(story, { minutes: 6 });
}

/** The texts on somebody's phone that say so. */
function buzzes(actor: Actor, text: string): string[] {
  return actor.phone().flatMap((one) => (one.text.includes(text) ? [one.text] : []));
}

/** The card as it is now. */
function present(story: Story, { ts }: Message): string {
  return story.ben
    .sees("#ops")
    .flatMap((one) => (one.ts === ts ? [said(one)] : []))
    .join();
}

test("an alert about a renewal is over once the date has moved: it says so, offers nothing, and notifies nobody else", async () => {
  const story = await readWithSteps();
  const { caro, platform } = story;
  platform.renewIn("web-1", -2);
  await passRound(story, { minutes: 6 });
  const card = await story.passes(() => cards(story, "is overdue since")[0], "the alert");
  platform.renewIn("web-1", 28);
  await passRound(story, { minutes: 6 });
  const over = await story.passes(() => cards(story, "is renewed until")[0], "the alert that is over");
  expect(over.ts).toBe(card.ts);
  expect(said(over)).not.toMatch(/Take|Renew…|is overdue/);
  expect(cards(story, "renewed")).toHaveLength(1);
  story.clock.skip(hour);
  await passRound(story);
  expect(buzzes(caro, "web-1")).toEqual([]);
});

test("the end of a service ends the alert about its machine", async () => {
  const story = await readWithSteps();
  const { caro, platform, clock } = story;
  await machineIs(story, "stopped");
  await story.passes(() => cards(story, "has stopped")[0], "the alert");
  platform.change("web-1", { status: "terminated" });
  await passRound(story, { minutes: 6 });
  const card = said(await story.passes(() => cards(story, "was terminated")[0], "the end"));
  expect(card).not.toMatch(/has stopped|Start/);
  clock.skip(21 * minute);
  await story.passes(() => buzzes(caro, "was terminated")[0], "the step about the end");
  expect(buzzes(caro, "has stopped")).toEqual([]);
});

test("of several cards about one machine the newest waits for somebody, and all of them show its recovery", async () => {
  const story = await readWithSteps();
  const { ana, ben, caro, clock } = story;
  await story.ask(ana, "/rackbell alerts mode #ops how=card", "without threads");
  await machineIs(story, "stopped");
  const first = await story.passes(() => cards(story, "has stopped")[0], "the first card");
  await machineIs(story, "error");
  const second = await story.passes(
    () => cards(story, "is in error").find(({ ts }) => ts !== first.ts),
    "the second card",
  );
  await story.passes(() => present(story, first).includes("A newer alert in this channel"), "the first card");
  expect(present(story, first)).toContain("is in error");
  expect(present(story, first)).not.toMatch(/Take\b(?! that)|has stopped|Next:/);
  expect(present(story, second)).toMatch(/Next: [\s\S]*Take/);
  await story.pressing(ben, first, "Take", "a newer alert shows it");
  await machineIs(story, "running");
  for (const card of [first, second])
    await story.passes(() => /runs/.test(present(story, card)), "the recovery on each card");
  for (const card of [first, second]) expect(present(story, card)).not.toMatch(/Take|Start|newer/);
  clock.skip(hour);
  await passRound(story);
  expect(buzzes(caro, "web-1")).toEqual([]);
});

test("a recovery after more than a day reaches the alert, and nobody is notified when its mute ends", async () => {
  const story = await readWithSteps();
  const { ana, caro, clock } = story;
  await machineIs(story, "stopped");
  const card = await story.passes(() => cards(story, "has stopped")[0], "the alert");
  await story.ask(ana, "/rackbell alerts mute web-1 hours=30", "are muted");
  for (let hours = 0; hours < 26; hours += 1) clock.skip(hour);
  await machineIs(story, "running");
  await story.passes(() => /runs/.test(present(story, card)), "the recovery on the alert");
  for (let hours = 0; hours < 5; hours += 1) clock.skip(hour);
  await passRound(story);
  expect(buzzes(caro, "web-1")).toEqual([]);
  expect(present(story, card)).not.toMatch(/Take|Start|has stopped/);
});

test("an invoice that is paid days after its alert is paid on that alert, too", async () => {
  const story = await readWithSteps();
  const { platform, clock } = story;
  platform.bill("Colocation", 1_000);
  const id = platform.documents().findLast(({ status }) => status === "unpaid")?.id ?? "";
  platform.fallDue(id, -1);
  await passRound(story);
  const card = await story.passes(() => cards(story, "Colocation")[0] ?? cards(story, "is overdue")[0], "the alert");
  for (let hours = 0; hours < 72; hours += 1) clock.skip(hour);
  platform.payByOperator(id);
  await passRound(story);
  await story.passes(() => /is paid/.test(present(story, card)), "the payment on the alert");
  expect(present(story, card)).not.toMatch(/Take|Pay…|is overdue/);
});

test("an alert about an invoice whose due date moves is over, and shows each new date", async () => {
  const story = await readWithSteps();
  const { ben, caro, platform, clock } = story;
  const { id, number } = platform.bill("Colocation", 1_000);
  await passRound(story);
  platform.fallDue(id, -1);
  await passRound(story);
  const card = await story.passes(() => cards(story, `${number}\` is overdue`)[0], "the alert");
  platform.fallDue(id, 20);
  await passRound(story);
  await story.passes(() => present(story, card).includes("was postponed: it falls due"), "the alert that is over");
  expect(present(story, card)).not.toMatch(/Take|is overdue/);
  expect(present(story, card)).toContain("Pay…");
  clock.skip(hour);
  await passRound(story);
  expect(buzzes(caro, number)).toEqual([]);
  const near = buzzes(ben, "falls due").length;
  platform.fallDue(id, 2);
  await passRound(story);
  await story.passes(() => buzzes(ben, "falls due").length > near, "the mention about the near date");
  const shown = () => cards(story, number).map(said);
  await story.passes(() => shown().every((one) => one.includes("falls due")), "the near date on each card");
  const before = shown();
  platform.fallDue(id, 0.5);
  await passRound(story);
  const isNew = (one: string, at: number) => one.includes("falls due") && one !== before[at];
  await story.passes(() => shown().length === before.length && shown().every(isNew), "the other date on each card");
});

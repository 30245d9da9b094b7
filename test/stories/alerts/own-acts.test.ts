import { expect, test } from "vitest";
import { ordersMade, reviewOf } from "../ordering.ts";
import { cards, passRound, read, replies } from "../polled.ts";
import { goAhead, type Story, said } from "../story.ts";

// Members' own messages show what they do through Rackbell: polling sends no alert of it.

const day = 24 * 60 * 60_000;

/** The newest document that waits to be paid, as its card names it. */
function unpaid({ platform }: Story) {
  const found = platform.documents().findLast(({ status }) => status === "unpaid");
  if (!found) throw new Error("No document waits");
  return found;
}

/** Polling logs an event without an alert, too. */
async function logged(story: Story, text: string): Promise<void> {
  let log = "";
  for (let time = 0; time < 40 && !log.includes(text); time += 1)
    log = said(await story.askIn("dm", story.ana, "/rackbell alerts log", /newest first|No event/));
  expect(log).toContain(text);
}

test.each(["invoice", "proforma"] as const)(
  "a member's order raises no alert: not its %s, not that it is paid, not that it is ready",
  async (type) => {
    const story = await read();
    const { ana, platform } = story;
    platform.settings.document = type;
    const review = await reviewOf(story, ana, "VPS M", { "Host name": "shop-1.example.test" });
    const ordered = await story.pressing(ana, review, goAhead, "Ordered", "Pay…");
    const { number, id } = unpaid(story);
    // Its date is near from the beginning: that raises no alert either.
    platform.fallDue(id, 1);
    await passRound(story);
    await logged(story, `\`${number}\` falls due`);
    const pay = await story.pressing(ana, ordered, "Pay…", "Your balance");
    await story.pressing(ana, pay, goAhead, "is paid");
    await passRound(story);
    await logged(story, `\`${number}\` is paid`);
    await story.comesToSee(story.ben, "is ready");
    await passRound(story);
    await logged(story, "All of order");
    expect(ordersMade(story)).toHaveLength(1);
    expect(cards(story)).toEqual([]);
  },
);

test("a failed build of an order causes an alert, which names the requester of the order", async () => {
  const story = await read();
  const { ana, platform } = story;
  platform.settings.autoCredit = true;
  platform.settings.buildFailure = "capacity";
  const review = await reviewOf(story, ana, "VPS M", { "Host name": "shop-2.example.test" });
  await story.pressing(ana, review, goAhead, "Ordered");
  await story.comesToSee(story.ben, "did not come up");
  await passRound(story);
  const failed = await story.passes(() => cards(story, "could not be built")[0], "the card of what failed");
  expect(said(failed)).toContain(`Asked by <@${ana.user.id}>`);
  expect(cards(story)).toHaveLength(1);
});

test("a renewal from its alert is silent, an unpaid one alerts, and one paid from that alert names who paid", async () => {
  const story = await read();
  const { ana, ben, platform } = story;
  const { billing } = platform.find("db-1");
  const soon = new Date(story.clock.now() + 2 * day).toISOString();
  platform.change("db-1", { billing: { ...billing, next_due_date: soon } });
  await passRound(story);
  const due = await story.sees(ben, "The renewal of `db-1.example.test` falls due", "Renew…");
  const review = await story.pressing(ana, due, "Renew…", "the next renewal of `db-1`");
  await story.pressing(ana, review, goAhead, "The renewal of `db-1` was issued");
  const { number, id } = unpaid(story);
  await passRound(story);
  await logged(story, `Invoice \`${number}\` waits`);
  expect(cards(story, String(number))).toEqual([]);
  platform.fallDue(id, -1);
  await passRound(story);
  const late = await story.passes(() => cards(story, `Invoice \`${number}\` is overdue`)[0], "what was left unpaid");
  const pay = await story.pressing(ana, late, "Pay…", "Your balance");
  await story.pressing(ana, pay, goAhead, "is paid");
  await passRound(story);
  const paid = await story.passes(() => cards(story, `Invoice \`${number}\` is paid`)[0], "the end on the card");
  expect(said(paid)).toContain(`Asked by <@${ana.user.id}>`);
  expect(paid.ts).toBe(late.ts);
  expect(replies(story).filter((reply) => reply.startsWith(":moneybag:"))).toEqual([]);
});

test("an upgrade that a member asks for and withdraws is silent, with its document; what is cancelled elsewhere is said on its card", async () => {
  const story = await read();
  const { ana, platform } = story;
  const review = await story.ask(ana, '/service upgrade web-2 to="VPS L"', "EUR today");
  await story.pressing(ana, review, goAhead, "waits to be paid");
  const { number } = unpaid(story);
  await passRound(story);
  await logged(story, `Invoice \`${number}\` waits`);
  await story.ask(ana, "/service upgrade cancel web-2", "is withdrawn");
  await passRound(story);
  await logged(story, `Invoice \`${number}\` was cancelled`);
  expect(cards(story)).toEqual([]);
  const other = platform.bill("Colocation", 1_000);
  await passRound(story);
  const card = await story.passes(() => cards(story, `\`${other.number}\` waits to be paid`)[0], "the card");
  platform.cancelByOperator(other.id);
  await passRound(story);
  const over = await story.passes(() => cards(story, `\`${other.number}\` was cancelled`)[0], "the end on the card");
  expect(over.ts).toBe(card.ts);
  expect(said(over)).not.toMatch(/Pay…|Asked by/);
});

test("a member's finished capture causes no alert, alone or as a backup; a failed capture causes one", async () => {
  const story = await read();
  const { ana, platform } = story;
  const review = await story.ask(ana, "/vps capture web-2 name=golden-2", "billed per GB");
  await story.pressing(ana, review, goAhead, "Capturing", "Show image");
  await story.comesToSee(story.ben, "`golden-2` is ready to use");
  await passRound(story);
  await logged(story, "The image `golden-2` is ready");
  const end = await story.ask(ana, "/vps cancel mail", "asks to", "Back up first");
  await story.pressing(ana, end, "request:copy", "Capturing");
  await story.comesToSee(story.ben, "You can withdraw the cancellation until then");
  await passRound(story);
  await logged(story, "The image `mail-");
  expect(cards(story)).toEqual([]);
  platform.failJob("capture", platform.findVps("db-1").id);
  const second = await story.ask(ana, "/vps capture db-1 name=golden-3", "billed per GB");
  await story.pressing(ana, second, goAhead, "Capturing");
  await passRound(story);
  await passRound(story);
  const failed = await story.passes(() => cards(story, "The image `golden-3` could not be made")[0], "the failure");
  expect(said(failed)).toContain(`Asked by <@${ana.user.id}>`);
});

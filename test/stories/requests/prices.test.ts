import { expect, test } from "vitest";
import { billOf, reviewOf } from "../ordering.ts";
import { askToReinstall } from "../reinstalling.ts";
import { goAhead, type Story, said, startStory } from "../story.ts";

// A request that spends shows the amount, the currency, its purpose and the balance afterwards to the requester alone.

test.each(["web-2", "db-1"])(
  "an add-on for %s names its price and the balance afterwards, in the dialog too",
  async (name) => {
    const story = await startStory({ linked: ["ana", "ben"] });
    const { ana, ben } = story;
    const review = said(await story.ask(ana, `/service option add ${name} option=Monitoring`, "Buy Monitoring"));
    expect(review).toMatch(/`Monitoring` for `\S+`: \d+\.\d\d EUR before tax, for a full cycle \(monthly\)/);
    expect(review).toMatch(/250\.00 EUR now, \d+\.\d\d EUR afterwards, less the tax, once it is paid/);
    const request = await story.sees(ana, "Buy Monitoring");
    const { confirm } = await ana.press(request, goAhead, { confirm: false });
    expect(confirm?.text).toMatch(/EUR before tax/);
    expect(confirm?.text).toMatch(/EUR afterwards/);
    expect(ben.sees().some((message) => said(message).includes("afterwards"))).toBe(false);
  },
);

function balanceInDollars({ platform }: Story): void {
  const how = { status: 200, body: { success: true, data: { balance: 4, currency: "USD" } } };
  platform.faults.next({ how, method: "GET", path: "/account/balance", times: 100 });
}

function notSubtracted(price: string): string {
  return `4.00 USD. The platform does not show how much of it ${price} takes.`;
}

test.each([
  ["/service renew web-1", "20.00 EUR"],
  ["/service option add web-1 option=Monitoring", "1.00 EUR"],
  ['/service upgrade web-2 to="VPS L"', "4.04 EUR"],
  ["/billing pay INV-0", "145.20 EUR"],
])("%s subtracts no price in euros from a balance in dollars", async (typed, price) => {
  const story = await startStory({ linked: ["ana"] });
  balanceInDollars(story);
  const command = typed.replace("INV-0", billOf(story, "Colocation for a quarter").number);
  expect(said(await story.ask(story.ana, command, notSubtracted(price)))).not.toContain("afterwards");
});

test("an order subtracts no price in euros from a balance in dollars", async () => {
  const story = await startStory({ linked: ["ana"] });
  balanceInDollars(story);
  expect(said(await reviewOf(story, story.ana, "VPS S"))).toContain(notSubtracted("5.00 EUR"));
});

test("an add-on whose price is not named for its cycle says so, and the dialog invents none", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const names = ["web-1", "web-2", "db-1", "db-2", "mail", "worker-1", "worker-2", "six-only"];
  const reviews: string[] = [];
  for (const name of names) {
    const review = await story.ask(
      ana,
      `/service option add ${name} option=Monitoring cycle=quarterly`,
      "Buy Monitoring",
      name,
    );
    reviews.push(said(review));
  }
  for (const text of reviews) expect(text).toContain("the platform names no price for it");
  for (const text of reviews) expect(text).not.toContain("afterwards");
});

test("a capture says that no price is named, and what came of it is of the size that was asked", async () => {
  const story = await startStory({ linked: ["ana"], pace: 10 });
  const { ana } = story;
  const request = await story.ask(ana, "/vps capture web-2 name=golden-2", "The platform names no price", "50 GB");
  await story.pressing(ana, request, goAhead, "Capturing");
  const end = await story.passes(
    () =>
      ana
        .sees()
        .map(said)
        .find((text) => text.includes("`golden-2` is ready to use")),
    "the capture",
  );
  expect(end).toContain("It is billed as 50 GiB");
});

test.each([-2, 2])(
  "with a clock %i hours off, a capture that took effect is found by what was there before",
  async (hours) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const first = await story.ask(ana, "/vps capture web-2 name=golden-2", "billed per GB");
    platform.faults.next({ how: "500", method: "POST", applied: true });
    await story.pressing(ana, first, goAhead, "The outcome is unknown");
    platform.changeImage("golden-2", {
      created_at: new Date(story.clock.now() + hours * 3_600_000).toISOString(),
    });
    await story.comesToSee(ana, "It was done after all");
  },
);

test("an image of the same name that was there before is not taken for the one that was asked for", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const first = await story.ask(ana, "/vps capture web-2 name=golden-web", "billed per GB");
  platform.faults.next({ how: "500", method: "POST" });
  await story.pressing(ana, first, goAhead, "The outcome is unknown");
  await story.comesToSee(ana, "It was not done");
});

test("a reinstalled server says how to get in, as a line to copy, and in whose direct messages the new password is", async () => {
  const story = await startStory({ linked: ["ana"], pace: 30 });
  const { ana, platform } = story;
  const request = await askToReinstall(story, "web-2", "Erase web-2");
  await story.pressing(ana, request, goAhead, "Reinstalling");
  const address = platform.findVps("web-2").ip_addresses[0]?.address ?? "none";
  await story.comesToSee(
    ana,
    `Log in with \`ssh root@${address}\` and the new root password`,
    `In the direct messages of <@${ana.user.id}> with me, behind *Reveal*: new root password of \`web-2\`.`,
  );
});

import { expect, test } from "vitest";
import { said } from "../story.ts";
import { startResellerStory } from "./selling.ts";

test("products are shown at wholesale, excl. VAT, with their add-ons, cycles and order forms", async () => {
  const story = await startResellerStory({ connected: false });
  const { ana, platform } = story;
  for (const payload of [null, 0, 1]) {
    platform.settings.shapes.payload = payload;
    platform.settings.shapes.named = payload === 1;
    const list = said(await story.ask(ana, "/reseller product list", "at wholesale, excl. VAT"));
    expect(list).toContain("VPS S");
    expect(list).toContain("3.80 EUR a month");
    const card = await story.details(
      ana,
      await story.ask(ana, '/reseller product show "VPS S"', "Costs you"),
      "At wholesale",
    );
    expect(card).toContain("monthly: 3.80 EUR");
    expect(card).toContain("Daily backup");
    expect(card).toContain("at most 8");
    expect(card).not.toContain("price unknown");
    const vps = said(await story.ask(ana, '/reseller product schema "VPS S"', "An order of"));
    expect(vps).toContain("`location`");
    expect(vps).toContain("Debian 13");
    expect(vps).toContain("Datacentres");
    const game = said(await story.ask(ana, '/reseller product schema "Game box"', "An order of"));
    expect(game).toContain("Player slots");
    expect(game).toContain("`Practice Craft`");
  }
});

test("a product that is not resold is not there", async () => {
  const story = await startResellerStory({ connected: false });
  await story.ask(story.ana, '/reseller product show "VPS withdrawn"', "no product to resell called");
});

import { expect, test } from "vitest";
import { deleteCustomImage, listCustomImages } from "../../../src/platform/customer/images.ts";
import { cards, elsewhere, passRound, read } from "../polled.ts";
import { supplierSuspends } from "../reseller/alerting.ts";
import { goAhead, said } from "../story.ts";

// An alert ends where the platform no longer shows its resource, or no longer asks for anything.

const buttons = /"text":"(Start|Take|Renew…|Pay…|Show service)"/;

test("a stopped machine that the platform no longer shows is not called stopped, and its steps do not go on", async () => {
  const story = await read();
  const { ana, caro, platform, clock } = story;
  await story.ask(ana, "/rackbell alerts set #ops mention=@ben then=@caro after=20m", "Saved");
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "The machine of `web-1.example.test` has stopped")[0], "the alert");
  platform.remove("web-1");
  await passRound(story, { minutes: 6 });
  const card = await story.passes(
    () => cards(story, "The platform no longer shows `web-1.example.test`")[0],
    "the end",
  );
  expect(said(card)).not.toContain("has stopped");
  expect(JSON.stringify(card.blocks)).not.toMatch(buttons);
  clock.skip(30 * 60_000);
  await passRound(story);
  expect(caro.phone().filter(({ text }) => text.includes("web-1"))).toEqual([]);
  expect(cards(story, "web-1.example.test")).toHaveLength(1);
});

test("a renewal that a cancellation ends is no longer said to fall due", async () => {
  const story = await read();
  const { ana, platform } = story;
  platform.renewIn("web-1", 2);
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "The renewal of `web-1.example.test` falls due")[0], "the alert");
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ana, request, goAhead, "web-1");
  await passRound(story, { minutes: 6 });
  const card = await story.passes(() => cards(story, "`web-1.example.test` is not renewed and ends")[0], "the end");
  expect(said(card)).not.toContain("falls due");
  expect(JSON.stringify(card.blocks)).not.toMatch(/"text":"(Take|Renew…)"/);
});

test("a failed image that is deleted elsewhere, and an overdue invoice that is no more, are not called so any more", async () => {
  const story = await read();
  const { platform } = story;
  const { customer } = elsewhere(story);
  const { id, number } = platform.bill("Colocation", 1_000);
  platform.changeImage("golden-web", { status: "capturing" });
  await passRound(story);
  platform.changeImage("golden-web", { status: "error" });
  platform.fallDue(id, -1);
  await passRound(story);
  await story.passes(() => cards(story, "`golden-web` could not be made")[0], "the image's alert");
  await story.passes(() => cards(story, `\`${number}\` is overdue`)[0], "the invoice's alert");
  const image = (await listCustomImages(customer)).find(({ name }) => name === "golden-web");
  await deleteCustomImage(customer, image?.id ?? "");
  platform.payByOperator(id);
  const body = { success: false, code: "NOT_FOUND", error: "No such invoice" };
  platform.faults.next({ how: { status: 404, body }, method: "GET", path: "/invoices/{id}", times: 100 });
  await passRound(story);
  for (const name of ["golden-web", number]) {
    const gone = await story.passes(() => cards(story, `The platform no longer shows \`${name}\``)[0], "the end");
    expect(said(gone)).not.toMatch(/could not be made|is overdue/);
    expect(JSON.stringify(gone.blocks)).not.toMatch(/"text":"(Take|Pay…|Show image)"/);
  }
});

test("a resold service whose suspension came by webhook is not called suspended once the platform no longer shows it", async () => {
  const story = await read({ apis: ["reseller"], withEvents: true });
  const { platform } = story;
  await supplierSuspends(story, "mail.example.test");
  await story.passes(() => cards(story, "`mail.example.test` is suspended")[0], "the alert");
  await passRound(story, { api: "reseller" });
  platform.remove("mail");
  await passRound(story, { api: "reseller" });
  await passRound(story, { api: "reseller" });
  const gone = await story.passes(() => cards(story, "The platform no longer shows `mail.example.test`")[0], "the end");
  expect(said(gone)).not.toContain("is suspended");
  expect(JSON.stringify(gone.blocks)).not.toMatch(/"text":"(Take|Unsuspend)"/);
});

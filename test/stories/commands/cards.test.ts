import { expect, test } from "vitest";
import { InstanceState } from "../../../src/platform/customer/states.ts";
import { reviewOf } from "../reseller/ordering.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { fileStore, goAhead, said, startStory, writes } from "../story.ts";

test("an act in the menu of a card asks what its button asked, runs nothing if it is left, and runs at the press", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const card = await story.ask(ana, "/vps show web-1", "is running", "Stop", "Cancel service…");
  const first = await story.pressing(ana, card, "Stop", "Everything that runs on the machine stops");
  await ana.press(first, "Leave it as it is");
  expect(writes(story)).toEqual([]);
  const second = await story.pressing(ana, card, "Stop", "Everything that runs on the machine stops");
  await story.pressing(ana, second, "Stop web-1", "Stopping");
  expect(writes(story)).toMatchObject([{ path: expect.stringMatching(/\/stop$/) }]);
  // An act that destroys is a request, as when it is typed.
  await story.pressing(ana, card, "Cancel service…", "asks to", "web-1");
  expect(writes(story)).toHaveLength(1);
});

test("the details of a card hold what the card leaves out, read again, and old buttons and menus outlive a restart", async () => {
  const environment = { STORE_URL: fileStore() };
  const story = await startStory({ linked: ["ana"], environment });
  const { ana, platform } = story;
  const { id } = platform.findVps("web-1");
  const card = await story.ask(ana, "/vps show web-1", "is running", "Add to favourites");
  expect(said(card)).not.toContain(id);
  expect(said(card)).not.toContain("Host name");
  await story.restart();
  platform.change("web-1", { instance: { state: "stopped" } });
  const details = await story.details(ana, card, id, "Host name", "Machine last seen");
  expect(details).toContain("is stopped");
  await story.pressing(ana, card, "Add to favourites", "is among your favourites");
  // Slack keeps the choice in a menu whose block has the same id, and sends no second press of it.
  const again = await story.pressing(ana, card, "Refresh", "is stopped");
  expect(again.blocks.at(-1)?.block_id).not.toBe(card.blocks.at(-1)?.block_id);
  const own = await story.askIn("dm", ana, "/vps show web-1", "is stopped");
  await story.details(ana, own, id, "Host name");
});

test("the card of a VPS that is not paid for leads to the payment of its own document", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-1", { status: "pending_payment" });
  const card = await story.ask(ana, "/vps show web-1", "is awaiting payment");
  // No document names it: all unpaid ones are offered.
  expect(said(card)).toContain("Unpaid invoices");
  const bill = platform.documents().find(({ status }) => status === "unpaid");
  if (!bill) throw new Error("Nothing is unpaid");
  bill.lines.push({ description: "VPS L web-1", amount: 100 });
  const payable = await story.ask(ana, "/vps show web-1", "is awaiting payment", "Pay…");
  await story.pressing(ana, payable, "Pay…", bill.number, "from the credit balance");
  expect(platform.calls().some(({ path }) => /\/pay$/.test(path))).toBe(false);
});

/** The acts that may bring a stuck machine back, and those that erase something. */
const saving = /^(?:Start|Reboot|Restart|Rescue…|Switch on|Unsuspend|Keep it)$/;
const erasing = /^(?:New password…?|Reinstall…|Cancel service…|Terminate…)$/;

test("the card of a machine in any state offers what may save it before what erases something; a stuck one is offered both", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const cards = { "/vps show web-2": "vps", "/reseller service show ACME-001": "resold" } as const;
  for (const state of InstanceState.options) {
    platform.change("web-2", { instance: { state } });
    for (const [typed, kind] of Object.entries(cards)) {
      const labels = said(await story.ask(ana, typed, "Refresh")).split("\n");
      const [saves, erases] = [saving, erasing].map((which) =>
        labels.flatMap((label, at) => (which.test(label) ? [at] : [])),
      );
      const last = Math.max(-1, ...(saves ?? []));
      for (const at of erases ?? []) expect.soft(at, `${labels[at]} of ${kind} in ${state}`).toBeGreaterThan(last);
      if (state !== "error" && state !== "paused") continue;
      expect.soft(saves?.length, `${kind} in ${state}`).toBeGreaterThan(1);
      expect.soft(labels, `${kind} in ${state}`).not.toContain("New password…");
      expect
        .soft(
          labels.some((label) => /^(?:Cancel service|Terminate)…$/.test(label)),
          `${kind} in ${state}`,
        )
        .toBe(true);
    }
  }
});

test("the card of a stuck resold dedicated server has its rescue system among its first buttons, and that of a running one in its menu", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const labels = async () => said(await story.ask(ana, "/reseller service show BOR-002", "Refresh")).split("\n");
  const running = await labels();
  expect(running.indexOf("Rescue…")).toBeGreaterThan(running.indexOf("Details"));
  const stuck = (body: unknown) =>
    JSON.parse(JSON.stringify(body, (name, value) => (name === "powerState" ? "error" : value)));
  platform.faults.next({ how: { rewrite: stuck }, method: "GET", path: "/reseller/services/{serviceId}/stats" });
  const inError = await labels();
  expect(inError.filter((label) => label === "Rescue…")).toHaveLength(1);
  expect(inError.indexOf("Rescue…")).toBeLessThan(inError.indexOf("Details"));
});

test("the card of a resold service that is not built leads to its order, or to the list of orders while that cannot be read", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S"', {
    details: { System: "Debian 13", "Host name": "shop.example.test" },
  });
  await story.pressing(ana, review, goAhead, "Ordered 1 × `VPS S`");
  await story.comesToSee(ana, "1 service is ready");
  const [id = ""] = platform.reseller.orders().at(-1)?.serviceIds ?? [];
  const labels = async () => said(await story.ask(ana, `/reseller service show ${id}`, "Refresh")).split("\n");
  expect((await labels()).filter((label) => label === "The order" || label === "Orders")).toEqual([]);
  for (const status of ["provisioning_failed", "pending_payment"] as const) {
    platform.change(id, { status });
    const card = await story.ask(ana, `/reseller service show ${id}`, "The order");
    await story.pressing(ana, card, "The order", "The order `RES-1000`");
    const body = { success: false, error: "Insufficient permissions", code: "FORBIDDEN" };
    platform.faults.next({ how: { status: 403, body }, method: "GET", path: "/reseller/orders" });
    const unread = await labels();
    expect(unread).toContain("Orders");
    expect(unread).not.toContain("The order");
  }
});

test("a card leads to a payment while its service waits for one and at no other time, whether its document can be read or not", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const pays = async (typed: string) =>
    said(await story.ask(ana, typed, "Refresh"))
      .split("\n")
      .some((label) => label === "Pay…" || label === "Unpaid invoices");
  for (const [typed, name] of [
    ["/vps show web-1", "web-1"],
    ["/service show web-2", "web-2"],
    ["/dedicated show metal-1", "metal-1"],
  ] as const) {
    expect.soft(await pays(typed), typed).toBe(false);
    platform.change(name, { status: "pending_payment" });
    expect.soft(await pays(typed), typed).toBe(true);
    const body = { success: false, error: "Insufficient permissions", code: "FORBIDDEN" };
    platform.faults.next({ how: { status: 403, body }, method: "GET", path: "/invoices" });
    expect.soft(await pays(typed), typed).toBe(true);
  }
});

test("the card of a service that is billed by the hour offers no renewal, whatever its kind", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const [typed, name] of [
    ["/vps show web-1", "web-1"],
    ["/service show web-2", "web-2"],
    ["/dedicated show metal-1", "metal-1"],
  ] as const) {
    const labels = async () => said(await story.ask(ana, typed, "Refresh")).split("\n");
    expect.soft(await labels(), typed).toContain("Renew…");
    platform.change(name, { billing: { cycle: "hourly", amount: "0.01", currency: "EUR", next_due_date: null } });
    expect.soft(await labels(), typed).not.toContain("Renew…");
  }
});

test("the card of a resold service has the shape of an own one: its use, four facts, no raw field and no empty one", async () => {
  const story = await startResellerStory();
  const card = await story.ask(story.ana, "/reseller service show ACME-001", "is running");
  const text = said(card);
  expect(text).toMatch(/CPU [\d.]+ % · memory [\d.]+ % · [\d.]+ [KMGT]iB out this month/);
  expect(text).toContain("in the platform's base currency");
  expect(text).not.toMatch(/\bnone\b|\bunknown\b|Allocations|Subnet|UUID/);
  expect(card.blocks.flatMap((block) => (Array.isArray(block.fields) ? block.fields : []))).toHaveLength(4);
  await story.details(story.ana, card, "Subnet", "Ordered", "Germany (de-fra)");
  const end = await story.pressing(story.ana, card, "Terminate…", "asks to");
  await story.ana.press(end, goAhead);
});

import { expect, test } from "vitest";
import { startResellerStory } from "../reseller/selling.ts";
import { decision, everybody, goAhead, type Story, said, startStory, writeRoutes } from "../story.ts";

// A smaller disk loses data, so such a change of plan is asked like what destroys, and by the rules of its price as well.

const wings = [
  {
    wing: "customer",
    start: (options = {}) => startStory({ linked: ["ana"], ...options }),
    change: (to: string) => `/service upgrade web-2 to="${to}"`,
    write: "upgrades",
  },
  {
    wing: "reseller",
    start: (options = {}) => startResellerStory({ partners: ["ana"], ...options }),
    change: (to: string) => `/reseller service upgrade ACME-001 to="${to}"`,
    write: "change-package",
  },
] as const;

test.each(wings)(
  "$wing: a change of plan that halves the disk is asked in the channel, in red, with its loss and no balance",
  async ({ start, change, write }) => {
    const story: Story = await start();
    const { ana, ben } = story;
    const request = await story.ask(ana, change("VPS S"), "asks to");
    expect(request.ephemeralTo).toBeUndefined();
    expect(said(request)).toContain("The disk will shrink from 50 GB to 25 GB. Data that does not fit will be lost.");
    await ana.press(request, "Details…");
    await story.modal(
      ana,
      "2 → 1",
      "4 GB → 2 GB",
      "50 GB → 25 GB",
      /10\.00 (EUR a month|\(base currency\)) → \d\.\d\d EUR/,
    );
    // Its price is of now.
    expect(JSON.stringify(ana.modal()?.blocks)).not.toContain("Schedule…");
    await ana.closeModal();
    const { style, asks } = await decision(ana, request);
    expect(style).toBe("danger");
    expect(asks).toContain("The disk will shrink from 50 GB to 25 GB");
    expect([...ben.sees(), ...ana.sees()].map(said).join()).not.toMatch(/balance: |250\.00/i);
    await ana.press(request, goAhead);
    const sent = () => story.platform.calls().filter(({ method, path }) => method === "POST" && path.endsWith(write));
    await story.slack.until(() => (sent().length > 0 ? request : undefined), "the change");
    expect(sent()).toHaveLength(1);
  },
);

test.each(wings)(
  "$wing: a plan whose disk the platform does not name counts as one that shrinks",
  async ({ start, change }) => {
    const story: Story = await start();
    story.platform.changeProduct("VPS L", { specs: null });
    const request = await story.ask(story.ana, change("VPS L"), "asks to", "The platform does not name the new disk");
    expect(request.ephemeralTo).toBeUndefined();
    expect((await decision(story.ana, request)).style).toBe("danger");
  },
);

test.each(wings)(
  "$wing: a change to a larger disk is asked of its requester alone, with its price and a green button",
  async ({ start, change }) => {
    const story: Story = await start();
    const request = await story.ask(story.ana, change("VPS L"), "VPS L");
    expect(request.ephemeralTo).toBeDefined();
    expect(said(request)).not.toContain("will be lost");
    expect((await decision(story.ana, request)).style).toBe("primary");
  },
);

test.each([
  ["demand=two-approvals risk=destroy", "demand=one-approval risk=spend"],
  ["demand=one-approval risk=destroy", "demand=two-approvals risk=spend"],
])("of a rule about losses and one about prices the stricter applies to a smaller disk: %s, %s", async (...rules) => {
  const story = await startStory({ linked: everybody, rules });
  const { ana, ben, caro } = story;
  const request = await story.ask(ana, '/service upgrade web-2 to="VPS S"', "asks to", "Two others than");
  await story.pressing(ben, request, goAhead, "1 of 2");
  expect(writeRoutes(story)).toEqual([]);
  await story.pressing(caro, request, goAhead, "The downgrade of `web-2` to `VPS S` took effect");
  expect(writeRoutes(story)).toEqual(["POST /services/{id}/upgrades"]);
});

test("an add-on that the new plan does not offer may end, so the change is asked like what destroys, and so is its payment", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const loss = "The new plan does not offer `Daily backup`. It may end, with its data.";
  platform.changeProduct("VPS L", { options: [] });
  platform.changeProduct(platform.find("web-1").product.name, { upgrades: [platform.product("VPS L").id] });
  const request = await story.ask(ana, '/service upgrade web-1 to="VPS L"', "asks to", loss);
  expect((await decision(ana, request)).style).toBe("danger");
  await story.pressing(ana, request, goAhead, "is requested");
  await story.ask(ana, `/billing pay ${platform.documents().at(-1)?.number}`, "asks to", loss);
});

test("an add-on of a resold service that the new package does not offer may end, so the change is asked like what destroys", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const set = await story.ask(ana, '/reseller service options set ACME-002 options="Daily backup"', "will change");
  await story.pressing(ana, set, goAhead, "are set");
  platform.changeProduct("VPS L", { options: [] });
  const loss = "The new plan does not offer `Daily backup`. It may end, with its data.";
  const request = await story.ask(ana, '/reseller service upgrade ACME-002 to="VPS L"', "asks to", loss);
  expect((await decision(ana, request)).style).toBe("danger");
});

test("a disk that the platform makes smaller after the question voids it, and nothing is charged", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, '/service upgrade web-2 to="VPS L"', "VPS L");
  platform.changeProduct("VPS L", { specs: { cpu: 4, ram: 8192, storage: 25 } });
  await story.pressing(ana, request, goAhead, "Something changed since this request", "Disk");
  expect(writeRoutes(story)).toEqual([]);
});

test("a change of plan is called what it was, and credit that it loses is a warning", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const down = await story.ask(ana, '/service upgrade web-2 to="VPS S"', "The downgrade of `web-2`");
  expect(said(down)).toMatch(/Credit of \d+\.\d\d EUR for unused time will be lost/);
  await story.pressing(ana, down, goAhead, "The downgrade of `web-2` to `VPS S` took effect");
  const up = await story.ask(ana, '/service upgrade web-2 to="VPS L"', "The upgrade of `web-2`");
  await story.pressing(ana, up, goAhead, "The upgrade of `web-2` to `VPS L` is requested");
});

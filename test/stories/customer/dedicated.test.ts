import { expect, test } from "vitest";
import { goAhead, type Story, said, startStory, writes } from "../story.ts";

const server = "metal-1";

test("a dedicated server's card offers only the acts that its state allows", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const list = await story.ask(ana, "/dedicated list", "5 dedicated servers");
  expect(said(list)).toContain("Practice Metal PM-1");
  const card = await story.ask(ana, "/dedicated show metal-1", "is on");
  await story.details(ana, card, "16 cores");
  expect(said(card)).toContain("Switch off");
  expect(said(card)).not.toContain("Switch on");
  const pending = await story.ask(ana, "/dedicated show metal-pending", "It is being built");
  expect(said(pending)).not.toContain("Restart");
  await story.ask(ana, "/dedicated show metal-suspended", "It is suspended");
  await story.ask(ana, "/dedicated list status=suspended", "*1 suspended dedicated server*");
});

test("a dedicated server whose price cannot be read says so on its card, and shows all else", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const withoutBilling = (body: unknown) =>
    JSON.parse(JSON.stringify(body, (name, value) => (["billing", "amount"].includes(name) ? undefined : value)));
  const cardWith = async (price: string) => {
    platform.faults.next({ how: { rewrite: withoutBilling }, method: "GET", path: "/dedicated/{id}", times: 9 });
    const card = await story.ask(ana, `/dedicated show ${server}`, "is on", price);
    platform.faults.resume();
    return said(card);
  };
  const whole = await cardWith("89.00 EUR a month");
  const body = { success: false, error: "Insufficient permissions", code: "FORBIDDEN" };
  platform.faults.next({ how: { status: 403, body }, method: "GET", path: "/services/{id}", times: 9 });
  expect(await cardWith("could not be read")).toBe(whole.replace("89.00 EUR a month", "could not be read"));
  platform.faults.next({ how: { rewrite: withoutBilling }, method: "GET", path: "/services/{id}", times: 9 });
  expect(await cardWith("not named by the platform")).not.toContain("could not be read");
});

test("the addresses, power, provisioning, systems, usage and traffic of a dedicated server are shown", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const name of ["metal-1", "metal-2", "metal-broken-controller"]) {
    for (const [verb, title] of [
      ["ips", "Addresses"],
      ["status", "Power status"],
      ["provisioning", "Provisioning"],
      ["images", "Operating systems"],
      ["stats", "Usage"],
      ["traffic", "Traffic"],
    ]) {
      const shown = await story.ask(ana, `/dedicated ${verb} ${name}`, `${title} of \`${name}\``);
      expect(said(shown).length).toBeGreaterThan(`${title} of ${name}`.length + 20);
    }
  }
});

test("a server is switched off, seen to be off, and offered to be switched on", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const card = await story.ask(ana, "/dedicated show metal-1", "is on");
  const question = await story.pressing(ana, card, "Switch off", "stays off");
  await ana.press(question, "Switch off metal-1");
  const off = await story.comesToSee(ana, "`metal-1` is off.");
  expect(writes(story)).toMatchObject([{ path: expect.stringMatching(/\/power$/), body: { action: "off" } }]);
  await ana.press(off, "Switch on");
  await story.comesToSee(ana, "`metal-1` is on.");
});

test.each(["on", "off", null] as const)(
  "the power of a server is the one at its own route, on its card and at the end of an act, with %s in its detail",
  async (detailPower) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.settings.shapes.detailPower = detailPower;
    for (const [power, other, sure] of [
      ["off", "on", " force=yes"],
      ["on", "off", ""],
    ] as const) {
      const card = await story.ask(ana, "/dedicated show metal-1", `*\`metal-1\`* is ${other}`);
      expect(said(card).split("\n").includes("Switch on")).toBe(other === "off");
      await story.ask(ana, `/dedicated ${power} metal-1${sure}`, power === "on" ? "Starting" : "Stopping");
      await story.comesToSee(ana, `\`metal-1\` is ${power}.`);
      expect(platform.find("metal-1")).toMatchObject({ power_state: power });
    }
    platform.clearCalls();
    await story.ask(ana, "/dedicated list", "5 dedicated servers");
    expect(platform.calls().filter(({ path }) => path.endsWith("/power-status"))).toEqual([]);
  },
);

test.each([
  ["unreachable", "has a management controller that cannot be reached"],
  ["unknown", "reports its power as `unknown`"],
])("a server whose controller is %s for one poll is tracked on until it is off", async (word, words) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const how = { status: 200, body: { success: true, data: { power_state: word } } };
  platform.faults.next({ how, method: "GET", path: "/dedicated/{id}/power-status", times: 2 });
  await story.ask(ana, "/dedicated show metal-1", "*`metal-1`* is active", "Power");
  await story.ask(ana, "/dedicated off metal-1 force=yes", "Stopping");
  await story.comesToSee(ana, words);
  await story.comesToSee(ana, "`metal-1` is off.");
});

const unreadPower = [
  ["403", { status: 403, body: { success: false, error: "No", code: "FORBIDDEN" } }, "not shown by the platform"],
  ["404", { status: 404, body: { success: false, error: "No", code: "NOT_FOUND" } }, "not shown by the platform"],
  ["424", { status: 424, body: { success: false, error: "No", code: "PROVIDER_ERROR" } }, "could not be read"],
  ["500", "500", "could not be read"],
  ["words that disagree", { status: 200, body: { success: true, data: ["on", "off"] } }, "not shown by the platform"],
] as const;

test.each(unreadPower)(
  "a server whose power is answered with %s has its card, and can be switched",
  async (_, how, words) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.settings.shapes.detailPower = "off";
    platform.faults.next({ how, method: "GET", path: "/dedicated/{id}/power-status", times: 99 });
    const card = await story.ask(ana, "/dedicated show metal-1", "*`metal-1`* is active", words);
    for (const act of ["Switch on", "Switch off", "Restart"]) expect(said(card)).toContain(act);
    await story.ask(ana, "/dedicated off metal-1 force=yes", "metal-1");
    await story.comesToSee(ana, ":grey_question:");
    expect(ana.sees().map(said).join()).not.toContain("is off.");
    expect(writes(story)).toHaveLength(1);
  },
);

test("a restart says that its end cannot be seen, or that the attempt counts if the management controller does not complete it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/dedicated on metal-suspended", "The service is suspended", "Nothing changed");
  await story.ask(ana, "/dedicated on metal-pending", "still being built", "Nothing changed");
  story.platform.clearCalls();
  await story.ask(ana, "/dedicated restart metal-1 force=yes", "Restarting");
  const sent = await story.comesToSee(ana, "Nothing shows when that has ended");
  expect(said(sent)).not.toContain(":white_check_mark:");
  expect(writes(story)).toMatchObject([{ body: { action: "restart" } }]);
  const incomplete = ["did not complete the action", "counts against the limit"];
  await story.ask(ana, "/dedicated restart metal-broken-controller force=yes", ...incomplete);
});

async function askReinstall(story: Story, name: string, system: string) {
  const { ana } = story;
  await ana.type(`/dedicated reinstall ${name}`);
  await story.modal(ana, "Operating system");
  await ana.choose("modal", "choose:image", system);
  await ana.submit();
  return story.sees(ana, "asks to", "This will erase");
}

test.each(["metal-1", "metal-2"])(
  "a reinstall of %s names the keys that it will accept, runs once and is tracked to its end",
  async (name) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana } = story;
    const request = await askReinstall(story, name, "Debian 13");
    await ana.press(request, "Details…");
    await story.modal(ana, "2 keys: `ana laptop`, `deploy`");
    expect(writes(story)).toEqual([]);
    await ana.press(request, goAhead);
    await story.comesToSee(ana, "is reinstalled");
    expect(writes(story)).toHaveLength(1);
  },
);

test("a reinstall that fails says that the disks are erased", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await askReinstall(story, server, "Debian 13");
  platform.failJob("reinstall", platform.find(server).id);
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "The data on its disks is lost");
});

test("a reinstall that was done and answered with a fault is found out, not run again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await askReinstall(story, server, "Debian 13");
  platform.faults.next({ how: "500", method: "POST", applied: true });
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "is reinstalled");
  expect(writes(story)).toHaveLength(1);
});

test("a reinstall whose offered systems cannot be read takes a typed one, and asks before anything is sent", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.next({ how: "wrong-shape", path: "/dedicated/{id}/os-images", times: 9 });
  await ana.type("/dedicated reinstall metal-1");
  await story.modal(ana, "could not be read: type what it is called there");
  expect(writes(story)).toEqual([]);
});

test("a password says that it may rebuild the server, and asks first", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/dedicated password metal-1");
  await story.modal(ana, "New root password");
  await ana.submit();
  const request = await story.sees(ana, "asks to", "erase everything on its disks");
  expect(writes(story)).toEqual([]);
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "rebuilds the server");
  await story.comesToSee(ana, "`metal-1` is reinstalled");
  await story.seesIn("dm", ana, "only you can open it");
});

test("a password on a server that nobody provisions claims neither a rebuild nor that there is none", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/dedicated password metal-2");
  await story.modal(ana, "New root password");
  await ana.fill({ "New root password": "short" });
  expect(await ana.submit()).toMatchObject({ errors: { password: expect.stringContaining("8") } });
  await ana.fill({ "New root password": "long enough now" });
  await ana.submit();
  await ana.press(await story.sees(ana, "asks to"), goAhead);
  const accepted = await story.comesToSee(ana, "does not show whether it rebuilds the server");
  expect(said(accepted)).not.toContain(":white_check_mark:");
});

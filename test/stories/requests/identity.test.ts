import { expect, test } from "vitest";
import * as z from "zod";
import { operations } from "../../../src/operations/index.ts";
import { commandIn, commands } from "../../examples.ts";
import { carryPrepared } from "../carrying.ts";
import { post } from "../posting.ts";
import { askToReinstall } from "../reinstalling.ts";
import { backOut, goAhead, peer, type Story, said, startStory, writes } from "../story.ts";

// A name alone does not tell two machines apart: each decision names project, address, host name and location.

const Made = z.object({ data: z.object({ id: z.string() }) });

/** A platform that has the addresses of dedicated servers at their own route alone, as the spec does. */
function withoutRowAddresses({ platform }: Story): void {
  platform.settings.shapes.dedicatedAddress = "apart";
}

test("each act on a machine names its project and address in the request", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer, rules: ["demand=one-approval"] });
  withoutRowAddresses(story);
  const machines = ["vps", "dedicated", "service", "game"];
  const lines = commands.filter((typed) => {
    const found = operations.find(({ command }) => command === commandIn(typed));
    const isPlain = !typed.includes("upgrade cancel") && !typed.includes("web-1 web-2");
    return found?.api === "customer" && machines.includes(found.target?.noun ?? "") && isPlain;
  });
  expect(lines.length).toBeGreaterThan(25);
  for (const typed of lines) {
    const card = await carryPrepared(story, typed, goAhead);
    const text = said(card);
    if (/ (?:arena|plugin)/.test(typed)) expect.soft(text, typed).toMatch(/address/);
    else expect.soft(text, typed).toMatch(/project `[^`]+` · address `[\d.]+`/);
    await story.ana.press(card, backOut);
    story.clock.skip(5_000);
  }
});

test("a request whose machine's address cannot be read says so, and can be decided", async () => {
  const story = await startStory({ linked: ["ana"], rules: ["demand=confirm risk=change"] });
  withoutRowAddresses(story);
  const { ana, platform } = story;
  const body = { success: false, error: "Insufficient permissions", code: "FORBIDDEN" };
  platform.faults.next({ how: { status: 403, body }, method: "GET", path: "/dedicated/{id}/ips" });
  const request = await story.ask(ana, "/dedicated restart metal-1", "Restart `metal-1`", "address could not be read");
  await story.pressing(ana, request, goAhead, "Restarting");
});

test.each([
  ["/vps cancel web-2", "/vps show web-2", startStory],
  ['/dedicated reinstall metal-1 image="Debian 13"', "/dedicated show metal-1", startStory],
  ["/service cancel web-2", "/service show web-2", startStory],
  ["/vps cancel web-1 web-2", "/vps show web-1", startStory],
] as const)("%s names the location by the name that its card has, not by its code", async (typed, shows, start) => {
  const story = await start({ linked: ["ana"] });
  const card = await story.ask(story.ana, shows, "is");
  const [, place = "?"] =
    /Location\**\n(\S+)/.exec(`${said(card)}\n${await story.details(story.ana, card, "Location")}`) ?? [];
  expect(place).toMatch(/^(Madrid|Frankfurt)$/);
  const request = await story.ask(story.ana, typed, "asks to");
  expect(said(request)).toContain(place);
  expect(said(request)).not.toMatch(/es-mad|de-fra/);
});

test("a location whose name cannot be read is shown by its code, and the request can be decided", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.next({ how: "500", method: "GET", path: "/locations", times: 5 });
  const request = await story.ask(ana, "/vps cancel web-2", "asks to", /location (es-mad|de-fra)/);
  await story.pressing(ana, request, goAhead, "You can withdraw the cancellation until then");
});

test("the list of schedules names each machine's project and address", async () => {
  const story = await startStory({ linked: ["ana"], rules: ["demand=confirm risk=change"] });
  const request = await story.ask(story.ana, "/vps reboot web-1 in=2h", "Reboot `web-1`");
  await story.pressing(story.ana, request, goAhead, "is scheduled");
  await story.ask(story.ana, "/rackbell schedules", "Reboot `web-1`", /project `[^`]+` · address `192\.0\.2\.\d+`/);
});

test("the list of schedules names project, address and location of a machine whose act nobody had to decide", async () => {
  const story = await startStory({ linked: ["ana"] });
  withoutRowAddresses(story);
  const { ana } = story;
  await story.ask(ana, "/vps snapshot web-2 name=x in=5m", "It is scheduled for");
  const question = await story.ask(ana, "/dedicated restart metal-1 in=2h", "Schedule the restart of `metal-1`");
  await story.pressing(ana, question, { index: 0 }, "It is scheduled for");
  const list = said(await story.ask(ana, "/rackbell schedules", "`web-2`", "`metal-1`"));
  expect(list.match(/project `[^`]+` · address `[\d.]+` .*location (Madrid|Frankfurt)/g)).toHaveLength(2);
  expect(list).not.toMatch(/es-mad|de-fra/);
});

test("the question before an interruption names the machine's project and address", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/vps reboot web-1", "Reboot `web-1`?", /project `[^`]+` · address `192\.0\.2\.\d+`/);
});

test("a reinstall of a machine that got another address is void, and a reboot is not", async () => {
  const story = await startStory({ linked: ["ana"], rules: ["demand=confirm risk=change"] });
  const { ana, platform } = story;
  const reboot = await story.ask(ana, "/vps reboot web-2", "Reboot");
  const request = await askToReinstall(story, "web-2");
  const address = { address: "198.51.100.7", version: 4, prefix_length: 24, gateway: null, subnet_cidr: null } as const;
  platform.change("web-2", { ip_addresses: [{ ...address, purpose: "primary" }] });
  await story.pressing(ana, request, goAhead, "Its address was", "198.51.100.7");
  expect(writes(story)).toEqual([]);
  await story.pressing(ana, reboot, goAhead, "Rebooting");
});

test("the list of several machines has their addresses", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/vps cancel web-1 web-2", "Cancel", "Address", "192.0.2.2");
});

test("the card of a server has its address, project and price without a press", async () => {
  const story = await startStory({ linked: ["ana"] });
  withoutRowAddresses(story);
  for (const typed of ["/vps show web-1", "/dedicated show metal-1"])
    await story.ask(story.ana, typed, /Address/, /192\.0\.2\.|198\.51\.100\.|203\.0\.113\./, "Project", "EUR");
  await story.ask(story.ana, "/service show web-1", "Project", "Address", "Price");
});

test("two images of one name in two projects are two different requests, on the card and in the dialog", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const image = { name: "base-2026", sourceUrl: "https://images.example.com/a.qcow2", sha256: "a".repeat(64) };
  const ids = await Promise.all(
    ["default", "production"].map(async (slug) => {
      const made = await post(story, "/custom-images", { ...image, projectId: platform.projectId(slug) });
      return Made.parse(await made.json()).data.id;
    }),
  );
  const shown = new Set<string>();
  for (const id of ids) {
    const card = await story.ask(
      ana,
      `/image delete ${id}`,
      "asks to",
      "from images.example.com · made <!date",
      id.slice(0, 8),
    );
    const { confirm } = await ana.press(card, goAhead, { confirm: false });
    expect(confirm?.text).toContain(`Id: ${id.slice(0, 8)}.`);
    shown.add(said(card));
  }
  expect(shown.size).toBe(2);
});

test.each(["vps", "service"])("a %s without an address is known by the beginning of its id", async (noun) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const { id } = platform.findVps("web-2");
  platform.change(id, { ip_addresses: [] });
  await story.ask(ana, `/${noun} cancel web-2`, "asks to", `id \`${id.slice(0, 8)}\``);
  await story.ask(ana, `/vps cancel web-1 ${id}`, "asks to", id.slice(0, 8));
  expect(said(await story.ask(ana, `/${noun} cancel web-1`, "asks to"))).not.toMatch(/ id `/);
});

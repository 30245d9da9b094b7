import { expect, test } from "vitest";
import { resellerWrites, startResellerStory } from "../reseller/selling.ts";
import { decision, goAhead, peer, said, startStory } from "../story.ts";
import { pathsOf, typeNumber, writtenPaths } from "./machines.ts";

const _wild = "<!channel> *bold* & _slanted_";

test("1,000 machines cost six calls to ask, fit every message, and are begun only once their number is typed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack } = story;
  platform.addVps(1_000, "fleet");
  platform.clearCalls();
  const request = await story.ask(
    ana,
    "/vps reboot text=fleet",
    "For each of 1,000 VPSes",
    "fleet-00001",
    "All 1,000 as a file",
  );
  // The seeded machines are on one page more. One call reads the names of the locations.
  const total = Math.ceil(platform.calls().length);
  expect(total).toBeLessThanOrEqual(7);
  expect(writtenPaths(story)).toEqual([]);
  await story.pressing(ana, request, "All 1,000 as a file", "The file is in your direct messages");
  const file = slack.state().files.at(-1);
  expect(
    Buffer.from(file?.content ?? "")
      .toString()
      .split("\r\n")
      .filter((line) => line.includes("fleet-")),
  ).toHaveLength(1_000);
  const wrong = await typeNumber(story, ana, request, "Reboot 1,000 VPSes…", "100");
  expect(JSON.stringify(wrong)).toContain("Type the number 1000");
  expect(writtenPaths(story)).toEqual([]);
  await ana.closeModal();
  await typeNumber(story, ana, request, "Reboot 1,000 VPSes…", "1,000");
  await expect.poll(() => writtenPaths(story).length).toBeGreaterThan(4);
  const running = await story.comesToSee(ana, "of 1000 done");
  await ana.press(running, "request:stop");
  await story.comesToSee(ana, "stopped it", "were not begun");
});

test("a request for all that there are wants their number typed, and one for a few names their sum and is one line of the approvals", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const all = await story.ask(ana, "/dedicated restart all=yes", "For each of 5 dedicated servers");
  const pressed = await ana.press(all, "Restart 5 dedicated servers…", { confirm: false });
  expect(pressed.confirm).toBeUndefined();
  await story.modal(ana, "Type 5 to restart 5 dedicated servers");
  await ana.closeModal();
  // A plugin's service may have no preview of its upgrades, and nothing else names its price.
  const how = { status: 400, body: { success: false, code: "BAD_REQUEST", error: "It cannot be upgraded" } };
  platform.faults.next({ how, method: "GET", path: `/services/${platform.find("mailboxes").id}/upgrades` });
  const several = "/service renew web-1 web-2 mailboxes";
  const request = said(await story.ask(ana, several, "the platform does not name the price of 1"));
  for (const words of ["20.00 EUR", "not named", "Your balance"]) expect(request).toContain(words);
  await story.ask(ana, "/vps reboot web-1 web-2 db-1", "For each of 3 VPSes");
  const waiting = await story.ask(ana, "/rackbell approvals", "*Reboot 3 VPSes* · asked by");
  expect(said(waiting).split("Reboot 3 VPSes")).toHaveLength(3);
  expect(writtenPaths(story)).toEqual([]);
});

test("a renewal of several names the price and the date of each as its own renewal does, whatever its kind, and leaves out one whose price rose", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const names = ["web-1", "metal-1", "metal-2", "arena-1", "mailboxes"];
  const own: string[][] = [];
  for (const name of names) {
    const card = said(await story.ask(ana, `/service renew ${name}`, `the next renewal of \`${name}\``));
    own.push([
      /(\d+\.\d\d EUR), and tax/.exec(card)?.[1] ?? "no price",
      /<!date[^|]*\|([^>]*)/.exec(card)?.[1] ?? "no date",
    ]);
  }
  const request = await story.ask(ana, `/service renew ${names.join(" ")}`, "For each of 5 services");
  for (const fact of own.flat()) expect(said(request)).toContain(fact);
  for (const words of ["not named", "does not name"]) expect(said(request)).not.toContain(words);
  const { billing } = platform.find("metal-2");
  platform.change("metal-2", { billing: { ...billing, amount: "890.0000" } });
  await story.pressing(ana, request, goAhead, "4 of 5 were done and 1 left out", "Its price changed");
  const renewed = names.filter((name) => name !== "metal-2").map((name) => `/services/${platform.find(name).id}/renew`);
  await expect.poll(() => writtenPaths(story).toSorted()).toEqual(renewed.toSorted());
});

test("each target of a request for several is named wherever somebody can approve it, and *Details* has its project and address", async () => {
  const story = await startStory({ linked: ["ana", "caro"], environment: peer });
  const { ana, caro, clock, platform } = story;
  const names = ["worker-1", "worker-3"];
  await ana.type(`/vps cancel ${names.join(" ")} db-2`);
  const card = await story.sees(caro, "Cancel 2 VPSes", ...names);
  for (const actor of [caro, ana]) {
    const row = await story.ask(actor, "/rackbell approvals", "*Cancel 2 VPSes*", ...names);
    if (actor === caro) {
      expect((await decision(caro, row)).asks).toMatch(/worker-1 and worker-3/);
      await caro.press(row, "request:deny");
      await story.modal(caro, "Deny the request", ...names);
      await caro.closeModal();
    }
    await actor.press(row, "request:details");
    await story.modal(
      actor,
      ...names,
      ...names.map((name) => platform.findVps(name).ip_addresses[0]?.address ?? "an address"),
      "Project: `Staging`",
    );
    await actor.closeModal();
  }
  await caro.openHome();
  expect(JSON.stringify(await story.slack.until(() => caro.home(), "the home"))).toMatch(/worker-1` and `worker-3/);
  await story.ask(ana, `/vps cancel ${names.join(" ")}`, "nothing new was requested", ...names);
  clock.skip(25 * 60_000);
  await story.sees(caro, "still awaits a decision", ...names);
  await story.pressing(caro, card, goAhead, "approved by");
});

test("each of twenty targets is named in the row of a request, in its details, and where their number is typed", async () => {
  const story = await startStory({ linked: ["ana", "caro"], environment: peer });
  const { ana, caro, platform } = story;
  platform.addVps(20, "fleet");
  await story.ask(ana, "/vps cancel text=fleet", "Cancel 20 VPSes");
  const names = Array.from({ length: 20 }, (_, at) => `fleet-${String(at + 1).padStart(5, "0")}`);
  const row = await story.ask(caro, "/rackbell approvals", "*Cancel 20 VPSes*", ...names);
  await caro.press(row, "request:details");
  await story.modal(caro, ...names);
  await caro.closeModal();
  await caro.press(row, "Approve…");
  await story.modal(caro, "How many?", ...names);
  await caro.closeModal();
  // In the value of a button each of these characters takes two.
  platform.addVps(20, "spare");
  for (const [at, name] of names.entries())
    platform.change(name.replace("fleet", "spare"), { name: `${'"\\'.repeat(25)}${at}` });
  await ana.type("/vps cancel text=spare");
  await caro.press(await story.sees(caro, "Cancel 20 VPSes", `${'"\\'.repeat(25)}19`), "Approve…");
  await story.modal(
    caro,
    "How many?",
    "its disk will be lost",
    "snapshots, add-ons and addresses will be lost",
    "See Details for the rest",
  );
});

test("the last question of a schedule for many machines names the act and its time, and typing their number schedules it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock, platform } = story;
  platform.addVps(14, "fleet");
  const request = await story.ask(ana, "/vps stop text=fleet in=3h", "For each of 14 VPSes");
  const at = Math.floor((clock.now() + 3 * 3_600_000) / 60_000);
  const label = /Schedule for [^"]*…/.exec(JSON.stringify(request.blocks))?.[0] ?? "";
  await ana.press(request, label);
  await story.modal(ana, "Type 14 to schedule it");
  const form = JSON.stringify(ana.modal());
  const seconds = Number(/\*Stop 14 VPSes <!date\^(\d+)\^[^>]*>\?\*/.exec(form)?.[1]);
  expect(Math.abs(seconds / 60 - at)).toBeLessThan(10);
  await ana.fill({ "Type 14 to schedule it": "14" });
  await ana.submit();
  await story.comesToSee(ana, "It is scheduled for");
  expect(writtenPaths(story)).toEqual([]);
});

test("one request cancels at most 100 machines", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(101, "fleet");
  await story.ask(ana, "/vps cancel text=fleet", "takes at most 100 VPSes, and these are 101", "Nothing was requested");
  expect(writtenPaths(story)).toEqual([]);
});

test("one request renews at most 100 services, and no price is read for more", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(101, "fleet");
  platform.clearCalls();
  await story.ask(ana, "/service renew text=fleet", "takes at most 100 services, and these are 101", "Nothing was");
  expect(platform.calls().filter(({ path }) => /^\/vps\/|\/upgrades$/.test(path))).toEqual([]);
});

test("a bulk cancellation shows the channel the loss of each machine, cancels one after the other, and each machine has an audit entry", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, platform } = story;
  const request = await story.ask(
    ana,
    "/vps cancel web-1 web-2",
    "asks to *Cancel 2 VPSes*",
    "For each of 2 VPSes: it ends",
  );
  for (const fact of ["Paid until", "Disk", "Addresses", "192.0.2.2"]) expect(said(request)).toContain(fact);
  await story.pressing(ana, request, goAhead, "so a teammate has to approve it");
  const [first, second] = [platform.findVps("web-1").id, platform.findVps("web-2").id];
  const late = { how: "late", applied: false, lateMs: 5_000 } as const;
  platform.faults.next({ ...late, method: "DELETE", path: `/vps/${first}` });
  await ben.press(request, goAhead);
  await story.passes(() => platform.findVps("web-2").cancellation !== null, "the second one to be cancelled");
  expect(platform.findVps("web-1").cancellation).not.toBeNull();
  expect(writtenPaths(story)).toEqual([`/vps/${first}`, `/vps/${second}`]);
  await story.comesToSee(ben, "All 2 are done");
  const record = await story.ask(ana, "/rackbell audit", "Audit entries", "`web-1`", "`web-2`");
  expect(said(record)).toContain(`<@${ben.user.id}>`);
});

test("one that is named twice is meant once, and a word that fits two asks which", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/vps reboot web-1 WEB-1", "Reboot `web-1`?");
  const picker = await story.ask(ana, "/vps reboot web-1 twin", "`twin` means more than one VPS");
  const picked = await story.pressing(ana, picker, { index: 0 }, "For each of 2 VPSes");
  await ana.press(picked, goAhead);
  await story.comesToSee(ana, "All 2 are done");
  const ids = [platform.findVps("web-1").id, platform.findVps("twin", 0).id];
  expect(writtenPaths(story).toSorted()).toEqual(ids.map((id) => `/vps/${id}/reboot`).toSorted());
});

test("a bulk command that names nothing, too much or the wrong value is answered in a sentence, and nothing is done", async () => {
  const story = await startStory({ linked: ["ana"] });
  for (const [typed, words] of [
    ["/vps reboot web-1 nowhere", "You have no VPS called “nowhere”"],
    ["/vps reboot web-1 status=running", "Name what you mean, or narrow it with status="],
    ["/vps reboot status=dancing", "there is no “dancing”"],
    ["/vps reboot text=nowhere-at-all", "No VPS of yours fits that"],
    ["/vps reboot all=maybe", "Write all=yes"],
    ["/vps reboot web-1 web-2 stop-after=none", "stop-after= takes the number"],
    ["/vps snapshot status=running", "Name of the snapshot: this is needed"],
    ["/service stop project=staging", "does not name their projects"],
  ] as const) {
    await story.ask(story.ana, typed, words);
    expect(writtenPaths(story), typed).toEqual([]);
  }
});

test("the strictest rule that holds for one of them holds for all", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ana, '/rackbell policy add demand=one-approval command="vps reboot" project=Staging', "rule");
  const request = await story.ask(ana, "/vps reboot web-1 cache-2", "asks to *Reboot 2 VPSes*", "Somebody other than");
  await ben.press(request, goAhead);
  await story.comesToSee(ben, "All 2 are done");
  expect(writtenPaths(story).toSorted()).toEqual(pathsOf(story, "reboot", "web-1", "cache-2").toSorted());
});

test("resold services are suspended by the list's filters as well, and the request says that they are still billed", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const request = await story.ask(ana, "/reseller service suspend status=active", "still billed to you");
  expect(said(request)).toMatch(/For each of \d+ resold services/);
  expect(said(request)).not.toMatch(/^terminated$/m);
  expect(resellerWrites(story)).toEqual([]);
});

import { expect, test } from "vitest";
import { newPublicKey } from "../public-keys.ts";
import { fileStore, type Message, said, startStory } from "../story.ts";
import { columnOf, tablesOf } from "../tables.ts";

test("a list of 1,000 rows is read whole by buttons, a hundred rows a page, every row once, or searched by typing", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(1_000 - 49, "estate");
  const list: Message = await story.ask(ana, "/vps list", "1,000 VPSes", "page 1 of 10");
  // A machine of another page is found by the search under the table.
  const found = await ana.suggest(list, "Open a VPS…", "estate-00899");
  expect(found.map(({ text }) => text)).toContain("estate-00899");
  await ana.choose(list, "Open a VPS…", "estate-00899");
  await story.sees(ana, "`estate-00899`* is");
  let page = list;
  const names = columnOf(page, "Address");
  // A list that is longer than a message comes in pages.
  while (JSON.stringify(page).includes('"Next"')) {
    page = await story.pressing(ana, page, "Next", /page \d+ of 10/);
    names.push(...columnOf(page, "Address"));
  }
  expect(names).toHaveLength(1_000);
  expect(new Set(names.filter((name) => name !== "–")).size).toBe(names.filter((name) => name !== "–").length);
}, 60_000);

test("a list is narrowed with the menus above it, in the same message, by its reader alone, and the filter taken away again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const list = await story.ask(ana, "/vps list", "VPSes");
  const shared = await story.pressing(ana, list, "Show to channel", "shows");
  expect(tablesOf(shared)).toHaveLength(1);
  await expect(ana.choose(shared, "Status", "stopped")).rejects.toThrow("sees nothing");
  await ana.choose(list, "Status", "stopped");
  const stopped = await story.sees(ana, "stopped VPSes");
  expect(stopped.ts).toBe(list.ts);
  await ana.choose(stopped, "Project…", "Production");
  const both = await story.sees(ana, /stopped VPS(es)?\*? in project/);
  await ana.choose(both, "Status", "All VPSes");
  const production = said(await story.sees(ana, /[0-9] VPSes\*? in project/));
  expect(production).toContain("`web-1`");
  expect(production).not.toContain("Staging");
});

test("an unknown status or page is refused with the possible ones, and the beginning of a status is enough", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps list status=foo", "there is no “foo”", "running", "not built");
  await story.ask(ana, "/vps list page=999", "there is only one");
  const stopped = await story.ask(ana, "/vps list status=stop", "stopped VPSes");
  expect(said(stopped)).toContain("worker-2");
  await story.ask(ana, "/vps list status=active text=web-1", "web-1");
  await story.ask(ana, "/vps list status=creating", "There are no creating VPSes");
});

test("a project is meant by its name, slug, id or the beginning of them; one that is not there is said to be so", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const project = platform.findVps("web-1").project_id;
  const amountOf = (list: Message) => /(\d+) VPSes/.exec(said(list))?.[1];
  const byName = amountOf(await story.ask(ana, "/vps list project=Production", "in project Production"));
  expect(Number(byName)).toBeGreaterThan(0);
  for (const typed of ["production", "prod", project])
    expect(amountOf(await story.ask(ana, `/vps list project=${typed}`, `in project ${typed}`))).toBe(byName);
  await story.ask(ana, "/vps list project=nowhere", "there is no “nowhere”", "Production");
});

test("a project is meant in the same ways by every command that takes one, and a beginning that two have is no guess", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const id = platform.findVps("web-1").project_id;
  platform.addVps(5, "mv");
  const ways = ["production", "prod", "PRODUCTION", id.slice(0, 8), id];
  for (const [at, typed] of ways.entries())
    await story.ask(
      ana,
      `/vps move mv-0000${at + 1} project=${typed}`,
      `\`mv-0000${at + 1}\` moved`,
      "to `Production`",
    );
  await story.ask(ana, `/sshkey add name=one project=prod public="${newPublicKey()}"`, "is stored");
  await story.ask(ana, "/project use stag", "You now work in the project `Staging`");
  await story.ask(ana, "/project use all", "all projects");
  await story.ask(ana, "/rackbell policy add demand=confirm command=vps project=prod", "in project Production");
  await story.ask(ana, "/rackbell policy add demand=confirm command=vps project=nowhere", "no project “nowhere”");
  await ana.type('/order new "VPS M" project=nowhere');
  await story.modal(ana, "There is no “nowhere” to choose", "Production");
});

test("orders are filtered by a status that there is, wholly or by its beginning, by the platform where it can", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const all = said(await story.ask(ana, "/order list", /\*\d+ orders\*/));
  const [, status = ""] = /`ORD-\d+`\n(\w+)/.exec(all) ?? [];
  platform.clearCalls();
  await story.ask(ana, `/order list status=${status}`, `${status} order`);
  expect(platform.calls().map(({ query }) => query.status)).toEqual([status]);
  await story.ask(ana, `/order list status=${status.slice(0, 3)}`, `${status} order`);
  await story.ask(ana, "/order list status=foo", "there is no “foo”", status);
  await story.ask(ana, "/order list page=999", "there is only one");
  platform.clearCalls();
  await story.ask(ana, "/service list status=suspended", "suspended services");
  expect(platform.calls().map(({ query }) => query.status)).toEqual(["suspended"]);
});

test("servers of one name are told apart by address, host name or id, wherever one is chosen", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { name: "web-1" });
  const services = said(await story.ask(ana, "/service list web-1", "2 services"));
  expect(services.match(/web-[12]\.example\.test/g)).toEqual(["web-1.example.test", "web-2.example.test"]);
  const servers = said(await story.ask(ana, "/vps list web-1", "2 VPSes"));
  expect(servers.match(/192\.0\.2\.\d+/g)).toHaveLength(2);
  platform.change("web-1", { hostname: "same.example.test" });
  platform.change("worker-1", { name: "web-1", hostname: "same.example.test" });
  const same = said(await story.ask(ana, "/service list same.example.test", "2 services"));
  expect(new Set(same.match(/id [0-9a-f]{8}/g)).size).toBe(2);
  const options = await ana.suggest(await story.ask(ana, "/service list", "services"), "Open a service…", "same");
  expect(new Set(options.map(({ description }) => description)).size).toBe(2);
});

test("all rows of a list come as a CSV file in the direct messages, and no name in it is a formula", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack } = story;
  platform.addVps(200, "estate");
  platform.change("web-1", { name: '=HYPERLINK("https://example.test","web-1")' });
  await story.ask(ana, "/vps list export=csv", "in your direct messages");
  const [file] = slack.state().files;
  const lines = Buffer.from(file?.content ?? "")
    .toString()
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n");
  expect(file?.name).toBe("vps.csv");
  expect(lines).toHaveLength(250);
  expect(lines[0]).toBe("Name,Project,State,Address,Location,Host name,Id");
  expect(lines.join("\n")).toContain(`"'=HYPERLINK(""https://example.test"",""web-1"")",Production,running`);
});

test("a workspace without tables reads the same rows as text, and Slack is not asked again for what it refused twice", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  const { ana, slack } = story;
  slack.withoutBlocks("data_table");
  const list = await story.ask(ana, "/vps list", "49 VPSes", "`web-1` · Production · running");
  expect(tablesOf(list)).toEqual([]);
  expect((said(list).match(/192\.0\.2\.\d+/g) ?? []).length).toBeGreaterThan(30);
  const warned = () => story.log.filter((line) => line.includes("refuses newer blocks")).length;
  expect(warned()).toBe(1);
  await story.ask(ana, "/vps list sort=name", "`web-1` · Production · running");
  expect(warned()).toBe(2);
  await story.restart();
  await story.ask(ana, "/vps list sort=state", "`web-1` · Production · running");
  expect(warned()).toBe(2);
  slack.withoutBlocks();
  story.clock.skip(8 * 24 * 60 * 60_000);
  await story.ask(ana, "/vps list sort=project", "VPSes");
  expect(tablesOf(ana.lastSeen())).toHaveLength(1);
});

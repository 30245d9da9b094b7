import { expect, test } from "vitest";
import { ServiceStatus } from "../../../src/platform/customer/states.ts";
import { said, startStory } from "../story.ts";

test("the list holds game servers only, and a card starts, restarts and stops with a warning", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const list = await story.ask(ana, "/game list", "4 game servers");
  expect(said(list)).not.toContain("web-1");
  const card = await story.ask(ana, "/game show arena-1", "is running");
  await story.details(ana, card, "Practice Craft");
  const { confirm } = await ana.press(card, "Stop", { confirm: true });
  expect(confirm?.text).toContain("Players are disconnected");
  const state = (word: string) => story.comesToSee(ana, `\`arena-1\` is ${word}`);
  await ana.press(await state("stopped"), "Start");
  await state("running");
  await story.ask(ana, "/game restart arena-1 force=yes", "Restarting");
  const question = await story.pressing(ana, card, "Kill", "unsaved data is lost");
  await ana.press(question, "Kill arena-1");
  await story.sees(ana, "Killing");
  const acts = platform.calls().filter(({ method }) => method === "POST");
  expect(acts.map(({ path }) => path.split("/").at(-1))).toEqual(["stop", "start", "restart", "kill"]);
});

test("its pages are read once for it, for its names and for the services, however often it is asked", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(1_000, "estate");
  const reads = () => platform.calls().filter(({ path }) => path.endsWith("/services")).length;
  await story.ask(ana, "/game list", "4 game servers");
  const once = reads();
  expect(once).toBeGreaterThan(5);
  await story.ask(ana, "/game list sort=state", "4 game servers");
  await story.ask(ana, "/game stop arena-99", "no game server called");
  await story.ask(ana, "/service list text=arena-1", "arena-1");
  expect(reads()).toBe(once);
});

test("the power actions of a card fit every state of the service and of the server", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const { id } = platform.find("arena-1");
  for (const status of ServiceStatus.options) {
    for (const state of ["running", "stopped", "starting"] as const) {
      platform.change(id, { status, game: { state } });
      const card = said(await story.ask(ana, "/game show arena-1", "`arena-1`*")).split("\n");
      const offered = ["start", "stop", "restart", "kill"].filter((action) =>
        card.includes(`${action.charAt(0).toUpperCase()}${action.slice(1)}`),
      );
      const fitting = {
        running: ["stop", "restart", "kill"],
        stopped: ["start"],
        starting: ["start", "stop", "restart", "kill"],
      };
      expect([status, state, offered]).toEqual([status, state, status === "active" ? fitting[state] : []]);
    }
  }
});

test("the page of a game server is shown as it comes, and one with nothing behind it, a VPS and an unknown act are refused in words", async () => {
  const { ana, ask, details, platform } = await startStory({ linked: ["ana"] });
  for (const name of ["arena-1", "arena-2"])
    await details(ana, await ask(ana, `/game show ${name}`, `\`${name}\``), "20");
  await ask(ana, "/game stop web-1 force=yes", "no game server called");
  await ask(ana, `/game stop ${platform.find("web-1").id} force=yes`, "is a VPS, no game server");
  expect(platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
  await ask(ana, "/game start arena-stubbed", "Nothing runs behind this game server", "Nothing changed");
  await ask(ana, "/game show arena-unlinked", "No game server is set up", "id is right");
  await ask(ana, "/game kill arena-unlinked force=yes", "No game server is set up");
  const body = { success: false, code: "game.power_action_unknown", error: "unknown" };
  platform.faults.next({ how: { status: 400, body }, method: "POST" });
  await ask(ana, "/game kill arena-1 force=yes", "does not know this power action");
});

test("with the module off both reads and power say who switched it off", async () => {
  const story = await startStory({ linked: ["ana"] });
  story.platform.settings.modules.game = false;
  await story.ask(story.ana, "/game show arena-1", "operator has switched game servers off");
  await story.ask(
    story.ana,
    "/game stop arena-1 force=yes",
    "operator has switched game servers off",
    "Nothing changed",
  );
});

test("a game module that stops answering ends the tracking with its own words", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/game start arena-2", "Starting");
  platform.settings.modules.game = false;
  await story.comesToSee(ana, "The game module is off");
});

test("an act with no clear answer is not reported as done, nor done twice", async () => {
  const story = await startStory({ linked: ["ana"] });
  story.platform.faults.next({ how: "reset", method: "POST", applied: true });
  await story.ask(story.ana, "/game restart arena-1 force=yes", /outcome is unknown/);
  expect(story.platform.calls().filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("a password among a game server's fields is behind Reveal, on the shared card, too", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, platform } = story;
  const password = "Summer-rcon-4711";
  const settings = [
    { name: "RCON_PASSWORD", value: password },
    { name: "MOTD", value: "Hello" },
  ];
  const answer = { how: { status: 200, body: { success: true, data: { settings } } }, path: "/services/{id}/game" };
  platform.faults.next({ ...answer, method: "GET" });
  const card = await story.ask(ana, "/game show arena-1", "`arena-1`*", "Reveal");
  platform.faults.next({ ...answer, method: "GET" });
  await story.details(ana, card, "Secret, and so not shown", "RCON_PASSWORD", "Hello");
  platform.faults.next({ ...answer, method: "GET" });
  await ana.press(card, "Show to channel");
  await story.sees(ben, "shows", "`arena-1`*");
  platform.faults.next({ ...answer, method: "GET" });
  await story.pressing(ana, card, "Reveal", "in your direct messages");
  await ana.press(await story.seesIn("dm", ana, "only you can open it"), "Reveal");
  // The story looks at its end that what this shows stands nowhere else.
  await story.modal(ana, password);
});

test.each([["missing"], ["unknown"], ["of-tomorrow"]])(
  "a game server whose type is %s is neither denied nor stopped",
  async (type) => {
    const { ana, ask, platform } = await startStory({ linked: ["ana"] });
    const { id } = platform.find("arena-1");
    const row = { id, name: "arena-1", status: "active", ...(type === "missing" ? {} : { serviceType: type }) };
    const page = { services: [row], pagination: { page: 1, limit: 200, total: 1, pages: 1 } };
    const answers = { "/services": page, "/services/{id}": { service: row } };
    for (const [path, data] of Object.entries(answers))
      platform.faults.next({ how: { status: 200, body: { success: true, data } }, method: "GET", path, times: 99 });
    await ask(ana, "/game list", "finds no game servers", "One row does not say enough to tell");
    await ask(
      ana,
      "/game stop arena-1",
      "finds no game server called",
      "One row cannot be read, or shows no name or type",
    );
    await ask(ana, `/game stop ${id} force=yes`, "does not say of which kind `arena-1` is, so nothing changed");
    await ask(ana, "/service list", "service of unnamed kind");
    expect(platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
  },
);

import { expect, test } from "vitest";
import { goAhead, type Story, said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

/** Writes to the game module, as the path after `/game/`. */
function gameWrites(story: Story): string[] {
  return resellerWrites(story)
    .filter(({ path }) => path.includes("/game/"))
    .map(({ method, path }) => `${method} ${path.split("/game/")[1]}`);
}

const readings = [
  ["show", "arena-1"],
  ["addons", "Extra slots"],
  ["sftp", "sftp.practice.example"],
  ["backups", "before-the-patch"],
  ["schedules", "Nightly restart"],
  ["calendar", "Nightly restart"],
  ["mods", "Fair Weather"],
  ["mod sources", "practice-mods"],
] as const;

test.each([0, 1])("a resold game server is read in all its parts, however they are laid out (%s)", async (shape) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.settings.shapes.payload = shape;
  for (const [verb, shown] of readings) await story.ask(ana, `/reseller game ${verb} BOR-003`, shown);
  await story.ask(ana, "/reseller game mod search BOR-003 text=deep", "Deep Caves");
  await story.ask(ana, "/reseller game mod versions BOR-003 project=deep-caves", "2.9.1");
  await story.ask(ana, "/reseller game mod show BOR-003 project=deep-caves", "practice-mods");
  await story.ask(ana, "/reseller game files BOR-003", "server.properties");
  await story.ask(ana, "/reseller game files BOR-003 path=/config", "game.yml");
  await story.ask(ana, "/reseller game file read BOR-003 path=/server.properties", "motd=Welcome");
});

test("the content of a game server's file mentions nobody, and has no button that shares it", async () => {
  const story = await startResellerStory();
  story.platform.settings.shapes.payload = 0;
  for (const verb of ["read", "contents"]) {
    const shown = await story.ask(story.ana, `/reseller game file ${verb} BOR-003 path=/config/game.yml`, "difficulty");
    expect(JSON.stringify(shown)).not.toContain("<!channel>");
    expect(said(shown)).not.toContain("Show to channel");
  }
});

test("passwords among the variables and of SFTP are named, and not shown", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.settings.shapes.payload = 1;
  await story.ask(ana, "/reseller game sftp BOR-003", "Secret, and so not shown", "password");
  platform.settings.shapes.payload = 0;
  await story
    .ask(ana, "/reseller game show BOR-003", "Reveal")
    .then((card) => story.details(ana, card, "Secret, and so not shown", "RCON_PASSWORD"));
});

test.each([0, 1])(
  "a password among the variables is behind Reveal, and is not shown to the channel (%s)",
  async (shape) => {
    const story = await startResellerStory();
    const { ana, ben, platform } = story;
    platform.settings.shapes.payload = shape;
    const card = await story.ask(ana, "/reseller game show BOR-003", "Reveal");
    await story.details(ana, card, "Secret, and so not shown", "RCON_PASSWORD", "Practice Craft");
    await ana.press(card, "Show to channel");
    await story.sees(ben, "shows", "arena-1.example.test");
    await story.pressing(ana, card, "Reveal", "in your direct messages");
    const offer = await story.seesIn("dm", ana, "only you can open it");
    // All that this shows stands nowhere else: each story looks for it at its end.
    await ana.press(offer, "Reveal");
    await story.modal(ana, "RCON_PASSWORD");
  },
);

test("a stop of a game server warns that players are disconnected; start, restart and kill work as well", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const card = await story.ask(ana, "/reseller game show BOR-003", "is running");
  const { confirm } = await ana.press(card, "Stop", { confirm: true });
  expect(confirm?.title).toBe("Stop arena-1.example.test?");
  expect(confirm?.text).toContain("players are disconnected");
  const state = (word: string) => story.comesToSee(ana, `is ${word}.`);
  await ana.press(await state("stopped"), "Start");
  await state("running");
  await story.ask(ana, "/reseller game restart BOR-003 force=yes", "Restarting");
  await story.ask(ana, "/reseller game kill BOR-003 force=yes", "Killing");
  expect(gameWrites(story)).toEqual(["POST power/stop", "POST power/start", "POST power/restart", "POST power/kill"]);
});

async function setVariables({ ana, modal }: Story, variables: string): Promise<void> {
  await ana.type("/reseller game vars BOR-003");
  await modal(ana, "Variables");
  await ana.fill({ Variables: variables });
  await ana.submit();
}

test("variables are asked for in a form, since passwords are among them, and stand nowhere", async () => {
  const story = await startResellerStory();
  story.secrets.add("very-hidden-1");
  await setVariables(story, '{"RCON_PASSWORD": "very-hidden-1", "MOTD": "Hello"}');
  const question = await story.sees(story.ana, "The old password or key ends.");
  await story.pressing(story.ana, question, goAhead, "accepted `RCON_PASSWORD` and `MOTD`");
});

test("a variable is set to the text between its quotes, and a number is accepted beside it", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await setVariables(story, "MOTD=“Hi there” MAX_PLAYERS=42");
  await story.sees(ana, "accepted `MOTD` and `MAX_PLAYERS`");
  const card = await story.ask(ana, "/reseller game show BOR-003", "is running");
  const shown = await story.details(ana, card, "MOTD", "Hi there", "42");
  expect(shown).not.toContain("“Hi");
});

test("the websocket address of a console session is revealed in the requester's direct messages, and not posted", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const done = await story.ask(ana, "/reseller game console BOR-003", "Slack cannot open its websocket");
  expect(JSON.stringify(done)).not.toContain("wss://");
  const offered = await story.seesIn("dm", ana, "only you can open it");
  await ana.press(offered, "Reveal");
  await story.modal(ana, "wss://games.practice.example/ws/", "?token=");
});

test.each([0, 1])(
  "a new SFTP password is revealed to its requester, after a warning that the old one ends (%s)",
  async (shape) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    platform.settings.shapes.payload = shape;
    const question = await story.ask(
      ana,
      "/reseller game sftp rotate BOR-003",
      "The old SFTP password ends",
      "Your customer needs it",
    );
    expect(gameWrites(story)).toEqual([]);
    await story.pressing(ana, question, goAhead, "has a new SFTP password");
    const offered = await story.seesIn("dm", ana, "only you can open it");
    await ana.press(offered, "Reveal");
    await story.modal(ana, "password");
  },
);

const fileActs = [
  ["mkdir", "path=/plugins"],
  ["rename", '{"from":"/server.properties","to":"/server.old"}'],
  ["compress", "path=/config"],
  ["chmod", "path=/server.old mode=600"],
] as const;

test("an act on files that loses nothing runs at once with the member's values", async () => {
  const story = await startResellerStory();
  for (const [op, body] of fileActs)
    await story.ask(story.ana, `/reseller game file ${op} BOR-003 body='${body}'`, "On `arena-1.example.test`");
  expect(gameWrites(story)).toEqual(fileActs.map(([op]) => `POST files/${op}`));
});

const fileLosses = [
  ["write", '{"path":"/server.properties","content":"motd=New"}', "the old content will be lost", "motd=New"],
  ["delete", "path=/config", "all its contents if it is a folder", "path=/config"],
] as const;

test("an act on files that loses some is a request first, which shows the loss and the values", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  for (const [op, body, loss, shown] of fileLosses) {
    platform.clearCalls();
    const request = await story.ask(ana, `/reseller game file ${op} BOR-003 body='${body}'`, "asks to", loss, shown);
    expect(gameWrites(story)).toEqual([]);
    await story.pressing(ana, request, goAhead, "On `arena-1.example.test`");
    expect(gameWrites(story)).toEqual([`POST files/${op}`]);
  }
});

test("an archive is unpacked after a request that names the loss, and a file that is no archive is refused", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const packed = await story.ask(
    ana,
    "/reseller game file compress BOR-003 body=path=/config",
    "an archive of `/config` was made",
  );
  const [archive] = said(packed).match(/\/archive-\d+\.tar\.gz/) ?? [];
  const unpack = `/reseller game file decompress BOR-003 body=path=`;
  const request = await story.ask(ana, `${unpack}${archive}`, "asks to", "files of the same names will be overwritten");
  const { confirm } = await ana.press(request, goAhead, { confirm: false });
  expect(confirm?.text).toContain(archive);
  await story.pressing(ana, request, goAhead, "was unpacked");
  const none = await story.ask(ana, `${unpack}/server.properties`, "asks to");
  await story.pressing(ana, none, goAhead, "The file is no archive", "Nothing changed");
});

test("a download link is revealed in the requester's direct messages, and not posted in the channel", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const done = await story.ask(
    ana,
    "/reseller game file link BOR-003 body=path=/server.properties",
    "in the requester's direct messages with me",
  );
  expect(JSON.stringify(done)).not.toContain("practice.example/d/");
  await ana.press(await story.seesIn("dm", ana, "only you can open it"), "Reveal");
  await story.modal(ana, "https://games.practice.example/d/");
});

test("a form whose fields the platform's documents do not name says so, and leads to the panel's page first", async () => {
  const story = await startResellerStory({
    environment: { PANEL_SERVICE_URL: "https://panel.example.test/services/{id}" },
  });
  const { ana, platform } = story;
  const { id } = platform.find("arena-1");
  for (const command of ["mod install", "schedule create", "backup change"]) {
    await ana.type(`/reseller game ${command} BOR-003`);
    await story.modal(ana, "do not name the fields of this form", `https://panel.example.test/services/${id}`);
    await ana.closeModal({ all: true });
  }
});

test("without the panel's address such a form still says that the fields are not named", async () => {
  const story = await startResellerStory();
  await story.ana.type("/reseller game mod install BOR-003");
  await story.modal(story.ana, "do not name the fields of this form", "in the platform's panel first");
  expect(JSON.stringify(story.ana.modal())).not.toContain("Open in panel");
});

import { expect, test } from "vitest";
import { goAhead, type Story } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

const binary = Buffer.from([0, 255, 1, 254, 10]);

async function fillIn(story: Story, command: string, values: Parameters<Story["ana"]["fill"]>[0]): Promise<void> {
  await story.ana.type(command);
  await story.modal(story.ana, "File");
  await story.ana.fill(values);
  await story.ana.submit();
}

test("a file of a game server comes to its requester's messages byte for byte, and to no channel", async () => {
  const story = await startResellerStory();
  const { ana, slack } = story;
  await story.ask(ana, "/reseller game file download BOR-003 path=/world/level.dat", "in your direct messages");
  const [file] = slack.state().files;
  expect(file?.name).toBe("level.dat");
  expect(Buffer.from(file?.content ?? "")).toEqual(binary);
  await story.seesIn("dm", ana, "`/world/level.dat` on `arena-1.example.test`, 5 B");
  await story.ask(ana, "/reseller game file download BOR-003 path=/nope", "not on it");
});

test("a file from Slack is put on the server once it was asked, byte for byte", async () => {
  const story = await startResellerStory();
  const { ana, slack } = story;
  await fillIn(story, "/reseller game file upload BOR-003", {
    Folder: "/world",
    File: { name: "a.dat", content: binary },
  });
  const request = await story.sees(ana, "asks to", "`a.dat`", "overwritten", "5 B");
  expect(resellerWrites(story)).toEqual([]);
  await story.pressing(ana, request, goAhead, "is in `/world` on `arena-1.example.test`");
  await story.ask(ana, "/reseller game file download BOR-003 path=/world/a.dat", "in your direct messages");
  expect(slack.state().files.filter(({ content }) => Buffer.from(content).equals(binary))).toHaveLength(2);
});

test("a file of more than 4 MB is not taken, and nothing is asked of the platform", async () => {
  const story = await startResellerStory();
  const content = Buffer.alloc(4 * 1024 * 1024 + 1, "x");
  await fillIn(story, "/reseller game file upload BOR-003", { File: { name: "big.bin", content } });
  await story.sees(story.ana, "`big.bin` was not taken", "larger than 4 MiB");
  expect(resellerWrites(story)).toEqual([]);
});

test("a form without its file is not sent", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await ana.type("/reseller game file upload BOR-003");
  await story.modal(ana, "File");
  expect(await ana.submit()).toMatchObject({ errors: { file: expect.any(String) } });
  expect(resellerWrites(story)).toEqual([]);
});

test("a mod of one's own is installed from a file", async () => {
  const story = await startResellerStory();
  await fillIn(story, "/reseller game mod upload BOR-003", { File: { name: "own.jar", content: binary } });
  await story.sees(story.ana, "accepted `own.jar`", "upload");
  await story.ask(story.ana, "/reseller game mods BOR-003", "has 2 mods", "own.jar");
});

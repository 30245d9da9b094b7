import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { resellerWrites, startResellerStory } from "../reseller/selling.ts";
import { fileStore, goAhead, said, startStory } from "../story.ts";

const { bot, bot_optional: optional } = z
  .object({
    oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }) }),
  })
  .parse(JSON.parse(readFileSync("manifest.json", "utf8"))).oauth_config.scopes;

test("the manifest marks histories and files as optional, and lists them as Slack wants them, in both lists", () => {
  expect(optional).toEqual([
    "dnd:read",
    "channels:history",
    "groups:history",
    "im:history",
    "files:write",
    "files:read",
    "usergroups:read",
  ]);
  expect(bot).toEqual(expect.arrayContaining(optional));
});

test("without the optional scopes a member links, asks, confirms and finds the outcome, also after a restart", async () => {
  const story = await startStory({ without: optional, environment: { STORE_URL: fileStore() } });
  const { ana } = story;
  await story.link(ana);
  await story.ask(ana, "/vps list", "VPSes");
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.restart();
  await story.pressing(ana, request, goAhead, ":white_check_mark:");
  await story.ask(ana, "/rackbell audit", "Audit entries of yours");
  await story.askIn("dm", ana, "/vps show web-2", "web-2");
});

test("without files:write an export is not sent, and the member reads which scope it needs", async () => {
  const story = await startStory({ linked: ["ana"], without: ["files:write"], slackRefuses: ["missing_scope"] });
  await story.ask(story.ana, "/rackbell audit export=yes", "rackbell-audit.csv` could not be sent", "`files:write`");
  expect(story.slack.state().files).toEqual([]);
});

test("without files:read the form of an order has no field for a file, says why, and the order goes through", async () => {
  const story = await startStory({ linked: ["ana"], without: ["files:read"] });
  const { ana } = story;
  const page = (title: string) => story.slack.until(() => JSON.stringify(ana.modal() ?? "").includes(title), title);
  await ana.type("/order new VPS S");
  await page('"submit":{');
  await ana.fill({ Billed: "monthly", Location: "Madrid" });
  await story.modal(ana, "User data as a file", "I take no files here", "`files:read`");
  expect(JSON.stringify(ana.modal())).not.toContain("file_input");
  await ana.fill({ "User data": "#!/bin/sh\ntrue" });
  await ana.submit();
  await ana.press(await story.sees(ana, "A script of"), goAhead);
  await story.sees(ana, "Ordered 1 ×");
});

test("without files:read a command that needs a file says so, and opens no form", async () => {
  const story = await startResellerStory({ without: ["files:read"] });
  const { ana } = story;
  const answer = await story.ask(ana, "/reseller game file upload BOR-003", "needs a file", "`files:read`");
  expect(said(answer)).toContain("An admin can install me again");
  expect(ana.modal()).toBeUndefined();
  expect(resellerWrites(story)).toEqual([]);
});

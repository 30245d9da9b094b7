import { expect, test } from "vitest";
import { operations, registry } from "../../../src/operations/index.ts";
import { type Message, type Story, said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

const statuses = [
  ...["pending", "pending_payment", "installing", "active", "suspended"],
  ...["provisioning_failed", "cancelled", "terminated", "fraud"],
] as const;

function put(story: Story, status: (typeof statuses)[number]): void {
  const { platform } = story;
  const { id } = platform.find("arena-1");
  platform.reseller.withhold(id, status === "fraud");
  platform.change(id, { status: status === "fraud" ? "active" : status, game: { state: "running" } });
}

function commandsOn({ blocks }: Message): string[] {
  const found = [...JSON.stringify(blocks).matchAll(/\{\\"c\\":\\"([^\\]+)/g)];
  return [...new Set(found.map(([, command]) => command ?? ""))];
}

test("the card of a resold game server leads to its game commands in every state that has some", async () => {
  const story = await startResellerStory();
  for (const status of statuses) {
    put(story, status);
    const card = await story.ask(story.ana, "/reseller service show BOR-003", "arena-1.example.test`*");
    const shown = await story.ask(story.ana, "/reseller game show BOR-003", "arena-1.example.test`*");
    expect(commandsOn(shown).includes("reseller game stop")).toBe(status === "active" || status === "suspended");
    const leads = commandsOn(card).filter((command) => command.startsWith("reseller game"));
    const some = ["reseller game show", "reseller game files", "reseller game backups"];
    expect([status, leads]).toEqual([status, status === "active" || status === "suspended" ? some : []]);
    expect(said(card)).not.toMatch(/\bStop\b/);
  }
});

test("all that the card of a game server offers is accepted by the platform, in every state", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  for (const status of statuses) {
    put(story, status);
    const card = await story.ask(ana, "/reseller game show BOR-003", "arena-1.example.test`*");
    const commands = commandsOn(card).filter((command) => command.startsWith("reseller game"));
    for (const command of commands) {
      platform.clearCalls();
      const forced = / (stop|restart|kill)$/.test(command) ? " force=yes" : "";
      await story.ask(ana, `/${command} BOR-003${forced}`, /arena-1/);
      const refused = platform.calls().filter((call) => (call.status ?? 200) >= 400);
      expect([status, command, refused]).toEqual([status, command, []]);
    }
  }
});

/** A value for each input that a write of the game module needs. */
const inputs: Record<string, string> = {
  body: "body=name=x",
  backup: "backup=before-the-patch",
  schedule: "schedule=1",
  mod: 'mod="Fair Weather"',
};

/** The acts that the platform refuses for a suspended service. Reseller spec section 4.3. */
const refusedSuspended = ["start", "console", "backup create"].map((verb) => `reseller game ${verb}`);
const writes = operations.filter(({ command, risk }) => command.startsWith("reseller game ") && risk !== "read");

const forbidden = [
  ["terminated", "is terminated: it accepts no more", writes.map(({ command }) => command)],
  ["cancelled", "is cancelled: it accepts no more", writes.map(({ command }) => command)],
  ["suspended", "is suspended. Unsuspend it first", refusedSuspended],
] as const;

test("a game server refuses each command that its state forbids, and nothing is sent", async () => {
  const story = await startResellerStory();
  expect(writes.length).toBeGreaterThan(20);
  for (const [status, words, commands] of forbidden) {
    put(story, status);
    for (const command of commands) {
      // A form alone asks for the input of these.
      if (/upload$|vars$/.test(command)) continue;
      const needs = Object.keys(registry.find(command)?.input.shape ?? {});
      const values = needs.flatMap((name) => inputs[name] ?? []);
      const forced = / (stop|restart|kill|run|rotate)$/.test(command) ? ["force=yes"] : [];
      await story.ask(story.ana, [`/${command}`, "BOR-003", ...values, ...forced].join(" "), words);
    }
  }
  expect(resellerWrites(story)).toEqual([]);
});

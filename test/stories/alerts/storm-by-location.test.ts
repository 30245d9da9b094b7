import { expect, test } from "vitest";
import { passRound, read } from "../polled.ts";
import { type Message, type Story, said } from "../story.ts";

/** New machines in these locations, which polling has seen running. */
async function withMachines(story: Story, locations: readonly string[]): Promise<string[]> {
  story.platform.addVps(locations.length, "edge");
  const names = locations.map((_, at) => `edge-${String(at + 1).padStart(5, "0")}`);
  for (const [at, name] of names.entries())
    story.platform.change(name, { location: locations[at] ?? null, instance: { state: "running" } });
  await passRound(story, { minutes: 6 });
  return names;
}

/** Stops the machines behind the app's back, and waits for the message that counts them. */
async function stormOf(story: Story, names: readonly string[]): Promise<Message> {
  const { ben, platform } = story;
  for (const name of names) platform.change(name, { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  const words = `${names.length - 5} more alerts since`;
  return story.passes(() => ben.sees("#ops").find((one) => said(one).includes(words)), "the count");
}

test("the message about a storm says in which location its machines are, without a call of the platform for it", async () => {
  const story = await read();
  const names = await withMachines(
    story,
    Array.from({ length: 12 }, () => "de-fra"),
  );
  const counted = await stormOf(story, names);
  expect(said(counted)).toContain("7 machines in Frankfurt are down.");
  const single = story.platform.calls().filter(({ path }) => /^\/(vps|services|locations)\/?.+/.test(path));
  expect(single).toEqual([]);
});

test("a storm over several locations is counted by each of them, and a machine without one is put into none", async () => {
  const story = await read();
  const names = await withMachines(
    story,
    Array.from({ length: 25 }, (_, at) => (at === 0 ? "" : at % 2 ? "de-fra" : "es-mad")),
  );
  const text = said(await stormOf(story, names));
  const [, total, ...parts] =
    /(\d+) machines are down \((\d+) in \w+ and (\d+) in \w+(?: and 1 elsewhere)?/.exec(text) ?? [];
  const [first = 0, second = 0] = parts.map(Number);
  expect(Number(total) - first - second).toBeGreaterThanOrEqual(0);
  expect(Number(total) - first - second).toBeLessThanOrEqual(1);
  expect(text).toContain("in Frankfurt");
  expect(text).toContain("in Madrid");
});

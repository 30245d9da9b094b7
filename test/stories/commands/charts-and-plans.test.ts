import { expect, test } from "vitest";
import { billOf } from "../ordering.ts";
import { askToReinstall } from "../reinstalling.ts";
import { type Actor, goAhead, type Message, type Story, said, startStory } from "../story.ts";

/** Every part of an answer, by its buttons alone. */
async function readWhole(story: Story, actor: Actor, first: Message): Promise<Message[]> {
  const parts = [first];
  for (let part = first; JSON.stringify(part.blocks).includes('"Next"'); parts.push(part))
    part = await story.pressing(actor, part, "Next", `Part ${parts.length + 1} of`);
  return parts;
}

function typesIn(parts: Message[]): string[] {
  return parts.flatMap(({ blocks }) => blocks.map(({ type }) => type));
}

test("a stats answer of any shape is charts, read whole without a second command; a workspace without charts reads figures", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack } = story;
  for (const payload of [0, 1, 2]) {
    platform.settings.shapes.payload = payload;
    const parts = await readWhole(story, ana, await story.ask(ana, "/vps stats web-1", "Usage of"));
    const titles = parts.map(said).join("\n").toLowerCase();
    for (const word of ["cpu", "memory", "net"]) expect(titles, `shape ${payload}`).toContain(word);
    expect(typesIn(parts), `shape ${payload}`).toContain("data_visualization");
    expect(titles, `shape ${payload}`).not.toMatch(/›|\d{4}-\d{2}-\d{2}t/);
  }
  platform.settings.shapes.payload = 0;
  slack.withoutBlocks("data_visualization");
  const answer = await story.ask(ana, "/vps stats web-1", "Usage of");
  expect(typesIn([answer])).not.toContain("data_visualization");
  expect(said(answer)).toMatch(/CPU: `[▁▂▃▄▅▆▇█]{12}` last [\d.]+, from [\d.]+ to [\d.]+/);
});

test("an invoice of twelve lines shows each of them", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const bill = billOf(story, "Consulting");
  for (let at = 1; at < 12; at += 1) bill.lines.push({ description: `Line number ${at + 1}`, amount: 100 * at });
  const card = await story.ask(ana, `/billing show ${bill.number}`, "left to pay", "and 9 more");
  const text = await story.details(ana, card);
  for (const { description } of bill.lines) expect(text).toContain(description);
});

test("thirty snapshots are read whole, each once, with what restoring it destroys", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const web1 = platform.findVps("web-1");
  const [one] = web1.snapshots;
  if (!one) throw new Error("web-1 has no snapshot to copy");
  const made = Array.from({ length: 30 }, (_, at) => ({
    ...one,
    id: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
    name: `nightly-${String(at + 1).padStart(2, "0")}`,
    created_at: new Date(Date.parse(one.created_at) + at * 3_600_000).toISOString(),
  }));
  platform.change("web-1", { snapshots: made, snapshots_max: 30 });
  const parts = await readWhole(story, ana, await story.ask(ana, "/vps snapshots web-1", "30 of 30 snapshots"));
  const text = parts.map(said).join("\n");
  for (const { name } of made) expect(text.match(new RegExp(`${name}\`?( ·|\n)`, "g")) ?? []).toHaveLength(1);
});

async function reinstall(story: Story, name: string): Promise<void> {
  await story.ana.press(await askToReinstall(story, name), goAhead);
}

test("a reinstall is a plan that is ticked off, and a failed one says which step it failed at", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const tasksIn = (): [unknown, unknown][] => {
    const blocks = ana.sees().flatMap((message) => message.blocks);
    const plans = blocks.filter(({ type }) => type === "plan").map(({ tasks }) => (Array.isArray(tasks) ? tasks : []));
    return plans.at(-1)?.map(({ title, status }) => [title, status]) ?? [];
  };
  await reinstall(story, "web-2");
  const working = await story.passes(
    () => tasksIn().some(([, status]) => status === "in_progress") && tasksIn(),
    "a plan",
  );
  expect(working[0]).toEqual(["Requested", "complete"]);
  await story.passes(() => tasksIn().every(([, status]) => status === "complete"), "all steps to be done");
  platform.failJob("reinstall", platform.findVps("web-1").id);
  await reinstall(story, "web-1");
  await story.passes(() => tasksIn().some(([, status]) => status === "error"), "a step to fail");
  expect(tasksIn()[1]).toEqual(["Erase the disk and install", "error"]);
});

test("a workspace without plans reads the steps as lines", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  slack.withoutBlocks("plan");
  await reinstall(story, "web-2");
  await story.comesToSee(ana, ":hourglass_flowing_sand: Erase the disk and install");
});

test("the form of what destroys warns in an alert, or in words where the workspace has no alerts", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await ana.type("/vps reinstall web-2");
  await story.modal(ana, "Operating system");
  expect(ana.modal()?.blocks[0]).toMatchObject({ type: "alert", level: "warning" });
  expect(JSON.stringify(ana.modal()?.blocks[0])).toContain("Erase a VPS and install an operating system.");
  await ana.closeModal();
  slack.withoutBlocks("alert");
  await ana.type("/vps reinstall web-2");
  await story.modal(ana, "Operating system", ":warning: *Erase a VPS");
});

import { join } from "node:path";
import { link, openForm, suggest } from "./linking.ts";
import { milliseconds, plainRow, type Row } from "./report.ts";
import { inside, type Run } from "./sides.ts";
import { ask, createSlack, type Slack } from "./slack.ts";
import { startApp } from "./subjects.ts";
import { openWorld, type World } from "./the-world.ts";

/** Linked members, and machines that each of them sees. */
const sizes = [
  { members: 1, machines: 10 },
  { members: 10, machines: 100 },
  { members: 100, machines: 1_000 },
  { members: 1_000, machines: 10_000 },
];
const latencyMs = 50;

interface Cost {
  ms: number;
  calls: number;
}

/** What a list, a name, a typeahead and a press take, as members and machines grow a thousandfold. */
export async function many(run: Run): Promise<Row[]> {
  const found: { size: (typeof sizes)[number]; costs: Record<string, Cost> }[] = [];
  for (const size of sizes) found.push({ size, costs: await costsOf(run, size) });
  return Object.keys(found[0]?.costs ?? {}).flatMap((what) =>
    found.map(({ size: { members, machines }, costs }) => {
      const { ms, calls } = costs[what] ?? { ms: Number.NaN, calls: Number.NaN };
      const label = `${what}: ${members.toLocaleString("en")} linked, ${machines.toLocaleString("en")} machines`;
      return plainRow(label, ms, null, (figure) => `${milliseconds(figure)}, ${calls} platform calls`);
    }),
  );
}

async function costsOf({ folder, secrets }: Run, size: (typeof sizes)[number]): Promise<Record<string, Cost>> {
  const world = await openWorld({ bulk: size.machines, latencyMs });
  const app = await startApp(world, secrets, { folder: await inside(folder), cache: join(folder, "compiled") });
  const slack = createSlack(app.url, secrets.signingSecret, world);
  for (let number = 0; number < size.members; number += 1)
    await link(slack, world, memberAt(number), await world.key());
  const user = memberAt(size.members - 1);
  const asked = (command: string, text: string) => ask(slack, world, { command, text, user, channel: "C0MANY" });
  const name = `bulk-${String(size.machines).padStart(5, "0")}`;
  const costs = {
    "first list": await costOf(world, () => asked("/vps", "list")),
    "a list that filters": await costOf(world, () => asked("/vps", `list ${name.slice(0, -1)}`)),
    "a name": await costOf(world, () => asked("/vps", `show ${name}`)),
    "a verb on a name": await costOf(world, () => asked("/vps", `start ${name}`)),
    "a typeahead": await typeahead(slack, world, user, name),
    "what waits for whom": await costOf(world, () => asked("/rackbell", "approvals")),
  };
  await slack.close();
  await app.stop();
  world.stop();
  return costs;
}

async function typeahead(slack: Slack, world: World, user: string, text: string): Promise<Cost> {
  const view = await openForm(slack, world, { command: "/vps", text: "show", user, channel: "C0MANY" });
  return costOf(world, () => suggest(slack, view, user, text));
}

async function costOf(world: World, work: () => Promise<{ ms: number }>): Promise<Cost> {
  let ms = Number.NaN;
  const calls = await world.callsOf(async () => {
    ({ ms } = await work());
  });
  return { ms, calls: calls.length };
}

function memberAt(number: number): string {
  return `U${String(number).padStart(8, "0")}`;
}

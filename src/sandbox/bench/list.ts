import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { percentile } from "./figures.ts";
import { link, openForm, suggest } from "./linking.ts";
import { milliseconds, plainRow, type Row } from "./report.ts";
import type { Run } from "./sides.ts";
import { ask, createSlack, type Slack } from "./slack.ts";
import { startApp } from "./subjects.ts";
import { openWorld, type World } from "./the-world.ts";

const services = 10_000;
const latencyMs = 50;
const acknowledgeMs = 3_000;
const user = "U0LARGE";
const channel = "C0LARGE";

/** A key with many services: the cost of its lists, its searches and its name index. */
export async function listOf10000({ folder, secrets, rounds }: Run): Promise<Row[]> {
  const world = await openWorld({ bulk: services, latencyMs });
  const own = await mkdtemp(join(folder, "run-"));
  const app = await startApp(world, secrets, { folder: own, cache: join(folder, "compiled") });
  const slack = createSlack(app.url, secrets.signingSecret, world);
  await link(slack, world, user, await world.key());
  const rows = [
    ...(await cold(slack, world)),
    ...(await verb(slack, world)),
    ...(await firstPage(slack, world)),
    ...(await warm(slack, world, 20 * rounds)),
  ];
  await slack.close();
  await app.stop();
  world.stop();
  return rows;
}

/** Before the name index is read. Slack waits three seconds for choices. */
async function cold(slack: Slack, world: World): Promise<Row[]> {
  const view = await openForm(slack, world, { command: "/vps", text: "show", user, channel });
  const { ms, found } = await suggest(slack, view, user, "bulk");
  const listed = await ask(slack, world, { command: "/vps", text: "list bulk-09", user, channel });
  return [
    plainRow(`cold typeahead: ${found} choices after`, ms, acknowledgeMs, milliseconds),
    plainRow("cold filtered list, answered after (no limit: it is acknowledged first)", listed.ms, null, milliseconds),
  ];
}

async function firstPage(slack: Slack, world: World): Promise<Row[]> {
  let ms = 0;
  const calls = await world.callsOf(async () => {
    ms = (await ask(slack, world, { command: "/vps", text: "list", user, channel })).ms;
  });
  return [
    plainRow("/vps list: platform calls for the first page", calls.length, 1),
    plainRow("/vps list: time", ms, null, milliseconds),
  ];
}

async function verb(slack: Slack, world: World): Promise<Row[]> {
  const calls = await world.callsOf(() =>
    ask(slack, world, { command: "/vps", text: "start bulk-00007", user, channel }),
  );
  return [plainRow("/vps start on a name, warm name index: platform calls", calls.length, 2)];
}

async function warm(slack: Slack, world: World, repeats: number): Promise<Row[]> {
  const view = await openForm(slack, world, { command: "/vps", text: "show", user, channel });
  const searches: number[] = [];
  const lists: number[] = [];
  const calls = await world.callsOf(async () => {
    for (let number = 0; number < repeats; number += 1) {
      const text = `bulk-0${number % 10}${number % 7}`;
      searches.push((await suggest(slack, view, user, text)).ms);
      lists.push((await ask(slack, world, { command: "/vps", text: `list ${text}`, user, channel })).ms);
    }
  });
  return [
    plainRow(`${repeats} filtered lists and typeaheads, warm name index: platform calls`, calls.length, 0),
    plainRow("typeahead, warm name index: p99", percentile(searches, 0.99), null, milliseconds),
    plainRow("filtered list, warm name index: p99 of the answer", percentile(lists, 0.99), null, milliseconds),
  ];
}

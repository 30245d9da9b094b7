import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import { operations } from "../../operations/index.ts";
import { percentile } from "./figures.ts";
import { link, openForm, suggest } from "./linking.ts";
import { residentMemory } from "./process-figures.ts";
import { megabytes, milliseconds, plainRow, type Row } from "./report.ts";
import type { Run } from "./sides.ts";
import { ask, createSlack, type Slack } from "./slack.ts";
import { startApp } from "./subjects.ts";
import { openWorld, type World } from "./the-world.ts";

/** An identity with a large estate: what its lists, searches and directory cost. */
export const services = 10_000;
const latencyMs = 50;
const acknowledgeMs = 3_000;
const linkedMembers = 200;
const user = "U0LARGE";
const channel = "C0LARGE";

export async function estate({ folder, secrets, rounds }: Run): Promise<Row[]> {
  const world = await openWorld({ bulk: services, latencyMs });
  const own = await mkdtemp(join(folder, "run-"));
  const app = await startApp(world, secrets, { folder: own, cache: join(folder, "compiled") });
  const slack = createSlack(app.url, secrets.signingSecret, world);
  await link(slack, world, user, await world.key());
  const rows = [
    ...(await cold(slack, world)),
    ...(await verb(slack, world)),
    ...(await firstPages(slack, world)),
    ...(await warm(slack, world, 20 * rounds)),
    ...(await crowd(slack, world, () => residentMemory(app.pid))),
  ];
  await slack.close();
  await app.stop();
  world.stop();
  return rows;
}

/** Asked before anything is known: Slack waits three seconds for choices. */
async function cold(slack: Slack, world: World): Promise<Row[]> {
  const view = await openForm(slack, world, { command: "/vps", text: "show", user, channel });
  const { ms, found } = await suggest(slack, view, user, "bulk");
  const listed = await ask(slack, world, { command: "/vps", text: "list bulk-09", user, channel });
  return [
    plainRow(`cold typeahead: ${found} choices after`, ms, acknowledgeMs, milliseconds),
    plainRow("cold filtered list, answered after (no limit: it is acknowledged first)", listed.ms, null, milliseconds),
  ];
}

/** Nouns whose lists come page by page. */
async function firstPages(slack: Slack, world: World): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { command } of operations.filter(isList)) {
    const [noun = "", ...verb] = command.split(" ");
    let ms = 0;
    const calls = await world.callsOf(async () => {
      ms = (await ask(slack, world, { command: `/${noun}`, text: verb.join(" "), user, channel })).ms;
    });
    rows.push(
      plainRow(`/${command}: platform calls for the first page`, calls.length, command === "vps list" ? 1 : 2),
      plainRow(`/${command}: time`, ms, null, milliseconds),
    );
  }
  return rows;
}

function isList(operation: Operation): boolean {
  const fields = fieldsOf(operation.input);
  const paged = fields.some(({ name }) => name === "page");
  return operation.risk === "read" && !operation.target && paged && fields.every(({ required }) => !required);
}

async function verb(slack: Slack, world: World): Promise<Row[]> {
  const calls = await world.callsOf(() =>
    ask(slack, world, { command: "/vps", text: "start bulk-00007", user, channel }),
  );
  return [plainRow("/vps start on a name, warm directory: platform calls", calls.length, 2)];
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
    plainRow(`${repeats} filtered lists and typeaheads, warm directory: platform calls`, calls.length, 0),
    plainRow("typeahead, warm directory: p99", percentile(searches, 0.99), null, milliseconds),
    plainRow("filtered list, warm directory: p99 of the answer", percentile(lists, 0.99), null, milliseconds),
  ];
}

/** The others of the workspace, each with a directory of a project's machines. */
async function crowd(slack: Slack, world: World, memory: () => Promise<number>): Promise<Row[]> {
  const before = await memory();
  for (let number = 1; number < linkedMembers; number += 1) {
    const member = `U${String(number).padStart(8, "0")}`;
    await link(slack, world, member, await world.key("production"));
    await ask(slack, world, { command: "/vps", text: "list web", user: member, channel: `D${member}` });
  }
  return [
    plainRow(`memory with 1 member who sees ${services.toLocaleString("en")} machines`, before, null, megabytes),
    plainRow(`memory with ${linkedMembers} linked members, one of them that one`, await memory(), null, megabytes),
  ];
}

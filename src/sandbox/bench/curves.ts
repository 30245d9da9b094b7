import { join } from "node:path";
import { inside, type Run } from "./contenders.ts";
import { fillStore, readMachines } from "./filled.ts";
import { linkMembers, numberedMember } from "./linking.ts";
import { cpuMsOf, residentMemory } from "./process-figures.ts";
import { comparedRow, megabytes, milliseconds, plainRow, type Row } from "./report.ts";
import { compare } from "./rounds.ts";
import { ask, createSlack } from "./slack.ts";
import { startApp } from "./subjects.ts";
import { openWorld } from "./the-world.ts";

const team = 1_000;
const estate = 5_000;
/** Members who have their list read at once: each read is 25 calls, and more would wait longer than an answer may take. */
const readAtOnce = 3;
const mostResident = 400 * 1024 * 1024;

/** Resident memory once every member of a large team has named one of the machines of a large estate, each by a key of their own. */
export async function membersMemory({ folder, secrets }: Run): Promise<Row[]> {
  const world = await openWorld({ bulk: estate });
  const app = await startApp(world, secrets, { folder: await inside(folder), cache: join(folder, "compiled") });
  const slack = createSlack(app.url, secrets.signingSecret, world);
  await linkMembers(slack, world, {
    count: team,
    atOnce: readAtOnce,
    onLinked: (user) => ask(slack, world, { command: "/vps", text: "show bulk-00001", user, channel: `C${user}` }),
  });
  const resident = await residentMemory(app.pid);
  await slack.close();
  await app.stop();
  world.stop();
  const what = `${team.toLocaleString("en")} members on ${estate.toLocaleString("en")} machines`;
  return [plainRow(`${what}: resident memory`, resident, mostResident, megabytes)];
}

/** The size of an app's estate and of its history. */
interface Size {
  machines: number;
  members: number;
  entries: number;
  events: number;
  verb: "start" | "show";
}

/** More machines than are started in a minute: the app asks again before it repeats a change of the last one. */
const small: Size = { machines: 2_000, members: 2, entries: 10_000, events: 10_000, verb: "start" };
/** Fewer machines: their commands read. */
const few: Size = { ...small, machines: 500, verb: "show" };
const commandsARound = 100;
const commandsAtOnce = 4;
const mostOfCurve = 1.1;

/** The processor that a command takes, of an app with ten times as much of one thing against an app without. */
export async function curves(run: Run): Promise<Row[]> {
  const rows: Row[] = [];
  const grown: [what: string, Size, Size][] = [
    ["100,000 audit entries against 10,000", small, { ...small, entries: 100_000 }],
    ["100,000 events against 10,000", small, { ...small, events: 100_000 }],
    ["5,000 machines against 500", few, { ...few, machines: 5_000 }],
    ["1,000 members against 100", { ...few, members: 100 }, { ...few, members: 1_000 }],
  ];
  for (const [what, before, after] of grown) rows.push(await curve(run, what, before, after));
  return rows;
}

async function curve(run: Run, what: string, before: Size, after: Size): Promise<Row> {
  const [other, app] = [await openSide(run, before), await openSide(run, after)];
  const found = await compare(run.rounds, { app: () => costOf(app), other: () => costOf(other) });
  for (const side of [app, other]) await side.stop();
  return comparedRow(`processor a command, ${what}`, found, { most: mostOfCurve }, milliseconds);
}

type Opened = Awaited<ReturnType<typeof openSide>>;

async function openSide({ folder, secrets }: Run, size: Size) {
  const world = await openWorld({ bulk: size.machines });
  const own = await inside(folder);
  await fillStore(own, secrets, { ...size, machines: await readMachines(world) });
  const app = await startApp(world, secrets, { folder: own, cache: join(folder, "compiled") });
  const slack = createSlack(app.url, secrets.signingSecret, world);
  let number = 0;
  /** A command about the next machine, by the next member. The machines run already, so that an act ends at once. */
  async function next(): Promise<void> {
    number += 1;
    const name = `bulk-${String((number % size.machines) + 1).padStart(5, "0")}`;
    const user = numberedMember(number % size.members);
    const channel = `C${String(number % 1_000).padStart(8, "0")}`;
    const { text } = await ask(slack, world, { command: "/vps", text: `${size.verb} ${name}`, user, channel });
    if (!/started|running/.test(text)) throw new Error(`${size.verb} ${name} was answered with: ${text}`);
  }
  await linkMembers(slack, world, {
    count: size.members,
    atOnce: readAtOnce,
    onLinked: (user) => ask(slack, world, { command: "/vps", text: "show bulk-00001", user, channel: `C${user}` }),
  });
  for (let warm = 0; warm < commandsARound; warm += 1) await next();
  return {
    pid: app.pid,
    next,
    async stop() {
      await slack.close();
      await app.stop();
      world.stop();
    },
  };
}

async function costOf({ pid, next }: Opened): Promise<number> {
  const before = await cpuMsOf(pid);
  let left = commandsARound;
  async function worker(): Promise<void> {
    for (; left > 0; ) {
      left -= 1;
      await next();
    }
  }
  await Promise.all(Array.from({ length: commandsAtOnce }, worker));
  return ((await cpuMsOf(pid)) - before) / commandsARound;
}

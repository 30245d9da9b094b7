import { join } from "node:path";
import { inside, type Run } from "./contenders.ts";
import { linkMembers } from "./linking.ts";
import { residentMemory } from "./process-figures.ts";
import { megabytes, plainRow, type Row } from "./report.ts";
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

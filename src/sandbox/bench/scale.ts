import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { sleep, systemClock } from "../../process/clock.ts";
import { inside, type Run } from "./contenders.ts";
import { type Address, deliverAll } from "./deliveries.ts";
import { median } from "./figures.ts";
import { connect } from "./inbox.ts";
import { link, linkMembers, openForm, suggest } from "./linking.ts";
import { milliseconds, plainRow, type Row } from "./report.ts";
import { ask, createSlack, inTime, type Slack } from "./slack.ts";
import { startApp } from "./subjects.ts";
import { openWorld, type World } from "./the-world.ts";

const awayMs = 50;
const estates = [10, 100, 1_000, 5_000];
const teams = [100, 1_000];
/** Of the curve over members: the machines that each of them sees. */
const usual = 100;
const burst = 10_000;
const user = "U0LARGE";
const channel = "C0LARGE";

/** The curves over machines and members, each figure with the platform's calls behind it, and a burst of events. */
export async function scale(run: Run): Promise<Row[]> {
  const rows: Row[] = [];
  for (const machines of estates) rows.push(...(await curve(run, { machines, members: 1 })));
  for (const members of teams) rows.push(...(await curve(run, { machines: usual, members })));
  return [...rows, ...(await burstOfEvents(run))];
}

interface Size {
  machines: number;
  members: number;
}

async function curve({ folder, secrets }: Run, { machines, members }: Size): Promise<Row[]> {
  const world = await openWorld({ bulk: machines, latencyMs: awayMs, slackLatencyMs: awayMs });
  const app = await startApp(world, secrets, { folder: await inside(folder), cache: join(folder, "compiled") });
  const slack = createSlack(app.url, secrets.signingSecret, world);
  await link(slack, world, user, await world.key());
  await linkMembers(slack, world, { count: members - 1 });
  const name = `bulk-${String(machines).padStart(5, "0")}`;
  const typed = (text: string) => async () => (await ask(slack, world, { command: "/vps", text, user, channel })).ms;
  const row = async (what: string, act: () => Promise<number>) => {
    let ms = 0;
    const calls = await world.callsOf(async () => {
      ms = await act();
    });
    const size = `${machines.toLocaleString("en")} machines, ${members.toLocaleString("en")} members`;
    return plainRow(`${size}: ${what}`, ms, null, (figure) => `${milliseconds(figure)} in ${calls.length} calls`);
  };
  const rows = [
    await row("first name, no index yet", typed(`show ${name}`)),
    await row("a name", typed(`show ${name}`)),
    await row("list", typed("list")),
    await row("list with a filter", typed("list bulk-0")),
    await row("typeahead", () => typeahead(slack, world)),
    await row("Home", () => home(slack, world)),
  ];
  await slack.close();
  await app.stop();
  world.stop();
  return rows;
}

async function typeahead(slack: Slack, world: World): Promise<number> {
  const view = await openForm(slack, world, { command: "/vps", text: "show", user, channel });
  const waited: number[] = [];
  for (let number = 0; number < 10; number += 1) waited.push((await suggest(slack, view, user, `bulk-0${number}`)).ms);
  return median(waited);
}

/** Until Slack has the first Home that shows the member's machines. */
async function home(slack: Slack, world: World): Promise<number> {
  const began = performance.now();
  const shown = world.viewFor(`home ${user}`);
  await slack.event({ type: "app_home_opened", user, channel: `D${user}`, tab: "home", event_ts: "1.1" });
  await inTime(shown, "Home was not published");
  return performance.now() - began;
}

/** Events that all arrive at once: until they are stored, until alerts are made of them, and a member's command meanwhile. */
async function burstOfEvents({ folder, secrets }: Run): Promise<Row[]> {
  const world = await openWorld({ slackLatencyMs: awayMs });
  const own = await inside(folder);
  const secret = randomBytes(32).toString("hex");
  await connect(own, secrets, secret);
  const app = await startApp(world, secrets, { folder: own, cache: join(folder, "compiled") });
  const slack = createSlack(app.url, secrets.signingSecret, world);
  await link(slack, world, user, await world.key());
  await ask(slack, world, { command: "/rackbell", text: `alerts add <#${channel}|large>`, user, channel });
  const address: Address = { origin: app.url, path: "/webhooks/reseller/T0BENCH", secret };
  const began = performance.now();
  await deliverAll(address, 100, burst);
  const stored = performance.now() - began;
  const { ms } = await ask(slack, world, { command: "/vps", text: "list", user, channel: "C0OTHER" });
  while ((await waiting(app.url, "events")) > 0) await sleep(systemClock, 100);
  const made = performance.now() - began;
  await slack.close();
  await app.stop();
  world.stop();
  const events = `${burst.toLocaleString("en")} events at once`;
  return [
    plainRow(`${events}: stored and answered`, stored, null, milliseconds),
    plainRow(`${events}: a member's list meanwhile`, ms, null, milliseconds),
    plainRow(`${events}: all in their alerts`, made, null, milliseconds),
  ];
}

/** The depth of one of the app's queues, by its metrics. */
async function waiting(url: string, queue: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^rackbell_queue_depth\\{queue="${queue}"\\} (\\d+)`, "m").exec(text)?.[1] ?? 0);
}

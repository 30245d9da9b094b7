import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../process/clock.ts";
import { causes } from "./causes.ts";
import { commands } from "./commands.ts";
import type { Run } from "./contenders.ts";
import { curves, membersMemory } from "./curves.ts";
import { inbox } from "./inbox.ts";
import { instances } from "./instances.ts";
import { memory } from "./memory.ts";
import { type Row, table } from "./report.ts";
import { scale } from "./scale.ts";
import { starts } from "./starts.ts";
import { waiting } from "./waiting.ts";

/** A part of the bench: the title of its table, and its rows. */
interface Section {
  title: string;
  rows(run: Run): Promise<Row[]>;
}

const sections: Record<string, Section> = {
  commands: {
    title: "Commands: ratio (least to most of the rounds); the app against the other program",
    rows: commands,
  },
  inbox: { title: "The supplier's deliveries", rows: inbox },
  memory: { title: "Memory", rows: memory },
  curves: { title: "Ten times as much of one thing", rows: curves },
  members: { title: "Memory of a large team on a large estate", rows: membersMemory },
  causes: { title: "The time of a command and of a delivery: each thread, the disk, the collector", rows: causes },
  start: { title: "From the start of the process until it is ready", rows: starts },
  scale: { title: "Curves over machines and members; the platform and Slack take 50 ms an answer", rows: scale },
  waiting: { title: "Many requests that wait for others, and none is due", rows: waiting },
  instances: { title: "One Redis, with one instance and with two", rows: instances },
};

/** The parts that have goals, and the causes of what they miss: `npm run bench` prints these. */
const usual = ["commands", "inbox", "memory", "start", "causes"];
const limitMinutes = 30;

async function bench(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      count: { type: "string", default: "10000" },
      seconds: { type: "string", default: "60" },
    },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(sections, name));
  if (unknown !== undefined) {
    process.stderr.write(`There is no part "${unknown}". There are ${Object.keys(sections).join(", ")}.\n`);
    process.exit(2);
  }
  process.once("SIGINT", () => process.exit(130));
  const folder = await mkdtemp(join(tmpdir(), "rackbell-bench-"));
  const secrets = {
    botToken: `xoxb-${randomBytes(12).toString("hex")}`,
    signingSecret: randomBytes(16).toString("hex"),
    encryptionKey: randomBytes(32).toString("base64"),
  };
  try {
    for (const name of positionals.length > 0 ? positionals : usual)
      await show(name, {
        ...{ folder, secrets, rounds: Number(values.rounds) },
        ...{ count: Number(values.count), seconds: Number(values.seconds) },
      });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function show(name: string, run: Run): Promise<void> {
  const section = sections[name];
  if (!section) return;
  const callOff = systemClock.after(limitMinutes * 60_000, () => {
    process.stderr.write(`The part "${name}" took longer than ${limitMinutes} minutes and was ended.\n`);
    process.exit(1);
  });
  process.stdout.write(`\n${table(section.title, await section.rows(run))}\n`);
  callOff();
}

await bench();
process.exit(0);

import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../clock.ts";
import { inBurst } from "./burst.ts";
import { commands } from "./commands.ts";
import { estate } from "./estate.ts";
import { inbox } from "./inbox.ts";
import { many } from "./many.ts";
import { memory } from "./memory.ts";
import { onRedis } from "./redis.ts";
import { type Row, table } from "./report.ts";
import type { Run } from "./sides.ts";
import { soak } from "./soak.ts";
import { starts } from "./starts.ts";
import { upkeep } from "./upkeep.ts";

/** A part of the bench: what its table is called, how long it may take, and its rows. */
interface Section {
  title: string;
  minutes: number;
  rows(run: Run): Promise<Row[]>;
}

const sections: Record<string, Section> = {
  commands: { title: "Commands: median ratio (least to most); app against the other", minutes: 6, rows: commands },
  inbox: { title: "The supplier's deliveries", minutes: 6, rows: inbox },
  burst: { title: "10,000 deliveries while Slack refuses every other post", minutes: 6, rows: inBurst },
  memory: { title: "Memory", minutes: 6, rows: memory },
  start: { title: "From the start of the process until it is ready", minutes: 6, rows: starts },
  many: { title: "Members, and what each of them sees; the platform takes 50 ms an answer", minutes: 6, rows: many },
  estate: {
    title: "With 10,000 services behind one identity; the platform takes 50 ms an answer",
    minutes: 6,
    rows: async (run) => [...(await estate(run)), ...(await upkeep())],
  },
  redis: { title: "One Redis, with one instance and with two", minutes: 6, rows: onRedis },
  soak: { title: "Ten minutes of 100 commands a second", minutes: 15, rows: soak },
};

/** What `npm run bench` prints: those that have goals. */
const usual = ["commands", "inbox", "burst", "memory", "start"];

async function bench(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: "string", default: "5" } },
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
      await show(name, { folder, secrets, rounds: Number(values.rounds) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function show(name: string, run: Run): Promise<void> {
  const section = sections[name];
  if (!section) return;
  const callOff = systemClock.after(section.minutes * 60_000, () => {
    process.stderr.write(`The part "${name}" took longer than ${section.minutes} minutes and was ended.\n`);
    process.exit(1);
  });
  process.stdout.write(`\n${table(section.title, await section.rows(run))}\n`);
  callOff();
}

await bench();
process.exit(0);

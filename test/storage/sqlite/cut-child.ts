/** `node cut-child.ts <file> <count>`: writes, says on stdout what was confirmed, and dies after so much. Its log is copied into its database again and again. */
import { pino } from "pino";
import { systemClock } from "../../../src/process/clock.ts";
import { createStore } from "../../../src/storage/create.ts";
import { createCheckpoints } from "../../../src/storage/sqlite/checkpoints.ts";
import { createSqlite } from "../../../src/storage/sqlite/engine.ts";
import { openFile } from "../../../src/storage/sqlite/file.ts";
import { raw } from "../raw.ts";

const [, , path = "", most = ""] = process.argv;
const tools = { clock: systemClock, log: pino({ level: "silent" }) };
const file = openFile(path);
const engine = createSqlite(
  { ...file, checkpoints: (options) => createCheckpoints({ path, db: file.db, after: 20 }, options) },
  tools,
);
const { store } = createStore(engine, { ...tools, alone: true });
let confirmed = 0;
const events = store.log("events", { retentionMs: 86_400_000 });

async function write(lane: number): Promise<void> {
  for (let count = 0; ; count += 1) {
    const id = `${lane}-${count}`;
    await events.append({ at: systemClock.now(), subjects: [id], data: { id } }, [id]);
    await store.keyv(raw("kept")).set(id, { id });
    process.stdout.write(`${id}\n`);
    confirmed += 1;
    if (confirmed === Number(most)) process.kill(process.pid, "SIGKILL");
  }
}

for (let lane = 0; lane < 8; lane += 1) void write(lane);

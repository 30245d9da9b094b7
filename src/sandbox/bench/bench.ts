import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../clock.ts";
import { comparison, type Extent } from "./comparison.ts";
import { estate } from "./estate.ts";
import { onRedis } from "./redis.ts";
import { table } from "./report.ts";
import { upkeep } from "./upkeep.ts";

const full: Extent = { rounds: 5, starts: 3, commands: 10_000 };
const quick: Extent = { rounds: 2, starts: 1, commands: 1_000 };
const limitMs = 5 * 60_000;

/** What the app costs, in ratios to the smallest Bolt app on the same machine at the same time. */
async function bench(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false } },
  });
  systemClock.after(limitMs, () => {
    process.stderr.write("The bench took too long and was ended.\n");
    process.exit(1);
  });
  const folder = await mkdtemp(join(tmpdir(), "rackbell-bench-"));
  process.once("SIGINT", () => process.exit(130));
  const secrets = {
    botToken: `xoxb-${randomBytes(12).toString("hex")}`,
    signingSecret: randomBytes(16).toString("hex"),
    encryptionKey: randomBytes(32).toString("base64"),
  };
  try {
    if (positionals[0] === "redis") {
      print(table("One Redis, with one instance and with two", await onRedis(folder, secrets, values.quick ? 2 : 5)));
      return;
    }
    const against = await comparison(folder, secrets, values.quick ? quick : full);
    print(table("Against the smallest Bolt app: median ratio (least to most); app against bare app", against));
    print(
      table("With 10,000 services behind one identity; the platform takes 50 ms an answer", [
        ...(await estate(folder, secrets, values.quick ? 30 : 100)),
        ...(await upkeep()),
      ]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function print(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

await bench();
process.exit(0);

import { Pool } from "undici";
import { shuffledDeliveries } from "./burst-orders.ts";
import { signed } from "./deliveries.ts";

// The supplier's side of the burst, in a process of its own: all deliveries over so many connections. It tells its parent how long
// each answer took, in milliseconds.
const [origin = "", path = "", secret = "", connections = "1"] = process.argv.slice(2);
const pool = new Pool(origin, { connections: Number(connections), keepAliveTimeout: 60_000 });
const waiting = shuffledDeliveries();
const taken: number[] = [];

async function sender(): Promise<void> {
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { body, headers } = signed(secret, next);
    const began = performance.now();
    const answer = await pool.request({ path, method: "POST", headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`A delivery was met with ${answer.statusCode}`);
    taken.push(performance.now() - began);
  }
}

await Promise.all(Array.from({ length: Number(connections) }, sender));
await pool.close();
process.send?.(taken);
process.disconnect?.();

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pino } from "pino";
import { createWorkspaceSecrets } from "../../members/identities/workspace.ts";
import { systemClock } from "../../process/clock.ts";
import { openStore } from "../../storage/open.ts";
import { createSeal } from "../../storage/seal.ts";
import { inside, type Run, roundMs } from "./contenders.ts";
import { type Address, deliver } from "./deliveries.ts";
import { comparedRow, perSecond, type Row } from "./report.ts";
import { compare } from "./rounds.ts";
import { type Secrets, type Subject, startApp, startBareWebhook, storeIn } from "./subjects.ts";
import { openWorld } from "./the-world.ts";

/** Deliveries that the supplier sends at once. */
export const senders = 100;

/** Deliveries that the app verifies, distinguishes, stores and answers, against a program that only appends them. */
export async function inbox(run: Run): Promise<Row[]> {
  const { folder, rounds } = run;
  return withConnected(run, [], async ({ address: toApp }) => {
    const bare = await startBareWebhook(toApp.secret, { folder: await inside(folder) });
    const toBare: Address = { origin: bare.url, path: "/", secret: toApp.secret };
    for (const address of [toApp, toBare]) await deliver(address, 50, roundMs);
    const found = await compare(rounds, {
      app: () => deliver(toApp, senders, roundMs),
      other: () => deliver(toBare, senders, roundMs),
    });
    await bare.stop();
    const what = `deliveries of ${senders} senders, against node:http, HMAC and one append`;
    return [comparedRow(what, found, { least: 0.6 }, perSecond)];
  });
}

/** Runs `work` with an app that has the secret of the deliveries at `address`, and stops the app after it. `node`: its flags of Node.js. */
export async function withConnected(
  { folder, secrets }: Run,
  node: string[],
  work: (connected: { app: Subject; address: Address }) => Promise<Row[]>,
): Promise<Row[]> {
  const secret = randomBytes(32).toString("hex");
  const world = await openWorld({});
  const own = await inside(folder);
  await connect(own, secrets, secret);
  const app = await startApp(world, secrets, { folder: own, cache: join(folder, "compiled"), node });
  try {
    return await work({ app, address: { origin: app.url, path: "/webhooks/reseller/T0BENCH", secret } });
  } finally {
    await app.stop();
    world.stop();
  }
}

/** Stores the secret as an admin's `/rackbell connect` does. */
export async function connect(folder: string, { encryptionKey }: Secrets, secret: string): Promise<void> {
  const log = pino({ level: "silent" });
  const store = await openStore({ url: storeIn(folder), clock: systemClock, log });
  const seal = createSeal({ key: Buffer.from(encryptionKey, "base64") });
  const details = { label: "", slackUser: "U0BENCH", user: null, confinedTo: null, at: systemClock.now() };
  await createWorkspaceSecrets({ store, seal }).set("signing-secret", secret, details);
  await store.close();
}

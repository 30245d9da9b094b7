import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pino } from "pino";
import { systemClock } from "../../clock.ts";
import { createWorkspaceSecrets } from "../../identities/workspace.ts";
import { openStore } from "../../storage/open.ts";
import { createSeal } from "../../storage/seal.ts";
import { startDebianWebhook } from "./debian-webhook.ts";
import { type Address, deliver } from "./deliveries.ts";
import { comparedRow, perSecond, type Row } from "./report.ts";
import { compare } from "./rounds.ts";
import { inside, type Run, roundMs } from "./sides.ts";
import { type Secrets, startApp, startBareWebhook, storeIn } from "./subjects.ts";
import { openWorld } from "./the-world.ts";

/** Deliveries of the supplier's, verified, told apart, on disk and answered, against programs that keep nothing. */
export async function inbox(run: Run): Promise<Row[]> {
  const { folder, secrets, rounds } = run;
  const secret = randomBytes(32).toString("hex");
  const world = await openWorld({});
  const own = await inside(folder);
  await connect(own, secrets, secret);
  const app = await startApp(world, secrets, { folder: own, cache: join(folder, "compiled") });
  const bare = await startBareWebhook(secret);
  const debian = await startDebianWebhook(await inside(folder), secret);
  const toApp: Address = { origin: app.url, path: "/webhooks/reseller/T0BENCH", secret };
  const toBare: Address = { origin: bare.url, path: "/", secret };
  for (const address of [toApp, toBare]) await deliver(address, 50, roundMs);

  const rows: Row[] = [];
  const against = async (what: string, other: Address, connections: number, least: number | null) => {
    const compared = await compare(rounds, {
      app: () => deliver(toApp, connections, roundMs),
      other: () => deliver(other, connections, roundMs),
    });
    const senders = connections === 1 ? "1 sender" : `${connections} senders`;
    rows.push(
      comparedRow(`deliveries of ${senders}, against ${what}`, compared, least === null ? null : { least }, perSecond),
    );
  };
  for (const connections of [1, 10, 100]) {
    await against("bare node:http and HMAC", toBare, connections, connections === 100 ? 0.65 : null);
    if (debian) await against("Debian's webhook", debian.address, connections, 1);
  }
  if (!debian) process.stderr.write("Debian's webhook is not installed here, so nothing is told against it.\n");
  debian?.stop();
  await app.stop();
  await bare.stop();
  world.stop();
  return rows;
}

/** Keeps the secret as an admin's `/rackbell connect` does. */
async function connect(folder: string, { encryptionKey }: Secrets, secret: string): Promise<void> {
  const log = pino({ level: "silent" });
  const store = await openStore({ url: storeIn(folder), clock: systemClock, log });
  const seal = createSeal({ key: Buffer.from(encryptionKey, "base64") });
  const about = { label: "", slackUser: "U0BENCH", user: null, at: systemClock.now() };
  await createWorkspaceSecrets({ store, seal }).set("signing-secret", secret, about);
  await store.close();
}

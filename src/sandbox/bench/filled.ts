import { pino } from "pino";
import * as z from "#zod";
import { newestEvents, storeDelivery } from "../../alerts/event-log.ts";
import { feedCursor } from "../../alerts/feed.ts";
import { createAudit, newestEntries } from "../../audit/audit.ts";
import { takeCheckpoints } from "../../audit/checkpoints.ts";
import { systemClock } from "../../process/clock.ts";
import { createSigner } from "../../process/signer.ts";
import type { Request } from "../../requests/request.ts";
import { readRequest, storeFirst } from "../../requests/store.ts";
import { openStore } from "../../storage/open.ts";
import { createSeal } from "../../storage/seal.ts";
import type { Secrets } from "./subjects.ts";
import { storeIn } from "./subjects.ts";
import type { World } from "./the-world.ts";

/** A machine of the practice platform. */
interface Machine {
  id: string;
  name: string;
}

const pageSize = 200;
const Page = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });

/** The machines that a key of the practice team sees. */
export async function readMachines(world: World): Promise<Machine[]> {
  const headers = { authorization: `Bearer ${await world.key()}` };
  const found: Machine[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${world.platformUrl}/vps?page=${page}&limit=${pageSize}`, { headers });
    const { data } = Page.parse(await answer.json());
    found.push(...data);
    if (data.length < pageSize) return found;
  }
}

/** Fills the store of an app that has not started yet: audit entries and events about these machines, each as many for every machine. */
export async function fillStore(
  folder: string,
  { encryptionKey }: Secrets,
  { machines, entries, events }: { machines: readonly Machine[]; entries: number; events: number },
): Promise<void> {
  const log = pino({ level: "silent" });
  const clock = systemClock;
  const store = await openStore({ url: storeIn(folder), clock, log });
  const signer = createSigner({ key: Buffer.from(encryptionKey, "base64") }, "audit record");
  const app = { store, signer, clock, log, wakeFeed: () => {} };
  const audit = createAudit(app);
  await eachAtOnce(entries, machines, ({ id, name }) =>
    audit.note({
      what: "ended",
      member: "T0BENCH:U0OTHER",
      slackUser: "U0OTHER",
      decidedBy: null,
      keyLabel: "other",
      command: "vps start",
      target: { id, name },
      outcome: "It was started.",
      result: "success",
      request: null,
    }),
  );
  await takeCheckpoints(app);
  await eachAtOnce(events, machines, async ({ id, name }, number) => {
    const event = number % 2 === 0 ? "service.suspended" : "service.unsuspended";
    const delivery = { event, timestamp: new Date(clock.now()).toISOString(), data: { serviceId: id, hostname: name } };
    await storeDelivery(app, { event: delivery, body: Buffer.from(`${number}`), deliveryId: null });
  });
  // The app would go through all of them as it starts.
  const [last] = await newestEvents(app, { limit: 1 });
  if (last) await store.keyv(feedCursor).set("last", last.id);
  await store.close();
}

/** Milliseconds to the first poll of the tracked requests: longer than a part of the bench takes. */
const pollIn = 60 * 60_000;

/** Adds tracked requests to the store of an app that has stopped: copies of a request of its own, whose jobs go on. */
export async function fillTracked(
  folder: string,
  { encryptionKey }: Secrets,
  { machines, count }: { machines: readonly Machine[]; count: number },
): Promise<void> {
  const log = pino({ level: "silent" });
  const clock = systemClock;
  const key = Buffer.from(encryptionKey, "base64");
  const store = await openStore({ url: storeIn(folder), clock, log });
  const audit = createAudit({ store, signer: createSigner({ key }, "audit record"), clock });
  const app = { store, seal: createSeal({ key }), audit, clock, log };
  const [ended] = await newestEntries(app, { limit: 1 });
  const done = await readRequest(app, ended?.entry.request ?? "");
  if (!done) throw new Error("The app has stored no request of its own");
  await eachAtOnce(count, machines, async (target, number) => {
    const id = `${done.id}-${number}`;
    const job: Request["job"] = {
      handle: { id },
      since: clock.now(),
      text: "It goes on.",
      misses: 0,
      endedAt: null,
      plan: null,
    };
    const request = { ...done, id, target, state: "working" as const, job };
    await storeFirst(app, request, { note: { what: "begun" }, silent: true, pollAt: clock.now() + pollIn });
  });
  await store.close();
}

const written = 200;

async function eachAtOnce(
  count: number,
  machines: readonly Machine[],
  write: (machine: Machine, number: number) => Promise<void>,
): Promise<void> {
  for (let first = 0; first < count; first += written)
    await Promise.all(
      Array.from({ length: Math.min(written, count - first) }, async (_, at) => {
        const machine = machines[(first + at) % machines.length];
        if (machine) await write(machine, first + at);
      }),
    );
}

import { pino } from "pino";
import * as z from "#zod";
import { newestEvents, storeDelivery } from "../../alerts/event-log.ts";
import { feedCursor } from "../../alerts/feed.ts";
import { createAudit, newestEntries } from "../../audit/audit.ts";
import { takeCheckpoints } from "../../audit/checkpoints.ts";
import { systemClock } from "../../process/clock.ts";
import { createSigner } from "../../process/signer.ts";
import { approversFor } from "../../requests/facets/approvers/record.ts";
import type { Request } from "../../requests/request.ts";
import { readRequest, type StepStored, storeFirst } from "../../requests/store.ts";
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
export function fillTracked(folder: string, secrets: Secrets, copies: Copies): Promise<void> {
  return fillCopies(folder, secrets, copies, (done, now) => {
    const [handle, misses] = [{ id: done.id }, 0];
    const job: Request["job"] = { handle, since: now, text: "It goes on.", misses, endedAt: null, plan: null };
    return {
      request: { ...done, state: "working", job },
      along: { note: { what: "begun" }, silent: true, pollAt: now + pollIn },
    };
  });
}

/** Milliseconds until the waiting requests expire; the first step of each is due after a third of it. */
const waitsFor = 3 * 24 * 60 * 60_000;

/** Adds requests that wait for others, of whom nobody is due to be notified for a day. */
export function fillWaiting(folder: string, secrets: Secrets, copies: Copies): Promise<void> {
  return fillCopies(folder, secrets, copies, (done, now) => {
    const expiresAt = now + waitsFor;
    const approvers = approversFor({
      mention: null,
      reached: { notified: [], skipped: [] },
      tooFew: null,
      away: [],
      direct: [],
    });
    return {
      request: { ...done, state: "pending", mode: "peer", needed: 1, approvers, createdAt: now, expiresAt },
      along: { note: { what: "asked" }, silent: true, lookAt: expiresAt },
    };
  });
}

/** The machines of the copies, and how many there are. */
interface Copies {
  machines: readonly Machine[];
  count: number;
}

/** Adds copies of the newest request that an app has stored; `make` changes each. */
async function fillCopies(
  folder: string,
  { encryptionKey }: Secrets,
  { machines, count }: Copies,
  make: (done: Request, now: number) => { request: Request; along: StepStored },
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
    const { request, along } = make({ ...done, id: `${done.id}-${number}`, target }, clock.now());
    await storeFirst(app, request, along);
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

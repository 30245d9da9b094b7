import { keyRejected, PlatformRefused } from "../../platform/http/errors.ts";
import type { ResellerClient } from "../../platform/reseller/client.ts";
import { readOrder } from "../../platform/reseller/orders.ts";
import { readService } from "../../platform/reseller/services.ts";
import { createRecords } from "../../storage/records.ts";
import type { Foundation } from "../foundation.ts";
import { takeTurn } from "../reading-pace.ts";
import { Confirmation } from "./confirmation.ts";

const lane = "confirm:";
const minute = 60_000;
const month = 30 * 24 * 60 * minute;
/** What could not be read so long after the event is said to be unconfirmed for good. */
const triedFor = 30 * minute;
const triedAgain = 5 * minute;

/** What reads in the background; null where no reading key is set. */
export type ReadingKey = () => Promise<{ client: ResellerClient; keyId: string } | null>;

/** An event is a notification and no proof: what matters is confirmed by a read with the reading key, where one is set (design section 6). */
export interface Confirm {
  /** Has an order or a service read, and these cards brought up to date. */
  ask(thing: string, cards: string[]): Promise<void>;
  read(thing: string): Promise<Confirmation | null>;
}

export function createConfirm(
  { store, clock, log }: Foundation,
  { readingKey, tell }: { readingKey: ReadingKey; tell: (card: string) => Promise<void> },
): Confirm {
  const kept = createRecords(store.values("alert-confirmations"), {
    ...{ name: "confirmation", schema: Confirmation, version: 1, log },
  });

  async function keep(thing: string, change: Partial<Confirmation>): Promise<void> {
    const after = await kept.update(thing, (before) => before && { ...before, ...change }, month);
    for (const card of after?.cards ?? []) await tell(card);
  }

  async function look(thing: string): Promise<number | undefined> {
    const asked = await kept.get(thing);
    const reading = asked ? await readingKey() : null;
    if (!asked || !reading) return undefined;
    const isLate = clock.now() > asked.askedAt + triedFor;
    const wait = await takeTurn(store.paces, reading.keyId, reading.client.budget());
    if (wait > 0) {
      if (!isLate) return clock.now() + wait;
      await keep(thing, { problem: "the reading key had no calls left for it" });
      return undefined;
    }
    try {
      await keep(thing, { ...(await readThing(reading.client, thing)), readAt: clock.now(), problem: null });
      return undefined;
    } catch (error) {
      log.warn({ err: error, thing }, "What the supplier told could not be confirmed");
      await keep(thing, { problem: problemOf(error) });
      return isLate || isFinal(error) ? undefined : clock.now() + triedAgain;
    }
  }

  store.wakeups.handle(lane, (id) => look(id.slice(lane.length)), { atOnce: 2 });

  return {
    async ask(thing, cards) {
      if (!(await readingKey())) return;
      const unread = { readAt: null, payment: null, services: {}, problem: null };
      await kept.update(
        thing,
        (before) => ({
          ...(before ?? unread),
          cards: [...new Set([...(before?.cards ?? []), ...cards])].slice(-20),
          askedAt: clock.now(),
        }),
        month,
      );
      await store.wakeups.wake(`${lane}${thing}`, clock.now());
    },
    read: async (thing) => (await kept.get(thing)) ?? null,
  };
}

async function readThing(client: ResellerClient, thing: string): Promise<Pick<Confirmation, "payment" | "services">> {
  const [kind, id = ""] = thing.split(":");
  if (kind === "service") return { payment: null, services: { [id]: (await readService(client, id)).status } };
  const order = await readOrder(client, id);
  const known = order.services.flatMap(({ serviceId, status }) => (status ? [[serviceId, status] as const] : []));
  return { payment: order.payment_status ?? null, services: Object.fromEntries(known) };
}

/** Whether the same read would be refused again: it does not exist, or the key may not see it. */
export function isFinal(error: unknown): boolean {
  return error instanceof PlatformRefused && error.status < 500 && error.status !== 429;
}

function problemOf(error: unknown): string {
  if (keyRejected(error)) return "the platform no longer accepts the reading key";
  if (error instanceof PlatformRefused && error.status === 404) return "the reading key does not see it";
  return "the platform did not answer as it should";
}

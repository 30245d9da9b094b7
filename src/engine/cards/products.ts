import * as z from "zod";
import type { ResellerClient } from "../../platform/reseller/client.ts";
import { readOrder } from "../../platform/reseller/orders.ts";
import { readService } from "../../platform/reseller/services.ts";
import { createRecords } from "../../storage/records.ts";
import type { Foundation } from "../foundation.ts";
import { takeTurn } from "../reading-pace.ts";
import { isFinal, type ReadingKey } from "./confirm.ts";
import type { KeptEvent } from "./event-log.ts";
import type { EventFacts } from "./events.ts";
import { partOf } from "./latest.ts";

/** A platform that did not answer is left alone for so long: no alert waits for it. */
const leftAloneMs = 5 * 60_000;

const Known = z.object({ product: z.string() });

/** The names of the products that an event is about: none where it is about something else, null where nobody knows them. */
export type ProductNames = string[] | null;

/** Which product an order or a service is of. No event names one (reseller spec section 6): only reading tells. */
export interface Products {
  /** Notes it of an order or a service, by its platform id, where a read has shown it. */
  note(id: string, product: string | null | undefined): Promise<void>;
  /** What is known without a read. */
  of(event: KeptEvent): Promise<ProductNames>;
  /** The same, after one read with the reseller reading key where it takes one and the key's pace allows it. */
  find(event: KeptEvent): Promise<ProductNames>;
}

export function createProducts({ store, clock, log }: Foundation, readingKey: ReadingKey): Products {
  const kept = createRecords(store.values("alert-products"), {
    ...{ name: "product of a service", schema: Known, version: 1, log },
  });
  let notBefore = 0;

  async function note(id: string, product: string | null | undefined): Promise<void> {
    if (product && (await kept.get(id))?.product !== product) await kept.set(id, { product });
  }

  async function namesOf(ids: (string | null | undefined)[]): Promise<string[]> {
    const known = await Promise.all(ids.map((id) => (id ? kept.get(id) : undefined)));
    return [...new Set(known.flatMap((one) => one?.product ?? []))];
  }

  async function of(event: KeptEvent): Promise<ProductNames> {
    const { orderId, serviceId, services, documentId, imageId } = event.data;
    if (documentId || imageId || !(orderId || serviceId || services?.length)) return [];
    const ofOrder = partOf(event) === "order";
    // A service may have gone to another product since its order.
    const own = await namesOf(ofOrder ? [orderId] : [serviceId]);
    if (own.length > 0) return own;
    const others = await namesOf(ofOrder ? (services ?? []).map((one) => one.serviceId) : [orderId]);
    return others.length > 0 ? others : null;
  }

  async function look(event: KeptEvent): Promise<void> {
    const reading = event.source === "found" || clock.now() < notBefore ? null : await readingKey();
    if (!reading) return;
    const { client, keyId } = reading;
    if ((await takeTurn(store.paces, keyId, client.budget())) > 0) return;
    try {
      await readProduct(client, event.data, note);
    } catch (error) {
      if (!isFinal(error)) notBefore = clock.now() + leftAloneMs;
      log.warn({ err: error, event: event.id }, "The product of an event could not be read");
    }
  }

  return {
    note,
    of,
    async find(event) {
      const known = await of(event);
      if (known !== null) return known;
      await look(event);
      return of(event);
    },
  };
}

async function readProduct(
  client: ResellerClient,
  { orderId, serviceId }: EventFacts,
  note: Products["note"],
): Promise<void> {
  if (serviceId) return note(serviceId, (await readService(client, serviceId)).productName);
  if (orderId) await note(orderId, (await readOrder(client, orderId)).product_name);
}
